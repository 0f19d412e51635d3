"""Is a deck in no order that anybody chose, and a mixed hand not to be followed?  By numbers.

    lab.py card_statistics                        some thousand trials of each kind
    lab.py card_statistics --shuffles 50000 --mixes 5000

Order: three seats shuffle a small deck in turn with the program's own code, two honestly and one
as it likes, also looking at what it got.  All orders have to come out equally often (chi-square).

Links: an owner mixes its hand, proves it, and plays a card.  Distinguishers who hold everything
public, one of them trained on other mixes, say which card it was before.  None may be right more
often than by chance (binomial).

A test that never fails says nothing.  So the same is done to shuffles and mixes that are broken on
purpose, and there the numbers have to say so.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import erfc, exp, gamma, lgamma, log, sqrt
from typing import Final, NamedTuple, TypeAlias

from p2p.crypto.group import Point, base, hash_to_point, random_scalar
from p2p.crypto.keys import joint_key
from p2p.crypto.masking import Masked, fresh_hint, make_shares, open_form, remask, strip
from p2p.crypto.shuffle_proof import prove_shuffle, shuffle, verify_shuffle

P_MIN: Final = 1e-9  # Below it is no chance: once in a thousand million runs.
SEATS: Final = 3
DECK: Final = 4
HAND: Final = 5
CONTEXT: Final = b"statistics"
Deck: TypeAlias = list[Masked]


@dataclass(frozen=True)
class Finding:
    """One number, and whether it is as it should be."""

    what: str
    p: float  # How likely such a number is if nothing is wrong.
    should_fail: bool = False  # For what was broken on purpose.

    @property
    def is_fine(self) -> bool:
        """Whether it is what it has to be."""
        return (self.p < P_MIN) == self.should_fail

    def __str__(self) -> str:
        wanted = "broken on purpose" if self.should_fail else "as in a game"
        return f"{'ok ' if self.is_fine else 'BAD'} p = {self.p:8.2g}  {wanted}: {self.what}"


# ---- chances ----


def chi_square_p(counts: Sequence[float], freedom: int) -> float:
    """How likely counts are to be at least so uneven, if all are equally likely.

    Abramowitz and Stegun, 26.4.4 and 26.4.5: exact for whole degrees of freedom.
    """
    expected = sum(counts) / len(counts)
    half = sum((count - expected) ** 2 for count in counts) / expected / 2
    if freedom % 2:
        terms = (half ** (k - 0.5) / gamma(k + 0.5) for k in range(1, (freedom + 1) // 2))
        return erfc(sqrt(half)) + exp(-half) * sum(terms)
    return exp(-half) * sum(half**k / gamma(k + 1) for k in range(freedom // 2))


def binomial_p(hits: int, trials: int, chance: float) -> float:
    """How likely at least so many hits are."""
    if hits == 0:
        return 1.0

    def probability(count: int) -> float:
        ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
        return exp(ways + count * log(chance) + (trials - count) * log(1 - chance))

    return min(1.0, sum(probability(count) for count in range(hits, trials + 1)))


# ---- the order of a deck ----

Shuffler: TypeAlias = Callable[[Point, Deck], Deck]


def honest(key: Point, deck: Deck) -> Deck:
    """What the program does."""
    return shuffle(key, deck, fresh_hint())[0]


def ordered(key: Point, deck: Deck, order: Iterable[int]) -> Deck:
    """New looks in an order of somebody's choice."""
    return [remask(deck[index], key, random_scalar()) for index in order]


def keep(key: Point, deck: Deck) -> Deck:
    """An adversary who gives new looks and leaves the order."""
    return ordered(key, deck, range(len(deck)))


def sort(key: Point, deck: Deck) -> Deck:
    """An adversary whose order depends on what it was given."""
    order = sorted(range(len(deck)), key=lambda index: deck[index].to_bytes())
    return ordered(key, deck, order)


def search(key: Point, deck: Deck) -> Deck:
    """An adversary who looks for a deck that pleases it: the first card begins with a low byte."""
    tries = [honest(key, deck) for _ in range(3)]
    return min(tries, key=lambda tried: tried[0].to_bytes())


def naive(key: Point, deck: Deck) -> Deck:
    """The usual mistake: every card changes places with any other, which are n**n ways, not n!."""
    order = list(range(len(deck)))
    for index in order[:]:
        other = random.SystemRandom().randrange(len(deck))
        order[index], order[other] = order[other], order[index]
    return ordered(key, deck, order)


def cut(key: Point, deck: Deck) -> Deck:
    """Less than a shuffle: some cards from the top go to the bottom."""
    start = random.SystemRandom().randrange(len(deck))
    return ordered(key, deck, [*range(start, len(deck)), *range(start)])


ADVERSARIES: Final[tuple[Shuffler, ...]] = (keep, sort, search)


def composed(shufflers: Sequence[Shuffler], size: int) -> tuple[int, ...]:
    """The order in which a deck comes out once all have shuffled it, read with all keys."""
    secrets = [random_scalar() for _ in shufflers]
    key = joint_key([base(secret) for secret in secrets])
    points = [hash_to_point("card", bytes([card])) for card in range(size)]
    deck = [open_form(point, key) for point in points]
    for each in shufflers:
        deck = each(key, deck)
    layers = [make_shares(secret, deck) for secret in secrets]
    bare = [strip(card, shares).b for card, *shares in zip(deck, *layers, strict=True)]
    return tuple(points.index(point) for point in bare)


def order_finding(
    what: str, shufflers: Sequence[Shuffler], decks: tuple[int, int], *, should_fail: bool = False
) -> Finding:
    """How even the orders are; `decks` is (how many, of how many cards)."""
    trials, size = decks
    counted = Counter(composed(shufflers, size) for _ in range(trials))
    orders = list(permutations(range(size)))
    p = chi_square_p([counted[order] for order in orders], len(orders) - 1)
    return Finding(f"{what}, {trials} decks of {size}", p, should_fail)


def check_orders(trials: int, size: int = DECK) -> Iterator[Finding]:
    """One adversary in every place, and what must not pass."""
    decks = trials, size
    for adversary in ADVERSARIES:
        for place in range(SEATS):
            shufflers: list[Shuffler] = [honest] * SEATS
            shufflers[place] = adversary
            what = f"seat {place} of {SEATS} shuffles its own way ({adversary.__name__})"
            yield order_finding(what, shufflers, decks)
    yield order_finding("nobody is honest", [keep] * SEATS, decks, should_fail=True)
    yield order_finding("seats that cut", [cut] * SEATS, decks, should_fail=True)


def check_naive(trials: int) -> Iterator[Finding]:
    """The usual mistake is small: it takes some thousand decks to see it."""
    yield order_finding("the naive shuffle", [naive], (trials, DECK), should_fail=True)


# ---- whether a card can be followed through its owner's mix ----


class Seen(NamedTuple):
    """Everything public about one mix and the card that was played after it."""

    before: Deck
    after: Deck
    proof: bytes
    played: int  # Its place after the mix.
    share: Point  # What its owner opened it with.
    face: Point


class Trial(NamedTuple):
    """What is seen, and what only the owner knows."""

    seen: Seen
    place: int  # Of the played card before the mix.


Mixer: TypeAlias = Callable[[Point, Deck], tuple[Deck, list[int], bytes]]
Distinguisher: TypeAlias = Callable[[Seen], int]


def mix(key: Point, hand: Deck) -> tuple[Deck, list[int], bytes]:
    """What the program does."""
    after, witness = shuffle(key, hand, fresh_hint())
    proof = prove_shuffle(key, hand, after, witness, CONTEXT)
    verify_shuffle(key, hand, after, proof, CONTEXT)
    return after, witness.permutation, proof


def mix_with_one_mask(key: Point, hand: Deck) -> tuple[Deck, list[int], bytes]:
    """Broken: all cards get the same mask."""
    _, order, _ = mix(key, hand)
    mask = random_scalar()
    return [remask(hand[index], key, mask) for index in order], order, b""


def mix_without_looks(_: Point, hand: Deck) -> tuple[Deck, list[int], bytes]:
    """Broken: only the order changes."""
    order = random.SystemRandom().sample(range(len(hand)), len(hand))
    return [hand[index] for index in order], order, b""


def mix_without_order(key: Point, hand: Deck) -> tuple[Deck, list[int], bytes]:
    """Broken: only the looks change."""
    return keep(key, hand), list(range(len(hand))), b""


def trial(mixer: Mixer) -> Trial:
    """One hand, mixed, and a card of it played."""
    secret = random_scalar()
    key = base(secret)
    faces = [hash_to_point("card", bytes([card])) for card in range(HAND)]
    random.SystemRandom().shuffle(faces)
    before = [remask(open_form(face, key), key, random_scalar()) for face in faces]
    after, order, proof = mixer(key, before)
    played = random.SystemRandom().randrange(HAND)
    (share,) = make_shares(secret, [after[played]])
    face = strip(after[played], [share]).b
    assert face == faces[order[played]], "the card is the one that it was"
    return Trial(Seen(before, after, proof, played, share, face), order[played])


def same_place(seen: Seen) -> int:
    """Who believes that nothing moved."""
    return seen.played


def same_rank(seen: Seen) -> int:
    """Who sorts both hands by their bytes."""
    old, new = (sorted(range(HAND), key=lambda at: hand[at].to_bytes())
                for hand in (seen.before, seen.after))  # fmt: skip
    return old[new.index(seen.played)]


def most_alike(seen: Seen) -> int:
    """Who counts equal bits."""
    now = int.from_bytes(seen.after[seen.played].to_bytes())
    gaps = [(int.from_bytes(card.to_bytes()) ^ now).bit_count() for card in seen.before]
    return gaps.index(min(gaps))


def same_difference(seen: Seen) -> int:
    """Who subtracts every card from every other and looks for what comes up again."""
    gaps = [[new.a - old.a for new in seen.after] for old in seen.before]
    counts = Counter(gap for row in gaps for gap in row)
    found = [counts[row[seen.played]] for row in gaps]
    return found.index(max(found))


def opened_before(seen: Seen) -> int:
    """Who tries the opening on the cards from before the mix."""
    matches = [at for at, card in enumerate(seen.before) if card.b - seen.share == seen.face]
    return matches[0] if matches else seen.played


def in_the_proof(seen: Seen) -> int:
    """Who looks for the cards in the bytes of the proof."""
    at = len(seen.proof) // 2 + seen.played
    wanted = seen.proof[at : at + 1]
    counts = [card.to_bytes().count(wanted) for card in seen.before]
    return counts.index(max(counts))


WISE: Final[tuple[Distinguisher, ...]] = (
    *(same_place, same_rank, most_alike, same_difference, opened_before, in_the_proof),
)


def trained(trials: Sequence[Trial]) -> Distinguisher:
    """Who has learned from other mixes how often each bit of a card stays (naive Bayes)."""
    stays = [[1, 1] for _ in range(8 * 64)]  # By bit: for the same card, for another one.
    counts = [2, 2]
    for seen, place in trials:
        for at, _ in enumerate(seen.before):
            equal = _equal_bits(seen, at)
            kind = int(at != place)
            counts[kind] += 1
            for bit, both in enumerate(stays):
                both[kind] += equal >> bit & 1
    ones = [log(s / counts[0]) - log(o / counts[1]) for s, o in stays]
    zeros = [log(1 - s / counts[0]) - log(1 - o / counts[1]) for s, o in stays]

    def guess(seen: Seen) -> int:
        scores = []
        for at, _ in enumerate(seen.before):
            equal = _equal_bits(seen, at)
            both = enumerate(zip(ones, zeros, strict=True))
            scores.append(sum(one if equal >> bit & 1 else zero for bit, (one, zero) in both))
        return scores.index(max(scores))

    return guess


def _equal_bits(seen: Seen, at: int) -> int:
    """The bits in which the played card is what the card `at` was."""
    old, new = seen.before[at].to_bytes(), seen.after[seen.played].to_bytes()
    return ~(int.from_bytes(old) ^ int.from_bytes(new)) & (1 << 512) - 1


def link_finding(name: str, guess: Distinguisher, trials: Sequence[Trial]) -> Finding:
    """How often somebody is right."""
    hits = sum(guess(seen) == place for seen, place in trials)
    what = f"{name}: {hits} of {len(trials)} cards followed through a mix of {HAND}"
    return Finding(what, binomial_p(hits, len(trials), 1 / HAND))


def check_links(count: int) -> Iterator[Finding]:
    """Every distinguisher at honest mixes, and one at least at every broken one."""
    trials = [trial(mix) for _ in range(count)]
    for guess in WISE:
        yield link_finding(guess.__name__, guess, trials)
    half = count // 2
    yield link_finding("trained", trained(trials[:half]), trials[half:])
    for mixer in (mix_with_one_mask, mix_without_looks, mix_without_order):
        broken = [trial(mixer) for _ in range(max(50, count // 10))]
        best = min((link_finding(guess.__name__, guess, broken) for guess in WISE),
                   key=lambda finding: finding.p)  # fmt: skip
        yield Finding(f"{mixer.__name__}, {best.what}", best.p, should_fail=True)


def main(arguments: list[str]) -> int:
    """Count, and say what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shuffles", type=int, default=5000, help="decks of every kind")
    parser.add_argument("--mixes", type=int, default=2000)
    asked = parser.parse_args(arguments)
    wrong = 0
    checks = check_orders(asked.shuffles), check_naive(asked.shuffles), check_links(asked.mixes)
    for findings in checks:
        for finding in findings:
            print(finding, flush=True)
            wrong += not finding.is_fine
    return 1 if wrong else 0
