"""One person's table in lines of text.

`PlainPresenter` knows no terminal: news in, lines out; a typed line in, a command or lines out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.table import RulesError
from core.view import Offer, View
from p2p.base.identity import UnusableHome
from p2p.session.commands import Choose, ClaimWin, Compared, FillWithBots, Leave, Rematch, TakeOver
from p2p.session.news import (
    Accused,
    BotEnded,
    Elsewhere,
    Gathering,
    Notice,
    OwnGames,
    PeopleSeen,
    SaidLine,
    TableChanged,
    TablesSeen,
)
from ui.backend.hints import hint_lines
from ui.choices.asked_back import answer, ask, is_asked, question
from ui.choices.pending_choices import PendingChoices
from ui.choices.premove import TypedPremove
from ui.choices.standing import PASS_VERB, StandingAnswers
from ui.choices.unsent import UnsentNote
from ui.games import look_of
from ui.language.error_texts import error_text
from ui.language.text import Words
from ui.lobby.filling import Ways
from ui.model.away import TYPED, AwayHeard, away_sentences, is_cut_off
from ui.model.clocks import TimeHeard, time_left
from ui.model.fairness import fairness_texts, pairing_texts
from ui.model.lesson import LessonHeard
from ui.model.notes import Notes
from ui.model.prompt import prompt
from ui.model.result import end_lines
from ui.model.rules import rules_text
from ui.model.sentences import offer_sentence
from ui.model.several import Rest, typed_answers
from ui.model.story import plain_sentences, said_first, said_now, since_mine, told, untold
from ui.model.substituted import Substituted
from ui.model.talk import TALKING, TalkHeard, listeners, said_sentence, typed_talk
from ui.model.view_model import ViewModel, view_model
from ui.plain.beside_heard import BesideHeard
from ui.plain.card_lines import card_lines, note_lines
from ui.plain.gathering_heard import GatheringHeard
from ui.plain.lobby_lines import LobbyLines
from ui.plain.table_lines import offer_lines, question_lines, table_lines
from ui.port import (
    Explain,
    Explained,
    Reviewed,
    TraceWinCurve,
    UiCommand,
    UiNews,
    WinCurveTraced,
)
from ui.replay.course import course_lines

LEAVING: Final = ("quit", "exit", "q")  # Obeyed at any time, also through a pipe.
ELSEWHERE: Final = "elsewhere.ask"  # What is asked when another program has my seat.
LINE_LETTERS_MAX: Final = 1000  # A longer line is no choice.
CLAIMING, PRACTISING = "claim win", "practise"  # What the one who is left may do.
WAYS: Final = Ways("fill", LEAVING[0], "open")  # What is typed at a rematch without who is missing.


@dataclass(frozen=True, slots=True)
class Reply:
    """What a typed line leads to."""

    lines: tuple[str, ...] = ()
    command: UiCommand | None = None
    is_leaving: bool = False
    is_practising: bool = False  # And plays on against bots.


class PlainPresenter:
    """One person's table in words."""

    def __init__(
        self,
        words: Words,
        *,
        is_automatic: bool = True,
        takes_back: bool = False,
        is_seen: bool = False,
        notes: Notes | None = None,
    ) -> None:
        """`notes` are those of the home; without them, one lasts as long as the program."""
        self.words = words
        self.newest: TableChanged | None = None
        self._is_automatic, self._takes_back = is_automatic, takes_back
        self._standing = StandingAnswers()  # What I have answered for good,
        self._pending = PendingChoices()  # what I have chosen and the log does not show yet,
        self.unsent = UnsentNote()  # with a note of it,
        self._due: Choose | None = None  # and what of it is sent now.
        self._lobby = LobbyLines(words)
        self._notes = notes or Notes()
        self.is_seen = is_seen  # Whether others on the network see that I am here.
        self._lines_told = 0
        self._asked_count = -1  # The choice that was put last.
        self._hinted_count = -1  # The choice that is being thought about.
        self._paired = ""  # The words of the table that were shown last.
        self._rest = Rest("", ())  # Typed together with what was answered last.
        self._premove = TypedPremove()  # While others think: the answer in my own turn.
        self._end_told = list[str]()  # What has been said of the end.
        self._away, self._time, self._substituted = AwayHeard(), TimeHeard(), Substituted()
        self._beside = BesideHeard()
        self._asked = ""  # Of what the person has to be sure: it was typed once.
        self._asked_to_go_back: tuple[int, int] | None = None  # By whom, and at which step.
        self._gathering = GatheringHeard(WAYS)
        self._talk = TalkHeard()
        self.lesson: LessonHeard | None = None  # In a first game: what was explained.

    # ---- news in, lines out ----

    def receive(self, news: UiNews) -> list[str]:
        """What to print about this."""
        match news:
            case TableChanged():
                due, shown = self._pending.hear(news)
                if due is not None or (self._due and self._due.event_count != news.event_count):
                    self._due = due  # The same table may come twice before it is sent.
                return self._hear_table(shown)
            case TablesSeen() | PeopleSeen() | OwnGames():
                lines = self._lobby.hear(news)  # At a table, too: they are asked for later.
                return lines if self._is_in_lobby else []
            case Gathering():
                return self._gathering.hear(self.words, news)
            case Accused(_, name, sentence, is_replaced=True):
                return [self.words("accused.replaced", name=name), sentence]
            case Accused(_, name, sentence):
                words = self.words
                who = words("accused.who", name=name)
                return [words("accused.title"), who, sentence, words("accused.kept")]
            case BotEnded(name, reason, then):
                return [self.words(f"bot_ended.{then}", name=name, reason=reason)]
            case Notice(text, hint):
                self._hinted_count = -1
                if news.ends_table and not (self.newest and self.newest.view.is_over):
                    self.newest = None
                    self._gathering.forget()
                asked = self._pending.ask_again() if news.asks_again else None
                lines = self._hear_table(asked) if asked is not None else []
                return [self.words.parted([text, hint]), *lines]
            case Elsewhere(name, host):
                self._asked = ELSEWHERE
                return [self.words("elsewhere.text", name=name, host=host), self.words(ELSEWHERE)]
            case Explained():
                return self._hear_hint(news)
            case SaidLine():
                seats = () if self.newest is None else self.newest.seats
                return [said_sentence(self.words, news)] if self._talk.hear(news, seats) else []
            case WinCurveTraced():
                return self._hear_course(news)
            case Reviewed():
                return []  # It is asked for at a screen, or by a command of its own.

    def _hear_table(self, news: TableChanged) -> list[str]:
        story = news.lines
        is_same = self.newest is not None and news.path == self.newest.path
        if len(story) < self._lines_told or not is_same:  # Or the table has gone back.
            self._lines_told, self._end_told = len(story) if is_same else 0, []
            self._asked_count = -1
            if not is_same:
                self._away.forget()
                self._beside = BesideHeard()
                self._standing, self._premove = StandingAnswers(), TypedPremove()
        fresh = untold(news, self._lines_told)
        self.newest, self._lines_told = news, self._lines_told + len(fresh)
        if news.event_count != self._hinted_count:
            self._hinted_count = -1
        model = view_model(self.words, news)
        lines = [*self._pairing(news), *self._time.hear(self.words, news)]
        lines += plain_sentences(said_now(model, fresh) if is_same else said_first(model, fresh))
        lines += self._premove.dropped(model)
        lines += [*self._hear_away(news), *self._asked_back(news)]
        lines += [*self._beside.hear(self.words, news), *self._time.warn(self.words, news)]
        lost = self.unsent.hear(self.words, news, self._pending.unsent)
        lines += filter(None, [self._substituted.hear(model), lost])
        lines += [] if self.lesson is None else self.lesson.lines(model)
        if news.view.is_over:  # Some sign the result later.
            before, self._end_told = self._end_told, end_lines(model)
            return [*lines, *[each for each in self._end_told if each not in before]]
        if news.view.offers and news.event_count != self._asked_count:
            self._asked_count = news.event_count
            if self._rest.next_offer(news.view) or self._by_itself(news.view):
                return lines
            return [*lines, *self._my_time(news), *self._ask()]
        return [*lines, prompt(model)] if story and news.view.to_act and not is_same else lines

    def _hear_away(self, news: TableChanged) -> list[str]:
        """Who is away, back, or does not answer, when that changes.

        An open question has been buried by then: it is put once more.
        """
        lines = self._away.hear(self.words, news)
        if self._away.is_somebody_back and not news.view.is_over:
            self._asked_count = -1
            is_said = news.view.offers or news.away
            lines += [] if is_said else [prompt(view_model(self.words, news))]
        return lines

    def _asked_back(self, news: TableChanged) -> list[str]:
        """Who asks to take a choice back, once for each."""
        asked, before = news.asked_back, self._asked_to_go_back
        self._asked_to_go_back = (asked.seat, asked.height) if asked and is_asked(news) else None
        is_new = self._asked_to_go_back not in (None, before)
        if asked is None or not is_new or self._talk.is_seat_muted(asked.seat, news.seats):
            return []
        words = self.words
        return [words("back.title", name=asked.name), *question(words, news), words("back.typing")]

    def _my_time(self, news: TableChanged) -> list[str]:
        """How much time I have left, or have used, where the table has a clock."""
        time_of_mine = "" if news.view.seat is None else time_left(news, news.view.seat)
        return [self.words("clock.mine", time=time_of_mine)] if time_of_mine else []

    def _pairing(self, news: TableChanged) -> list[str]:
        """The words to compare, once a table, if somebody there is a stranger."""
        if not news.strangers or news.pairing in ("", self._paired):
            return []
        self._paired = news.pairing
        return [*pairing_texts(self.words, news), self.words("plain.same")]

    def _hear_hint(self, news: Explained) -> list[str]:
        model, is_wanted = self._model(), news.entry == self._hinted_count
        if model is None or not is_wanted or news.is_first_look:
            return []  # The choice has gone, or a better hint follows.
        self._hinted_count = -1
        return hint_lines(model, news.explanation)

    @property
    def _is_in_lobby(self) -> bool:
        return self.newest is None and not self._gathering.is_open

    # ---- a typed line in, a command or lines out ----

    @property
    def wants_answer(self) -> bool:
        """Whether a choice is open and not answered yet."""
        news = self.newest
        return bool(news and news.view.offers)

    @property
    def is_ready(self) -> bool:
        """Whether the next line can be used: a choice is open, and its hint is not on its way.

        Or nobody else answers, or my seat is taken, and one can only choose what to do about that.
        """
        is_asked = bool(self._away.silent) or self._asked == ELSEWHERE
        return (self.wants_answer and self._hinted_count < 0) or is_asked

    def own_answer(self) -> tuple[list[str], Choose | None] | None:
        """What needs no line: what was chosen or typed before, or what needs no thought."""
        news = self.newest
        if self._due is not None:
            due, self._due = self._due, None
            return [], due
        if news is None or not self.wants_answer:
            return None
        if made := self._next_of_rest(news) or self._premoved(news):
            return made
        offer = self._by_itself(news.view)
        if offer is None:
            return None
        what = offer_sentence(self.words.of(news.view.game), news.seats, offer.text)
        self._hinted_count, (choice, self.newest) = -1, self._pending.send(news, offer.action)
        key = "only" if len(news.view.offers) == 1 else "auto"
        return [self.words(f"plain.{key}", what=what)], choice  # Else the others wait for nothing.

    def _by_itself(self, view: View) -> Offer | None:
        """What is answered for the person: for good, or since it needs no thought."""
        if self._pending.is_open:
            return None
        reflex = look_of(view.game).reflex(view) if self._is_automatic else None
        return self._standing.due(view) or reflex

    def _premoved(self, news: TableChanged) -> tuple[list[str], Choose | None] | None:
        """The answer that was typed while others thought, or that it cannot be given."""
        model = view_model(self.words, news)
        typed = self._premove.take(model)
        if not typed:
            return None
        self._rest = Rest(news.view.phase, typed_answers(model, typed))
        return self._next_of_rest(news) or ([self.words("premove.typed_gone", what=typed)], None)

    def _ask_again(self) -> Reply:
        key = "nothing" if self._standing.is_empty else "gone"
        self._standing.forget()
        return Reply((self.words(f"standing.{key}"),))

    def _type_premove(self, typed: str) -> Reply:
        model = self._model()
        return Reply((self._premove.keep(model, typed) if model else self.words("premove.none"),))

    def read(self, line: str) -> Reply:
        """What the person meant."""
        text = " ".join(line[:LINE_LETTERS_MAX].split())
        pages: dict[str, Callable[[], list[str]]] = {
            "?": self._help,
            "help": self._help,
            "tables": self._lobby.everything,
            "people": lambda: self._lobby.people(am_i_seen=self.is_seen),
            "log": lambda: self._of(lambda each: plain_sentences(told(each, each.news.lines))),
            "since": lambda: self._of(lambda each: plain_sentences(since_mine(each))),
            "rules": self._rules,
            "fair": lambda: self._of(fairness_texts),
            "table": lambda: self._of(lambda each: [*table_lines(each), prompt(each)]),
        }
        replies: dict[str, Callable[[], Reply]] = {
            "": Reply,
            "hint": self._hint,
            "back": self._take_back,
            "again": self._again,
            "ask me": self._ask_again,
            WAYS.fill: lambda: Reply(command=FillWithBots()),
            "review": self._review,
            "same": lambda: Reply((self.words("plain.known"),), command=Compared()),
            "give up": lambda: Reply(
                (self.words("plain.given"),) * bool(listeners(self.newest)), Leave(is_for_good=True)
            ),
        }
        if text in pages:
            return Reply(tuple(pages[text]()))
        if text in replies:
            return replies[text]()
        if text == "next" or text.startswith("next "):
            return self._type_premove(text.removeprefix("next").strip())
        for word, page in (("card", self._card), ("note", self._note)):
            if text == word or text.startswith(f"{word} "):
                return Reply(tuple(page(text.removeprefix(word).strip())))
        if text.startswith("always"):
            return self._answer_for_good(text.removeprefix("always").strip())
        if text.startswith(TALKING) and self.newest is not None:
            lines, command = typed_talk(self._talk, self.words, self.newest, text)
            return Reply(tuple(lines), command)
        if text == "explain":
            self.lesson = LessonHeard() if self.lesson is None else None
            model = self._model()
            texts = self.lesson.lines(model) if self.lesson and model else []
            key = "none" if self.lesson and not texts else "on" if self.lesson else "off"
            return Reply((self.words(f"lesson.{key}"), *texts))
        if text in (CLAIMING, PRACTISING):
            return self._without_others(text)
        if self._asked == ELSEWHERE and text in ("y", "n"):
            self._asked = ""
            if text == "y":
                return Reply((self.words("elsewhere.done"),), TakeOver())
            return Reply((self.words("plain.goodbye"),), is_leaving=True)
        consent = answer(self.newest, agrees=text == "yes")
        if consent is not None and text in ("yes", "no"):
            return Reply((self.words("back.said"),), consent)
        if text in LEAVING:
            return self._leave()
        is_free = self.newest is None or self.newest.view.is_over
        return self._read_in_lobby(text) if is_free else self._answer(text)

    def _leave(self) -> Reply:
        unsent = (self.words("back.not_kept"),) if self._pending.is_open else ()
        return Reply((*unsent, self.words("plain.goodbye")), is_leaving=True)

    def _without_others(self, text: str) -> Reply:
        """Claim the win, or get up and practise, once that was typed twice."""
        if text == CLAIMING and self.newest is not None and is_cut_off(self.newest):
            return Reply(tuple(away_sentences(self.words, self.newest, TYPED)))
        if not self._away.silent:
            return Reply((self.words("table.not_left"),))
        if self._asked != text:
            self._asked = text
            return Reply((self.words(f"plain.{text.replace(' ', '_')}"),))
        self._asked = ""
        if text == PRACTISING:
            return Reply(is_leaving=True, is_practising=True)
        return Reply(command=ClaimWin())

    def _read_in_lobby(self, text: str) -> Reply:
        try:
            command = self._lobby.read(text)
        except RulesError as error:
            return Reply((error_text(self.words, error),))
        return Reply(command=command) if command else Reply((self._lobby.unknown(text),))

    def _answer(self, text: str) -> Reply:
        news = self.newest
        if news is None or not self.wants_answer:
            return Reply((self.words("plain.wait"),))
        self._rest = Rest(news.view.phase, typed_answers(view_model(self.words, news), text))
        made = self._next_of_rest(news)
        return Reply(tuple(made[0]), made[1]) if made else self._unknown(text)

    def _answer_for_good(self, text: str) -> Reply:
        """Give an answer, to pass where none is named, now and to each question of this kind."""
        model = self._model()
        if model is None or not self.wants_answer:
            return Reply((self.words("plain.wait"),))
        notation = next(iter(typed_answers(model, text or PASS_VERB)), "")
        if not notation or not self._standing.keep(model, notation):
            return Reply((self.words("standing.none"), self.words("standing.typed")))
        return self._answer(text or PASS_VERB)

    @property
    def may_play_again(self) -> bool:
        """Whether a game of mine is over, so that it can be played once more."""
        news = self.newest
        return bool(news and news.view.is_over and news.path and news.view.seat is not None)

    def _again(self) -> Reply:
        news = self.newest
        if news is None or news.path is None or not self.may_play_again:
            is_over = news is not None and news.view.is_over
            return Reply((self.words("again.not_seated" if is_over else "again.not_over"),))
        return Reply((self.words("again.asked"),), Rematch(news.path))

    def _review(self) -> Reply:
        """Find out how the game went that is over."""
        news = self.newest
        if news is None or news.path is None or not news.view.is_over:
            return Reply((self.words("course.over"),))
        return Reply((self.words("course.thinking"),), TraceWinCurve(news.path))

    def _hear_course(self, news: WinCurveTraced) -> list[str]:
        model = self._model()
        is_wanted = model is not None and model.news.path == news.path
        return course_lines(model, news.course) if model and is_wanted else []

    def _unknown(self, text: str) -> Reply:
        return Reply((self.words("plain.unknown", text=text),))

    def _next_of_rest(self, news: TableChanged) -> tuple[list[str], Choose | None] | None:
        """The answer that was typed together with the last one, if it is asked for."""
        offer = self._rest.next_offer(news.view)
        self._rest = self._rest.after() if offer else Rest("", ())
        return self._choose(news, offer) if offer else None

    def _hint(self) -> Reply:
        news = self.newest
        if news is None or news.turn is None or not self.wants_answer:
            return Reply((self.words("hint.none"),))
        self._hinted_count = news.event_count
        return Reply((self.words("plain.thinking"),), Explain(news.turn))

    def _choose(self, news: TableChanged, offer: Offer) -> tuple[list[str], Choose | None]:
        """Choose: what to send, or what to print where that can still be taken back."""
        self._hinted_count = -1
        following = self._pending.hold(news, offer.action) if self._takes_back else None
        if following is None:
            choice, self.newest = self._pending.send(news, offer.action)
            return [], choice
        return [*self._hear_table(following), self.words("back.typed")], None

    def _take_back(self) -> Reply:
        news = self._pending.take_back()
        if news is None:
            sentence, command = ask(self.words, self.newest)
            return Reply((sentence,), command)
        self._lines_told, self._rest = min(self._lines_told, len(news.lines)), Rest("", ())
        self._asked_count = -1
        return Reply((self.words("back.done"), *self._hear_table(news)))

    # ---- pages ----

    def _help(self) -> list[str]:
        return self._lobby.help() if self.newest is None else [self.words("plain.help")]

    def _ask(self) -> list[str]:
        choices = self.words("plain.choices")
        return self._of(lambda model: [*question_lines(model), prompt(model), choices,
                                         *offer_lines(model)])  # fmt: skip

    def _model(self) -> ViewModel | None:
        return view_model(self.words, self.newest) if self.newest else None

    def _of(self, page: Callable[[ViewModel], list[str]]) -> list[str]:
        model = self._model()
        return page(model) if model else []

    def _rules(self) -> list[str]:
        game = self.newest.view.game if self.newest else self._gathering.game
        return rules_text(self.words.of(game), game).splitlines()

    def _card(self, typed: str) -> list[str]:
        lines = self._of(lambda model: card_lines(model, self._notes, typed))
        return lines or [self.words("plain.wait")]

    def _note(self, typed: str) -> list[str]:
        try:
            lines = self._of(lambda model: note_lines(model, self._notes, typed))
        except UnusableHome as error:
            return [error_text(self.words, error)]
        return lines or [self.words("plain.wait")]
