"""What may be interrupted, in words: who does what, at what it is aimed; and the guard."""

from __future__ import annotations

from typing import Final

from core.games.civilization.answers import GUARD_BITS
from core.games.civilization.faces import EVENT_KEYS, FACES
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
    STAGE,
    TYPE,
    top,
)
from core.games.civilization.items import ARTS, HARVEST, ITEM_KEYS
from core.games.civilization.layout import EVENTS, GUARD, TOKENS
from core.games.civilization.notation import GUARD_KEYS, aim_name
from core.games.civilization.plays import is_aimed
from core.games.civilization.powers import POWER_KEYS
from core.requests import Player
from core.table import Table
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, GOOD, MUTED
from ui.draw.panels import cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.battle import is_fought
from ui.games.civilization.meaning import item_text
from ui.games.civilization.position import (
    frame_of,
    moving,
    square_name,
    square_of,
    what_is_made,
    what_is_placed,
    window_frame,
)
from ui.games.civilization.squares import met_at
from ui.games.civilization.words import group_name, item_name, name, power_name, say
from ui.model.sentences import drawn_sentence
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span

_SQUARES: Final = 256
_ON_THE_WAY: Final = ("moving", "window", "guarding")  # C105: not who has met somebody.
_WITHIN_A_PLAY: Final = ("target", "pay", "consent", "afar")
GUARD_ROWS: Final = 3  # Where there is room.
_SHORT_GUARD_ROWS: Final = 2  # With short names.


def window_text(model: ViewModel, table: Table) -> str:
    """The play that I may answer, as a sentence; empty where there is none."""
    at = window_frame(table)
    if at < 0:
        at = frame_of(table, "play") if model.view.phase in _WITHIN_A_PLAY else -1
    return _play(model, table, at) if at >= 0 else ""


def _play(model: ViewModel, table: Table, at: int) -> str:
    counters, words = table.counters, model.words
    sort, who = counters[at + TYPE], counters[at + SEAT]
    if sort == EVENT_PLAY:
        face = EVENT_KEYS[counters[at + ITEM]]
        text = _who_does(model, "event", who, words.name("face", face))
        told = words(f"text.civilization.{face}")
    elif sort == POWER_PLAY:
        key = POWER_KEYS[counters[at + ITEM]]
        text = _who_does(model, "power", who, power_name(words, key))
        told = words(f"text.civilization.tech.{key.partition(':')[0]}")
    elif sort == LEG_PLAY:
        return _leg(model, table, at, who)
    elif sort == ACTION_PLAY:
        return _action(model, table, at, who)
    else:
        return ""
    squares = _squares_aimed_at(model, table, at)
    named = aim_name(table, at) if squares else ""  # Whose figure it is, that says already.
    aimed = [words("civilization.doing.me") if seat.is_me else seat.name
             for seat in model.seats if counters[at + MASK] >> seat.seat & 1
             and (seat.is_me or f"seat{seat.seat}." not in named)] + squares  # fmt: skip
    if aimed:
        aim = words("civilization.doing.aimed", what=words.listed(aimed))
        text = words.parted([text, aim])
    return f"{text} · {told}"


def _who_does(model: ViewModel, key: str, who: Player, what: str) -> str:
    """Somebody plays or uses something; mine is said to me."""
    seat, key = model.seats[who], f"civilization.doing.{key}"
    return model.words(f"{key}_me" if seat.is_me else key, name=seat.name, what=what)


def _squares_aimed_at(model: ViewModel, table: Table, at: int) -> list[str]:
    """The square that a play names, or what stands on it; nothing where it names a seat.

    Nor while it is still chosen.
    """
    is_open = model.view.phase == "target" and window_frame(table) < 0
    is_named = is_aimed(table, at) and not (is_open and table.counters[top(table) + STAGE] == AIM)
    what = aim_name(table, at) if is_named else ""
    has_square = any(square_of(word) >= 0 for word in what.split())
    return [say(model.words, model.news.seats, f"target {what}")["what"]] if has_square else []


def _leg(model: ViewModel, table: Table, at: int, who: Player) -> str:
    """Where somebody goes, and that it is an attack: nobody has to look for its own on the map."""
    _, square, armies, scouts = moving(table)
    aim, words = table.counters[at + ITEM] % _SQUARES, model.words
    leg = words("civilization.doing.leg", name=model.seats[who].name,
                what=group_name(words, armies, scouts),
                where=square_name(square), more=square_name(aim))  # fmt: skip
    met, whose = met_at(table, aim)
    if met in ("", "hut", "village"):
        return leg
    key = f"civilization.attacks.{met}" + ("_me" if model.seats[whose].is_me else "")
    return f"{leg} · {words(key)}"


def _action(model: ViewModel, table: Table, at: int, who: Player) -> str:
    words, counters = model.words, table.counters
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
    return words("civilization.doing.action", name=model.seats[who].name, city=city,
                 what=words.listed(texts))  # fmt: skip


def placed_texts(model: ViewModel, table: Table) -> list[str]:
    """What has been gained or made, and waits for its square: what it yields or does."""
    key, words = what_is_placed(model.view, table), model.words
    if model.view.phase == "place_figure" or not key:
        return []  # Which figure is asked for, the question says.
    if model.view.phase == "person":
        return [f"{words.name('face', key)}: {words(f'text.civilization.{key}')}"]
    return [item_text(words, key) or item_name(words, key)]


def now_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """What is happening, in as many lines as it takes."""
    text = window_text(scene.model, table)
    mover, square, armies, scouts = moving(table)
    rows = wrapped([Span(text, "bold")], width) if text else []
    who = "".join(f"{scene.name_of(seat)} · " for seat in scene.view.to_act[:1])
    for line in placed_texts(scene.model, table):
        whose = "" if scene.model.is_my_turn else who
        rows += wrapped([Span(whose + line, "bold")], width)
    got = got_text(scene.model, table)
    rows += wrapped([Span(got, "bold")], width) if got else []
    loot = _loot_text(scene, table)
    rows += wrapped([Span(loot, "bold")], width) if loot else []
    is_on_the_way = mover >= 0 and scene.view.phase in _ON_THE_WAY and not is_fought(table)
    if is_on_the_way and not text and armies + scouts:
        from core.games.civilization.layout import POINTS

        line = scene.of_seat(
            "civilization.moving", mover, what=group_name(scene.words, armies, scouts),
            where=square_name(square), number=table.counters[POINTS],
        )  # fmt: skip
        rows += wrapped([Span(line, "bold")], width)
        if any(pick.offer.action.verb == "via" for pick in scene.model.picks):
            rows += wrapped([Span(scene.words("civilization.via_hint"), MUTED)], width)
    return rows


def got_text(model: ViewModel, table: Table) -> str:
    """What has come into my hand since my last choice, and what it does; empty for nothing.

    A hand is mixed when a card comes, so nobody finds it there.
    """
    me, lines, words = model.view.seat, model.news.lines, model.words
    if me is None or not model.is_my_turn:
        return ""
    chosen = [at for at, line in enumerate(lines) if line.kind == "chosen" and line.is_by(me)
              and line.text.partition(" ")[0] not in model.look.asides]  # fmt: skip
    got = [line for line in lines[chosen[-1] if chosen else 0 :]
           if line.kind == "drawn" and line.is_by(me)]  # fmt: skip
    held = {FACES[table.face[card]] for zone in (EVENTS, TOKENS) for card in table.zones[zone[me]]}
    faces = [face for line in got for face in line.faces if face in held]
    if not faces:
        return ""
    text = drawn_sentence(words, model.news.seats, faces)
    told = words(f"text.civilization.{faces[-1]}") if faces[-1] in EVENT_KEYS else ""
    return " · ".join(filter(None, (text, told if len(faces) == 1 else "")))


def _loot_text(scene: Scene, table: Table) -> str:
    """C126: who takes loot, and of whom; how much of it is left, the question says."""
    at, words = frame_of(table, "loot"), scene.words
    if at < 0:
        return ""
    loser = scene.model.seats[table.counters[at + CITY]]
    other = words("civilization.doing.me") if loser.is_me else loser.name
    return scene.of_seat("civilization.looting", table.counters[at + SEAT], other=other)


def guard_rows(scene: Scene, table: Table, width: int, most: int) -> list[Row]:
    """What I am asked about: each bit with its key, set or not, and its name, below a title.

    Where the whole names do not fit they are short, and in one row there are none.
    """
    seat = scene.view.seat
    if seat is None:
        return []
    kinds = ("",) if most < _SHORT_GUARD_ROWS else ("guard", "guard_short")
    rows: list[Row] = []
    for kind in kinds:
        cells = [_guard(scene, table.counters[GUARD[seat]], bit, kind) for bit in range(GUARD_BITS)]
        for key in ("guard_long", "guard"):
            title: Row = [Span(scene.words(f"civilization.{key}"), MUTED)]
            rows = flow_cells([title, *cells], width, 1)
            if len(rows) <= most:
                return rows
    return rows[:most]


def _guard(scene: Scene, guard: int, bit: int, kind: str) -> Row:
    """One of the things that I may be asked about: `G3 ✓ wonders`."""
    key, is_set = GUARD_KEYS[bit], bool(guard >> bit & 1)
    pick = scene.pick_of(f"guard {key}")
    label = pick.label if pick else ""
    style = CAP if label and label in scene.picked else GOOD if is_set else MUTED
    sign = "✓" if is_set else "·"
    if kind == "guard":
        text = f"{sign} {name(scene.words, f'guard.{key}')}"
        return [*(cap(label) or [Span(f"G{bit + 1}", MUTED)]), Span(text, style, label)]
    text = sign + (name(scene.words, f"{kind}.{key}") if kind else "")
    return [Span(label or f"G{bit + 1}", MUTED, label), Span(text, style, label)]
