"""Answering at a table: what is picked, what was given for good, and taking back."""

from __future__ import annotations

from typing import ClassVar, Final

from core.requests import Action
from core.view import Offer
from p2p.session.news import Choose, TableChanged
from ui.actions import key_name, key_of
from ui.ahead import Ahead
from ui.asked_back import ask, waits_for
from ui.draw.frame import board_of
from ui.pause import pause_note
from ui.picks import CardPick
from ui.picture import Picture, why_not
from ui.premove import Premove, is_asked_in_own_turn, may_premove
from ui.screens.leaving import LeavingScreen
from ui.several import Rest, answers
from ui.standing import StandingAnswers, may_stand, usual_answer
from ui.unsent import Unsent

AUTOMATIC_ANSWER_S: Final = 0.8  # How long a choice with one answer is shown before it is given.
AUTOMATIC_LATER_S: Final = 1.0  # Where it would send what can still be taken back.


class AnsweringScreen(LeavingScreen):
    """A screen of a table at which one chooses."""

    picture: Picture | None
    newest: TableChanged | None  # As the node told it.
    labels: tuple[str, ...]  # Of what is picked: one, or several cards.
    typed: str  # The beginning of a label.
    is_played: ClassVar[bool] = True  # Not only looked at.

    def __init__(self) -> None:
        super().__init__()
        self.rest = Rest("", ())  # Picked together with what was answered last.
        self.ahead = Ahead()  # What I have chosen and the log does not show yet,
        self.standing = StandingAnswers()  # what I have answered for good,
        self.premove = Premove()  # and what I have chosen while others think.

    def show(self, news: TableChanged) -> None:
        """Show a picture of the table."""
        raise NotImplementedError

    def pick_alone(self, label: str) -> None:
        """Pick this and nothing else."""
        raise NotImplementedError

    @property
    def picked(self) -> str:
        """The label that was picked last; empty when nothing is."""
        return self.labels[-1] if self.labels else ""

    def pick_now(self) -> CardPick | None:
        """What is picked."""
        return self.picture.pick(self.picked) if self.picture and self.picked else None

    def answer(self, picture: Picture, *, is_forced: bool = False) -> None:
        """Answer with what is picked."""
        self.rest = Rest(picture.view.phase, answers(picture, self.labels))
        self.labels = ()
        if is_asked_in_own_turn(picture):
            self.premove.forget()
        self.give_rest(picture, is_forced=is_forced)

    def give_rest(self, picture: Picture, *, is_forced: bool = False) -> bool:
        """Answer with the next of the cards that were picked together, if it is asked for."""
        offer = self.rest.next_offer(picture.view)
        if offer is None:
            if picture.is_my_turn:
                self.rest = Rest("", ())
            return False
        self.rest = self.rest.after()
        self.choose(picture.news, offer.action, is_forced=is_forced)
        return True

    def choose_ahead_or_explain(self, picture: Picture, number: int) -> None:
        """Choose a card for my turn while others think; else say why it cannot be chosen.

        One reason at a time, or they would bury the table.
        """
        if self.is_played and self.premove.turn(picture, number):
            self.redraw()
        else:
            self.say_over_table(why_not(picture, number))

    def type_ahead(self, picture: Picture, character: str) -> bool:
        """Choose a place for my turn while others think, by its label; whether it is of one."""
        labels = picture.look.ahead(picture.view) if may_premove(picture) else {}
        for typed in (self.typed + character, character) if self.is_played else ():
            if any(label.startswith(typed) for label in labels):
                self.typed = "" if self.premove.turn_place(picture, typed) else typed
                self.redraw()
                return True
        return False

    def choose(self, news: TableChanged, action: Action, *, is_forced: bool = False) -> None:
        """Make a choice: here, where it can be taken back; else others hear of it."""
        takes_back = self.house.settings.takes_back
        following = self.ahead.hold(news, action, is_forced=is_forced) if takes_back else None
        if following is None:
            choice, following = self.ahead.send(news, action)
            self.give(choice)
        self.show(following)

    def give(self, choice: Choose) -> None:
        """Let a choice of mine be made for good."""
        self.house.send(choice)

    async def action_leave(self) -> None:
        """Get up; what nobody has heard of is not in the file, and that is said in the lobby."""
        has_unsent = self._unsent().held > 0
        await super().action_leave()
        self.ahead.forget()
        self.premove.forget()
        self.house.unsent.forget()
        if has_unsent:
            self.house.notify(self.words("back.not_kept"), markup=False)

    def note_unsent(self) -> str:
        """Note what is not in the log yet; what to say of what was lost when the table was left."""
        if self.newest is None or not self.is_played:
            return ""
        return self.house.unsent.hear(self.words, self.newest, self._unsent())

    def _unsent(self) -> Unsent:
        unsent, ahead = self.ahead.unsent, bool(self.premove.face or self.premove.label)
        return unsent._replace(held=unsent.held + ahead)

    def action_take_back(self) -> None:
        """Let go of what is picked, else take back my last choice.

        Where others have heard of that, ask the table.
        """
        if self.labels:
            self.pick_alone("")
            return
        news = self.ahead.take_back()
        if news is None:
            sentence, command = ask(self.words, self.newest)
            self.say_over_table(sentence)
            if command is not None:
                self.house.send(command)
            return
        self.rest, self.labels = Rest("", ()), ()
        self.show(news)

    def _given_by_itself(self, picture: Picture) -> Offer | None:
        """The answer that needs no key: it was given before, or there is no other."""
        reflex = picture.look.reflex(picture.view) if self.house.settings.is_automatic else None
        return self.standing.due(picture.view) or self.premove.due(picture) or reflex

    def calls_me(self, picture: Picture) -> bool:
        """Whether a choice waits for the person, and not for what the program does by itself."""
        return picture.is_my_turn and self._given_by_itself(picture) is None

    def answer_by_itself(self, picture: Picture) -> None:
        """A choice that needs no thought is shown for a moment and made.

        Where it follows from what can still be taken back, it is made at once as long as nobody
        hears of it, and taken back together with that.  Else there is a moment to take it back.
        """
        if gone := self.premove.why_gone(picture, board_of(picture).about):
            self.premove.forget()
            self.redraw()
            self.say_over_table(gone)
        offer, news = self._given_by_itself(picture), picture.news
        if offer is None:
            return
        if self.ahead.is_open:
            following = self.ahead.hold(news, offer.action, is_forced=True)
            if following is not None:
                self.show(following)
                return
        label = next(pick.label for pick in picture.picks if pick.offer == offer)
        self.pick_alone(label)
        wait_s = AUTOMATIC_LATER_S if self.ahead.is_open else AUTOMATIC_ANSWER_S
        self.set_timer(wait_s, lambda: self._give_reflex(news.event_count))

    def _give_reflex(self, entry: int) -> None:
        """Nobody pressed a key, so whatever is being said goes on lying over the table."""
        picture = self.picture
        if picture and picture.is_my_turn and self.pick_now() and picture.news.event_count == entry:
            is_chosen = self.premove.due(picture) is not None  # So it can be taken back.
            is_forced = not is_chosen and self._given_by_itself(picture) is not None
            self.answer(picture, is_forced=is_forced)

    def soon(self, picture: Picture) -> str:
        """What the bar says of a choice that is sent by itself: that it can be taken back, or whose
        it is where it is not one's own.
        """
        is_given = picture.is_my_turn and self._given_by_itself(picture) is not None
        stands_in = picture.look.stands_in(picture.view)
        if is_given and stands_in:
            return picture.words(stands_in)
        is_leaving = is_given and self.ahead.is_open
        name = key_name(key_of("table", "take_back"))
        return self.words("back.soon", name=name) if is_leaving else ""

    def note(self, picture: Picture) -> str:
        """What the bar says of a pause, and of answers given before: for good, or for my turn.

        After a game it takes seconds to find the same table once more, or to open it.
        """
        if self.house.is_asking_again:
            return self.words("again.asked")
        if paused := pause_note(self.words, picture.news, key_name(key_of("table", "pause"))):
            return paused
        if waits := waits_for(self.words, picture.news):
            return waits
        if not self.standing.is_empty and not picture.view.is_over:
            what = picture.words.listed(self.standing.texts(picture))
            name = key_name(key_of("table", "ask_again"))
            return self.words("standing.shown", what=what, name=name)
        what = "" if picture.is_my_turn else self.premove.named(picture)
        if what:
            name = key_name(key_of("table", "unpick"))
            return self.words("premove.shown", what=what, name=name)
        if picture.is_my_turn and may_stand(picture.news):
            return self.words("standing.key", name=key_name(key_of("table", "stand")))
        return ""

    def action_stand(self) -> None:
        """Give the answer that is picked, or pass, now and to each question of this kind."""
        picture = self.picture
        offer = usual_answer(picture, self.picked) if picture and picture.is_my_turn else None
        if picture is None or offer is None or not self.standing.keep(picture, offer.text):
            self.say_over_table(self.words("standing.none"))
            return
        self.labels = (next(pick.label for pick in picture.picks if pick.offer == offer),)
        self.answer(picture)

    def action_ask_again(self) -> None:
        """Ask all questions again that were answered for good."""
        key = "standing.nothing" if self.standing.is_empty else "standing.gone"
        self.standing.forget()
        self.redraw()
        self.say_over_table(self.words(key))
