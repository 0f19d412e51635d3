"""The stack of what is going on: frames of twelve counters, the top one first in line.

A frame below `ASKING` is carried on by its step; from there on the frame asks its seat.  Whoever
wants two things done pushes the later one first.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.layout import CHECK, DEPTH, FIELDS, FRAMES, HOW, STACK, WINNER
from core.native import i64
from core.table import Table

# Fields of a frame.
KIND: Final = 0
SEAT: Final = 1
TYPE: Final = 2
ITEM: Final = 3
AIM: Final = 4
OTHER: Final = 5
PAID: Final = 6
STAGE: Final = 7
BASE: Final = 8
NOTE: Final = 9
CITY: Final = 10
MASK: Final = 11

ASKED_KINDS: Final = (
    "none", "setup", "course", "play", "row", "step", "draw", "gain", "unit", "kill_unit",
    "battle", "aftermath", "research", "pay_research", "leg", "arrive", "end_move", "germany",
    "settle_deal", "hand_over", "teach", "action", "loser_mix", "learned", "home", "over",
    # From here on a seat is asked.
    "civ", "capital", "site0", "place_figure", "start", "trade", "city", "move", "shift", "person",
    "discard", "deal", "answer_deal", "hand_over_one", "item", "site", "target", "pay", "window",
    "moving", "raze", "fight", "front", "wound", "heal", "loot", "village", "rescue", "natives",
    "choose_gift", "study", "secret", "consent", "guarding", "afar",
)  # fmt: skip
# Written out, one by one: a compiled rule then holds the number.
SETUP: Final = 1
COURSE: Final = 2
PLAY: Final = 3
ROW: Final = 4
STEP: Final = 5
DRAW: Final = 6
GAIN: Final = 7
UNIT: Final = 8
KILL_UNIT: Final = 9
BATTLE: Final = 10
AFTERMATH: Final = 11
RESEARCH: Final = 12
PAY_RESEARCH: Final = 13
LEG: Final = 14
ARRIVE: Final = 15
END_MOVE: Final = 16
GERMANY_FRAME: Final = 17
SETTLE_DEAL: Final = 18
HAND_OVER: Final = 19
TEACH: Final = 20
ACTION: Final = 21
LOSER_MIX: Final = 22
HOME: Final = 24
CIV_CHOICE: Final = 26
ASKING: Final = CIV_CHOICE
CAPITAL: Final = 27
FIRST_WONDER_SITE: Final = 28
PLACE_FIGURE: Final = 29
START_MENU: Final = 30
TRADE_MENU: Final = 31
CITY_MENU: Final = 32
MOVE_MENU: Final = 33
SHIFT: Final = 34
PERSON: Final = 35
DISCARD: Final = 36
DEAL: Final = 37
ANSWER_DEAL: Final = 38
HAND_OVER_ONE: Final = 39
CHOOSE_ITEM: Final = 40
CHOOSE_SITE: Final = 41
TARGET: Final = 42
PAY: Final = 43
WINDOW: Final = 44
MOVING: Final = 45
RAZE: Final = 46
FIGHT: Final = 47
CHOOSE_FRONT: Final = 48
WOUND: Final = 49
HEAL: Final = 50
LOOT: Final = 51
VILLAGE: Final = 52
RESCUE: Final = 53
NATIVES: Final = 54
CHOOSE_GIFT: Final = 55
STUDY: Final = 56
SECRET: Final = 57
CONSENT: Final = 58
GUARDING: Final = 59
AFAR: Final = 60

# Types of plays.
EVENT_PLAY: Final = 1
POWER_PLAY: Final = 2
ACTION_PLAY: Final = 3
LEG_PLAY: Final = 4
# Bits of the note of a play.
CANCELLED: Final = 1
HAS_GIFT: Final = 2
GIFT_CANCELLED: Final = 4
IS_ANSWER: Final = 8
CONSENTED: Final = 16
WHICH: Final = 32  # An answer: 32 times what it cancels, or where it strikes.

# How a game ended.
BY_CULTURE: Final = 1
BY_TECHNOLOGY: Final = 2
BY_ECONOMY: Final = 3
BY_WAR: Final = 4
BY_PRACTICE: Final = 5  # C178: without a winner.
BY_TURNS: Final = 6


def top(table: Table) -> i64:
    """The first counter of the top frame."""
    depth: i64 = table.counters[DEPTH]
    return STACK + FIELDS * (depth - 1)


def push(table: Table, kind: int, seat: int = 0, *, item: int = 0, city: int = 0) -> i64:
    """A new top frame; gives its first counter.  What was there before has been cleared."""
    counters = table.counters
    depth: i64 = counters[DEPTH]
    assert depth < FRAMES, "more is going on at once than there are frames"
    at = STACK + FIELDS * depth
    counters[at], counters[at + SEAT], counters[at + ITEM] = kind, seat, item
    counters[at + CITY] = city
    counters[DEPTH] = depth + 1
    return at


def pop(table: Table) -> i64:
    """Take the top frame off, and clear it; gives the first counter of the one below."""
    counters, at = table.counters, top(table)
    field: i64
    for field in range(at, at + FIELDS):
        counters[field] = 0
    counters[DEPTH] = counters[DEPTH] - 1
    return at - FIELDS


def touch(table: Table) -> None:
    """Something has changed that coins, limits or decks depend on: they are looked at next."""
    table.counters[CHECK] = 1


def win(table: Table, seat: int, how: int) -> None:
    """C171 to C174: the game is over."""
    counters = table.counters
    if not counters[HOW]:
        counters[WINNER], counters[HOW] = seat, how
