#!/usr/bin/env python3
"""Rules and search of one folder, timed: `rules.py games|search|move|hearts DIR`; for figures.py.

Every line is a figure: what, how many, the unit.  Times are of the process, best of three rounds,
because the machine may be busy with other things.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

ROUNDS: Final = 3
# Random games of a round: the game, its seats, how many.
GAMES: Final = (
    ("carta", 2, 300), ("carta", 4, 300), ("dominion", 2, 60), ("renaissance", 2, 30),
    ("civilization", 2, 25),
)  # fmt: skip
# With all its turns, one random game is some thousand choices.
SHORTER: Final[dict[str, dict[str, Any]]] = {"civilization": {"max_turns": 12}}
SETTLED_GAMES: Final = 60
REFEREE_GAMES: Final = ("carta", "dominion")
REFEREE_COUNT: Final = 6
SEARCH_ITERATIONS: Final = 1000
MOVE_ITERATIONS: Final = 200  # For one move; the same in openspiel.py, ...
HEARTS_PLIES: Final = (0, 12, 24)  # ... as are the positions.
HEARTS_GAMES: Final = 1000

Figure = tuple[str, float, str]


def best_s(work: Callable[[], object]) -> float:
    """Seconds of processor time that some work needs, the best of a few rounds."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def game_figures() -> Iterator[Figure]:
    """Random games: as search plays them on, and as referee and audit do, request by request."""
    from ai.search.transitions import play_at_random
    from core.chance import Chance
    from core.engine import start
    from core.games import find_game

    for slug, seats, count in GAMES:
        game, options = find_game(slug), SHORTER.get(slug, {})
        fresh = start(game, seats, options)
        where = ", ".join([slug, f"{seats} seats", *[f"{k} {options[k]}" for k in options]])

        def play(game: Any = game, fresh: Any = fresh, count: int = count) -> int:
            return sum(
                play_at_random(game, fresh.copy(), fresh.face[:], Chance(seed))
                for seed in range(count)
            )

        choices, took_s = play(), best_s(play)
        yield f"random games, {where}", count / took_s, "games/s"
        yield f"  choices in them, {where}", choices / took_s, "choices/s"
    took_s = best_s(_settled_games)
    yield "carta request by request, 2 seats", SETTLED_GAMES / took_s, "games/s"
    yield from _referee_figures()


def _referee_figures() -> Iterator[Figure]:
    """The same rules as lines of JSON, without the time that a pipe takes."""
    from core.referee import serve

    for slug in REFEREE_GAMES:
        lines = [line for seed in range(REFEREE_COUNT) for line in referee_lines(slug, seed)]
        took_s = best_s(partial(serve, lines, len))  # Nobody reads the answers.
        yield f"acts at the referee, {slug}, 2 seats", len(lines) / took_s, "acts/s"


def referee_lines(slug: str, seed: int) -> Iterator[str]:
    """What a program says that plays all seats of a game at random."""
    from core.chance import Chance
    from core.referee import Referee

    referee, chance = Referee(), Chance(seed)
    line = json.dumps({"do": "new", "game": slug, "seats": 2, "seed": str(seed)})
    while True:
        yield line
        request = json.loads(referee.answer(line))["request"]
        if "over" in request:
            return
        asked = request.get("choice") or {"seat": request["secret"]["seats"][0]}
        legal = json.loads(referee.answer(json.dumps({"do": "legal", **asked})))["actions"]
        action = {key: value for key, value in chance.pick(legal).items() if key != "text"}
        line = json.dumps({"do": "act", **asked, "action": action})


def _settled_games() -> None:
    from core.chance import Chance
    from core.engine import run_until_choice, start
    from core.games import find_game
    from core.requests import Choice, Over

    game = find_game("carta")
    for seed in range(SETTLED_GAMES):
        table, chance = start(game, 2, {}), Chance(seed)
        deal = table.face[:]
        pending = run_until_choice(game, table, deal, chance)
        while not isinstance(pending, Over):
            assert isinstance(pending, Choice), "nobody chooses in secret in Carta"
            actions = game.legal_actions(table, pending.player, deal)
            game.apply(table, pending.player, chance.pick(actions))
            pending = run_until_choice(game, table, deal, chance)


def search_figures() -> Iterator[Figure]:
    """Search at the first choice of a game."""
    from ai.games import find_knowledge
    from core.games import find_game

    knowledge = find_knowledge(find_game("carta"))
    for seats in (2, 4):
        speed = iterations_per_s(first_choice("carta", seats), knowledge, SEARCH_ITERATIONS)
        yield f"ISMCTS at the start, {seats} seats", speed, "it/s"


def move_figures() -> Iterator[Figure]:
    """One move by the rules alone, imagined games at random to their end, and one as bots do it."""
    from ai.games import find_knowledge
    from ai.search.knowledge import Knowledge
    from core.games import find_game

    for slug in ("carta", "dominion"):
        game = find_game(slug)
        blank = Knowledge(game)
        blank.rollout_choices_max = 100_000
        for what, knowledge in (("to the end", blank), ("as bots do", find_knowledge(game))):
            speed = iterations_per_s(first_choice(slug, 2), knowledge, MOVE_ITERATIONS)
            took_ms = 1000 * MOVE_ITERATIONS / speed
            yield f"hostless, {slug}: {MOVE_ITERATIONS} iterations, {what}", took_ms, "ms"


def hearts_figures() -> Iterator[Figure]:
    """The game that OpenSpiel has as well: random games, and one move, played to the end."""
    import hearts

    from ai.search.knowledge import Knowledge
    from ai.search.transitions import play_at_random
    from core.chance import Chance
    from core.engine import start

    fresh = start(hearts.GAME, hearts.SEATS, {})

    def play() -> int:
        return sum(
            play_at_random(hearts.GAME, fresh.copy(), fresh.face[:], Chance(seed))
            for seed in range(HEARTS_GAMES)
        )

    choices, took_s = play(), best_s(play)
    yield "random games, hearts", HEARTS_GAMES / took_s, "games/s"
    yield "  choices in them, hearts", choices / took_s, "choices/s"
    blank = Knowledge(hearts.GAME)
    speeds = [iterations_per_s(each, blank, MOVE_ITERATIONS) for each in _hearts_positions()]
    took_ms = 1000 * MOVE_ITERATIONS / statistics.median(speeds)
    yield f"hostless, hearts: {MOVE_ITERATIONS} iterations, to the end", took_ms, "ms"


def _hearts_positions() -> list[tuple[Any, ...]]:
    import hearts

    from core.chance import Chance
    from core.determinization import observation_of
    from core.engine import run_until_choice, start
    from core.requests import Choice

    game, chance, plies = hearts.GAME, Chance(7), 0
    table, found = start(game, hearts.SEATS, {}), list[tuple[Any, ...]]()
    deal = table.face[:]
    while len(found) < len(HEARTS_PLIES):
        pending = run_until_choice(game, table, deal, chance)
        assert isinstance(pending, Choice), "a hand has more choices than that"
        player = pending.player
        actions = game.legal_actions(table, player, deal)
        if len(actions) > 1:
            if plies >= HEARTS_PLIES[len(found)]:
                found.append((game, table.copy(), observation_of(table, deal, player), player))
            plies += 1
        game.apply(table, player, chance.pick(actions))
    return found


def first_choice(slug: str, seats: int) -> tuple[Any, ...]:
    """The first position of a game that has more than two candidates, as search wants it."""
    from ai.games import find_knowledge
    from core.chance import Chance
    from core.determinization import determinize, observation_of
    from core.engine import run_until_choice, start
    from core.games import find_game
    from core.requests import Choice

    game, seed = find_game(slug), 0
    knowledge = find_knowledge(game)
    while True:
        table, chance = start(game, seats, {}), Chance(seed)
        deal, seed = determinize(table, table.face, chance), seed + 1
        for _ in range(20):
            pending = run_until_choice(game, table, deal, chance)
            assert isinstance(pending, Choice), "a game begins with choices of one seat"
            player = pending.player
            observation = observation_of(table, deal, player)
            candidates = knowledge.candidates(table, player, observation)
            if len(candidates) > 2:
                return game, table, observation, player
            game.apply(table, player, candidates[-1])


def iterations_per_s(where: tuple[Any, ...], knowledge: Any, iterations: int) -> float:
    """How fast search is at a position."""
    from ai.search.search import search

    def think() -> int:
        return search(knowledge, *where[1:], seed=3, iterations=iterations).iterations

    return think() / best_s(think)


BENCHES: Final = {
    "games": game_figures, "search": search_figures, "move": move_figures, "hearts": hearts_figures,
}  # fmt: skip


def main() -> int:
    """Measure one bench of one folder, or of several beside each other."""
    _, bench, folders = sys.argv
    sys.path[:0] = folders.split(os.pathsep)
    for figure in BENCHES[bench]():
        print(json.dumps(figure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
