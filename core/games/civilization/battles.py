"""Battles (C111 to C123): mustering, bonuses, battle turns, the comparison.

The sides are 0, the attacker, and 1, the defender.  Against natives the left neighbour of the
attacker plays the defender with cards of its own battle hand, apart from its forces (C137).
"""

from __future__ import annotations

from math import comb
from typing import Final

from core.games.civilization import story
from core.games.civilization.faces import wonder
from core.games.civilization.figures import city_at, set_figure, supply_army
from core.games.civilization.frames import (
    AFTERMATH,
    BASE,
    FIGHT,
    ITEM,
    NATIVES,
    OTHER,
    SEAT,
    STAGE,
    pop,
    push,
    top,
)
from core.games.civilization.layout import (
    ATTACKER,
    BATTLE_AT,
    BATTLE_SIDE,
    BONUS,
    DEFENDER,
    FORCES,
    FRONT,
    GROUP,
    HAND,
    IS_FOUGHT,
    IS_NATIVES,
    IS_PLACED,
    TARGET_CITY,
    UNIT_DECK,
    WALLS,
)
from core.games.civilization.printed import UNIT_LEAST
from core.games.civilization.wealth import (
    COMBUSTION,
    battle_hand,
    combat_bonus,
    has_wonder,
    knows,
    rank,
    resting,
)
from core.requests import Action, Request, Roll, Shuffle, numbered
from core.table import Observation, Table

HIMEJI: Final = wonder("himeji_castle")
ORACLE: Final = wonder("oracle")
ROLL_MAX: Final = 1 << 20  # More ways than this are rolled card by card.
_CITY_BONUS: Final = 6  # C114
_CAPITAL_BONUS: Final = 12
_WALLS_BONUS: Final = 4
_ARMY_BITS: Final = (1 << 7) - 1

# ---- who is who ----


def seat_of(table: Table, side: int) -> int:
    """The seat that plays a side."""
    return table.counters[DEFENDER if side else ATTACKER]


def is_native(table: Table, side: int) -> bool:
    """C137: natives have no bonus and no abilities, and rank 1."""
    return bool(side and table.counters[IS_NATIVES])


def strength(table: Table, side: int, card: int) -> int:
    """C113, C120: what is printed at the owner's rank, and Himeji."""
    kind, more = divmod(table.public_face(card), 3)
    base = UNIT_LEAST[kind] + more
    if is_native(table, side):
        return base
    seat = seat_of(table, side)
    if kind < 3:
        base += rank(table, seat, kind) - 1
    return base + has_wonder(table, seat, HIMEJI)


def armies_in(table: Table, side: int) -> int:
    """C112: how many armies a side has in the square."""
    counters = table.counters
    if side == 0:
        return 1 if counters[IS_PLACED] else (counters[GROUP] & _ARMY_BITS).bit_count()
    owner, armies, _ = resting(table, counters[BATTLE_AT])
    return armies if owner == counters[DEFENDER] and not counters[IS_NATIVES] else 0


# ---- the steps of a battle ----


def step(table: Table) -> Request | None:
    """The next step of the battle on top."""
    counters, at = table.counters, top(table)
    stage = counters[at + STAGE]
    counters[at + STAGE] += 1
    if stage == 0:
        return _begin(table, at)
    if stage <= _MUSTERED:
        return _muster(table, at, stage)
    if stage == _MUSTERED + 1:
        _add_bonuses(table)
    else:
        return _next_turn(table, at)
    return None


_MUSTERED: Final = 6  # Stages 1 to 3 muster the attacker, 4 to 6 the defender.


def _begin(table: Table, at: int) -> Request | None:
    """C111: who fights for what; C110: Combustion takes walls away first."""
    counters = table.counters
    seat, square, sort = counters[at + SEAT], counters[at + ITEM], counters[at + OTHER]
    city = city_at(table, square)
    if sort == 1:
        defender = (seat + 1) % table.layout.players
    else:
        defender = city // 3 if city >= 0 else resting(table, square)[0]
    if defender in (-1, seat):  # A second army placed where the first one has won (C56).
        pop(table)
        set_figure(table, seat, supply_army(table, seat), square)
        return None
    counters[ATTACKER], counters[DEFENDER], counters[BATTLE_AT] = seat, defender, square
    counters[IS_NATIVES], counters[IS_PLACED] = int(sort == 1), int(sort == 2)
    counters[TARGET_CITY], counters[IS_FOUGHT] = city + 1, 1
    if city >= 0 and knows(table, seat, COMBUSTION):
        counters[WALLS[defender] + city % 3] = 0
    story.tell_attack(table)
    return None


def hand_size(table: Table, side: int) -> int:
    """C112: how many units a side draws."""
    counters = table.counters
    size = battle_hand(table, seat_of(table, side)) + 2 * max(armies_in(table, side) - 1, 0)
    return size + (3 if side and counters[TARGET_CITY] else 0)


def _muster(table: Table, at: int, stage: int) -> Request | None:
    """C112, D10: the owner's mix, then which positions of it, by a roll unless all go."""
    side, part = divmod(stage - 1, 3)
    if is_native(table, side):
        return _muster_natives(table, at, part)
    counters, seat = table.counters, seat_of(table, side)
    forces, size = table.zones[FORCES[seat]], hand_size(table, side)
    if size >= len(forces) and not counters[at + BASE]:
        if part == 0:  # When each was bought must not tell which of them is played.
            return table.mix_own(seat, forces)
        table.move_all(tuple(forces), FORCES[seat], HAND[seat])
        return None
    if part == 0:
        counters[at + BASE] = size
        return Shuffle((tuple(forces),), seat)
    if part == 1:
        return Roll(_ways(len(forces), counters[at + BASE]))
    _take_rolled(table, seat, counters[at + BASE])
    taken = size - len(table.zones[HAND[seat]])
    counters[at + BASE] = max(taken, 0)
    if taken > 0:
        counters[at + STAGE] = stage - 1
    return None


def _ways(count: int, size: int) -> int:
    ways = comb(count, size)
    return ways if ways <= ROLL_MAX else count


def _take_rolled(table: Table, seat: int, size: int) -> None:
    forces, number = table.zones[FORCES[seat]], table.rolled
    is_one = comb(len(forces), size) > ROLL_MAX
    cards = [forces[number]] if is_one else combination(forces[:], size, number)
    for card in cards:
        table.move(card, FORCES[seat], HAND[seat])
    table.tell("mustered", seat, number=len(cards))


def combination(cards: list[int], size: int, number: int) -> list[int]:
    """The choice of `size` of the cards that has this number, the first ones first."""
    found, left = list[int](), size
    for at, card in enumerate(cards):
        with_it = comb(len(cards) - at - 1, left - 1) if left else 0
        if number < with_it:
            found.append(card)
            left -= 1
        else:
            number -= with_it
    return found


def _muster_natives(table: Table, at: int, part: int) -> Request | None:
    """C137: a card of each of three decks; for an empty one another deck is named."""
    seat, missing = table.counters[DEFENDER], 0
    if part:
        was_asked, table.counters[at + BASE] = table.counters[at + BASE], 0
        return table.mix_hand(HAND[seat]) if was_asked else None
    for kind in range(3):
        if table.zones[UNIT_DECK + kind]:
            table.draw(1, UNIT_DECK + kind, HAND[seat])
        else:
            missing += 1
    if missing and any(table.zones[UNIT_DECK : UNIT_DECK + 3]):
        table.counters[at + BASE] = 1
        push(table, NATIVES, seat, item=missing)
    return None


def natives_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """E101: another of the three decks for a missing card."""
    decks = [kind for kind in range(3) if table.zones[UNIT_DECK + kind]]
    return [numbered("deck", kind) for kind in decks]


def choose_deck(table: Table, seat: int, action: Action) -> None:
    """E101: the deck is named."""
    at = top(table)
    table.draw(1, UNIT_DECK + action.number, HAND[seat])
    table.counters[at + ITEM] -= 1
    if not table.counters[at + ITEM] or not natives_offers(table, seat, table.face):
        pop(table)


def side_bonus(table: Table, side: int) -> int:
    """C114: the sum of a side."""
    if is_native(table, side):
        return 0
    counters, seat = table.counters, seat_of(table, side)
    total = combat_bonus(table, seat)
    city = counters[TARGET_CITY] - 1
    if side and city >= 0:
        total += _CITY_BONUS if city % 3 else _CAPITAL_BONUS
        total += _WALLS_BONUS if counters[WALLS[seat] + city % 3] else 0
    return total


def _add_bonuses(table: Table) -> None:
    """C114: the higher side takes the difference; 3.4: Oracle; C115: who begins."""
    counters = table.counters
    sums = [side_bonus(table, side) for side in (0, 1)]
    counters[BONUS], counters[BONUS + 1] = max(sums[0] - sums[1], 0), max(sums[1] - sums[0], 0)
    for side in (0, 1):
        owner, other = seat_of(table, side), seat_of(table, 1 - side)
        hand = tuple(table.zones[HAND[other]])
        if hand and not is_native(table, side) and has_wonder(table, owner, ORACLE):
            table.owe(hand, owner)
    city = counters[TARGET_CITY] - 1
    has_walls = city >= 0 and counters[WALLS[city // 3] + city % 3]
    counters[BATTLE_SIDE] = 0 if has_walls else 1


def _next_turn(table: Table, at: int) -> Request | None:
    """C115, C117: turns alternate as long as both have units; then the other goes on alone."""
    counters = table.counters
    side = counters[BATTLE_SIDE]
    hands = [len(table.zones[HAND[seat_of(table, each)]]) for each in (0, 1)]
    if not any(hands):
        _compare(table)
        return None
    if not hands[side]:
        side = 1 - side
    counters[BATTLE_SIDE] = 1 - side
    push(table, FIGHT, seat_of(table, side), item=side)
    return None


def _compare(table: Table) -> None:
    """C123: strengths of the survivors and the difference; equal: the defender wins."""
    counters = table.counters
    sums = [
        counters[BONUS + side]
        + sum([strength(table, side, card) for card in table.zones[FRONT[seat_of(table, side)]]])
        for side in (0, 1)
    ]
    pop(table)
    winner = 0 if sums[0] > sums[1] else 1
    story.tell_result(table, sums, winner)
    push(table, AFTERMATH, seat_of(table, winner), item=winner)
