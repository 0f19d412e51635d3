"""After a battle (C124 to C136): losses, a city that falls, loot, rewards, units that go home.

Figures are taken off and put down at the very end, so that blockades are judged once (C155).
"""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.battles import armies_in, is_native, seat_of
from core.games.civilization.board import AROUND
from core.games.civilization.culture import mix_hands
from core.games.civilization.effects import do_task
from core.games.civilization.faces import (
    FIRST_ERA_KIND,
    GREAT_MARKER,
    KIND_OF_CARD,
    VILLAGE_RESOURCES,
)
from core.games.civilization.figures import (
    armies_on,
    clear_mark,
    remove_enemies,
    set_figure,
    supply_army,
    take_city,
)
from core.games.civilization.frames import (
    AIM,
    BY_WAR,
    CITY,
    GAIN,
    ITEM,
    OTHER,
    RESCUE,
    SEAT,
    STAGE,
    STEP,
    VILLAGE,
    pop,
    push,
    top,
    touch,
    win,
)
from core.games.civilization.layout import (
    ARMIES,
    ATTACKER,
    BATTLE_AT,
    BATTLE_SIDE,
    BONUS,
    BOX,
    CITY_AT,
    CIV,
    CULTURE,
    DEFENDER,
    EVENTS,
    FORCES,
    FOUND,
    FRONT,
    FRONT_OF,
    FRONTS,
    GROUP,
    HEALED,
    IRON,
    IS_FOUGHT,
    IS_NATIVES,
    IS_PLACED,
    KILLED,
    MARK,
    MARKET_TOKENS,
    NEW_CARD,
    NEWS,
    PANAMA,
    SHEET_COINS,
    TARGET_CITY,
    TASK_COINS,
    TOKENS,
    TRADE,
    UNIT_DEAD,
    UNIT_PLAYED,
    UNITS,
    VILLAGE_PILE,
    WONDER_AT,
    WOUNDS,
)
from core.games.civilization.learning import learn, learnable
from core.games.civilization.movement import CULTURE_OF_CHINA, push_loot
from core.games.civilization.wealth import (
    CHINA,
    CODE_OF_LAWS,
    PANAMA_CANAL,
    ROME,
    gain_trade,
    is_used,
    knows,
    owner_at,
    set_used,
)
from core.requests import Action, Claim, Request, numbered
from core.table import HIDDEN, Observation, RulesError, Table

# Places of coin tokens (C130): four tasks, the sheet, Panama Canal.
SHEET_PLACE: Final = 4
PANAMA_PLACE: Final = 5
TRADE_LOOT: Final = 0
CULTURE_LOOT: Final = 1
_LOOT_MAX: Final = 3  # C128

# ---- the course, by stage (C135) ----


def step(table: Table) -> Request | None:
    """The next stage after the battle; the frame's item is the side that has won."""
    at = top(table)
    stage = table.counters[at + STAGE]
    table.counters[at + STAGE] += 1
    _STAGES[stage](table, at, table.counters[at + ITEM])
    return None


def _count_losses(table: Table, at: int, winner: int) -> None:
    """C124: one army for two units, never the last one."""
    lost = min(table.counters[KILLED + winner] // 2, armies_in(table, winner) - 1)
    table.counters[at + AIM] = max(lost, 0)


def _take_place(table: Table, at: int, winner: int) -> None:
    """C172: the capital falls; C131: another city is destroyed."""
    counters = table.counters
    city = counters[TARGET_CITY] - 1
    if winner or city < 0:
        return
    if city % 3 == 0:
        win(table, seat_of(table, 0), BY_WAR)
    else:
        destroy_city(table, city)


def destroy_city(table: Table, city: int) -> None:
    """C131: buildings to the market, a wonder to the box, people to the sheet."""
    seat, number = divmod(city, 3)
    for square in AROUND[table.counters[CITY_AT[seat] + number] - 1]:
        clear_mark(table, square)
    take_city(table, city)


def _loot(table: Table, at: int, winner: int) -> None:
    """C126: 2 points for a city, 1 for figures; natives neither loot nor lose any."""
    if not table.counters[IS_NATIVES]:
        points = 2 if winner == 0 and table.counters[TARGET_CITY] else 1
        push_loot(table, seat_of(table, winner), seat_of(table, 1 - winner), points)


def _reward(table: Table, at: int, winner: int) -> None:
    """C134, C135 (5): Code of Laws, Rome's step, the village's marker, China's culture."""
    counters, seat = table.counters, seat_of(table, winner)
    if is_native(table, winner):
        return
    is_conquest = winner == 0 and bool(counters[TARGET_CITY] or counters[IS_NATIVES])
    if counters[IS_NATIVES]:
        _win_village(table, seat)
    if is_conquest and counters[CIV[seat]] == ROME:
        push(table, STEP, seat)
    if knows(table, seat, CODE_OF_LAWS) and not is_used(table, seat, powers.LAWS_TASK):
        set_used(table, seat, powers.LAWS_TASK)
        do_task(table, seat, powers.TASK_LAWS)


def _win_village(table: Table, seat: int) -> None:
    """C103: the marker is looked at; China gains culture."""
    counters = table.counters
    counters[MARK + counters[BATTLE_AT]] = 0
    table.draw(1, VILLAGE_PILE, FOUND[seat])
    if counters[CIV[seat]] == CHINA:
        counters[CULTURE[seat]] += CULTURE_OF_CHINA
    push(table, VILLAGE, seat)


def _rescue(table: Table, at: int, winner: int) -> None:
    """C133: China takes back a killed unit."""
    for side in (0, 1):
        seat = seat_of(table, side)
        is_china = table.counters[CIV[seat]] == CHINA and not is_native(table, side)
        if is_china and dead_of(table, side):
            push(table, RESCUE, seat, item=side)


def _send_home(table: Table, at: int, winner: int) -> None:
    """C132, C137: units return to their forces; those of natives lie under their decks."""
    for side in (0, 1):
        seat = seat_of(table, side)
        for card in table.zones[FRONT[seat]][:]:
            home = FORCES[seat]
            if is_native(table, side):
                home = UNIT_DEAD + table.public_face(card) // 3
            table.move(card, FRONT[seat], home)
    counters = table.counters
    counters[WOUNDS : WOUNDS + UNITS] = [0] * UNITS
    counters[FRONT_OF : FRONT_OF + UNITS] = [0] * UNITS


def _settle_figures(table: Table, at: int, winner: int) -> None:
    """C124, C125, C136: what stands on the square in the end; a move ends by itself."""
    counters = table.counters
    lost = counters[at + AIM]
    attacker, square = counters[ATTACKER], counters[BATTLE_AT]
    if winner == 0:
        _lose_of_group(table, attacker, lost)
        if counters[IS_PLACED]:
            remove_enemies(table, attacker, square)
            set_figure(table, attacker, supply_army(table, attacker), square)
    else:
        _lose_of_group(table, attacker, ARMIES)
        for figure in armies_on(table, counters[DEFENDER], square)[:lost]:
            set_figure(table, counters[DEFENDER], figure, -1)
    pop(table)
    for counter in (
        IS_FOUGHT, ATTACKER, DEFENDER, BATTLE_AT, IS_NATIVES, IS_PLACED, TARGET_CITY, BONUS,
        BONUS + 1, KILLED, KILLED + 1, HEALED, HEALED + 1, FRONTS, UNIT_PLAYED, IRON, BATTLE_SIDE,
    ):  # fmt: skip
        counters[counter] = 0


def _lose_of_group(table: Table, seat: int, count: int) -> None:
    """Armies of the moving group that are lost, and all of it if all of them are."""
    counters = table.counters
    figures = [at for at in range(9) if counters[GROUP] >> at & 1]
    for figure in figures if count == ARMIES else figures[:count]:
        counters[GROUP] &= ~(1 << figure)
        set_figure(table, seat, figure, -1)


_STAGES: Final = (
    _count_losses, _take_place, _loot, _reward, _rescue, _send_home, _settle_figures,
)  # fmt: skip

# ---- loot (C127 to C130) ----


def loser_mix(table: Table) -> Request | None:
    """Section 6: what may be taken unseen is mixed first, each kind of back by itself."""
    seat = table.counters[top(table) + SEAT]
    pop(table)
    return mix_hands(table, seat, also_seen=True)


def coin_places(table: Table, seat: int) -> list[int]:
    """C130: where coin tokens of a seat lie."""
    counters = table.counters
    found = [task for task in range(4) if counters[TASK_COINS[seat] + task]]
    found += [SHEET_PLACE] if counters[SHEET_COINS[seat]] else []
    square = counters[WONDER_AT + PANAMA_CANAL] - 1
    if counters[PANAMA] and square >= 0 and owner_at(table, square) == seat:
        found.append(PANAMA_PLACE)
    return found


def _coin_counter(seat: int, place: int) -> int:
    if place == PANAMA_PLACE:
        return PANAMA
    return SHEET_COINS[seat] if place == SHEET_PLACE else TASK_COINS[seat] + place


def _parties(table: Table) -> tuple[int, int]:
    """The points left, and the loser."""
    at = top(table)
    return table.counters[at + ITEM], table.counters[at + CITY]


def loot_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C128: trade or culture of the loser."""
    _, loser = _parties(table)
    found = [Action("loot", (), TRADE_LOOT)] if table.counters[TRADE[loser]] else []
    if table.counters[CULTURE[loser]]:
        found.append(Action("loot", (), CULTURE_LOOT))
    return found


def token_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C128: an open market token, or a marker that lies open."""
    _, loser = _parties(table)
    market = table.counters[MARKET_TOKENS[loser] : MARKET_TOKENS[loser] + 4]
    found = [numbered("token", kind) for kind in range(4) if market[kind]]
    faces = dict[int, int]()
    for card in table.zones[TOKENS[loser]]:
        if table.face[card] != HIDDEN:
            faces.setdefault(table.face[card], card)
    return found + [Action("token", (card,)) for card in faces.values()]


def seize_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C128, C129: a marker unseen for 1 point, an event card by its back for 2."""
    points, loser = _parties(table)
    hidden = [card for card in table.zones[TOKENS[loser]] if table.face[card] == HIDDEN]
    kinds = {KIND_OF_CARD[card] for card in hidden}
    if points > 1:
        kinds |= {KIND_OF_CARD[card] for card in table.zones[EVENTS[loser]]}
    return [numbered("seize", kind) for kind in sorted(kinds)]


def ruin_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C128: the loser discards a coin token of the winner's choice."""
    return [numbered("ruin", place) for place in coin_places(table, _parties(table)[1])]


def coin_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C129: a coin token, onto the own sheet."""
    points, loser = _parties(table)
    places = coin_places(table, loser) if points > 1 else []
    return [numbered("coin", place) for place in places]


def teach_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C129: a technology of the loser."""
    points, loser = _parties(table)
    known = learnable(table, seat, loser) if points > 1 else []
    return [numbered("learn", each) for each in known]


def _spend(table: Table, points: int) -> int:
    """Loot points are spent; gives the loser."""
    at = top(table)
    loser = table.counters[at + CITY]
    table.counters[at + ITEM] -= points
    if not table.counters[at + ITEM]:
        pop(table)
    return loser


def take_loot(table: Table, seat: int, action: Action) -> None:
    """C128: up to 3 trade or culture."""
    counters, loser = table.counters, _spend(table, 1)
    purse = CULTURE if action.number == CULTURE_LOOT else TRADE
    amount = min(counters[purse[loser]], _LOOT_MAX)
    counters[purse[loser]] -= amount
    if action.number == CULTURE_LOOT:
        counters[CULTURE[seat]] += amount
    else:
        gain_trade(table, seat, amount)


def take_token(table: Table, seat: int, action: Action) -> None:
    """C128: an open token."""
    loser = _spend(table, 1)
    if action.cards:
        table.move(action.cards[0], TOKENS[loser], TOKENS[seat])
    else:
        table.counters[MARKET_TOKENS[loser] + action.number] -= 1
        table.counters[MARKET_TOKENS[seat] + action.number] += 1


def seize(table: Table, seat: int, action: Action) -> None:
    """C128, C129: the topmost card with that back; its owner has mixed them."""
    is_event = action.number >= FIRST_ERA_KIND
    loser = _spend(table, 2 if is_event else 1)
    zone = EVENTS if is_event else TOKENS
    cards = [
        card for card in table.zones[zone[loser]]
        if KIND_OF_CARD[card] == action.number and (is_event or table.face[card] == HIDDEN)
    ]  # fmt: skip
    table.move(cards[-1], zone[loser], zone[seat])
    table.counters[NEWS[seat]] = NEW_CARD
    touch(table)


def ruin(table: Table, seat: int, action: Action) -> None:
    """C128: a coin token is gone."""
    loser = _spend(table, 1)
    table.counters[_coin_counter(loser, action.number)] -= 1
    touch(table)


def take_coin(table: Table, seat: int, action: Action) -> None:
    """C129: the coin token lies on the winner's sheet now."""
    loser = _spend(table, 2)
    table.counters[_coin_counter(loser, action.number)] -= 1
    table.counters[SHEET_COINS[seat]] += 1
    touch(table)


def take_technology(table: Table, seat: int, action: Action) -> None:
    """C129: learned for nothing."""
    _spend(table, 2)
    learn(table, seat, action.number)


def is_looted(table: Table) -> bool:
    """C127: nothing is left to take; points that are left lapse."""
    seat, observation = table.counters[top(table) + SEAT], table.face
    every = (loot_offers, token_offers, seize_offers, ruin_offers, coin_offers, teach_offers)
    return not any(offers(table, seat, observation) for offers in every)


# ---- villages, China ----


def village_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C103: a great person is opened; a resource is kept face down."""
    card = table.zones[FOUND[seat]][-1]
    return [Action("open" if observation[card] == GREAT_MARKER else "keep", (card,))]


def settle_village(table: Table, seat: int, action: Action) -> None:
    """C103: to the own tokens, or to the box for a random great person."""
    card = action.cards[0]
    if card not in table.zones[FOUND[seat]]:
        raise RulesError("this is not the marker of the village")
    pop(table)
    if action.verb == "keep":
        table.move(card, FOUND[seat], TOKENS[seat])
        table.counters[NEWS[seat]] = NEW_CARD
        return
    at = push(table, GAIN, seat)
    table.counters[at + OTHER] = card + 1
    table.move(card, FOUND[seat], BOX)


def claim_of_village(table: Table, seat: int, action: Action) -> Claim | None:
    """Section 6: a village marker that stays hidden is a resource."""
    is_kept = action.verb == "keep" and len(action.cards) == 1
    if is_kept and action.cards[0] in table.zones[FOUND[seat]]:
        return Claim(action.cards, VILLAGE_RESOURCES)
    return None


def dead_of(table: Table, side: int) -> list[int]:
    """C133: units of a side that were killed in this battle."""
    counters = table.counters
    return [
        card for kind in range(4) for card in table.zones[UNIT_DEAD + kind]
        if counters[FRONT_OF + card] == -1 - side
    ]  # fmt: skip


def rescue_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C133: one killed unit, or none."""
    faces = dict[int, int]()
    for card in dead_of(table, table.counters[top(table) + ITEM]):
        faces.setdefault(table.face[card], card)
    return [*[Action("rescue", (card,)) for card in faces.values()], Action("leave")]


def rescue(table: Table, seat: int, action: Action) -> None:
    """C133: it returns to the standing forces."""
    pop(table)
    if action.cards:
        card = action.cards[0]
        table.move(card, UNIT_DEAD + table.public_face(card) // 3, FORCES[seat])
