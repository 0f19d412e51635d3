"""What a bot is told about Dominion: money first, a few good Actions, land when it is time.

The policy is Big Money with the best Attack or drawing card of the kingdom.  It plays every Action
it can use, buys Gold and Silver and from the time when few Provinces are left also Duchies and
Estates, and answers every small question by what a card is worth in a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ai.knowledge import REWARD_ONE, Knowledge
from core.chance import Chance
from core.games.dominion.cards import (
    ACTING,
    ACTIONS,
    BANDIT,
    BANDITING,
    BUREAUCRAT,
    BUYING,
    CELLARING,
    CHAPEL,
    CHAPELING,
    COPPER,
    COST,
    COUNCIL_ROOM,
    CURSE,
    DISCARDING,
    DUCHY,
    ESTATE,
    FESTIVAL,
    GAINING,
    GOLD,
    HARBINGING,
    IS_ACTION,
    IS_TREASURE,
    IS_VICTORY,
    LABORATORY,
    LIBRARY,
    LIBRARYING,
    MARKET,
    MERCHANT,
    MILITIA,
    MINING,
    MONEYLENDER,
    PHASE,
    POACHER,
    PROVINCE,
    REMODEL,
    REMODELING,
    SENTRY,
    SENTRY_DISCARDING,
    SENTRY_ORDERING,
    SENTRY_TRASHING,
    SILVER,
    SMITHY,
    SPY,
    SPYING,
    THIEF_GAINING,
    TOPDECKING,
    TOPPING,
    VILLAGE,
    WHOSE,
    WITCH,
)
from core.games.dominion.scoring import owned, points
from core.requests import Action, Face, Player
from core.table import Eyes, Table

_PLAIN_MOVES: Final = 7  # Of eight moves in imagined games, so many follow the policy.
_CANDIDATES_MAX: Final = 4
# Actions that leave the player another one to play come first, and can be owned in any number.
_GOES_ON: Final = (LABORATORY, MARKET, FESTIVAL, SENTRY, POACHER, MERCHANT, SPY, VILLAGE)
# What else is worth buying, the best first, with how many are enough.
_TERMINALS: Final = {
    WITCH: 2, COUNCIL_ROOM: 1, SMITHY: 1, BANDIT: 1, LIBRARY: 1, MILITIA: 1, MONEYLENDER: 1,
    BUREAUCRAT: 1,
}  # fmt: skip
_TERMINALS_MAX: Final = 2
_LATE: Final = 5  # With so few Provinces left Duchies are bought,
_LAST: Final = 2  # and with so few Estates.
_COINS_ENOUGH: Final = 10  # Whoever owns so many coins beside Copper can do without Copper.
# For judging unfinished games, in sixteenths of a point: what a card is better than a Copper by,
_BETTER: Final = {
    SILVER: 5, GOLD: 10, ESTATE: -4, DUCHY: -4, PROVINCE: -4, CURSE: -5, WITCH: 12, LABORATORY: 8,
    MARKET: 8, FESTIVAL: 6, SENTRY: 6, COUNCIL_ROOM: 8, SMITHY: 8, MILITIA: 7, BANDIT: 7,
    LIBRARY: 6, MONEYLENDER: 5, POACHER: 5, MERCHANT: 5, BUREAUCRAT: 5, SPY: 5, VILLAGE: 1,
}  # fmt: skip
_POINT: Final = 16  # for every Province that is left.
_DOUBLING: Final = 64  # Whoever is ahead by so much is twice as likely to win.
_EIGHTHS: Final = (1024, 1117, 1218, 1328, 1448, 1579, 1722, 1878)  # 2 ** (n / 8), times 1024.
_DOUBLINGS_MAX: Final = 16


class DominionKnowledge(Knowledge):
    """Big Money with a few Actions."""

    choices_max = 120
    margin_percent = 250  # One purchase changes the chances little, and luck changes them much.
    strategies: Mapping[str, str] = {"money": "big_money", "plan": "policy"}

    def big_money(self, table: Table, player: Player, eyes: Eyes) -> Action:
        """Buys Province, Gold, Silver, and at the end Duchy and Estate; never an Action."""
        return self._best(table, player, eyes, with_actions=False)

    def policy(self, table: Table, player: Player, eyes: Eyes) -> Action:
        """Big Money with the best Actions of the kingdom."""
        return self._best(table, player, eyes, with_actions=True)

    def rollout(self, table: Table, player: Player, eyes: Eyes, chance: Chance) -> Action:
        """The policy seven times out of eight, then any legal action."""
        if chance.below(_PLAIN_MOVES + 1) < _PLAIN_MOVES:
            return self.policy(table, player, eyes)
        return chance.pick(self.game.legal_actions(table, player, eyes))

    def candidates(self, table: Table, player: Player, eyes: Eyes) -> list[Action]:
        """All Treasures at once, and of anything else the few best."""
        actions = self.game.legal_actions(table, player, eyes)
        if len(actions) < 2:
            return actions
        phase = table.counters[PHASE]
        if phase == TOPPING or (phase == BUYING and actions[-1].cards):
            return [self.policy(table, player, eyes)]
        judge = judge_of(table, player, eyes, with_actions=True)
        ranks = sorted(((-judge(action), place) for place, action in enumerate(actions)))
        return [actions[place] for place in sorted(place for _, place in ranks[:_CANDIDATES_MAX])]

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], eyes: Eyes
    ) -> list[int]:
        """What the policy thinks of each action."""
        judge = judge_of(table, player, eyes, with_actions=True)
        return [judge(action) for action in actions]

    def evaluate(self, table: Table) -> list[int]:
        """Shares by points, and by what the coins and Actions in the decks may still bring."""
        seats = range(table.layout.players)
        worth = [_standing(table, seat) for seat in seats]
        most = max(worth)
        weights = []
        for each in worth:
            behind = min((most - each) * 8 // _DOUBLING, 8 * _DOUBLINGS_MAX)
            up = 8 * _DOUBLINGS_MAX - behind
            weights.append(_EIGHTHS[up % 8] << up // 8)
        whole = sum(weights)
        return [REWARD_ONE * weight // whole for weight in weights]

    def rewards(self, table: Table) -> list[int]:
        """Half for the victory, half by the margin: a lucky game says less than a clear one."""
        margins = self.evaluate(table)
        won = super().rewards(table)
        return [(mine + share) // 2 for mine, share in zip(won, margins, strict=True)]

    def _best(self, table: Table, player: Player, eyes: Eyes, *, with_actions: bool) -> Action:
        actions = self.game.legal_actions(table, player, eyes)
        if len(actions) == 1:
            return actions[0]
        judge = judge_of(table, player, eyes, with_actions=with_actions)
        return max(actions, key=judge)


def _standing(table: Table, seat: Player) -> int:
    counts, left = owned(table, seat), len(table.zones[PROVINCE])
    better = sum([counts[face] * worth for face, worth in _BETTER.items()])
    return _POINT * points(table, seat) + left * better


# ---- judging actions: more is better, less than nothing is worse than to decline ----


def judge_of(
    table: Table, player: Player, eyes: Eyes, *, with_actions: bool
) -> Callable[[Action], int]:
    """A function that says how good each legal action of this choice is; declining is 0."""
    counters = table.counters
    phase = counters[PHASE]
    if phase in (BUYING, GAINING):
        wanted = _wanted(table, player, with_actions=with_actions)
        return lambda action: _judge_purchase(action, wanted)
    rule = _CARD_JUDGES.get(phase, _judge_use)
    is_own = counters[WHOSE] == player

    def judge(action: Action) -> int:
        if not action.cards:  # Chancellor turns the deck over; to decline is worth nothing.
            return COST[action.number] if action.verb == "choose" else int(action.verb == "turn")
        face = eyes[action.cards[0]]
        if phase == SPYING:
            good = usefulness(face) > 1
            return int((action.verb == "discard") != (good == is_own))
        if phase == LIBRARYING:
            return int((action.verb == "aside") == (IS_ACTION[face] and not counters[ACTIONS]))
        return rule(table, player, face)

    return judge


def usefulness(face: Face) -> int:
    """What a card is worth in a hand: land and Curses nothing, Copper little."""
    if face == CURSE:
        return -1
    if IS_TREASURE[face]:
        return (1, 4, 8)[face]
    return 2 + COST[face] if IS_ACTION[face] else 0


def _wanted(table: Table, player: Player, *, with_actions: bool) -> dict[Face, int]:
    """How much each kind is wanted; kinds left out are not."""
    left = len(table.zones[PROVINCE])
    wanted = {SILVER: 30, GOLD: 60, PROVINCE: 100}
    if left <= _LATE:
        wanted[DUCHY] = 70
    if left <= _LAST:
        wanted[ESTATE] = 40
        wanted[SILVER] = 20
    if not with_actions:
        return wanted
    counts = owned(table, player)
    wanted |= {face: 50 + COST[face] for face in _GOES_ON if COST[face] == 5}
    terminals = sum([counts[face] for face in _TERMINALS])
    if terminals < _TERMINALS_MAX + counts[VILLAGE] + counts[FESTIVAL]:
        for rank, (face, enough) in enumerate(_TERMINALS.items()):
            if counts[face] < enough:
                wanted[face] = 59 - rank
    if not counts[CHAPEL] and left > _LATE and sum(counts) <= 12:
        wanted[CHAPEL] = 10
    return wanted


def _judge_purchase(action: Action, wanted: Mapping[Face, int]) -> int:
    match action.verb:
        case "treasures":
            return 1000
        case "play":
            return 900
        case "buy":
            return wanted.get(action.number, COST[action.number] - 10)
        case "gain":
            return wanted.get(action.number, -10 + COST[action.number])
    return 0


def _judge_use(table: Table, player: Player, face: Face) -> int:
    """Play, reveal, take or put the best."""
    return usefulness(face) + (10 if face in _GOES_ON else 1)


def _judge_waste(table: Table, player: Player, face: Face) -> int:
    """Discard the worst."""
    return 20 - usefulness(face)


def _judge_junk(table: Table, player: Player, face: Face) -> int:
    """Discard land and Curses, and nothing else."""
    return 1 - usefulness(face) if usefulness(face) <= 0 else -1


def _judge_trash(table: Table, player: Player, face: Face) -> int:
    """Trash Curses, early Estates, and Copper when there is better money."""
    if face == CURSE:
        return 3
    if face == ESTATE:
        return 2 if len(table.zones[PROVINCE]) > _LAST else -1
    counts = owned(table, player)
    rich = counts[SILVER] * 2 + counts[GOLD] * 3 >= _COINS_ENOUGH
    return 1 if face == COPPER and rich else -1


def _judge_exchange(table: Table, player: Player, face: Face) -> int:
    """Remodel Gold into a Province, or else whatever is worst."""
    return 50 if face == GOLD and table.zones[PROVINCE] else 20 - usefulness(face)


def _judge_mine(table: Table, player: Player, face: Face) -> int:
    """Silver into Gold, Copper into Silver."""
    return (1, 2, -1)[face]


def _judge_recall(table: Table, player: Player, face: Face) -> int:
    """Harbinger: only something better than a Copper."""
    return usefulness(face) - 1


def _judge_topdeck(table: Table, player: Player, face: Face) -> int:
    """Keep for the next turn an Action that cannot be played in this one, or else a Copper."""
    if IS_ACTION[face] and not table.counters[ACTIONS]:
        return 50 + COST[face]
    return 0 if IS_VICTORY[face] else 20 - usefulness(face)


def _judge_action(table: Table, player: Player, face: Face) -> int:
    """Play what goes on first; a Chapel or a Remodel comes last."""
    if face in (CHAPEL, REMODEL):
        return 1
    return usefulness(face) + (100 if face in _GOES_ON else 1)


_CARD_JUDGES: Final[dict[int, Callable[[Table, Player, Face], int]]] = {
    ACTING: _judge_action,
    CELLARING: _judge_junk,
    CHAPELING: _judge_trash,
    REMODELING: _judge_exchange,
    MINING: _judge_mine,
    HARBINGING: _judge_recall,
    SENTRY_TRASHING: _judge_trash,
    SENTRY_DISCARDING: _judge_junk,
    SENTRY_ORDERING: _judge_waste,
    BANDITING: _judge_waste,
    DISCARDING: _judge_waste,
    TOPDECKING: _judge_topdeck,
    TOPPING: _judge_waste,
    THIEF_GAINING: _judge_recall,
}
