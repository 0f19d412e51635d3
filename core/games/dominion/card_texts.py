"""What every kingdom card does, step by step, in the order of its text."""

from __future__ import annotations

from typing import Final

import core.games.dominion.cards as c
from core.games.dominion.cards import empty_piles
from core.games.dominion.picks import ask
from core.games.dominion.piles import (
    begin_pull,
    discard_shown,
    give,
    heap,
    mix_whole,
    show_top,
    tell_top,
)
from core.games.dominion.steps import (
    StepRule,
    Text,
    attack,
    card_under_way,
    draw,
    from_me,
    gain_for_trashed,
    gain_one,
    gain_up_to,
    look_at,
    mix_looked_at,
    mix_my_hand,
    mix_my_new_cards,
    next_seat,
    pick_from_hand,
    plus,
    push,
    repeat,
    show_my_top,
    treasures_shown,
    turn_up_mine,
    victim,
    victim_turns_up,
)
from core.games.dominion.story import plus_kind
from core.requests import Face, Request
from core.table import RulesError, Table

_LIBRARY_CARDS: Final = 7
_MILITIA_CARDS: Final = 3
_ADVENTURER_TREASURES: Final = 2
_PLUS_3: Final = plus_kind(0, 0, 3)


# ---- Adventurer ----


def _seeks(table: Table) -> bool:
    me = table.counters[c.TURN]
    has_cards = bool(table.zones[c.DECK[me]] or table.zones[c.DISCARD[me]])
    return has_cards and len(treasures_shown(table, me)) < _ADVENTURER_TREASURES


def _take_treasures(table: Table) -> None:
    me = table.counters[c.TURN]
    for card in treasures_shown(table, me):
        table.move(card, c.SHOWN[me], c.HAND[me])
        table.tell("kept", me, (card,))
    discard_shown(table, me)


# ---- Artisan ----


def _topdeck(table: Table) -> None:
    me = table.counters[c.TURN]
    if table.zones[c.HAND[me]]:
        ask(table, c.TOPDECKING, me)


# ---- Bandit, Thief, Spy ----


def _trash_one(table: Table, phase: int, chooser: int, excepted: Face) -> None:
    """One of the revealed Treasures is trashed; `chooser` decides if they differ."""
    seat = victim(table)
    cards = [card for card in treasures_shown(table, seat) if table.face[card] != excepted]
    if len({table.face[card] for card in cards}) > 1:
        ask(table, phase, chooser, whose=seat)
    elif cards:
        table.move(cards[0], c.SHOWN[seat], c.TRASH)
        table.tell("trashed", seat, (cards[0],), 0, table.counters[c.TURN])


def _bandit(table: Table) -> None:
    _trash_one(table, c.BANDITING, victim(table), c.COPPER)


def _thief(table: Table) -> None:
    _trash_one(table, c.THIEVING, table.counters[c.TURN], c.NOBODY)


def _discard_shown(table: Table) -> None:
    discard_shown(table, victim(table))


def _count_trash(table: Table) -> None:
    table.counters[c.COUNT] = len(table.zones[c.TRASH])


def _take_stolen(table: Table) -> None:
    """Of the Treasures that this play has trashed any may be gained."""
    counters = table.counters
    counters[c.LAST] = len(table.zones[c.TRASH]) - counters[c.COUNT]
    if counters[c.LAST]:
        ask(table, c.THIEF_GAINING, counters[c.TURN], counters[c.LAST])


def _spy(table: Table) -> None:
    seat = victim(table)
    if table.zones[c.SHOWN[seat]]:
        ask(table, c.SPYING, table.counters[c.TURN], whose=seat)


# ---- Bureaucrat ----


def _ask_victory(table: Table) -> None:
    seat = victim(table)
    if table.zones[c.HAND[seat]]:
        ask(table, c.BUREAUCRATING, seat)


def _judge_hand(table: Table) -> None:
    """Who showed the whole hand has shown that no Victory card is in it."""
    hand = table.zones[c.HAND[victim(table)]]
    if table.counters[c.PICKED] == c.NOBODY and any(
        c.IS_VICTORY[table.public_face(card)] for card in hand
    ):
        raise RulesError("a hand with a Victory card was shown in place of the card")


# ---- Cellar ----


def _discard_any(table: Table) -> None:
    counters = table.counters
    me = counters[c.TURN]
    counters[c.COUNT] = len(table.zones[c.HAND[me]])
    if counters[c.COUNT]:
        ask(table, c.CELLARING, me, counters[c.COUNT])


def _draw_as_many(table: Table) -> None:
    me = table.counters[c.TURN]
    tell_top(table, me)
    begin_pull(table, me, table.counters[c.COUNT] - len(table.zones[c.HAND[me]]), c.HAND[me])


# ---- Chancellor, Council Room, Feast ----


def _ask_deck(table: Table) -> None:
    me = table.counters[c.TURN]
    if table.zones[c.DECK[me]]:
        ask(table, c.CHANCELLING, me)


def _victim_draws(table: Table) -> None:
    seat = victim(table)
    begin_pull(table, seat, 1, c.HAND[seat])


def _trash_this(table: Table) -> None:
    me = table.counters[c.TURN]
    card, play = card_under_way(table), c.PLAY[me]
    if card in table.zones[play]:  # Under a Throne Room it has gone the first time.
        table.move(card, play, c.TRASH)
        table.tell("trashed", me, (card,), 0, me)


# ---- Harbinger ----


def _look_through_discards(table: Table) -> None:
    me = table.counters[c.TURN]
    for card in table.zones[c.DISCARD[me]][:]:
        table.move(card, c.DISCARD[me], c.LOOKING[me])


def _mix_below_top(table: Table) -> Request | None:
    """The top card is seen to go or to stay; which of the others goes nobody sees."""
    me = table.counters[c.TURN]
    return table.mix_own(me, table.zones[c.LOOKING[me]][:-1])


def _choose_from_discards(table: Table) -> None:
    me = table.counters[c.TURN]
    if table.zones[c.LOOKING[me]]:
        ask(table, c.HARBINGING, me)


def _put_discards_back(table: Table) -> None:
    me = table.counters[c.TURN]
    heap(table, c.LOOKING[me], c.DISCARD[me])
    show_top(table, me)


# ---- Library ----


def _wants_more(table: Table) -> bool:
    me = table.counters[c.TURN]
    has_cards = bool(table.zones[c.DECK[me]] or table.zones[c.DISCARD[me]])
    return has_cards and len(table.zones[c.HAND[me]]) < _LIBRARY_CARDS


def _keep_or_set_aside(table: Table) -> None:
    ask(table, c.LIBRARYING, table.counters[c.TURN])


def _discard_mine(table: Table) -> None:
    discard_shown(table, table.counters[c.TURN])


# ---- Merchant, Moneylender ----


def _wait_for_silver(table: Table) -> None:
    table.counters[c.MERCHANTS] += 1


def _pay_for_copper(table: Table) -> None:
    counters = table.counters
    if counters[c.PICKED] >= 0:
        counters[c.MONEY] += 3
        table.tell(_PLUS_3, counters[c.TURN])


# ---- Militia, Poacher ----


def _surplus(table: Table) -> int:
    return max(0, len(table.zones[c.HAND[victim(table)]]) - _MILITIA_CARDS)


def _mix_victim(table: Table) -> Request | None:
    return mix_whole(table, victim(table)) if _surplus(table) else None


def _discard_down(table: Table) -> None:
    surplus = _surplus(table)
    if surplus:
        ask(table, c.DISCARDING, victim(table), surplus)


def _show_victims_top(table: Table) -> None:
    show_top(table, victim(table))


def _mix_for_poacher(table: Table) -> Request | None:
    return mix_my_hand(table) if empty_piles(table) else None


def _discard_for_empty(table: Table) -> None:
    me = table.counters[c.TURN]
    count = min(empty_piles(table), len(table.zones[c.HAND[me]]))
    if count:
        ask(table, c.DISCARDING, me, count)


# ---- Sentry ----


def _sort_out(phase: int) -> StepRule:
    def step(table: Table) -> None:
        me = table.counters[c.TURN]
        count = len(table.zones[c.LOOKING[me]])
        if count:
            ask(table, phase, me, count)

    return step


def _order(table: Table) -> None:
    """With two cards left the one put first lies below the other."""
    me = table.counters[c.TURN]
    if len(table.zones[c.LOOKING[me]]) > 1:
        ask(table, c.SENTRY_ORDERING, me)


def _put_rest_back(table: Table) -> None:
    me = table.counters[c.TURN]
    heap(table, c.LOOKING[me], c.DECK[me])


# ---- Throne Room, Vassal, Witch ----


def _play_twice(table: Table) -> None:
    card = table.counters[c.PICKED]
    if card >= 0:
        push(table, card, is_spent=True)
        push(table, card, is_spent=False)


def _discard_turned_up(table: Table) -> None:
    counters = table.counters
    me = counters[c.TURN]
    for card in table.zones[c.SHOWN[me]][:]:
        table.move(card, c.SHOWN[me], c.DISCARD[me])
        table.tell("discarded", me, (card,))
        if c.IS_ACTION[table.public_face(card)]:
            counters[c.LAST] = 1
            ask(table, c.VASSALING, me)


def _play_discarded(table: Table) -> None:
    card = table.counters[c.PICKED]
    if card >= 0:
        show_my_top(table)
        push(table, card, is_spent=True)


def _gain_curse(table: Table) -> None:
    seat = victim(table)
    give(table, seat, c.CURSE, c.DISCARD[seat], table.counters[c.TURN])


# fmt: off
TEXTS: Final[dict[Face, Text]] = {
    c.ADVENTURER: (*repeat(_seeks, turn_up_mine), _take_treasures),
    c.ARTISAN: (gain_up_to(5, c.HAND), mix_my_hand, _topdeck),
    c.BANDIT: (attack, gain_one(c.GOLD, c.DISCARD),
             *repeat(next_seat, victim_turns_up(2), _bandit, _discard_shown)),
    c.BUREAUCRAT: (attack, gain_one(c.SILVER, c.DECK),
                 *repeat(next_seat, _ask_victory, _judge_hand)),
    c.CELLAR: (plus(actions=1), mix_my_hand, _discard_any, _draw_as_many),
    c.CHANCELLOR: (plus(coins=2), _ask_deck),
    c.CHAPEL: (pick_from_hand(c.CHAPELING, 4),),
    c.COUNCIL_ROOM: (draw(4), plus(buys=1), *repeat(next_seat, _victim_draws)),
    c.FEAST: (_trash_this, gain_up_to(5, c.DISCARD)),
    c.FESTIVAL: (plus(actions=2, buys=1, coins=2),),
    c.HARBINGER: (draw(1), plus(actions=1), _look_through_discards, _mix_below_top,
                _choose_from_discards, _put_discards_back),
    c.LABORATORY: (draw(2), plus(actions=1)),
    c.LIBRARY: (*repeat(_wants_more, look_at(1), _keep_or_set_aside),
              _discard_mine, mix_my_new_cards),
    c.MARKET: (draw(1), plus(actions=1, buys=1, coins=1)),
    c.MERCHANT: (draw(1), plus(actions=1), _wait_for_silver),
    c.MILITIA: (attack, plus(coins=2),
              *repeat(next_seat, _mix_victim, _discard_down, _show_victims_top)),
    c.MINE: (pick_from_hand(c.MINING), gain_for_trashed(3, c.HAND, only_treasure=True)),
    c.MOAT: (draw(2),),
    c.MONEYLENDER: (pick_from_hand(c.LENDING), _pay_for_copper),
    c.POACHER: (draw(1), plus(actions=1, coins=1), _mix_for_poacher, _discard_for_empty,
              show_my_top),
    c.REMODEL: (pick_from_hand(c.REMODELING), gain_for_trashed(2, c.DISCARD)),
    c.SENTRY: (draw(1), plus(actions=1), look_at(2), mix_looked_at,
             _sort_out(c.SENTRY_TRASHING), _sort_out(c.SENTRY_DISCARDING), show_my_top,
             _order, _put_rest_back),
    c.SMITHY: (draw(3),),
    c.SPY: (attack, draw(1), plus(actions=1), from_me,
          *repeat(next_seat, victim_turns_up(1), _spy)),
    c.THIEF: (attack, _count_trash,
            *repeat(next_seat, victim_turns_up(2), _thief, _discard_shown), _take_stolen),
    c.THRONE_ROOM: (pick_from_hand(c.THRONING), _play_twice),
    c.VASSAL: (plus(coins=2), turn_up_mine, _discard_turned_up, _play_discarded),
    c.VILLAGE: (draw(1), plus(actions=2)),
    c.WITCH: (attack, draw(2), *repeat(next_seat, _gain_curse)),
    c.WOODCUTTER: (plus(buys=1, coins=2),),
    c.WORKSHOP: (gain_up_to(4, c.DISCARD),),
}
# fmt: on
