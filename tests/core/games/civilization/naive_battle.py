"""The second reading of battles: strengths, bonuses, fights in a front, winners, losses."""

from __future__ import annotations

from typing import NamedTuple

from core.table import Table
from tests.core.games.civilization.naive import Reading

UPGRADES = {
    "infantry": ("democracy", "gunpowder", "replaceable_parts"),
    "mounted": ("chivalry", "railroad", "combustion"),
    "artillery": ("mathematics", "metal_casting", "ballistics"),
}
BEATS = {"infantry": "mounted", "mounted": "artillery", "artillery": "infantry"}
HIMEJI = 5


class Battle(NamedTuple):
    """The battle that is fought on a table."""

    read: Reading
    attacker: int
    defender: int
    is_village: bool
    city: int  # -1: none.

    def seat(self, side: int) -> int:
        """Who plays a side."""
        return self.defender if side else self.attacker

    def is_native(self, side: int) -> bool:
        """Whether a side are the natives of a village."""
        return side == 1 and self.is_village

    def units(self, side: int, place: str = "front") -> list[int]:
        """The cards of a side on the table, or in another place."""
        layout = self.read.table.layout
        return self.read.table.zones[layout.zone_index[f"seat{self.seat(side)}.{place}"]]

    def kind(self, card: int) -> str:
        """The type of a unit."""
        return self._face(card)[0]

    def _face(self, card: int) -> tuple[str, int]:
        table = self.read.table
        kind, base = table.layout.faces[table.public_face(card)].split(".")
        return kind, int(base)

    def strength(self, side: int, card: int) -> int:
        """What is printed, the rank of the type, and Himeji Castle."""
        kind, base = self._face(card)
        if self.is_native(side):
            return base
        seat, read = self.seat(side), self.read
        ranks = [2 + at for at, key in enumerate(UPGRADES.get(kind, ())) if read.knows(seat, key)]
        castle = read.get("wonder.himeji_castle") - 1
        is_own = any(castle in read.around(at) for at in read.centers(seat).values())
        works = castle >= 0 and is_own and not read.is_blocked(castle, seat)
        works = works and not read.get("obsolete") >> HIMEJI & 1
        return base + max(ranks, default=1) - 1 + works

    def bonus(self, side: int) -> int:
        """Buildings and generals, and what a city gives to who defends it."""
        if self.is_native(side):
            return 0
        total = self.read.bonus(self.seat(side))
        if side and self.city >= 0:
            total += 12 if self.city % 3 == 0 else 6
            total += 4 * self.read.get(f"seat{self.defender}.walls{self.city % 3}")
        return total

    def lead(self) -> tuple[int, int]:
        """The higher bonus takes the difference."""
        mine, theirs = self.bonus(0), self.bonus(1)
        return max(mine - theirs, 0), max(theirs - mine, 0)

    def winner(self) -> int:
        """The side that wins when all units are played; nobody has more: the defender."""
        sums = [self.bonus(side) + sum(self.strength(side, card) for card in self.units(side))
                for side in (0, 1)]  # fmt: skip
        return 0 if sums[0] > sums[1] else 1

    def hand(self, side: int) -> int:
        """How many units a side may draw."""
        seat, read = self.seat(side), self.read
        size = 4 if read.form(seat) == "fundamentalism" else 3
        size += read.coins(seat) // 5 if read.knows(seat, "computers") else 0
        size += 3 if side and self.city >= 0 else 0
        return size + 2 * max(self.armies(side) - 1, 0)

    def armies(self, side: int) -> int:
        """The armies that a side has in the square."""
        if side:
            square = self.read.get("battle.square")
            return (
                0 if self.is_village else self.read.figures(self.defender).count(("army", square))
            )
        is_placed = self.read.get("battle.placed")
        return 1 if is_placed else (self.read.get("move.group") % 128).bit_count()

    def fight(self, side: int, card: int, rival: int) -> dict[int, int]:
        """The wounds of both after an attack in a front; -1: it is dead."""
        wounds = {each: self.read.get(f"wounds.{each}") for each in (card, rival)}
        blow = {card: self.strength(side, card) + 3 * self.read.get("battle.iron"),
                rival: self.strength(1 - side, rival)}  # fmt: skip
        health = {card: self.strength(side, card), rival: self.strength(1 - side, rival)}
        order = [(card, rival), (rival, card)]
        if BEATS.get(self.kind(rival)) == self.kind(card):
            order.reverse()
        is_trump = self.kind(rival) in BEATS.get(self.kind(card), "") or order[0][0] == rival
        for who, whom in order:
            if wounds[who] < 0 and is_trump:
                continue
            wounds[whom] += blow[who]
            if wounds[whom] >= health[whom]:
                wounds[whom] = -1
        return wounds


def battle_on(table: Table) -> Battle:
    """The battle under way."""
    read = Reading(table)
    return Battle(
        read, read.get("battle.attacker"), read.get("battle.defender"),
        bool(read.get("battle.natives")), read.get("battle.city") - 1,
    )  # fmt: skip
