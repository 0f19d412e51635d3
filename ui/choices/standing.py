"""Answers that a person has given for good: "pass here, until I say otherwise".

Only questions that come in somebody else's turn can be answered so, such as a reaction to an
attack, or whether one interrupts: there the table waits for one who mostly says the same.  An
answer holds for one kind of question, and only where it is on offer; everything else is asked as
before.  It is given as late as a choice that needs no thought, so that the time that it takes tells
nobody more than that.
"""

from __future__ import annotations

from typing import NamedTuple

from core.view import Offer, View
from p2p.session.news import TableChanged
from ui.games import look_of
from ui.model.sentences import offer_sentence
from ui.model.story import turn_of
from ui.model.view_model import ViewModel

PASS_VERB = "pass"


class AskedKind(NamedTuple):
    """A kind of question: where in the rules it is asked, and what for."""

    phase: str
    asks: str


class StandingAnswers:
    """What one person has answered for good at one table."""

    def __init__(self) -> None:
        self._answers: dict[AskedKind, str] = {}  # The notation of each.

    @property
    def is_empty(self) -> bool:
        """Whether every question is asked."""
        return not self._answers

    def keep(self, model: ViewModel, notation: str) -> bool:
        """Answer this kind of question so from now on; False: it is none of those."""
        if not may_stand(model.news):
            return False
        self._answers[_kind(model.view)] = notation
        return True

    def due(self, view: View) -> Offer | None:
        """The answer to the open question, if it was given before and is on offer."""
        notation = self._answers.get(_kind(view)) if view.offers else None
        return next((offer for offer in view.offers if offer.text == notation), None)

    def forget(self) -> None:
        """Ask everything again."""
        self._answers.clear()

    def texts(self, model: ViewModel) -> list[str]:
        """What was answered for good, in the person's language."""
        words, seats, game = model.words, model.news.seats, model.view.game
        return [offer_sentence(words, seats, each, game) for each in self._answers.values()]


def _kind(view: View) -> AskedKind:
    return AskedKind(view.phase, look_of(view.game).ask(view))


def may_stand(news: TableChanged) -> bool:
    """Whether the open question comes in somebody else's turn, and one may refuse."""
    is_others = turn_of(news) not in (None, news.view.seat)
    return is_others and any(offer.action.verb == PASS_VERB for offer in news.view.offers)


def usual_answer(model: ViewModel, picked: str) -> Offer | None:
    """What is meant by answering for good: what is picked, and to pass where nothing is."""
    pick = model.pick(picked) if picked else None
    if pick is not None:
        return pick.offer
    return next((each for each in model.view.offers if each.action.verb == PASS_VERB), None)
