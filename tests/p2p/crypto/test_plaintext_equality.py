"""Blinding tells which cards say nothing, and nothing about those that say something."""

from collections.abc import Sequence

import pytest

from p2p.crypto import plaintext_equality as module
from p2p.crypto.group import IDENTITY, G, L, base
from p2p.crypto.masking import Masked, cards_to_bytes, remask
from p2p.crypto.plaintext_equality import check_pet_share, pet_share, pet_share_bytes, pet_sum
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_CONTEXT,
    SECRET,
    deck,
    face,
    is_accepted,
    read,
    spoiled,
)

NOTHING = [remask(Masked(G, KEY), KEY, mask) for mask in (5, 6)]
CARDS = [*deck(1, 1, 2), *NOTHING]
SAID = pet_share(CARDS, CONTEXT)


def check_refused(
    cards: Sequence[Masked] = CARDS,
    said: bytes = SAID,
    context: bytes = CONTEXT,
    *,
    because: str = ".",
) -> None:
    """Check that an equality test is refused with one thing changed, for this reason."""
    with pytest.raises(ProofError, match=because):
        check_pet_share(cards, said, context)


def test_what_says_nothing_still_says_nothing_and_equal_cards_differ() -> None:
    raised = check_pet_share(CARDS, SAID, CONTEXT)
    says = read(SECRET, raised)
    assert [each == IDENTITY for each in says] == [False] * 3 + [True] * 2
    assert len({*says[:3], face(1), face(2)}) == 5
    assert len(SAID) == pet_share_bytes(len(CARDS))


def test_three_seats_together_find_what_says_nothing() -> None:
    said = [check_pet_share(CARDS, pet_share(CARDS, CONTEXT), CONTEXT) for _ in range(3)]
    says = read(SECRET, pet_sum(said))
    assert [each == IDENTITY for each in says] == [False] * 3 + [True] * 2
    assert len(set(says[:3])) == 3


def test_every_field_of_an_equality_test_counts() -> None:
    accepted = [
        name
        for name, said in spoiled(SAID, 2 * len(CARDS))
        if is_accepted(check_pet_share, CARDS, said, CONTEXT)
    ]
    assert not accepted


def test_an_equality_test_is_bound_to_its_place_and_its_cards() -> None:
    check_refused(context=OTHER_CONTEXT)
    check_refused(list(reversed(CARDS)))
    check_refused(CARDS[:-1], because="An equality test of 4 cards")
    check_refused([*CARDS[:-1], remask(CARDS[-1], KEY, 9)])


def test_a_card_that_is_none_is_not_blinded() -> None:
    """Its factor could be anything."""
    nothing = [Masked(IDENTITY, KEY)]
    with pytest.raises(ProofError):
        pet_share(nothing, CONTEXT)
    check_refused(nothing, pet_share(CARDS[:1], CONTEXT), because="identity")
    check_refused([], bytes(pet_share_bytes(0)), because="list|cards")


def test_whoever_changes_what_a_card_says_is_found_out() -> None:
    """Something added to one that said nothing; its halves times two different factors."""
    raised = check_pet_share(CARDS, SAID, CONTEXT)
    for bent in (
        Masked(raised[-1].a, raised[-1].b + face(1)),
        Masked(raised[-1].a * 2, raised[-1].b * 3),
        remask(raised[-1], KEY, 11),
    ):
        check_refused(said=cards_to_bytes([*raised[:-1], bent]) + SAID[64 * len(CARDS) :])


def test_a_factor_of_zero_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "random_scalar", lambda: 0)
    said = pet_share(CARDS, CONTEXT)
    monkeypatch.undo()
    check_refused(said=said, because="identity")


def test_factors_that_add_up_to_nothing_are_refused() -> None:
    """They would make nothing of every card; whoever is last could, with the others' factors."""
    raised = [Masked(card.a * 7, card.b * 7) for card in CARDS]
    contrary = [Masked(card.a * (L - 7), card.b * (L - 7)) for card in CARDS]
    with pytest.raises(ProofError, match="add up to nothing"):
        pet_sum([raised, contrary])


def test_a_single_card_can_be_blinded() -> None:
    (raised,) = check_pet_share(CARDS[:1], pet_share(CARDS[:1], CONTEXT), CONTEXT)
    assert read(SECRET, [raised]) != [IDENTITY] and raised.a != base(1)
