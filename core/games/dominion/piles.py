"""Moves that many cards share: pulling from a deck, reshuffling, mixing a hand, gaining.

Nobody knows the order of a deck.  Of a discard pile everybody knows the top card, which is turned
up by `show_top`, and whatever was face up when it was discarded.
"""

from __future__ import annotations

from typing import Final

from core.games.dominion.cards import (
    DECK,
    DISCARD,
    HAND,
    KINGDOM,
    KINGDOM_KINDS,
    MIX,
    PULL_COUNT,
    PULL_SEAT,
    PULL_TO,
    SHOWN,
)
from core.native import i64
from core.requests import Card, Face, Player, Request, Shuffle
from core.table import HIDDEN, Table

NO_FAMILY: Final = -2  # Nor HIDDEN, which cards have that lie open.


def begin_pull(table: Table, seat: Player, count: int, zone: int) -> None:
    """Let `count` cards come from the deck of `seat` to `zone`; `pull` moves them."""
    counters = table.counters
    counters[PULL_SEAT], counters[PULL_COUNT], counters[PULL_TO] = seat, count, zone


def pull(table: Table) -> Request | None:
    """D11: move the cards to be pulled, as many as there are, reshuffling first if need be."""
    counters, zones = table.counters, table.zones
    seat, count, target = counters[PULL_SEAT], counters[PULL_COUNT], counters[PULL_TO]
    deck, hand = DECK[seat], HAND[seat]
    if len(zones[deck]) < count and zones[DISCARD[seat]]:
        return _reshuffle(table, seat)
    counters[PULL_COUNT] = 0
    if target == hand:
        if table.told is not None:
            _tell_known(table, seat, zones[deck][-count:])
        if not counters[MIX]:
            counters[MIX] = table.can_be_followed(hand, deck, count)
    elif target == SHOWN[seat] and zones[deck]:
        table.tell("revealed", seat, tuple(zones[deck][-count:]))
    table.draw(count, deck, target)
    return None


def _tell_known(table: Table, seat: Player, drawn: list[Card]) -> None:
    """Cards that everybody has seen are drawn without being shown to anybody, so nothing says it.

    A Bureaucrat's Silver is one, or a Victory card that another has put back.
    """
    known = tuple([card for card in drawn if table.face[card] != HIDDEN])
    if known:
        table.tell("drew", seat, known)


def _reshuffle(table: Table, seat: Player) -> Request | None:
    """D11: the discard pile is shuffled and slid under what is left of the deck."""
    zones, deck = table.zones, DECK[seat]
    pile, rest = zones[DISCARD[seat]], zones[deck]
    if rest:
        # Those drawn from the old deck must not be told apart in the hand.
        table.counters[MIX] = table.counters[PULL_TO] == HAND[seat]
    zones[deck], zones[DISCARD[seat]] = pile + rest, []
    return Shuffle((tuple(pile),)) if len(pile) > 1 else None


def mix_hidden(table: Table, seat: Player) -> Shuffle | None:
    """The owner mixes the hand cards that others have not seen, so that none can be followed."""
    return table.mix_hand(HAND[seat])


def mix_whole(table: Table, seat: Player) -> Shuffle | None:
    """The same with the cards that others know, before one leaves the hand unseen."""
    cards, face = table.zones[HAND[seat]], table.face
    if all(face[card] == HIDDEN for card in cards):
        return None
    return table.mix_own(seat, cards)


def show_top(table: Table, seat: Player) -> None:
    """D10: everybody sees the top card of a discard pile."""
    pile = table.zones[DISCARD[seat]]
    if pile and table.face[pile[-1]] == HIDDEN:
        table.owe((pile[-1],), None)


def tell_top(table: Table, seat: Player) -> None:
    """The same after cards were discarded unseen, one by one."""
    pile = table.zones[DISCARD[seat]]
    if pile and table.face[pile[-1]] == HIDDEN:
        table.tell("top", seat, (pile[-1],))
    show_top(table, seat)


def discard_shown(table: Table, seat: Player) -> None:
    """What a seat has revealed or set aside goes to its discard pile."""
    shown = table.zones[SHOWN[seat]]
    if shown:
        table.tell("discarded", seat, tuple(shown))
        heap(table, SHOWN[seat], DISCARD[seat])


def heap(table: Table, source: int, target: int) -> None:
    """Put a whole pile on another that nobody looks into, so that no reveal is owed."""
    zones = table.zones
    zones[target].extend(zones[source])
    zones[source].clear()


def gain(table: Table, face: Face, zone: int) -> None:
    """D15: one card of the supply goes to `zone`; nothing happens if the pile is empty."""
    pile = table.zones[face]
    if pile:
        card = pile[-1]
        table.move(card, face, zone)
        if not pile:
            table.tell("emptied", -1, (card,))


def give(table: Table, seat: Player, face: Face, zone: int, giver: Player) -> None:
    """The same without a choice of the seat that gets it, and so in words of its own."""
    pile = table.zones[face]
    if pile:
        kind = "topdecked" if zone == DECK[seat] else "gained"
        table.tell(kind, seat, (pile[-1],), 0, giver)
        gain(table, face, zone)


def could_hold(
    table: Table, seat: Player, fits: tuple[bool, ...], kinds: list[Face] | None = None
) -> bool:
    """Whether, as far as everybody knows, a face that `fits` may be in the hand of `seat`.

    Only `kinds` come into question, or those of the kingdom.
    """
    known, family_of = table.counted(), table.family_of
    asked: i64 = NO_FAMILY
    card: i64
    kind: i64
    for card in table.zones[HAND[seat]]:
        if family_of[card] == asked:  # Most hands are of one family.
            continue
        face: i64 = known[card]
        if face != HIDDEN:
            if fits[face]:
                return True
        else:
            asked = family_of[card]
            counts = table.family_counts[asked]
            if kinds is None:
                kinds = table.counters[KINGDOM : KINGDOM + KINGDOM_KINDS]
            for kind in kinds:
                if counts[kind] and fits[kind]:
                    return True
    return False
