"""The course of the game: set-up, turns, the card under way, clean-up and the end.

`advance` carries on until something is needed from outside.  Every phase in which nobody chooses
is one function here; it returns a request, or None when the table goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from core.games.dominion.cards import (
    ACTING,
    ACTIONS,
    ALL,
    BASIC_KINDS,
    BEGINNING,
    BOUGHT,
    BOX,
    BUYING,
    BUYS,
    CHECK,
    CHOOSER,
    CLEANED,
    CLEANING,
    COINS,
    DEALING,
    DEALT,
    DECK,
    DEPTH,
    DISCARD,
    DRAFTING,
    ENDING,
    HAND,
    IS_ACTION,
    IS_TREASURE,
    KEYS,
    KINGDOM,
    KINGDOM_KINDS,
    KINGDOM_ROLLED,
    MERCHANTS,
    MIX,
    MONEY,
    NEED,
    NOBODY,
    OVER,
    PHASE,
    PHASES,
    PICKED,
    PLAY,
    PLAYED,
    PROVINCE,
    PULL_COUNT,
    PULL_SEAT,
    RESOLVING,
    ROLLED,
    SEATS_MAX,
    SILVER,
    SILVERS,
    STACK,
    START,
    STARTING,
    STEPS_MAX,
    TOPPING,
    TREASURES_PLAYED,
    TURN,
    TURNS,
    empty_piles,
)
from core.games.dominion.kingdoms import (
    RANDOM,
    VETO,
    kinds_of,
    kingdom_by_number,
    kingdoms_count,
    named_kingdom,
)
from core.games.dominion.picks import ask, check
from core.games.dominion.piles import begin_pull, could_hold, heap, mix_hidden, pull, show_top
from core.games.dominion.steps import clear_notes, push
from core.games.dominion.texts import TEXTS
from core.native import i64
from core.requests import Choice, Face, Over, Request, Roll, Shuffle
from core.table import RulesError, Table

_HAND_CARDS: Final = 5
_CHOICES: Final = tuple(Choice(seat) for seat in range(SEATS_MAX))  # Made once, for speed.


def advance(table: Table) -> Request:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed."""
    counters = table.counters
    while True:
        if table.owed:
            return table.owed[0]
        request: Request | None = None
        if counters[PULL_COUNT]:
            request = pull(table)
        elif counters[MIX]:
            counters[MIX] = 0
            request = mix_hidden(table, counters[PULL_SEAT])
        elif counters[CHECK]:
            check(table)
        else:
            step = _STEPS[counters[PHASE]]
            if step is None:
                return _CHOICES[counters[CHOOSER]]
            request = step(table)
        if request is not None:
            return request


# ---- set-up ----


def _start(table: Table) -> Request:
    table.counters[PHASE] = ROLLED
    return Roll(table.layout.players)  # D6


def _begin_kingdom(table: Table) -> Request | None:
    """D5: the kingdom is named, or found by lot, or drafted from the start player on."""
    counters, options = table.counters, table.layout.options
    counters[START] = counters[TURN] = table.rolled
    if options["kingdom"] == RANDOM:
        counters[PHASE] = KINGDOM_ROLLED
        return Roll(kingdoms_count(options["edition"]))
    kingdom = named_kingdom(options)
    if kingdom:
        lay_kingdom(table, kingdom)
    else:
        spare = len(kinds_of(options["edition"])) - KINGDOM_KINDS
        steps = spare if options["kingdom"] == VETO else KINGDOM_KINDS
        counters[PHASE], counters[CHOOSER], counters[NEED] = DRAFTING, table.rolled, steps
    return None


def _take_rolled_kingdom(table: Table) -> None:
    lay_kingdom(table, kingdom_by_number(table.layout.options["edition"], table.rolled))


def draft(table: Table, face: Face) -> None:
    """D5: one more kind is in the kingdom, and the next seat chooses; the rest goes to the box."""
    counters = table.counters
    counters[KINGDOM + KINGDOM_KINDS - counters[NEED]] = face
    counters[NEED] -= 1
    counters[CHOOSER] = (counters[CHOOSER] + 1) % table.layout.players
    if not counters[NEED]:
        lay_kingdom(table, sorted(counters[KINGDOM : KINGDOM + KINGDOM_KINDS]))


def strike(table: Table, face: Face) -> None:
    """D5: one kind goes to the box, and the next seat strikes one out; the last ten are played."""
    counters, zones = table.counters, table.zones
    zones[BOX] += zones[face]
    zones[face] = []
    counters[NEED] -= 1
    counters[CHOOSER] = (counters[CHOOSER] + 1) % table.layout.players
    if not counters[NEED]:
        lay_kingdom(
            table, [kind for kind in kinds_of(table.layout.options["edition"]) if zones[kind]]
        )


def lay_kingdom(table: Table, kingdom: Sequence[Face]) -> None:
    """D4, D5: these ten kinds make the kingdom; whatever else was laid out goes to the box."""
    counters = table.counters
    counters[KINGDOM : KINGDOM + KINGDOM_KINDS] = kingdom
    zones = table.zones
    for face in ALL[BASIC_KINDS:]:
        if zones[face] and face not in kingdom:
            zones[BOX] += zones[face]
            zones[face] = []
    counters[PHASE] = DEALING
    table.tell("kingdom", -1, tuple([zones[face][-1] for face in kingdom]))


def _shuffle(table: Table) -> Request:
    """D2: everybody shuffles the first ten cards."""
    table.counters[PHASE], table.counters[NEED] = DEALT, 0
    return Shuffle(tuple(tuple(table.zones[DECK[seat]]) for seat in range(table.layout.players)))


def _deal(table: Table) -> None:
    """D2: everybody draws five, beginning with the start player."""
    counters, players = table.counters, table.layout.players
    if counters[NEED] == players:
        counters[PHASE] = BEGINNING
        return
    seat = (counters[START] + counters[NEED]) % players
    counters[NEED] += 1
    begin_pull(table, seat, _HAND_CARDS, HAND[seat])


# ---- a turn ----


def _begin(table: Table) -> None:
    """D7: one Action, one Buy, no coins."""
    counters = table.counters
    counters[ACTIONS] = counters[BUYS] = 1
    counters[MONEY] = counters[MERCHANTS] = counters[SILVERS] = counters[BOUGHT] = 0
    turns = TURNS[counters[TURN]]
    counters[turns] = counters[turns] + 1  # Faster than += when compiled.
    table.tell("turn", counters[TURN], (), counters[turns])
    _next_action(table)


def _resolve(table: Table) -> Request | None:
    """D8: the next step of the card under way; when there is none, the next Action or Buy."""
    counters = table.counters
    depth = counters[DEPTH]
    if not depth:
        _next_action(table)
        return None
    under_way = counters[STACK + depth - 1]
    card, step = under_way // STEPS_MAX, under_way % STEPS_MAX
    text = TEXTS[table.public_face(card)]
    if step == len(text):
        counters[STACK + depth - 1] = 0
        counters[DEPTH] = depth - 1
        if depth > 1 and counters[STACK + depth - 2] == card * STEPS_MAX:
            table.tell("again", counters[TURN], (card,))
        clear_notes(table)
        return None
    counters[STACK + depth - 1] = under_way + 1
    return text[step](table)


def _next_action(table: Table) -> None:
    """Left out when everybody knows that there is none to play."""
    counters = table.counters
    turn = counters[TURN]
    counters[CHOOSER] = turn
    counters[PHASE] = BUYING
    if counters[ACTIONS]:
        kingdom = counters[KINGDOM : KINGDOM + KINGDOM_KINDS]  # Only there are Actions.
        if could_hold(table, turn, IS_ACTION, kingdom):
            counters[PHASE] = ACTING


def _judge_action(table: Table) -> None:
    """The card played has been turned up."""
    counters = table.counters
    card = table.zones[PLAY[counters[TURN]]][-1]
    face = table.public_face(card)
    if not IS_ACTION[face]:
        raise RulesError(f"{KEYS[face]} was played as an Action")
    push(table, card, is_spent=False)
    counters[PHASE] = RESOLVING


def _judge_treasures(table: Table) -> None:
    """D9: the Treasures played have been turned up, and give their coins."""
    counters = table.counters
    money, cards = counters[MONEY], table.zones[PLAY[counters[TURN]]]
    place: i64
    for place in range(len(cards) - counters[NEED], len(cards)):
        face = table.public_face(cards[place])
        if not IS_TREASURE[face]:
            raise RulesError(f"{KEYS[face]} was played as a Treasure")
        money += COINS[face]
        if face == SILVER:
            money += 0 if counters[SILVERS] else counters[MERCHANTS]
            counters[SILVERS] = counters[SILVERS] + 1
    counters[MONEY], counters[PHASE] = money, BUYING
    table.tell("coins", counters[TURN], (), money)


def begin_clean_up(table: Table) -> None:
    """D10: if nothing is in play, choose the hand card that will lie on top of the discards."""
    counters = table.counters
    turn = counters[TURN]
    counters[PHASE], counters[PICKED] = CLEANING, NOBODY
    hand = table.zones[HAND[turn]]
    if len(hand) > 1 and not table.zones[PLAY[turn]]:
        ask(table, TOPPING, turn)


def _clean_up(table: Table) -> None:
    """D10: the hand is discarded unseen, then what is in play; five new cards."""
    counters, zones = table.counters, table.zones
    turn, top = counters[TURN], counters[PICKED]
    if top >= 0:
        zones[HAND[turn]].remove(top)
        zones[HAND[turn]].append(top)
    heap(table, HAND[turn], DISCARD[turn])
    heap(table, PLAY[turn], DISCARD[turn])
    show_top(table, turn)
    counters[PHASE] = CLEANED
    if not table.owed:
        _draw_hand(table)


def _draw_hand(table: Table) -> None:
    turn = table.counters[TURN]
    begin_pull(table, turn, _HAND_CARDS, HAND[turn])
    table.counters[PHASE] = ENDING


def _end(table: Table) -> None:
    """D1, D16: the game ends when the Provinces or three piles (four of 5 and 6 seats) are gone."""
    counters, players = table.counters, table.layout.players
    piles_max = 3 if players <= 4 else 4
    if not table.zones[PROVINCE] or empty_piles(table) >= piles_max:
        counters[PHASE] = OVER
        table.tell("piles" if table.zones[PROVINCE] else "provinces", -1, (), empty_piles(table))
        return
    counters[TURN] = (counters[TURN] + 1) % players
    _begin(table)


def _over(_: Table) -> Request:
    return Over()


_STEP_OF: Final[dict[int, Callable[[Table], Request | None]]] = {
    STARTING: _start,
    ROLLED: _begin_kingdom,
    KINGDOM_ROLLED: _take_rolled_kingdom,
    DEALING: _shuffle,
    DEALT: _deal,
    BEGINNING: _begin,
    PLAYED: _judge_action,
    TREASURES_PLAYED: _judge_treasures,
    RESOLVING: _resolve,
    CLEANING: _clean_up,
    CLEANED: _draw_hand,
    ENDING: _end,
    OVER: _over,
}
# By phase; None where somebody chooses.
_STEPS: Final = tuple(_STEP_OF.get(phase) for phase in range(len(PHASES)))
