"""Whoever holds cards of a family takes them off its list: just these, and nobody sees which."""

from collections.abc import Sequence

import pytest

from p2p.crypto import tally as module
from p2p.crypto.group import IDENTITY, G, Point, base
from p2p.crypto.masking import MASKED_BYTES, Masked, open_form, remask
from p2p.crypto.tally import (
    CardTally,
    check_subtraction,
    full_tally,
    subtract_hand,
    subtraction_bytes,
)
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_CONTEXT,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    THIRD_KEY,
    THIRD_SECRET,
    deck,
    face,
    is_accepted,
    spoiled,
)

JOINT, JOINT_SECRET = KEY + OTHER_KEY, SECRET + OTHER_SECRET
COUNTS = [(face(1), 2), (face(2), 1)]
FULL = full_tally(JOINT, COUNTS)
HELD = deck(2, 1)
SAID = subtract_hand(SECRET, FULL, HELD, CONTEXT)
POINTS_COUNT = 2 * (len(HELD) + len(COUNTS) + len(FULL.cards))


def there(tally: CardTally, secret: int = JOINT_SECRET) -> list[str]:
    """Give for every face which of its rows are there, as signs."""
    return ["".join(_sign(counter, secret, point) for counter in counters)
            for point, counters in zip(tally.faces, tally.counters, strict=True)]  # fmt: skip


def _sign(counter: Masked, secret: int, point: Point) -> str:
    says = counter.b - counter.a * secret
    assert says in (point, IDENTITY), "a row says its face or nothing"
    return "x" if says == IDENTITY else "o"


def check_refused(
    public: Point = KEY,
    tally: CardTally = FULL,
    held: Sequence[Masked] = HELD,
    said: bytes = SAID,
    context: bytes = CONTEXT,
    *,
    because: str = ".",
) -> None:
    """Check that a subtraction is refused with one thing changed, for this reason."""
    with pytest.raises(ProofError, match=because):
        check_subtraction(public, tally, held, said, context)


def test_the_held_cards_come_off_and_the_others_stay() -> None:
    assert there(FULL) == ["oo", "o"]
    assert there(check_subtraction(KEY, FULL, HELD, SAID, CONTEXT)) == ["xo", "x"]
    assert len(SAID) == subtraction_bytes(FULL, len(HELD))


@pytest.mark.parametrize(
    "hands",
    [
        ((0, 0, 0, 0), (1, 2), (3,)),
        ((1,), (1, 2, 3), (1,)),
        ((3, 2, 1, 2), (2,), (0, 1, 3)),
        ((0,), (0,), (0,)),
        ((1, 1, 1), (2, 2, 2), (0, 3, 3)),
    ],
)
def test_one_seat_after_another_subtracts_its_hand(hands: tuple[tuple[int, ...], ...]) -> None:
    key = KEY + OTHER_KEY + THIRD_KEY
    tally = full_tally(key, [(face(0), 4), (face(1), 3), (face(2), 3), (face(3), 2)])
    secrets = SECRET, OTHER_SECRET, THIRD_SECRET
    for secret, hand in zip(secrets, hands, strict=True):
        held = deck(*hand, key=base(secret))
        said = subtract_hand(secret, tally, held, CONTEXT)
        assert len(said) == subtraction_bytes(tally, len(held))
        tally = check_subtraction(base(secret), tally, held, said, CONTEXT)
    gone = [sum(hand.count(number) for hand in hands) for number in range(4)]
    widths = [len(counters) for counters in tally.counters]
    expected = ["x" * n + "o" * (c - n) for n, c in zip(gone, widths, strict=True)]
    assert there(tally, sum(secrets)) == expected


def test_a_whole_family_may_be_held() -> None:
    held = deck(1, 2, 1)
    said = subtract_hand(SECRET, FULL, held, CONTEXT)
    assert there(check_subtraction(KEY, FULL, held, said, CONTEXT)) == ["xx", "x"]


def test_the_size_of_a_subtraction_does_not_depend_on_the_hand() -> None:
    for hand in ((1, 1), (1, 2), (2, 1)):
        assert len(subtract_hand(SECRET, FULL, deck(*hand), CONTEXT)) == len(SAID)


def test_two_subtractions_of_one_hand_have_no_pair_in_common() -> None:
    again = subtract_hand(SECRET, FULL, HELD, CONTEXT)
    starts = range(0, POINTS_COUNT * 32, MASKED_BYTES)
    assert not {SAID[at : at + MASKED_BYTES] for at in starts} & {
        again[at : at + MASKED_BYTES] for at in starts
    }


def test_every_field_of_a_subtraction_counts() -> None:
    accepted = [
        name
        for name, said in spoiled(SAID, POINTS_COUNT)
        if is_accepted(check_subtraction, KEY, FULL, HELD, said, CONTEXT)
    ]
    assert not accepted


def test_a_subtraction_is_bound_to_its_place_and_its_seat() -> None:
    check_refused(context=OTHER_CONTEXT)
    check_refused(OTHER_KEY)
    check_refused(held=list(reversed(HELD)))
    check_refused(held=deck(1, 1))
    check_refused(held=HELD[:1])
    nothing = bytes(subtraction_bytes(FULL, 0))
    check_refused(held=[], said=nothing, because="A subtraction of 0 cards")
    check_refused(said=SAID + bytes(1), because="A subtraction of 2 cards")


def test_a_subtraction_is_bound_to_the_stock() -> None:
    check_refused(tally=full_tally(OTHER_KEY, COUNTS))
    check_refused(tally=full_tally(JOINT, [(face(1), 2), (face(3), 1)]))
    check_refused(tally=full_tally(JOINT, [(face(2), 2), (face(1), 1)]))
    subtracted = check_subtraction(KEY, FULL, HELD, SAID, CONTEXT)
    check_refused(tally=subtracted)


def test_whoever_subtracts_another_card_than_it_holds_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "message", lambda card, share: face(1))
    said = subtract_hand(SECRET, FULL, HELD, CONTEXT)
    monkeypatch.undo()
    check_refused(said=said, because="counts of a subtraction")


def test_whoever_turns_other_cards_into_those_of_the_list_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All else agrees with each other: only the cards that it holds do not."""
    made = module.rekey
    monkeypatch.setattr(module, "message", lambda card, share: face(1))
    monkeypatch.setattr(module, "rekey", lambda secret, held, key: made(secret, deck(1, 1), key))
    said = subtract_hand(SECRET, FULL, HELD, CONTEXT)
    monkeypatch.undo()
    check_refused(said=said, because="kept their faces")


@pytest.mark.parametrize("wrong", [0, 2])
def test_whoever_pushes_rows_otherwise_than_it_counts_is_found_out(
    monkeypatch: pytest.MonkeyPatch, wrong: int
) -> None:
    """Of the first face it holds one card, and subtracts none of it, or both."""
    pushed = module._pushed
    monkeypatch.setattr(
        module, "_pushed", lambda tally, at, number: pushed(tally, at, number if at else wrong)
    )
    said = subtract_hand(SECRET, FULL, HELD, CONTEXT)
    monkeypatch.undo()
    check_refused(said=said, because="not pushed back")


def test_rows_of_two_faces_cannot_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    pushed = module._pushed

    def crossed(tally: CardTally, at: int, number: int) -> list[Masked]:
        counters = pushed(tally, at, number)
        return [*counters[:-1], pushed(tally, 1 - at, 0)[0]]

    monkeypatch.setattr(module, "_pushed", crossed)
    said = subtract_hand(SECRET, FULL, HELD, CONTEXT)
    monkeypatch.undo()
    check_refused(said=said, because="not pushed back")


def test_errors_in_two_rows_do_not_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one row says too much another says too little."""
    made = module.remask
    extra = iter([face(7), IDENTITY - face(7), IDENTITY])

    def bent(counter: Masked, key: Point, mask: int) -> Masked:
        fresh = made(counter, key, mask)
        return Masked(fresh.a, fresh.b + next(extra))

    monkeypatch.setattr(module, "remask", bent)
    said = subtract_hand(SECRET, FULL, HELD, CONTEXT)
    monkeypatch.undo()
    check_refused(said=said, because="not pushed back")


def test_a_subtraction_does_not_depend_on_how_the_cards_are_masked() -> None:
    """Masks that add up to nothing, as somebody else may have chosen them, are no trouble."""
    held = [remask(open_form(face(1), KEY), KEY, 41), remask(open_form(face(2), KEY), KEY, -43)]
    assert held[0].a + held[1].a == IDENTITY
    said = subtract_hand(SECRET, FULL, held, CONTEXT)
    assert there(check_subtraction(KEY, FULL, held, said, CONTEXT)) == ["xo", "x"]


def test_a_full_stock_lies_open() -> None:
    assert FULL.cards == [open_form(face(number), JOINT) for number in (1, 1, 2)]
    assert all(card.a == G for card in FULL.cards)
    with pytest.raises(ProofError):
        full_tally(IDENTITY, COUNTS)
