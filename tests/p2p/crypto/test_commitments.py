"""What was committed to can be opened by that seat, in that place, and in no other way."""

from collections import Counter

import pytest

from p2p.crypto.commitments import (
    SALT_BYTES,
    SIDES_MAX,
    VALUE_BYTES_MAX,
    check_opening,
    commit,
    draw_below,
    mix,
)
from p2p.crypto.transcript import ProofError

CONTEXT, SALT, VALUE = b"game 7, step 3", bytes(range(32)), b"the third technology"
COMMITMENT = commit(CONTEXT, 2, VALUE, SALT)


def test_the_opening_of_a_commitment_is_accepted() -> None:
    check_opening(COMMITMENT, CONTEXT, 2, VALUE, SALT)
    assert len(COMMITMENT) == 32


@pytest.mark.parametrize(
    ("commitment", "context", "seat", "value", "salt"),
    [
        (COMMITMENT[:-1] + b"x", CONTEXT, 2, VALUE, SALT),
        (COMMITMENT[:-1], CONTEXT, 2, VALUE, SALT),
        (COMMITMENT + b"\0", CONTEXT, 2, VALUE, SALT),
        (b"", CONTEXT, 2, VALUE, SALT),
        (COMMITMENT, b"game 8, step 3", 2, VALUE, SALT),
        (COMMITMENT, CONTEXT, 1, VALUE, SALT),
        (COMMITMENT, CONTEXT, 2, b"the first technology", SALT),
        (COMMITMENT, CONTEXT, 2, b"", SALT),
        (COMMITMENT, CONTEXT, 2, VALUE, bytes(32)),
        (COMMITMENT, CONTEXT, 2, VALUE, SALT[:-1]),
        (COMMITMENT, CONTEXT, 2, SALT[-1:] + VALUE, SALT[:-1]),
        (COMMITMENT, CONTEXT, 2, bytes(VALUE_BYTES_MAX + 1), SALT),
    ],
)
def test_any_other_opening_is_refused(
    commitment: bytes, context: bytes, seat: int, value: bytes, salt: bytes
) -> None:
    with pytest.raises(ProofError):
        check_opening(commitment, context, seat, value, salt)


def test_a_copied_commitment_cannot_be_opened_by_the_copier() -> None:
    with pytest.raises(ProofError):
        check_opening(COMMITMENT, CONTEXT, 0, VALUE, SALT)


def test_a_commitment_shows_nothing_of_a_short_value() -> None:
    salts = [bytes([number]) * SALT_BYTES for number in range(20)]
    assert len({commit(CONTEXT, 2, b"\x01", salt) for salt in salts}) == len(salts)


def test_committing_with_a_short_salt_is_our_mistake() -> None:
    with pytest.raises(AssertionError):
        commit(CONTEXT, 2, VALUE, SALT[:-1])
    with pytest.raises(AssertionError):
        commit(CONTEXT, 2, bytes(VALUE_BYTES_MAX + 1), SALT)


def test_every_opening_its_order_and_its_borders_change_the_mix() -> None:
    seeds = {
        mix(CONTEXT, [b"ab", b"cd"]),
        mix(CONTEXT, [b"cd", b"ab"]),
        mix(CONTEXT, [b"a", b"bcd"]),
        mix(CONTEXT, [b"ab", b"ce"]),
        mix(CONTEXT, [b"ab", b"cd", b""]),
        mix(b"another game", [b"ab", b"cd"]),
    }
    assert len(seeds) == 6
    assert mix(CONTEXT, [b"ab", b"cd"]) in seeds
    with pytest.raises(AssertionError):
        mix(CONTEXT, [])


@pytest.mark.parametrize("sides", [1, 2, 6, 255, 256, 257, 10**6, SIDES_MAX])
def test_a_draw_is_below_the_number_of_sides_and_the_same_everywhere(sides: int) -> None:
    for count in range(50):
        seed = mix(CONTEXT, [bytes([count])])
        number = draw_below(seed, sides)
        assert 0 <= number < sides
        assert draw_below(seed, sides) == number


def test_every_side_of_a_die_is_equally_likely() -> None:
    # The seeds are fixed, so this always gives the same figure: chi-square, 5 degrees of freedom.
    rolls = Counter(draw_below(mix(CONTEXT, [count.to_bytes(4)]), 6) for count in range(6000))
    assert set(rolls) == set(range(6))
    assert sum((seen - 1000) ** 2 / 1000 for seen in rolls.values()) < 20.5


def test_numbers_that_would_favour_low_sides_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nine bytes hold 256**9 numbers; those at the very top do not divide evenly by six.
    drawn = iter([b"\xff" * 9, (13).to_bytes(9, "little")])
    monkeypatch.setattr("p2p.crypto.commitments.hash_bytes", lambda *_, **__: next(drawn))
    assert draw_below(b"seed", 6) == 13 % 6
    assert list(drawn) == []


def test_the_first_number_that_would_favour_a_side_is_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = 256**9 // 6 * 6  # Below it every side has the same number of numbers.
    drawn = iter([limit.to_bytes(9, "little"), (limit - 1).to_bytes(9, "little")])
    monkeypatch.setattr("p2p.crypto.commitments.hash_bytes", lambda *_, **__: next(drawn))
    assert draw_below(b"seed", 6) == 5
    assert list(drawn) == []


@pytest.mark.parametrize("sides", [0, -1, SIDES_MAX + 1])
def test_a_die_without_sides_is_our_mistake(sides: int) -> None:
    with pytest.raises(AssertionError):
        draw_below(b"seed", sides)
