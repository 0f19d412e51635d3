"""A view of Civilization as a table again, so that the rules themselves say what follows from it.

Nothing is guessed here: yields, costs, limits and coins on the screen are those of the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from core.games.civilization.faces import CARDS, FACES
from core.games.civilization.frames import AIM, ASKED_KINDS, ITEM, KIND, LEG_PLAY, OTHER, TYPE
from core.games.civilization.items import ITEM_KEYS
from core.games.civilization.layout import (
    ARMIES,
    DEPTH,
    FIELDS,
    GROUP,
    MOVE_AT,
    MOVE_FROM,
    MOVER,
    STACK,
    counter_names,
    places,
)
from core.games.civilization.ways import way_of_leg
from core.games.civilization.wealth import resting
from core.requests import Player
from core.table import HIDDEN, Layout, OptionValue, Table
from core.view import Offer, View

COLUMNS: Final = "abcdgijkmnotwxyz"  # The letters that mean nothing else at the table.
SEAT_LETTERS: Final = "abcd"
ITEMS: Final = {key: number for number, key in ITEM_KEYS.items()}  # By their keys.
_NUMBERS: Final = {key: number for number, key in enumerate(FACES)}


@lru_cache(maxsize=8)
def _layout(players: int, options: tuple[tuple[str, OptionValue], ...]) -> Layout:
    return Layout(players, FACES, places(players), counter_names(players), dict(options))


def table_of(view: View) -> Table:
    """The table as this seat sees it, to do with as one likes: what it does not know is hidden.

    One drawing asks for it many times, so that of the newest view is kept.
    """
    newest, table = _newest[0] if _newest else (None, None)
    if newest is not view or table is None:
        table = _laid_out(view)
        _newest[:] = [(view, table)]
    return table.copy()


_newest: list[tuple[View, Table]] = []


def _laid_out(view: View) -> Table:
    table = Table(_layout(view.players, tuple(view.options.items())))
    table.counters = list(view.counters.values())
    table.zones = [[card.card for card in cards] for cards in view.zones.values()]
    table.face = [HIDDEN] * CARDS
    for cards in view.zones.values():
        for card in cards:
            if card.face is not None:
                table.face[card.card] = _NUMBERS[card.face]
    return table


def square_name(square: int) -> str:
    """`g7`: the letter of the column, the number of the row from the top."""
    return f"{COLUMNS[square % 16]}{square // 16 + 1}"


@lru_cache(maxsize=1024)
def square_of(word: str) -> int:
    """The square of a word of the notation, as in `5.7`; -1 for any other word."""
    x, dot, y = word.partition(".")
    return 16 * int(y) + int(x) if dot and x.isdigit() and y.isdigit() else -1


def map_size(view: View) -> tuple[int, int]:
    """How many columns and rows of squares there are."""
    return (8 if view.players == 2 else 16), 16


def frames_of(table: Table) -> list[int]:
    """The first counters of what is going on, the innermost first."""
    return [STACK + FIELDS * at for at in range(table.counters[DEPTH] - 1, -1, -1)]


def frame_of(table: Table, *kinds: str) -> int:
    """The innermost frame of one of these kinds; -1 where there is none."""
    for at in frames_of(table):
        if ASKED_KINDS[table.counters[at + KIND]] in kinds:
            return at
    return -1


def window_frame(table: Table) -> int:
    """The play that a window is about: two below it."""
    at = frame_of(table, "window")
    return at - 2 * FIELDS if at >= 0 else -1


def figures_on(table: Table, square: int) -> list[tuple[Player, int, int]]:
    """Who has how many armies and scouts on a square; a group that moves is where it is now."""
    counters = table.counters
    owner, armies, scouts = resting(table, square)
    mover, found = counters[MOVER] - 1, []
    if mover >= 0 and square in (counters[MOVE_FROM], counters[MOVE_AT]):
        more = (counters[GROUP] & (1 << ARMIES) - 1).bit_count()
        also = (counters[GROUP] >> ARMIES).bit_count()
        if square == counters[MOVE_FROM] and owner == mover:
            armies, scouts = armies - more, scouts - also
        if square == counters[MOVE_AT] and (armies + scouts == 0 or owner == mover):
            owner, armies, scouts = mover, armies + more, scouts + also
        elif square == counters[MOVE_AT]:
            found.append((mover, more, also))
    return [*found, (owner, armies, scouts)] if armies + scouts > 0 else found


def moving(table: Table) -> tuple[Player, int, int, int]:
    """Who moves (-1: nobody), from which square, and how many armies and scouts."""
    counters = table.counters
    group = counters[GROUP]
    armies, scouts = (group & (1 << ARMIES) - 1).bit_count(), (group >> ARMIES).bit_count()
    return counters[MOVER] - 1, counters[MOVE_AT], armies, scouts


def what_is_placed(view: View, table: Table) -> str:
    """What has been gained or made and waits for its square, by its key; empty for nothing."""
    phase, zones = view.phase, view.zones
    if phase == "person":
        return next((card.face for card in reversed(zones["persons.new"]) if card.face), "")
    if phase == "site0":
        own = zones[f"seat{view.to_act[0]}.wonders"]
        return next((card.face for card in reversed(own) if card.face), "")
    if phase == "place_figure":
        return "scout" if table.counters[frame_of(table, phase) + ITEM] else "army"
    at = frame_of(table, "action")
    if phase != "site" or at < 0:
        return ""
    items, asked = what_is_made(table, at), table.counters[frame_of(table, "site") + ITEM]
    return ITEM_KEYS[items[0] if asked == AIM else items[-1]]


def what_is_made(table: Table, at: int) -> list[int]:
    """The items of the city action in a frame."""
    first, second = table.counters[at + ITEM], table.counters[at + OTHER]
    return [first, *([second] if second >= 0 else [])]


def answered_at(view: View, offer: Offer) -> list[int]:
    """Where those stand who are answered on their way; nothing for any other choice."""
    if offer.action.verb != "answer":
        return []
    table = table_of(view)
    at = window_frame(table)
    is_leg = at >= 0 and table.counters[at + TYPE] == LEG_PLAY
    return [way_of_leg(table, at)[int(offer.text.split()[1])]] if is_leg else []
