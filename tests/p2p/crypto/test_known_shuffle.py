"""A commitment to known numbers in any order is accepted; any other list is refused."""

from itertools import permutations

import pytest

from p2p.crypto import known_shuffle
from p2p.crypto.group import G, PointSum, parse_scalars, scalars_to_bytes
from p2p.crypto.known_shuffle import (
    ContentProof,
    KnownContent,
    prove_content,
    scalars_count,
    verify_content,
)
from p2p.crypto.pedersen import commit_to
from p2p.crypto.transcript import ProofError, Transcript
from tests.p2p.crypto.deals import CONTEXT, OTHER_CONTEXT, is_accepted, spoiled

CONTENTS = [11, 22, 33, 44]
BLINDING = 987654321
OFFSETS = [5, -6, 7, 8]


def proven(ordered: list[int], blinding: int = BLINDING) -> ContentProof:
    """Give the proof that the code makes for any list, true or not."""
    return prove_content(Transcript("test", CONTEXT), ordered, blinding)


def claim(held: list[int], contents: list[int] = CONTENTS) -> KnownContent:
    """Give the claim that a commitment plus offsets holds known numbers."""
    offsets = OFFSETS[: len(held)]
    inside = [number - offset for number, offset in zip(held, offsets, strict=True)]
    order = commit_to([0] * len(held), 1)
    return KnownContent(7, order, commit_to(inside, BLINDING) - order * 7, offsets, contents)


def verify(transcript: Transcript, known: KnownContent, proof: ContentProof) -> None:
    """Verify a claim by itself."""
    total = PointSum()
    verify_content(transcript, known, proof)(3, total)
    if not total.is_zero():
        raise ProofError("The commitment does not hold the numbers it should.")


def holds(known: KnownContent, proof: ContentProof, context: bytes = CONTEXT) -> bool:
    """Whether a claim is accepted."""
    return is_accepted(verify, Transcript("test", context), known, proof)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_known_numbers_are_accepted_in_every_order(count: int) -> None:
    for ordered in permutations(CONTENTS[:count]):
        assert holds(claim(list(ordered), CONTENTS[:count]), proven(list(ordered)))


@pytest.mark.parametrize(
    "held", [[11, 22, 33, 45], [11, 22, 33, 33], [0, 22, 33, 44], [12, 21, 33, 44]]
)
def test_a_list_with_another_number_is_refused(held: list[int]) -> None:
    assert not holds(claim(held), proven(held))
    assert not holds(claim(held), proven(CONTENTS))


def test_one_number_that_is_not_the_known_one_is_refused() -> None:
    assert holds(claim([11], [11]), proven([11]))
    assert not holds(claim([12], [11]), proven([12]))
    assert not holds(claim([12], [11]), proven([11]))


def test_a_proof_in_another_place_or_for_another_claim_is_refused() -> None:
    known, proof = claim(CONTENTS), proven(CONTENTS)
    assert holds(known, proof)
    assert not holds(known, proof, OTHER_CONTEXT)
    assert not holds(known._replace(cover=known.cover + G), proof)
    assert not holds(known._replace(order=known.order + G), proof)
    assert not holds(known._replace(factor=8), proof)
    assert not holds(known._replace(offsets=[6, -6, 7, 8]), proof)
    assert not holds(known._replace(contents=[11, 22, 33, 55]), proof)
    assert not holds(known, proven(CONTENTS, BLINDING + 1))


def test_every_changed_scalar_and_point_is_refused() -> None:
    known, proof = claim(CONTENTS), proven(CONTENTS)
    count = scalars_count(len(CONTENTS))
    for _name, encoded in spoiled(scalars_to_bytes(proof.scalars())):
        try:
            scalars = parse_scalars(encoded, count)
        except ProofError:
            continue
        changed = ContentProof.collect(proof.points(), scalars, len(CONTENTS))
        assert not holds(known, changed)
    for name in ("cover", "cross", "links"):
        assert not holds(known, proof._replace(**{name: getattr(proof, name) + G}))


def test_two_false_equations_that_cancel_out_are_refused() -> None:
    # The factor that joins the equations must depend on the responses, or these could be fitted.
    known, proof = claim(CONTENTS), proven(CONTENTS)
    for said in (b"", scalars_to_bytes(proof.scalars())):
        transcript = Transcript("test", CONTEXT)
        transcript.challenge("root")
        known_shuffle._ask(transcript, proof.points())
        transcript.absorb("responses", *([said] if said else []))
        shift = transcript.challenge("join")
        fitted = proof._replace(
            step_blinding=proof.step_blinding + 1,
            response_blinding=proof.response_blinding - shift,
        )
        assert not holds(known, fitted)


def factor_by(heard: list[bytes], proof: ContentProof) -> int:
    """Give the factor that joins the equations of a verifier who hears only this after `e`."""
    transcript = Transcript("test", CONTEXT)
    transcript.challenge("root")
    transcript.absorb("content", b"".join(point.encoded for point in proof.points()))
    transcript.challenge("content")
    transcript.absorb("responses", *heard)
    return transcript.challenge("join")


@pytest.mark.parametrize("heard", [None, [], [b""]])
def test_two_wrong_equations_do_not_make_a_right_one(heard: list[bytes] | None) -> None:
    """What one blinding has too much and the other too little cancels, for a foreseeable factor."""
    proof = proven(CONTENTS)
    factor = 1 if heard is None else factor_by(heard, proof)
    bent = proof._replace(
        response_blinding=proof.response_blinding + factor,
        step_blinding=proof.step_blinding - 1,
    )
    assert holds(claim(CONTENTS), proof)
    assert not holds(claim(CONTENTS), bent)
