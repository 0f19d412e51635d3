"""Answering at a table: what is picked, what was given for good, and taking back."""

from __future__ import annotations

from typing import ClassVar, Final

from core.requests import Action
from core.view import Offer
from p2p.session.commands import Choose
from p2p.session.news import TableChanged
from ui.choices.asked_back import ask, waits_for
from ui.choices.pending_choices import PendingChoices
from ui.choices.premove import Premove, is_asked_in_own_turn, may_premove
from ui.choices.standing import StandingAnswers, may_stand, usual_answer
from ui.choices.unsent import Unsent
from ui.draw.choices import labels_in
from ui.draw.frame import Frame, board_of
from ui.key_bindings import KeyBinding, key_name, key_of
from ui.model.pause import pause_note
from ui.model.picks import OfferPick
from ui.model.several import Rest, answers
from ui.model.view_model import ViewModel
from ui.model.why_not import why_not
from ui.screens.leaving import LeavingScreen

AUTOMATIC_ANSWER_S: Final = 0.8  # How long a choice with one answer is shown before it is given.
AUTOMATIC_LATER_S: Final = 1.0  # Where it would send what can still be taken back.


class AnsweringScreen(LeavingScreen):
    """A screen of a table at which one chooses."""

    model: ViewModel | None
    frame: Frame | None
    newest: TableChanged | None  # As the node told it.
    labels: tuple[str, ...]  # Of what is picked: one, or several cards.
    typed: str  # The beginning of a label.
    is_played: ClassVar[bool] = True  # Not only looked at.

    def __init__(self) -> None:
        super().__init__()
        self.rest = Rest("", ())  # Picked together with what was answered last.
        self.pending = PendingChoices()  # What I have chosen and the log does not show yet,
        self.standing = StandingAnswers()  # what I have answered for good,
        self.premove = Premove()  # and what I have chosen while others think.

    def label_key(self, binding: KeyBinding) -> str:
        """Also that which takes a choice back, where the bar has no room to say so."""
        if binding.name != "take_back" or binding.key != key_of("table", "take_back"):
            return super().label_key(binding)
        is_said = self.frame is not None and "take_back" in labels_in(self.frame.prompt)
        return "back.key" if self.pending.is_open and not is_said else ""

    def show(self, news: TableChanged) -> None:
        """Show a state of the table."""
        raise NotImplementedError

    def pick_alone(self, label: str) -> None:
        """Pick this and nothing else."""
        raise NotImplementedError

    @property
    def picked(self) -> str:
        """The label that was picked last; empty when nothing is."""
        return self.labels[-1] if self.labels else ""

    def pick_now(self) -> OfferPick | None:
        """What is picked."""
        return self.model.pick(self.picked) if self.model and self.picked else None

    def answer(self, model: ViewModel, *, is_forced: bool = False) -> None:
        """Answer with what is picked."""
        self.rest = Rest(model.view.phase, answers(model, self.labels))
        self.labels, self.typed = (), ""  # The letter of an answer begins no label of the next.
        if is_asked_in_own_turn(model):
            self.premove.forget()
        self.give_rest(model, is_forced=is_forced)

    def give_rest(self, model: ViewModel, *, is_forced: bool = False) -> bool:
        """Answer with the next of the cards that were picked together, if it is asked for."""
        offer = self.rest.next_offer(model.view)
        if offer is None:
            if model.is_my_turn:
                self.rest = Rest("", ())
            return False
        self.rest = self.rest.after()
        self.choose(model.news, offer.action, is_forced=is_forced)
        return True

    def premove_or_explain(self, model: ViewModel, number: int) -> None:
        """Choose a card for my turn while others think; else say why it cannot be chosen.

        One reason at a time, or they would bury the table.
        """
        if self.is_played and self.premove.turn(model, number):
            self.redraw()
        else:
            self.show_toast(why_not(model, number))

    def type_premove(self, model: ViewModel, character: str) -> bool:
        """Choose a place for my turn while others think, by its label; whether it is of one."""
        labels = model.look.ahead(model.view) if may_premove(model) else {}
        for typed in (self.typed + character, character) if self.is_played else ():
            if any(label.startswith(typed) for label in labels):
                self.typed = "" if self.premove.turn_place(model, typed) else typed
                self.redraw()
                return True
        return False

    def choose(self, news: TableChanged, action: Action, *, is_forced: bool = False) -> None:
        """Make a choice: here, where it can be taken back; else others hear of it."""
        takes_back = self.base_app.settings.takes_back
        following = self.pending.hold(news, action, is_forced=is_forced) if takes_back else None
        if following is None:
            choice, following = self.pending.send(news, action)
            self.give(choice)
        self.show(following)

    def give(self, choice: Choose) -> None:
        """Let a choice of mine be made for good."""
        self.base_app.send(choice)

    async def action_leave(self) -> None:
        """Get up; what nobody has heard of is not in the file, and that is said in the lobby."""
        has_unsent, has_standing = self._unsent().held > 0, not self.standing.is_empty
        await super().action_leave()
        self.pending.forget()
        self.premove.forget()
        self.base_app.unsent.forget()
        if has_unsent:
            self.base_app.notify(self.words("back.not_kept"), markup=False)
        if has_standing and self.newest is not None and not self.newest.view.is_over:
            self.base_app.notify(self.words("standing.not_kept"), markup=False)

    def note_unsent(self) -> str:
        """Note what is not in the log yet; what to say of what was lost when the table was left."""
        if self.newest is None or not self.is_played:
            return ""
        return self.base_app.unsent.hear(self.words, self.newest, self._unsent())

    def _unsent(self) -> Unsent:
        unsent, premoves = self.pending.unsent, bool(self.premove.face or self.premove.label)
        return unsent._replace(held=unsent.held + premoves)

    def action_take_back(self) -> None:
        """Let go of what is picked, else take back my last choice.

        Where others have heard of that, ask the table.
        """
        if self.labels:
            self.pick_alone("")
            if self.newest is not None and self.newest.may_ask_back is not None:
                name = key_name(key_of("table", "take_back"))
                self.show_toast(self.words("back.let_go", name=name))
            return
        news = self.pending.take_back()
        if news is None:
            sentence, command = ask(self.words, self.newest)
            self.show_toast(sentence)
            if command is not None:
                self.base_app.send(command)
            return
        self.rest, self.labels = Rest("", ()), ()
        self.show(news)

    def _given_by_itself(self, model: ViewModel) -> Offer | None:
        """The answer that needs no key: it was given before, or there is no other."""
        reflex = model.look.reflex(model.view) if self.base_app.settings.is_automatic else None
        return self.standing.due(model.view) or self.premove.due(model) or reflex

    def calls_me(self, model: ViewModel) -> bool:
        """Whether a choice waits for the person, and not for what the program does by itself."""
        return model.is_my_turn and self._given_by_itself(model) is None

    def answer_by_itself(self, model: ViewModel) -> None:
        """A choice that needs no thought is shown for a moment and made.

        Where it follows from what can still be taken back, it is made at once as long as nobody
        hears of it, and taken back together with that.  Else there is a moment to take it back.
        """
        if gone := self.premove.why_gone(model, board_of(model).about):
            self.premove.forget()
            self.redraw()
            self.show_toast(gone)
        offer, news = self._given_by_itself(model), model.news
        if offer is None:
            return
        if self.pending.is_open:
            following = self.pending.hold(news, offer.action, is_forced=True)
            if following is not None:
                self.show(following)
                return
        label = next(pick.label for pick in model.picks if pick.offer == offer)
        self.pick_alone(label)
        wait_s = AUTOMATIC_LATER_S if self.pending.is_open else AUTOMATIC_ANSWER_S
        self.set_timer(wait_s, lambda: self._give_reflex(news.event_count))

    def _give_reflex(self, entry: int) -> None:
        """Nobody pressed a key, so whatever is being said goes on lying over the table."""
        model = self.model
        if model and model.is_my_turn and self.pick_now() and model.news.event_count == entry:
            is_chosen = self.premove.due(model) is not None  # So it can be taken back.
            is_forced = not is_chosen and self._given_by_itself(model) is not None
            self.answer(model, is_forced=is_forced)

    def soon(self, model: ViewModel) -> str:
        """What the bar says of a choice that is sent by itself: that it can be taken back, or whose
        it is where it is not one's own.
        """
        is_given = model.is_my_turn and self._given_by_itself(model) is not None
        stands_in = model.look.stands_in(model.view)
        if is_given and stands_in:
            return model.words(stands_in)
        is_leaving = is_given and self.pending.is_open
        name = key_name(key_of("table", "take_back"))
        return self.words("back.soon", name=name) if is_leaving else ""

    def note(self, model: ViewModel) -> str:
        """What the bar says of a pause, and of answers given before: for good, or for my turn.

        After a game it takes seconds to find the same table once more, or to open it.
        """
        if self.base_app.is_asking_again:
            return self.words("again.asked")
        if paused := pause_note(self.words, model.news, key_name(key_of("table", "pause"))):
            return paused
        if waits := waits_for(self.words, model.news):
            return waits
        if not self.standing.is_empty and not model.view.is_over:
            what = model.words.listed(self.standing.texts(model))
            name = key_name(key_of("table", "ask_again"))
            return self.words("standing.shown", what=what, name=name)
        what = "" if model.is_my_turn else self.premove.named(model)
        if what:
            name = key_name(key_of("table", "unpick"))
            return self.words("premove.shown", what=what, name=name)
        if model.is_my_turn and may_stand(model.news):
            return self.words("standing.key", name=key_name(key_of("table", "stand")))
        return ""

    def action_stand(self) -> None:
        """Give the answer that is picked, or pass, now and to each question of this kind."""
        model = self.model
        offer = usual_answer(model, self.picked) if model and model.is_my_turn else None
        if model is None or offer is None or not self.standing.keep(model, offer.text):
            self.show_toast(self.words("standing.none"))
            return
        self.labels = (next(pick.label for pick in model.picks if pick.offer == offer),)
        self.answer(model)

    def action_ask_again(self) -> None:
        """Ask all questions again that were answered for good."""
        key = "standing.nothing" if self.standing.is_empty else "standing.gone"
        self.standing.forget()
        self.redraw()
        self.show_toast(self.words(key))
