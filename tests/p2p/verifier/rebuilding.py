"""Cards of a lost key, dealt anew: section 19 of the protocol."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from tests.p2p.verifier.cards import JOINT, Card, Cards
from tests.p2p.verifier.group import NOTHING, Pair
from tests.p2p.verifier.reading import DEALT_ANEW
from tests.p2p.verifier.tally import Tally, added_up, blinded, counters, full_tally, subtracted
from tests.p2p.verifier.values import need


@dataclass
class Family:
    """Hidden cards that can be each other."""

    dead: list[int]
    held: dict[int, list[int]]  # The others, by the seat that holds them.
    tally: Tally


class Row(NamedTuple):
    """A row that was dealt to a lost seat, whose hand lies open."""

    seat: int
    pair: Pair
    face: int


class Rebuilding:
    """One attempt to deal anew what nobody can read without the keys of lost seats."""

    def __init__(self, cards: Cards, lost: Collection[int]) -> None:
        self.cards, self.keys, self.reading = cards, cards.keys, cards.reading
        self.lost = sorted(lost)
        self.fresh: dict[int, Pair] = {}
        self.family_of: list[int] = []

    def run(self) -> None:
        families = self.families()
        if not families:
            return
        self.strike(families)
        rows = self.cards.shuffle_by_all([counters(family.tally) for family in families])
        rows = self.sort_out(rows)
        spare = []
        for at, family in enumerate(families):
            enough = len(rows[at]) == len(family.dead)
            need(enough, "the hands of a family do not leave what is missing of it")
            rows[at], left = self.deal(family, rows[at])
            spare.append(left)
        self.put_back(rows, spare)
        for family, left in zip(families, rows, strict=True):
            others = [card for card in family.dead if card not in self.fresh]
            self.fresh |= zip(others, left, strict=True)
        self.take()

    def families(self) -> list[Family]:
        """Those with a dead card, in the order of their numbers."""
        (classes, *counts) = self.reading.rules.state(self.reading.events)[3]
        found, self.family_of = [], classes
        for number, faces in enumerate(counts):
            cards = [card for card, its in enumerate(classes) if its == number]
            dead = [card for card in cards if self.holder(card) in (JOINT, *self.lost)]
            held: dict[int, list[int]] = {}
            for card in cards:
                if card not in dead:
                    held.setdefault(self.holder(card), []).append(card)
            points = [(self.reading.face_point(f), n) for f, n in enumerate(faces) if n]
            found.append(Family(dead, held, full_tally(self.keys.joint, points)))
        return [family for family in found if family.dead]

    def holder(self, card: int) -> int | str:
        return self.cards.cards[card].holder

    def strike(self, families: list[Family]) -> None:
        """Every seat takes its hand off the tallies."""
        for seat in self.reading.roster.all:
            mine = {i: family for i, family in enumerate(families) if seat in family.held}
            at = self.reading.height
            for entry in self.reading.step("strike", [seat]) if mine else []:
                bodies = self.reading.items(entry, len(mine))
                for (i, family), said in zip(mine.items(), bodies, strict=True):
                    held = [self.cards.cards[card].pair for card in family.held[seat]]
                    keys = self.keys.publics[seat], self.keys.joint
                    ctx = self.reading.ctx(seat, f"strike {i}", at)
                    about = keys, family.tally, held, said, ctx
                    family.tally = self.reading.holds(seat, subtracted, *about)

    def sort_out(self, rows: list[list[Pair]]) -> list[list[Pair]]:
        """Throw away the rows that say nothing."""
        live, at, tests = list(self.reading.log.live), self.reading.height, []
        for entry in self.reading.step("blind", live):
            bodies, mine = self.reading.items(entry, len(rows)), []
            for i, (pile, said) in enumerate(zip(rows, bodies, strict=True)):
                ctx = self.reading.ctx(entry.seat, f"blind {i}", at)
                mine += self.reading.holds(entry.seat, blinded, pile, said, ctx)
            tests.append(mine)
        with self.reading.of(live[-1]):
            summed = added_up(tests)
        bare = self.cards.stripped("sort out", self.reading.roster.all, summed)
        is_there = iter([message != NOTHING for _, message in bare])
        return [[row for row in pile if next(is_there)] for pile in rows]

    def deal(self, family: Family, rows: list[Pair]) -> tuple[list[Pair], list[int]]:
        """The lost seats get theirs; gives the rows that are left, and spare faces."""
        all_dealt, spare = list[Row](), list[int]()
        for seat in self.lost:
            mine, dealt = self.dead_of(family, [seat]), list[Row]()
            others = [j for j in self.reading.roster.all if j != seat]
            while (missing := len(mine) - len(self.places(mine, dealt))) and rows:
                bare = self.cards.stripped("share", others, rows[:missing])
                dealt += [self.row(seat, pair) for pair in bare]
                rows = rows[missing:]
            all_dealt += dealt
            if missing:  # All rows lie open.
                return [], self.give(self.dead_of(family, self.lost), all_dealt)
            spare += self.give(mine, dealt)
        return rows, spare

    def dead_of(self, family: Family, seats: list[int]) -> list[int]:
        return [card for seat in seats for card in family.dead if self.holder(card) == seat]

    def row(self, seat: int, pair: Pair) -> Row:
        face = self.cards.read(pair, self.keys.secrets[seat])
        need(face is not None, "a card that was dealt anew has no face")
        return Row(seat, pair, face)

    def give(self, mine: list[int], dealt: list[Row]) -> list[int]:
        """Let rows become these cards; gives the faces of the others."""
        taken = self.places(mine, dealt)
        need(len(taken) == len(mine), "a zone holds what claims have shown it does not")
        for card, place in taken.items():
            seat, pair, face = dealt[place]
            holder = self.holder(card)
            own_form = self.cards.open_form(face, self.keys.publics[holder])
            self.fresh[card] = pair if seat == holder else own_form
        return [row.face for i, row in enumerate(dealt) if i not in taken.values()]

    def places(self, mine: list[int], dealt: list[Row]) -> dict[int, int]:
        """Which row becomes each card: first those of which claims have shown what they are."""
        proven = self.reading.rules.narrow(self.reading.events)
        free, taken = list(range(len(dealt))), dict[int, int]()
        for card in sorted(mine, key=lambda card: card not in proven):
            fitting = [i for i in free if card not in proven or dealt[i].face in proven[card]]
            if fitting:
                taken[card] = fitting[0]
                free.remove(fitting[0])
        return taken

    def put_back(self, rows: list[list[Pair]], spare: list[list[int]]) -> None:
        """Spare rows are shuffled into those that were not dealt."""
        having = [at for at, faces in enumerate(spare) if faces]
        if not having:
            return
        key = self.keys.joint
        piles = [[*rows[i], *(self.cards.open_form(f, key) for f in spare[i])] for i in having]
        for at, pile in zip(having, self.cards.shuffle_by_all(piles), strict=True):
            rows[at] = pile

    def take(self) -> None:
        """These are the dead cards from now on."""
        at = self.reading.height
        for number, pair in self.fresh.items():
            holder = self.holder(number) if self.holder(number) in self.lost else JOINT
            dealt, pile = f"dealt anew at {at}", (at, self.family_of[number])
            self.cards.cards[number] = Card(holder, None, pair, dealt, pile)
            owner = None if holder == JOINT else holder
            self.reading.events.append((DEALT_ANEW, owner, [number]))
