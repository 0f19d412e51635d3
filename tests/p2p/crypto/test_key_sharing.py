"""Escrow: all the others together have the key, fewer do not, and anybody finds whoever lies."""

from __future__ import annotations

import math
from unittest.mock import patch

import pytest

from p2p.crypto import entropy, key_sharing
from p2p.crypto.group import L, Point, base
from p2p.crypto.key_sharing import (
    DEAL_COVERED,
    DEAL_ROUNDS,
    Deal,
    check_deal,
    check_part,
    deal,
    put_together,
    size_bytes,
    take_part,
)
from p2p.crypto.keys import make_key
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    NOT_A_POINT,
    OTHER_CONTEXT,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    THIRD_KEY,
    THIRD_SECRET,
    is_accepted,
)
from tests.p2p.crypto.false_dealers import boxes_emptied, parts_moved

SECRETS, KEYS = [OTHER_SECRET, THIRD_SECRET], [OTHER_KEY, THIRD_KEY]


def dealt() -> Deal:
    """The key of the first seat in the hands of two others."""
    return deal(SECRET, KEYS, CONTEXT)


def parts_of(shown: Deal) -> list[int]:
    """What the recipients find in their boxes."""
    return [take_part(secret, shown, at, CONTEXT) for at, secret in enumerate(SECRETS)]


@pytest.mark.parametrize("count", [2, 3, 7])
def test_all_recipients_together_have_the_key(count: int) -> None:
    recipients = [make_key() for _ in range(count)]
    shown = deal(SECRET, [key for _, key in recipients], CONTEXT)
    check_deal(KEY, [key for _, key in recipients], shown, CONTEXT)
    parts = [take_part(secret, shown, at, CONTEXT) for at, (secret, _) in enumerate(recipients)]
    assert put_together(parts) == SECRET
    assert Deal.parse(bytes(shown), count) == shown
    assert len(bytes(shown)) == size_bytes(count)


def test_one_recipient_alone_is_none() -> None:
    with pytest.raises(AssertionError, match="no escrow"):
        deal(SECRET, [OTHER_KEY], CONTEXT)


def test_all_but_one_know_as_much_as_everybody() -> None:
    """For any key there is a missing part that fits what they hold."""
    first, second = parts_of(dealt())
    for guess in (42, SECRET + 1):
        missing = (guess - first) % L
        assert put_together([first, missing]) == guess
        assert missing != second


def test_two_deals_of_one_key_share_no_part() -> None:
    assert not set(parts_of(dealt())) & set(parts_of(dealt()))


def test_nobody_opens_the_box_of_another_nor_in_another_place() -> None:
    shown = dealt()
    for secret, at, context in (
        (OTHER_SECRET, 1, CONTEXT),
        (SECRET, 0, CONTEXT),
        (OTHER_SECRET, 0, OTHER_CONTEXT),
    ):
        with pytest.raises(ProofError):
            take_part(secret, shown, at, context)


def is_right(shown: Deal) -> bool:
    """Whether anybody accepts it as the key of the first seat for the two others."""
    return is_accepted(check_deal, KEY, KEYS, shown, CONTEXT)


def test_parts_of_another_key_are_refused() -> None:
    assert is_right(deal(SECRET, KEYS, CONTEXT))
    assert not is_right(deal(SECRET + 1, KEYS, CONTEXT))


@pytest.mark.parametrize("keys", [KEYS[::-1], [KEY, THIRD_KEY], [OTHER_KEY, OTHER_KEY]])
def test_a_deal_to_others_or_in_another_order_is_refused(keys: list[Point]) -> None:
    assert not is_right(deal(SECRET, keys, CONTEXT))
    assert not is_accepted(check_deal, KEY, keys, deal(SECRET, KEYS, CONTEXT), CONTEXT)


def test_a_deal_from_another_place_is_refused() -> None:
    assert not is_right(deal(SECRET, KEYS, OTHER_CONTEXT))


def test_only_the_part_that_was_dealt_is_taken_back() -> None:
    shown = dealt()
    first, second = parts_of(shown)
    check_part(shown, 0, first)
    for part in (second, first + 1, 0):
        assert not is_accepted(check_part, shown, 0, part)


SEEDS_FROM = 32 * 2 + 32
COVERED_FROM = SEEDS_FROM + 16 * (DEAL_ROUNDS - DEAL_COVERED)
FIELDS = {
    "a part": (0, 32), "the challenge": (64, 32),
    "the first seed": (SEEDS_FROM, 16), "the last seed": (COVERED_FROM - 16, 16),
    "the first hint": (COVERED_FROM, 32), "its first box": (COVERED_FROM + 32, 32),
    "its second box": (COVERED_FROM + 64, 32), "its first sum": (COVERED_FROM + 96, 32),
    "the last hint": (-160, 32), "its second sum": (-32, 32),
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_every_spoiled_field_of_a_deal_is_noticed_by_anybody(name: str) -> None:
    encoded = bytes(dealt())
    start, size = FIELDS[name][0] % len(encoded), FIELDS[name][1]
    field = encoded[start : start + size]
    bent = bytes([field[0] ^ 1]) + field[1:]
    for wrong in (bytes(size), NOT_A_POINT[:size], KEY.encoded[:size], bent):
        assert not is_accepted(_use, encoded[:start] + wrong + encoded[start + size :]), wrong


@pytest.mark.parametrize("start", [64, -64, -32])
def test_numbers_that_are_not_canonical_are_refused(start: int) -> None:
    encoded = bytes(dealt())
    start %= len(encoded)
    number = int.from_bytes(encoded[start : start + 32], "little") + L
    moved = encoded[:start] + number.to_bytes(32, "little") + encoded[start + 32 :]
    assert not is_accepted(_use, moved)


def _use(encoded: bytes) -> None:
    """What anybody does with a deal, who has no part of it."""
    check_deal(KEY, KEYS, Deal.parse(encoded, 2), CONTEXT)


SIZE = size_bytes(2)


@pytest.mark.parametrize("size", [0, 32, 160, SIZE - 1, SIZE + 1, SIZE + 32, size_bytes(3)])
def test_a_deal_of_another_length_is_refused(size: int) -> None:
    assert not is_accepted(Deal.parse, (bytes(dealt()) * 2)[:size], 2)


# ---- dealers who lie ----


def test_so_many_rounds_are_covered_that_nobody_guesses_which() -> None:
    assert math.comb(DEAL_ROUNDS, DEAL_COVERED) >= 2**128
    shown = dealt()
    assert (len(shown.seeds), len(shown.covered)) == (DEAL_ROUNDS - DEAL_COVERED, DEAL_COVERED)


def test_a_dealer_who_hides_a_part_in_every_round_is_found_by_all() -> None:
    shown = boxes_emptied(SECRET, KEYS, CONTEXT, range(DEAL_ROUNDS))
    with pytest.raises(ProofError, match="No box"):
        take_part(THIRD_SECRET, shown, 1, CONTEXT)
    assert not is_right(shown)


def test_one_wrong_round_that_is_shown_is_enough() -> None:
    honest = dealt()
    assert is_right(honest)
    assert not all(is_right(boxes_emptied(SECRET, KEYS, CONTEXT, [at])) for at in range(8))


def test_who_guesses_the_covered_rounds_hides_a_part_and_nobody_guesses_them() -> None:
    """What the number of choices is for: here the hash is made to pick what was guessed."""
    guessed = range(DEAL_COVERED)
    with patch.object(key_sharing, "_picked", lambda _: set(guessed)):
        lucky = boxes_emptied(SECRET, KEYS, CONTEXT, guessed)
        assert is_right(lucky)
        with pytest.raises(ProofError, match="No box"):
            take_part(THIRD_SECRET, lucky, 1, CONTEXT)
    assert not is_right(lucky)
    assert not is_right(boxes_emptied(SECRET, KEYS, CONTEXT, guessed))


def test_one_right_box_of_those_covered_is_enough() -> None:
    shown = dealt()
    empty = [each._replace(boxes=[bytes(32)] * 2) for each in shown.covered[:-1]]
    bent = shown._replace(covered=[*empty, shown.covered[-1]])
    assert put_together(parts_of(bent)) == SECRET


def test_nobody_deals_parts_that_it_does_not_know() -> None:
    """Parts of another's key, moved: whoever gets them would show something about that key."""
    moved = parts_moved(dealt())
    assert base(SECRET) == moved.parts[0] + moved.parts[1]
    assert not is_right(moved)


def test_two_deals_by_one_source_of_chance_to_others_cover_other_numbers() -> None:
    """A machine that was put back: what one deal shows must not open what the other covers."""
    draws = [bytes([at]) * 64 for at in range(8)]
    first, second = (_deal_by([*draws], keys) for keys in (KEYS, [OTHER_KEY, make_key()[1]]))
    assert first.parts == second.parts
    assert not set(first.seeds) & set(second.seeds)


def _deal_by(draws: list[bytes], keys: list[Point]) -> Deal:
    with patch.object(entropy, "fresh_bytes", lambda size: draws.pop(0)[:size]):
        return deal(SECRET, keys, CONTEXT)
