"""A battle turn (C115 to C121): abilities, exactly one unit, abilities."""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers, story
from core.games.civilization.battles import is_native, seat_of, strength
from core.games.civilization.culture import by_face
from core.games.civilization.faces import ERA_OF_CARD, FIRST_EVENT, PAYS, event
from core.games.civilization.frames import (
    AFAR,
    CHOOSE_FRONT,
    HEAL,
    ITEM,
    NOTE,
    SEAT,
    WOUND,
    pop,
    push,
    top,
    touch,
)
from core.games.civilization.layout import (
    BOX,
    EVENT_DISCARD,
    EVENTS,
    FRONT,
    FRONT_OF,
    FRONTS,
    HAND,
    HEALED,
    IRON,
    KILLED,
    MARKET,
    MARKET_TOKENS,
    PLAYED,
    SHEET_COINS,
    TOKENS,
    UNIT_DEAD,
    UNIT_PLAYED,
    WOUNDS,
)
from core.games.civilization.payments import check_payer, check_payment, may_pay, payments
from core.games.civilization.powers import POWERS
from core.games.civilization.printed import BEATS
from core.games.civilization.targets import others
from core.games.civilization.wealth import (
    ANIMAL_HUSBANDRY,
    BIOLOGY,
    is_used,
    knows,
    set_used,
)
from core.requests import Action, numbered
from core.table import Observation, RulesError, Table

HUSBANDRY_BIT: Final = 1
BIOLOGY_BIT: Final = 2
_AFAR: Final = FIRST_EVENT + event("gift_from_afar")


def side_on_turn(table: Table) -> int:
    """The side of the battle turn on top."""
    return table.counters[top(table) + ITEM]


def has_played(table: Table) -> bool:
    """C115: whether the unit of this battle turn has been played and has its front."""
    return bool(table.counters[top(table) + NOTE])


def play_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C115: exactly one unit of the hand."""
    if has_played(table):
        return []
    return by_face("play", table.zones[HAND[seat]], observation, table.face)


def play_unit(table: Table, seat: int, action: Action) -> None:
    """C117: the unit is turned up; its front is chosen next."""
    card = action.cards[0]
    if has_played(table) or card not in table.zones[HAND[seat]]:
        raise RulesError("this unit cannot be played")
    table.move(card, HAND[seat], FRONT[seat])
    table.counters[UNIT_PLAYED] = 1 + card
    side = side_on_turn(table)
    table.counters[top(table) + NOTE] = 1
    push(table, CHOOSE_FRONT, seat, item=side)


def open_fronts(table: Table, side: int) -> list[int]:
    """C117: fronts with an enemy unit and none of one's own."""
    counters = table.counters
    mine = {counters[FRONT_OF + card] for card in table.zones[FRONT[seat_of(table, side)]]}
    theirs = {counters[FRONT_OF + card] for card in table.zones[FRONT[seat_of(table, 1 - side)]]}
    return sorted(theirs - mine - {0})


def front_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C117: an enemy's front is attacked, a new front is not."""
    side = side_on_turn(table)
    found = [numbered("front", front) for front in open_fronts(table, side)]
    if not table.counters[IRON]:
        found.append(Action("new"))
    return found


def choose_front(table: Table, seat: int, action: Action) -> None:
    """C117, C118: the unit stands in its front; in an enemy's front it attacks."""
    counters = table.counters
    side, card = side_on_turn(table), counters[UNIT_PLAYED] - 1
    if table.told is not None:  # Not in the games that a bot imagines.
        story.tell_strength(table, card, strength(table, side, card))
    pop(table)
    if action.verb == "new":
        counters[FRONTS] += 1
        counters[FRONT_OF + card] = counters[FRONTS]
    else:
        counters[FRONT_OF + card] = action.number
        rivals = table.zones[FRONT[seat_of(table, 1 - side)]]
        rival = next(at for at in rivals if counters[FRONT_OF + at] == action.number)
        _fight_out(table, side, card, rival)
    counters[UNIT_PLAYED] = counters[IRON] = 0


def _fight_out(table: Table, side: int, card: int, rival: int) -> None:
    """C118 to C120: wounds at once, the trumping unit's first."""
    mine = strength(table, side, card) + 3 * table.counters[IRON]
    theirs = strength(table, 1 - side, rival)
    kind, other_kind = table.public_face(card) // 3, table.public_face(rival) // 3
    if BEATS[kind] == other_kind:
        if not hurt(table, 1 - side, rival, mine):
            hurt(table, side, card, theirs)
    elif BEATS[other_kind] == kind:
        if not hurt(table, side, card, theirs):
            hurt(table, 1 - side, rival, mine)
    else:
        hurt(table, 1 - side, rival, mine)
        hurt(table, side, card, theirs)


def hurt(table: Table, side: int, card: int, wounds: int) -> bool:
    """C118: a unit with as many wounds as strength dies at once; gives whether it did."""
    counters = table.counters
    counters[WOUNDS + card] += wounds
    if counters[WOUNDS + card] < strength(table, side, card):
        return False
    counters[WOUNDS + card], counters[FRONT_OF + card] = 0, -1 - side  # C133 asks whose it was.
    counters[KILLED + side] += 1
    table.move(card, FRONT[seat_of(table, side)], UNIT_DEAD + table.public_face(card) // 3)
    return True


def iron_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C116: Metalworking, paid with the play of a unit into an enemy's front."""
    side = side_on_turn(table)
    if table.counters[IRON] or is_native(table, side) or not open_fronts(table, side):
        return []
    return _paid("iron", table, seat, powers.METALWORKING_POWER, observation)


def _paid(
    verb: str, table: Table, seat: int, number: int, observation: Observation
) -> list[Action]:
    if not is_ready(table, seat, number):
        return []
    return [Action(verb, way) for way in payments(table, seat, number, observation)]


def is_ready(table: Table, seat: int, number: int) -> bool:
    """C86: a battle ability that is known and not used in this turn."""
    return knows(table, seat, POWERS[number].technology) and not is_used(table, seat, number)


def use_iron(table: Table, seat: int, action: Action) -> None:
    """C116, C120: 3 more wounds in this attack."""
    side = side_on_turn(table)
    if table.counters[IRON] or is_native(table, side) or not open_fronts(table, side):
        raise RulesError("iron belongs to an attack")
    _pay(table, seat, powers.METALWORKING_POWER, action.cards)
    table.counters[IRON] = 1


def _pay(table: Table, seat: int, number: int, cards: tuple[int, ...]) -> None:
    """No window opens in a battle (C115): what pays is gone at once."""
    if not is_ready(table, seat, number):
        raise RulesError("this seat has no such ability now")
    check_payment(table, seat, number, cards)
    set_used(table, seat, number)
    kind = POWERS[number].resource
    if not cards:
        table.counters[MARKET_TOKENS[seat] + kind] -= 1
        table.counters[MARKET + kind] += 1
        return
    source = EVENTS[seat] if cards[0] in table.zones[EVENTS[seat]] else TOKENS[seat]
    table.move(cards[0], source, PLAYED)


def settle_payment(table: Table) -> None:
    """The card that paid has been turned up: it is judged and put away."""
    at = top(table)
    seat = table.counters[at + SEAT]
    card = table.zones[PLAYED][-1]
    check_payer(table.public_face(card), 1)  # Iron is the first resource.
    assert PAYS[table.public_face(card)] & 1
    era = ERA_OF_CARD[card]
    table.move(card, PLAYED, EVENT_DISCARD + era if era >= 0 else BOX)
    touch(table)
    if era == 0 and table.public_face(card) == _AFAR:
        _give_afar(table, seat)


def _give_afar(table: Table, seat: int) -> None:
    """C144: A Gift from Afar in a battle: another seat is named at once."""
    push(table, AFAR, seat)


def afar_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C144: any other seat."""
    return [numbered("target", each) for each in others(table, seat)]


def give_afar(table: Table, seat: int, action: Action) -> None:
    """C144: its coin token."""
    pop(table)
    table.counters[SHEET_COINS[action.number]] += 1
    touch(table)


def wound_offers(
    number: int, verb: str, table: Table, seat: int, observation: Observation
) -> list[Action]:
    """3.1: Mathematics and Ballistics, if the enemy has a unit in play."""
    side = side_on_turn(table)
    if is_native(table, side) or not table.zones[FRONT[seat_of(table, 1 - side)]]:
        return []
    return _paid(verb, table, seat, number, observation)


def shoot(number: int, table: Table, seat: int, action: Action) -> None:
    """3.1: up to 3 or 6 wounds, dealt unit by unit."""
    side = side_on_turn(table)
    if is_native(table, side) or not table.zones[FRONT[seat_of(table, 1 - side)]]:
        raise RulesError("there is nobody to shoot at")
    at = top(table)
    _pay(table, seat, number, action.cards)
    assert at == top(table)
    frame = push(table, WOUND, seat, item=side)
    table.counters[frame + NOTE] = POWERS[number].amount


def aim_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """D10: the next wound on an enemy unit in play, or no more."""
    side = side_on_turn(table)
    units = table.zones[FRONT[seat_of(table, 1 - side)]]
    return [*[Action("wound", (card,)) for card in units], Action("done")]


def wound_one(table: Table, seat: int, action: Action) -> None:
    """C121: one wound; a unit that reaches its strength dies."""
    at, side = top(table), side_on_turn(table)
    if action.verb == "done":
        pop(table)
        return
    hurt(table, 1 - side, action.cards[0], 1)
    table.counters[at + NOTE] -= 1
    if not table.counters[at + NOTE] or not table.zones[FRONT[seat_of(table, 1 - side)]]:
        pop(table)


def wounded(table: Table, side: int) -> list[int]:
    """Units of a side in play that have wounds."""
    units = table.zones[FRONT[seat_of(table, side)]]
    return [card for card in units if table.counters[WOUNDS + card]]


def heal_offers(technology: int, table: Table, seat: int, observation: Observation) -> list[Action]:
    """3.1: Animal Husbandry and Biology, each once per battle, if there is something to heal."""
    side = side_on_turn(table)
    bit = BIOLOGY_BIT if technology == BIOLOGY else HUSBANDRY_BIT
    if is_native(table, side) or table.counters[HEALED + side] & bit:
        return []
    if not knows(table, seat, technology) or not wounded(table, side):
        return []
    return [Action("biology" if bit == BIOLOGY_BIT else "heal")]


def heal(table: Table, seat: int, action: Action) -> None:
    """C121, D10: as much as it can; which units is asked only if not all wounds can go."""
    side, counters = side_on_turn(table), table.counters
    is_biology = action.verb == "biology"
    counters[HEALED + side] |= BIOLOGY_BIT if is_biology else HUSBANDRY_BIT
    units = wounded(table, side)
    if is_biology or sum([counters[WOUNDS + card] for card in units]) <= 3:
        for card in units:
            counters[WOUNDS + card] = 0
    else:
        at = push(table, HEAL, seat, item=side)
        counters[at + NOTE] = 3


def cure_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C121: which wounds go."""
    return [Action("cure", (card,)) for card in wounded(table, side_on_turn(table))]


def cure(table: Table, seat: int, action: Action) -> None:
    """C121: one wound less."""
    at = top(table)
    table.counters[WOUNDS + action.cards[0]] -= 1
    table.counters[at + NOTE] -= 1
    if not table.counters[at + NOTE]:
        pop(table)


def end_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C115: the battle turn ends when the unit has been played."""
    return [Action("end")] if has_played(table) else []


def end_turn(table: Table, seat: int, action: Action) -> None:
    """C115: the other side is next."""
    pop(table)


def is_idle(table: Table) -> bool:
    """D10: the second opportunity is asked for only if an ability could still do something."""
    if not has_played(table):
        return False
    side = side_on_turn(table)
    if is_native(table, side):
        return True
    seat = seat_of(table, side)
    if any(heal_offers(each, table, seat, table.face) for each in (ANIMAL_HUSBANDRY, BIOLOGY)):
        return False
    if not table.zones[FRONT[seat_of(table, 1 - side)]]:
        return True
    arms = (powers.MATHEMATICS, powers.BALLISTICS)
    return not any(is_ready(table, seat, each) and may_pay(table, seat, each) for each in arms)
