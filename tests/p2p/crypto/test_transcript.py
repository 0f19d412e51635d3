"""A challenge depends on everything said before it, and on the places where words end."""

from collections.abc import Callable

import pytest

from p2p.crypto import entropy
from p2p.crypto.transcript import L, Transcript, hash_bytes
from tests.p2p.crypto.deals import predictable

Speaker = Callable[[Transcript], None]


def said(protocol: str, context: bytes, *frames: tuple[str, bytes]) -> int:
    """Give the challenge after some frames."""
    transcript = Transcript(protocol, context)
    for label, value in frames:
        transcript.absorb(label, value)
    return transcript.challenge("challenge")


def test_every_part_of_what_was_said_changes_the_challenge() -> None:
    challenges = [
        said("proof", b"game", ("point", b"abc")),
        said("proof2", b"game", ("point", b"abc")),
        said("proof", b"game2", ("point", b"abc")),
        said("proof", b"game", ("key", b"abc")),
        said("proof", b"game", ("point", b"abd")),
        said("proof", b"game", ("point", b"ab"), ("point", b"c")),
        said("proof", b"game", ("point", b"c"), ("point", b"ab")),
        said("proof", b"game", ("pointa", b"bc")),
        said("proof", b"game"),
    ]
    assert len(set(challenges)) == len(challenges)
    assert challenges[0] == said("proof", b"game", ("point", b"abc"))


def test_several_values_are_as_many_frames() -> None:
    together, apart = Transcript("proof", b""), Transcript("proof", b"")
    together.absorb("point", b"a", b"b")
    apart.absorb("point", b"a")
    apart.absorb("point", b"b")
    assert together.challenge("c") == apart.challenge("c")


def test_challenges_differ_from_each_other_and_with_their_number_and_label() -> None:
    first = Transcript("proof", b"").challenges("c", 3)
    second = Transcript("proof", b"").challenges("c", 2)
    third = Transcript("proof", b"").challenges("d", 3)
    assert len({*first, *second, *third}) == 8
    assert all(0 <= challenge < L for challenge in first)


def test_a_second_challenge_differs_from_the_first() -> None:
    transcript = Transcript("proof", b"")
    assert transcript.challenge("c") != transcript.challenge("c")


def test_weights_begin_with_one_and_then_depend_on_what_was_said() -> None:
    one, other = Transcript("proof", b"1").weights(3), Transcript("proof", b"2").weights(3)
    assert one[0] == other[0] == 1
    assert len({*one, *other}) == 5


def test_nonces_leave_the_transcript_as_it_was() -> None:
    plain, asked = Transcript("proof", b""), Transcript("proof", b"")
    asked.nonces(4, [5])
    assert plain.challenge("c") == asked.challenge("c")


def test_nonces_differ_every_time_even_for_the_same_statement() -> None:
    transcript = Transcript("proof", b"")
    assert len({*transcript.nonces(2, [5]), *transcript.nonces(2, [5])}) == 4


def test_a_stuck_random_source_makes_no_nonce_serve_two_statements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(entropy, "fresh_bytes", bytes)
    one = Transcript("proof", b"1").nonces(1, [5])
    other = Transcript("proof", b"2").nonces(1, [5])
    other_secret = Transcript("proof", b"1").nonces(1, [6])
    assert len({*one, *other, *other_secret}) == 3
    assert Transcript("proof", b"1").nonces(1, [5]) == one


def test_a_statement_signed_twice_gets_fresh_nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entropy, "fresh_bytes", predictable("nonces"))
    one, other = (Transcript("proof", b"").nonces(1, [5]) for _ in range(2))
    assert one != other


def test_hashed_fields_cannot_flow_into_each_other() -> None:
    hashes = {
        hash_bytes("label", b"ab", b"c"),
        hash_bytes("label", b"a", b"bc"),
        hash_bytes("label", b"abc"),
        hash_bytes("labela", b"bc"),
        hash_bytes("label"),
    }
    assert len(hashes) == 5
    assert len(hash_bytes("label", size_bytes=32)) == 32
