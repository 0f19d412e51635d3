"""A shuffle that can be checked: same cards, new order, new looks, and nobody learns the order.

Terelius and Wikstroem (AFRICACRYPT 2010; Wikstroem 2009), after the pseudo-code of Haenni, Locher,
Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-encryption Mix-Nets" (2017), algorithms
GenShuffle, GenShuffleProof and CheckShuffleProof. Written additively; N cards, input j_i goes to
output i, and h, h_1 .. h_N are points whose logarithms nobody knows.

    outputs   e'_i = e_{j_i} + m_i (G, Y)
    order     c_{j_i} = r_{j_i} G + h_i                   a commitment to the permutation matrix
    questions u_1 .. u_N = H(context, Y, e, e', c);       u'_i = u_{j_i}
    chain     d_0 = h,  d_i = q_i G + u'_i d_{i-1}        a commitment to the product of the u'
    claims    sum c - sum h_i        = (sum r) G          each row of the matrix adds up to one
              d_N - (product u) h    = q G                the u' are the u in some order, ...
              sum u_j c_j            = r G + sum u'_i h_i     ... the order that was committed,
              sum u_j e_j            = sum u'_i e'_i - m (G, Y)   ... and the cards went with it

One Schnorr proof with nonces w and responses s = w + c * (the secret) shows that the prover knows
all of r, q, m and u' at once. A proof is 128 N + 160 bytes: c, d, challenge, responses.

What this does not protect against: a seat that shuffles knows its own permutation, so at least one
honest seat has to take part; and a list whose cards did not come from known cards is shuffled as
faithfully as any other.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import Final, NamedTuple, Self

from p2p.cards import entropy
from p2p.cards.errors import ProofError
from p2p.cards.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    G,
    L,
    Point,
    base,
    hash_to_point,
    parse_points,
    parse_scalars,
    plain_sum,
    points_to_bytes,
    random_scalar,
    refuse_identity,
    scalars_to_bytes,
    weighted_sum,
)
from p2p.cards.masking import Masked, cards_to_bytes, check_cards, remask
from p2p.cards.transcript import Transcript

PROTOCOL: Final = "hostless/shuffle/1"
BASES_LABEL: Final = "hostless/shuffle/bases/1"
SUMS_COUNT: Final = 4
BASES_CACHE_DECKS: Final = 32


class Witness(NamedTuple):
    """What only the shuffler knows: output i is input `permutation[i]` with `masks[i]` added."""

    permutation: list[int]
    masks: list[int]


class _Statement(NamedTuple):
    """What is claimed: the outputs are the inputs in some order, re-masked under the key."""

    key: Point
    inputs: Sequence[Masked]
    outputs: Sequence[Masked]


class _Proof(NamedTuple):
    """The parts of a proof, in the order of their bytes."""

    order: list[Point]
    chain: list[Point]
    challenge: int
    sums: list[int]
    chain_responses: list[int]
    order_responses: list[int]

    def to_bytes(self) -> bytes:
        """Give 128 bytes a card and 160 more."""
        scalars = [self.challenge, *self.sums, *self.chain_responses, *self.order_responses]
        return points_to_bytes(self.order + self.chain) + scalars_to_bytes(scalars)

    @classmethod
    def parse(cls, encoded: bytes, count: int) -> Self:
        """Give the proof for so many cards; raises ProofError."""
        if len(encoded) != proof_bytes(count):
            raise ProofError(f"A proof for {count} cards is {proof_bytes(count)} bytes.")
        split = 2 * count * POINT_BYTES
        points = parse_points(encoded[:split], 2 * count)
        scalars = parse_scalars(encoded[split:], 1 + SUMS_COUNT + 2 * count)
        rest = scalars[1 + SUMS_COUNT :]
        sums = scalars[1 : 1 + SUMS_COUNT]
        order, chain = points[:count], points[count:]
        return cls(order, chain, scalars[0], sums, rest[:count], rest[count:])


class _Bases(NamedTuple):
    """The points that commitments are made with; nobody knows a logarithm between them."""

    start: Point
    rows: list[Point]
    total: Point


def proof_bytes(count: int) -> int:
    """Give the size of a proof for so many cards."""
    return 2 * count * POINT_BYTES + (1 + SUMS_COUNT + 2 * count) * SCALAR_BYTES


def shuffle(
    key: Point, cards: Sequence[Masked], permutation: Sequence[int] | None = None
) -> tuple[list[Masked], Witness]:
    """Give the cards in a random order with new looks, and what a proof of it needs."""
    check_cards(cards)
    order = entropy.permutation(len(cards)) if permutation is None else list(permutation)
    assert sorted(order) == list(range(len(cards))), "A shuffle loses and doubles no card."
    masks = [random_scalar() for _ in cards]
    outputs = [remask(cards[index], key, mask) for index, mask in zip(order, masks, strict=True)]
    return outputs, Witness(order, masks)


def prove_shuffle(
    key: Point,
    inputs: Sequence[Masked],
    outputs: Sequence[Masked],
    witness: Witness,
    context: bytes,
) -> bytes:
    """Give a proof that the outputs are the inputs in some order."""
    statement = _Statement(key, inputs, outputs)
    _check(statement)
    transcript = _open(statement, context)
    secrets = [*witness.permutation, *witness.masks]
    order_blindings = transcript.nonces(len(inputs), secrets)
    order = _commit_order(witness.permutation, order_blindings)
    questions = _ask(transcript, order)
    permuted = [questions[index] for index in witness.permutation]
    chain_blindings = transcript.nonces(len(inputs), [*secrets, *order_blindings])
    chain = _commit_chain(permuted, chain_blindings)
    hidden_sums = [
        sum(order_blindings),
        _chain_sum(permuted, chain_blindings),
        _dot(questions, order_blindings),
        _dot(permuted, witness.masks),
    ]
    hidden = [*hidden_sums, *chain_blindings, *permuted]
    nonces = transcript.nonces(len(hidden), [*secrets, *hidden])
    _absorb_commitments(transcript, statement, chain, nonces)
    challenge = transcript.challenge("challenge")
    responses = [nonce + challenge * value for nonce, value in zip(nonces, hidden, strict=True)]
    sums, chain_responses, order_responses = _split(responses, len(inputs))
    return _Proof(order, chain, challenge, sums, chain_responses, order_responses).to_bytes()


def verify_shuffle(
    key: Point,
    inputs: Sequence[Masked],
    outputs: Sequence[Masked],
    proof: bytes,
    context: bytes,
) -> None:
    """Return if the outputs are the inputs in some order, re-masked; or raise ProofError."""
    statement = _Statement(key, inputs, outputs)
    _check(statement)
    parts = _Proof.parse(proof, len(inputs))
    transcript = _open(statement, context)
    questions = _ask(transcript, parts.order)
    _absorb_answers(transcript, statement, parts, questions)
    if parts.challenge != transcript.challenge("challenge"):
        raise ProofError("The proof of a shuffle does not hold.")


@lru_cache(maxsize=BASES_CACHE_DECKS)
def _bases(count: int) -> _Bases:
    """Give the commitment bases for so many cards, hashed from fixed labels."""
    start, *rows = (
        hash_to_point(BASES_LABEL, index.to_bytes(4, "little")) for index in range(count + 1)
    )
    assert len({G, start, *rows}) == count + 2, "Bases of commitments are distinct."
    return _Bases(start, rows, plain_sum(rows))


def _check(statement: _Statement) -> None:
    """Raise ProofError for statements that no honest seat makes."""
    if len(statement.inputs) != len(statement.outputs):
        raise ProofError(f"Expected {len(statement.inputs)} cards.")
    check_cards(statement.inputs)
    check_cards(statement.outputs)
    refuse_identity([statement.key], "A key")


def _open(statement: _Statement, context: bytes) -> Transcript:
    """Give a transcript that holds the statement."""
    transcript = Transcript(PROTOCOL, context)
    transcript.absorb("key", statement.key.encoded)
    transcript.absorb("inputs", cards_to_bytes(statement.inputs))
    transcript.absorb("outputs", cards_to_bytes(statement.outputs))
    return transcript


def _ask(transcript: Transcript, order: Sequence[Point]) -> list[int]:
    """Give the verifier's question for each input, once the order is committed to."""
    transcript.absorb("order", points_to_bytes(order))
    return transcript.challenges("questions", len(order))


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    """Give the sum of products of two lists."""
    total: int = sum(map(mul, left, right))
    return total % L


def _product(scalars: Sequence[int]) -> int:
    """Give the product of scalars modulo L."""
    product = 1
    for scalar in scalars:
        product = product * scalar % L
    return product


def _split(scalars: Sequence[int], count: int) -> tuple[list[int], list[int], list[int]]:
    """Part the scalars of a proof into sums, chain and order."""
    middle = SUMS_COUNT + count
    return list(scalars[:SUMS_COUNT]), list(scalars[SUMS_COUNT:middle]), list(scalars[middle:])


def _commit_order(permutation: Sequence[int], blindings: Sequence[int]) -> list[Point]:
    """Give a commitment for each input to the row it goes to."""
    order = [G] * len(permutation)
    for row, index in zip(_bases(len(permutation)).rows, permutation, strict=True):
        order[index] = base(blindings[index]) + row
    return order


def _commit_chain(permuted: Sequence[int], blindings: Sequence[int]) -> list[Point]:
    """Give commitments to the growing product of the permuted questions."""
    start = _bases(len(permuted)).start
    steps = zip(blindings, permuted, strict=True)
    chain = accumulate(steps, lambda last, step: base(step[0]) + last * step[1], initial=start)
    return list(chain)[1:]


def _chain_sum(permuted: Sequence[int], blindings: Sequence[int]) -> int:
    """Give what the generator is multiplied by in the last commitment of the chain."""
    total = 0
    for question, blinding in zip(permuted, blindings, strict=True):
        total = (total * question + blinding) % L
    return total


def _absorb_commitments(
    transcript: Transcript,
    statement: _Statement,
    chain: Sequence[Point],
    nonces: Sequence[int],
) -> None:
    """Put the prover's commitments into the transcript: each claim, made of nonces."""
    bases = _bases(len(chain))
    sums, chain_nonces, order_nonces = _split(nonces, len(chain))
    points = [
        base(sums[0]),
        base(sums[1]),
        base(sums[2]) + weighted_sum(order_nonces, bases.rows),
        weighted_sum(order_nonces, [card.a for card in statement.outputs]) - base(sums[3]),
        weighted_sum(order_nonces, [card.b for card in statement.outputs])
        - statement.key * sums[3],
    ]
    links = zip([bases.start, *chain[:-1]], chain_nonces, order_nonces, strict=True)
    points += [base(blinding) + last * nonce for last, blinding, nonce in links]
    _close(transcript, chain, points)


def _absorb_answers(
    transcript: Transcript, statement: _Statement, parts: _Proof, questions: Sequence[int]
) -> None:
    """Put the commitments into the transcript as the responses imply them."""
    bases = _bases(len(questions))
    back = L - parts.challenge
    sums, answers = parts.sums, parts.order_responses
    asked = [back * question % L for question in questions]
    weights = [*answers, *asked]
    ends = parts.chain[-1] - bases.start * _product(questions)
    outputs, inputs = statement.outputs, statement.inputs
    points = [
        base(sums[0]) + (plain_sum(parts.order) - bases.total) * back,
        base(sums[1]) + ends * back,
        base(sums[2]) + weighted_sum(weights, [*bases.rows, *parts.order]),
        weighted_sum(weights, [card.a for card in (*outputs, *inputs)]) - base(sums[3]),
        weighted_sum(weights, [card.b for card in (*outputs, *inputs)]) - statement.key * sums[3],
    ]
    links = zip(
        parts.chain, [bases.start, *parts.chain], parts.chain_responses, answers, strict=False
    )
    points += [
        base(blinding) + last * answer + link * back for link, last, blinding, answer in links
    ]
    _close(transcript, parts.chain, points)


def _close(transcript: Transcript, chain: Sequence[Point], commitments: Sequence[Point]) -> None:
    """Put the chain and the commitments into the transcript, the last before the challenge."""
    transcript.absorb("chain", points_to_bytes(chain))
    transcript.absorb("commitments", points_to_bytes(commitments))
