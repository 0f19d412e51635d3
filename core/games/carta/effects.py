"""What the effects need and do (4 and 5): the part of a turn between playing a card and drawing.

An effect is known by a number, `4 * domain + level`, where level 3 is the discard effect and
culture's only effect, Inspiration, has level 0.
"""

from __future__ import annotations

from typing import Final

import core.games.carta.cards as c
from core.games.carta.cards import banned, has_in_area, has_option
from core.games.carta.moves import draw
from core.native import i64
from core.requests import Action
from core.table import RulesError, Table

DISCARD_EFFECT: Final = 3
INSPIRATION: Final = 16  # 4 * CULTURE
EFFECTS: Final = 4 * len(c.DOMAINS)
_USE: Final = tuple([Action("use", (), number) for number in range(EFFECTS)])
# In the order in which effects are offered.
_OFFERED: Final[tuple[int, ...]] = (c.MILITARY, c.ECONOMY, c.SCIENCE, c.UTOPIA, c.RELIGION)
_COPIED: Final[tuple[int, ...]] = (c.MILITARY, c.RELIGION, c.ECONOMY, c.SCIENCE, c.UTOPIA)
_LIMITS: Final[tuple[int, ...]] = (3, 5, 7)  # 3.3 and 5.2: the hand limit by religion's level.
_DISCOVERY_CARDS: Final = 5
_TARGET_OPTION: Final = {c.ECONOMY: "embargo_target", c.UTOPIA: "democracy_target"}


def effect_name(number: int) -> str:
    """The notation of an effect: `economy.2`, `utopia.x`, `culture.0`."""
    level = number % 4
    return f"{c.DOMAINS[number // 4]}.{'x' if level == DISCARD_EFFECT else level}"


# ---- levels ----


def level_of(table: Table, count: int) -> int:
    """4.1: the level that so many cards of one domain give."""
    players = table.layout.players
    return 2 if count >= c.LEVEL_2[players] else 1 if count >= c.LEVEL_1[players] else 0


def blocked(table: Table, seat: int) -> int:
    """F9: the domains whose effects an embargo forbids `seat`, as bits."""
    if not table.zones[c.EMBARGO[seat]] or has_option(table, "embargo_scope", "play"):
        return 0
    return banned(table, seat)


def hand_limit(table: Table, seat: int) -> int:
    """3.3, 5.2, E18: how many cards `seat` draws up to, from its Religion as it lies now."""
    counters = table.counters
    level = level_of(table, len(table.zones[c.AREA[seat] + c.RELIGION]))
    if level and blocked(table, seat) >> c.RELIGION & 1:
        level = 0
    # E18, E22: a copied level counts as long as the coin lies there and is still held.
    if counters[c.COIN_DOMAIN] == c.RELIGION and counters[c.COIN_HOLDER] == seat:
        level = max(level, counters[c.COIN_LEVEL])
    return _LIMITS[level]


# ---- which effects can be used ----


def usable_effects(table: Table, seat: int) -> list[int]:
    """3.2: every effect that `seat` may begin now."""
    return [action.number for action in effect_actions(table, seat)]


def effect_actions(table: Table, seat: int) -> list[Action]:
    """3.2: the action for every effect that `seat` may begin now."""
    zones, counters, area = table.zones, table.counters, c.AREA[seat]
    stopped: i64 = blocked(table, seat) if zones[c.EMBARGO[seat]] else 0
    used: i64 = stopped | counters[c.USED_PERMANENT]
    spent: i64 = stopped | counters[c.USED_DISCARD]
    first: i64 = c.LEVEL_1[table.layout.players]
    actions: list[Action] = []
    domain: i64
    for domain in _OFFERED:
        count: i64 = len(zones[area + domain])
        if not count:
            continue
        if count >= first and domain != c.RELIGION and not used >> domain & 1:
            _offer_levels(table, seat, domain, actions)
        if not spent >> domain & 1 and _can_discard(table, seat, domain):
            actions.append(_USE[4 * domain + DISCARD_EFFECT])
    if not used >> c.CULTURE & 1 and zones[area + c.CULTURE] and has_copyable(table, seat):
        actions.append(_USE[INSPIRATION])
    return actions


def _offer_levels(table: Table, seat: int, domain: int, actions: list[Action]) -> None:
    """4.2, E7: with enough for level 2 one may still choose level 1.

    Religion's levels act by themselves.
    """
    if can_complete(table, seat, domain, 1):
        actions.append(_USE[4 * domain + 1])
    count = len(table.zones[c.AREA[seat] + domain])
    if count >= c.LEVEL_2[table.layout.players] and can_complete(table, seat, domain, 2):
        actions.append(_USE[4 * domain + 2])


def is_usable(table: Table, seat: int, number: int) -> bool:
    """Whether `seat` may begin this one effect now: `number in usable_effects`, but sooner."""
    domain, level = number // 4, number % 4
    if domain > c.UTOPIA or (domain == c.CULTURE) != (level == 0):
        return False
    if blocked(table, seat) >> domain & 1:
        return False
    count = len(table.zones[c.AREA[seat] + domain])
    used = table.counters[c.USED_DISCARD if level == DISCARD_EFFECT else c.USED_PERMANENT]
    if not count or used >> domain & 1:
        return False
    if level == DISCARD_EFFECT:
        return _can_discard(table, seat, domain)
    if number == INSPIRATION:
        return has_copyable(table, seat)
    return (
        domain != c.RELIGION
        and level <= level_of(table, count)
        and can_complete(table, seat, domain, level)
    )


def can_complete(table: Table, seat: int, domain: int, level: int) -> bool:
    """E8: whether the first part of a permanent effect can be done in full."""
    if domain == c.MILITARY:
        return len(table.zones[c.HAND[seat]]) >= level
    if domain in (c.ECONOMY, c.SCIENCE):
        return has_in_area(table, seat, level)
    if domain == c.UTOPIA:
        if len(table.zones[c.DISCARD]) < level:  # E17
            return False
        if has_option(table, "strict_hand_limit", True):  # F6
            return len(table.zones[c.HAND[seat]]) + level <= hand_limit(table, seat)
    return True


def _can_discard(table: Table, seat: int, domain: int) -> bool:
    """Whether the discard effect of a domain of which `seat` has a card can be done."""
    if domain == c.SCIENCE:
        return bool(table.zones[c.DECK])  # E16
    if domain == c.MILITARY:
        return has_in_area(table, seat, 2)  # E12
    if domain == c.RELIGION:
        for other in range(table.layout.players):
            if other != seat and table.zones[c.HAND[other]]:  # E15
                return True
        return False
    return has_marker_target(table, seat, domain)


def inquisition_targets(table: Table, seat: int) -> list[int]:
    """E15, E32: the seats whose hand can be taken."""
    zones = table.zones
    return [
        other for other in range(table.layout.players) if other != seat and zones[c.HAND[other]]
    ]


def target_number(seat: int, domain: int = c.NOBODY) -> int:
    """The number of a `target` action: 8 * seat, and 1 + the domain where there is one."""
    return 8 * seat + domain + 1


def marker_targets(table: Table, seat: int, domain: int) -> list[int]:
    """5.3, 5.5, F8, F11: the targets on which an Economy or Utopia card may be laid."""
    zones = table.zones
    targets: list[int] = []
    lain_on: i64
    to_any = has_option(table, _TARGET_OPTION[domain], "any")
    for other in range(table.layout.players):
        if other == seat and not to_any:  # E32
            continue
        area: i64 = c.AREA[other]
        for lain_on in range(6):
            count = len(zones[area + lain_on])
            if other == seat and lain_on == domain:
                count -= 1  # The card that is turned over cannot lie on itself.
            if count > 0:  # E4
                targets.append(target_number(other, lain_on))
    return targets


def is_marker_target(table: Table, seat: int, domain: int, number: int) -> bool:
    """Whether one number is among `marker_targets`, but sooner."""
    other, lain_on = number // 8, number % 8 - 1
    if not (0 <= other < table.layout.players and 0 <= lain_on < 6):
        return False
    is_own_turned = other == seat and lain_on == domain
    if other == seat and not has_option(table, _TARGET_OPTION[domain], "any"):
        return False
    return len(table.zones[c.AREA[other] + lain_on]) > is_own_turned


def has_marker_target(table: Table, seat: int, domain: int) -> bool:
    """Whether `marker_targets` has any."""
    for other in range(table.layout.players):
        if other != seat and has_in_area(table, other, 1):
            return True
    is_own_enough = has_option(table, _TARGET_OPTION[domain], "any")
    return is_own_enough and has_in_area(table, seat, 2)


def leads_culture(table: Table, seat: int) -> bool:
    """5.6, E21: strictly more Culture in play than every other player."""
    mine: i64 = len(table.zones[c.AREA[seat] + c.CULTURE])
    return bool(mine) and mine > _rivals_culture(table, seat)


def _rivals_culture(table: Table, seat: int) -> i64:
    """E21: the most Culture that anybody has in play with whom `seat` is compared."""
    zones = table.zones
    most: i64 = 0
    for other in range(table.layout.players):
        count: i64 = len(zones[c.AREA[other] + c.CULTURE])
        if other != seat and count > most:
            if (other - seat) % 2 == 0 and _ignores_partner(table):
                continue
            most = count
    return most


def _ignores_partner(table: Table) -> bool:
    options = table.layout.options
    return options["team"] is True and options["culture_majority_vs_partner"] is False


def copyable(table: Table, seat: int) -> list[int]:
    """5.6, E19, E20: the permanent effects that Inspiration can copy now."""
    if not leads_culture(table, seat):
        return []
    zones, players, effects = table.zones, table.layout.players, []
    first, second = c.LEVEL_1[players], c.LEVEL_2[players]
    used = table.counters[c.USED_PERMANENT]
    for domain in _COPIED:
        if used >> domain & 1:  # E20
            continue
        most = 0
        for other in range(players):
            if other != seat and len(zones[c.AREA[other] + domain]) > most:
                most = len(zones[c.AREA[other] + domain])
        if most >= first and can_complete(table, seat, domain, 1):
            effects.append(4 * domain + 1)
        if most >= second and can_complete(table, seat, domain, 2):
            effects.append(4 * domain + 2)
    return effects


def has_copyable(table: Table, seat: int) -> bool:
    """Whether `copyable` has any: where level 2 can be completed, so can level 1."""
    if not leads_culture(table, seat):
        return False
    zones, players = table.zones, table.layout.players
    first: i64 = c.LEVEL_1[players]
    used: i64 = table.counters[c.USED_PERMANENT] | 1 << c.CULTURE
    domain: i64
    for other in range(players):
        if other == seat:
            continue
        area: i64 = c.AREA[other]
        for domain in range(6):
            is_high = len(zones[area + domain]) >= first
            if is_high and not used >> domain & 1 and can_complete(table, seat, domain, 1):
                return True
    return False


# ---- beginning an effect ----


def begin_effect(table: Table, seat: int, number: int) -> None:
    """Use an effect that `usable_effects` offers."""
    counters, domain, level = table.counters, number // 4, number % 4
    if number == INSPIRATION:
        counters[c.PHASE] = c.COPYING
    elif level == DISCARD_EFFECT:
        counters[c.USED_DISCARD] = counters[c.USED_DISCARD] | 1 << domain
        _begin_discard_effect(table, seat, domain)
    else:
        counters[c.USED_PERMANENT] = counters[c.USED_PERMANENT] | 1 << domain
        begin_permanent(table, domain, level)


def begin_permanent(table: Table, domain: int, level: int) -> None:
    """5.1 to 5.5: the permanent effect of a domain, one's own or a copied one."""
    counters = table.counters
    counters[c.NEED] = level
    if domain == c.MILITARY:  # 5.1: discard 1 (2) from hand.
        counters[c.PHASE] = c.DISCARDING_HAND
    elif domain == c.ECONOMY:  # 5.3: discard 1 (2) from the area, then play 1 (2).
        counters[c.PHASE], counters[c.PLAYS] = c.DISCARDING_AREA, level
    elif domain == c.SCIENCE:  # 5.4: take 1 (2) back from the area, then play 1 (2).
        counters[c.PHASE], counters[c.PLAYS] = c.RETURNING, level
    elif domain == c.UTOPIA:  # 5.5: take 1 (2) from the discard pile.
        counters[c.PHASE] = c.TAKING
    else:  # 5.2: a hand limit has nothing to do before step 3.
        counters[c.PHASE], counters[c.NEED] = c.USING_EFFECTS, 0


def _begin_discard_effect(table: Table, seat: int, domain: int) -> None:
    """5.1 to 5.5: the discard effect of a domain."""
    counters = table.counters
    if domain in (c.ECONOMY, c.UTOPIA):  # The card is laid on its target instead.
        counters[c.PHASE] = c.LAYING_EMBARGO if domain == c.ECONOMY else c.LAYING_DEMOCRACY
        return
    zone = c.AREA[seat] + domain
    card = table.zones[zone][-1]
    table.move(card, zone, c.DISCARD)
    if table.told is not None:
        table.tell("gave_up", seat, (card,))
    if domain == c.MILITARY:
        counters[c.PHASE] = c.ATTACKING
    elif domain == c.RELIGION:
        counters[c.PHASE] = c.INQUIRING
    else:  # 5.4, E16: draw 5, or what is left, then discard as many.
        counters[c.NEED] = draw(table, seat, _DISCOVERY_CARDS)
        counters[c.PHASE] = c.MIXING_DRAWN


def copy_effect(table: Table, seat: int, number: int) -> None:
    """5.6: put the coin on the domain and use the effect as one's own for this turn."""
    if table.checks_offers() and number not in copyable(table, seat):
        raise RulesError("that effect cannot be copied now")
    counters = table.counters
    domain, level = number // 4, number % 4
    counters[c.USED_PERMANENT] |= 1 << domain | 1 << c.CULTURE
    if counters[c.COIN_HOLDER] != seat:
        table.tell("coin", seat)
    counters[c.COIN_HOLDER], counters[c.COIN_DOMAIN], counters[c.COIN_LEVEL] = seat, domain, level
    # F14: the Korean text forgets the copy with the turn, the Japanese one with the next.
    counters[c.COIN_TURNS] = 2 if has_option(table, "coin", "jp") else 1
    begin_permanent(table, domain, level)


# ---- the coin ----


def settle_coin(table: Table) -> None:
    """5.6, F14, E14: whose coin it is after Culture in an area has changed."""
    counters = table.counters
    holder = counters[c.COIN_HOLDER]
    if has_option(table, "coin", "jp"):
        _settle_jp(table, holder)
        return
    if holder != c.NOBODY and leads_culture(table, holder):
        return
    leaders = [seat for seat in range(table.layout.players) if leads_culture(table, seat)]
    if holder == c.NOBODY and not leaders:
        return
    clear_coin(table)
    if leaders:  # Two partners can both lead when partners are not compared (E21).
        turn = counters[c.TURN]
        counters[c.COIN_HOLDER] = turn if turn in leaders else leaders[0]
        table.tell("coin", counters[c.COIN_HOLDER])
    else:
        table.tell("coin_back", holder)


def _settle_jp(table: Table, holder: int) -> None:
    """F14: the coin stays until somebody, or several who are level, are ahead of its holder."""
    if holder == c.NOBODY:
        return
    if _rivals_culture(table, holder) > len(table.zones[c.AREA[holder] + c.CULTURE]):
        clear_coin(table)
        table.tell("coin_back", holder)


def clear_coin(table: Table) -> None:
    """The coin goes back to the middle."""
    counters = table.counters
    counters[c.COIN_HOLDER] = counters[c.COIN_DOMAIN] = c.NOBODY
    counters[c.COIN_LEVEL] = counters[c.COIN_TURNS] = 0


def end_coin_turn(table: Table) -> None:
    """F14: at the end of the holder's turn a copy grows old."""
    counters = table.counters
    if not counters[c.COIN_TURNS]:
        return
    counters[c.COIN_TURNS] -= 1
    if counters[c.COIN_TURNS] == 0:
        counters[c.COIN_LEVEL] = 0
        if has_option(table, "coin", "jp"):
            clear_coin(table)
            table.tell("coin_back", counters[c.TURN])
