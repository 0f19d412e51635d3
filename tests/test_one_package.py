"""Source as it reads inside the one package of the wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.one_package import UnknownUseError, inside, write

ROOT = Path(__file__).resolve().parents[1]
KEPT = [
    "from corelib import table",
    "from . import core",
    "import p2plib",
    "core = table.core",
    "words('ui')",
    "'''The folder core/games, or core.table in a sentence.'''",
    "[python, '-m', 'trio']",
    "import_module('trio.socket')",
]
CHANGED = [
    ("from core.table import Table", "from hostless.core.table import Table"),
    ("from ui import text", "from hostless.ui import text"),
    ("import core", "from hostless import core"),
    ("import ai.levels as levels", "import hostless.ai.levels as levels"),
    ("if 호스트:\n    from p2p import wire", "if 호스트:\n    from hostless.p2p import wire"),
    ("name = '이름'; from p2p import wire", "name = '이름'; from hostless.p2p import wire"),
    ("import_module('p2p.table.node')", "import_module('hostless.p2p.table.node')"),
    ('import_module(f"ui.commands.{name}")', 'import_module(f"hostless.ui.commands.{name}")'),
    ("run_sync(import_module, 'ai.levels')", "run_sync(import_module, 'hostless.ai.levels')"),
    ("[python, '-P', '-m', 'ui', word]", "[python, '-P', '-m', 'hostless.ui', word]"),
    ("def f():\n    '''F.\n\n    >>> from core.chance import Chance\n    '''",
     "def f():\n    '''F.\n\n    >>> from hostless.core.chance import Chance\n    '''"),
]  # fmt: skip
REFUSED = [
    ("import core.table", "line 1: write `from core.table import ...`"),
    ("x = 1\nimport core, sys", "line 2: write `from core import ...`"),
    ("'''A.\n\n>>> import core\n'''", "line 3: write `>>> from"),
    ("PLACES = {'Match': 'core.match'}", "line 1: what is 'core.match' for"),
]


@pytest.mark.parametrize("text", KEPT)
def test_what_names_no_module_of_ours_stays_as_it_is(text: str) -> None:
    assert inside(text, "a.py") == text


@pytest.mark.parametrize(("text", "expected"), CHANGED)
def test_modules_of_ours_are_named_inside_the_package(text: str, expected: str) -> None:
    assert inside(text, "a.py") == expected


@pytest.mark.parametrize(("text", "complaint"), REFUSED)
def test_what_is_not_understood_is_refused_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(UnknownUseError, match=complaint) as refused:
        inside(text, "ui/a.py")
    assert str(refused.value).startswith("ui/a.py, line")


def test_every_line_of_the_package_stays_on_its_line(tmp_path: Path) -> None:
    write(ROOT, tmp_path / "hostless")
    paths = [path for root in ("core", "p2p", "ai", "ui") for path in (ROOT / root).rglob("*.py")]
    for path in paths:
        mine = path.read_text("utf-8").splitlines()
        theirs = (tmp_path / "hostless" / path.relative_to(ROOT)).read_text("utf-8").splitlines()
        assert len(mine) == len(theirs)
        changed = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
        assert all(b.replace("from hostless import", "import").replace("hostless.", "")
                   == a.replace("hostless.", "") for a, b in changed)  # fmt: skip
    assert len(paths) > 200
