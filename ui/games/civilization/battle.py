"""A battle as two fronts: what each side has played, its wounds, its bonus and what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from core.games.civilization.battles import seat_of, strength
from core.games.civilization.layout import (
    BATTLE_AT,
    BONUS,
    FRONT,
    FRONT_OF,
    FRONTS,
    HAND,
    IS_FOUGHT,
    IS_NATIVES,
    UNIT_PLAYED,
    WOUNDS,
)
from core.table import HIDDEN, Table
from ui.draw.marks import CAP, LIT, MUTED
from ui.draw.panels import cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.position import square_name
from ui.ink import Row, Span, pad, row_width

_SIDES = (0, 1)
_GAP = 2
_FRONT_CELLS = 5  # The key and the number of a front.


def is_fought(table: Table) -> bool:
    """Whether a battle is going on."""
    return bool(table.counters[IS_FOUGHT])


def title(scene: Scene, table: Table) -> str:
    """Where it is fought."""
    return scene.words("civilization.battle", where=square_name(table.counters[BATTLE_AT]))


def battle_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """Who is ahead, both sides, then the fronts, each with its two units."""
    sums = [_sum(table, side) for side in _SIDES]
    told = [*(_side(scene, table, side, sums[side]) for side in _SIDES), _lead(scene, table, sums)]
    rows = [line for row in told for line in wrapped(row, width, "  ")]
    drawn = _drawn(scene, table, width - _FRONT_CELLS)
    cells = _cells(drawn, width - _FRONT_CELLS)
    rows += [_front(scene, front, two, cells) for front, two in enumerate(drawn, 1)]
    pick = scene.pick_of("new")
    if pick is not None:
        style = CAP if pick.label in scene.picked else LIT
        text = f" {scene.words('civilization.new_front')}"
        rows.append([*cap(pick.label), Span(text, style, pick.label)])
    card = table.counters[UNIT_PLAYED] - 1
    if card >= 0 and table.face[card] != HIDDEN:
        face = table.layout.faces[table.face[card]]
        rows.append([Span("→ ", MUTED), Span(scene.words.name("face", face), LIT)])
    return rows


def _units(table: Table, side: int) -> list[int]:
    return [card for card in table.zones[FRONT[seat_of(table, side)]]
            if table.face[card] != HIDDEN]  # fmt: skip


def _sum(table: Table, side: int) -> int:
    found = sum(strength(table, side, card) for card in _units(table, side))
    return table.counters[BONUS + side] + found


def _side(scene: Scene, table: Table, side: int, total: int) -> Row:
    words, seat = scene.words, seat_of(table, side)
    key = "defender" if side else "attacker"
    who = scene.name_of(seat)
    if side and table.counters[IS_NATIVES]:
        who = words("civilization.natives", name=who)
    facts = [
        words("civilization.bonus", number=table.counters[BONUS + side]),
        words("civilization.strength", number=total),
        words("civilization.in_hand", number=len(table.zones[HAND[seat]])),
    ]
    return [Span(f"{words(f'civilization.{key}')} ", MUTED), Span(who, scene.style_of(seat)),
            Span("  " + " · ".join(facts))]  # fmt: skip


def _lead(scene: Scene, table: Table, sums: list[int]) -> Row:
    if sums[0] == sums[1]:
        return [Span(scene.words("civilization.even", number=sums[0]), MUTED)]
    side = 0 if sums[0] > sums[1] else 1
    numbers = {"mine": sums[side], "theirs": sums[1 - side]}
    return [Span(scene.of_seat("civilization.leads", seat_of(table, side), **numbers), MUTED)]


class _Unit(NamedTuple):
    """A place of a front as it is drawn: what stands there, its strength and wounds, its key."""

    name: str
    facts: str
    style: str
    label: str = ""

    @property
    def key(self) -> Row:
        """The key that picks it, as it stands before it."""
        return [*cap(self.label), Span(" ", "", self.label)] if self.label else []

    @property
    def cells(self) -> int:
        """How wide it is when it is whole."""
        return row_width(self.key) + cell_len(self.name + self.facts)


def _drawn(scene: Scene, table: Table, width: int) -> list[list[_Unit]]:
    """The two places of every front; wounds in a word where that has room."""
    drawn: list[list[_Unit]] = []
    for is_short in (False, True):
        drawn = [[_unit_in(scene, table, front, side, is_short=is_short) for side in _SIDES]
                 for front in range(1, table.counters[FRONTS] + 1)]  # fmt: skip
        if sum(_widest(drawn)) + _GAP <= width:
            break
    return drawn


def _widest(drawn: Sequence[Sequence[_Unit]]) -> list[int]:
    return [max((two[side].cells for two in drawn), default=0) for side in _SIDES]


def _cells(drawn: Sequence[Sequence[_Unit]], width: int) -> tuple[int, int]:
    """How wide both sides are: as their units need it, or half each where that is too much."""
    first, second = _widest(drawn)
    if first + second + _GAP > width:
        first = max(width // 2 - _GAP, min(first, width - second - _GAP))
    return first, width - first - _GAP


def _front(scene: Scene, front: int, two: Sequence[_Unit], cells: tuple[int, int]) -> Row:
    pick = scene.pick_of(f"front {front}")
    label = pick.label if pick else ""
    row: Row = [*cap(label)] if label else [Span("   ")]
    style = CAP if label and label in scene.picked else MUTED
    row.append(Span(f"{front} ", style, label))
    for at, each in enumerate(two):
        hot = each.label or label
        key_cells = row_width(each.key)
        room = cells[at] - key_cells - cell_len(each.facts)
        name = each.name if cell_len(each.name) <= room else pad(each.name, room)
        text = pad(name + each.facts, cells[at] + _GAP * (not at) - key_cells)
        row += each.key
        row.append(Span(text, CAP if hot and hot in scene.picked else each.style, hot))
    return row


def _unit_in(
    scene: Scene, table: Table, front: int, side: int, *, is_short: bool
) -> _Unit:
    """The unit of a side in a front: its strength and its wounds are never cut."""
    style = scene.style_of(seat_of(table, side))
    cards = [card for card in _units(table, side) if table.counters[FRONT_OF + card] == front]
    if not cards:
        return _Unit("-", "", style)
    (card, *_), words = cards, scene.words
    picks = [each for each in scene.picture.picks if each.offer.action.cards[:1] == (card,)]
    face = table.layout.faces[table.face[card]].partition(".")[0]
    name, wounds = words(f"civilization.item.{face}"), table.counters[WOUNDS + card]
    whole = words("civilization.unit_of", what=name, number=strength(table, side, card))
    if wounds and is_short:
        whole += f" -{wounds}"
    elif wounds:
        whole = words("civilization.wounded", what=whole, number=wounds)
    facts = whole.removeprefix(name)
    return _Unit(name, facts, style, next((each.label for each in picks if each.label), ""))
