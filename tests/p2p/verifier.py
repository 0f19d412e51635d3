"""A game file checked from `docs/spec/protocol.md` alone; imports nothing of the project.

`Audit(content).run()` checks what needs no rules of a game: frames, roster, chain, signatures,
keys, seals, draws, every shuffle but what it began with.  `Audit(content, rules).run()` also asks
`rules` what comes next, and checks every card.  Such rules are an object with

    faces                  the face of each card, when all are still open
    request(events)        ("choice", seat)  ("secret", [seat, ..])  ("roll", sides)
                           ("shuffle", owner or None, [[card, ..], ..])
                           ("reveal", owner or None, [card, ..])  ("over", [scores], [winners])
    claim(events, action)  (cards, allowed faces) that the action claims of hidden cards, or None
    state(events)          the six sections of the public state (7.2), each as lists of integers

where `events` are the answers so far: ("choice", action), ("secret", [action, ..]),
("roll", number), ("shuffle",), ("reveal", [face, ..] or None).  Not here: sections 18 and 19, void
choices, and whether a choice was one that hidden cards allowed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from tests.p2p import verifier_proofs as proofs
from tests.p2p.verifier_log import Ended, Entry, Log, Roster, judge_records, read_entry
from tests.p2p.verifier_proofs import (
    NOTHING,
    Pair,
    Refused,
    add,
    base,
    encode,
    frames,
    little,
    mul,
    need,
    pairs_of,
    pieces,
    point,
    scalar,
    signed,
    sub,
    to_point,
    total,
    wide,
)

# -- Sections 9 and 10: what the entries say ------------------------------------------------------


def digest_of(state: Sequence[Sequence[Sequence[int]]]) -> bytes:
    """Section 7.2, of six sections of lists."""
    digest = b""
    for lists in state:
        numbers = [number for each in lists for number in (len(each), *each)]
        packed = b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)
        digest += sha256(packed).digest()[:8]
    return digest


@dataclass
class Card:
    """A card: who holds it ("open", "joint" or a seat), its pair, its face if all have seen it."""

    holder: int | str
    face: int | None
    pair: Pair | None = None
    dealt: str = "never shuffled"


class Audit:
    """One reading of a file.  `opened` is what was shown: (height, card, face, how)."""

    def __init__(self, content: bytes, rules: Any = None) -> None:
        (self.first, *self.records), self.rules = frames(content), rules
        need(self.first[:1] == ["roster"] and len(self.first) == 2, "no roster at the beginning")
        self.roster = Roster(self.first[1])
        held = [record[1] for record in self.records if record[0] == "entry"]
        self.log = Log(self.roster, [read_entry(entry, self.roster) for entry in held])
        self.cards = [Card("open", face) for face in (rules.faces if rules else [])]
        self.events: list[Any] = []
        self.stood: dict[int, tuple[list[Card], int]] = {}
        self.lots_for: int | None = None
        self.opened: list[tuple[int, int, int, str]] = []
        self.secrets: dict[int, int] = {}
        self.seals: dict[int, tuple[int, bytes]] = {}
        self.proofs, self.result, self.missing = 0, None, ""

    def run(self) -> Audit:
        try:
            self.read()
            need(self.log.height == len(self.log.entries), "something stands behind the end")
        except Ended as ended:
            self.missing = str(ended)
        judge_records(self.records, self.log, self.result is not None)
        return self

    def read(self) -> None:
        self.agree_on_keys()
        if self.roster.escrow:
            self.put_in_escrow()
        while self.result is None:
            (self.answer if self.rules else self.look)()
        self.open_keys()

    # Contexts and what is said once.

    def ctx(self, seat: int, purpose: str, height: int) -> bytes:
        return sha256(encode(["hostless/1", self.roster.id, height, seat, purpose])).digest()

    @contextmanager
    def of(self, seat: int) -> Iterator[None]:
        """Whatever is refused in here is held against the seat that signed it."""
        try:
            yield
        except Refused as wrong:
            raise Refused(seat, str(wrong)) from None

    def holds(self, seat: int, check: Any, *said: Any) -> None:
        """One proof of a seat."""
        with self.of(seat):
            check(*said)
        self.proofs += 1

    def step(self, kind: str, writers: Sequence[int]) -> list[Entry]:
        """The next entries, with the digest of the public state as the rules have it."""
        step = self.log.step(kind, list(writers))
        if kind not in ("key seal", "key"):
            due = digest_of(self.rules.state(self.events)) if self.rules else step[0].digest
            for entry in step:
                blamed = entry.seat if self.rules else None
                need(entry.digest == due, "a digest of another state", blamed)
        return step

    def face_point(self, face: int) -> bytes:
        return to_point("face", self.roster.id, face.to_bytes(2, "big"))

    def commitment(self, seat: int, context: bytes, salt: bytes, value: bytes) -> bytes:
        return wide("hostless/commit/1", 32, context, little(seat, 4), salt, value)

    def agree_on_keys(self) -> None:
        sealed = self.step("key seal", self.roster.all)
        self.keys = []
        for seal, entry in zip(sealed, self.step("key", self.roster.all), strict=True):
            seat, (public, proof, salt) = entry.seat, self.items(entry, 3)
            need(isinstance(salt, bytes) and len(salt) == 32, "a salt that is none", seat)
            with self.of(seat):
                point(public)
            said = self.commitment(seat, self.ctx(0, "key", 0), salt, public)
            need(seal.body == said, "the key is not the sealed one", seat)
            self.holds(seat, proofs.possession, public, proof, self.ctx(seat, "possession", 0))
            self.keys.append(public)
        self.key = total(self.keys)
        need(self.key != NOTHING, "the keys add up to nothing", self.roster.live[-1])

    def put_in_escrow(self) -> None:
        live, at = self.roster.live, self.log.height
        boxes = {}
        for entry in self.step("escrow key", live):
            boxes[entry.seat], proof = self.items(entry, 2)
            with self.of(entry.seat):
                point(boxes[entry.seat])
            ctx = self.ctx(entry.seat, "escrow", at)
            self.holds(entry.seat, proofs.possession, boxes[entry.seat], proof, ctx)
        for entry in self.step("escrow", live):
            others = [boxes[seat] for seat in live if seat != entry.seat]
            mine, ctx = self.keys[entry.seat], self.ctx(entry.seat, "escrow", at)
            self.holds(entry.seat, proofs.escrow, mine, others, entry.body, ctx)

    def items(self, entry: Entry, count: int) -> list[Any]:
        need(isinstance(entry.body, list) and len(entry.body) == count, "a body", entry.seat)
        return entry.body

    def drawn(self, seat: int, content: Any, purpose: str, height: int) -> bytes:
        need(isinstance(content, bytes) and len(content) == 96, "a draw of another length", seat)
        b = to_point("hostless/lot/1", self.ctx(0, purpose, height))
        with self.of(seat):
            point(content[:32])
        mine = self.ctx(seat, purpose, height)
        value, proof = content[:32], content[32:]
        self.holds(seat, proofs.shares, self.keys[seat], [(b, b)], [value], proof, mine)
        return value

    # Without the rules: what the entries are tells which request they answer.

    def look(self) -> None:
        step = self.log.coming()
        if not step:
            need(self.log.height == len(self.log.entries), "an entry that answers another log")
            raise Ended("the game is not over")
        kind, writers = step[0].kind, [entry.seat for entry in step]
        if kind == "shuffle":
            piles = sum(len(entry.body) for entry in step)
            self.shuffle_all([None] * piles)
        elif kind == "finish":
            self.ask_over(None, None)
        else:
            self.without_cards(kind, writers)

    def without_cards(self, kind: str, writers: list[int]) -> None:
        at = self.log.height
        step = self.step(kind, writers)
        for entry in step:
            if kind in ("roll", "lot"):
                self.drawn(entry.seat, entry.body, kind, at)
            elif kind == "seal":
                self.seals[entry.seat] = (at, entry.body)
            elif kind == "unseal":
                self.unseal(entry)
            known = ("share", "open", "pass", "return", "mix", "choose", "escrow key", "escrow")
            other = kind in ("roll", "lot", "seal", "unseal")
            need(other or kind in known, f"`{kind}` is no kind of entry", entry.seat)

    # With the rules: each request has its steps.

    def answer(self) -> None:
        kind, *rest = self.rules.request(self.events)
        event = getattr(self, "ask_" + kind)(*rest)
        if event is not None:
            self.events.append(event)

    def lots(self, seats: list[int]) -> None:
        alone = seats[0] if len(seats) == 1 else None
        if alone is None or self.lots_for != alone:
            self.without_cards("lot", self.roster.all)
            self.lots_for = alone

    def chose(self, seats: list[int]) -> None:
        if seats != [self.lots_for]:
            self.lots_for = None

    def ask_choice(self, seat: int) -> Any:
        if self.roster.bots[seat]:
            self.lots([seat])
        at = self.log.height
        (entry,) = self.step("choose", [seat])
        if isinstance(entry.body, list) and entry.body[:1] == ["take back"]:
            return self.take_back(entry, at)
        copies = [replace(card) for card in self.cards]
        self.stood[len(self.events)] = (copies, seat)
        self.chose([seat])
        need(isinstance(entry.body, list) and len(entry.body) in (2, 3), "a body", seat)
        action, proof, *part = entry.body
        hurried = self.roster.bots[seat] and not self.roster.open[seat] and part in ([3], [10])
        need(not part or hurried, "a part that is none", seat)
        self.claim(seat, action, proof, at)
        return ("choice", action)

    def claim(self, seat: int, action: Any, proof: Any, at: int) -> None:
        claim = self.rules.claim(self.events, action)
        if claim is None:
            return need(proof == b"", "a proof of nothing", seat)
        cards, faces = claim
        mine = all(self.cards[card].holder == seat for card in cards)
        need(mine, "a claim about another's cards", seat)
        held, points = [self.cards[c].pair for c in cards], [self.face_point(f) for f in faces]
        ctx = self.ctx(seat, "claim", at)
        return self.holds(seat, proofs.one_of_many, self.keys[seat], held, points, proof, ctx)

    def take_back(self, entry: Entry, at: int) -> None:
        _, events, signatures = self.items(entry, 3)
        seat = entry.seat
        need(type(events) is int and isinstance(signatures, list), "a body", seat)
        last = sorted(self.stood)[-32:]
        need(events in last and not self.roster.bots[self.stood[events][1]], "no such Choice", seat)
        said = b"hostless take back" + encode([self.roster.id, at, events, True])
        asked = [j for j in self.roster.all if j != seat and not self.roster.bots[j]]
        given = {j: each for j, each in enumerate(signatures) if each is not None}
        keys = self.roster.keys
        agreed = [*given] == asked and all(signed(keys[j], given[j], said) for j in asked)
        need(agreed, "not all agree to go back", seat)
        self.cards = [replace(card) for card in self.stood[events][0]]
        self.stood = {n: was for n, was in self.stood.items() if n < events}
        del self.events[events:]
        self.lots_for = None

    def ask_secret(self, seats: list[int]) -> Any:
        persons = [j for j in seats if not self.roster.bots[j]]
        others = [j for j in seats if self.roster.bots[j]]
        if persons:
            self.without_cards("seal", persons)
        if others:
            self.lots(seats)
            self.without_cards("seal", others)
        self.chose(seats)
        return ("secret", [self.unseal(entry) for entry in self.step("unseal", seats)])

    def unseal(self, entry: Entry) -> Any:
        action, drawn = self.items(entry, 2)
        need(len(encode(action)) <= 4096, "a value too long to be sealed", entry.seat)
        at, seal = self.seals[entry.seat]
        salt = self.drawn(entry.seat, drawn, "salt", at)
        said = self.commitment(entry.seat, self.ctx(0, "secret", at), salt, encode(action))
        need(seal == said, "what was sealed is another action", entry.seat)
        return action

    def ask_roll(self, sides: int) -> Any:
        at, ctx = self.log.height, self.ctx(0, "roll", self.log.height)
        step = self.step("roll", self.roster.all)
        values = [self.drawn(e.seat, e.body, "roll", at) for e in step]
        seed, k = wide("hostless/mix/1", 32, ctx, *values), 0
        w = 8 + (sides.bit_length() + 7) // 8
        while True:
            said = (seed, little(sides, 9), little(k, 4))
            number = int.from_bytes(wide("hostless/draw/1", w, *said), "little")
            if number < 256**w // sides * sides:
                return ("roll", number % sides)
            k += 1

    def due(self, cards: list[int], holders: list[int | str]) -> list[Card]:
        return [self.cards[card] for card in cards if self.cards[card].holder in holders]

    def hand_over(self, kind: str, cards: list[int], to: int | None) -> None:
        """`pass` or `return`: every seat that holds some re-keys them."""
        for seat in self.roster.all:
            mine = self.due(cards, [seat])
            if seat == to or not mine:
                continue
            at = self.log.height
            (entry,) = self.step(kind, [seat])
            content, proof = self.items(entry, 2)
            key = self.key if to is None else self.keys[to]
            before, after = [card.pair for card in mine], self.pairs(seat, content, len(mine))
            keys, ctx = (self.keys[seat], key), self.ctx(seat, kind, at)
            self.holds(seat, proofs.rekey, keys, before, after, proof, ctx)
            for card, pair in zip(mine, after, strict=True):
                card.holder, card.pair = "joint" if to is None else to, pair

    def pairs(self, seat: int, content: Any, count: int) -> list[Pair]:
        with self.of(seat):
            return pairs_of(content, count)

    def starts(self, pile: list[int], key: bytes) -> list[Pair]:
        plain = base(1)
        cards = [self.cards[card] for card in pile]
        return [c.pair or (plain, add(self.face_point(c.face), key)) for c in cards]

    def ask_shuffle(self, owner: int | None, piles: list[list[int]]) -> Any:
        cards = [card for pile in piles for card in pile]
        self.hand_over("return" if owner is None else "pass", cards, owner)
        key = self.key if owner is None else self.keys[owner]
        starts, at = [self.starts(pile, key) for pile in piles], self.log.height
        ends = self.shuffle_all(starts) if owner is None else self.mix(owner, starts)
        for i, (pile, end) in enumerate(zip(piles, ends, strict=True)):
            for place, (card, pair) in enumerate(zip(pile, end, strict=True)):
                dealt = f"place {place} of pile {i} shuffled at {at}"
                holder = "joint" if owner is None else owner
                self.cards[card] = Card(holder, None, pair, dealt)
        return ("shuffle",)

    def shuffle_all(self, starts: list[list[Pair] | None]) -> list[list[Pair]]:
        """The rounds, then the proofs; where a start is not known its first proof is not read."""
        n, now, done = len(self.roster.all), list(starts), {}
        for r in range(n):
            turns = {j: [i for i in range(len(now)) if (i + r) % n == j] for j in self.roster.all}
            at, writers = self.log.height, [j for j in self.roster.all if turns[j]]
            for entry in self.step("shuffle", writers):
                bodies = self.items(entry, len(turns[entry.seat]))
                for i, body in zip(turns[entry.seat], bodies, strict=True):
                    need(isinstance(body, bytes) and len(body) % 64 == 32, "a deck", entry.seat)
                    size = len(now[i]) if now[i] is not None else len(body) // 64
                    after = self.pairs(entry.seat, body[:-32], size)
                    done[entry.seat, i] = (now[i], after, at)
                    now[i] = after
        for entry in self.step("prove", self.roster.all):
            for i, proof in enumerate(self.items(entry, len(now))):
                before, after, at = done[entry.seat, i]
                ctx = self.ctx(entry.seat, f"shuffle {i}", at)
                if before is not None:
                    self.holds(entry.seat, proofs.shuffle, self.key, before, after, proof, ctx)
        return now

    def mix(self, owner: int, starts: list[list[Pair]]) -> list[list[Pair]]:
        at, ends = self.log.height, []
        (entry,) = self.step("mix", [owner])
        for i, (body, before) in enumerate(
            zip(self.items(entry, len(starts)), starts, strict=True)
        ):
            need(isinstance(body, list) and len(body) == 2, "a body", owner)
            after = self.pairs(owner, body[0], len(before))
            ctx = self.ctx(owner, f"shuffle {i}", at)
            self.holds(owner, proofs.shuffle, self.keys[owner], before, after, body[1], ctx)
            ends.append(after)
        return ends

    def shown(self, entry: Entry, due: list[Card], at: int) -> list[bytes]:
        content, proof = self.items(entry, 2)
        with self.of(entry.seat):
            said = [point(piece) for piece in pieces(content)]
        ctx = self.ctx(entry.seat, entry.kind, at)
        need(len(said) == len(due), "another number of shares", entry.seat)
        public, cards = self.keys[entry.seat], [card.pair for card in due]
        self.holds(entry.seat, proofs.shares, public, cards, said, proof, ctx)
        return said

    def take_off(self, kind: str, writers: list[int], due_of: Any) -> None:
        """A step of shares: each due card loses the share of each writer that it is due from."""
        at, off = self.log.height, []
        for entry in self.step(kind, writers):
            due = due_of(entry.seat)
            off += zip(due, self.shown(entry, due, at), strict=True)
        for card, share in off:
            card.pair = (card.pair[0], sub(card.pair[1], share))

    def ask_reveal(self, to: int | None, cards: list[int]) -> Any:
        if to is None:
            return ("reveal", self.reveal_to_all(cards))
        joint = self.due(cards, ["joint"])
        if joint:
            writers = [j for j in self.roster.all if j != to]
            self.take_off("share", writers, lambda _: joint)
            for card in joint:
                card.holder = to
        self.hand_over("pass", cards, to)
        return ("reveal", None)

    def reveal_to_all(self, cards: list[int]) -> list[int]:
        at = self.log.height
        hidden = [card for card in cards if self.cards[card].holder != "open"]
        joint = self.due(cards, ["joint"])
        writers = [j for j in self.roster.all if joint or self.due(cards, [j])]
        if hidden:
            self.take_off("open", writers, lambda seat: self.due(cards, ["joint", seat]))
        for number in hidden:
            card = self.cards[number]
            face = self.faces().get(card.pair[1])
            need(face is not None, f"card {number} has no face")
            self.opened.append((at, number, face, card.dealt))
            self.cards[number] = Card("open", face, None, card.dealt)
        return [self.cards[card].face for card in cards]

    def faces(self) -> dict[bytes, int]:
        if not hasattr(self, "_faces"):
            self._faces = {self.face_point(face): face for face in set(self.rules.faces)}
        return self._faces

    # The end.

    def ask_over(self, scores: Any, winners: Any) -> None:
        step = self.step("finish", self.roster.all)
        self.result = [scores, winners] if scores is not None else step[0].body
        for entry in step:
            need(encode(entry.body) == encode(self.result), "another result", entry.seat)

    def open_keys(self) -> None:
        due = self.roster.all if self.roster.opens_hands else self.bots()
        for entry in self.step("open keys", due) if due else []:
            with self.of(entry.seat):
                x = self.secrets[entry.seat] = scalar(entry.body)
            need(base(x) == self.keys[entry.seat], "another key than its own", entry.seat)

    def bots(self) -> list[int]:
        return [j for j in self.roster.all if self.roster.bots[j]]

    def hands(self) -> dict[int, int]:
        """The faces of the cards that those hold at the end who have opened their keys."""
        return {
            number: self.faces()[sub(card.pair[1], mul(self.secrets[card.holder], card.pair[0]))]
            for number, card in enumerate(self.cards)
            if card.holder in self.secrets
        }

    def lines(self) -> list[str]:
        """The account of it: what was opened, and that every proof holds."""
        told = [
            f"at {at}: card {card} ({how}) is face {face}" for at, card, face, how in self.opened
        ]
        end = f"the result is {self.result}" if self.result else f"not over: {self.missing}"
        return [*told, f"all {self.proofs} proofs hold; {end}"]


def main(path: str) -> NoReturn:
    """Check a file without the rules of its game."""
    try:
        print("\n".join(Audit(Path(path).read_bytes()).run().lines()))
    except (Refused, NotImplementedError) as wrong:
        sys.exit(f"{path}: {wrong}")
    sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
