"""A card changes hands without changing its face, and only its owner can hand it over."""

import pytest

from p2p.crypto.group import IDENTITY, G, L
from p2p.crypto.masking import Masked, open_form, remask
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey, verify_rekey
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_CONTEXT,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    THIRD_KEY,
    deck,
    face,
    read,
    spoiled,
)

INPUTS = deck(1, 2, 2)
OUTPUTS, MASKS = rekey(SECRET, INPUTS, OTHER_KEY)
STATEMENT = Rekeying(KEY, OTHER_KEY, INPUTS, OUTPUTS)
PROOF = prove_rekey(SECRET, STATEMENT, MASKS, CONTEXT)


def check_refused(
    statement: Rekeying = STATEMENT,
    proof: bytes = PROOF,
    context: bytes = CONTEXT,
    *,
    because: str = ".",
) -> None:
    """Check that a hand-over is refused with one thing changed, for this reason."""
    with pytest.raises(ProofError, match=because):
        verify_rekey(statement, proof, context)


def check_cheat(outputs: list[Masked], masks: list[int] = MASKS) -> None:
    """Check that outputs are refused with the old proof and with one made for them."""
    statement = STATEMENT._replace(outputs=outputs)
    check_refused(statement)
    check_refused(statement, prove_rekey(SECRET, statement, masks, CONTEXT))


def test_a_hand_over_is_accepted_and_read_by_the_new_owner() -> None:
    verify_rekey(STATEMENT, PROOF, CONTEXT)
    assert read(OTHER_SECRET, OUTPUTS) == [face(1), face(2), face(2)] == read(SECRET, INPUTS)
    assert len(PROOF) == 96


@pytest.mark.parametrize("target", [KEY, OTHER_KEY, KEY + OTHER_KEY + THIRD_KEY])
@pytest.mark.parametrize("count", [1, 3])
def test_cards_go_to_any_key_also_to_ones_own(target: object, count: int) -> None:
    assert isinstance(target, type(KEY))
    outputs, masks = rekey(SECRET, INPUTS[:count], target)
    statement = Rekeying(KEY, target, INPUTS[:count], outputs)
    verify_rekey(statement, prove_rekey(SECRET, statement, masks, CONTEXT), CONTEXT)


def test_a_refreshed_card_says_the_same_and_looks_different() -> None:
    outputs, _ = rekey(SECRET, INPUTS, KEY)
    assert read(SECRET, outputs) == read(SECRET, INPUTS)
    assert not {card.a for card in outputs} & {card.a for card in INPUTS}


def test_a_spoiled_proof_of_a_hand_over_is_refused() -> None:
    for _name, proof in spoiled(PROOF):
        check_refused(proof=proof)


def test_a_hand_over_is_bound_to_its_place_and_keys() -> None:
    check_refused(context=OTHER_CONTEXT)
    check_refused(STATEMENT._replace(owner_key=OTHER_KEY))
    check_refused(STATEMENT._replace(target_key=THIRD_KEY))
    check_refused(STATEMENT._replace(owner_key=OTHER_KEY, target_key=KEY))


def test_a_swapped_card_is_refused() -> None:
    check_cheat([remask(open_form(face(9), OTHER_KEY), OTHER_KEY, 8), *OUTPUTS[1:]])
    check_cheat([OUTPUTS[0]._replace(b=OUTPUTS[0].b + G), *OUTPUTS[1:]])
    check_cheat([OUTPUTS[0]._replace(a=OUTPUTS[0].a + G), *OUTPUTS[1:]])


def test_two_swapped_cards_that_cancel_out_are_refused() -> None:
    first, second = OUTPUTS[0], OUTPUTS[1]
    for part in ("a", "b"):
        plus = first._replace(**{part: getattr(first, part) + G})
        minus = second._replace(**{part: getattr(second, part) - G})
        check_cheat([plus, minus, OUTPUTS[2]])


def test_cards_in_another_order_are_refused() -> None:
    swapped = [OUTPUTS[1], OUTPUTS[0], OUTPUTS[2]]
    check_cheat(swapped, [MASKS[1], MASKS[0], MASKS[2]])
    check_refused(STATEMENT._replace(inputs=INPUTS[::-1]))


def test_a_doubled_card_is_refused() -> None:
    check_cheat([OUTPUTS[1], *OUTPUTS[1:]], [MASKS[1], *MASKS[1:]])


def test_the_old_card_itself_is_not_its_new_form() -> None:
    check_cheat(INPUTS)


def test_a_card_of_somebody_else_cannot_be_handed_over() -> None:
    theirs = deck(5, key=OTHER_KEY)
    outputs, masks = rekey(SECRET, theirs, KEY)
    statement = Rekeying(OTHER_KEY, KEY, theirs, outputs)
    with pytest.raises(AssertionError):
        prove_rekey(SECRET, statement, masks, CONTEXT)
    mine = statement._replace(owner_key=KEY)
    check_refused(statement, prove_rekey(SECRET, mine, masks, CONTEXT))


def test_lost_and_added_cards_are_refused() -> None:
    check_refused(STATEMENT._replace(outputs=OUTPUTS[:2]), because="Expected 3 cards")
    check_refused(STATEMENT._replace(outputs=[*OUTPUTS, OUTPUTS[0]]), because="Expected 3 cards")
    check_refused(STATEMENT._replace(inputs=INPUTS[:2], outputs=OUTPUTS[:2]))
    check_refused(STATEMENT._replace(inputs=[], outputs=[]), because="1 to 1024 cards")


def test_identities_are_refused_as_keys_and_in_cards() -> None:
    because = "must not be the identity"
    check_refused(STATEMENT._replace(owner_key=IDENTITY), because=because)
    check_refused(STATEMENT._replace(target_key=IDENTITY), because=because)
    for part in ("a", "b"):
        outputs = [OUTPUTS[0]._replace(**{part: IDENTITY}), *OUTPUTS[1:]]
        inputs = [INPUTS[0]._replace(**{part: IDENTITY}), *INPUTS[1:]]
        check_refused(STATEMENT._replace(outputs=outputs), because=because)
        check_refused(STATEMENT._replace(inputs=inputs), because=because)


def test_every_card_gets_a_mask_of_its_own() -> None:
    assert len(set(MASKS)) == 3
    assert all(0 < mask < L for mask in MASKS)


def test_no_card_is_nothing_to_prove() -> None:
    with pytest.raises(ProofError, match="A list is 1 to"):
        prove_rekey(SECRET, Rekeying(KEY, OTHER_KEY, [], []), [], CONTEXT)
