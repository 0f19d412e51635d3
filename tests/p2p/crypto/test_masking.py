"""Masked cards keep their faces, and nobody can give a share that is not one."""

from pathlib import Path

import pytest

from p2p.crypto import masking
from p2p.crypto.group import IDENTITY, G, Point, base
from p2p.crypto.masking import (
    LIST_CARDS_MAX,
    Masked,
    Settled,
    cards_to_bytes,
    give_layers,
    make_shares,
    message,
    open_form,
    parse_cards,
    prove_shares,
    remask,
    strip,
    verify_shares,
)
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    IDENTITY_BYTES,
    KEY,
    NOT_A_POINT,
    OTHER_CONTEXT,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    deck,
    face,
    spoiled,
)

JOINT = KEY + OTHER_KEY
CARDS = deck(4, 4, 7, key=JOINT)
SHARES = make_shares(SECRET, CARDS)
PROOF = prove_shares(SECRET, KEY, CARDS, SHARES, CONTEXT)


def check_refused(
    public: Point = KEY,
    cards: list[Masked] = CARDS,
    shares: list[Point] = SHARES,
    proof: bytes = PROOF,
    context: bytes = CONTEXT,
    *,
    because: str = ".",
) -> None:
    """Check that shares are refused with one thing changed, for this reason."""
    with pytest.raises(ProofError, match=because):
        verify_shares(public, cards, shares, proof, context)


def test_the_open_form_is_readable_by_everybody() -> None:
    card = open_form(face(4), JOINT)
    assert card.a == G
    assert card.b - JOINT == face(4)


def test_a_remasked_card_looks_different_and_says_the_same() -> None:
    card = open_form(face(4), KEY)
    again = remask(card, KEY, 77)
    assert again.a != card.a
    assert again.b != card.b
    assert message(again, again.a * SECRET) == face(4)


def test_a_card_opens_when_all_shares_are_in() -> None:
    others = make_shares(OTHER_SECRET, CARDS)
    for card, mine, theirs, number in zip(CARDS, SHARES, others, (4, 4, 7), strict=True):
        assert message(strip(card, [theirs]), mine) == face(number)
        assert strip(card, [mine, theirs]).b == face(number)


def test_owner_form_is_readable_by_the_owner_and_by_nobody_else() -> None:
    owned = strip(CARDS[0], [SHARES[0]])
    assert message(owned, owned.a * OTHER_SECRET) == face(4)
    assert message(owned, owned.a * SECRET) != face(4)


def test_true_shares_are_accepted_for_one_card_and_for_many() -> None:
    verify_shares(KEY, CARDS, SHARES, PROOF, CONTEXT)
    one = prove_shares(SECRET, KEY, CARDS[:1], SHARES[:1], CONTEXT)
    verify_shares(KEY, CARDS[:1], SHARES[:1], one, CONTEXT)
    assert len(one) == len(PROOF) == 64


def test_a_spoiled_proof_of_shares_is_refused() -> None:
    for _name, proof in spoiled(PROOF):
        check_refused(proof=proof)


def test_shares_are_bound_to_their_place_and_seat() -> None:
    check_refused(context=OTHER_CONTEXT)
    check_refused(public=OTHER_KEY)
    check_refused(public=IDENTITY, because="must not be the identity")


def test_a_false_share_is_refused_wherever_it_stands() -> None:
    for index in range(3):
        shares = list(SHARES)
        shares[index] = shares[index] + G
        check_refused(shares=shares)
        check_refused(shares=shares, proof=prove_shares(SECRET, KEY, CARDS, shares, CONTEXT))


def test_two_false_shares_that_cancel_out_are_refused() -> None:
    shares = [SHARES[0] + G, SHARES[1] - G, SHARES[2]]
    check_refused(shares=shares)
    check_refused(shares=shares, proof=prove_shares(SECRET, KEY, CARDS, shares, CONTEXT))


def test_a_share_made_with_another_secret_is_refused() -> None:
    shares = make_shares(SECRET + 1, CARDS)
    check_refused(shares=shares, proof=prove_shares(SECRET, KEY, CARDS, shares, CONTEXT))


def test_shares_in_another_order_or_number_are_refused() -> None:
    check_refused(shares=SHARES[::-1])
    for shares in (SHARES[:2], [*SHARES, G], []):
        check_refused(shares=shares, because="Expected 3 shares")
    check_refused(cards=[], shares=[])
    check_refused(cards=CARDS[::-1], shares=SHARES[::-1])


def test_a_share_replayed_for_another_card_is_refused() -> None:
    check_refused(cards=[CARDS[0], CARDS[1], remask(CARDS[2], JOINT, 5)])
    check_refused(cards=[CARDS[0], CARDS[1], CARDS[2]._replace(b=CARDS[2].b + G)])


def test_a_card_or_share_that_is_the_identity_is_refused() -> None:
    check_refused(shares=[IDENTITY, *SHARES[1:]], because="must not be the identity")
    for part in ("a", "b"):
        check_refused(cards=[CARDS[0]._replace(**{part: IDENTITY}), *CARDS[1:]])


def test_proving_with_a_key_of_somebody_else_is_our_mistake() -> None:
    with pytest.raises(AssertionError):
        prove_shares(SECRET, OTHER_KEY, CARDS, SHARES, CONTEXT)


def test_cards_come_back_from_their_bytes() -> None:
    assert Masked.parse(CARDS[0].to_bytes()) == CARDS[0]
    assert parse_cards(cards_to_bytes(CARDS)) == CARDS


@pytest.mark.parametrize("bad", [NOT_A_POINT, IDENTITY_BYTES, b"", bytes(31), bytes(33)])
def test_a_card_with_a_bad_part_is_refused(bad: bytes) -> None:
    good = base(5).encoded
    for encoded in (good + bad, bad + good):
        with pytest.raises(ProofError):
            Masked.parse(encoded)
        with pytest.raises(ProofError):
            parse_cards(encoded)


def test_a_card_of_a_wrong_length_is_refused() -> None:
    for encoded in (b"", CARDS[0].to_bytes()[:-1], CARDS[0].to_bytes() + b"\0"):
        with pytest.raises(ProofError, match="A masked card is 64 bytes"):
            Masked.parse(encoded)


def test_lists_of_no_cards_and_of_too_many_cards_are_refused() -> None:
    for encoded in (b"", CARDS[0].to_bytes() * (LIST_CARDS_MAX + 1)):
        with pytest.raises(ProofError, match="A list is"):
            parse_cards(encoded)
    check_refused(cards=[CARDS[0]] * (LIST_CARDS_MAX + 1), shares=[G] * (LIST_CARDS_MAX + 1))


@pytest.mark.parametrize("count", [0, LIST_CARDS_MAX + 1])
def test_nothing_is_proven_or_looked_at_for_a_list_of_no_or_too_many_cards(count: int) -> None:
    cards, shares = [CARDS[0]] * count, [SHARES[0]] * count
    with pytest.raises(ProofError, match="A list is 1 to"):
        prove_shares(SECRET, KEY, cards, shares, CONTEXT)
    with pytest.raises(ProofError, match="A list is 1 to"):
        verify_shares(KEY, cards, shares, PROOF, CONTEXT)


def test_layers_are_given_with_a_proof_when_nothing_waits_to_be_verified() -> None:
    shares, proof = give_layers(SECRET, KEY, CARDS, CONTEXT, Settled([[], ()]))
    assert shares == SHARES
    verify_shares(KEY, CARDS, shares, proof, CONTEXT)


def test_nobody_can_say_that_nothing_waits_while_a_proof_does() -> None:
    for waiting in ([[PROOF]], [[], (PROOF,)]):
        with pytest.raises(AssertionError, match="before every shuffle is verified"):
            Settled(waiting)


def test_types_forbid_to_deal_from_a_deck_that_is_not_verified() -> None:
    """If mypy did not refuse these lines, it would complain about what says that it does."""
    with pytest.raises(TypeError):
        give_layers(SECRET, KEY, CARDS, CONTEXT)  # type: ignore[call-arg]
    with pytest.raises(AssertionError, match="has verified"):
        give_layers(SECRET, KEY, CARDS, CONTEXT, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Settled()  # type: ignore[call-arg]


def test_a_table_takes_layers_off_in_no_other_way() -> None:
    """Outside of the mathematics nobody proves shares without what says that nothing waits."""
    crypto = Path(masking.__file__).parent
    files = [file for file in crypto.parent.rglob("*.py") if crypto not in file.parents]
    callers = {file.stem for file in files if "give_layers(" in file.read_text()}
    assert callers == {"dealing"}
    assert not [file for file in files if "prove_shares" in file.read_text()]
