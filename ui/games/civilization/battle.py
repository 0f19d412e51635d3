"""A battle as two fronts: what each side has played, its wounds, its bonus and what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from core.games.civilization.battles import seat_of, strength
from core.games.civilization.frames import ITEM
from core.games.civilization.layout import (
    BATTLE_AT,
    BONUS,
    CITIES,
    FRONT,
    FRONT_OF,
    FRONTS,
    HAND,
    IS_FOUGHT,
    IS_NATIVES,
    KILLED,
    TARGET_CITY,
    UNIT_PLAYED,
    WOUNDS,
)
from core.requests import Card, Player
from core.table import HIDDEN, Table
from ui.draw.marks import CAP, LIT, MUTED
from ui.draw.panels import cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.position import frame_of, square_name
from ui.games.civilization.words import name
from ui.terminal.spans import Row, Span, pad, row_width

_SIDES = (0, 1)
_GAP = 2
_NO_KEY = "   "  # As wide as a key.
_WIDE = 34  # Cells, from which on a front is called so, and facts stand in columns, too.


def is_fought(table: Table) -> bool:
    """Whether a battle is going on."""
    return bool(table.counters[IS_FOUGHT])


def sides(table: Table) -> tuple[Player, ...]:
    """The seats that fight, the attacker first; none without a battle."""
    return tuple(seat_of(table, side) for side in _SIDES) if is_fought(table) else ()


def strength_now(table: Table, seat: Player, card: Card) -> int:
    """How strong a unit of a seat is in this battle, with its rank; 0 for anything else."""
    is_in_battle = seat in sides(table) and card in table.zones[HAND[seat]]
    if not is_in_battle or table.face[card] == HIDDEN:
        return 0
    return strength(table, sides(table).index(seat), card)


def title(scene: Scene, table: Table) -> str:
    """Where it is fought, and for which city."""
    where, city = square_name(table.counters[BATTLE_AT]), table.counters[TARGET_CITY] - 1
    if city < 0:
        return scene.words("civilization.battle", where=where)
    what = name(scene.words, f"city.{city % CITIES}")
    return scene.words("civilization.battle_for", what=what, where=where)


def battle_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """Both sides side by side: what each has, every front with its two units, who is ahead.

    Of a battle that is over only the strengths and who has won: what follows needs the room.
    """
    sums = [_sum(table, side) for side in _SIDES]
    over = frame_of(table, "aftermath")
    if over >= 0:
        return wrapped([_won(scene, table, sums, table.counters[over + ITEM])], width, "  ")
    is_tight = width < _WIDE
    facts = _facts(scene, table, sums)
    marks, first = _headings(scene, table, () if is_tight else facts, width)
    drawn = _drawn(scene, table, width - first)
    rooms = _rooms(scene, table, width - first)
    rows = [_versus(each) if is_tight else _fact_row(each, first, rooms) for each in facts]
    rows.insert(0, _heads(scene, table, first, rooms))
    rows += [_front(scene, front, two, (first, marks[front - 1]), rooms)
             for front, two in enumerate(drawn, 1)]  # fmt: skip
    pick = scene.pick_of("new")
    if pick is not None:
        style = CAP if pick.label in scene.picked else LIT
        text = f" {scene.words('civilization.new_front')}"
        rows.append([*cap(pick.label), Span(text, style, pick.label)])
    rows += wrapped(_lead(scene, table, sums), width, "  ")
    card = table.counters[UNIT_PLAYED] - 1
    if card >= 0 and table.face[card] != HIDDEN:
        face = scene.words.name("face", table.layout.faces[table.face[card]])
        rows.append([Span(scene.words("civilization.unit_played", what=face), LIT)])
    return rows


def _units(table: Table, side: int) -> list[int]:
    return [card for card in table.zones[FRONT[seat_of(table, side)]]
            if table.face[card] != HIDDEN]  # fmt: skip


def _sum(table: Table, side: int) -> int:
    found = sum(strength(table, side, card) for card in _units(table, side))
    return table.counters[BONUS + side] + found


class _Fact(NamedTuple):
    """A row of what both sides have: its heading, and a number for each side."""

    mark: str
    numbers: tuple[str, ...]


def _facts(scene: Scene, table: Table, sums: Sequence[int]) -> list[_Fact]:
    """The strength with the bonus in it, the bonus, the units in hand, and how many are killed.

    For every two of its own the side that wins loses an army, too (C124).
    """
    counters = table.counters
    hands = [len(table.zones[HAND[seat_of(table, side)]]) for side in _SIDES]
    bonus, killed = counters[BONUS : BONUS + 2], counters[KILLED : KILLED + 2]
    rows = {"strength": list(map(str, sums)), "bonus": [f"+{each}" for each in bonus],
            "in_hand": list(map(str, hands)), "killed": list(map(str, killed))}  # fmt: skip
    empty = {"bonus": not any(bonus), "killed": not any(killed)}
    return [_Fact(scene.words(f"civilization.{key}"), tuple(found))
            for key, found in rows.items() if not empty.get(key)]  # fmt: skip


def _fact_row(fact: _Fact, first: int, rooms: tuple[int, int]) -> Row:
    cells = [Span(pad(text, room)) for text, room in zip(fact.numbers, rooms, strict=True)]
    return [Span(pad(fact.mark, first), MUTED), *cells]


def _versus(fact: _Fact) -> Row:
    """The same where its heading is wider than the keys of the fronts."""
    return [Span(f"{fact.mark} ", MUTED), Span(" / ".join(fact.numbers))]


def _headings(
    scene: Scene, table: Table, facts: Sequence[_Fact], width: int
) -> tuple[list[str], int]:
    """What the fronts are called, and how wide the column before both sides is.

    Numbers alone where otherwise the name of a unit would be cut.
    """
    marks, first = list[str](), 0
    for is_short in (False, True):
        marks = _marks(scene, table, is_short=is_short or not facts)
        heads = [*marks, *(each.mark for each in facts)]
        first = max(map(cell_len, heads), default=0) + (_GAP if facts else 1)
        if sum(_widest(_drawn(scene, table, width - first))) + 1 <= width - first:
            break
    return marks, first


def _marks(scene: Scene, table: Table, *, is_short: bool) -> list[str]:
    """What every front is called, behind air for its key; a number alone where room is dear."""
    numbers = range(1, table.counters[FRONTS] + 1)
    key = "civilization.front"
    return [_NO_KEY + (str(at) if is_short else scene.words(key, number=at)) for at in numbers]


def _heads(scene: Scene, table: Table, first: int, rooms: tuple[int, int]) -> Row:
    """Who fights on each side, and whether it attacks where that has room."""
    row: Row = [Span(" " * first)]
    for side, room in zip(_SIDES, rooms, strict=True):
        called = _who(scene, table, side)
        role = scene.words(f"civilization.{'defender' if side else 'attacker'}")
        whole = f"{called} · {role}"
        short = called if cell_len(called) <= room else called.partition("(")[0].rstrip()
        text = whole if cell_len(whole) < room else short
        row.append(Span(pad(text, room), f"bold {scene.style_of(seat_of(table, side))}"))
    return row


def _who(scene: Scene, table: Table, side: int) -> str:
    seat = scene.name_of(seat_of(table, side))
    is_natives = side and table.counters[IS_NATIVES]
    return scene.words("civilization.natives", name=seat) if is_natives else seat


def _lead(scene: Scene, table: Table, sums: list[int]) -> Row:
    """Who would win now: at a tie the defender does."""
    is_even = sums[0] == sums[1]
    side = 1 if is_even or sums[1] > sums[0] else 0
    numbers = {"number": sums[0]} if is_even else {"mine": sums[side], "theirs": sums[1 - side]}
    if side and table.counters[IS_NATIVES]:  # They are nobody's.
        key = "even" if is_even else "leads_natives"
        return [Span(scene.words(f"civilization.{key}", **numbers), MUTED)]
    key = "even_of" if is_even else "leads"
    return [Span(scene.of_seat(f"civilization.{key}", seat_of(table, side), **numbers), MUTED)]


def _won(scene: Scene, table: Table, sums: Sequence[int], side: int) -> Span:
    """Who has won, and with which strengths."""
    numbers = {"mine": sums[side], "theirs": sums[1 - side]}
    if side and table.counters[IS_NATIVES]:
        return Span(scene.words("civilization.won_natives", **numbers), LIT)
    return Span(scene.of_seat("civilization.won", seat_of(table, side), **numbers), LIT)


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


def _rooms(scene: Scene, table: Table, width: int) -> tuple[int, int]:
    """How wide both sides are: as what stands in them needs it, or half each."""
    names = [cell_len(_who(scene, table, side)) for side in _SIDES]
    drawn = _drawn(scene, table, width)
    left, right = (max(pair) for pair in zip(names, _widest(drawn), strict=True))
    if left + 1 + right > width:
        left, right = _widest(drawn)
    half = width // 2
    room = half if left + 1 + right > width else max(min(half, width - right), left + 1)
    return room, width - room


def _front(
    scene: Scene, front: int, two: Sequence[_Unit], head: tuple[int, str], rooms: tuple[int, int]
) -> Row:
    """A front with its two units: the key that attacks it stands before it."""
    pick = scene.pick_of(f"front {front}")
    label = pick.label if pick else ""
    style = CAP if label and label in scene.picked else MUTED
    cells, mark = head
    key = cap(label) or [Span(_NO_KEY)]
    row: Row = [*key, Span(pad(mark.removeprefix(_NO_KEY), cells - row_width(key)), style, label)]
    for each, room, gap in zip(two, rooms, (1, 0), strict=True):
        hot = each.label or label
        key_cells = row_width(each.key)
        left = room - gap - key_cells - cell_len(each.facts)
        called = each.name if cell_len(each.name) <= left else pad(each.name, left)
        text = pad(called + each.facts, room - key_cells)
        row += each.key
        row.append(Span(text, CAP if hot and hot in scene.picked else each.style, hot))
    return row


def _unit_in(scene: Scene, table: Table, front: int, side: int, *, is_short: bool) -> _Unit:
    """The unit of a side in a front: its strength and its wounds are never cut."""
    style = scene.style_of(seat_of(table, side))
    cards = [card for card in _units(table, side) if table.counters[FRONT_OF + card] == front]
    if not cards:
        return _Unit(scene.words("civilization.no_unit"), "", MUTED)
    (card, *_), words = cards, scene.words
    picks = [each for each in scene.model.picks if each.offer.action.cards[:1] == (card,)]
    face = table.layout.faces[table.face[card]].partition(".")[0]
    kind, wounds = words(f"civilization.item.{face}"), table.counters[WOUNDS + card]
    whole = words("civilization.unit_of", what=kind, number=strength(table, side, card))
    if wounds and is_short:
        whole += f" -{wounds}"
    elif wounds:
        whole = words("civilization.wounded", what=whole, number=wounds)
    facts = whole.removeprefix(kind)
    return _Unit(kind, facts, style, next((each.label for each in picks if each.label), ""))
