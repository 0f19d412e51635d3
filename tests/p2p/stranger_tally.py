"""Strikes and blindings, written from `docs/spec/protocol.md` alone: see `tests.p2p.stranger`."""

from __future__ import annotations

from tests.p2p.stranger import (
    G,
    L,
    Pair,
    Transcript,
    flat,
    less,
    pairs,
    rekeying,
    scalars,
    times,
    total,
    weighted,
)

Rows = list[tuple[bytes, list[Pair]]]  # Of every face: its point, and its rows.


def full(key: bytes, faces: list[tuple[bytes, int]]) -> Rows:
    """A stock of which nothing is struck."""
    return [(face, [(G, total(face, key))] * count) for face, count in faces]


def subtracted(
    keys: tuple[bytes, bytes], tally: Rows, held: list[Pair], context: bytes, said: bytes
) -> Rows:
    """What a strike leaves of a stock."""
    (owner, key), counts = keys, [len(rows) for _, rows in tally]
    cuts = [64 * len(held), 64 * len(tally), 64 * sum(counts), 96]
    parts, rest = [], said
    for size in cuts:
        parts.append(rest[:size])
        rest = rest[size:]
    cards, tallies, fresh = pairs(parts[0]), pairs(parts[1]), pairs(parts[2])
    rekeying((owner, key), held, cards, context, parts[3])
    for half in (0, 1):
        assert total(*(pair[half] for pair in cards)) == total(*(pair[half] for pair in tallies))
    transcript = Transcript("hostless/strike/1", context)
    transcript.absorb("keys", owner, key)
    transcript.absorb("faces", b"".join(face for face, _ in tally))
    transcript.absorb("sizes", b"".join(count.to_bytes(4, "little") for count in counts))
    transcript.absorb("stock", flat([row for _, rows in tally for row in rows]))
    transcript.absorb("held", flat(held))
    transcript.absorb("said", b"".join(parts))
    power, numbers = transcript.challenge("power"), scalars(rest)
    widths = [min(len(held), count) + 1 for count in counts]
    assert len(numbers) == 2 * sum(widths)
    challenges, responses = numbers[: sum(widths)], numbers[sum(widths) :]
    after: Rows = []
    for at, (face, rows) in enumerate(tally):
        mine = fresh[sum(counts[:at]) : sum(counts[: at + 1])]
        after.append((face, mine))
        for number in range(widths[at]):
            gap = _gap((key, face, power), number, (tallies[at], mine, rows))
            place = sum(widths[:at]) + number
            challenge, response = challenges[place], responses[place]
            first = less(times(response, G), times(challenge, gap[0]))
            second = less(times(response, key), times(challenge, gap[1]))
            transcript.absorb("commitments", first, second)
    whole = transcript.challenge("challenge")
    for at, width in enumerate(widths):
        assert sum(challenges[sum(widths[:at]) :][:width]) % L == whole
    return after


def _gap(
    about: tuple[bytes, bytes, int], number: int, parts: tuple[Pair, list[Pair], list[Pair]]
) -> Pair:
    (key, face, power), (tally, fresh, rows) = about, parts
    powers = [pow(power, at, L) for at in range(1, len(rows) + 1)]
    before = [(G, key)] * number + rows[: len(rows) - number]
    halves = []
    for half in (0, 1):
        gaps = [less(now[half], was[half]) for now, was in zip(fresh, before, strict=True)]
        halves.append(total(tally[half], weighted(powers, gaps)))
    return halves[0], less(halves[1], times(number, face))


def blinded(cards: list[Pair], context: bytes, said: bytes) -> list[Pair]:
    """What a seat has made of cards."""
    raised = pairs(said[: 64 * len(cards)])
    challenge, *responses = scalars(said[64 * len(cards) :])
    transcript = Transcript("hostless/blind/1", context)
    transcript.absorb("cards", flat(cards))
    transcript.absorb("raised", flat(raised))
    for old, new, response in zip(cards, raised, responses, strict=True):
        gaps = (
            less(times(response, a), times(challenge, b)) for a, b in zip(old, new, strict=True)
        )
        transcript.absorb("commitments", *gaps)
    assert transcript.challenge("challenge") == challenge
    return raised
