"""Choices that are made here and not sent yet, so that they can be taken back.

What is in the log is signed, and others have acted on it: nobody can unsay it, and a vote about it
would come after they have seen what was said.  So a choice of mine stays on this machine as long as
only I am asked what follows, and is sent when something comes that somebody else takes part in: a
card that is drawn, dealt or opened, a shuffle, a roll, a choice of another seat.  Until then nobody
has heard of it, and taking it back changes nothing for anybody.  These are exactly the choices that
would stand at the end of the log with nothing revealed and nobody's answer after them.

Nothing can be learned by it: what is imagined here is made of what I know already, and no message
is sent for it.

Of equal cards that only I can tell apart the log names any, by lot (`p2p.game.equivalents`).  So
what waits to be sent is kept with its text: where that very card cannot be named any more, another
offer that reads the same stands for it.

What is sent counts as answered until the log shows it.  It is asked again where the node could not
take it (`Notice.asks_again`), and where the log has gone back or another way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from core.narrate import Narrator
from core.requests import Action, Choice, Chosen, Request, Reveal, Revealed
from core.table import HIDDEN
from core.view import view
from p2p.session.commands import Choose
from p2p.session.news import TableChanged
from ui.choices.unsent import Unsent

PENDING_MAX: Final = 64  # Choices; no turn of any game is as long.


class HeldChoice(NamedTuple):
    """A choice that is held here, with the news it was made at."""

    news: TableChanged
    choice: Choose
    is_forced: bool  # Nobody chose it: there was no other.


class WaitingChoice(NamedTuple):
    """A choice that is sent when the log has come so far, with the text of its offer."""

    choice: Choose
    text: str


class PendingChoices:
    """What I have chosen since the log asked me, and how the table would look."""

    def __init__(self) -> None:
        self._made: list[HeldChoice] = []
        self._shown: TableChanged | None = None  # After the last of them.
        self._queue: list[WaitingChoice] = []  # One for each time that I am asked.
        self._last_count = -1  # Of the last of what was sent,
        self._answered_count = -1  # and of what the log has to show next.
        self._logged: TableChanged | None = None  # As the node told it last.

    def hear(self, news: TableChanged) -> tuple[Choose | None, TableChanged]:
        """The node tells of the table: what is sent now, if anything, and what to show."""
        before, self._logged = self._logged, news
        if before is not None and (
            news.path != before.path or news.event_count < before.event_count
        ):
            self.forget()  # Another game; or what was answered is not in the log any more.
        due = self._due(news)
        return due, self._seen(news)

    def ask_again(self) -> TableChanged | None:
        """The node could not take what was sent: the table as the log has it, to be asked anew."""
        self.forget()
        return self._logged

    def forget(self) -> None:
        """The table is left: what was not sent counts for nothing."""
        self._made, self._shown, self._queue = [], None, []
        self._last_count = self._answered_count = -1

    @property
    def is_open(self) -> bool:
        """Whether something can be taken back."""
        return bool(self._made)

    @property
    def unsent(self) -> Unsent:
        """What I have chosen that the log does not show, without what was forced on me."""
        at = -1 if self._logged is None else self._logged.event_count
        made = sum(not each.is_forced for each in self._made)
        return Unsent(at, int(0 <= at == self._answered_count), made + len(self._queue))

    def hold(
        self, news: TableChanged, action: Action, *, is_forced: bool = False
    ) -> TableChanged | None:
        """Make a choice here: what follows, where only I am asked; None: it has to be sent.

        What was forced is held behind a choice of mine alone: by itself there is nothing to take
        back, and the others would see a table that waits.
        """
        is_sent = len(self._made) >= PENDING_MAX or (is_forced and not self.is_open)
        following = None if is_sent else imagine(news, action)
        if following is not None:
            self._made.append(HeldChoice(news, Choose(action, news.event_count), is_forced))
            self._shown = following
        return following

    def take_back(self) -> TableChanged | None:
        """Before the last choice, and what it forced; None if nothing can be taken back."""
        if not self.is_open:
            return None
        while self._made[-1].is_forced:
            self._made.pop()
        news = self._made.pop().news
        self._shown = news if self._made else None
        return news

    def send(self, news: TableChanged, action: Action) -> tuple[Choose, TableChanged]:
        """Everything is sent, this last: the first of it, and what to show until the log has all.

        `hear` gives the others, each when the log asks for it.
        """
        last = HeldChoice(news, Choose(action, news.event_count), is_forced=False)
        first, *others = [*self._made, last]
        self._made, self._queue = [], [_waiting(made) for made in others]
        self._last_count, self._answered_count = news.event_count, first.news.event_count
        return first.choice, _unasked(news)

    def _due(self, news: TableChanged) -> Choose | None:
        """What is sent now that the log has come so far."""
        if not self._queue or news.event_count < self._queue[0].choice.event_count:
            return None
        if news.event_count == self._queue[0].choice.event_count and not news.view.offers:
            return None  # The log has come so far, and I am not asked yet.
        choice, text = self._queue.pop(0)
        actions = [offer.action for offer in news.view.offers if offer.text == text]
        if choice.event_count == news.event_count and actions:
            self._answered_count = choice.event_count
            return choice if choice.action in actions else replace(choice, action=actions[0])
        self.forget()  # The log has gone another way: what was not sent counts for nothing.
        return None

    def _seen(self, news: TableChanged) -> TableChanged:
        """What to show when the node has told this: my choices stand while the log waits for me."""
        shown = self._shown
        if shown is None:
            return _unasked(news) if news.event_count == self._answered_count else news
        there = replace(
            news, event_count=shown.event_count, view=shown.view, lines=shown.lines, turn=shown.turn
        )
        if self._made and news.event_count == self._made[0].news.event_count:
            return there if news.view.offers else _unasked(there)  # While members change.
        if not self._made and news.event_count < self._last_count:  # It is on its way.
            return _unasked(replace(there, turn=None))
        self._made, self._shown = [], None
        return _unasked(news) if news.event_count == self._answered_count else news


def _waiting(made: HeldChoice) -> WaitingChoice:
    offers = made.news.view.offers
    text = next(offer.text for offer in offers if offer.action == made.choice.action)
    return WaitingChoice(made.choice, text)


def _unasked(news: TableChanged) -> TableChanged:
    """The table while an answer is on its way: nothing can be chosen."""
    return replace(news, view=replace(news.view, offers=()))


def imagine(news: TableChanged, action: Action) -> TableChanged | None:
    """The table after a choice of mine, where I am the one who is asked next; None elsewhere."""
    turn = news.turn
    if turn is None or news.view.to_act != (turn.seat,):
        return None
    table, observation = turn.table.copy(), list(turn.observation)
    narrator = Narrator(turn.game, list(news.lines), reader=turn.seat)
    request = Choice(turn.seat)
    narrator.forget(news.event_count)  # Nothing; what follows is counted from there.
    following = narrator.apply(table, request, Chosen(action), observation)
    count = news.event_count + 1
    while (event := _opened_by_me(following, observation)) is not None:
        following, count = narrator.apply(table, following, event), count + 1
    if following != request:
        return None
    later = replace(turn, table=table, observation=observation, event_count=count)
    seen = view(turn.game, table, request, observation, turn.seat)
    return replace(news, event_count=count, view=seen, lines=tuple(narrator.lines), turn=later)


def _opened_by_me(request: Request, observation: list[int]) -> Revealed | None:
    """My own cards that I turn up by what I chose; None for all that others take part in."""
    if not isinstance(request, Reveal) or request.player is not None:
        return None
    faces = tuple(observation[card] for card in request.cards)
    return None if HIDDEN in faces else Revealed(faces)
