"""Today's proofs are those of the saved games: not a byte differs from the frozen ones."""

import json

import pytest

from p2p.crypto.group import IDENTITY
from p2p.crypto.key_sharing import Deal, check_deal, put_together, take_part
from p2p.crypto.keys import verify_possession
from p2p.crypto.masking import cards_to_bytes, make_shares, parse_cards, verify_shares
from p2p.crypto.one_of_many import verify_members
from p2p.crypto.plaintext_equality import check_pet_share
from p2p.crypto.rekey import Rekeying, verify_rekey
from p2p.crypto.shuffle_proof import verify_shuffle
from p2p.crypto.tally import check_subtraction
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    THIRD_KEY,
    THIRD_SECRET,
    face,
    is_accepted,
)
from tests.p2p.crypto.frozen import PATH, TALLY, frozen
from tests.p2p.verifier.group import flat, pairs_of
from tests.p2p.verifier.tally import blinded, counters, full_tally, subtracted

KEPT: dict[str, str] = json.loads(PATH.read_text())


@pytest.mark.parametrize("name", KEPT)
def test_what_is_made_today_is_what_was_made_then(name: str) -> None:
    assert frozen()[name] == KEPT[name]


def test_every_kind_of_proof_is_frozen() -> None:
    assert set(frozen()) == set(KEPT)


def test_proofs_made_then_are_accepted_today() -> None:
    proofs = {name: bytes.fromhex(KEPT[name]) for name in KEPT if " " not in name}
    inputs, shuffled, rekeyed = (
        parse_cards(proofs[name]) for name in ("inputs", "shuffled", "rekeyed")
    )
    shares = make_shares(SECRET, inputs)
    rekeying = Rekeying(KEY, OTHER_KEY, inputs, rekeyed)
    faces = [face(1), face(2)]
    assert is_accepted(verify_possession, KEY, CONTEXT, proofs["possession"])
    assert is_accepted(verify_shares, KEY, inputs, shares, proofs["shares"], CONTEXT)
    assert is_accepted(verify_shuffle, KEY, inputs, shuffled, proofs["shuffle"], CONTEXT)
    assert is_accepted(verify_rekey, rekeying, proofs["rekey"], CONTEXT)
    assert is_accepted(verify_members, KEY, inputs, faces, proofs["members"], CONTEXT)


def test_a_key_put_in_escrow_then_is_put_together_today() -> None:
    shown = Deal.parse(bytes.fromhex(KEPT["escrow"]), 2)
    check_deal(KEY, [OTHER_KEY, THIRD_KEY], shown, CONTEXT)
    parts = [
        take_part(secret, shown, at, CONTEXT)
        for at, secret in enumerate((OTHER_SECRET, THIRD_SECRET))
    ]
    assert put_together(parts) == SECRET


@pytest.mark.parametrize("name", [each for each in KEPT if each.startswith("escrow ")])
def test_dealers_who_lied_then_are_refused_today(name: str) -> None:
    shown = Deal.parse(bytes.fromhex(KEPT[name]), 2)
    assert not is_accepted(check_deal, KEY, [OTHER_KEY, THIRD_KEY], shown, CONTEXT)


def test_a_strike_and_a_blinding_of_then_are_accepted_today_and_by_the_verifier() -> None:
    inputs, said, blinding = (
        bytes.fromhex(KEPT[name]) for name in ("inputs", "strike", "blinding")
    )
    left = check_subtraction(KEY, TALLY, parse_cards(inputs), said, CONTEXT)
    raised = check_pet_share(left.cards, blinding, CONTEXT)
    faces = [(face(1).encoded, 2), (face(2).encoded, 2)]
    keys, held = (KEY.encoded, OTHER_KEY.encoded), pairs_of(inputs, len(inputs) // 64)
    rows = counters(subtracted(keys, full_tally(keys[1], faces), held, said, CONTEXT))
    assert flat(rows) == cards_to_bytes(left.cards)
    assert flat(blinded(rows, blinding, CONTEXT)) == cards_to_bytes(raised)
    says = [card.b - card.a * OTHER_SECRET for card in left.cards]
    assert says == [IDENTITY, IDENTITY, IDENTITY, face(2)]
