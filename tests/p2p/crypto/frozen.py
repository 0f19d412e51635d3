"""Proofs made with predictable secrets, so that a change of a single byte is noticed.

The proofs of one version must be readable by the next, or saved games cannot be audited. When the
protocol changes on purpose, give it a new name and write the file anew, from the project's folder:

    python -m tests.p2p.crypto.frozen
"""

import json
from pathlib import Path
from unittest.mock import patch

from p2p.crypto import entropy
from p2p.crypto.commitments import commit, draw_below, mix
from p2p.crypto.group import hash_to_point, points_to_bytes
from p2p.crypto.key_sharing import DEAL_COVERED, DEAL_ROUNDS, deal
from p2p.crypto.keys import prove_possession
from p2p.crypto.masking import cards_to_bytes, make_shares, prove_shares
from p2p.crypto.one_of_many import prove_members
from p2p.crypto.pedersen import bases
from p2p.crypto.plaintext_equality import pet_share
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey
from p2p.crypto.shuffle_proof import prove_shuffle, shuffle
from p2p.crypto.tally import check_subtraction, full_tally, subtract_hand
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_KEY,
    SECRET,
    THIRD_KEY,
    deck,
    face,
    predictable,
)
from tests.p2p.crypto.false_dealers import boxes_emptied, parts_moved

PATH = Path(__file__).resolve().parents[2] / "vectors" / "cards.json"
INPUTS = deck(1, 1, 2)
SHUFFLE_SEED = bytes(range(32))


def frozen() -> dict[str, str]:
    """Give what the file holds: proofs in hexadecimal, numbers as they are."""
    with patch.object(entropy, "fresh_bytes", predictable("frozen proofs")):
        proofs = {**_proofs(), **_numbers()}
    with patch.object(entropy, "fresh_bytes", predictable("frozen escrow")):
        proofs |= _escrow()
    with patch.object(entropy, "fresh_bytes", predictable("frozen stock")):
        return proofs | _stock()


def _proofs() -> dict[str, str]:
    """Give one proof of each kind."""
    shares = make_shares(SECRET, INPUTS)
    shuffled, witness = shuffle(KEY, INPUTS, SHUFFLE_SEED)
    rekeyed, masks = rekey(SECRET, INPUTS, OTHER_KEY)
    statement = Rekeying(KEY, OTHER_KEY, INPUTS, rekeyed)
    allowed = [face(1), face(2)]
    proofs = {
        "inputs": cards_to_bytes(INPUTS),
        "possession": prove_possession(SECRET, KEY, CONTEXT),
        "shares": prove_shares(SECRET, KEY, INPUTS, shares, CONTEXT),
        "shuffled": cards_to_bytes(shuffled),
        "shuffle": prove_shuffle(KEY, INPUTS, shuffled, witness, CONTEXT),
        "rekeyed": cards_to_bytes(rekeyed),
        "rekey": prove_rekey(SECRET, statement, masks, CONTEXT),
        "members": prove_members(SECRET, KEY, INPUTS, allowed, CONTEXT),
    }
    return {name: proof.hex() for name, proof in proofs.items()}


def _numbers() -> dict[str, str]:
    """Give commitments, seeds and draws."""
    seed = mix(CONTEXT, [b"one", b"two"])
    return {
        "face": hash_to_point("face", b"game", b"king").encoded.hex(),
        "bases": points_to_bytes(bases(3)).hex(),
        "commitment": commit(CONTEXT, 2, b"value", bytes(32)).hex(),
        "seed": seed.hex(),
        "draws below 6": " ".join(str(draw_below(seed + bytes([at]), 6)) for at in range(20)),
        "draw below 10**9": str(draw_below(seed, 10**9)),
    }


def _escrow() -> dict[str, str]:
    """Give a key in two parts, and what dealers who lie would say."""
    said = SECRET, [OTHER_KEY, THIRD_KEY], CONTEXT
    shown = deal(*said)
    dealt = {
        "escrow": shown,
        "escrow with empty boxes": boxes_emptied(*said, range(DEAL_ROUNDS)),
        "escrow with guessed rounds": boxes_emptied(*said, range(DEAL_COVERED)),
        "escrow of moved parts": parts_moved(shown),
        "escrow of another key": deal(SECRET + 1, *said[1:]),
    }
    return {name: bytes(each).hex() for name, each in dealt.items()}


TALLY = full_tally(OTHER_KEY, [(face(1), 2), (face(2), 2)])


def _stock() -> dict[str, str]:
    """Give the subtraction of three cards of four, and the equality test of what is left."""
    said = subtract_hand(SECRET, TALLY, INPUTS, CONTEXT)
    left = check_subtraction(KEY, TALLY, INPUTS, said, CONTEXT)
    return {"strike": said.hex(), "blinding": pet_share(left.cards, CONTEXT).hex()}


if __name__ == "__main__":
    PATH.write_text(json.dumps(frozen(), indent=1) + "\n")
