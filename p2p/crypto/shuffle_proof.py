"""A shuffle that can be checked: same cards, new order, new looks, and nobody learns the order.

Groth, "A Verifiable Secret Shuffle of Homomorphic Encryptions" (Journal of Cryptology 2010),
section 5, made a string by Fiat and Shamir. Written additively: N cards, input p(i) goes to output
i, E(M; m) = (m G, M + m Y), `commit` as in `vector_commitment.py`.

    outputs     e'_i = e_p(i) + E(0; m_i)
    d_i random; order = commit(p(1) .. p(N); r),  cover = commit(-d_1 .. -d_N; q)
                cover_card = E(0; k) - sum of d_i e'_i
    questions   t_1 .. t_N = H(context, Y, e, e', order, cover, cover_card)
    answers     f_i = t_p(i) + d_i,   z = sum of t_p(i) m_i + k
    factor      v = H(..., f, z)
    verifier:   sum of f_i e'_i - sum of t_i e_i + cover_card = E(0; z)?
                v order + cover + commit(f; 0) holds the numbers v i + t_i in some order?

The last line is `known_content.py`. It ties the answers to an order that was fixed before the
questions were known; the line before it ties the cards to the answers. A proof is 96 N + 288 bytes.

Why not the proof of Terelius and Wikstroem, which more voting systems use: it commits to the order
and to a chain of products with 2 N points, so that the verifier multiplies 8 N points where 5 N
do here, 4 N of which are the cards themselves. At a table everybody verifies everybody.

What this does not protect against: a seat that shuffles knows its own permutation, so at least one
honest seat has to take part; and a list whose cards did not come from known cards is shuffled as
faithfully as any other.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, Self

from p2p.crypto.batch import CardSum, Combiner
from p2p.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    G,
    L,
    Point,
    PointSum,
    parse_points,
    parse_scalars,
    points_to_bytes,
    refuse_identity,
    scalar_to_bytes,
    scalars_to_bytes,
)
from p2p.crypto.known_shuffle import (
    POINTS_COUNT,
    ContentProof,
    KnownContent,
    prove_content,
    scalars_count,
    verify_content,
)
from p2p.crypto.masking import Masked, cards_to_bytes, check_cards, masks_of, order_of, remask
from p2p.crypto.pedersen import commit_to, commit_to_order
from p2p.crypto.precomputed import PrecomputedShuffle
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, Transcript

_PROTOCOL: Final = "hostless/shuffle/1"
BATCH_PROTOCOL: Final = "hostless/shuffles/1"
OPENING_POINTS_COUNT: Final = 4


class Witness(NamedTuple):
    """What only the shuffler knows: output i is input `permutation[i]` with `masks[i]` added.

    `precomputed` is what was worked out before, for this shuffle and no other.
    """

    permutation: list[int]
    masks: list[int]
    precomputed: PrecomputedShuffle | None = None

    @classmethod
    def of(cls, seed: bytes, count: int) -> Self:
        """Give what follows from a seed."""
        return cls(order_of(seed, count), masks_of(seed, count))


class _Statement(NamedTuple):
    """What is claimed: the outputs are the inputs in some order, re-masked under the key."""

    key: Point
    inputs: Sequence[Masked]
    outputs: Sequence[Masked]


class _Opening(NamedTuple):
    """What the prover says before it knows the questions."""

    order: Point
    cover: Point
    cover_card: Masked


class _Proof(NamedTuple):
    """The parts of a proof, in the order of their bytes but for the points of `content`."""

    opening: _Opening
    answer_mask: int
    answers: list[int]
    content: ContentProof

    def to_bytes(self) -> bytes:
        """Give the points, then the scalars."""
        opening = self.opening
        points = [opening.order, opening.cover, *opening.cover_card, *self.content.points()]
        scalars = [self.answer_mask, *self.answers, *self.content.scalars()]
        return points_to_bytes(points) + scalars_to_bytes(scalars)

    @classmethod
    def parse(cls, encoded: bytes, count: int) -> Self:
        """Give the proof for so many cards; raises ProofError."""
        if len(encoded) != proof_bytes(count):
            raise ProofError(f"A proof for {count} cards is {proof_bytes(count)} bytes.")
        points_count = OPENING_POINTS_COUNT + POINTS_COUNT
        split = points_count * POINT_BYTES
        points = parse_points(encoded[:split], points_count)
        scalars = parse_scalars(encoded[split:], 1 + count + scalars_count(count))
        opening = _Opening(points[0], points[1], Masked(points[2], points[3]))
        content = ContentProof.collect(points[4:], scalars[1 + count :], count)
        return cls(opening, scalars[0], scalars[1 : 1 + count], content)


def proof_bytes(count: int) -> int:
    """Give the size of a proof for so many cards."""
    scalars = 1 + count + scalars_count(count)
    return (OPENING_POINTS_COUNT + POINTS_COUNT) * POINT_BYTES + scalars * SCALAR_BYTES


def shuffle(
    key: Point,
    cards: Sequence[Masked],
    seed: bytes,
    precomputed: PrecomputedShuffle | None = None,
) -> tuple[list[Masked], Witness]:
    """Give the cards in an order and with looks that the seed tells, and what a proof of it needs.

    `precomputed` is used up: made for this key, from this seed and for at least so many cards.
    """
    check_cards(cards)
    witness = Witness.of(seed, len(cards))._replace(precomputed=precomputed)
    placed = [cards[index] for index in witness.permutation]
    if precomputed is None:
        pairs = zip(placed, witness.masks, strict=True)
        return [remask(card, key, mask) for card, mask in pairs], witness
    make_sure(seed == precomputed.seed, "Masks were made ahead for another shuffle.")
    zeros = zip(placed, precomputed.zeros[: len(cards)], strict=True)
    return [Masked(card.a + zero.a, card.b + zero.b) for card, zero in zeros], witness


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
    transcript = _start(statement, context)
    count = len(inputs)
    nonces = transcript.nonces(count + 3, [*witness.permutation, *witness.masks])
    covers, (order_blinding, cover_blinding, card_mask) = nonces[:count], nonces[count:]
    if witness.precomputed is not None:
        covers = witness.precomputed.covers.numbers[:count]
        cover = witness.precomputed.covers.commitment(count, cover_blinding)
    else:
        cover = commit_to([-cover for cover in covers], cover_blinding)
    opening = _Opening(
        commit_to_order(witness.permutation, order_blinding),
        cover,
        _cover_card(statement, witness, covers, card_mask),
    )
    questions = _ask(transcript, opening, count)
    asked = [questions[index] for index in witness.permutation]
    answers = [question + cover for question, cover in zip(asked, covers, strict=True)]
    masks = zip(asked, witness.masks, strict=True)
    answer_mask = sum(question * mask for question, mask in masks) + card_mask
    factor = _answer(transcript, answers, answer_mask)
    ordered = [
        factor * index + question
        for index, question in zip(witness.permutation, asked, strict=True)
    ]
    blinding = factor * order_blinding + cover_blinding
    content = prove_content(transcript, ordered, blinding, witness.precomputed)
    return _Proof(opening, answer_mask, answers, content).to_bytes()


def verify_shuffle(
    key: Point,
    inputs: Sequence[Masked],
    outputs: Sequence[Masked],
    proof: bytes,
    context: bytes,
) -> None:
    """Return if the outputs are the inputs in some order, re-masked; or raise ProofError."""
    verify_shuffles([ProvenShuffle(key, inputs, outputs, proof, context)])


class ProvenShuffle(NamedTuple):
    """A shuffle that somebody proved, and the context of the proof."""

    key: Point
    inputs: Sequence[Masked]
    outputs: Sequence[Masked]
    proof: bytes
    context: bytes


class OwnShuffle(NamedTuple):
    """A shuffle that was made here, so that nobody has to prove it."""

    key: Point
    inputs: Sequence[Masked]
    outputs: Sequence[Masked]
    witness: Witness


def verify_shuffles(
    shuffles: Sequence[ProvenShuffle],
    own: Sequence[OwnShuffle] = (),
    combiner: Combiner | None = None,
) -> None:
    """Return if all the shuffles hold; raises ProofError if one does not, without saying which.

    All equations are joined into one, each times a factor that depends on all proofs (Bellare,
    Garay and Rabin 1998).  Where the outputs of a shuffle are the inputs of the next, and for the
    bases of commitments, that saves multiplications: 11 N where three proofs alone need 15 N.
    Shuffles of one's `own` in between save 2 N more, as their outputs are sums that one knows.
    Cards that a `combiner` of one's own has combined before save half of what is left of theirs.
    """
    checks = [_equations(each) for each in shuffles]
    joint = Transcript(BATCH_PROTOCOL, b"")
    for _, said in checks:
        joint.absorb("proof", said)
    weights = joint.weights(len(checks))
    total = CardSum(combiner or Combiner(joint.challenge("halves")))
    for weight, (add, _) in zip(weights, checks, strict=True):
        add(weight, total)
    for each in own:
        _tell_by_inputs(each, total)
    if not total.is_zero():
        raise ProofError("The cards of a shuffle are not the cards that went in.")


def _tell_by_inputs(own: OwnShuffle, total: CardSum) -> None:
    """Put inputs and masks in place of the outputs of a shuffle, which leaves the sum as it is."""
    permutation, masks, _ = own.witness
    for output, index, mask in zip(own.outputs, permutation, masks, strict=True):
        scalar = total.take_out(output)
        total.add_card(scalar, own.inputs[index])
        total.add_mask(scalar * mask % L, own.key)


class PendingProofs:
    """Shuffles that wait to be verified: whoever asks for one has all verified that are here.

    Safe when shuffles are added by one thread and verified by another.
    """

    def __init__(self, combiner: Combiner) -> None:
        """Begin with none; `combiner` is one's own."""
        self._combiner = combiner
        self._shuffles: dict[int, list[ProvenShuffle]] = {}
        self._own: list[OwnShuffle] = []
        self._count = 0

    def add(self, shuffles: list[ProvenShuffle]) -> Callable[[], None]:
        """Give what returns if these hold, and raises ProofError if one of just these does not."""
        self._count += 1
        self._shuffles[self._count] = shuffles
        return partial(self._verify, self._count)

    def know(self, own: OwnShuffle) -> None:
        """Note a shuffle of one's own: the outputs, which are true, make the others cheaper."""
        self._own.append(own)

    def _verify(self, number: int) -> None:
        if number not in self._shuffles:
            return  # They held together with others.
        here, own = dict(self._shuffles), self._own
        self._own = []
        try:
            together = [each for shuffles in here.values() for each in shuffles]
            verify_shuffles(together, own, self._combiner)
        except ProofError:
            here = {number: here[number]}
            verify_shuffles(here[number])
        for held in here:
            self._shuffles.pop(held, None)  # Another thread may have verified the same.


def _equations(shuffled: ProvenShuffle) -> tuple[Callable[[int, CardSum], None], bytes]:
    """Give what adds a shuffle's equations to a sum, and bytes that depend on all of it."""
    statement = _Statement(shuffled.key, shuffled.inputs, shuffled.outputs)
    _check(statement)
    parts = _Proof.parse(shuffled.proof, len(statement.inputs))
    transcript = _start(statement, shuffled.context)
    questions = _ask(transcript, parts.opening, len(statement.inputs))
    factor = _answer(transcript, parts.answers, parts.answer_mask)
    contents = [factor * index + question for index, question in enumerate(questions)]
    opening = parts.opening
    claim = KnownContent(factor, opening.order, opening.cover, parts.answers, contents)
    add_content = verify_content(transcript, claim, parts.content)
    join = transcript.challenge("cards")

    def add(weight: int, total: CardSum) -> None:
        add_content(weight, total)
        _add_cards(statement, parts, questions, weight * join % L, total)

    return add, scalar_to_bytes(join)


def _check(statement: _Statement) -> None:
    """Raise ProofError for statements that no honest seat makes."""
    if len(statement.inputs) != len(statement.outputs):
        raise ProofError(f"Expected {len(statement.inputs)} cards.")
    check_cards(statement.inputs)
    check_cards(statement.outputs)
    refuse_identity([statement.key], "A key")


def _add_cards(
    statement: _Statement,
    parts: _Proof,
    questions: Sequence[int],
    weight: int,
    total: CardSum,
) -> None:
    """Add that the cards went where the answers say."""
    for card, answer in zip(statement.outputs, parts.answers, strict=True):
        total.add_card(answer * weight % L, card)
    for card, question in zip(statement.inputs, questions, strict=True):
        total.add_card(-question * weight % L, card)
    total.add_card(weight, parts.opening.cover_card)
    total.add_mask(-parts.answer_mask * weight % L, statement.key)


def _cover_card(
    statement: _Statement, witness: Witness, covers: Sequence[int], mask: int
) -> Masked:
    """Give a card that covers what the answers would tell.

    It is told by the inputs, of which those that lie open have many points in common.
    """
    masks = zip(covers, witness.masks, strict=True)
    mask -= sum(cover * each for cover, each in masks)
    halves = PointSum(), PointSum()
    for half, total in enumerate(halves):
        total.add(mask, (G, statement.key)[half])
        for cover, index in zip(covers, witness.permutation, strict=True):
            total.add(-cover, statement.inputs[index][half])
    return Masked(*(total.total() for total in halves))


def _start(statement: _Statement, context: bytes) -> Transcript:
    """Give a transcript that holds the statement."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("key", statement.key.encoded)
    transcript.absorb("inputs", cards_to_bytes(statement.inputs))
    transcript.absorb("outputs", cards_to_bytes(statement.outputs))
    return transcript


def _ask(transcript: Transcript, opening: _Opening, count: int) -> list[int]:
    """Give the verifier's question for each input, once the order is committed to."""
    transcript.absorb("order", opening.order.encoded)
    transcript.absorb("cover", opening.cover.encoded, opening.cover_card.to_bytes())
    return transcript.challenges("questions", count)


def _answer(transcript: Transcript, answers: Sequence[int], answer_mask: int) -> int:
    """Put the answers into the transcript and give the factor that ties them to the order."""
    transcript.absorb("answers", scalars_to_bytes([answer_mask, *answers]))
    return transcript.challenge("factor")
