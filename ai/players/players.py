"""Who can sit in a tournament: fixed players, and bots by level or by iterations.

random      any legal action
greedy      looks one move ahead: whatever leaves its side best off when its next turn comes
policy      the plain player that search imagines with, without what it does at random
...         the fixed players of the game, named in what bots know of it (`ai/games/`)
plan:PLAN   a fixed player with a plan of yours: in Dominion what to buy, `chapel*1+gold+silver`
gentle, steady, sharp, strongest
            a bot of that level, with the iterations that an ordinary machine has time for
LEVEL/N     the same with an Nth of its iterations
LEVEL:N     the same with N iterations
...+STYLE   any of these with a style: `steady+builder`, `steady/10+builder`, `steady:260+builder`
search:N    a bot with N iterations for every choice, and nothing that weakens it
COMMAND     a program of your own, `node bot.mjs`: see docs/guide/bring-a-bot.md
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ai.games import find_knowledge
from ai.levels import LEVELS, SearchSettings, decide
from ai.players.foreign_program import ForeignProgram, can_be_started
from ai.search import search as searching
from ai.search.knowledge import Knowledge
from ai.search.search import search
from ai.search.transitions import fast_forward
from core.bot_levels import ITERATIONS_MAX, STYLE_NAMES, with_style
from core.chance import Chance
from core.determinization import determinize
from core.game import Game, did_you_mean
from core.requests import Action, Choice, Player
from core.table import Observation, RulesError, Table

# What a seat does, from what it may know and a seed.
Decider: TypeAlias = Callable[[Table, Observation, Player, int], Action]

_DIGITS_MAX: Final = 10
_GREEDY_DEALS: Final = 4
_GREEDY_CHOICES_MAX: Final = 40


def find_player(game: Game, name: str, speed: int = 0) -> Decider:
    """The player of that name for a game; its `close`, if it has one, is called after the game.

    `speed` is how many iterations a second the levels reckon with; 0: those of plain Python.

    Raises:
        RulesError: nobody is called that; the message lists who there is.
    """
    knowledge = find_knowledge(game)
    plain = {"random": _random, "greedy": _greedy, "policy": _policy}
    if name in plain:
        return plain[name](knowledge)
    if name in knowledge.strategies:
        return _fixed(getattr(knowledge, knowledge.strategies[name]))
    plainly, style = _without_style(name)
    level, is_part, part = plainly.partition("/")
    if level in LEVELS and (_is_number(part) or not is_part):
        budget = LEVELS[level].iterations(speed or knowledge.speed) // int(part or "1")
        return _bot(game, with_style(level, style), max(1, budget))
    level, _, count = plainly.partition(":")
    if level in LEVELS and _is_number(count):
        return _bot(game, with_style(level, style), int(count))
    start, _, count = name.partition(":")
    follower = knowledge.follower(count) if start == "plan" else None
    if follower is not None:
        return _fixed(follower)
    if start == "search" and _is_number(count):
        return _searcher(knowledge, int(count))
    if can_be_started(name):
        return ForeignProgram(game, name)
    names = [*plain, *knowledge.strategies, *LEVELS]
    known = [*names, "LEVEL/N", "LEVEL:N", "search:N", "plan:PLAN"]
    known += [*[f"LEVEL+{style}" for style in STYLE_NAMES], "a command"]
    names += [with_style(level, style) for level in LEVELS for style in STYLE_NAMES]
    near = did_you_mean(name, names)
    raise RulesError(f"no player is called {name[:40]!r}{near}; there are {', '.join(known)}")


def _without_style(name: str) -> tuple[str, str]:
    """The name of a player, and the style behind it; empty if there is none."""
    plainly, _, style = name.rpartition("+")
    return (plainly, style) if style in STYLE_NAMES else (name, "")


def usual_speed(game: Game) -> int:
    """How many iterations a second search does on an ordinary machine, compiled if it is here."""
    knowledge = find_knowledge(game)
    is_compiled = not str(searching.__file__).endswith(".py")
    return knowledge.compiled_speed if is_compiled else knowledge.speed


def _is_number(text: str) -> bool:
    """Whether it can be a number of iterations."""
    return text.isdecimal() and len(text) < _DIGITS_MAX and 0 < int(text) <= ITERATIONS_MAX


def _random(knowledge: Knowledge) -> Decider:
    def choose(table: Table, observation: Observation, player: Player, seed: int) -> Action:
        return Chance(seed).pick(knowledge.game.legal_actions(table, player, observation))

    return choose


def _policy(knowledge: Knowledge) -> Decider:
    def choose(table: Table, observation: Observation, player: Player, seed: int) -> Action:
        plain = knowledge.policy(table, player, observation)
        return plain or knowledge.rollout_policy(table, player, observation, Chance(seed))

    return choose


def _fixed(strategy: Callable[[Table, Player, Observation], Action]) -> Decider:
    return lambda table, observation, player, seed: strategy(table, player, observation)


def _bot(game: Game, level: str, iterations: int) -> Decider:
    def choose(table: Table, observation: Observation, player: Player, seed: int) -> Action:
        settings = SearchSettings(seed, level, iterations)
        return decide(game, table, observation, player, settings).action

    return choose


def _searcher(knowledge: Knowledge, iterations: int) -> Decider:
    def choose(table: Table, observation: Observation, player: Player, seed: int) -> Action:
        return search(
            *(knowledge, table, observation, player),
            seed=seed,
            iterations=iterations,
        ).action

    return choose


def _greedy(knowledge: Knowledge) -> Decider:
    def choose(table: Table, observation: Observation, player: Player, seed: int) -> Action:
        actions = knowledge.game.legal_actions(table, player, observation)
        if len(actions) == 1:
            return actions[0]
        chance = Chance(seed)
        worth = [0] * len(actions)
        for _ in range(_GREEDY_DEALS):
            deal = determinize(table, observation, chance)
            for index, action in enumerate(actions):
                worth[index] += _look_ahead(knowledge, table.copy(), deal[:], player, action)
        return actions[worth.index(max(worth))]

    return choose


def _look_ahead(
    knowledge: Knowledge, table: Table, deal: list[int], player: Player, action: Action
) -> int:
    """How well off `player` is at its next turn, if everybody follows the policy until then."""
    game, chance, have_others_moved = knowledge.game, Chance(0), False
    pending = fast_forward(game, table, deal, chance)
    for _ in range(_GREEDY_CHOICES_MAX):
        if not isinstance(pending, Choice):
            break
        if pending.player != player:
            have_others_moved = True
        elif have_others_moved:
            break
        game.apply(table, pending.player, action)
        pending = fast_forward(game, table, deal, chance)
        if isinstance(pending, Choice):
            plain = knowledge.policy(table, pending.player, deal)
            action = plain or knowledge.rollout_policy(table, pending.player, deal, chance)
    return knowledge.value(table, pending)[player]
