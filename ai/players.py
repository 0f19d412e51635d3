"""Who can sit in a tournament: fixed opponents, and bots by level or by iterations.

random      any legal action
greedy      looks one move ahead: whatever leaves its side best off when its next turn comes
rush        Carta: collects the domain it has most of, and uses no effects
money       Dominion: buys Province, Gold and Silver, and land at the end
plan        Dominion: the same with a few of the best Actions
gentle, steady, sharp
search:N    a bot with N iterations for every choice
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ai.imagined import go_on
from ai.knowledge import Knowledge
from ai.knowledge.known import find_knowledge
from ai.levels import LEVELS, decide
from ai.search import ITERATIONS_MAX, search
from core.chance import Chance
from core.game import Game
from core.imagine import imagine
from core.requests import Action, Choice, Player
from core.table import Eyes, RulesError, Table

# What a seat does, from what it may know and a seed.
Decider: TypeAlias = Callable[[Table, Eyes, Player, int], Action]

_GREEDY_DEALS: Final = 4
_GREEDY_CHOICES_MAX: Final = 40


def find_player(game: Game, name: str) -> Decider:
    """The player of that name for a game.

    Raises:
        RulesError: nobody is called that; the message lists who there is.
    """
    knowledge = find_knowledge(game)
    if name == "random":
        return _any_action(game)
    if name == "greedy":
        return _greedy(game, knowledge)
    if name in knowledge.strategies:
        policy = getattr(knowledge, knowledge.strategies[name])
        return lambda table, eyes, player, seed: policy(table, player, eyes)
    if name in LEVELS:
        return _bot(game, name, LEVELS[name].iterations(knowledge.speed))
    start, _, count = name.partition(":")
    if start == "search" and count.isdecimal() and 0 < int(count[:8]) <= ITERATIONS_MAX:
        return _searcher(game, knowledge, int(count))
    known = ["random", "greedy", *knowledge.strategies, *LEVELS, "search:N"]
    raise RulesError(f"no player is called {name[:40]!r}; there are {', '.join(known)}")


def _any_action(game: Game) -> Decider:
    def choose(table: Table, eyes: Eyes, player: Player, seed: int) -> Action:
        return Chance(seed).pick(game.legal_actions(table, player, eyes))

    return choose


def _bot(game: Game, level: str, iterations: int) -> Decider:
    def choose(table: Table, eyes: Eyes, player: Player, seed: int) -> Action:
        return decide(
            game, table, eyes, player, seed=seed, level=level, iterations=iterations
        ).action

    return choose


def _searcher(game: Game, knowledge: Knowledge, iterations: int) -> Decider:
    def choose(table: Table, eyes: Eyes, player: Player, seed: int) -> Action:
        return search(
            game, table, eyes, player, seed=seed, iterations=iterations, knowledge=knowledge
        ).action

    return choose


def _greedy(game: Game, knowledge: Knowledge) -> Decider:
    def choose(table: Table, eyes: Eyes, player: Player, seed: int) -> Action:
        actions = game.legal_actions(table, player, eyes)
        if len(actions) == 1:
            return actions[0]
        chance = Chance(seed)
        worth = [0] * len(actions)
        for _ in range(_GREEDY_DEALS):
            deal = imagine(table, eyes, chance)
            for index, action in enumerate(actions):
                worth[index] += _look_ahead(knowledge, table.copy(), deal[:], player, action)
        return actions[worth.index(max(worth))]

    return choose


def _look_ahead(
    knowledge: Knowledge, table: Table, deal: list[int], player: Player, action: Action
) -> int:
    """How well off `player` is at its next turn, if everybody follows the policy until then."""
    game, chance, have_others_moved = knowledge.game, Chance(0), False
    pending = go_on(game, table, deal, chance)
    for _ in range(_GREEDY_CHOICES_MAX):
        if not isinstance(pending, Choice):
            break
        if pending.player != player:
            have_others_moved = True
        elif have_others_moved:
            break
        game.apply(table, pending.player, action)
        pending = go_on(game, table, deal, chance)
        if isinstance(pending, Choice):
            plain = knowledge.policy(table, pending.player, deal)
            action = plain or knowledge.rollout(table, pending.player, deal, chance)
    return knowledge.worth(table, pending)[player]
