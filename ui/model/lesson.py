"""A first game with a commentary: what is asked now, why, and what a good first idea is.

The words stand beside the rules of a game, in `locales/lesson.LANGUAGE.toml`: `lesson.GAME.goal`,
one sentence for each kind of question (`lesson.GAME.PHASE`), and for what happens
(`lesson.GAME.fact.KIND`).  They follow from what can be seen, so they fit every deal: nothing has
to be prepared, and the game is proven like any other.  A game without them simply has none.
"""

from __future__ import annotations

from typing import Final

from core.game import usual_seats
from core.games import find_game
from ui.games import look_of
from ui.language.text import Words
from ui.model.story import begins_turn, is_turn_new
from ui.model.view_model import ViewModel
from ui.port import Learn

ROUNDS_EXPLAINED: Final = 3  # So many rounds are explained.
_LEVEL: Final = "gentle"


def first_game(game: str) -> Learn:
    """The table at which this game is learned: bots of this machine, and what suits beginners."""
    seats = usual_seats(find_game(game))
    return Learn(game, seats, seats - 1, _LEVEL, dict(look_of(game).first), is_local=True)


def is_like_a_first_game(model: ViewModel) -> bool:
    """Whether a game that goes on is one that can still be explained, against the bots for it."""
    others = [seat for at, seat in enumerate(model.news.seats) if at != model.view.seat]
    return bool(lesson_texts(model)) and all(seat.level == _LEVEL for seat in others)


def goal_texts(words: Words, game: str) -> list[str]:
    """What the game is about; nothing for a game without a commentary."""
    own = words.of(game)
    return [own(f"lesson.{game}.goal"), own("lesson.how")] if words.explains(game) else []


def lesson_texts(model: ViewModel) -> tuple[str, ...]:
    """What is to be said now: about the question first, then about what has just happened."""
    view, lines = model.view, model.news.lines
    words, me = model.words.of(view.game), view.seat
    turns = max((line.number for line in lines if begins_turn(line)), default=0)
    if me is None or view.is_over or not model.words.explains(view.game):
        return ()
    if turns > ROUNDS_EXPLAINED:
        is_first = turns == ROUNDS_EXPLAINED + 1 and model.is_my_turn and is_turn_new(model)
        return (words("lesson.end"),) if is_first else ()
    return (*_asked(words, model), *_happened(words, model))


def question_keys(model: ViewModel) -> tuple[str, str]:
    """Under which keys the open question is explained, the more exact one first."""
    view = model.view
    exact = model.look.ask(view).replace("phase.", "lesson.", 1)
    return exact, f"lesson.{view.game}.{view.phase}"


def _asked(words: Words, model: ViewModel) -> list[str]:
    if not model.is_my_turn:
        return []
    return [words(key) for key in question_keys(model) if words.has(key)][:1]


def _happened(words: Words, model: ViewModel) -> list[str]:
    """What the newest kind of fact means that has come for the first time since my last choice."""
    view, lines = model.view, model.news.lines
    mine = [at for at, line in enumerate(lines) if line.kind == "chosen" and line.is_by(view.seat)]
    start = mine[-1] if mine else 0
    kinds = [line.text.partition(" ")[0] if line.fact else "" for line in lines]
    fresh = dict.fromkeys(kind for kind in kinds[start:] if kind not in kinds[:start])
    told = [f"lesson.{view.game}.fact.{kind}" for kind in fresh]
    return [words(key) for key in told if words.has(key)][-1:]


class LessonHeard:
    """What of a lesson has been told in lines of text: everything is told once."""

    def __init__(self) -> None:
        self._told = set[str]()

    def lines(self, model: ViewModel) -> list[str]:
        """What is new now."""
        goal = [] if self._told else goal_texts(model.words, model.view.game)
        fresh = [each for each in (*goal, *lesson_texts(model)) if each not in self._told]
        self._told.update(fresh)
        return [model.words("lesson.line", text=each) for each in fresh]
