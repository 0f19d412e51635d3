"""Faults carry who is to blame; what a person reads carries what to do."""

import pytest

from core.errors import HostlessError
from p2p.base import errors


def test_a_fault_names_the_peer_and_the_reason() -> None:
    fault = errors.Equivocation(b"ada", "Ada signed two entries number 3")
    assert (fault.peer, str(fault)) == (b"ada", "Ada signed two entries number 3")
    assert (fault.seat, fault.evidence) == (None, [])


@pytest.mark.parametrize("kind", [errors.MalformedFrame, errors.BadSignature])
def test_bytes_without_an_author_blame_nobody_yet(kind: type[errors.MalformedFrame]) -> None:
    assert kind("not canonical").peer is None
    assert kind("not canonical", b"ada").peer == b"ada"


def test_what_a_person_reads_comes_with_a_hint() -> None:
    error = HostlessError("nobody answers", "check the address")
    assert (str(error), error.hint) == ("nobody answers", "check the address")


def test_a_fault_of_a_peer_is_never_shown_as_a_mistake_of_the_person() -> None:
    named = [each for each in vars(errors).values() if isinstance(each, type)]
    kinds = [kind for kind in named if kind.__module__ == errors.__name__]
    for kind in kinds:
        assert issubclass(kind, errors.PeerError) != issubclass(kind, HostlessError)
        assert kind.__doc__, f"{kind.__name__} says what it means"
