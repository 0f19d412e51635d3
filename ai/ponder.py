"""Thinking on the others' time, by a rule that leaves every decision repeatable.

After its choice a bot imagines on from there: a fresh tree behind the action it has taken, grown
from what it knew at that choice, from a seed derived from that choice's, by a fixed number of
iterations.  When it is asked again, the moves that have really been made lead into this tree, and
what was found out behind them is what the new search begins with.

So a decision depends on the choice before it, the moves since, the choice itself and two numbers,
and on nothing earlier: whoever has the log can do it again without doing the whole game.  When the
others are quicker than the bot, the rest of the iterations is done before it answers; pondering can
be broken off at any time without any effect on what is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ai.knowledge.known import find_knowledge
from ai.levels import LEVELS
from ai.search import Decision, Move, Tree
from core.chance import Chance
from core.engine import feed
from core.game import Game
from core.requests import Action, Choice, Chosen, Event, Opened, Player, Request, Secret
from core.table import HIDDEN, Eyes, Table

_PONDER_SALT: Final = 0x706F6E646572  # What makes the seed of pondering another one.


class Question(NamedTuple):
    """What a seat is to choose, and how it thinks about it."""

    game: Game
    table: Table
    eyes: Eyes
    player: Player
    seed: int
    level: str
    iterations: int


class Thinker:
    """The thoughts of one bot from one choice to the next."""

    def __init__(self, iterations: int) -> None:
        self.iterations = iterations  # Of pondering, after every choice; 0: none.
        self.left = 0  # Of them, for the choice that was made last.
        self._tree: Tree | None = None
        self._chance = Chance(0)

    def think(self, question: Question, moves: Iterable[Move] = ()) -> Decision:
        """Decide; `moves` are those since the last question, beginning behind its own action.

        Where nobody else has moved since, there was no time to ponder, and nothing of it is used.
        """
        tree, made = _tree_of(question), list(moves)
        if self._tree is not None and any(move.player != question.player for move in made):
            self.ponder(self.left)
            tree.inherit(self._tree, made)
        decision = tree.search(question.seed, question.iterations)
        self.remember(question, decision.action)
        return decision

    def remember(self, question: Question, made: Action) -> None:
        """Go on from a choice that has been made, also before this thinker was there."""
        self.left = self.iterations
        self._tree = _tree_of(question, made) if self.left else None
        self._chance = Chance(question.seed ^ _PONDER_SALT)

    def ponder(self, iterations: int) -> bool:
        """Imagine so much more of what may come; False when all has been done."""
        if self._tree is not None and self.left:
            count = min(iterations, self.left)
            self._tree.grow(self._chance, count)
            self.left -= count
        return self.left > 0


def _tree_of(question: Question, made: Action | None = None) -> Tree:
    game, table, eyes, player, _, level, _ = question
    knowledge, weakness = find_knowledge(game), LEVELS[level].weakness
    return Tree(game, table, eyes, player, knowledge, weakness=weakness, made=made)


def moves_since(
    question: Question, asked: Request, events: Sequence[Event], eyes: Eyes
) -> list[Move]:
    """What has been done since a question that `asked`, its own action left out.

    `events` begin with the answer to it; `eyes` are the seat's at the next question.  Cards that
    the seat has not seen stay unknown in the names of the moves.
    """
    game, table, player = question.game, question.table.copy(), question.player
    made: list[tuple[Player, Action]] = []
    moves: list[Move] = []
    request = asked
    for event in events:
        made += _actions_of(request, event, player)
        request = feed(game, table, request, event)
        if isinstance(request, Choice | Secret):  # By now what was shown has been seen.
            moves += [_named(each, table, eyes, question.eyes) for each in made]
            made = []
    return moves[1:]


def _actions_of(request: Request, event: Event, player: Player) -> list[tuple[Player, Action]]:
    """Who did what; of what all do at once, the tree knows only the seat's own."""
    if isinstance(request, Choice) and isinstance(event, Chosen):
        return [(request.player, event.action)]
    if isinstance(request, Secret) and isinstance(event, Opened):
        answers = zip(request.players, event.actions, strict=True)
        return [(seat, action) for seat, action in answers if seat == player]
    return []


def _named(made: tuple[Player, Action], table: Table, now: Eyes, before: Eyes) -> Move:
    player, action = made
    faces = []
    for card in action.cards:
        known = [each for each in (table.face[card], now[card], before[card]) if each != HIDDEN]
        faces.append(known[0] if known else HIDDEN)
    return Move(player, action.verb, tuple(faces), action.number)
