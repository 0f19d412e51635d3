"""A seat must know the secret of the key it shows; otherwise it could choose the joint key."""

import pytest

from p2p.crypto.group import IDENTITY, base
from p2p.crypto.keys import joint_key, make_key, prove_possession, verify_possession
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_CONTEXT,
    OTHER_KEY,
    SECRET,
    THIRD_KEY,
    spoiled,
)


def test_a_fresh_key_is_proven_and_accepted() -> None:
    secret, public = make_key()
    assert public == base(secret)
    verify_possession(public, CONTEXT, prove_possession(secret, public, CONTEXT))


def test_a_proof_of_possession_is_64_bytes() -> None:
    assert len(prove_possession(SECRET, KEY, CONTEXT)) == 64


def test_a_spoiled_proof_of_possession_is_refused() -> None:
    for _name, proof in spoiled(prove_possession(SECRET, KEY, CONTEXT)):
        with pytest.raises(ProofError):
            verify_possession(KEY, CONTEXT, proof)


def test_a_proof_of_possession_is_worth_nothing_for_another_key_or_game() -> None:
    proof = prove_possession(SECRET, KEY, CONTEXT)
    with pytest.raises(ProofError):
        verify_possession(OTHER_KEY, CONTEXT, proof)
    with pytest.raises(ProofError):
        verify_possession(KEY, OTHER_CONTEXT, proof)


def test_a_rogue_key_cannot_be_proven() -> None:
    rogue = THIRD_KEY - KEY - OTHER_KEY
    assert joint_key([KEY, OTHER_KEY, rogue]) == THIRD_KEY
    with pytest.raises(AssertionError):
        prove_possession(SECRET, rogue, CONTEXT)
    with pytest.raises(ProofError):
        verify_possession(rogue, CONTEXT, prove_possession(SECRET, KEY, CONTEXT))


def test_the_identity_is_nobodys_key() -> None:
    with pytest.raises(ProofError):
        verify_possession(IDENTITY, CONTEXT, prove_possession(0, IDENTITY, CONTEXT))
    with pytest.raises(ProofError):
        joint_key([KEY, IDENTITY])


def test_keys_that_cancel_out_make_no_joint_key() -> None:
    with pytest.raises(ProofError):
        joint_key([KEY, IDENTITY - KEY])
    with pytest.raises(ProofError):
        joint_key([])


def test_the_joint_key_is_the_sum_in_any_order() -> None:
    assert joint_key([KEY, OTHER_KEY]) == joint_key([OTHER_KEY, KEY]) == KEY + OTHER_KEY
