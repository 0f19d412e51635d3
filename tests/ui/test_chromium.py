"""A real browser at `serve`, where chromium is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.browsing import LOBBY, chromium, make_a_move, serving

pytestmark = pytest.mark.slow


def test_a_first_move_is_made_and_a_reloaded_tab_keeps_its_seat(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "ada", "--as", "ada", "--lang", "en") as (desk, _),
        chromium(tmp_path / "chromium") as port,
    ):
        tab = desk.open_chromium("ada", port)
        make_a_move(desk, tab)
        assert tab.value("document.title") == "hostless"
        tab.reload()
        tab.wait_for(LOBBY)
        assert not (tmp_path / "ada" / "tabs" / "2").exists()
