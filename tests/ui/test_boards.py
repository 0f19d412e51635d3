"""What holds for the board of every game, also where nobody sits at it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from core.games import OURS, find_game
from core.requests import Over
from tests.ui.fakes import PracticePort, some_seats
from tests.ui.test_draw import SIZES, every_drawing, is_whole
from ui.draw.frame import board_of, draw_table
from ui.draw.marks import CAP
from ui.draw.places import neighbor, places_of
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import ViewModel, view_model
from ui.replay.recording import record
from ui.terminal.spans import to_text


def a_port(game: str, players: int = 3) -> PracticePort:
    return PracticePort(seed=5, players=players, game=find_game(game)).begin()


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_somebody_who_looks_on_sees_the_whole_board_and_no_hand(game: str, language: str) -> None:
    port = a_port(game).play(12)
    recording = record(game, some_seats(3), {}, port.history)
    for news in recording.positions[-1:]:
        model = view_model(load(language), news)
        assert model.mine is None
        for size in SIZES:
            every_drawing(model, size)
            assert is_whole(model, size)
            assert model.words("table.look_on") in to_text(
                draw_table(Scene(model, (), "", *size)).prompt
            ) or size == (60, 16)


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_board_explains_its_signs(game: str, language: str) -> None:
    model = model_of(a_port(game), language)
    signs = to_text(board_of(model).legend(model)).splitlines()
    assert len(signs) >= 5 and all(len(line.split()) > 1 for line in signs)


@pytest.mark.parametrize("game", OURS)
def test_the_hand_stays_on_the_screen_whatever_is_picked(game: str) -> None:
    port = a_port(game)
    for _ in range(30):
        model = model_of(port)
        names = {model.words.name("face", held.card.face or "") for held in model.hand}
        for pick in model.picks[:4]:
            scene = Scene(model, (pick.label,), "", 120, 36)
            text = to_text(draw_table(scene).hand)
            assert game == "renaissance" or all(name[:6] in text for name in names)
            assert not names or len(text.splitlines()) > 1
        port.play(3)


@pytest.mark.parametrize("game", OURS)
def test_the_arrows_lead_from_every_pick_to_another_one(game: str) -> None:
    model = model_of(a_port(game).play(9))
    labels = {pick.label for pick in model.picks}
    places = places_of(draw_table(Scene(model, (), "", 120, 36)), labels)
    for label in places:
        led = {neighbor(places, label, way) for way in ("left", "right", "up", "down")}
        assert len(places) == 1 or led - {""}


def keys_on(model: ViewModel, size: tuple[int, int], typed: str) -> set[str]:
    """What stands on amber somewhere on the screen."""
    frame = draw_table(Scene(model, (), typed, *size))
    rows = [*frame.board, *frame.prompt, *frame.hand, *frame.side]
    caps = {span.text.strip(" ★") for row in rows for span in row if span.style == CAP}
    return caps - {""}


def is_readable(label: str, caps: set[str], typed: str) -> bool:
    """Whether its keys stand there: alone, or each number in a card with its letter."""
    rest = label.removeprefix(typed)
    parts = [rest[:at] for at in range(1, len(rest))]
    return rest in caps or any(part in caps and rest.removeprefix(part) in caps for part in parts)


@pytest.mark.parametrize("game", [game for game in OURS if game != "civilization"])
def test_the_keys_of_every_choice_stand_on_the_screen(game: str, seed: int) -> None:
    """A stone to pay with had none, and nobody could go on; a map has its keys at its edges."""
    drawn = Counter[tuple[str, str]]()
    for number in range(10):
        port = PracticePort(seed=seed + number, players=2, game=find_game(game)).begin()
        for _ in range(300):
            if isinstance(port.request, Over):
                break
            view = port.news().view
            kind = view.phase, view.offers[0].action.verb
            drawn[kind] += 1
            if drawn[kind] <= 4:
                check_keys(model_of(port))
            port.play(1)


def check_keys(model: ViewModel) -> None:
    unread = {pick.label: pick.offer.text for pick in model.picks}
    for typed in ("", "g"):
        caps = keys_on(model, (80, 24), typed)
        done = {text for label, text in unread.items() if is_readable(label, caps, typed)}
        unread = {label: text for label, text in unread.items() if text not in done}
        if not unread:
            return
    raise AssertionError(f"{model.view.phase}: no key is shown for {unread}")


def test_the_turn_above_dominion_is_the_one_that_the_log_counts() -> None:
    news = a_port("dominion").news()
    counters = news.view.counters | {"turn": 1, "seat0.turns": 4, "seat1.turns": 5}
    model = view_model(load("en"), replace(news, view=replace(news.view, counters=counters)))
    assert model.view.seat == 0 and board_of(model).status(model) == "turn 5"
