"""A battle as two fronts: what each side has played, its wounds, its bonus and what it holds."""

from __future__ import annotations

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
from ui.ink import Row, Span, pad

_SIDES = (0, 1)


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
    each = max((width - 6) // 2, 8)
    rows += [_front(scene, table, front, each) for front in range(1, table.counters[FRONTS] + 1)]
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
    words = scene.words
    if sums[0] == sums[1]:
        return [Span(words("civilization.even", number=sums[0]), MUTED)]
    side = 0 if sums[0] > sums[1] else 1
    return [Span(words("civilization.leads", name=scene.picture.seats[seat_of(table, side)].name,
                       mine=sums[side], theirs=sums[1 - side]), MUTED)]  # fmt: skip


def _front(scene: Scene, table: Table, front: int, width: int) -> Row:
    pick = scene.pick_of(f"front {front}")
    label = pick.label if pick else ""
    row: Row = [*cap(label)] if label else [Span("   ")]
    style = CAP if label and label in scene.picked else MUTED
    row.append(Span(f"{front} ", style, label))
    for side in _SIDES:
        cards = [card for card in _units(table, side) if table.counters[FRONT_OF + card] == front]
        text = _unit(scene, table, side, cards[0]) if cards else "-"
        hot = label
        for each in scene.picture.picks:
            if cards and each.offer.action.cards[:1] == (cards[0],) and each.label:
                hot = each.label
                text = f"[{hot}] {text}"
        style = scene.style_of(seat_of(table, side))
        row.append(Span(pad(text, width), CAP if hot and hot in scene.picked else style, hot))
    return row


def _unit(scene: Scene, table: Table, side: int, card: int) -> str:
    words = scene.words
    face = table.layout.faces[table.face[card]].partition(".")[0]
    text = words("civilization.unit_of", what=words(f"civilization.item.{face}"),
                 number=strength(table, side, card))  # fmt: skip
    wounds = table.counters[WOUNDS + card]
    return f"{text} -{wounds}" if wounds else text
