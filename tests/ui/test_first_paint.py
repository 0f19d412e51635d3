"""What the first paint waits for: the lobby, and nothing that only a table needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.ui.driving import an_app, settled, whole_text
from tests.ui.fakes import ui

ROOT = Path(__file__).parents[2]
START = "import sys, ui.commands.screen, ui.app, ui.backend.bridge, p2p.base.identity"
LATER = (
    *("zeroconf", "ifaddr", "rbcl", "cbor2", "cryptography.x509", "p2p.table.node"),
    *("p2p.log.replica", "ui.screens.table", "ui.plain.loop", "markdown_it"),
    "multiprocessing",
)
RULES = ("core.games.carta", "core.games.civilization", "core.determinization")
TABLE = ("p2p.log.replica", "p2p.crypto.group", "p2p.net.link", "p2p.table.node")


def loaded_by(code: str) -> list[str]:
    """The modules that a program has imported in the end."""
    command = [sys.executable, "-c", f"{code}; print(*sys.modules)"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_lobby_loads_nothing_that_only_a_table_needs() -> None:
    loaded = loaded_by(START)
    assert "ui.screens.lobby" in loaded
    assert [name for name in (*LATER, *RULES) if name in loaded] == []


def test_the_list_of_my_games_loads_nothing_that_runs_one(tmp_path: Path) -> None:
    listed = f"from pathlib import Path; ui.commands.person.game_files(Path({str(tmp_path)!r}))"
    loaded = loaded_by(f"{START}; {listed}")
    assert "p2p.table.kept_games" in loaded
    assert [name for name in (*TABLE, *RULES) if name in loaded] == []


def test_the_form_that_opens_a_table_loads_nothing_of_a_game_in_the_loop_of_the_screen() -> None:
    """Its rules took a key press 54 to 183 ms, and what bots know of it 10 to 50 ms."""
    asked = "[questions_for(load('en'), slug, 2, 1) for slug in GAMES]"
    form = "from ui.screens.opening import GAMES, questions_for; from ui.language.text import load"
    thread = "from ui.commands.sit import import_the_rest; import_the_rest()"
    before = loaded_by(f"{START}; {form}; {thread}")
    assert set(loaded_by(f"{START}; {form}; {thread}; {asked}")) == set(before)


@ui
async def test_the_rest_is_loaded_once_the_first_screen_is_painted_and_not_before() -> None:
    app, painted = an_app(), list[str]()
    app.when_painted = lambda: painted.append(whole_text(app))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await settled(pilot)
    (first,) = painted
    assert app.words.name("game", "carta") in first
