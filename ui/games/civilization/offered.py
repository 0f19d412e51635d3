"""What an offer says beyond its notation: what it costs, what it gives, what is put on a square."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from core.games.civilization.answers import pays_for_answer, power_of_answer
from core.games.civilization.battles import seat_of
from core.games.civilization.cities import TASK_PRICES
from core.games.civilization.faces import FACES, TECH_KEYS
from core.games.civilization.frames import CITY, ITEM, LEG_PLAY, TYPE
from core.games.civilization.items import cost, trade_for
from core.games.civilization.layout import FRONT, FRONT_OF, TRACK_AT, TRADE, UNIT_PLAYED
from core.games.civilization.learning import learn
from core.games.civilization.powers import POWER_KEYS, TASK_DEMOCRACY, TASK_PRINTING
from core.games.civilization.printed import (
    BEATS,
    TRACK,
    TRACK_CULTURE,
    TRACK_TRADE,
    UNIT_TYPES,
)
from core.games.civilization.ways import way_of_leg
from core.games.civilization.wealth import coins, production
from core.requests import Player
from core.table import HIDDEN, Table
from core.view import View
from ui.games.civilization.battle import strength_now
from ui.games.civilization.position import (
    ITEMS,
    frame_of,
    square_name,
    table_of,
    what_is_placed,
    window_frame,
)
from ui.games.civilization.replacing import PUT, over_text
from ui.games.civilization.words import amount_of, item_name, name, placed_name, say, tech_name
from ui.language.text import Words

if TYPE_CHECKING:
    from p2p.session.news import SeatState

_TASKS: Final = {
    "democracy": (TASK_DEMOCRACY, "trade"), "printing_press": (TASK_PRINTING, "culture"),
}  # fmt: skip


class _Moment(NamedTuple):
    """Who is asked, at which table, in which language."""

    words: Words
    view: View
    seats: Sequence[SeatState]
    table: Table
    seat: Player

    def says(self, key: str, notation: str, **more: object) -> str:
        """One of the sentences of an offer, with what its notation says and with more."""
        gaps = {**say(self.words, self.seats, notation), **more}
        return self.words(f"offer.civilization.{key}", **gaps)


def offered(words: Words, view: View, seats: Sequence[SeatState]) -> Mapping[str, str]:
    """The sentences of offers that say more than their notation, by it."""
    texts = [offer.text for offer in view.offers if offer.action.verb in _WAYS]
    if view.seat is None or not texts:
        return {}
    moment = _Moment(words, view, seats, table_of(view), view.seat)
    return {text: _whole(moment, text) for text in texts}


def _whole(it: _Moment, notation: str) -> str:
    """What a choice does, and what has to go for that."""
    verb = notation.partition(" ")[0]
    text = _WAYS[verb](it, notation)
    key = "civilization.over" if verb in PUT else "civilization.over_at"
    over = over_text(it.words, it.view, it.table, notation, key)
    return it.words("civilization.with", text=text, over=over) if over else text


# ---- cities ----


def price_of(table: Table, seat: Player, city: int, items: Sequence[int]) -> tuple[int, int]:
    """What items cost a city together, and the trade that is spent for missing production."""
    price = sum(cost(table, seat, item) for item in items)
    return price, trade_for(table, seat, price - production(table, seat, city))


def _price_text(it: _Moment, city: int, items: Sequence[int]) -> str:
    """`7 production`; `7 (6 production, 3 trade)` where trade is spent besides."""
    price, trade = price_of(it.table, it.seat, city, items)
    if not trade:
        return it.words("civilization.price", number=price)
    made = production(it.table, it.seat, city)
    return it.words("civilization.price_trade", number=price, production=made, trade=trade)


def _made(it: _Moment, notation: str) -> str:
    _, key, city = notation.split()
    return it.says("make_for", notation, price=_price_text(it, int(city), [ITEMS[key]]))


def _as_said(it: _Moment, notation: str) -> str:
    """What the notation says, which is all but what has to go for it."""
    return it.says(notation.partition(" ")[0], notation)


def _split(it: _Moment, notation: str) -> str:
    """The first of two items: what both cost is known with the second."""
    _, key, _ = notation.split()
    price = it.words("civilization.price", number=cost(it.table, it.seat, ITEMS[key]))
    return it.says("split_for", notation, price=price)


def _also(it: _Moment, notation: str) -> str:
    at, item = frame_of(it.table, "action"), ITEMS[notation.split()[1]]
    city, first = it.table.counters[at + CITY], it.table.counters[at + ITEM]
    both = _price_text(it, city, [first, item])
    return it.says("also_for", notation, number=cost(it.table, it.seat, item), price=both)


# ---- culture, coins, technologies ----


def _advanced(it: _Moment, notation: str) -> str:
    at, words = it.table.counters[TRACK_AT[it.seat]] + 1, it.words
    goods = {"culture": TRACK_CULTURE[at], "trade": TRACK_TRADE[at]}
    price = words.listed(_amount(words, number, good) for good, number in goods.items() if number)
    return it.says("advance_for", notation, price=price, what=_space(it))


def _opera(it: _Moment, notation: str) -> str:
    return it.says("opera_for", notation, what=_space(it))


def _space(it: _Moment) -> str:
    """What the next space of the culture track gives."""
    space = TRACK[it.table.counters[TRACK_AT[it.seat]] + 1]
    return name(it.words, f"space.{'end' if space == '!' else space}")


def _amount(words: Words, number: int, good: str) -> str:
    return amount_of(words, number, name(words, f"good.{good}"))


def _task(it: _Moment, notation: str) -> str:
    task, good = _TASKS[notation.split()[1]]
    return it.says("task_for", notation, price=_amount(it.words, TASK_PRICES[task], good))


def _learned(it: _Moment, notation: str) -> str:
    """What one keeps of one's trade; what is learned of somebody else is free."""
    if it.view.phase == "loot":
        return _dear(it, notation)
    if it.view.phase != "research":
        return it.says("learn", notation)
    trade, kept = trade_kept(it.table, it.seat, notation.split()[1])
    return it.says("learn_for", notation, number=trade, more=kept)


def _dear(it: _Moment, notation: str) -> str:
    """Loot that takes two points, which is all there is of them (C129)."""
    verb, word = notation.split()[:2]
    text = it.says(verb, notation)
    is_dear = verb != "seize" or word.startswith("event.")
    return it.words("civilization.dear", text=text) if is_dear else text


def trade_kept(table: Table, seat: Player, key: str) -> tuple[int, int]:
    """The trade of a seat, and what is left of it once a technology is learned (C164)."""
    counters, trade = table.counters, table.counters[TRADE[seat]]
    saved = counters[:]
    learn(table, seat, TECH_KEYS.index(key))
    kept = min(trade, coins(table, seat))
    counters[:] = saved
    return trade, kept


# ---- squares and fronts ----


def _put(it: _Moment, notation: str) -> str:
    what = placed_name(it.words, what_is_placed(it.view, it.table))
    return it.says("put", notation, what=what)


def _attacked(it: _Moment, notation: str) -> str:
    """Who strikes first in a front, and why (C119)."""
    mine, theirs = _types(it, int(notation.split()[1]))
    if HIDDEN in (mine, theirs):
        return it.says("front", notation)
    first, second = (theirs, mine) if BEATS[theirs] == mine else (mine, theirs)
    if BEATS[first] != second:
        return it.says("front_both", notation)
    key = "front_first" if first == mine else "front_second"
    what, more = (item_name(it.words, UNIT_TYPES[kind]) for kind in (first, second))
    return it.says(key, notation, what=what, more=more)


def _answered(it: _Moment, notation: str) -> str:
    """An answer to a move says where it stops it; one to an ability, whether its gift is meant."""
    at, which = window_frame(it.table), int(notation.split()[1])
    paid, gaps = _paid_answer(it, notation, at, which), dict[str, object]()
    key = "answer_gift" if which else "answer"
    if it.table.counters[at + TYPE] == LEG_PLAY:
        key, gaps = "answer_at", {"where": square_name(way_of_leg(it.table, at)[which])}
    if not paid:
        return it.says(key, notation, **gaps)
    text = it.says(key, notation, **gaps, what=paid)
    what = say(it.words, it.seats, notation)["what"]
    return it.words("civilization.paid_with", text=text, what=what)


def _paid_answer(it: _Moment, notation: str, at: int, which: int) -> str:
    """The ability that a spy pays for; nothing of an event, which answers by itself."""
    if not pays_for_answer(FACES.index(notation.split()[2])):
        return ""
    key = POWER_KEYS[power_of_answer(it.table, at, which)]
    return tech_name(it.words, key.partition(":")[0])


def _played(it: _Moment, notation: str) -> str:
    """A unit with its strength: what stands on the card is that without ranks (C113)."""
    offer = next(each for each in it.view.offers if each.text == notation)
    number = strength_now(it.table, it.seat, offer.action.cards[0])
    return it.says("play_for", notation, number=number)


def _types(it: _Moment, front: int) -> tuple[int, int]:
    """The types of the unit that attacks a front and of the one that stands there."""
    table, side = it.table, it.table.counters[frame_of(it.table, "front") + ITEM]
    rivals = table.zones[FRONT[seat_of(table, 1 - side)]]
    rival = next(card for card in rivals if table.counters[FRONT_OF + card] == front)
    cards = (table.counters[UNIT_PLAYED] - 1, rival)
    mine, theirs = (HIDDEN if table.face[card] == HIDDEN else table.face[card] // 3
                    for card in cards)  # fmt: skip
    return mine, theirs


_WAYS: Final[Mapping[str, Callable[[_Moment, str], str]]] = {
    "make": _made, "split": _split, "also": _also, "advance": _advanced, "opera": _opera,
    "task": _task, "learn": _learned, "site": _put, "place": _put, "front": _attacked,
    "free": _as_said, "great": _as_said, "play": _played,
    "coin": _dear, "seize": _dear, "answer": _answered,
}  # fmt: skip
