"""Opening a table, and joining one by its address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from textual.widget import Widget
from textual.widgets import Input, Static

from core.bot_levels import LEVEL_NAMES, STYLE_NAMES, with_style
from core.game import Game, Option, usual_seats
from core.games import GAMES, find_game
from core.table import OptionValue
from p2p.base.clock import UNLIMITED, read_clock
from p2p.base.limits import GRACE_S, NAME_LETTERS_MAX, PASSWORD_LETTERS_MAX, PERSONS_MIN
from p2p.base.roster import ESCROW_PERSONS_MIN
from p2p.session.commands import JoinTable, OpenTable
from ui.draw.marks import MUTED
from ui.games import look_of
from ui.language.text import Words
from ui.lobby.game_help import about_option
from ui.screens.forms import Fields, FormScreen
from ui.terminal.spans import Row, Span, wrap
from ui.widgets.form import Form, Question
from ui.widgets.rows import RowsWidget

GRACES_S: Final = (15, 30, GRACE_S, 120, 300, 900)
CLOCKS: Final = ("3+2", "5+5", "10+5", "20+10", "45+15")  # Minutes, and seconds for each choice.
_NOTHING: Final[Mapping[str, OptionValue]] = {}
OWN: Final = "own"  # The answer that leads to the parts of an option.
ADDRESS_LETTERS_MAX: Final = 270  # A full host name and a port.


def questions_for(
    words: Words, slug: str, seats: int, bots: int, chosen: Mapping[str, OptionValue] = _NOTHING
) -> list[Question]:
    """What must be settled before a table of this game can be opened, and makes a difference.

    Some of it does so only beside what is `chosen` elsewhere.
    """
    game = find_game(slug)
    seat_answers = [(number, str(number)) for number in game.players]
    bot_answers = [(number, str(number)) for number in range(seats)]
    questions = [
        Question("game", words("open.game"), [(each, words.name("game", each)) for each in GAMES],
                 list(GAMES).index(slug), words("about.game")),
        Question("seats", words("open.seats"), seat_answers, list(game.players).index(seats),
                 words("about.seats")),
        Question("bots", words("open.bots"), bot_answers, min(bots, seats - 1),
                 words("about.bots")),
        Question("level", words("open.level"),
                 [(level, words.name("level", level)) for level in LEVEL_NAMES], 1,
                 words("about.level")),
        *([_style(words)] if bots and _has_styles(slug) else []),
    ]  # fmt: skip
    variants = _variants(words, game, seats, chosen)
    waiting = [_grace(words), _clock(words)] if seats - bots >= PERSONS_MIN else []
    may_escrow = seats - bots >= ESCROW_PERSONS_MIN
    return [*questions, *variants, *_trust(words, may_escrow=may_escrow), *waiting]


def _variants(
    words: Words, game: Game, seats: int, chosen: Mapping[str, OptionValue]
) -> list[Question]:
    """The options of a game that change anything; behind the others those that depend on them."""
    own, asked, agreed = words.of(game.slug), list[Question](), dict[str, OptionValue]()
    for option in sorted(game.options, key=lambda each: each.only_with is not None):
        if option.matters(seats, agreed):
            answers = [(value, value_name(own, value)) for value in option.values]
            answers += [(OWN, value_name(words, OWN))] if option.parts else []
            label, about = own.name("option", option.key), about_option(own, option)
            asked.append(Question(option.key, label, answers, about=about))
            agreed[option.key] = chosen.get(option.key, option.values[0])
    return asked


def _has_styles(slug: str) -> bool:
    """Whether bots with a style play that game otherwise than those without one."""
    from ai.games import knowledge_of

    return knowledge_of(slug).has_styles()


def _style(words: Words) -> Question:
    """What the bots like, where there are any."""
    answers: list[tuple[OptionValue, str]] = [("", words("open.no_style"))]
    answers += [(style, words.name("style", style)) for style in STYLE_NAMES]
    return Question("style", words("open.style"), answers, about=words("about.style"))


def _trust(words: Words, *, may_escrow: bool) -> list[Question]:
    """How much of the game is open to everybody."""
    kinds = [(value, words.name("sealed", str(value).lower())) for value in (True, False)]
    hands = [(value, value_name(words, value)) for value in (False, True)]
    escrow = Question("escrow", words("open.escrow"), hands, about=words("about.escrow"))
    return [
        Question("sealed", words("open.sealed"), kinds, about=words("about.sealed")),
        Question("hands", words("open.hands"), hands, about=words("about.hands")),
        *([escrow] if may_escrow else []),
    ]


def _grace(words: Words) -> Question:
    """How long the others wait for somebody who is silent."""
    answers: list[tuple[OptionValue, str]] = [
        (seconds, words("open.grace_s", seconds=seconds)) for seconds in GRACES_S
    ]
    usual = GRACES_S.index(GRACE_S)
    return Question("grace", words("open.grace"), answers, usual, words("about.grace"))


def _clock(words: Words) -> Question:
    """How long people may think, where there are several."""
    answers: list[tuple[OptionValue, str]] = [("", words("clock.off"))]
    answers += [(UNLIMITED, words("clock.shown")), *((each, each) for each in CLOCKS)]
    return Question("clock", words("open.clock"), answers, about=words("about.clock"))


def value_name(words: Words, value: OptionValue) -> str:
    """The value of an option as a person reads it."""
    return words.name("value", str(value).lower())


class OpenScreen(FormScreen):
    """A line per question, a name, and enter."""

    done = "key.open_table"

    def __init__(self, game: str) -> None:
        """`game` is the one that is asked about first."""
        super().__init__()
        self._game = game

    def parts(self) -> Iterator[Widget]:
        """The form."""
        yield Static(f" {self.words('open.title')}", id="title")
        seats = usual_seats(find_game(self._game))
        with Fields(id="fields"):
            yield Form(
                questions_for(self.words, self._game, seats, 0), self._ask_what_fits, self.moved
            )
            yield Input(
                placeholder=self.words("open.name"),
                max_length=NAME_LETTERS_MAX,
                compact=True,
                id="name",
            )
            yield password_line(self.words("open.password"))
        yield RowsWidget(self._about, id="about")
        yield Static(self.words("open.hint"), id="hint")

    def on_mount(self) -> None:
        """The form has the keys."""
        self.query_one(Form).focus()

    def moved(self, form: Form) -> None:
        """Say what the line of the bar does."""
        self.query_one("#about", RowsWidget).show(self._about)
        super().moved(form)

    def _about(self, width: int) -> list[Row]:
        """What the line of the bar does, and below it what the answers name."""
        form = self.query_one(Form)
        lines = wrap(form.questions[form.line].about, width - 4)
        return [*([Span(f"  {line}", MUTED)] for line in lines), *self._preview(form, width)]

    def _preview(self, form: Form, width: int) -> list[Row]:
        """The faces that the answers name, such as the kinds of a kingdom."""
        values = {each.key: each.value for each in form.questions}
        if OWN in values.values():
            return []
        faces = look_of(str(values["game"])).preview(values)
        words = self.words.of(str(values["game"]))
        names = words.listed(words.name("face", face) for face in faces)
        return [[Span(f"  {line}")] for line in wrap(names, width - 4)] if names else []

    def _ask_what_fits(self, form: Form) -> None:
        """Seats and options decide how many bots there can be, and which options make sense."""
        slug, seats = str(form.value("game")), int(form.value("seats"))
        players = find_game(slug).players
        seats = seats if seats in players else usual_seats(find_game(slug))
        chosen = {question.key: question.value for question in form.questions}
        fresh = questions_for(self.words, slug, seats, int(form.value("bots")), chosen)
        for question in fresh:
            values = [value for value, _ in question.answers]
            if chosen.get(question.key) in values:
                question.chosen = values.index(chosen[question.key])
        form.ask(fresh)
        self.moved(form)

    def on_input_submitted(self) -> None:
        """Enter in a line is enter."""
        self.action_form_done()

    def action_form_done(self) -> None:
        """Open the table, or first ask for the parts of an option."""
        values = {question.key: question.value for question in self.query_one(Form).questions}
        for option in find_game(str(values["game"])).options:
            if values.get(option.key) == OWN:
                self._ask_for_parts(values, option)
                return
        self._open(values)

    def _ask_for_parts(self, values: dict[str, OptionValue], option: Option) -> None:
        from ui.screens.parts import PartsScreen

        def done(value: str) -> None:
            self._open({**values, option.key: value})

        self.app.push_screen(PartsScreen(str(values["game"]), option, values, done))

    def _open(self, values: dict[str, OptionValue]) -> None:
        game, style = str(values.pop("game")), str(values.pop("style", ""))
        level = with_style(str(values.pop("level")), style)
        seats, bots = int(values.pop("seats")), int(values.pop("bots"))
        opens_hands, is_sealed = bool(values.pop("hands")), bool(values.pop("sealed"))
        is_escrowed = bool(values.pop("escrow", False))
        clock = read_clock(str(values.pop("clock", "")))
        grace_s = int(values.pop("grace", GRACE_S))
        name = self.query_one("#name", Input).value.strip()
        password = self.query_one("#password", Input).value
        self.app.pop_screen()
        table = OpenTable(
            game, seats, bots, level, values, name,
            are_bots_open=not is_sealed, opens_hands=opens_hands, password=password,
            is_escrowed=is_escrowed, grace_s=grace_s, clock=clock,
        )  # fmt: skip
        self.base_app.send(table)


class JoinScreen(FormScreen):
    """A line to type: where a table is, or the password of one that has been chosen."""

    done = "key.join_table"

    def __init__(self, target: str = "", title: str = "lobby.address_title") -> None:
        super().__init__()
        self._target, self._title = target, title

    def parts(self) -> Iterator[Widget]:
        """The lines."""
        yield Static(f" {self.words(self._title)}", id="title")
        if not self._target:
            yield Input(
                placeholder=self.words("lobby.address"),
                max_length=ADDRESS_LETTERS_MAX,
                compact=True,
                id="address",
            )
        yield password_line(self.words("lobby.password"))

    def on_mount(self) -> None:
        """The first line has the keys."""
        self.query(Input).first().focus()

    def on_input_submitted(self) -> None:
        """Join."""
        self.action_form_done()

    def action_form_done(self) -> None:
        """Join what was typed, if anything was."""
        target = self._target or self.query_one("#address", Input).value.strip()
        password = self.query_one("#password", Input).value
        if self._target and not password:  # The table asks for one, and counts who tries.
            self.notify(self.words("lobby.password_missing"), markup=False)
            return
        self.app.pop_screen()
        if target:
            self.base_app.send(JoinTable(target, password=password))


def password_line(placeholder: str) -> Input:
    """A line that nobody else at the screen can read."""
    return Input(
        placeholder=placeholder,
        password=True,
        max_length=PASSWORD_LETTERS_MAX,
        compact=True,
        id="password",
    )
