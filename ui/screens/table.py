"""The table: seats, piles, choices, hand and story, from one view model, for keyboard and mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from textual import events
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from core.requests import Action
from p2p.session.news import (
    Notice,
    OwnGames,
    SaidLine,
    TableChanged,
)
from ui.choices.standing import StandingAnswers
from ui.draw.cue import CUE_S, mark_changes, sign_of_thought, time_waited
from ui.draw.frame import BROAD_SIDE_WIDTH, KEY_ROWS, SIDE_WIDTH, Frame, draw_table
from ui.draw.panels import ABOUT, SEE
from ui.draw.places import neighbor, places_of
from ui.draw.scene import TINY_ROWS, Scene
from ui.key_bindings import bindings_of, textual_bindings
from ui.lobby.own_games import badge
from ui.model.away import PRESSED, away_sentences, is_counting, silence_sentences
from ui.model.clocks import TimeHeard
from ui.model.prompt import is_bot_thinking, is_waiting_for_others
from ui.model.several import pick_more
from ui.model.substituted import Substituted
from ui.model.view_model import ViewModel, view_model
from ui.port import Explained, UiNews
from ui.screens.base import PageOver
from ui.screens.end import EndScreen
from ui.screens.hinting import HintingScreen
from ui.screens.story import StoryPage
from ui.screens.texts import TextsPage
from ui.terminal.toasts import LONG_TOAST_S, SHORT_TOAST_S
from ui.widgets.rows import Drawing, RowsWidget

LABELS_NAMED_MAX: Final = 6  # Keys in one sentence.
COUNT_S: Final = 1.0  # Seconds are counted down one by one.


def _labels(model: ViewModel) -> str:
    """The first keys that pick something, as in `1, 3, a, b`; what does nothing comes last."""
    is_aside = [pick.offer.action.verb in model.look.asides for pick in model.picks]
    picks = sorted(zip(is_aside, model.picks, strict=True), key=itemgetter(0))
    labels = [pick.label for _, pick in picks]
    more = [] if len(labels) <= LABELS_NAMED_MAX else ["..."]
    return model.words.listed([*labels[:LABELS_NAMED_MAX], *more])


def _meant(model: ViewModel, labels: Sequence[str]) -> list[Action | None]:
    """What the labels stand for here."""
    picks = [model.pick(label) for label in labels]
    return [pick.offer.action if pick else None for pick in picks]


class TableScreen(HintingScreen):
    """One table, as one seat sees it."""

    where = "table"
    BINDINGS = textual_bindings("table")
    mark = ""  # What this screen says in place of what was proven.

    def __init__(self) -> None:
        super().__init__()
        self.newest: TableChanged | None = None
        self.model = None
        self.labels = ()
        self._is_called = False  # Whether a choice waits for the person.
        self.typed = ""  # The beginning of a label.
        self.frame: Frame | None = None  # As it was drawn last.
        self._is_counting = False  # Whether something is shown whose seconds go on.
        self._waited_s = 0  # For how long the table has waited for others, where that is shown.
        self.is_end_shown = False
        self.is_silence_told = False
        self._said = self._silence_said = ""  # Over the table, last, and of those who are silent.
        self._substituted, self._time = Substituted(), TimeHeard()
        self.log_page: StoryPage | None = None  # Open over the table.
        self.away_told: tuple[tuple[int, str], ...] = ()  # Who was said to be, and what comes next.

    def parts(self) -> Iterator[Widget]:
        """Board, prompt and hand on the left, the story and other facts on the right."""
        yield RowsWidget(id="table-title")
        with Horizontal(id="whole-table"):
            with Vertical(id="left"):
                yield RowsWidget(id="board")
                yield RowsWidget(id="prompt")
                yield RowsWidget(id="hand")
            yield RowsWidget(id="side")
            yield RowsWidget(id="hint-panel")
        yield from self.talk_parts()

    def on_mount(self) -> None:
        """Begin; Textual calls this method of every class, so what differs is in `begin`."""
        self.begin()
        self.set_interval(COUNT_S, self._count_down)

    def begin(self) -> None:
        """Show what is known already."""
        if self.base_app.newest:
            self.show(self.base_app.newest)

    def _count_down(self) -> None:
        """Draw how long it still is until a bot plays on for somebody, and who takes long."""
        is_waiting = self.model is not None and is_waiting_for_others(self.model)
        shown = self._signs()
        self._waited_s = self._waited_s + 1 if is_waiting and self._has_cues else 0
        self.thought_s += self.is_thinking and self._has_cues
        if self._is_counting or self._signs() != shown:
            self._draw()  # Once more when it is over: the last second is no more.

    def _signs(self) -> tuple[str, str, int]:
        """What moves while a bot thinks, for how long others have been waited for, and a hint.

        Where there are clocks one time is enough.
        """
        is_bot = self.model is not None and is_bot_thinking(self.model)
        has_clocks = self.model is not None and bool(self.model.news.clocks)
        sign = sign_of_thought(self._waited_s if is_bot else 0)
        return sign, time_waited(0 if has_clocks else self._waited_s), self.thought_s

    @property
    def _has_cues(self) -> bool:
        """Whether something may move on this screen."""
        return self.base_app.settings.has_cues and self.app.animation_level != "none"

    def receive(self, news: UiNews) -> None:
        """The table changed, the node did not take an answer, or a hint has been thought."""
        if isinstance(news, TableChanged) and self.base_app.is_seated:
            choice, shown = self.pending.hear(news)
            if choice is not None:
                self.give(choice)
            self.show(shown)
        elif isinstance(news, Explained):
            self.hear_hint(news)
        elif isinstance(news, SaidLine):
            self._draw()
            if news in self.base_app.talk.lines:
                self.hear(news, is_beside=bool(self.frame and self.frame.has_talk))
        elif isinstance(news, Notice) and news.asks_again:
            asked = self.pending.ask_again()
            if asked is not None:
                self.show(asked)
        elif isinstance(news, OwnGames | Notice):
            self._draw()

    # ---- what is shown ----

    def show(self, news: TableChanged) -> None:
        """The newest table; what was picked stays picked while it is still on offer."""
        before = self.model
        self.newest = news
        if before is not None and before.news.path != news.path:
            self.hinted_count, self.standing = -1, StandingAnswers()  # Another game.
            self.premove.forget()
            self.is_goal_told = False
        self.forget_old_hint(news)
        self.model = model = self._model_of(news)
        if before is None or before.news.event_count != news.event_count:
            self._waited_s = 0
        if before is None or _meant(before, self.labels) != _meant(model, self.labels):
            self.labels, self.typed, self.read, self.named = (), "", "", ""
        was_called, self._is_called = self._is_called, self.calls_me(model)
        if self.give_rest(model):
            return
        self.teach(model)
        if self.log_page is not None and self.log_page.is_open:
            self.log_page.show(model)
        drawn, count = self.frame, news.event_count
        is_later = before is not None and before.news.event_count != count
        self._draw()
        self.draw_talk_line()  # Whoever looks on has fewer keys, and what they mean changes.
        self._say_lesson()
        if is_later and drawn is not None:
            self._show_cue(drawn)
        is_new_turn = self._is_called and not was_called
        if is_new_turn and self.base_app.settings.has_bell:
            self.app.bell()
        self._tell_outside(model, is_new=is_new_turn)
        if is_new_turn and self.frame is not None and self.frame.untold:
            self.show_toast(self.words.parted(self.frame.untold), LONG_TOAST_S)
        self._tell_away(model)
        self._tell_silence(model)
        if told := self._substituted.hear(model):
            self.show_toast(told, LONG_TOAST_S)
        if times := self._time.hear(self.words, news):
            self.show_toast(self.words.in_a_row(times), LONG_TOAST_S)
        self.answer_by_itself(model)
        self._show_end(model)

    async def relabel(self) -> None:
        """Say everything again; what is picked, and what was chosen ahead, stays."""
        await super().relabel()
        if self.newest is None:
            return
        self.model = model = self._model_of(self.newest)
        self.teach(model)
        self._draw()
        self.away_told, self.is_silence_told = (), False
        self._tell_away(model)
        self._tell_silence(model)

    def on_screen_resume(self) -> None:
        """A page that lay over the table is closed, perhaps to play again."""
        self._say_lesson()
        if self.base_app.is_asking_again:
            self._draw()

    def _say_lesson(self) -> None:
        """Where the table has no rows for it; not over the page that tells what the game is."""
        is_tiny = self.size.height < TINY_ROWS
        if self.app.screen is self and (lesson := self.unsaid_lesson(is_tiny=is_tiny)):
            self.show_toast(lesson, LONG_TOAST_S)

    def _model_of(self, news: TableChanged) -> ViewModel:
        return view_model(self.words, news, self.base_app.notes.of(news.view.game))

    def _tell_outside(self, model: ViewModel, *, is_new: bool) -> None:
        """Whoever looks at another window reads that it is my turn."""
        game = self.words.name("game", model.view.game)
        turn = self.words("title.turn", game=game)
        self.base_app.tell_outside(turn if self._is_called else game, turn if is_new else "")

    def _tell_away(self, model: ViewModel) -> None:
        """Whoever has a choice to make reads in the bar what to do: say it beside that, once.

        That the bar said it a moment before, while an answer was under way, is not enough.
        """
        away = tuple((each.seat, str(each.then)) for each in model.news.away)
        if away and not model.is_my_turn:
            return
        if away and away != self.away_told:
            told = away_sentences(self.words, model.news, PRESSED)
            self._say_silence(told)
        self.away_told = away

    def _tell_silence(self, model: ViewModel) -> None:
        """What can be done when nobody else answers, once each time; then the prompt says it."""
        silence = model.news.silence
        if silence is not None and not self.is_silence_told:
            self._say_silence(silence_sentences(self.words, model.news, PRESSED))
        self.is_silence_told = silence is not None
        if self._silence_said and not (silence or model.news.away):
            if self._says_who_is_away():
                self.app.clear_notifications()
            self._silence_said = ""

    def _says_who_is_away(self) -> bool:
        """Whether that lies over the table, and nothing else was said since."""
        return bool(self._silence_said) and self._said == self._silence_said

    def _say_silence(self, sentences: Sequence[str]) -> None:
        """Say what is to be taken away as soon as nobody is silent any more."""
        self._silence_said = self.words.in_a_row(sentences)
        self.show_toast(self._silence_said, LONG_TOAST_S)

    def _show_end(self, model: ViewModel) -> None:
        """The page with the result, once, when the game has ended."""
        if model.view.is_over and not self.is_end_shown:
            self.app.push_screen(EndScreen(model))
        self.is_end_shown = model.view.is_over

    def _draw(self) -> None:
        model = self.model
        if model is None or not self.is_mounted or not self.size.width:
            return
        self._is_counting = is_counting(model.news)
        height, talk = self.size.height - self.talk_rows, tuple(self.base_app.talk.lines)
        scene = Scene(model, self.labels, self.typed, self.size.width, height, talk,
                      self.pending.is_open, self.note(model), self.soon(model),
                      self.lesson, self.mark or badge(self.words, self.base_app.awaited),
                      *self._signs()[:2], read=self.marked)  # fmt: skip
        self.frame = frame = draw_table(scene)
        shown: dict[str, Drawing] = {
            "table-title": lambda width: frame.title,
            "board": lambda width: frame.board,
            "prompt": lambda width: frame.prompt,
            "hand": lambda width: frame.hand,
            "side": lambda width: frame.side,
        }
        for rack in self.query("ToastRack"):  # Just above what is asked, so over what happened.
            below = len(frame.prompt) + len(frame.hand) + KEY_ROWS + self.talk_rows
            rack.styles.margin = (0, 0, below, 0)
        side = self.query_one("#side", RowsWidget)
        side.display, side.styles.width = bool(frame.side), frame.side_width
        for part, drawing in shown.items():
            self.query_one(f"#{part}", RowsWidget).show(drawing)
        self.set_class(model.is_my_turn, "-my-turn")
        self.set_class(model.view.is_over, "-over")
        self.set_class(frame.side_width == SIDE_WIDTH, "-sided")
        self.set_class(frame.side_width == BROAD_SIDE_WIDTH, "-broad")
        self.draw_hint_panel(model, frame)
        if lost := self.note_unsent():
            self.after_layout(
                self.show_toast, lost, LONG_TOAST_S
            )  # A new screen shows nothing before.

    redraw = _draw

    def _show_cue(self, drawn: Frame) -> None:
        """Mark what is new on the board since it was drawn before, until it is drawn again."""
        frame = self.frame
        rows = mark_changes(drawn.board, frame.board) if self._has_cues and frame else []
        if rows:
            self.query_one("#board", RowsWidget).show(lambda width: rows)
            self.set_timer(CUE_S, lambda: self._draw() if self.frame is frame else None)

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size, once the layout knows it."""
        self.after_layout(self._draw)

    # ---- what is picked ----

    def on_key(self, event: events.Key) -> None:
        """Numbers pick cards, letters pick the rest; some labels are typed letter by letter."""
        character = event.character or ""
        if self.take_key(event):
            return
        if self.model is None or not (character.isalnum() and character.isascii()):
            return
        picked = self.picked
        for label in self._meant_by(character):
            if self.model.pick(label):
                event.stop()
                self._choose_label(label)
                self.typed = character if label == picked + character else ""
                return
            if any(pick.label.startswith(label) for pick in self.model.picks):
                event.stop()
                self.typed, self.named = label if label != self.typed else "", ""
                self._draw()
                return
        if self.type_premove(self.model, character) or self.tell_about_rest(character):
            event.stop()
        elif character.isdigit() and 0 < int(character) <= len(self.model.hand):
            event.stop()
            self.premove_or_explain(self.model, int(character))
        elif event.key in {action.key for action in bindings_of(self.where)}:
            return  # In a replay also one that names something at a table.
        elif self.tell_about_key(character):
            event.stop()
        else:
            event.stop()
            self.show_toast(self.words("table.no_key", name=character))

    def _meant_by(self, character: str) -> Iterator[str]:
        """The labels that a key can mean, the likeliest first.

        A letter that stands before the label of something else, as that for a piece of another
        kind on the same place, is put before it or taken away again.
        """
        picked, model = self.picked, self.model
        if model is not None and picked:
            for changed in (character + picked, picked.removeprefix(character)):
                if changed != picked and changed and model.pick(changed):
                    yield changed
        if picked and not picked.isdigit() and (character.isdigit() or not self.typed):
            yield picked + character  # As `k12` and `k1b` behind `k1`, though `b` begins others.
        yield from (self.typed + character, picked + character, character)

    def on_rows_widget_clicked(self, event: RowsWidget.Clicked) -> None:
        """A click picks, a second click on the same confirms; shared places go round."""
        event.stop()
        labels = event.label.split(",")
        if event.label == "pile":
            self.action_pile()
        elif event.label == "fairness":
            self.action_fairness()
        elif event.label == "take_back":
            self.action_take_back()
        elif event.label.startswith(ABOUT):
            self.premove_or_tell(event.label)
        elif event.label.startswith(SEE):
            self._choose_label(event.label.removeprefix(SEE), is_alone=True)
        elif event.label == "confirm" or (self._is_meant(labels) and not self._takes_several()):
            self.action_confirm()
        elif self.model and not self.model.pick(labels[0]) and labels[0].isdigit():
            self.premove_or_explain(self.model, int(labels[0]))
        else:
            step = labels.index(self.picked) + 1 if self.picked in labels else 0
            self._choose_label(labels[step % len(labels)])

    def _is_meant(self, labels: Sequence[str]) -> bool:
        """Whether what is picked is all that these labels stand for."""
        if self.model is None or self.picked not in labels:
            return False
        return len(set(_meant(self.model, labels))) == 1

    def show_toast(self, sentence: str, seconds: float = SHORT_TOAST_S) -> None:
        """Say something over the table, in place of what was said before."""
        self._said = sentence
        self.app.clear_notifications()
        self.notify(sentence, timeout=seconds, markup=False)

    def pick_alone(self, label: str) -> None:
        """Pick this and nothing else."""
        self._choose_label(label, is_alone=True)

    def _choose_label(self, label: str, *, is_alone: bool = False) -> None:
        before = () if is_alone else self.labels
        self.labels = pick_more(self.model, before, label) if self.model else ()
        self.typed = self.read = self.named = ""
        self._draw()

    def _takes_several(self) -> bool:
        return bool(self.model and self.model.look.several(self.model.view) > 1)

    def action_pick_next(self, step: int = 1) -> None:
        """Go through everything that is legal."""
        labels = [pick.label for pick in self.model.picks] if self.model else []
        if labels:
            at = labels.index(self.picked) + step if self.picked in labels else min(step, 0)
            self._choose_label(labels[at % len(labels)], is_alone=True)

    def action_pick_previous(self) -> None:
        """Go through everything that is legal, the other way."""
        self.action_pick_next(-1)

    def on_mouse_scroll_down(self) -> None:
        """Go through everything that is legal by the wheel, too."""
        self.action_pick_next()

    def on_mouse_scroll_up(self) -> None:
        """Go through it the other way."""
        self.action_pick_previous()

    def action_move(self, direction: str) -> None:
        """Go to what lies nearest in a direction; to the next of all where nothing does.

        Where the beginning of a label was typed, go to the first that begins so.
        """
        labels = [pick.label for pick in self.model.picks] if self.model else []
        begun = [each for each in labels if self.typed and each.startswith(self.typed)]
        if begun:  # None does where the question is another one since.
            self._choose_label(begun[0])
            return
        places = {} if self.frame is None else places_of(self.frame, labels)
        label = neighbor(places, self.picked, direction)
        if label:
            self._choose_label(label, is_alone=True)
        else:
            self.action_pick_next(1 if direction in ("right", "down") else -1)

    def action_unpick(self) -> None:
        """Let go of what is picked, and of the hint; before that, of a line that is typed."""
        if self.is_talking or self.bar:
            self.close_talk()
            return
        self.forget_hint()
        self.premove.forget()
        self._choose_label("")

    def action_confirm(self) -> None:
        """Do what is picked; when only one thing can be done, that, unless it is to be meant."""
        model, pick = self.model, self.pick_now()
        if model is None or not model.is_my_turn:
            return
        view = model.view
        if pick is None and len(view.offers) == 1 and not model.look.must_pick(view):
            self.labels = (model.picks[0].label,)
        elif pick is None:
            self.show_toast(self.words("table.nothing_picked", labels=_labels(model)))
            return
        if not self._says_who_is_away():
            self.app.clear_notifications()
        self.answer(model)

    # ---- pages over the table ----

    def action_log(self) -> None:
        """The whole story."""
        if self.model:
            page = StoryPage(self.model, self.look_back, stays=self.is_played)
            self.log_page = page
            self.app.push_screen(page)

    def look_back(self, position: int, page: PageOver | None = None) -> None:
        """Show a position of this game, from its file, and perhaps a page over it."""
        news = self.newest
        if news is None or news.path is None:
            self.show_toast(self.words("replay.no_file"))
            return
        self.base_app.look_back(news.path, position, news.view.seat, page)

    def action_texts(self) -> None:
        """What the cards say."""
        if self.model:
            self.app.push_screen(TextsPage(self.model, self.pick_now(), self._mark_noted))

    def _mark_noted(self) -> None:
        """A note was written: draw the table with its mark."""
        if self.newest is not None:
            self.model = self._model_of(self.newest)
            self._draw()
