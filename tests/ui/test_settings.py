"""Settings are kept, and a broken file costs nothing but the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.commandline.surface import make_parser
from ui.commands import person
from ui.settings import _FILE_NAME, Settings, load_settings, save_settings


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    chosen = Settings("ja", "nord", is_ascii=True, has_bell=True, is_automatic=False, port=27499)
    save_settings(tmp_path / "new", chosen)
    assert load_settings(tmp_path / "new", Settings()) == chosen


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[1]",
        "[" * 9_000,
        '{"language": []}',
        '{"theme": {}}',
        '{"language": "xx", "theme": 3, "has_bell": "yes", "more": 1}',
        "9" * 20_000,
        '{"port": true}',
        '{"port": 65536}',
    ],
)
def test_a_file_that_says_nothing_sensible_changes_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / _FILE_NAME).write_text(content)
    assert load_settings(tmp_path, Settings(language="ko")) == Settings(language="ko")


def test_the_sensible_part_of_a_file_is_used(tmp_path: Path) -> None:
    (tmp_path / _FILE_NAME).write_text('{"language": "ja", "theme": "gone"}')
    assert load_settings(tmp_path, Settings()) == Settings(language="ja")


def test_a_home_of_somebody_else_costs_the_settings_and_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong with the home is said where its key is read."""

    def closed(path: Path, **how: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", closed)
    assert load_settings(tmp_path, Settings(theme="nord")) == Settings(theme="nord")


def test_a_language_that_is_given_is_kept_where_nothing_was_chosen_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Korean that was asked for at the first start was English after a crash."""
    for name, value in (("LC_ALL", "en_US.UTF-8"), ("PYTHONUTF8", "1"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)

    def started(*arguments: str) -> str:
        args = make_parser().parse_args(["--home", str(tmp_path / "home"), *arguments])
        person.keep_first_choices(args)
        return person.settings_of(args).language

    assert started() == "en"
    assert started("--lang", "ko") == "ko" == started()
    assert started("--lang", "ja") == "ja", "for this once"
    assert started() == "ko"
