"""What may be interrupted, in words: who does what, at what it is aimed; and the guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.games.civilization.answers import GUARD_BITS
from core.games.civilization.faces import EVENT_KEYS
from core.games.civilization.frames import (
    ACTION_PLAY,
    AIM,
    CITY,
    EVENT_PLAY,
    ITEM,
    LEG_PLAY,
    MASK,
    POWER_PLAY,
    SEAT,
    TYPE,
)
from core.games.civilization.items import ARTS, HARVEST, ITEM_KEYS
from core.games.civilization.layout import GUARD
from core.games.civilization.notation import GUARD_KEYS
from core.games.civilization.powers import POWER_KEYS
from core.table import Table
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, GOOD, MUTED
from ui.draw.panels import cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.battle import is_fought
from ui.games.civilization.position import (
    frame_of,
    moving,
    square_name,
    what_is_made,
    window_frame,
)
from ui.games.civilization.words import group_name, item_name, name, power_name
from ui.ink import Row, Span
from ui.picture import Picture

_SQUARES: Final = 256
GUARD_ROWS: Final = 3  # Where there is room.


def window_text(picture: Picture, table: Table) -> str:
    """The play that I may answer, as a sentence; empty where there is none."""
    at = window_frame(table)
    if at < 0:
        at = frame_of(table, "play") if picture.view.phase in ("target", "pay", "consent") else -1
    return _play(picture, table, at) if at >= 0 else ""


def _play(picture: Picture, table: Table, at: int) -> str:
    counters, words = table.counters, picture.words
    sort, who = counters[at + TYPE], picture.seats[counters[at + SEAT]].name
    if sort == EVENT_PLAY:
        what = words.name("face", EVENT_KEYS[counters[at + ITEM]])
        text = words("civilization.doing.event", name=who, what=what)
    elif sort == POWER_PLAY:
        what = power_name(words, POWER_KEYS[counters[at + ITEM]])
        text = words("civilization.doing.power", name=who, what=what)
    elif sort == LEG_PLAY:
        return _leg(picture, table, at, who)
    elif sort == ACTION_PLAY:
        return _action(picture, table, at, who)
    else:
        return ""
    aimed = [seat.name for seat in picture.seats if counters[at + MASK] >> seat.seat & 1]
    if aimed:
        text += "; " + words("civilization.doing.aimed", what=words.listed(aimed))
    return text


def _leg(picture: Picture, table: Table, at: int, who: str) -> str:
    _, square, armies, scouts = moving(table)
    return picture.words(
        "civilization.doing.leg", name=who, what=group_name(picture.words, armies, scouts),
        where=square_name(square), more=square_name(table.counters[at + ITEM] % _SQUARES),
    )  # fmt: skip


def _action(picture: Picture, table: Table, at: int, who: str) -> str:
    words, counters = picture.words, table.counters
    texts = []
    for item in what_is_made(table, at):
        if item == ARTS:
            texts.append(words("civilization.group.arts"))
        elif item >= HARVEST:
            goods = name(words, f"resource.{ITEM_KEYS.get(item, '')}")
            texts.append(words("civilization.harvest", what=goods))
        elif item in ITEM_KEYS:
            texts.append(item_name(words, ITEM_KEYS[item]))
    city = name(words, f"city.{counters[at + CITY] % 3}")
    return words("civilization.doing.action", name=who, city=city, what=words.listed(texts))


def placed_texts(picture: Picture, table: Table) -> list[str]:
    """What has been gained or made, and waits for its square: a great person, an item."""
    words, phase = picture.words, picture.view.phase
    if phase == "person":
        faces = [card.face for card in picture.view.zones["persons.new"] if card.face]
        return [f"{words.name('face', face)}: {words(f'text.civilization.{face}')}"
                for face in faces[-1:]]  # fmt: skip
    if phase == "site0":
        own = picture.view.zones[f"seat{picture.view.to_act[0]}.wonders"]
        return [words.name("face", card.face) for card in own[-1:] if card.face]
    at = frame_of(table, "action")
    if phase != "site" or at < 0:
        return []
    items, asked = what_is_made(table, at), table.counters[frame_of(table, "site") + ITEM]
    item = items[0] if asked == AIM else items[-1]
    return [item_name(words, ITEM_KEYS[item])]


def now_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """What is happening, in as many lines as it takes."""
    text = window_text(scene.picture, table)
    mover, square, armies, scouts = moving(table)
    rows = wrapped([Span(text, "bold")], width) if text else []
    who = "".join(f"{scene.name_of(seat)} · " for seat in scene.view.to_act[:1])
    for line in placed_texts(scene.picture, table):
        whose = "" if scene.picture.is_my_turn else who
        rows += wrapped([Span(whose + line, "bold")], width)
    is_on_the_way = mover >= 0 and not is_fought(table)
    if is_on_the_way and not text and armies + scouts:
        from core.games.civilization.layout import POINTS

        what = scene.words.listed(
            [scene.name_of(mover), group_name(scene.words, armies, scouts)]
        )
        line = scene.words("civilization.moving", what=f"{what} ({square_name(square)})",
                           number=table.counters[POINTS])  # fmt: skip
        rows += wrapped([Span(line, "bold")], width)
        if any(pick.offer.action.verb == "via" for pick in scene.picture.picks):
            rows += wrapped([Span(scene.words("civilization.via_hint"), MUTED)], width)
    return rows


def guard_rows(scene: Scene, table: Table, width: int, *, is_short: bool) -> list[Row]:
    """What I am asked about: each bit with its key, set or not, and its name.

    Where there is little room, the keys in one line, and in the next one what is set.
    """
    seat = scene.view.seat
    if seat is None:
        return []
    cells, asked = list[Row](), list[str]()
    for bit in range(GUARD_BITS):
        pick = scene.pick_of(f"guard {GUARD_KEYS[bit]}")
        is_set = bool(table.counters[GUARD[seat]] >> bit & 1)
        label = pick.label if pick else ""
        style = CAP if label and label in scene.picked else GOOD if is_set else MUTED
        sign, what = "✓" if is_set else "·", name(scene.words, f"guard.{GUARD_KEYS[bit]}")
        asked += [what] * is_set
        text = sign if is_short else f"{sign} {what}"
        key = cap(label) if label and not is_short else [Span(label or f"G{bit + 1}", MUTED, label)]
        cells.append([*key, Span(text, style, label)])
    if not is_short:
        title: Row = [Span(scene.words("civilization.guard_long"), MUTED)]
        titled = flow_cells([title, *cells], width, 1)
        return titled if len(titled) <= GUARD_ROWS else flow_cells(cells, width, 1)
    names = _listed(asked, width - 1) or scene.words("civilization.guard_none")
    change = scene.words("civilization.guard_change", what=names)
    names = change if cell_len(change) < width else names
    return [_guard_row(scene, cells, width), [Span(f" {names}", MUTED)]]


def _guard_row(scene: Scene, cells: Sequence[Row], width: int) -> Row:
    """A title and all the keys; a short title where they need the room."""
    rows: list[Row] = []
    for key in ("guard_long", "guard"):
        title: Row = [Span(f" {scene.words(f'civilization.{key}')} ", MUTED)]
        rows = flow_cells([title, *cells], width, 1)
        if len(rows) == 1:
            break
    return rows[0]


def _listed(names: Sequence[str], width: int) -> str:
    """As many of the names as fit, none of them cut, and how many more there are."""
    for count in range(len(names), 0, -1):
        more = [f"+{len(names) - count}"] if count < len(names) else []
        text = ", ".join([*names[:count], *more])
        if cell_len(text) <= width:
            return text
    return f"+{len(names)}" if names else ""
