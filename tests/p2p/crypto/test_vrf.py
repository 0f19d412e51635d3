"""Lots: one value for each key and place, and no other is believed."""

from __future__ import annotations

import pytest

from p2p.crypto.group import IDENTITY, L, Point, base, hash_to_point
from p2p.crypto.keys import make_key
from p2p.crypto.masking import Masked, prove_shares
from p2p.crypto.transcript import ProofError, hash_bytes
from p2p.crypto.vrf import _LABEL, VRF_BYTES, vrf_prove, vrf_verify

PLACE, CONTEXT = hash_bytes("place"), b"game, seat and purpose"


def test_a_value_is_accepted_and_is_the_same_each_time_it_is_drawn() -> None:
    secret, public = make_key()
    first, second = (vrf_prove(secret, public, PLACE, CONTEXT) for _ in range(2))
    assert vrf_verify(public, PLACE, first, CONTEXT) == vrf_verify(public, PLACE, second, CONTEXT)
    assert first != second, "the numbers of a proof are used once"


def test_values_of_other_keys_and_places_are_others() -> None:
    secret, public = make_key()
    other_secret, other = make_key()
    values = {
        vrf_verify(public, PLACE, vrf_prove(secret, public, PLACE, CONTEXT), CONTEXT),
        vrf_verify(public, b"there", vrf_prove(secret, public, b"there", CONTEXT), CONTEXT),
        vrf_verify(other, PLACE, vrf_prove(other_secret, other, PLACE, CONTEXT), CONTEXT),
    }
    assert len(values) == 3


def test_a_value_of_somebody_else_elsewhere_or_for_something_else_is_refused() -> None:
    secret, public = make_key()
    drawn = vrf_prove(secret, public, PLACE, CONTEXT)
    for key, place, context in (
        (make_key()[1], PLACE, CONTEXT),
        (public, b"there", CONTEXT),
        (public, PLACE, b"another seat"),
    ):
        with pytest.raises(ProofError):
            vrf_verify(key, place, drawn, context)
    with pytest.raises(ProofError, match=f"A VRF value and its proof are {VRF_BYTES} bytes"):
        vrf_verify(public, PLACE, drawn + bytes(1), CONTEXT)


def test_a_value_with_any_bit_changed_is_refused() -> None:
    secret, public = make_key()
    drawn = vrf_prove(secret, public, PLACE, CONTEXT)
    for bit in range(8 * VRF_BYTES):
        changed = int.to_bytes(int.from_bytes(drawn) ^ 1 << bit, VRF_BYTES)
        with pytest.raises(ProofError):
            vrf_verify(public, PLACE, changed, CONTEXT)


@pytest.mark.parametrize("size", [0, 32, VRF_BYTES - 1, VRF_BYTES + 1, 2 * VRF_BYTES])
def test_a_value_of_another_length_is_refused(size: int) -> None:
    secret, public = make_key()
    drawn = vrf_prove(secret, public, PLACE, CONTEXT) * 2
    with pytest.raises(ProofError):
        vrf_verify(public, PLACE, drawn[:size], CONTEXT)


def test_a_seat_cannot_choose_its_value() -> None:
    """Not even with a proof that holds for a key it knows as well."""
    secret, public = make_key()
    urn = hash_to_point(_LABEL, PLACE)
    for wanted in (urn, IDENTITY, base(5), urn * ((secret + 1) % L)):
        with pytest.raises(ProofError):
            vrf_verify(public, PLACE, _claimed(secret, public, urn, wanted), CONTEXT)


def _claimed(secret: int, public: Point, urn: Point, wanted: Point) -> bytes:
    proof = prove_shares(secret, public, [Masked(urn, urn)], [wanted], CONTEXT)
    return wanted.encoded + proof
