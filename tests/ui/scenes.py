"""Every screen of the program: what it is told, and the keys that lead there.

Tests read these screens, and `scripts/lab.py pictures` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from textual.pilot import Pilot
from textual.screen import Screen

from ai.advice.explain import explain
from ai.games import find_knowledge
from ai.review import CostlyChoice
from ai.search.search import search
from core.games import find_game
from core.requests import Over
from core.view import offers
from p2p.base.identity import words
from p2p.session.commands import Reaction
from p2p.session.news import (
    Accused,
    AskedBack,
    Elsewhere,
    Fairness,
    SaidLine,
    SeatClock,
    Silence,
    TableChanged,
    TablesSeen,
)
from tests.ui.driving import QUIET, settled
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort, a_trend, some_ad, some_gathering, some_people
from tests.ui.shopping import ALL_CARDS, market
from tests.ui.test_practice import a_recording
from ui.app import HostlessApp
from ui.games import look_of
from ui.language.text import LOCALES, load
from ui.model.view_model import view_model
from ui.port import Explained, Reviewed, UiNews
from ui.replay.practice import Practice
from ui.replay.recording import Recording
from ui.screens.opening import JoinScreen, OpenScreen
from ui.screens.practice import PracticeScreen
from ui.screens.preferences import SettingsScreen
from ui.screens.replays import ReplayScreen, ReplaysScreen
from ui.screens.review import ReviewScreen
from ui.settings import Settings

SIZES: Final = ((60, 16), (80, 24), (120, 36), (200, 50))
GAMES: Final = ("carta", "dominion", "renaissance", "civilization")
FAIR: Final = Fairness(shuffles=123, shares=45, transfers=0, claims=1, entries=310)
CHOICES_MAX: Final = 500  # Of a game in which every kind of question is looked for.
STAYS_S: Final = 3600  # What is said for a moment.
ITERATIONS: Final = 40  # Of a hint.


@dataclass(frozen=True)
class Scene:
    """A screen: what is told, what lies over it, keys; what is told then, and the last keys."""

    told: Sequence[UiNews] = ()
    over: Callable[[HostlessApp], Screen[Any]] | None = None
    keys: Sequence[str] = ()
    then: Sequence[UiNews] = ()
    last: Sequence[str] = ()
    is_first_game: bool = False


class _PicturedApp(HostlessApp):
    """An app in which what is said for a moment stays, however slow the machine is."""

    CSS_PATH = str(LOCALES.parents[1] / "app.tcss")

    def notify(self, message: str, **how: Any) -> None:
        """Say it for good."""
        super().notify(message, **{**how, "timeout": STAYS_S})


def app_for(settings: Settings = QUIET, games: Sequence[Path] = ()) -> HostlessApp:
    """An app in which a scene can be shown."""
    app = _PicturedApp(PracticePort(), settings, name="ada", games=lambda: games)
    app.my_words = words(b"\x01" * 32)
    return app


async def show(scene: Scene, pilot: Pilot[int]) -> None:
    """Lead the app to a scene."""
    app = pilot.app
    assert isinstance(app, HostlessApp)
    app.is_seated, app.is_learning = True, scene.is_first_game
    await _tell(app, pilot, scene.told)
    if scene.over is not None:
        await app.push_screen(scene.over(app))
        await settled(pilot)
    await _press(pilot, scene.keys)
    await _tell(app, pilot, scene.then)
    await _press(pilot, scene.last)


async def _press(pilot: Pilot[int], keys: Sequence[str]) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def _tell(app: HostlessApp, pilot: Pilot[int], news: Sequence[UiNews]) -> None:
    for each in news:
        app.publish(each)
        await settled(pilot)


@lru_cache
def scenes() -> dict[str, Scene]:
    """All of them, by name."""
    found = dict(_of_the_house())
    for game in GAMES:
        found |= {f"{game}-{name}": scene for name, scene in _of_a_game(game)}
    return found


# ---- lobby, forms, lists ----


def _of_the_house() -> Iterator[tuple[str, Scene]]:
    tables = TablesSeen((some_ad(), some_ad("blue-otter-7", taken=3)))
    yield "lobby", Scene((tables, some_people()))
    yield "people", Scene((tables, some_people()), keys=("p",))
    yield "lobby-empty", Scene((TablesSeen(()),))
    for down, game in enumerate(GAMES):
        yield f"open-{game}", Scene(over=lambda app: OpenScreen("carta"), keys=("right",) * down)
    to_parts = ("right", *("down",) * 5, "left", "enter")
    yield "open-parts", Scene(over=lambda app: OpenScreen("carta"), keys=to_parts)
    yield "join", Scene(over=lambda app: JoinScreen())
    yield "password", Scene(over=lambda app: JoinScreen("00", "lobby.password_title"))
    yield "gathering", Scene((some_gathering(),))
    yield "settings", Scene(over=lambda app: SettingsScreen())
    yield "games", Scene(over=lambda app: ReplaysScreen())
    yield "help", Scene(keys=("question_mark",))


# ---- tables ----


def played(game: str, seed: int = 3, turns: int = 30) -> PracticePort:
    """A game in which every kind of thing happens, dealt."""
    if game == "dominion":
        return market(seed=seed, kingdom=ALL_CARDS)
    if game == "civilization":
        return a_port(seed=seed, turns=turns)
    return PracticePort(seed=seed, players=3, game=find_game(game)).begin()


def _fair(news: TableChanged) -> TableChanged:
    return replace(news, fairness=FAIR)


def _moments(game: str) -> dict[str, TableChanged]:
    """My choices, one in the middle of each kind, by their phase."""
    found: dict[str, list[TableChanged]] = {}
    for seed in (3, 4, 29):
        port = played(game, seed)
        for _ in range(CHOICES_MAX):
            if isinstance(port.request, Over):
                break
            news = port.news()
            found.setdefault(news.view.phase, []).append(_fair(news))
            port.play(1)
    return {phase: each[len(each) // 2] for phase, each in sorted(found.items())}


def _of_a_game(game: str) -> Iterator[tuple[str, Scene]]:
    moments = _moments(game)
    for phase, news in moments.items():
        yield phase.replace(" ", "-"), Scene((news,))
        yield f"{phase.replace(' ', '-')}-picked", Scene((news,), keys=("tab",))
    yield from _beside_a_table(moments[_MAIN[game]])
    yield from _at_a_table(game, moments[_MAIN[game]])
    yield from _looked_back(game)
    begun = PracticePort(
        seed=3, game=find_game(game), players=3, options=dict(look_of(game).first)
    ).begin()
    yield "lesson", Scene((_fair(begun.news()),), is_first_game=True)
    yield "lesson-table", Scene((_fair(begun.news()),), keys=("escape",), is_first_game=True)


_MAIN: Final = {
    "carta": "effects", "dominion": "buy", "renaissance": "place", "civilization": "city",
}  # fmt: skip
_PAGES: Final = {
    "log": "l", "texts": "space", "rules": "r", "fairness": "f", "signs": "question_mark",
}  # fmt: skip


def _beside_a_table(news: TableChanged) -> Iterator[tuple[str, Scene]]:
    """The pages that lie over a table."""
    for name, key in _PAGES.items():
        yield name, Scene((news,), keys=(key,))
    model = view_model(load("en"), news)
    legal = {pick.label for pick in model.picks}
    dim = [str(at + 1) for at in range(min(len(model.hand), 9)) if str(at + 1) not in legal]
    if dim:
        yield "why", Scene((news,), keys=(dim[0],))
    turn = news.turn
    if turn is not None:
        seen = turn.game, turn.table, turn.observation, turn.seat
        knowledge = find_knowledge(turn.game)
        decision = search(knowledge, *seen[1:], seed=1, iterations=ITERATIONS)
        told = Explained(turn.event_count, explain(*seen, decision))
        yield "hint", Scene((news,), keys=("h",), then=(told,))
        yield "hint-page", Scene((news,), keys=("h",), then=(told,), last=("h",))


def _silent(news: TableChanged) -> TableChanged:
    """The same where both others are gone: persons, and no link to them."""
    seats = tuple(each if each.link == "me" else replace(each, is_bot=False, link="away")
                  for each in news.seats)  # fmt: skip
    names = tuple(each.name for each in seats if each.link == "away")
    return _fair(replace(news, seats=seats, silence=Silence(names)))


def _timed(news: TableChanged) -> TableChanged:
    """The same at a table with clocks, which stand: somebody has asked for a pause."""
    seats = tuple(replace(each, is_bot=False) for each in news.seats)
    clocks = tuple(SeatClock(at, True, False, 90.0 + 7 * at, has_paused=at == 1)
                   for at in range(len(seats)))  # fmt: skip
    return replace(news, clocks=clocks, seats=seats)


def _at_a_table(game: str, news: TableChanged) -> Iterator[tuple[str, Scene]]:
    """Where others act, somebody talks, or all is over."""
    port = played(game).play(40 if game != "civilization" else 90)
    if isinstance(port.request, Over):
        port = played(game).play(8)
    yield "look-on", Scene((_fair(port.looked_on()),))
    port.me = 1
    yield "waiting", Scene((_fair(port.news()),))
    yield "silent", Scene((_silent(port.news()),))
    said = SaidLine(1, "grace", "gg")
    yield "talk", Scene((news, said, replace(said, seat=0, name="ada", is_mine=True)))
    yield "talking", Scene((news, said), keys=("slash",))
    yield "reacting", Scene((news, said), keys=("exclamation_mark",))
    yield "end", Scene((_over(game),), then=(a_trend(_over(game)),))
    yield "end-before", Scene((_over(game),))
    yield "end-talk", Scene((_over(game),), then=(said,))
    yield "elsewhere", Scene((news, Elsewhere("ada", "192.168.7.12")))
    asked = AskedBack(1, "grace", 40, _last_of(news, 1), (0,))
    yield "asked-back", Scene((replace(news, asked_back=asked),))
    stopped = SaidLine(1, "grace", "", Reaction.PAUSE)
    yield "paused", Scene((_timed(news), stopped))
    yield "accused", Scene((news, Accused(1, "grace", "?!")))


def _last_of(news: TableChanged, seat: int) -> int:
    """After how many events a seat chose last."""
    mine = (line for line in reversed(news.lines) if line.seat == seat)
    return next(line.entry for line in mine if line.kind == "chosen")


@lru_cache
def _over(game: str) -> TableChanged:
    return _fair(played(game, 29, turns=6).play(10_000).news())


# ---- looked back at ----


def _looked_back(game: str) -> Iterator[tuple[str, Scene]]:
    recording = a_recording(game, choices=9)
    last = len(recording.positions) - 1
    costly = _costly(recording)
    yield "replay", Scene(over=lambda app: ReplayScreen(recording, last, 0))
    found = (Reviewed(0, 0, costly),)
    yield "review", Scene(over=lambda app: ReviewScreen(recording, 0, abs), then=found)
    yield "practice", Scene(over=lambda app: PracticeScreen(Practice(recording, last, 0)))


def _costly(recording: Recording) -> tuple[CostlyChoice, ...]:
    """Choices that are said to have cost something."""
    made = []
    for turn, _ in recording.choices_of(0):
        given = offers(turn.game, turn.table, turn.observation, turn.seat)
        if len(given) > 1:
            made.append(CostlyChoice(turn.event_count, 0, given[0].text, given[-1].text, 81, 292))
    return tuple(made[:3])
