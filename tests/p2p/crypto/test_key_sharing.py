"""Escrow: all the others together have the key, fewer do not, and whoever lies is found."""

from __future__ import annotations

import pytest

from p2p.crypto.group import L
from p2p.crypto.key_sharing import (
    COMPLAINT_BYTES,
    Deal,
    check_complaint,
    check_deal,
    check_part,
    complain,
    deal,
    put_together,
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
    spoiled,
)

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
    check_deal(KEY, shown, CONTEXT)
    parts = [take_part(secret, shown, at, CONTEXT) for at, (secret, _) in enumerate(recipients)]
    assert put_together(parts) == SECRET
    assert Deal.parse(bytes(shown), count) == shown


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


def test_parts_of_another_key_are_refused() -> None:
    assert not is_accepted(check_deal, KEY, deal(SECRET + 1, KEYS, CONTEXT), CONTEXT)


def test_only_the_part_that_was_dealt_is_taken_back() -> None:
    shown = dealt()
    first, second = parts_of(shown)
    check_part(shown, 0, first)
    for part in (second, first + 1, 0):
        assert not is_accepted(check_part, shown, 0, part)


def test_every_spoiled_byte_of_a_deal_is_noticed_by_somebody() -> None:
    encoded = bytes(dealt())
    for name, wrong in spoiled(encoded[:96], 3):
        assert not is_accepted(_use, wrong + encoded[96:]), name
    for bit in range(0, 8 * 128, 3):
        changed = int.from_bytes(encoded[96:]) ^ 1 << bit
        assert not is_accepted(_use, encoded[:96] + changed.to_bytes(128)), bit


def _use(encoded: bytes) -> None:
    """What all of a table do with a deal."""
    shown = Deal.parse(encoded, 2)
    check_deal(KEY, shown, CONTEXT)
    parts_of(shown)


@pytest.mark.parametrize("size", [0, 32, 160, 223, 225, 256])
def test_a_deal_of_another_length_is_refused(size: int) -> None:
    assert not is_accepted(Deal.parse, (bytes(dealt()) * 2)[:size], 2)


def lying() -> Deal:
    """A deal whose second box holds nothing of use, though its parts add up."""
    shown = dealt()
    return shown._replace(boxes=[shown.boxes[0], bytes(32)])


def charge(shown: Deal, at: int, complaint: bytes, context: bytes = CONTEXT) -> None:
    """What everybody does with a complaint of recipient `at`."""
    check_complaint(shown, at, KEYS[at], complaint, context)


def test_a_dealer_who_lied_to_one_is_found_by_all() -> None:
    shown = lying()
    check_deal(KEY, shown, CONTEXT)
    with pytest.raises(ProofError):
        take_part(THIRD_SECRET, shown, 1, CONTEXT)
    charge(shown, 1, complain(THIRD_SECRET, shown, CONTEXT))


def test_a_complaint_about_a_right_part_falls_back_on_whoever_complains() -> None:
    shown = dealt()
    with pytest.raises(ProofError, match="right"):
        charge(shown, 1, complain(THIRD_SECRET, shown, CONTEXT))
    shown = lying()
    with pytest.raises(ProofError, match="right"):
        charge(shown, 0, complain(OTHER_SECRET, shown, CONTEXT))


def test_a_complaint_with_a_wrong_key_to_the_box_is_refused() -> None:
    """Any other key to the box would make a right part look wrong."""
    shown = dealt()
    honest = complain(THIRD_SECRET, shown, CONTEXT)
    for wrong in (OTHER_KEY.encoded, NOT_A_POINT, bytes(32)):
        assert not is_accepted(charge, shown, 1, wrong + honest[32:])
    with pytest.raises(ProofError):
        charge(shown, 1, complain(OTHER_SECRET, shown, CONTEXT))


def test_a_spoiled_or_moved_complaint_is_refused() -> None:
    shown = lying()
    honest = complain(THIRD_SECRET, shown, CONTEXT)
    assert len(honest) == COMPLAINT_BYTES
    for name, wrong in spoiled(honest, 1):
        assert not is_accepted(charge, shown, 1, wrong), name
    with pytest.raises(ProofError, match=f"A complaint is {COMPLAINT_BYTES} bytes"):
        charge(shown, 1, honest + bytes(1))
    assert not is_accepted(charge, shown, 1, honest, OTHER_CONTEXT)
