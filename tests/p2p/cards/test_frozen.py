"""Today's proofs are those of the saved games: not a byte differs from the frozen ones."""

import json

import pytest

from p2p.cards.escrow import Deal, check_deal, put_together, take_part
from p2p.cards.keys import verify_possession
from p2p.cards.masking import make_shares, parse_cards, verify_shares
from p2p.cards.membership import verify_members
from p2p.cards.rekey import Rekeying, verify_rekey
from p2p.cards.shuffle_proof import verify_shuffle
from tests.p2p.cards.deals import (
    CONTEXT,
    KEY,
    OTHER_KEY,
    OTHER_SECRET,
    SECRET,
    THIRD_SECRET,
    face,
    is_accepted,
)
from tests.p2p.cards.frozen import PATH, frozen

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
    check_deal(KEY, shown)
    parts = [
        take_part(secret, shown, at, CONTEXT)
        for at, secret in enumerate((OTHER_SECRET, THIRD_SECRET))
    ]
    assert put_together(parts) == SECRET
