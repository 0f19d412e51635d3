"""Who holds which card, and what seats do to it: sections 9 and 10 of the protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.p2p.verifier import proofs
from tests.p2p.verifier.group import Pair, add, base, mul, pieces, point, sub
from tests.p2p.verifier.keys import Keys
from tests.p2p.verifier.log import Entry
from tests.p2p.verifier.reading import Reading
from tests.p2p.verifier.values import need

OPEN, JOINT = "open", "joint"


@dataclass
class Card:
    """A card: who holds it (OPEN, JOINT or a seat), its pair, its face if all have seen it."""

    holder: int | str
    face: int | None
    pair: Pair | None = None
    dealt: str = "never shuffled"
    pile: tuple[int, int] | None = None  # Where and with which cards all shuffled it.


class Cards:
    """All cards of a game."""

    def __init__(self, reading: Reading, keys: Keys) -> None:
        self.reading, self.keys = reading, keys
        self.cards = [Card(OPEN, face) for face in reading.rules.faces]
        self.by_point = {reading.face_point(face): face for face in {*reading.rules.faces}}
        self.opened: list[tuple[int, int, int, str]] = []
        self.unproven: set[int] = set()  # Who has shuffled in the current request, till it proves.
        self.given: dict[Pair, int] = {}  # Joint pairs that were dealt: to whom.

    def copies(self) -> list[Card]:
        return [replace(card) for card in self.cards]

    def key_of(self, holder: int | str) -> bytes:
        return self.keys.joint if holder == JOINT else self.keys.publics[holder]

    def due(self, numbers: list[int], holders: list[int | str]) -> list[Card]:
        return [self.cards[number] for number in numbers if self.cards[number].holder in holders]

    def open_form(self, face: int, key: bytes) -> Pair:
        return base(1), add(self.reading.face_point(face), key)

    # -- A card passes from one to another --

    def hand_over(self, kind: str, numbers: list[int], to: int | str) -> None:
        """`pass` or `return`: every seat that holds some re-keys them."""
        for seat in self.reading.roster.all:
            mine = self.due(numbers, [seat])
            if seat != to and mine:
                self.rekey(kind, seat, mine, to)

    def rekey(self, kind: str, seat: int, mine: list[Card], to: int | str) -> None:
        reading, at = self.reading, self.reading.height
        (entry,) = reading.step(kind, [seat])
        content, proof = reading.items(entry, 2)
        before, after = [card.pair for card in mine], reading.pairs(seat, content, len(mine))
        keys, ctx = (self.keys.publics[seat], self.key_of(to)), reading.ctx(seat, kind, at)
        reading.holds(seat, proofs.rekey, keys, before, after, proof, ctx)
        for card, pair in zip(mine, after, strict=True):
            card.holder, card.pair = to, pair

    # -- Shuffles --

    def shuffle(self, owner: int | None, piles: list[list[int]]) -> None:
        numbers, holder = [n for pile in piles for n in pile], JOINT if owner is None else owner
        self.hand_over("return" if owner is None else "pass", numbers, holder)
        key, at = self.key_of(holder), self.reading.height
        starts = [[self.start(self.cards[n], key) for n in pile] for pile in piles]
        ends = self.shuffle_by_all(starts) if owner is None else self.mix(owner, starts)
        for i, (pile, end) in enumerate(zip(piles, ends, strict=True)):
            for place, (number, pair) in enumerate(zip(pile, end, strict=True)):
                dealt = f"place {place} of pile {i} shuffled at {at}"
                self.cards[number] = Card(holder, None, pair, dealt, (at, i))

    def shuffle_anew(self) -> None:
        """What is JOINT, behind a new key: each among those with which it was shuffled (18.4)."""
        piles: dict[tuple[int, int] | None, list[Card]] = {}
        for card in self.cards:
            if card.holder == JOINT:
                piles.setdefault(card.pile, []).append(card)
        at, decks = self.reading.height, list(piles.values())
        ends = self.shuffle_by_all([[card.pair for card in d] for d in decks]) if decks else []
        for deck, end in zip(decks, ends, strict=True):
            for card, pair in zip(deck, end, strict=True):
                card.pair, card.dealt = pair, f"shuffled again at {at}"

    def start(self, card: Card, key: bytes) -> Pair:
        return card.pair or self.open_form(card.face, key)

    def shuffle_by_all(self, starts: list[list[Pair]]) -> list[list[Pair]]:
        """The rounds, then the proofs."""
        reading, everybody = self.reading, self.reading.roster.all
        n, now, done = len(everybody), list(starts), {}
        self.unproven.clear()
        for r in range(n):
            turns = {j: [i for i in range(len(now)) if (i + r) % n == j] for j in everybody}
            at, writers = reading.height, [j for j in everybody if turns[j]]
            for entry in reading.step("shuffle", writers):
                decks = self.decks(entry, [now[i] for i in turns[entry.seat]])
                for i, after in zip(turns[entry.seat], decks, strict=True):
                    done[entry.seat, i] = (now[i], after, at)
                    now[i] = after
            self.unproven.update(writers)
        for entry in reading.step("prove", everybody):
            for i, proof in enumerate(reading.items(entry, len(now))):
                before, after, at = done[entry.seat, i]
                ctx, key = reading.ctx(entry.seat, f"shuffle {i}", at), self.keys.joint
                reading.holds(entry.seat, proofs.shuffle, key, before, after, proof, ctx)
        self.unproven.clear()
        return now

    def decks(self, entry: Entry, before: list[list[Pair]]) -> list[list[Pair]]:
        """What a seat has made of piles, each with the hint behind it."""
        bodies = self.reading.items(entry, len(before))
        whole = all(isinstance(body, bytes) and len(body) % 64 == 32 for body in bodies)
        self.reading.need(whole, "a deck of another form", entry.seat)
        return [
            self.reading.pairs(entry.seat, body[:-32], len(pile))
            for body, pile in zip(bodies, before, strict=True)
        ]

    def mix(self, owner: int, starts: list[list[Pair]]) -> list[list[Pair]]:
        reading, at, ends = self.reading, self.reading.height, []
        (entry,) = reading.step("mix", [owner])
        bodies = reading.items(entry, len(starts))
        for i, (body, before) in enumerate(zip(bodies, starts, strict=True)):
            reading.need(isinstance(body, list) and len(body) == 2, "a body", owner)
            after, key = reading.pairs(owner, body[0], len(before)), self.keys.publics[owner]
            ctx = reading.ctx(owner, f"shuffle {i}", at)
            reading.holds(owner, proofs.shuffle, key, before, after, body[1], ctx)
            ends.append(after)
        return ends

    # -- Shares --

    def shares(self, entry: Entry, pairs: list[Pair], at: int) -> list[bytes]:
        """The layers of a seat over these pairs, proven."""
        reading, seat = self.reading, entry.seat
        content, proof = reading.items(entry, 2)
        with reading.of(seat):
            shown = [point(piece) for piece in pieces(content)]
            need(len(shown) == len(pairs), "another number of shares")
        public, ctx = self.keys.publics[seat], reading.ctx(seat, entry.kind, at)
        reading.holds(seat, proofs.shares, public, pairs, shown, proof, ctx)
        return shown

    def stripped(self, kind: str, writers: list[int], pairs: list[Pair]) -> list[Pair]:
        """The same pairs without the layers of these seats: one step."""
        at, now = self.reading.height, pairs
        for entry in self.reading.step(kind, writers):
            off = self.shares(entry, pairs, at)
            now = [(a, sub(b, share)) for (a, b), share in zip(now, off, strict=True)]
        return now

    def reveal_to(self, seat: int, numbers: list[int]) -> None:
        joint = self.due(numbers, [JOINT])
        if joint:
            self.mask_anew([card for card in joint if self.given.get(card.pair, seat) != seat])
            self.given.update({card.pair: seat for card in joint})
            writers = [j for j in self.reading.roster.all if j != seat]
            bare = self.stripped("share", writers, [card.pair for card in joint])
            for card, pair in zip(joint, bare, strict=True):
                card.holder, card.pair = seat, pair
        self.hand_over("pass", numbers, seat)

    def mask_anew(self, cards: list[Card]) -> None:
        """Cards that were dealt to another seat before the table went back."""
        piles = self.shuffle_by_all([[card.pair] for card in cards]) if cards else []
        for card, (pair,) in zip(cards, piles, strict=True):
            card.pair = pair

    def reveal_to_all(self, numbers: list[int]) -> list[int]:
        at, everybody = self.reading.height, self.reading.roster.all
        joint = self.due(numbers, [JOINT])
        writers = [j for j in everybody if joint or self.due(numbers, [j])]
        bare = {n: self.cards[n].pair for n in numbers if self.cards[n].holder != OPEN}
        for entry in self.reading.step("open", writers) if bare else []:
            mine = [n for n in numbers if self.cards[n].holder in (JOINT, entry.seat)]
            shown = self.shares(entry, [self.cards[n].pair for n in mine], at)
            for number, share in zip(mine, shown, strict=True):
                bare[number] = bare[number][0], sub(bare[number][1], share)
        for number, (_, message) in bare.items():
            self.show(number, message, at)
        return [self.cards[number].face for number in numbers]

    def show(self, number: int, message: bytes, at: int) -> None:
        face = self.by_point.get(message)
        need(face is not None, f"card {number} has no face")
        dealt = self.cards[number].dealt
        self.opened.append((at, number, face, dealt))
        self.cards[number] = Card(OPEN, face, None, dealt, self.cards[number].pile)

    def read(self, pair: Pair, secret: int) -> int | None:
        """What the seat with this secret reads on a card of its own."""
        a, b = pair
        return self.by_point.get(sub(b, mul(secret, a)))

    # -- Keys that change --

    def show_new_key(self, seat: int, secret: int) -> None:
        """A seat has a new key (18.4): JOINT cards change, and those that it holds."""
        joint = [card for card in self.cards if card.holder == JOINT]
        added = self.keys.shown_anew(seat, [card.pair for card in joint])
        for card, (c, d) in zip(joint, added, strict=True):
            card.pair = add(card.pair[0], c), d
        named = self.keys.returning.pop(seat)
        for card in self.due(list(range(len(self.cards))), [seat]):
            a, b = card.pair
            card.pair = base(1), add(sub(b, mul(secret, a)), named)
        self.keys.replace(seat, named)
        del self.keys.secrets[seat]

    def close_again(self, then: list[Card]) -> None:
        """What has become OPEN since is held as it was then, in a form that all know."""
        for number, was in enumerate(then):
            now = self.cards[number]
            if was.holder != OPEN and now.holder == OPEN:
                pair = self.open_form(now.face, self.key_of(was.holder))
                self.cards[number] = Card(was.holder, None, pair, was.dealt, was.pile)
