"""Finding an agenda for the kingdom at hand, by playing agendas against each other.

It begins with the agenda of the book.  In the first step others of the book are tried, and those
that the model thinks most of (`model.py`); in every step neighbours of the best agenda, each of
which wants one kind of the kingdom more, or another number of one, or leaves one out, the most
promising by the model.  They all play against the best agenda so far on the same shuffles, and the
worse half leaves after each round.  The one that is left takes the place of the best if it wins on
other shuffles, too.

The work is a number of games that follows from the budget of a choice, and all chance comes from
fixed seeds.  So everybody finds the same agenda, and nobody looks at a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import core.games.dominion.cards as c
from ai.games.dominion.agenda import Agenda
from ai.games.dominion.book import agenda_for, agendas_for
from ai.games.dominion.evaluation import shares
from ai.games.dominion.model import best_agendas, ranked_neighbours
from ai.search.knowledge import REWARD_ONE
from ai.search.transitions import CommonShuffles, fast_forward
from core.chance import Chance
from core.engine import start
from core.game import Game
from core.requests import Action, Choice, Face, Player
from core.table import Observation, Table

GAMES_PER_ITERATION: Final = 5  # A few times the work of one choice, once in a game.
_GAMES_MIN: Final = 800  # Fewer find nothing.
_GAMES_MAX: Final = 4000  # More found nothing better.
_STEP_GAMES: Final = 1000  # Of a step at least, if there are so many.
_STEPS_MAX: Final = 6
_LAST_PART: Final = 4  # Of them, one in so many is played by the one that is left.
_CHOICES_MAX: Final = 1000
_SEATS: Final = 2
_BREADTH: Final = 24  # So many rivals are tried in a step, ...
_BOOK_MAX: Final = 8  # ... so many of the book among them in the first.
_MARGIN: Final = REWARD_ONE // 100  # By so much the new one has to be ahead.

Follow: TypeAlias = Callable[[Agenda, Table, Player, Observation], Action]


class Finder:
    """The search for an agenda: who has been tried, and how much has been played."""

    def __init__(self, game: Game, follow: Follow, kingdom: tuple[Face, ...]) -> None:
        self.game, self.follow, self.kingdom = game, follow, kingdom
        names = ",".join(c.KEYS[face] for face in kingdom)
        self.table = start(game, _SEATS, {"kingdom": names})
        self.deals = 0

    def find(self, games: int, steps_max: int = _STEPS_MAX, breadth: int = _BREADTH) -> Agenda:
        """The best agenda that can be found in so many games, with so many rivals in a step."""
        best = agenda_for(self.kingdom)
        rivals = self._known(best)
        steps = min(max(1, games // _STEP_GAMES), steps_max)
        for _ in range(steps):
            texts = ranked_neighbours(best.text, self.kingdom)
            rivals = (rivals + [Agenda(text) for text in texts])[:breadth]
            best, rivals = self.step(best, rivals, games // steps), []
        return best

    def _known(self, best: Agenda) -> list[Agenda]:
        """What the model thinks most of, and what else the book has."""
        known = [*best_agendas(self.kingdom), *agendas_for(self.kingdom)[:_BOOK_MAX]]
        texts = {agenda.text: agenda for agenda in known if agenda.text != best.text}
        return list(texts.values())

    def step(self, best: Agenda, rivals: list[Agenda], games: int) -> Agenda:
        """The best of these rivals if it is better than the best so far, by so many games."""
        last = games // _LAST_PART
        left = games - last
        running = [(0, place) for place in range(len(rivals))]
        while len(running) > 1:
            rounds_left = (len(running) - 1).bit_length()
            deals = max(1, left // rounds_left // (_SEATS * len(running)))
            running = [
                (won + self.won(rivals[place], best, deals), place) for won, place in running
            ]
            self.deals += deals
            left -= _SEATS * deals * len(running)
            running.sort(key=_most_won)
            running = running[: (len(running) + 1) // 2]
        rival = rivals[running[0][1]]
        deals = max(1, last // _SEATS)
        won = self.won(rival, best, deals)
        self.deals += deals
        return rival if won > _SEATS * deals * (REWARD_ONE // 2 + _MARGIN) else best

    def won(self, mine: Agenda, other: Agenda, deals: int) -> int:
        """The rewards of the next games, each deal played from both seats."""
        total = 0
        for deal in range(self.deals, self.deals + deals):
            for seat in range(_SEATS):
                total += self._play(mine, other, deal, seat)
        return total

    def _play(self, mine: Agenda, other: Agenda, seed: int, seat: Player) -> int:
        game, follow = self.game, self.follow
        table, chance, shuffles = self.table.copy(), Chance(seed), CommonShuffles(seed)
        deal = table.face[:]
        pending = fast_forward(game, table, deal, chance, shuffles)
        for _ in range(_CHOICES_MAX):
            if not isinstance(pending, Choice):
                break
            player = pending.player
            agenda = mine if player == seat else other
            game.mechanics.apply(table, player, follow(agenda, table, player, deal))
            pending = fast_forward(game, table, deal, chance, shuffles)
        winners = game.winners(table)
        won = REWARD_ONE // len(winners) if seat in winners else 0
        return (won + shares(table)[seat]) // 2


def _most_won(pair: tuple[int, int]) -> tuple[int, int]:
    won, place = pair
    return -won, place


def games_for(iterations: int) -> int:
    """How many games may be played for a budget of so many iterations; none if that is few."""
    games = min(iterations * GAMES_PER_ITERATION, _GAMES_MAX)
    return games if games >= _GAMES_MIN else 0


_FOUND: Final[dict[tuple[tuple[Face, ...], int], Agenda]] = {}


def agenda_found(game: Game, follow: Follow, kingdom: tuple[Face, ...], games: int) -> Agenda:
    """The agenda for a kingdom that so many games find; looked for once in a process."""
    key = (kingdom, games)
    if key not in _FOUND:
        _FOUND[key] = Finder(game, follow, kingdom).find(games)
    return _FOUND[key]
