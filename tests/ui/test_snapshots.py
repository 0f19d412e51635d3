"""How the screens look, cell by cell.  `--snapshot-update` accepts a change on purpose.

The pictures in `docs/screens`, the README's among them, are of the same scenes; with
`HOSTLESS_SCREENS=1` in the environment they are written anew.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from core.games import find_game
from p2p.session.news import Fairness, News, TableChanged, TablesSeen
from tests.ui.driving import svg_of
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort, a_trend, some_ad, some_gathering, some_people, ui
from tests.ui.shopping import ALL_CARDS, market
from ui.app import HostlessApp
from ui.port import UiNews
from ui.settings import Settings

PICTURES = Path(__file__).parents[2] / "docs" / "screens"
Scene = tuple[Settings, Callable[[], News], tuple[str, ...]]
FAIR = Fairness(shuffles=123, shares=45, transfers=0, claims=1, entries=310)


def middle_of_a_game() -> News:
    port = PracticePort(seed=29).begin()
    port.play_until(lambda news: sum(o.action.verb == "use" for o in news.view.offers) >= 5)
    return replace(port.news(), fairness=FAIR)


def four_seats() -> News:
    port = PracticePort(seed=4, players=4).begin()
    port.play_until(lambda news: sum(o.action.verb == "use" for o in news.view.offers) >= 3)
    return replace(port.news(), fairness=FAIR)


def hand_to_play() -> News:
    port = PracticePort(seed=29).begin().play(20)
    port.play_until(lambda news: {o.action.verb for o in news.view.offers} == {"play"})
    return replace(port.news(), fairness=FAIR)


def the_end() -> News:
    return replace(PracticePort(seed=29).begin().play(10_000).news(), fairness=FAIR)


def supply() -> News:
    """Dominion, before an Action is played."""
    return dominion(lambda news: news.view.phase == "action" and news.event_count > 300)


def shopping() -> News:
    """Dominion, with some Treasures on the table and some still in the hand."""

    def is_there(news: TableChanged) -> bool:
        coins = news.view.counters["coins"]
        return news.view.phase == "buy" and coins > 2 and news.event_count > 200

    return dominion(is_there)


def reaction() -> News:
    """Dominion, an Attack of another while I hold a Moat."""

    def is_there(news: TableChanged) -> bool:
        return any(offer.action.verb == "reveal" for offer in news.view.offers)

    return dominion(is_there)


def placing() -> News:
    """Renaissance, where a stone may be placed on some events and not on others."""
    port = PracticePort(seed=3, players=3, game=find_game("renaissance")).begin()
    port.play_until(lambda news: news.event_count >= 60 and news.view.phase == "place")
    return replace(port.news(), fairness=FAIR)


def moving() -> News:
    """Civilization, while figures of mine are on their way."""
    port = a_port(seed=3, turns=30).play(150)
    port.play_until(lambda news: news.view.phase == "moving")
    return replace(port.news(), fairness=FAIR)


def making() -> News:
    """Civilization, when my cities act and I hold a card."""
    port = a_port(seed=3, turns=30).play(100)
    port.play_until(
        lambda news: news.view.phase == "city" and bool(news.view.zones["seat0.events"])
    )
    return replace(port.news(), fairness=FAIR)


def fighting() -> News:
    """Civilization, in a battle with something in a front."""
    port = a_port(seed=3, turns=60).play(60)
    port.play_until(
        lambda news: news.view.phase == "front" and news.view.counters["battle.fronts"] > 0
    )
    return replace(port.news(), fairness=FAIR)


def drafting() -> News:
    return replace(market(players=4, kingdom="draft").news(), fairness=FAIR)


def dominion(is_there: Callable[[TableChanged], bool]) -> News:
    port = market(seed=4, kingdom=ALL_CARDS).play_until(is_there)
    return replace(port.news(), fairness=FAIR)


def lobby() -> News:
    full = some_ad("blue-otter-7", taken=3)
    return TablesSeen((some_ad(), full))


QUIET = Settings(is_automatic=False, has_cues=False)
SCENES: dict[str, tuple[tuple[int, int], Scene]] = {
    "lobby": ((80, 24), (QUIET, lobby, ())),
    "lobby-wide": ((120, 36), (QUIET, lobby, ())),
    "lobby-empty-ja": ((80, 24), (replace(QUIET, language="ja"), lambda: TablesSeen(()), ())),
    "gathering": ((80, 24), (QUIET, some_gathering, ())),
    "table": ((80, 24), (QUIET, middle_of_a_game, ("tab", "tab"))),
    "table-wide": ((120, 36), (QUIET, middle_of_a_game, ())),
    "table-four-seats": ((120, 36), (QUIET, four_seats, ())),
    "table-small": ((60, 16), (QUIET, middle_of_a_game, ("tab", "tab"))),
    "table-hand": ((80, 24), (QUIET, hand_to_play, ("2",))),
    "table-ko": ((80, 24), (replace(QUIET, language="ko"), middle_of_a_game, ())),
    "table-ja": ((120, 32), (replace(QUIET, language="ja"), middle_of_a_game, ())),
    "table-ascii": ((80, 24), (replace(QUIET, is_ascii=True), middle_of_a_game, ("tab", "tab"))),
    "table-ansi": ((80, 24), (replace(QUIET, theme="ansi-dark"), middle_of_a_game, ("tab", "tab"))),
    "table-light": ((80, 24), (replace(QUIET, theme="textual-light"), middle_of_a_game, ())),
    "too-small": ((40, 12), (QUIET, middle_of_a_game, ())),
    "dominion-supply": ((80, 24), (QUIET, supply, ("1",))),
    "dominion-supply-ko": ((120, 32), (replace(QUIET, language="ko"), supply, ())),
    "dominion-supply-ja": ((80, 24), (replace(QUIET, language="ja"), supply, ())),
    "dominion-buy": ((120, 36), (QUIET, shopping, ())),
    "dominion-buy-ko": ((80, 24), (replace(QUIET, language="ko"), shopping, ("b",))),
    "dominion-buy-ja": ((120, 32), (replace(QUIET, language="ja"), shopping, ("b",))),
    "dominion-reaction": ((80, 24), (QUIET, reaction, ())),
    "dominion-reaction-ko": ((120, 32), (replace(QUIET, language="ko"), reaction, ())),
    "dominion-reaction-ja": ((80, 24), (replace(QUIET, language="ja"), reaction, ())),
    "dominion-draft": ((80, 24), (QUIET, drafting, ("A",))),
    "dominion-small": ((60, 16), (QUIET, shopping, ())),
    "dominion-texts": ((80, 24), (QUIET, shopping, ("b", "space"))),
    "renaissance-place": ((120, 36), (QUIET, placing, ("b", "4"))),
    "renaissance-place-ko": ((80, 24), (replace(QUIET, language="ko"), placing, ())),
    "renaissance-place-ja": ((200, 50), (replace(QUIET, language="ja"), placing, ())),
    "renaissance-small": ((60, 16), (QUIET, placing, ("a",))),
    "civilization-move": ((120, 36), (QUIET, moving, ("tab",))),
    "civilization-small": ((60, 16), (QUIET, moving, ("tab",))),
    "civilization-city-ko": ((80, 24), (replace(QUIET, language="ko"), making, ("tab",))),
    "civilization-battle-ja": ((200, 50), (replace(QUIET, language="ja"), fighting, ())),
    "fairness": ((80, 24), (QUIET, middle_of_a_game, ("f",))),
    "end": ((80, 24), (QUIET, the_end, ())),
}
THEN: dict[str, tuple[UiNews, ...]] = {  # What is told after that.
    "lobby": (some_people(),),
    "end": (a_trend(),),
}
DOCUMENTED = (
    "lobby", "gathering", "table", "table-wide", "table-ko", "fairness", "end",
    "dominion-buy", "dominion-reaction-ko", "renaissance-place",
    "civilization-move", "civilization-city-ko",
)  # fmt: skip


def set_scene(name: str) -> tuple[HostlessApp, Callable[[Pilot[int]], Awaitable[None]]]:
    """An app, and what leads it to the scene."""
    settings, news, keys = SCENES[name][1]
    app = HostlessApp(PracticePort(), settings)

    async def lead(pilot: Pilot[int]) -> None:
        app.is_seated = True
        for told in (news(), *THEN.get(name, ())):
            app.publish(told)
            await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return app, lead


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_looks_as_it_did(name: str, snap_compare: Any) -> None:
    app, lead = set_scene(name)
    assert snap_compare(app, terminal_size=SCENES[name][0], run_before=lead)


def test_monochrome_still_tells_everything_apart(
    snap_compare: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app, lead = set_scene("table")
    assert snap_compare(app, terminal_size=(80, 24), run_before=lead)


@ui
@pytest.mark.parametrize("name", DOCUMENTED)
async def test_a_documented_screen_is_what_the_program_shows(name: str) -> None:
    app, lead = set_scene(name)
    async with app.run_test(size=SCENES[name][0]) as pilot:
        await lead(pilot)
        drawn = svg_of(app)
    kept = PICTURES / f"{name}.svg"
    if os.environ.get("HOSTLESS_SCREENS"):
        kept.write_text(drawn, encoding="utf-8")
    assert drawn == kept.read_text(encoding="utf-8")
