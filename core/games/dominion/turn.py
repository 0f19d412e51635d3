"""The course of the game: set-up, turns, the card under way, clean-up and the end.

`advance` carries on until something is needed from outside.  Every phase in which nobody chooses
is one function here; it returns a request, or None when the table goes on at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import core.games.dominion.cards as c
from core.games.dominion.card_texts import TEXTS
from core.games.dominion.cards import empty_piles
from core.games.dominion.kingdoms import (
    RANDOM,
    VETO,
    kinds_of,
    kingdom_by_number,
    kingdoms_count,
    named_kingdom,
)
from core.games.dominion.picks import ask, check
from core.games.dominion.piles import begin_pull, could_hold, mix_hidden, pull, show_top
from core.games.dominion.steps import clear_notes, push
from core.native import i64
from core.requests import Choice, Face, Over, Request, Roll, Shuffle
from core.table import RulesError, Table

_HAND_CARDS: Final = 5
_CHOICES: Final = tuple(Choice(seat) for seat in range(c.SEATS_MAX))  # Made once, for speed.


def advance(table: Table) -> Request | None:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed."""
    counters = table.counters
    request: Request | None
    while True:
        if counters[c.PULL_COUNT]:
            request = pull(table)
        elif counters[c.MIX]:
            counters[c.MIX] = 0
            request = mix_hidden(table, counters[c.PULL_SEAT])
        elif counters[c.CHECK]:
            check(table)
            continue
        else:
            step = _STEPS[counters[c.PHASE]]
            if step is None:
                return _CHOICES[counters[c.CHOOSER]]
            request = step(table)
        if request is not None or table.owed:
            return request


# ---- set-up ----


def _start(table: Table) -> Request:
    table.counters[c.PHASE] = c.ROLLED
    return Roll(table.layout.players)  # D6


def _begin_kingdom(table: Table) -> Request | None:
    """D5: the kingdom is named, or found by lot, or drafted from the start player on."""
    counters, options = table.counters, table.layout.options
    counters[c.START] = counters[c.TURN] = table.rolled
    if options["kingdom"] == RANDOM:
        counters[c.PHASE] = c.KINGDOM_ROLLED
        return Roll(kingdoms_count(options["edition"]))
    kingdom = named_kingdom(options)
    if kingdom:
        lay_kingdom(table, kingdom)
    else:
        spare = len(kinds_of(options["edition"])) - c.KINGDOM_KINDS
        steps = spare if options["kingdom"] == VETO else c.KINGDOM_KINDS
        counters[c.PHASE], counters[c.CHOOSER], counters[c.NEED] = c.DRAFTING, table.rolled, steps
    return None


def _take_rolled_kingdom(table: Table) -> None:
    lay_kingdom(table, kingdom_by_number(table.layout.options["edition"], table.rolled))


def draft(table: Table, face: Face) -> None:
    """D5: one more kind is in the kingdom, and the next seat chooses; the rest goes to the box."""
    counters = table.counters
    counters[c.KINGDOM + c.KINGDOM_KINDS - counters[c.NEED]] = face
    counters[c.NEED] -= 1
    counters[c.CHOOSER] = (counters[c.CHOOSER] + 1) % table.layout.players
    if not counters[c.NEED]:
        lay_kingdom(table, sorted(counters[c.KINGDOM : c.KINGDOM + c.KINGDOM_KINDS]))


def strike(table: Table, face: Face) -> None:
    """D5: one kind goes to the box, and the next seat strikes one out; the last ten are played."""
    counters, zones = table.counters, table.zones
    zones[c.BOX] += zones[face]
    zones[face] = []
    counters[c.NEED] -= 1
    counters[c.CHOOSER] = (counters[c.CHOOSER] + 1) % table.layout.players
    if not counters[c.NEED]:
        lay_kingdom(
            table, [kind for kind in kinds_of(table.layout.options["edition"]) if zones[kind]]
        )


def lay_kingdom(table: Table, kingdom: Sequence[Face]) -> None:
    """D4, D5: these ten kinds make the kingdom; whatever else was laid out goes to the box."""
    counters = table.counters
    counters[c.KINGDOM : c.KINGDOM + c.KINGDOM_KINDS] = kingdom
    zones = table.zones
    for face in c.ALL[c.BASIC_KINDS :]:
        if zones[face] and face not in kingdom:
            zones[c.BOX] += zones[face]
            zones[face] = []
    counters[c.PHASE] = c.DEALING
    table.tell("kingdom", -1, tuple([zones[face][-1] for face in kingdom]))


def _shuffle(table: Table) -> Request:
    """D2: everybody shuffles the first ten cards."""
    table.counters[c.PHASE], table.counters[c.NEED] = c.DEALT, 0
    return Shuffle(tuple(tuple(table.zones[c.DECK[seat]]) for seat in range(table.layout.players)))


def _deal(table: Table) -> None:
    """D2: everybody draws five, beginning with the start player."""
    counters, players = table.counters, table.layout.players
    if counters[c.NEED] == players:
        counters[c.PHASE] = c.BEGINNING
        return
    seat = (counters[c.START] + counters[c.NEED]) % players
    counters[c.NEED] += 1
    begin_pull(table, seat, _HAND_CARDS, c.HAND[seat])


# ---- a turn ----


def _begin(table: Table) -> Request:
    """D7: one Action, one Buy, no coins."""
    counters = table.counters
    counters[c.ACTIONS] = counters[c.BUYS] = 1
    counters[c.MONEY] = counters[c.MERCHANTS] = counters[c.SILVERS] = counters[c.BOUGHT] = 0
    turns = c.TURNS[counters[c.TURN]]
    counters[turns] = counters[turns] + 1  # Faster than += when compiled.
    table.tell("turn", counters[c.TURN], (), counters[turns])
    return _next_action(table)


def _resolve(table: Table) -> Request | None:
    """D8: the next step of the card under way; when there is none, the next Action or Buy."""
    counters = table.counters
    depth = counters[c.DEPTH]
    if not depth:
        return _next_action(table)
    under_way = counters[c.STACK + depth - 1]
    card, step = under_way // c.STEPS_MAX, under_way % c.STEPS_MAX
    text = TEXTS[table.public_face(card)]
    if step == len(text):
        counters[c.STACK + depth - 1] = 0
        counters[c.DEPTH] = depth - 1
        below = counters[c.STACK + depth - 2] if depth > 1 else 1
        if below % c.STEPS_MAX == 0:  # A text waits to be begun: the second play of a Throne Room.
            table.tell("again", counters[c.TURN], (below // c.STEPS_MAX,))
        clear_notes(table)
        return None if depth > 1 else _next_action(table)
    counters[c.STACK + depth - 1] = under_way + 1
    return text[step](table)


def _next_action(table: Table) -> Request:
    """Left out when everybody knows that there is none to play."""
    counters = table.counters
    turn = counters[c.TURN]
    counters[c.CHOOSER] = turn
    counters[c.PHASE] = c.BUYING
    if counters[c.ACTIONS] and could_hold(table, turn, c.IS_ACTION):
        counters[c.PHASE] = c.ACTING
    return _CHOICES[turn]


def _judge_action(table: Table) -> None:
    """The card played has been turned up."""
    counters = table.counters
    card = table.zones[c.PLAY[counters[c.TURN]]][-1]
    face = table.public_face(card)
    if not c.IS_ACTION[face]:
        raise RulesError(f"{c.KEYS[face]} was played as an Action")
    push(table, card, is_spent=False)
    counters[c.PHASE] = c.RESOLVING


def _judge_treasures(table: Table) -> Request:
    """D9: the Treasures played have been turned up, and give their coins."""
    counters, known = table.counters, table.face
    turn, money, silvers = counters[c.TURN], counters[c.MONEY], 0
    cards = table.zones[c.PLAY[turn]]
    place: i64
    for place in range(len(cards) - counters[c.NEED], len(cards)):
        face = known[cards[place]]
        coins = c.COINS[face]
        if not coins:  # Whatever has coins printed is a Treasure.
            raise RulesError(f"{c.KEYS[table.public_face(cards[place])]} was played as a Treasure")
        money += coins
        if face == c.SILVER:
            silvers += 1
    if silvers:
        if not counters[c.SILVERS]:
            money += counters[c.MERCHANTS]
        counters[c.SILVERS] = counters[c.SILVERS] + silvers
    counters[c.MONEY], counters[c.PHASE] = money, c.BUYING
    table.tell("coins", turn, (), money)
    return _CHOICES[turn]


def begin_clean_up(table: Table) -> None:
    """D10: if nothing is in play, choose the hand card that will lie on top of the discards."""
    counters = table.counters
    turn = counters[c.TURN]
    counters[c.PHASE], counters[c.PICKED] = c.CLEANING, c.NOBODY
    hand = table.zones[c.HAND[turn]]
    if len(hand) > 1 and not table.zones[c.PLAY[turn]]:
        ask(table, c.TOPPING, turn)


def _clean_up(table: Table) -> Request | None:
    """D10: the hand is discarded unseen, then what is in play; five new cards."""
    counters, zones = table.counters, table.zones
    turn, top = counters[c.TURN], counters[c.PICKED]
    hand, play = c.HAND[turn], c.PLAY[turn]
    if top >= 0:
        zones[hand].remove(top)
        zones[hand].append(top)
    zones[c.DISCARD[turn]].extend(zones[hand] + zones[play])  # Nobody looks into it.
    zones[hand], zones[play] = [], []
    show_top(table, turn)
    counters[c.PHASE] = c.CLEANED
    return None if table.owed else _draw_hand(table)


def _draw_hand(table: Table) -> Request | None:
    turn = table.counters[c.TURN]
    begin_pull(table, turn, _HAND_CARDS, c.HAND[turn])
    table.counters[c.PHASE] = c.ENDING
    return pull(table)


def _end(table: Table) -> Request:
    """D1, D16: the game ends when the Provinces or three piles (four of 5 and 6 seats) are gone."""
    counters, players = table.counters, table.layout.players
    piles_max = 3 if players <= 4 else 4
    if not table.zones[c.PROVINCE] or empty_piles(table) >= piles_max:
        counters[c.PHASE] = c.OVER
        table.tell("piles" if table.zones[c.PROVINCE] else "provinces", -1, (), empty_piles(table))
        return _over(table)
    counters[c.TURN] = (counters[c.TURN] + 1) % players
    return _begin(table)


def _over(_: Table) -> Request:
    return Over()


_STEP_OF: Final[dict[int, Callable[[Table], Request | None]]] = {
    c.STARTING: _start,
    c.ROLLED: _begin_kingdom,
    c.KINGDOM_ROLLED: _take_rolled_kingdom,
    c.DEALING: _shuffle,
    c.DEALT: _deal,
    c.BEGINNING: _begin,
    c.PLAYED: _judge_action,
    c.TREASURES_PLAYED: _judge_treasures,
    c.RESOLVING: _resolve,
    c.CLEANING: _clean_up,
    c.CLEANED: _draw_hand,
    c.ENDING: _end,
    c.OVER: _over,
}
# By phase; None where somebody chooses.
_STEPS: Final = tuple(_STEP_OF.get(phase) for phase in range(len(c.PHASES)))
