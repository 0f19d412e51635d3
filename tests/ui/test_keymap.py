"""Keys of one's own: from the settings file to the table, the help page and the line of keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ui.driving import QUIET, an_app, at_table, is_playing, settled, shown, whole_text
from tests.ui.fakes import ui
from ui.key_bindings import key_of, use_keymap
from ui.keymap import read_keymap
from ui.language.text import LANGUAGE_NAMES, load
from ui.screens.story import StoryPage
from ui.screens.table import TableScreen
from ui.settings import Settings, load_settings, save_settings


@pytest.fixture(autouse=True)
def usual_keys() -> Iterator[None]:
    """Leave the usual keys behind."""
    yield
    use_keymap({})


@ui
async def test_a_key_of_ones_own_takes_the_place_of_the_usual_one() -> None:
    keys = {"table.log": "f2", "talk": "T"}
    app = an_app(settings=replace(QUIET, keys=keys))
    async with app.run_test(size=(120, 36)) as pilot:
        await at_table(pilot, is_playing)
        assert "f2 Log" in whole_text(app) and "T Say" in whole_text(app)
        await pilot.press("l")
        assert isinstance(app.screen, TableScreen)
        await pilot.press("f2")
        await settled(pilot)
        assert isinstance(app.screen, StoryPage)
        await pilot.press("escape", "T")
        await shown(pilot, "enter says it")
        assert key_of("table", "log") == "f2" and key_of("replay", "log") == "l"


@ui
async def test_a_wrong_key_is_one_line_and_the_others_hold() -> None:
    keys = {"hint": "x", "log": "f2"}
    app = an_app(settings=replace(QUIET, keys=keys))
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await shown(pilot, "The key x for hint in screen.json")
        assert key_of("table", "hint") == "h" and key_of("table", "log") == "f2"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize(
    ("name", "key"),
    [("fly", "f2"), ("hint", "hyper+x"), ("confirm", "f2"), ("log", "ctrl+q"), ("log", "3"),
     ("log", "a"), ("log", "q"), ("log", "/"), ("log", "")],
)  # fmt: skip
def test_what_cannot_be_a_key_is_refused(language: str, name: str, key: str) -> None:
    keymap, (line,) = read_keymap(load(language), {name: key})
    assert not keymap and name in line


def test_two_actions_do_not_get_one_key_and_two_may_change_theirs_in_turn() -> None:
    keymap, wrong = read_keymap(load("en"), {"table.log": "f2", "table.hint": "f2"})
    assert list(keymap.values()) == ["f2"] and len(wrong) == 1, "the second of them has it"
    keymap, wrong = read_keymap(load("en"), {"table.log": "K", "table.hint": "l"})
    assert not wrong and len(keymap) == 2
    keymap, wrong = read_keymap(load("en"), {"table.log": "h", "table.hint": "l"})
    assert not wrong and set(keymap.values()) == {"h", "l"}
    keymap, wrong = read_keymap(load("en"), {"table.log": "h", "table.hint": "ctrl+q"})
    assert not keymap and len(wrong) == 2, "hint keeps h"


def test_own_keys_are_kept_in_the_settings_file(tmp_path: Path) -> None:
    save_settings(tmp_path, Settings(keys={"log": "f2"}))
    assert load_settings(tmp_path, Settings()).keys == {"log": "f2"}
    (tmp_path / "screen.json").write_text(json.dumps({"keys": {"log": 7}, "has_bell": True}))
    assert load_settings(tmp_path, Settings()) == Settings(has_bell=True)
