"""A second reader of a game of beads, written from `docs/spec/protocol.md` alone.

It shares nothing with the program but libsodium: if the document left something out, or said it
wrongly, this would not accept what the program wrote.  The numbers in the text are its sections.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2p.crypto import sodium

L: Final = 2**252 + 27742317777372353535851937790883648493
G: Final = sodium.multiply_base((1).to_bytes(32, "little"))
Pair = tuple[bytes, bytes]
FACES: Final = 3
DECK: Final = range(12)


def scalar(number: int) -> bytes:
    return (number % L).to_bytes(32, "little")


def times(number: int, point: bytes) -> bytes:
    return sodium.multiply(scalar(number), point)


def total(*points: bytes) -> bytes:
    found = bytes(32)
    for point in points:
        found = sodium.add(found, point)
    return found


def weighted(numbers: Sequence[int], points: Sequence[bytes]) -> bytes:
    return total(*(times(number, point) for number, point in zip(numbers, points, strict=True)))


def less(point: bytes, other: bytes) -> bytes:
    return sodium.subtract(point, other)


def cut(joined: bytes, size: int = 32) -> list[bytes]:
    assert joined and len(joined) % size == 0
    return [joined[at : at + size] for at in range(0, len(joined), size)]


def points(joined: bytes) -> list[bytes]:
    found = cut(joined)
    assert all(sodium.is_valid(point) and point != bytes(32) for point in found)
    return found


def pairs(joined: bytes) -> list[Pair]:
    found = points(joined)
    return list(zip(found[::2], found[1::2], strict=True))


def scalars(joined: bytes) -> list[int]:
    found = [int.from_bytes(each, "little") for each in cut(joined)]
    assert all(number < L for number in found)
    return found


def flat(cards: Sequence[Pair]) -> bytes:
    return b"".join(a + b for a, b in cards)


# ---- section 11 ----


def framed(label: str, value: bytes) -> bytes:
    name = label.encode()
    return len(name).to_bytes(4, "little") + name + len(value).to_bytes(8, "little") + value


def hashed(size: int, label: str, *values: bytes) -> bytes:
    said = framed(label, b"") + b"".join(framed("field", value) for value in values)
    return hashlib.shake_256(said).digest(size)


def point_of(label: str, *values: bytes) -> bytes:
    return sodium.from_hash(hashed(64, label, *values))


class Transcript:
    def __init__(self, protocol: str, context: bytes) -> None:
        self.state = framed(protocol, context)

    def absorb(self, label: str, *values: bytes) -> None:
        self.state += b"".join(framed(label, value) for value in values)

    def challenges(self, label: str, count: int) -> list[int]:
        self.absorb("challenge", label.encode(), count.to_bytes(4, "little"))
        drawn = hashlib.shake_256(self.state).digest(64 * count)
        starts = range(0, 64 * count, 64)
        return [int.from_bytes(drawn[at : at + 64], "little") % L for at in starts]

    def challenge(self, label: str) -> int:
        return self.challenges(label, 1)[0]

    def weights(self, count: int) -> list[int]:
        return [1, *self.challenges("weights", count - 1)]


def committed(numbers: Sequence[int], blinding: int) -> bytes:
    label = "hostless/commitment bases/1"
    bases = [point_of(label, at.to_bytes(4, "little")) for at in range(len(numbers))]
    return total(times(blinding, G), weighted(numbers, bases))


# ---- section 12 ----


def possession(key: bytes, context: bytes, proof: bytes) -> None:
    challenge, response = scalars(proof)
    said = Transcript("hostless/possession/1", context)
    said.absorb("public", key)
    said.absorb("commitment", less(times(response, G), times(challenge, key)))
    assert said.challenge("challenge") == challenge


def shares(key: bytes, cards: list[Pair], given: list[bytes], context: bytes, proof: bytes) -> None:
    challenge, response = scalars(proof)
    said = Transcript("hostless/shares/1", context)
    said.absorb("public", key)
    said.absorb("cards", flat(cards))
    said.absorb("shares", b"".join(given))
    weights = said.weights(len(cards))
    old, new = weighted(weights, [a for a, _ in cards]), weighted(weights, given)
    first = less(times(response, G), times(challenge, key))
    second = less(times(response, old), times(challenge, new))
    said.absorb("commitments", first, second)
    assert said.challenge("challenge") == challenge


def rekeying(
    keys: tuple[bytes, bytes], old: list[Pair], new: list[Pair], context: bytes, proof: bytes
) -> None:
    challenge, response, mask = scalars(proof)
    owner, target = keys
    said = Transcript("hostless/rekey/1", context)
    said.absorb("keys", owner, target)
    said.absorb("inputs", flat(old))
    said.absorb("outputs", flat(new))
    weights = said.weights(len(old))
    joined_old = weighted(weights, [a for a, _ in old])
    joined_new = weighted(weights, [a for a, _ in new])
    gaps = [less(was, now) for (_, was), (_, now) in zip(old, new, strict=True)]
    first = less(times(response, G), times(challenge, owner))
    second = less(times(mask, G), times(challenge, joined_new))
    gap = times(challenge, weighted(weights, gaps))
    third = less(less(times(response, joined_old), times(mask, target)), gap)
    said.absorb("commitments", first, second, third)
    assert said.challenge("challenge") == challenge


def membership(
    key: bytes, cards: list[Pair], faces: list[bytes], context: bytes, proof: bytes
) -> None:
    numbers, count = scalars(proof), len(cards) * len(faces)
    assert len(numbers) == 2 * count
    said = Transcript("hostless/membership/1", context)
    said.absorb("public", key)
    said.absorb("cards", flat(cards))
    said.absorb("allowed", b"".join(faces))
    for at in range(count):
        (a, b), face = cards[at // len(faces)], faces[at % len(faces)]
        challenge, response = numbers[at], numbers[count + at]
        first = less(times(response, G), times(challenge, key))
        second = less(times(response, a), times(challenge, less(b, face)))
        said.absorb("commitments", first, second)
    whole = said.challenge("challenge")
    for start in range(0, count, len(faces)):
        assert sum(numbers[start : start + len(faces)]) % L == whole


def shuffling(key: bytes, old: list[Pair], new: list[Pair], context: bytes, proof: bytes) -> None:
    count = len(old)
    assert len(new) == count
    assert len(proof) == 96 * count + 288
    order, cover, card_a, card_b, *content = points(proof[: 7 * 32])
    mask, *others = scalars(proof[7 * 32 :])
    answers, others = others[:count], others[count:]
    said = Transcript("hostless/shuffle/1", context)
    said.absorb("key", key)
    said.absorb("inputs", flat(old))
    said.absorb("outputs", flat(new))
    said.absorb("order", order)
    said.absorb("cover", cover, card_a + card_b)
    questions = said.challenges("questions", count)
    said.absorb("answers", b"".join(map(scalar, [mask, *answers])))
    factor = said.challenge("factor")
    held = total(times(factor, order), cover, committed(answers, 0))
    known = [factor * at + question for at, question in enumerate(questions)]
    known_content(said, held, known, content, others)
    for part, card, due in ((0, card_a, G), (1, card_b, key)):
        out = weighted(answers, [pair[part] for pair in new])
        into = weighted(questions, [pair[part] for pair in old])
        assert total(less(out, into), card) == times(mask, due)


def known_content(
    said: Transcript, held: bytes, known: list[int], content: list[bytes], numbers: list[int]
) -> None:
    count, (cover, cross, links) = len(known), content
    root = said.challenge("root")
    said.absorb("content", b"".join(content))
    challenge = said.challenge("content")
    blinding, step_blinding = numbers[:2]
    responses, steps = numbers[2 : 2 + count], numbers[2 + count :]
    assert len(steps) == count - 1
    assert total(times(challenge, held), cover) == committed(responses, blinding)
    assert total(times(challenge, links), cross) == committed(steps, step_blinding)
    inverse, product = pow(challenge, -1, L), responses[0] - challenge * root
    for response, step in zip(responses[1:], steps, strict=True):
        product = (product * (response - challenge * root) + step) * inverse % L
    expected = challenge
    for number in known:
        expected = expected * (number - root) % L
    assert product % L == expected


# ---- sections 7 to 10, for a game of beads ----


@dataclass
class Reader:
    """What has been read of a game so far."""

    roster: list[Any]
    entries: Iterator[bytes]
    height: int = 0
    heads: list[bytes] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    cards: dict[int, Pair] = field(default_factory=dict)
    sealed: dict[int, tuple[bytes, bytes, int]] = field(default_factory=dict)
    hints: list[tuple[int, bytes]] = field(default_factory=list)  # Nobody without keys needs them.

    def __post_init__(self) -> None:
        said = cbor2.dumps(self.roster, canonical=True)
        self.game = hashlib.sha256(b"hostless game" + said).digest()
        self.answered, self.place, self.read = self.game, 0, list[bytes]()
        self.seats = tuple(range(len(self.roster[5])))
        self.epochs = [0] * len(self.seats)
        self.signers = [seat[0] for seat in self.roster[5]]
        self.faces = [point_of("face", self.game, at.to_bytes(2, "big")) for at in range(FACES)]

    def context(self, seat: int, purpose: str, height: int | None = None) -> bytes:
        at = self.height if height is None else height
        said = ["hostless/1", self.game, at, seat, purpose]
        return hashlib.sha256(cbor2.dumps(said, canonical=True)).digest()

    def step(self, kind: str, *seats: int) -> list[Any]:
        """The bodies of one step, and its entries into the log; contexts remain the step's."""
        bodies = []
        for seat in seats:
            raw = next(self.entries)
            payload, signature = cbor2.loads(raw)
            identity = Ed25519PublicKey.from_public_bytes(self.signers[seat])
            identity.verify(signature, b"hostless entry" + payload)
            place, (said_kind, body) = cbor2.loads(payload)[:6], cbor2.loads(payload)[6:]
            here = [self.game, seat, self.epochs[seat], self.place, self.answered]
            assert [*place[:5], said_kind] == [*here, kind]
            assert len(place[5]) == 48
            self.read.append(hashlib.sha256(b"hostless entry" + raw).digest())
            bodies.append(body)
        return bodies

    def go_on(self) -> None:
        """What follows answers all that was read until here."""
        self.place += len(self.read)
        said = b"hostless head" + self.answered + b"".join(self.read)
        self.answered, self.read = hashlib.sha256(said).digest(), []
        self.heads.append(self.answered)

    def close(self) -> None:
        """Go on to the next step."""
        if self.read:
            self.go_on()
        self.height = self.place

    # ---- one kind after the other ----

    def read_keys(self) -> None:
        seals = self.step("key seal", *self.seats)
        self.close()
        for seat, (key, proof, salt) in enumerate(self.step("key", *self.seats)):
            self.check_opening(seals[seat], (self.context(0, "key", 0), seat), salt, key)
            possession(key, self.context(seat, "possession", 0), proof)
            self.keys.append(key)
        self.close()
        self.joint = total(*self.keys)

    @staticmethod
    def check_opening(seal: bytes, by: tuple[bytes, int], salt: bytes, value: bytes) -> None:
        context, seat = by
        fields = (context, seat.to_bytes(4, "little"), salt, value)
        assert seal == hashed(32, "hostless/commit/1", *fields)

    def read_mix(self, seat: int, pile: list[int]) -> None:
        (((joined, proof),),) = self.step("mix", seat)
        old, new = [self.cards[card] for card in pile], pairs(joined)
        shuffling(self.keys[seat], old, new, self.context(seat, "shuffle 0"), proof)
        self.cards.update(zip(pile, new, strict=True))
        self.close()

    def read_shuffles(self, piles: list[list[int]]) -> None:
        """By all seats: the decks, every pile beginning with another seat, then all proofs."""
        decks = self.read_decks([[self.cards[card] for card in pile] for pile in piles])
        for pile, deck in zip(piles, decks, strict=True):
            self.cards.update(zip(pile, deck, strict=True))

    def read_decks(self, decks: list[list[Pair]]) -> list[list[Pair]]:
        """What all seats together make of decks."""
        due: dict[tuple[int, int], tuple[list[Pair], list[Pair], bytes]] = {}
        for turn in self.seats:
            parts = {seat: [at for at in range(len(decks))
                            if (at + turn) % len(self.seats) == seat]
                     for seat in self.seats}  # fmt: skip
            writers = [seat for seat in self.seats if parts[seat]]
            for seat, body in zip(writers, self.step("shuffle", *writers), strict=True):
                for at, said in zip(parts[seat], body, strict=True):
                    joined, hint = said[:-32], said[-32:]
                    self.hints.append((seat, hint))
                    context = self.context(seat, f"shuffle {at}")
                    due[seat, at] = decks[at], pairs(joined), context
                    decks[at] = pairs(joined)
            self.close()
        for seat, proofs in enumerate(self.step("prove", *self.seats)):
            for at, proof in zip(range(len(decks)), proofs, strict=True):
                shuffling(self.joint, *due[seat, at], proof)
        self.close()
        return decks

    def read_shares(self, kind: str, wanted: dict[int, list[int]]) -> None:
        """Every seat takes its layer off its cards."""
        bodies, old = self.step(kind, *wanted), dict(self.cards)
        for (seat, cards), (joined, proof) in zip(wanted.items(), bodies, strict=True):
            given, due = points(joined), [old[card] for card in cards]
            shares(self.keys[seat], due, given, self.context(seat, kind), proof)
            for card, share in zip(cards, given, strict=True):
                a, b = self.cards[card]
                self.cards[card] = (a, less(b, share))
        self.close()

    def read_rekeying(self, kind: str, seat: int, target: bytes, cards: list[int]) -> None:
        ((joined, proof),) = self.step(kind, seat)
        old, new, keys = (
            [self.cards[card] for card in cards],
            pairs(joined),
            (self.keys[seat], target),
        )
        rekeying(keys, old, new, self.context(seat, kind), proof)
        self.cards.update(zip(cards, new, strict=True))
        self.close()

    def read_roll(self, sides: int) -> int:
        seed = self.read_values("roll")
        size = 8 + (sides.bit_length() + 7) // 8
        for attempt in range(100):
            fields = (seed, sides.to_bytes(9, "little"), attempt.to_bytes(4, "little"))
            drawn = int.from_bytes(hashed(size, "hostless/draw/1", *fields), "little")
            if drawn < 256**size // sides * sides:
                return drawn % sides
        raise AssertionError("a hundred rejections are no chance")

    def read_values(self, kind: str) -> bytes:
        """What all draw together."""
        place, bodies = self.context(0, kind), self.step(kind, *self.seats)
        values = [self.value_of(seat, kind, body) for seat, body in enumerate(bodies)]
        self.close()
        return hashed(32, "hostless/mix/1", place, *values)

    def value_of(self, seat: int, purpose: str, body: bytes, height: int | None = None) -> bytes:
        """What the key of a seat gives at a place, proven."""
        assert len(body) == 96
        urn = point_of("hostless/lot/1", self.context(0, purpose, height))
        context = self.context(seat, purpose, height)
        shares(self.keys[seat], [(urn, urn)], points(body[:32]), context, body[32:])
        return body[:32]

    def read_vrf_values(self, *players: int) -> None:
        """What all draw before a bot chooses; in a game of beads nobody chooses twice running."""
        if any(self.is_bot(player) for player in players):
            self.read_values("lot")

    def read_opened_keys(self) -> None:
        writers = [seat for seat in self.seats if self.is_bot(seat) or self.roster[6]]
        for seat, secret in zip(writers, self.step("open keys", *writers), strict=True):
            (number,) = scalars(secret)
            assert times(number, G) == self.keys[seat]
        self.close()

    def is_bot(self, seat: int) -> bool:
        return self.roster[5][seat][3] is not None

    def read_bids(self) -> list[int]:
        """Persons seal; lots are drawn; bots seal; all open."""
        self.read_seals([seat for seat in self.seats if not self.is_bot(seat)])
        self.read_vrf_values(*self.seats)
        self.read_seals([seat for seat in self.seats if self.is_bot(seat)])
        bids = []
        for seat, (action, proven) in enumerate(self.step("unseal", *self.seats)):
            value = cbor2.dumps(action, canonical=True)
            seal, context, height = self.sealed[seat]
            salt = self.value_of(seat, "salt", proven, height)
            self.check_opening(seal, (context, seat), salt, value)
            bids.append(action[2])
        self.close()
        return bids

    def read_seals(self, seats: list[int]) -> None:
        if seats:
            seals, context = self.step("seal", *seats), self.context(0, "secret")
            kept = [(seal, context, self.height) for seal in seals]
            self.sealed.update(zip(seats, kept, strict=True))
            self.close()

    def face_of(self, card: int) -> int:
        return self.faces.index(self.cards[card][1])


def read_beads(roster: list[Any], entries: Iterator[bytes]) -> tuple[list[bytes], Any]:
    """The heads of a whole game of two seats and the result that they signed, all checked."""
    reader = Reader(roster, entries)
    gained = read_until_giving(reader)
    return read_rest(reader, read_giving(reader), gained)


def read_until_giving(reader: Reader) -> list[int]:
    """Up to where seat 1 is to choose what it gives; the points until then."""
    reader.read_keys()
    halves = [list(DECK[:6]), list(DECK[6:])]
    for card in DECK:
        reader.cards[card] = (G, total(reader.faces[card % FACES], reader.joint))
    reader.read_shuffles(halves)
    reader.read_shares("share", {1: [11, 10]})
    reader.read_shares("share", {0: [9, 8]})
    reader.read_mix(0, [11, 10])
    points_won = reader.read_roll(6)
    bids = reader.read_bids()
    reader.read_vrf_values(0)
    read_claim(reader)
    return [bids[0] + points_won, bids[1]]


def read_giving(reader: Reader) -> int:
    """Up to where seat 0 is to choose what it plays; the bead that it was given."""
    reader.read_vrf_values(1)
    (((_, (given,), _), _),) = reader.step("choose", 1)
    reader.close()
    reader.read_rekeying("pass", 1, reader.keys[0], [given])
    return int(given)


def read_rest(reader: Reader, given: int, scores: list[int]) -> tuple[list[bytes], Any]:
    """From there to the end: the heads, and the result that all signed."""
    reader.read_vrf_values(0)
    (((_, (played,), _), _),) = reader.step("choose", 0)
    reader.close()
    reader.read_shares("open", {0: [played]})
    assert reader.face_of(played) in range(FACES)
    kept = 8 + 9 - given
    reader.read_rekeying("return", 1, reader.joint, [kept])
    reader.read_shuffles([[*DECK[:8], kept]])
    reader.read_shares("open", {0: [kept], 1: [kept]})
    assert reader.face_of(kept) in range(FACES)
    results = reader.step("finish", 0, 1)
    winners = [seat for seat in (0, 1) if scores[seat] == max(scores)]
    assert results == [[scores, winners]] * 2
    reader.close()
    reader.read_opened_keys()
    assert next(reader.entries, None) is None
    return reader.heads, results[0]


def read_claim(reader: Reader) -> None:
    """Seat 0 claims that a bead of its own is of one face or the next."""
    (((verb, cards, number), proof),) = reader.step("choose", 0)
    assert verb == "say"
    allowed = [reader.faces[number], reader.faces[(number + 1) % FACES]]
    due = [reader.cards[card] for card in cards]
    membership(reader.keys[0], due, allowed, reader.context(0, "claim"), proof)
    reader.close()
