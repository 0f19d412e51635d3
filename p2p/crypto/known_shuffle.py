"""A commitment holds known numbers, in an order that is not told.

Groth, "A Verifiable Secret Shuffle of Homomorphic Encryptions" (Journal of Cryptology 2010),
section 4, the shuffle of known content. The prover shows that C = commit(m_p(1) .. m_p(n); r) for
some permutation p of the known m_1 .. m_n, because two polynomials with the same roots agree at a
random x:  product of (m_p(i) - x) = product of (m_i - x).

    x = H(...)
    d_i random;  D_1 = d_1, D_n = 0, the others random;  a_i = product of (m_p(j) - x) for j <= i
    cover  = commit(d_1 .. d_n)
    cross  = commit(-D_i d_{i+1})                                              for i < n
    links  = commit(D_{i+1} - (m_p(i+1) - x) D_i - a_i d_{i+1})                for i < n
    e = H(..., cover, cross, links)
    f_i = e m_p(i) + d_i,  g_i = e links_i + cross_i, and the same for the three blindings
    verifier: e C + cover = commit(f),  e links + cross = commit(g), and with F_1 = f_1 - e x,
              e F_{i+1} = F_i (f_{i+1} - e x) + g_i:   F_n = e * product of (m_i - x)?

F_i is e a_i + D_i, so each step multiplies by one more factor. The verifier joins the two equations
between commitments by a factor that depends on everything, and so multiplies each base once; the
result goes into a sum to which the caller can add equations of its own.

What this does not protect against: known numbers that are equal cannot be told apart, here or
anywhere. `shuffle_proof.py` makes them distinct but for a negligible chance.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, Self

from p2p.crypto.group import (
    G,
    L,
    Point,
    PointSum,
    points_to_bytes,
    scalars_to_bytes,
)
from p2p.crypto.pedersen import bases, commit_to
from p2p.crypto.precomputed import PrecomputedShuffle
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, Transcript

POINTS_COUNT: Final = 3


class KnownContent(NamedTuple):
    """What is claimed: factor * order + cover + commit(offsets; 0) holds the contents somehow."""

    factor: int
    order: Point
    cover: Point
    offsets: Sequence[int]
    contents: Sequence[int]


class ContentProof(NamedTuple):
    """Three commitments, and the responses with their blindings."""

    cover: Point
    cross: Point
    links: Point
    responses: list[int]
    response_blinding: int
    steps: list[int]
    step_blinding: int

    def points(self) -> list[Point]:
        """Give the points in the order of their bytes."""
        return [self.cover, self.cross, self.links]

    def scalars(self) -> list[int]:
        """Give the scalars in the order of their bytes."""
        return [self.response_blinding, self.step_blinding, *self.responses, *self.steps]

    @classmethod
    def collect(cls, points: Sequence[Point], scalars: Sequence[int], count: int) -> Self:
        """Give the proof of three points and `scalars_count(count)` scalars."""
        cover, cross, links = points
        responses, steps = list(scalars[2 : 2 + count]), list(scalars[2 + count :])
        return cls(cover, cross, links, responses, scalars[0], steps, scalars[1])


def scalars_count(count: int) -> int:
    """Give how many scalars a proof about so many numbers has."""
    return 2 * count + 1


def prove_content(
    transcript: Transcript,
    ordered: Sequence[int],
    blinding: int,
    precomputed: PrecomputedShuffle | None = None,
) -> ContentProof:
    """Give the proof; `ordered` and `blinding` open the commitment plus offsets.

    `precomputed` is used up; it has room for at least so many numbers.
    """
    count = len(ordered)
    root = transcript.challenge("root")
    factors = [number - root for number in ordered]
    covers, carries, blindings = _draw(transcript, ordered, blinding)
    if precomputed is not None:
        make_sure(1 < count <= precomputed.room, "One number needs no cover; more need room.")
        covers = precomputed.inner_covers.numbers[:count]
        carries = [*precomputed.carries[: count - 1], 0]
    products = list(accumulate(factors, lambda left, right: left * right % L))
    cross = [-carries[at] * covers[at + 1] for at in range(count - 1)]
    links = [
        carries[at + 1] - factors[at + 1] * carries[at] - products[at] * covers[at + 1]
        for at in range(count - 1)
    ]
    if precomputed is not None:
        points = [
            precomputed.inner_covers.commitment(count, blindings[0]),
            precomputed.cross.commitment(count - 1, blindings[1]),
            commit_to(links, blindings[2]),
        ]
    else:
        lists = (covers, cross, links)
        points = [commit_to(*pair) for pair in zip(lists, blindings, strict=True)]
    challenge = _ask(transcript, points)
    scalars = [
        challenge * blinding + blindings[0],
        challenge * blindings[2] + blindings[1],
        *(challenge * number + cover for number, cover in zip(ordered, covers, strict=True)),
        *(challenge * link + part for link, part in zip(links, cross, strict=True)),
    ]
    return ContentProof.collect(points, scalars, count)


def verify_content(
    transcript: Transcript, claim: KnownContent, proof: ContentProof
) -> Callable[[int, PointSum], None]:
    """Check the product; give what adds the rest of the proof to a sum, times a weight.

    The commitment holds the known numbers if that sum is the identity, for a weight that depends on
    everything; raises ProofError if the product is wrong.
    """
    root = transcript.challenge("root")
    challenge = _ask(transcript, proof.points())
    _check_product(claim, proof, root, challenge)
    transcript.absorb("responses", scalars_to_bytes(proof.scalars()))
    join = transcript.challenge("join")

    def add(weight: int, total: PointSum) -> None:
        joined, steps = weight * join % L, [*(-step for step in proof.steps), 0]
        asked = weight * challenge % L
        total.add(asked * claim.factor, claim.order)
        total.add(asked, claim.cover)
        total.add(weight, proof.cover)
        total.add(joined * challenge, proof.links)
        total.add(joined, proof.cross)
        total.add(-weight * proof.response_blinding - joined * proof.step_blinding, G)
        rows = zip(bases(len(steps)), claim.offsets, proof.responses, steps, strict=True)
        for point, offset, response, step in rows:
            total.add(asked * offset - weight * response + joined * step, point)

    return add


def _check_product(claim: KnownContent, proof: ContentProof, root: int, challenge: int) -> None:
    """Raise ProofError unless the responses multiply to what the known numbers multiply to.

    Everything is multiplied by powers of the challenge instead of divided by it.
    """
    expected, power = 1, 1
    for number in claim.contents:
        expected = expected * (number - root) * challenge % L
    product = 1
    for at, response in enumerate(proof.responses):
        product = product * (response - challenge * root) % L
        if at:
            product = (product + power * proof.steps[at - 1]) % L
            power = power * challenge % L
    if product != expected:
        raise ProofError("The product of a shuffle does not hold.")


def _draw(
    transcript: Transcript, ordered: Sequence[int], blinding: int
) -> tuple[list[int], list[int], list[int]]:
    """Give the one-time numbers: covers d, carries D, and three blindings."""
    count = len(ordered)
    nonces = transcript.nonces(2 * count + POINTS_COUNT, [*ordered, blinding])
    covers, carries = nonces[:count], nonces[count : 2 * count]
    carries[-1] = 0
    if count == 1:
        # One known number needs no cover: everybody knows which it is.
        covers[0] = 0
    carries[0] = covers[0]
    return covers, carries, nonces[2 * count :]


def _ask(transcript: Transcript, points: Sequence[Point]) -> int:
    """Give the challenge that answers the three commitments."""
    transcript.absorb("content", points_to_bytes(points))
    return transcript.challenge("content")
