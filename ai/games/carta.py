"""What a bot is told about Carta: rush for hegemony, and do every small step sensibly.

The policy is a rush player that knows the effects which help a rush: change other cards in play for
cards of the wanted domain, and cards in hand that are not wanted for new ones.  The steps of an
effect that search has begun are played sensibly all the same: throw away what is least wanted, aim
at whoever is ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import core.games.carta.cards as c
from ai.search.knowledge import REWARD_ONE, Knowledge, best_place
from ai.search.styles import ATTACKER_STYLE, BUILDER_STYLE, FULL, OPPORTUNIST_STYLE
from core.chance import Chance
from core.games.carta.cards import area_count, banned, domain_counts
from core.games.carta.choices import BY_CARD
from core.games.carta.effects import (
    DISCARD_EFFECT,
    EFFECTS,
    INSPIRATION,
    is_usable,
    usable_effects,
)
from core.native import i64
from core.requests import Action, Player
from core.table import Observation, Table

_PLAY: Final = BY_CARD["play"]
_END: Final = Action("end")
_WASTING: Final = (c.DISCARDING_AREA, c.DISCARDING_HAND, c.GIVING, c.RETURNING)
_AIMING: Final = (c.LAYING_EMBARGO, c.LAYING_DEMOCRACY)
# In eighths of a doubling: what it is worth to miss 0, 1, 2, ... cards for hegemony,
_MISSING: Final = (24, 16, 10, 4, -2, -9, -12)
_LOWEST: Final = -16  # a multiple of 8 below them all,
_EIGHTHS: Final = (1024, 1117, 1218, 1328, 1448, 1579, 1722, 1878)  # and 2 ** (n / 8), times 1024.
_LATE_CARDS: Final = ((12, 8), (30, 5))  # With so few cards in the deck, the worth of a majority.
_ATTACK: Final = 4 * c.MILITARY + DISCARD_EFFECT
_EMBARGO: Final = 4 * c.ECONOMY + DISCARD_EFFECT
_DEMOCRACY: Final = 4 * c.UTOPIA + DISCARD_EFFECT
_MONOPOLY: Final = 4 * c.ECONOMY + 2
_DEVELOPMENT: Final = 4 * c.ECONOMY + 1
_RESEARCH: Final = 4 * c.SCIENCE + 2
_EXPERIMENT: Final = 4 * c.SCIENCE + 1
_DISCOVERY: Final = 4 * c.SCIENCE + DISCARD_EFFECT
_PURGE: Final = 4 * c.MILITARY + 2
_ASSASSINATION: Final = 4 * c.MILITARY + 1
_HOLY_BOOK: Final = 4 * c.RELIGION + 1
_DIVINE_RIGHT: Final = 4 * c.RELIGION + 2
_INQUISITION: Final = 4 * c.RELIGION + DISCARD_EFFECT
_OLIGARCHY: Final = 4 * c.UTOPIA + 1
_REPUBLIC: Final = 4 * c.UTOPIA + 2
# What Inspiration copies with cards of the wanted domain in hand, the best first, and without.
_COPIED_WITH_CARDS: Final = (
    _MONOPOLY, _RESEARCH, _DEVELOPMENT, _EXPERIMENT, _PURGE, _ASSASSINATION, _DIVINE_RIGHT,
)  # fmt: skip
_COPIED_WITHOUT: Final = (_PURGE, _ASSASSINATION, _DIVINE_RIGHT, _HOLY_BOOK)
_WORTH_WITH_CARDS: Final = dict(zip(reversed(_COPIED_WITH_CARDS), range(1, 8), strict=True))
_WORTH_WITHOUT: Final = dict(zip(reversed(_COPIED_WITHOUT), range(1, 5), strict=True))
# What styles like: effects that change the own area, that hurt others, that bring new cards; ...
_LIKED_EFFECTS: Final = {
    BUILDER_STYLE: (_MONOPOLY, _DEVELOPMENT, _RESEARCH, _EXPERIMENT, INSPIRATION),
    ATTACKER_STYLE: (_ATTACK, _INQUISITION, _EMBARGO, _DEMOCRACY),
    OPPORTUNIST_STYLE: (_OLIGARCHY, _REPUBLIC, _DISCOVERY, _PURGE, _ASSASSINATION),
}
# ... and domains, for their effects.
_LIKED_DOMAINS: Final = {
    BUILDER_STYLE: (c.SCIENCE, c.ECONOMY, c.CULTURE),
    ATTACKER_STYLE: (c.MILITARY, c.RELIGION),
    OPPORTUNIST_STYLE: (c.UTOPIA,),
}
_GETTING: Final = ("play", "take", "keep")
_USE: Final = tuple([Action("use", (), number) for number in range(EFFECTS)])


class CartaKnowledge(Knowledge):
    """Rush for hegemony."""

    rollout_choices_max = 60
    exploration_percent = 30
    random_once_in = 4
    mistake_permille = 40
    speed = 2000
    compiled_speed = 6400
    strategies: Mapping[str, str] = {"rush": "rush", "plan": "policy"}

    def rush(self, table: Table, player: Player, observation: Observation) -> Action:
        """Play what is nearest to hegemony; use no effects."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if table.counters[c.PHASE] == c.USING_EFFECTS:
            return _END
        priors = self.prior(table, player, actions, observation)
        return actions[priors.index(max(priors))]

    def policy(self, table: Table, player: Player, observation: Observation) -> Action:
        """Rush, with the effects that bring more of a domain or stop a rival about to win."""
        if table.counters[c.PHASE] == c.USING_EFFECTS:
            return self._effect(table, player, observation)
        actions = self.game.mechanics.legal_actions(table, player, observation)
        priors = self.prior(table, player, actions, observation)
        return actions[best_place(priors)]

    def rollout_policy(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """As everywhere, with the commonest choices first."""
        if not chance.below(self.random_once_in):
            return self.random_action(table, player, observation, chance)
        phase = table.counters[c.PHASE]
        if phase == c.USING_EFFECTS:
            return self._effect(table, player, observation)
        if phase == c.PLAYING_CARD and not banned(table, player):
            return _PLAY[_nearest(table, player, observation)]
        return self.policy(table, player, observation)

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], observation: Observation
    ) -> list[int]:
        """By how much nearer to hegemony the action brings its player, roughly."""
        phase = table.counters[c.PHASE]
        if phase == c.USING_EFFECTS:
            best = self._effect(table, player, observation)
            return [1 if action == best else 0 for action in actions]
        if phase in _AIMING:
            return [_threat(table, action.number) for action in actions]
        if phase == c.COPYING:
            worth = _worth_copying(table, player, observation)
            return [worth.get(action.number, 0) for action in actions]
        if not actions[0].cards:
            return [0] * len(actions)
        mine = progress(table, player)
        faces = [observation[action.cards[0]] for action in actions]
        if phase in _WASTING:
            return [-mine[face] for face in faces]
        if phase == c.ATTACKING:
            theirs = rivals_progress(self.game.team, table, player)
            return [2 * theirs[face] - mine[face] for face in faces]
        return [mine[face] for face in faces]

    def _effect(self, table: Table, player: Player, observation: Observation) -> Action:
        return self._defence(table, player) or _haste(table, player, observation) or _END

    def _defence(self, table: Table, player: Player) -> Action | None:
        """The effect that stops a rival who would win with one more card, if there is one."""
        goal = 7 if table.layout.players == 2 else 6
        if not _has_anybody_else(table, player, goal):  # The quick answer, nearly always.
            return None
        theirs = rivals_progress(self.game.team, table, player)
        if max(theirs) < goal:
            return None
        usable = usable_effects(table, player)
        for number in (_DEMOCRACY, _EMBARGO):
            if number in usable:
                return Action("use", (), number)
        if _ATTACK in usable:
            mine = domain_counts(table, player)
            mine[c.MILITARY] -= 1
            if any(count >= goal and mine[domain] for domain, count in enumerate(theirs)):
                return Action("use", (), _ATTACK)
        return None

    def evaluate(self, table: Table) -> list[int]:
        """Shares by how near each side is to hegemony, and late in the game by its majorities.

        The weights are those of a logistic regression on the turns of 240 games between bots.
        """
        sides = self.sides(table)
        areas = [progress(table, seat) for seat in range(len(sides))]
        goal = 8 if len(sides) == 2 else 7
        worth = [_LOWEST] * (max(sides) + 1)
        for seat, side in enumerate(sides):
            missing = min(max(goal - max(areas[seat]), 0), len(_MISSING) - 1)
            worth[side] = max(worth[side], _MISSING[missing] + (table.counters[c.TURN] == seat))
        per_majority = _majority_worth(table)
        if per_majority:
            for side, points in enumerate(_majorities(table, sides)):
                worth[side] += per_majority * points
        weights = [_EIGHTHS[each % 8] << (each - _LOWEST >> 3) for each in worth]
        whole = sum(weights)
        return [REWARD_ONE * weights[side] // whole for side in sides]

    def lean(
        self, style: str, table: Table, player: Player, action: Action, observation: Observation
    ) -> int:
        """By effects, and by the domains of cards that one gets."""
        verb, cards, number = action
        if verb in ("use", "copy"):
            return FULL if number in _LIKED_EFFECTS[style] else 0
        if not cards:
            return 0
        domain = observation[cards[0]]
        if verb in _GETTING:
            pays = style == OPPORTUNIST_STYLE and verb == "play" and _opens(table, player, domain)
            return FULL if pays or domain in _LIKED_DOMAINS[style] else 0
        if style != ATTACKER_STYLE or table.counters[c.PHASE] != c.ATTACKING:
            return 0
        return FULL if rivals_progress(self.game.team, table, player)[domain] > 0 else 0


KNOWLEDGE: Final = CartaKnowledge


def progress(table: Table, seat: Player) -> list[int]:
    """Cards of every domain in play, less the Democracy markers that lie on it."""
    zones, counters, first, marks = table.zones, table.counters, c.AREA[seat], c.MARKED[seat]
    return [len(zones[first + domain]) - counters[marks + domain] for domain in range(6)]


def rivals_progress(
    team: Callable[[Table, Player], int], table: Table, player: Player
) -> list[int]:
    """The most that any seat of another side has, for every domain."""
    side = team(table, player)
    most: list[int] = []
    for seat in range(table.layout.players):
        if team(table, seat) != side:
            theirs = progress(table, seat)
            if not most:
                most = theirs
                continue
            for domain in range(6):
                most[domain] = max(most[domain], theirs[domain])
    return most


def _has_anybody_else(table: Table, player: Player, count: int) -> bool:
    zones = table.zones
    for seat in range(table.layout.players):
        if seat != player:
            first = c.AREA[seat]
            for zone in range(first, first + 6):
                if len(zones[zone]) >= count:
                    return True
    return False


def _opens(table: Table, player: Player, domain: int) -> bool:
    """Whether one card more of a domain opens an effect of it."""
    count, players = len(table.zones[c.AREA[player] + domain]) + 1, table.layout.players
    return count in (c.LEVEL_1[players], c.LEVEL_2[players])


def _haste(table: Table, player: Player, observation: Observation) -> Action | None:
    """The effect that soonest brings more cards of the wanted domain into play, if there is one."""
    zones, area = table.zones, c.AREA[player]
    held, wanted = _wanted(table, player, observation)
    others = area_count(table, player) - len(zones[area + wanted])
    if held and others:
        if held > 1 and others > 1:
            for number in (_MONOPOLY, _RESEARCH):
                if is_usable(table, player, number):
                    return _USE[number]
        for number in (_DEVELOPMENT, _EXPERIMENT):
            if is_usable(table, player, number):
                return _USE[number]
    unwanted = len(zones[c.HAND[player]]) - held
    if unwanted and zones[c.DECK]:
        for number in (_PURGE, _ASSASSINATION)[unwanted == 1 :]:
            if is_usable(table, player, number):
                return _USE[number]
    # Against several rivals a card in play is worth more than the pick of five.
    discovers = not held and wanted != c.SCIENCE and table.layout.players == 2
    if discovers and is_usable(table, player, _DISCOVERY):
        return _USE[_DISCOVERY]
    return _USE[INSPIRATION] if is_usable(table, player, INSPIRATION) else None


def _wanted(table: Table, player: Player, observation: Observation) -> tuple[int, int]:
    """The domain to collect, after how many cards of it can be played from the hand."""
    zones, counters, first, marks = table.zones, table.counters, c.AREA[player], c.MARKED[player]
    in_hand: i64 = 0  # A byte for every domain.
    for card in zones[c.HAND[player]]:
        in_hand += 1 << 8 * observation[card]
    bans: i64 = banned(table, player)
    most: i64 = -99
    held: i64 = 0
    wanted: i64 = 0
    domain: i64
    for domain in range(6):
        count: i64 = in_hand >> 8 * domain & 255
        if bans >> domain & 1:
            count = 0
        worth: i64 = 2 * (len(zones[first + domain]) - counters[marks + domain]) + count
        if worth > most:
            most, held, wanted = worth, count, domain
    return held, wanted


def _worth_copying(table: Table, player: Player, observation: Observation) -> dict[int, int]:
    held, _ = _wanted(table, player, observation)
    return _WORTH_WITH_CARDS if held else _WORTH_WITHOUT


def _threat(table: Table, number: int) -> int:
    seat, domain = divmod(number, 8)
    return progress(table, seat)[domain - 1] if domain else 0


def _nearest(table: Table, player: Player, observation: Observation) -> int:
    zones, counters, first, marks = table.zones, table.counters, c.AREA[player], c.MARKED[player]
    best, most = -1, -99
    for card in zones[c.HAND[player]]:
        domain = observation[card]
        count = len(zones[first + domain]) - counters[marks + domain]
        if count > most:
            best, most = card, count
    return best


def _majority_worth(table: Table) -> int:
    """What having most cards of a domain is worth by now, in eighths of a doubling."""
    left = len(table.zones[c.DECK])
    for cards, worth in _LATE_CARDS:
        if left <= cards:
            return worth
    return 0


def _majorities(table: Table, sides: list[int]) -> list[int]:
    """The domains in which each side has, or shares, the most cards in play (6.2, 7.2)."""
    points = [0] * (max(sides) + 1)
    areas = [domain_counts(table, seat) for seat in range(len(sides))]
    for domain in range(6):
        most = [0] * len(points)
        for area, side in zip(areas, sides, strict=True):
            most[side] = max(most[side], area[domain])
        highest = max(most)
        for side, count in enumerate(most):
            points[side] += count == highest > 0
    return points
