"""What a bot is told about Dominion: an agenda for the kingdom, and the few moves worth a thought.

    agenda.py         what to buy
    book.py           the agendas
    model.py          which agenda wins; weights.py: what it has learned
    finding.py        a better agenda for the kingdom at hand
    small_choices.py  the small questions: play, discard, trash
    evaluation.py     who is ahead in an unfinished game
    styles.py         what bots with a style like

Everything is decided by counts that all seats know and by the own hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import core.games.dominion.cards as c
from ai.games.dominion import styles
from ai.games.dominion.agenda import NOTHING, Agenda
from ai.games.dominion.book import (
    CHAPEL_AGENDA,
    MONEY_AGENDA,
    SMITHY_AGENDA,
    WITCH_AGENDA,
    agenda_for,
    plan_for,
)
from ai.games.dominion.evaluation import shares
from ai.games.dominion.finding import agenda_found, games_for
from ai.games.dominion.small_choices import BEFORE_ALL, GOES_ON, goodness
from ai.search.knowledge import Knowledge, Strategy
from core.chance import Chance
from core.game import Game
from core.games.dominion.cards import MONEY as COINS_IN_HAND
from core.games.dominion.choices import all_treasures
from core.games.dominion.scoring import owned
from core.requests import Action, Face, Player
from core.table import Observation, Table

_CANDIDATES_MAX: Final = 4
_PURCHASES_MAX: Final = 8  # With kinds that the agenda does not want, ...
_KINDS_BEFORE: Final = 6  # ... while more than so many Provinces are left for each pair of seats.
_COUNT_DIGITS: Final = 3  # Fewer stand behind a kind.
_COINS_FIRST: Final = 15  # In the whole deck, before a Province is bought instead of Gold ...
_PROVINCES_EARLY: Final = 7  # ... while so many Provinces are left for each pair of seats.
_TERMINALS: Final = tuple(face for face in c.ACTIONS_ALL if face not in GOES_ON)
_TERMINALS_MAX: Final = 3  # So many Actions without another one are enough for a deck.
_THINKABLE: Final = (c.ACTING, c.CHAPELING, c.REMODELING, c.THRONING, c.SENTRY_TRASHING)
_END: Final = Action("end")
_BUYS: Final = tuple([Action("buy", (), face) for face in c.ALL])


class DominionKnowledge(Knowledge):
    """The agenda of the book, and whatever search finds better."""

    rollout_choices_max = 200  # Nearly always to the end: earlier, a lean deck looks too good.
    expansion_visits = 2000
    doubt = 25  # Other purchases gain little, and luck is large.
    mistake_permille = 30  # With less, levels are hardly apart: the agenda plays for all of them.
    speed = 500
    compiled_speed = 1800
    exploration_percent = 100
    strategies: Mapping[str, str] = {
        "money": "big_money",
        "smithy": "smithy",
        "witch": "double_witch",
        "chapel": "chapel",
        "plan": "plan",
    }

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.kingdom: tuple[Face, ...] = ()  # For which an agenda has been found, ...
        self.found = MONEY_AGENDA  # ... and which.

    def prepare(self, table: Table, iterations: int) -> None:
        """Find an agenda for the kingdom, unless the budget is too small for that."""
        kingdom, games = _kingdom(table), games_for(iterations)
        is_known = games > 0 and min(kingdom) >= c.BASIC_KINDS  # Not while it is drafted.
        self.kingdom = kingdom if is_known else ()
        if is_known:
            self.found = agenda_found(self.game, self.follow, kingdom, games)

    def agenda(self, table: Table) -> Agenda:
        """What was found for the kingdom of this table, or what the book has."""
        kingdom = _kingdom(table)
        return self.found if kingdom == self.kingdom else agenda_for(kingdom)

    def follower(self, plan: str) -> Strategy | None:
        """Who buys by an agenda, with `+` between its wishes: `chapel*1+gold+silver`."""
        wishes = plan.split("+")
        for wish in wishes:
            key, star, count = wish.partition("*")
            is_count = count.isdecimal() and len(count) < _COUNT_DIGITS
            if key not in c.KEYS or (star and not is_count):
                return None
        agenda = Agenda(" ".join(wishes))
        return lambda table, player, observation: self.follow(agenda, table, player, observation)

    def missing(self, player: str, table: Table) -> str:
        """The first kind of its plan, or that it is named after, that is not in the kingdom."""
        plan = player.removeprefix("plan:").replace("+", " ")
        if plan == player and player not in c.KEYS:
            return ""
        wanted = Agenda(plan).order
        return next((c.KEYS[face] for face in wanted if not table.zones[face]), "")

    def big_money(self, table: Table, player: Player, observation: Observation) -> Action:
        """Buys Province, Gold, Silver, and at the end Duchy and Estate; never an Action."""
        return self.follow(MONEY_AGENDA, table, player, observation)

    def smithy(self, table: Table, player: Player, observation: Observation) -> Action:
        """Big Money with two Smithies."""
        return self.follow(SMITHY_AGENDA, table, player, observation)

    def double_witch(self, table: Table, player: Player, observation: Observation) -> Action:
        """Big Money with two Witches."""
        return self.follow(WITCH_AGENDA, table, player, observation)

    def chapel(self, table: Table, player: Player, observation: Observation) -> Action:
        """A Chapel first, and a small deck of the best cards."""
        return self.follow(CHAPEL_AGENDA, table, player, observation)

    def plan(self, table: Table, player: Player, observation: Observation) -> Action:
        """Big Money with the one kind of Action that suits it best in this kingdom."""
        return self.follow(plan_for(_kingdom(table)), table, player, observation)

    def policy(self, table: Table, player: Player, observation: Observation) -> Action:
        """The strongest agenda of the book for this kingdom, and Gold before an early Province."""
        if table.counters[c.PHASE] == c.BUYING:
            treasures = all_treasures(table, player, observation)
            return (
                _buy(_wishes(self.agenda(table), table, player, is_one_enough=True)[0])
                if treasures is None
                else treasures
            )
        return self.follow(None, table, player, observation)

    def rollout_policy(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """The policy: the order of the cards is chance enough."""
        return self.policy(table, player, observation)

    def follow(
        self, agenda: Agenda | None, table: Table, player: Player, observation: Observation
    ) -> Action:
        """What a player does who buys by `agenda`; None: by the book's for this kingdom."""
        phase = table.counters[c.PHASE]
        if phase == c.BUYING:
            treasures = all_treasures(table, player, observation)
            if treasures is not None:
                return treasures
            if agenda is None:
                agenda = self.agenda(table)
            return _buy(agenda.purchases(table, player, table.counters[COINS_IN_HAND])[0])
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) == 1:
            return actions[0]
        if phase == c.GAINING:
            if agenda is None:
                agenda = self.agenda(table)
            return _gains(agenda, table, player, actions)[0]
        worth = [goodness(table, player, observation, action) for action in actions]
        return actions[worth.index(max(worth))]

    def answer_at_once(
        self, table: Table, player: Player, observation: Observation
    ) -> Action | None:
        """All Treasures are played at once, an Action that leaves another one to play is played,
        and a small question has one answer."""
        phase = table.counters[c.PHASE]
        if phase == c.BUYING:
            return all_treasures(table, player, observation)
        if phase == c.GAINING:
            return None
        plain = self.follow(None, table, player, observation)
        if phase not in _THINKABLE:
            return plain
        if phase == c.ACTING and plain.cards:
            goes_on = observation[plain.cards[0]] in GOES_ON
            if goes_on or goodness(table, player, observation, plain) == BEFORE_ALL:
                return plain
        return None

    def candidates(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """The policy's action first, then the few others that are worth a thought."""
        plain = self.answer_at_once(table, player, observation)
        if plain is not None:
            return [plain]
        agenda, phase = self.agenda(table), table.counters[c.PHASE]
        if phase == c.BUYING:
            return [_buy(face) for face in _purchases(agenda, table, player)]
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if phase == c.GAINING:
            return _gains(agenda, table, player, actions)[:_CANDIDATES_MAX]
        worth = [goodness(table, player, observation, action) for action in actions]
        ranks = sorted([(-each, place) for place, each in enumerate(worth)])
        return [actions[place] for _, place in ranks[:_CANDIDATES_MAX]]

    def evaluate(self, table: Table) -> list[int]:
        """Shares by points, and by what the decks may still bring."""
        return shares(table)

    def rewards(self, table: Table) -> list[int]:
        """Half for the victory, half by the margin: a lucky game says less than a clear one."""
        won = super().rewards(table)
        return [(mine + share) // 2 for mine, share in zip(won, shares(table), strict=True)]

    def lean(
        self, style: str, table: Table, player: Player, action: Action, observation: Observation
    ) -> int:
        """By the kinds that a style likes."""
        return styles.lean(style, action, observation)


KNOWLEDGE: Final = DominionKnowledge


def _kingdom(table: Table) -> tuple[Face, ...]:
    return tuple(table.counters[c.KINGDOM : c.KINGDOM + c.KINGDOM_KINDS])


def _purchases(agenda: Agenda, table: Table, player: Player) -> list[Face]:
    """What is worth a thought: some wishes, and early in the game any kind of the kingdom."""
    faces = _wishes(agenda, table, player)[:_CANDIDATES_MAX]
    if len(table.zones[c.PROVINCE]) * 2 // table.layout.players <= _KINDS_BEFORE:
        return faces
    coins = table.counters[COINS_IN_HAND]
    others = [
        (-c.COST[face], face)
        for face in _kingdom(table)
        if c.COST[face] <= coins and table.zones[face] and face not in faces
    ]
    return [*faces, *[face for _, face in sorted(others)]][:_PURCHASES_MAX]


def _wishes(
    agenda: Agenda, table: Table, player: Player, *, is_one_enough: bool = False
) -> list[Face]:
    """What may be worth buying, the best first: land can wait until the deck has some coins."""
    coins = table.counters[COINS_IN_HAND]
    faces = agenda.purchases(table, player, coins, is_one_enough=is_one_enough)
    left = len(table.zones[c.PROVINCE]) * 2 // table.layout.players
    if faces[0] == c.PROVINCE and c.GOLD in faces and left >= _PROVINCES_EARLY:
        counts = owned(table, player)
        if sum([count * c.COINS[face] for face, count in enumerate(counts)]) < _COINS_FIRST:
            faces.remove(c.GOLD)
            faces.insert(0, c.GOLD)
    if faces[0] in (c.SILVER, NOTHING) and _wants_village(table, player):
        return [c.VILLAGE, *[face for face in faces if face != c.VILLAGE]]
    return faces


def _wants_village(table: Table, player: Player) -> bool:
    """Whether a Village can be had, and many more Actions end the turn than are followed by one."""
    if table.counters[COINS_IN_HAND] < c.COST[c.VILLAGE] or not table.zones[c.VILLAGE]:
        return False
    counts = owned(table, player)
    ends = 0
    for face in _TERMINALS:
        ends += counts[face]
    return ends - counts[c.VILLAGE] - counts[c.FESTIVAL] > _TERMINALS_MAX


def _buy(face: Face) -> Action:
    return _END if face == NOTHING else _BUYS[face]


def _gains(agenda: Agenda, table: Table, player: Player, actions: list[Action]) -> list[Action]:
    """What may be gained, the best first: by the agenda, then the dearest Action, then the rest."""
    faces = agenda.purchases(table, player, table.counters[c.LIMIT])
    ranks = []
    for place, action in enumerate(actions):
        face = action.number
        rank = faces.index(face) if face in faces else len(faces) + (face == c.CURSE)
        ranks.append((rank, not c.IS_ACTION[face], -c.COST[face], place))
    return [actions[place] for *_, place in sorted(ranks)]
