"""What is left of a family of cards when every hand has been subtracted: a homomorphic tally.

A deck whose joint key died with a seat is made anew from its public list: so many cards of each
face. The cards that others hold have to come off it, and nobody may learn which these are.

The tally has a counter for every card of the list, a ciphertext under the new joint key Y: of M_f
while the card is there, of the identity once it is subtracted. The counters of a face stand
together, the subtracted ones first, v_1 .. v_c, and v_i = (G, Y), which says nothing, for i < 1. A
seat that holds k cards, n of them with this face, pushes the counters back by n:
v'_j = v_(j-n) + E(0; r_j). It knows n, but not which counters were subtracted before. Nobody else
learns n.

    cards       the k held cards as ciphertexts under Y        `rekey.py`: they say what they said
    counts      C_f = E(n M_f; q_f) for every face;            sum of C_f = sum of the cards
    counters    v'_j
    power       w = H(context, everything above)
    gap         D_n = C_f - n M_f + sum of w^j (v'_j - v_(j-n))    says nothing, for the true n
    for every face one of D_0 .. D_m says nothing, m = min(k, c)   an OR, as in `one_of_many.py`:
                T_n = s_n G - e_n D_n.a,  U_n = s_n Y - e_n D_n.b, sum of e_n = H(..., all T, U)

Homomorphic tallies of ElGamal ciphertexts are those of Cramer, Gennaro and Schoenmakers (EUROCRYPT
1997, section 3), the OR is that of Cramer, Damgard and Schoenmakers (CRYPTO 1994, section 4). The
points M_f are hashes and nobody knows an equation between them, so the only small numbers n with
sum of n M_f = sum of the cards are the true ones. If one of the differences in D_n says something,
so does D_n, but for c of all L powers w.

In the log and in the labels of proofs the tally is called "stock", and a subtraction "strike".

What this does not protect against: cards of the list that are held by a seat which subtracts
nothing. So the caller lets every seat that holds some subtract all of them, once. And counters are
pushed in the open: until they are shuffled, everybody knows which face each stands for.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, Self

from p2p.crypto.group import (
    SCALAR_BYTES,
    G,
    L,
    Point,
    base,
    parse_scalars,
    plain_sum,
    points_to_bytes,
    random_scalar,
    refuse_identity,
    scalars_to_bytes,
)
from p2p.crypto.masking import (
    LIST_CARDS_MAX,
    MASKED_BYTES,
    Masked,
    cards_to_bytes,
    make_shares,
    message,
    open_form,
    parse_cards,
    remask,
)
from p2p.crypto.rekey import REKEY_PROOF_BYTES, Rekeying, prove_rekey, rekey, verify_rekey
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, Transcript

_PROTOCOL: Final = "hostless/strike/1"
COUNT_BYTES: Final = 4


class CardTally(NamedTuple):
    """The counters of a family, by face; only `full_tally` and `check_subtraction` give one."""

    key: Point
    faces: tuple[Point, ...]
    counters: tuple[tuple[Masked, ...], ...]  # As many for each face as there are cards of it.

    @property
    def cards(self) -> list[Masked]:
        """All counters, one face after the other."""
        return [counter for counters in self.counters for counter in counters]

    def widths(self, held: int) -> list[int]:
        """How many numbers of cards of each face are possible in a hand of so many."""
        return [min(held, len(counters)) + 1 for counters in self.counters]

    def with_cards(self, cards: Sequence[Masked]) -> Self:
        """The same faces with other counters."""
        starts = accumulate(map(len, self.counters), initial=0)
        parts = zip(starts, self.counters, strict=False)
        counters = tuple(tuple(cards[start : start + len(counters)]) for start, counters in parts)
        return self._replace(counters=counters)


class _Subtraction(NamedTuple):
    """What a seat says when it subtracts its cards, but for the OR."""

    cards: list[Masked]
    counts: list[Masked]
    counters: list[Masked]
    rekeying: bytes

    def to_bytes(self) -> bytes:
        """Give the ciphertexts, then the proof of re-keying."""
        return cards_to_bytes([*self.cards, *self.counts, *self.counters]) + self.rekeying


def full_tally(key: Point, faces: Sequence[tuple[Point, int]]) -> CardTally:
    """Give the tally of all cards, so many of each face; raises ProofError."""
    refuse_identity([key, *(face for face, _ in faces)], "A key or face")
    is_positive = all(count > 0 for _, count in faces)
    make_sure(is_positive, "A face of which there is no card has no counters.")
    is_once = len({face for face, _ in faces}) == len(faces)
    make_sure(is_once, "Every face has its counters once.")
    total = sum(count for _, count in faces)
    make_sure(1 <= total <= LIST_CARDS_MAX, "A family is a list of cards.")
    counters = tuple((open_form(face, key),) * count for face, count in faces)
    return CardTally(key, tuple(face for face, _ in faces), counters)


def subtraction_bytes(tally: CardTally, held: int) -> int:
    """Give the size of a subtraction of so many cards."""
    pairs = held + len(tally.faces) + len(tally.cards)
    return pairs * MASKED_BYTES + REKEY_PROOF_BYTES + 2 * sum(tally.widths(held)) * SCALAR_BYTES


def subtract_hand(secret: int, tally: CardTally, held: Sequence[Masked], context: bytes) -> bytes:
    """Give what takes the cards `held`, in owner form under the key of `secret`, off the tally."""
    says = [message(*pair) for pair in zip(held, make_shares(secret, held), strict=True)]
    numbers = [says.count(face) for face in tally.faces]
    make_sure(sum(numbers) == len(held), "A seat subtracts cards of this family.")
    cards, masks = rekey(secret, held, tally.key)
    statement = Rekeying(base(secret), tally.key, held, cards)
    proof = prove_rekey(secret, statement, masks, context)
    count_masks = [random_scalar() for _ in tally.faces[1:]]
    count_masks.append((sum(masks) - sum(count_masks)) % L)
    counts = [
        Masked(base(mask), face * number + tally.key * mask)
        for face, number, mask in zip(tally.faces, numbers, count_masks, strict=True)
    ]
    counter_masks = [random_scalar() for _ in tally.cards]
    pushed = [_pushed(tally, at, number) for at, number in enumerate(numbers)]
    counters = [
        remask(counter, tally.key, mask)
        for counter, mask in zip(
            (counter for counters in pushed for counter in counters), counter_masks, strict=True
        )
    ]
    said = _Subtraction(cards, counts, counters, proof)
    opened = _Opened(numbers, count_masks, counter_masks, secret)
    return said.to_bytes() + _prove_numbers(tally, base(secret), held, (said, opened), context)


def check_subtraction(
    public: Point, tally: CardTally, held: Sequence[Masked], said: bytes, context: bytes
) -> CardTally:
    """Give the tally without the cards `held` under the key `public`; raises ProofError."""
    size = subtraction_bytes(tally, len(held))
    if not held or len(said) != size:
        raise ProofError(f"A subtraction of {len(held)} cards here is {size} bytes.")
    parts = _parse(tally, len(held), said)
    verify_rekey(Rekeying(public, tally.key, held, parts.cards), parts.rekeying, context)
    for half in range(2):
        counted = plain_sum(pair[half] for pair in parts.counts)
        if counted != plain_sum(pair[half] for pair in parts.cards):
            raise ProofError("The counts of a subtraction are not those of its cards.")
    widths = tally.widths(len(held))
    scalars = parse_scalars(said[-2 * sum(widths) * SCALAR_BYTES :], 2 * sum(widths))
    challenges, responses = scalars[: sum(widths)], scalars[sum(widths) :]
    transcript = _start(tally, public, held, parts, context)
    gaps = _gaps(tally, parts, transcript.challenge("power"), widths)
    for gap, challenge, response in zip(gaps, challenges, responses, strict=True):
        _answer(transcript, tally.key, gap, challenge, response)
    expected = transcript.challenge("challenge")
    for start, width in zip(accumulate(widths, initial=0), widths, strict=False):
        if sum(challenges[start : start + width]) % L != expected:
            raise ProofError("The rows of a subtraction are not pushed back as its cards say.")
    return tally.with_cards(parts.counters)


class _Opened(NamedTuple):
    """What only the seat that subtracts knows."""

    numbers: list[int]  # Of its cards of each face.
    count_masks: list[int]
    counter_masks: list[int]
    secret: int


def _parse(tally: CardTally, held: int, said: bytes) -> _Subtraction:
    cuts = list(accumulate((held, len(tally.faces), len(tally.cards)), initial=0))
    cards, counts, counters = (
        parse_cards(said[MASKED_BYTES * start : MASKED_BYTES * end])
        for start, end in pairwise(cuts)
    )
    end = MASKED_BYTES * cuts[-1]
    return _Subtraction(cards, counts, counters, said[end : end + REKEY_PROOF_BYTES])


def _pushed(tally: CardTally, at: int, number: int) -> list[Masked]:
    """Give the counters of a face, pushed back by so many."""
    counters = tally.counters[at]
    return [Masked(G, tally.key)] * number + list(counters[: len(counters) - number])


def _prove_numbers(
    tally: CardTally,
    public: Point,
    held: Sequence[Masked],
    parts: tuple[_Subtraction, _Opened],
    context: bytes,
) -> bytes:
    """Give the OR: the challenges, then the responses."""
    said, opened = parts
    widths = tally.widths(len(held))
    transcript = _start(tally, public, held, said, context)
    power = transcript.challenge("power")
    masks = _gap_masks(tally, opened, power)
    count = sum(widths)
    drawn = transcript.nonces(
        2 * count, [opened.secret, *opened.count_masks, *opened.counter_masks]
    )
    nonces, challenges = drawn[:count], drawn[count:]
    truths = [
        start + number
        for start, number in zip(accumulate(widths, initial=0), opened.numbers, strict=False)
    ]
    for truth in truths:
        challenges[truth] = 0  # Not known yet; the true branch needs none to commit.
    for at, gap in enumerate(_gaps(tally, said, power, widths)):
        _answer(transcript, tally.key, gap, challenges[at], nonces[at])
    total = transcript.challenge("challenge")
    for truth, width, number, mask in zip(truths, widths, opened.numbers, masks, strict=True):
        start = truth - number
        challenges[truth] = (total - sum(challenges[start : start + width])) % L
        nonces[truth] += challenges[truth] * mask
    return scalars_to_bytes(challenges) + scalars_to_bytes(nonces)


def _gap_masks(tally: CardTally, opened: _Opened, power: int) -> list[int]:
    """Give for every face the mask of its true gap, which says nothing."""
    masks, start = [], 0
    for mask, counters in zip(opened.count_masks, tally.counters, strict=True):
        pushed = opened.counter_masks[start : start + len(counters)]
        start += len(counters)
        masks.append(mask + sum(pow(power, at, L) * each for at, each in enumerate(pushed, 1)))
    return masks


def _gaps(tally: CardTally, said: _Subtraction, power: int, widths: Sequence[int]) -> list[Masked]:
    """Give D_0 .. D_m for every face, one face after the other."""
    powers = list(
        accumulate([power] * max(map(len, tally.counters)), lambda last, by: last * by % L)
    )
    blanks = [0, *accumulate(powers)]
    blank = [Masked(base(each), tally.key * each) for each in blanks[: max(widths)]]
    gaps = []
    fresh = tally.with_cards(said.counters)
    for at, face in enumerate(tally.faces):
        below = list(accumulate(_scaled(tally.counters[at], powers), _plus))
        pushed = _plus(said.counts[at], _sum(_scaled(fresh.counters[at], powers)))
        for number in range(widths[at]):
            gap = _minus(pushed, blank[number]) if number else pushed
            if number < len(below):
                rest = below[len(below) - 1 - number]
                gap = _minus(gap, _times(powers[number - 1], rest) if number else rest)
            gaps.append(gap)
            pushed = Masked(pushed.a, pushed.b - face)
    return gaps


def _scaled(counters: Sequence[Masked], powers: Sequence[int]) -> list[Masked]:
    return [_times(scalar, counter) for scalar, counter in zip(powers, counters, strict=False)]


def _times(scalar: int, pair: Masked) -> Masked:
    return Masked(pair.a * scalar, pair.b * scalar)


def _plus(left: Masked, right: Masked) -> Masked:
    return Masked(left.a + right.a, left.b + right.b)


def _minus(left: Masked, right: Masked) -> Masked:
    return Masked(left.a - right.a, left.b - right.b)


def _sum(pairs: Sequence[Masked]) -> Masked:
    return list(accumulate(pairs, _plus))[-1]


def _start(
    tally: CardTally, public: Point, held: Sequence[Masked], said: _Subtraction, context: bytes
) -> Transcript:
    """Give a transcript that holds the statement and everything said about it."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("keys", public.encoded, tally.key.encoded)
    transcript.absorb("faces", points_to_bytes(tally.faces))
    sizes = [len(counters).to_bytes(COUNT_BYTES, "little") for counters in tally.counters]
    transcript.absorb("sizes", b"".join(sizes))
    transcript.absorb("stock", cards_to_bytes(tally.cards))
    transcript.absorb("held", cards_to_bytes(held))
    transcript.absorb("said", said.to_bytes())
    return transcript


def _answer(transcript: Transcript, key: Point, gap: Masked, challenge: int, response: int) -> None:
    """Put the two commitments of one branch into the transcript."""
    first = base(response) - gap.a * challenge
    second = key * response - gap.b * challenge
    transcript.absorb("commitments", first.encoded, second.encoded)
