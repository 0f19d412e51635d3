"""Two programs with one home: the second one says so."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tests.ui.driving import QUIET, an_app, whole_text
from tests.ui.fakes import ui
from ui.commands.sit import is_first
from ui.language.text import LANGUAGE_NAMES


def test_the_second_program_of_a_home_knows_that_there_is_a_first(tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from ui.commands.sit import is_first\n"
    program += "print(is_first(Path(sys.argv[1])), flush=True); sys.stdin.read()"
    started = [sys.executable, "-c", program, str(tmp_path)]
    with Popen(started, stdin=PIPE, stdout=PIPE, text=True) as first:
        assert first.stdout is not None and first.stdin is not None
        assert first.stdout.readline() == "True\n"
        assert not is_first(tmp_path)
        first.stdin.close()
        first.wait()
    assert is_first(tmp_path), "the lock ends with the program"
    assert is_first(tmp_path / "nowhere"), "where nothing can be written nothing is said"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_lobby_of_a_second_program_says_so_in_one_line(language: str) -> None:
    @ui
    async def look() -> None:
        app = an_app(settings=replace(QUIET, language=language))
        app.is_second = True
        async with app.run_test(size=(80, 24)):
            assert app.words("app.second") in whole_text(app).splitlines()[0]

    look()
