"""One deck from open faces to hands and back, with three seats that do not trust each other."""

from p2p.crypto.group import Point
from p2p.crypto.keys import joint_key, make_key, prove_possession, verify_possession
from p2p.crypto.masking import (
    Masked,
    fresh_hint,
    make_shares,
    message,
    open_form,
    prove_shares,
    strip,
    verify_shares,
)
from p2p.crypto.one_of_many import prove_members, verify_members
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey, verify_rekey
from p2p.crypto.shuffle_proof import prove_shuffle, shuffle, verify_shuffle
from tests.p2p.crypto.deals import CONTEXT, face, read

FACES = [face(number) for number in (1, 1, 2, 2, 3, 3)]
Seats = list[tuple[int, Point]]


def seated(count: int) -> tuple[Seats, Point]:
    """Give seats with proven keys, and their joint key."""
    seats = [make_key() for _ in range(count)]
    for secret, public in seats:
        verify_possession(public, CONTEXT, prove_possession(secret, public, CONTEXT))
    return seats, joint_key([public for _, public in seats])


def shuffled(seats: Seats, key: Point, cards: list[Masked]) -> list[Masked]:
    """Give the cards after every seat has shuffled them and everybody has checked it."""
    for _ in seats:
        outputs, witness = shuffle(key, cards, fresh_hint())
        proof = prove_shuffle(key, cards, outputs, witness, CONTEXT)
        verify_shuffle(key, cards, outputs, proof, CONTEXT)
        cards = outputs
    return cards


def dealt(seats: Seats, cards: list[Masked], owner: int | None) -> list[Masked]:
    """Give cards without the layers of all seats, or of all but the owner's."""
    shares = []
    for seat, (secret, public) in enumerate(seats):
        if seat == owner:
            continue
        own = make_shares(secret, cards)
        verify_shares(
            public, cards, own, prove_shares(secret, public, cards, own, CONTEXT), CONTEXT
        )
        shares.append(own)
    return [strip(card, parts) for card, *parts in zip(cards, *shares, strict=True)]


def test_a_shuffled_deck_opens_to_the_faces_that_went_in() -> None:
    seats, key = seated(3)
    deck = shuffled(seats, key, [open_form(point, key) for point in FACES])
    opened = [card.b for card in dealt(seats, deck, None)]
    assert sorted(opened, key=bytes) == sorted(FACES, key=bytes)


def test_a_hand_is_read_by_its_owner_and_by_no_coalition_of_the_others() -> None:
    seats, key = seated(3)
    deck = shuffled(seats, key, [open_form(point, key) for point in FACES])
    hand = dealt(seats, deck[:2], 1)
    assert all(point in FACES for point in read(seats[1][0], hand))
    others = seats[0][0] + seats[2][0]
    for secret in (seats[0][0], seats[2][0], others):
        assert not any(point in FACES for point in read(secret, hand))


def test_a_card_is_handed_over_claimed_about_and_put_back_into_the_deck() -> None:
    seats, key = seated(3)
    deck = shuffled(seats, key, [open_form(point, key) for point in FACES])
    (secret, public), (new_secret, new_public) = seats[0], seats[2]
    hand = dealt(seats, deck[:1], 0)
    (told,) = read(secret, hand)

    passed, masks = rekey(secret, hand, new_public)
    statement = Rekeying(public, new_public, hand, passed)
    verify_rekey(statement, prove_rekey(secret, statement, masks, CONTEXT), CONTEXT)
    assert read(new_secret, passed) == [told]

    allowed = [face(1), face(2), face(3)]
    claim = prove_members(new_secret, new_public, passed, allowed, CONTEXT)
    verify_members(new_public, passed, allowed, claim, CONTEXT)

    back, masks = rekey(new_secret, passed, key)
    statement = Rekeying(new_public, key, passed, back)
    verify_rekey(statement, prove_rekey(new_secret, statement, masks, CONTEXT), CONTEXT)
    again = shuffled(seats, key, [*deck[1:], *back])
    opened = [card.b for card in dealt(seats, again, None)]
    assert sorted(opened, key=bytes) == sorted(FACES, key=bytes)


def test_an_owner_opens_a_card_by_its_own_share_and_cannot_open_another_face() -> None:
    seats, key = seated(2)
    deck = shuffled(seats, key, [open_form(point, key) for point in FACES])
    (card,) = dealt(seats, deck[:1], 1)
    secret, public = seats[1]
    shares = make_shares(secret, [card])
    proof = prove_shares(secret, public, [card], shares, CONTEXT)
    verify_shares(public, [card], shares, proof, CONTEXT)
    assert message(card, shares[0]) in FACES
