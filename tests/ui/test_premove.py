"""A card chosen while others think: given in one's own turn, or dropped with a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.games import find_game
from core.requests import Choice, Event, Request
from p2p.session.commands import Choose
from p2p.session.news import TableChanged
from tests.ui.driving import (
    QUIET,
    an_app,
    at_table,
    my_chosen,
    port_of,
    settled,
    shown,
    text_of,
    whole_text,
)
from tests.ui.fakes import PracticePort, ui
from tests.ui.shopping import ALL_CARDS, market
from ui.choices.premove import Premove, is_asked_in_own_turn, may_premove
from ui.draw.frame import board_of
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import ViewModel, view_model
from ui.plain.presenter import PlainPresenter
from ui.replay.recording import record
from ui.screens import answering
from ui.screens.replays import ReplayScreen
from ui.screens.table import TableScreen
from ui.widgets.rows import RowsWidget

ME = 0


class HeldPort(PracticePort):
    """A table at which the others think for as long as they are held."""

    is_held = False

    def _answer_to(self, request: Request) -> Event | None:
        is_others = isinstance(request, Choice) and request.player != self.me
        return None if self.is_held and is_others else super()._answer_to(request)


def waiting(seed: int = 3, game: str = "carta") -> HeldPort:
    """A table at which somebody else is to act, and I hold cards."""
    port = HeldPort(seed=seed, game=find_game(game))
    port.begin()
    port.is_held = True
    port.play_until(lambda news: may_premove(view_model(load("en"), news)))
    return port


def at_spaces(*, is_free: bool) -> tuple[HeldPort, str]:
    """A table of Renaissance, and a space on which both pieces may stand in my next turn, or not.

    Whoever holds it does not know that yet: the others are still to act.
    """
    for seed in range(100):
        port, later = waiting(seed, "renaissance"), waiting(seed, "renaissance")
        to_my_turn(later)
        offers = {offer.text for offer in later.news().view.offers}
        if later.news().view.phase != "place" or not is_asked_in_own_turn(model_of(later)):
            continue
        for label, ahead in model_of(port).look.ahead(port.news().view).items():
            both = {ahead.notation, ahead.notation.replace("place", "genius")}
            if label == ahead.place and (both <= offers if is_free else not both & offers):
                return port, label
    raise AssertionError("in a hundred games there is none")


def nothing(model: ViewModel, place: str) -> str:
    """Where no place of a board is chosen."""
    raise AssertionError(f"nobody asks about {place}")


def to_my_turn(port: HeldPort) -> None:
    """The others choose until I am asked."""
    port.is_held = False
    port._go_on()


def model_of(port: PracticePort) -> ViewModel:
    return view_model(load("en"), port.news())


def face_at(port: PracticePort, number: int) -> str:
    return model_of(port).hand[number - 1].card.face or ""


def test_what_is_chosen_ahead_answers_the_next_question_of_my_own_turn() -> None:
    port, premove = waiting(), Premove()
    model = model_of(port)
    assert premove.turn(model, 2) and premove.due(model) is None
    assert premove.why_gone(model, nothing) == ""
    face = face_at(port, 2)
    to_my_turn(port)
    due = premove.due(model_of(port))
    assert due is not None and due.text == f"play {face}"


def test_the_same_key_again_lets_go_of_it() -> None:
    model, premove = model_of(waiting()), Premove()
    assert premove.turn(model, 1) and premove.face
    assert premove.turn(model, 1) and not premove.face


def test_in_my_own_turn_and_for_who_looks_on_nothing_is_chosen_ahead() -> None:
    port = waiting()
    spectator = model_of(port)
    looked_on = replace(spectator.news, view=replace(spectator.view, seat=None))
    assert not may_premove(view_model(load("en"), looked_on))
    to_my_turn(port)
    assert is_asked_in_own_turn(model_of(port))
    assert not Premove().turn(model_of(port), 1)


def test_while_my_answer_is_on_its_way_no_digit_is_a_move_of_tomorrow() -> None:
    port = waiting()
    to_my_turn(port)
    news = port.news()
    sent = replace(news, view=replace(news.view, offers=()))
    assert not Premove().turn(view_model(load("en"), sent), 1)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_what_cannot_be_done_by_then_is_dropped_with_a_reason(language: str) -> None:
    port, premove = waiting(), Premove()
    premove.turn(model_of(port), 1)
    face = face_at(port, 1)
    to_my_turn(port)
    news = port.news()
    offers = tuple(each for each in news.view.offers if each.text != f"play {face}")
    model = view_model(load(language), replace(news, view=replace(news.view, offers=offers)))
    assert premove.due(model) is None
    assert model.words.name("face", face) in premove.why_gone(model, nothing)
    empty = {zone: () if zone == "seat0.hand" else cards
             for zone, cards in news.view.zones.items()}  # fmt: skip
    robbed = view_model(load(language), replace(news, view=replace(news.view, zones=empty)))
    assert model.words.name("face", face) in premove.why_gone(robbed, nothing)


def test_a_space_that_is_chosen_ahead_gets_my_stone_in_my_turn() -> None:
    (port, label), premove = at_spaces(is_free=True), Premove()
    assert premove.turn_place(model_of(port), label)
    assert premove.place == label and premove.named(model_of(port)) == label
    to_my_turn(port)
    due, model = premove.due(model_of(port)), model_of(port)
    assert due is not None and due.text == f"place {label[0]}.{label[1]}"
    assert premove.why_gone(model, board_of(model).about) == ""


def test_the_genius_marker_is_chosen_ahead_with_its_letter() -> None:
    (port, label), premove = at_spaces(is_free=True), Premove()
    assert premove.turn_place(model_of(port), f"g{label}") and premove.place == label
    to_my_turn(port)
    due = premove.due(model_of(port))
    assert due is not None and due.text == f"genius {label[0]}.{label[1]}"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_space_that_cannot_be_had_by_then_is_dropped_with_the_reason(language: str) -> None:
    (port, taken), premove = at_spaces(is_free=False), Premove()
    assert premove.turn_place(model_of(port), taken)
    to_my_turn(port)
    model = view_model(load(language), port.news())
    gone, about = premove.why_gone(model, board_of(model).about), board_of(model).about
    assert premove.due(model) is None and about(model, taken) in gone
    assert gone == model.words("premove.gone", what=taken, why=about(model, taken))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_space_is_dropped_once_another_event_lies_there(language: str) -> None:
    """The stone went on the same place of a card that its owner had never seen."""
    (port, label), premove = at_spaces(is_free=True), Premove()
    assert premove.turn_place(model_of(port), label)
    to_my_turn(port)
    model = view_model(load(language), another_event(port.news(), label))
    assert premove.due(model_of(port)) is not None and premove.due(model) is None
    gone = premove.why_gone(model, board_of(model).about)
    assert gone == model.words("premove.another", what=label)


def another_event(news: TableChanged, label: str) -> TableChanged:
    """The same with another event where this space is, on which a stone may stand as well."""
    zone = f"event.{label[0]}"
    others = news.view.zones["event.a" if zone != "event.a" else "event.b"]
    zones = {**news.view.zones, zone: (*news.view.zones[zone], *others)}
    stones = tuple(each for each in news.view.offers if each.action.verb == "place")
    return replace(news, view=replace(news.view, zones=zones, offers=stones))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("is_label", [True, False])
def test_in_lines_of_text_too_a_space_is_dropped_once_another_event_lies_there(
    language: str, is_label: bool
) -> None:
    (port, label), words = at_spaces(is_free=True), load(language)
    presenter = PlainPresenter(words, is_automatic=False)
    typed = label if is_label else model_of(port).look.ahead(port.news().view)[label].notation
    presenter.receive(port.news())
    assert presenter.read(f"next {typed}").lines == (words("premove.typed", what=typed),)
    to_my_turn(port)
    lines = presenter.receive(another_event(port.news(), label))
    assert words("premove.another", what=typed) in lines
    assert presenter.own_answer() is None
    assert words("premove.another", what=typed) not in presenter.receive(port.news())


def test_a_card_and_a_space_are_not_both_chosen_ahead() -> None:
    (port, label), premove = at_spaces(is_free=True), Premove()
    model = model_of(port)
    assert premove.turn(model, 1) and premove.turn_place(model, label)
    assert not premove.face and premove.label == label
    assert premove.turn_place(model, label) and not premove.named(model), "it lets go"


@pytest.mark.parametrize("game", ["carta", "dominion", "civilization"])
def test_elsewhere_no_place_means_the_same_in_every_turn(game: str) -> None:
    model = model_of(waiting(game=game))
    assert not model.look.ahead(model.view) and not Premove().turn_place(model, "b3")


@ui
@pytest.mark.parametrize("is_clicked", [False, True])
async def test_a_space_is_chosen_ahead_by_its_keys_or_a_click(is_clicked: bool) -> None:
    port, label = at_spaces(is_free=True)
    app = an_app(port)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        app.is_seated = True
        app.publish(port.news())
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, TableScreen)
        if is_clicked:
            board = screen.query_one("#board", RowsWidget)
            screen.on_rows_widget_clicked(RowsWidget.Clicked(board, f"about:{label}"))
        else:
            await pilot.press(*label)
        await shown(pilot, f"in your turn: {label} · esc cancels")
        assert "┏" in text_of(app, "board"), "the space has the frame of what is chosen"
        await pilot.press("escape")
        await settled(pilot)
        assert "in your turn: " not in whole_text(app) and "┏" not in text_of(app, "board")


def is_attacked(news: TableChanged) -> bool:
    return news.view.phase == "react" and len(news.view.offers) == 2


def test_a_question_in_the_turn_of_somebody_else_is_not_answered_by_it() -> None:
    port, premove = market(kingdom=ALL_CARDS).play_until(is_attacked), Premove()
    model = model_of(port)
    premove.face = "moat"
    assert any(pick.label.isdigit() for pick in model.picks), "the Moat is on offer"
    assert premove.due(model) is None and premove.why_gone(model, nothing) == ""


@ui
async def test_a_number_pressed_while_others_think_is_played_when_my_turn_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, "AUTOMATIC_ANSWER_S", 0.01)
    port = waiting()
    app = an_app(port)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.is_seated = True
        app.publish(port.news())
        await settled(pilot)
        face = face_at(port, 2)
        await pilot.press("2")
        await settled(pilot)
        assert "in your turn: " in whole_text(app) and not my_chosen(port)
        to_my_turn(port)
        told = len(port.narrator.lines)
        app.publish(port.news())
        for _ in range(500):
            await pilot.pause(0.01)
            if my_chosen(port):
                break
        assert any(line.text == f"play {face}" for line in port.narrator.lines[told:])
        assert "in your turn: " not in whole_text(app)


@ui
async def test_what_was_chosen_ahead_can_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "AUTOMATIC_ANSWER_S", 0.01)
    port = waiting()
    app = an_app(port, replace(QUIET, takes_back=True))
    async with app.run_test(size=(80, 24)) as pilot:
        app.is_seated = True
        app.publish(port.news())
        await settled(pilot)
        await pilot.press("1")
        await shown(pilot, "in your turn: ")
        to_my_turn(port)
        app.publish(port.news())
        await shown(pilot, "u takes it back")
        await pilot.press("backspace")
        await shown(pilot, "YOUR TURN: play a card")
        await settled(pilot)
        assert not my_chosen(port)


@ui
async def test_escape_lets_go_of_what_was_chosen_ahead() -> None:
    app = an_app(waiting(), QUIET)
    async with app.run_test(size=(80, 24)) as pilot:
        app.is_seated = True
        app.publish(port_of(app).news())
        await settled(pilot)
        await pilot.press("1")
        await shown(pilot, "in your turn: ")
        await pilot.press("escape")
        await settled(pilot)
        assert "in your turn: " not in whole_text(app)


@ui
async def test_in_a_replay_nothing_is_chosen_ahead() -> None:
    port = waiting()
    known = [port.observation(ME) for _ in range(port.entry + 1)]
    recording = record("carta", port.news().seats, {}, port.history, known)
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot)
        app.push_screen(ReplayScreen(recording, port.entry, ME))
        await settled(pilot)
        await pilot.press("1")
        await shown(pilot, "not your turn")
        assert "in your turn: " not in whole_text(app)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_lines_of_text_choose_ahead(language: str) -> None:
    port, presenter = waiting(), PlainPresenter(load(language), is_automatic=False)
    presenter.receive(port.news())
    text = f"play {face_at(port, 1)}"
    assert text in presenter.read(f"next {text}").lines[0]
    assert presenter.own_answer() is None
    to_my_turn(port)
    presenter.receive(port.news())
    own = presenter.own_answer()
    assert own is not None and isinstance(own[1], Choose)
    assert presenter.read("next").lines, "it is said that it is no use now"


def test_a_number_is_not_typed_ahead_because_nobody_knows_what_it_will_choose() -> None:
    """`next 2` bought a Copper from a list that was not there when it was typed."""
    port, presenter = waiting(), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    assert presenter.read("next 1").lines == (load("en")("premove.number"),)
    to_my_turn(port)
    presenter.receive(port.news())
    assert presenter.own_answer() is None


def test_lines_of_text_say_when_what_was_typed_ahead_is_no_choice() -> None:
    port, presenter = waiting(), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    presenter.read("next play nothing")
    to_my_turn(port)
    presenter.receive(port.news())
    own = presenter.own_answer()
    assert own is not None and own[1] is None and "cannot be chosen now" in own[0][0]
    assert presenter.own_answer() is None, "it is dropped"
