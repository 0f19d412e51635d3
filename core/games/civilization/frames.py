"""The stack of what is going on: frames of twelve counters, the top one first in line.

A frame below `ASKING` is carried on by its step; from there on the frame asks its seat.  Whoever
wants two things done pushes the later one first.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.layout import CHECK, DEPTH, FIELDS, FRAMES, HOW, STACK, WINNER
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
_number = {key: at for at, key in enumerate(ASKED_KINDS)}
SETUP: Final = _number["setup"]
COURSE: Final = _number["course"]
PLAY: Final = _number["play"]
ROW: Final = _number["row"]
STEP: Final = _number["step"]
DRAW: Final = _number["draw"]
GAIN: Final = _number["gain"]
UNIT: Final = _number["unit"]
KILL_UNIT: Final = _number["kill_unit"]
BATTLE: Final = _number["battle"]
AFTERMATH: Final = _number["aftermath"]
RESEARCH: Final = _number["research"]
PAY_RESEARCH: Final = _number["pay_research"]
LEG: Final = _number["leg"]
ARRIVE: Final = _number["arrive"]
END_MOVE: Final = _number["end_move"]
GERMANY_FRAME: Final = _number["germany"]
SETTLE_DEAL: Final = _number["settle_deal"]
HAND_OVER: Final = _number["hand_over"]
TEACH: Final = _number["teach"]
ACTION: Final = _number["action"]
LOSER_MIX: Final = _number["loser_mix"]
HOME: Final = _number["home"]
CIV_CHOICE: Final = _number["civ"]
ASKING: Final = CIV_CHOICE
CAPITAL: Final = _number["capital"]
FIRST_WONDER_SITE: Final = _number["site0"]
PLACE_FIGURE: Final = _number["place_figure"]
START_MENU: Final = _number["start"]
TRADE_MENU: Final = _number["trade"]
CITY_MENU: Final = _number["city"]
MOVE_MENU: Final = _number["move"]
SHIFT: Final = _number["shift"]
PERSON: Final = _number["person"]
DISCARD: Final = _number["discard"]
DEAL: Final = _number["deal"]
ANSWER_DEAL: Final = _number["answer_deal"]
HAND_OVER_ONE: Final = _number["hand_over_one"]
CHOOSE_ITEM: Final = _number["item"]
CHOOSE_SITE: Final = _number["site"]
TARGET: Final = _number["target"]
PAY: Final = _number["pay"]
WINDOW: Final = _number["window"]
MOVING: Final = _number["moving"]
RAZE: Final = _number["raze"]
FIGHT: Final = _number["fight"]
CHOOSE_FRONT: Final = _number["front"]
WOUND: Final = _number["wound"]
HEAL: Final = _number["heal"]
LOOT: Final = _number["loot"]
VILLAGE: Final = _number["village"]
RESCUE: Final = _number["rescue"]
NATIVES: Final = _number["natives"]
CHOOSE_GIFT: Final = _number["choose_gift"]
STUDY: Final = _number["study"]
SECRET: Final = _number["secret"]
CONSENT: Final = _number["consent"]
GUARDING: Final = _number["guarding"]
AFAR: Final = _number["afar"]

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

_BLANK: Final = [0] * FIELDS  # A frame in which nothing stands; copied, never written to.

# How a game ended.
BY_CULTURE: Final = 1
BY_TECHNOLOGY: Final = 2
BY_ECONOMY: Final = 3
BY_WAR: Final = 4
BY_PRACTICE: Final = 5  # C178: without a winner.
BY_TURNS: Final = 6


def top(table: Table) -> int:
    """The first counter of the top frame."""
    return STACK + FIELDS * (table.counters[DEPTH] - 1)


def push(table: Table, kind: int, seat: int = 0, *, item: int = 0, city: int = 0) -> int:
    """A new top frame; gives its first counter."""
    counters = table.counters
    depth = counters[DEPTH]
    assert depth < FRAMES, "more is going on at once than there are frames"
    at = STACK + FIELDS * depth
    counters[at : at + FIELDS] = _BLANK
    counters[at], counters[at + SEAT], counters[at + ITEM] = kind, seat, item
    counters[at + CITY] = city
    counters[DEPTH] = depth + 1
    return at


def pop(table: Table) -> int:
    """Take the top frame off, and clear it; gives the first counter of the one below."""
    counters = table.counters
    counters[DEPTH] -= 1
    at = STACK + FIELDS * counters[DEPTH]
    counters[at : at + FIELDS] = _BLANK
    return at - FIELDS


def touch(table: Table) -> None:
    """Something has changed that coins, limits or decks depend on: they are looked at next."""
    table.counters[CHECK] = 1


def win(table: Table, seat: int, how: int) -> None:
    """C171 to C174: the game is over."""
    counters = table.counters
    if not counters[HOW]:
        counters[WINNER], counters[HOW] = seat, how
