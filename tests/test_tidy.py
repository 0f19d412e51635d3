"""The style guide, enforced; and the proof that its rules can find something."""

import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests import tidy

ROOT = Path(__file__).resolve().parents[1]
KINDS = (".py", ".md", ".toml", "run")
TOP = {
    *("ai", "core", "docs", "p2p", "scripts", "tests", "ui", "pyproject.toml"),
    *("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"),
}


def listed() -> list[Path]:
    """What git knows; where there is no git, whatever is there."""
    git = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if git.returncode == 0 and git.stdout:
        return [ROOT / name for name in git.stdout.split("\0") if name]
    return [path for path in ROOT.rglob("*") if not hidden(path)]


def tracked() -> list[Path]:
    """The files of the repository that have a style."""
    return sorted(path for path in listed() if path.name.endswith(KINDS) and path.is_file())


def hidden(path: Path) -> bool:
    """Whether a file is inside .venv, .git and the like."""
    return any(part.startswith(".venv") or part == ".git" for part in path.relative_to(ROOT).parts)


def source(path: Path) -> tidy.Source:
    """One file of the repository."""
    return tidy.Source(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))


def test_every_file_keeps_the_style_guide() -> None:
    found = [complaint for path in tracked() for complaint in tidy.complaints(source(path))]
    assert not found, "\n" + "\n".join(found)


def test_no_module_imports_itself_by_way_of_others_not_even_for_types() -> None:
    graph = grimp.build_graph("core", "p2p", "ai", "ui", cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert len(imports) > 200
    TopologicalSorter(imports).prepare()  # A circle is an error, and shown.


def test_nothing_stray_lies_at_the_top() -> None:
    """What a shell wrote into a file called `errors` was once committed, twice."""
    top = {path.relative_to(ROOT).parts[0] for path in listed()}
    assert {name for name in top if not name.startswith((".", "_"))} == TOP


def test_the_style_guide_looks_at_this_very_file() -> None:
    assert Path(__file__).resolve() in tracked()


def nested(count: int) -> str:
    """A snippet with `count` conditions inside each other."""
    return "".join("    " * depth + "if spam:\n" for depth in range(count)) + "    " * count + "x=1"


def chained(count: int) -> str:
    """A snippet with `count` conditions beside each other."""
    return "if spam:\n    x = 1\n" + "elif eggs:\n    x = 2\n" * count


LINES = "\n" * 50
DOCUMENTED = '"""A module."""\n'
LOOP = "async def f(self):\n    for a in"
BAD = [
    (tidy.files_are_short, "core/a.py", "x = 1\n" * 501),
    (tidy.lines_are_short, "core/a.py", "x = " + "1" * 97),
    (tidy.functions_are_short, "core/a.py", "def f():\n" + "    x = 1\n" * 60),
    (tidy.parameters_are_few, "core/a.py", "def f(a, b, c, d, e, f): ..."),
    (tidy.parameters_are_few, "core/a.py", "def f(a, b, *, c, d, e, f, g, h, i): ..."),
    (tidy.nesting_is_flat, "core/a.py", nested(5)),
    (tidy.modules_say_what_they_are, "core/a.py", "x = 1"),
    (tidy.public_names_are_documented, "core/a.py", "def f(): ..."),
    (tidy.public_names_are_documented, "ui/a.py", "class A:\n    '''A.'''\n    def f(self): ..."),
    (tidy.files_have_telling_names, "core/card_utils.py", DOCUMENTED),
    (tidy.names_say_something, "core/a.py", "class CardManager: ..."),
    (tidy.names_say_something, "core/a.py", "def event_handler(): ..."),
    (tidy.names_say_something, "core/a.py", "data = 1"),
    (tidy.names_say_something, "core/a.py", "def f(info): ..."),
    (tidy.failures_are_not_swallowed, "core/a.py", "try:\n    f()\nexcept:\n    raise"),
    (tidy.failures_are_not_swallowed, "a.py", "try:\n    f()\nexcept Exception:\n    pass"),
    (tidy.nothing_is_left_for_later, "core/a.py", "# TO" + "DO: think"),
    (tidy.nothing_is_left_for_later, "core/a.py", "x = 1  # type:" + " ignore"),
    (tidy.nobodys_machine_is_mentioned, "README.md", "see " + "/home" + "/ada/notes.txt"),
    (tidy.who_waits_goes_through_a_copy, "core/a.py", f"{LOOP} self.links.items(): await f(a)"),
    (tidy.tests_can_fail, "tests/test_a.py", "def test_one_and_one(): print(2)"),
    (tidy.tests_can_fail, "tests/test_a.py", "def test_sum(): assert 1"),
    (tidy.tests_neither_sleep_nor_skip, "tests/test_a.py", "time.sleep(1)"),
    (tidy.tests_neither_sleep_nor_skip, "tests/test_a.py", "pytest.skip('no')"),
]
GOOD = [
    (tidy.files_are_short, "core/a.py", "x = 1\n" * 500),
    (tidy.lines_are_short, "core/a.py", "x = " + "1" * 96),
    (tidy.functions_are_short, "core/a.py", f"def f():\n    '''{LINES}'''\n" + "    x\n" * 59),
    (tidy.parameters_are_few, "core/a.py", "class A:\n    def f(self, a, b, c, d, e): ..."),
    (tidy.nesting_is_flat, "core/a.py", nested(4)),
    (tidy.nesting_is_flat, "core/a.py", chained(9)),
    (tidy.modules_say_what_they_are, "core/__init__.py", ""),
    (tidy.public_names_are_documented, "core/a.py", "def _f(): ..."),
    (tidy.public_names_are_documented, "tests/a.py", "def f(): ..."),
    (tidy.names_say_something, "core/a.py", "x = config.data"),
    (tidy.failures_are_not_swallowed, "a.py", "try:\n    f()\nexcept ValueError:\n    pass"),
    (tidy.nothing_is_left_for_later, "core/a.py", "x = 1  # type: ignore[code]"),
    (tidy.nobodys_machine_is_mentioned, "README.md", "https://example.org/home/ada"),
    (tidy.who_waits_goes_through_a_copy, "core/a.py", f"{LOOP} list(self.links.items()): await a"),
    (tidy.who_waits_goes_through_a_copy, "core/a.py", f"{LOOP} self.links.items(): f(a)"),
    (tidy.tests_can_fail, "tests/test_a.py", "def test_a_deck_ends(): pytest.raises(E, f)"),
    (tidy.tests_can_fail, "tests/test_a.py", "def test_a_deck_ends(): check_deck()"),
    (tidy.tests_can_fail, "tests/test_a.py", "def test_a_proof_holds(): verify_shuffle(key)"),
]


@pytest.mark.parametrize(("rule", "path", "text"), BAD)
def test_a_rule_finds_what_it_forbids(rule: tidy.Rule, path: str, text: str) -> None:
    assert list(rule(tidy.Source(path, text)))


@pytest.mark.parametrize(("rule", "path", "text"), GOOD)
def test_a_rule_leaves_in_peace_what_it_allows(rule: tidy.Rule, path: str, text: str) -> None:
    assert not list(rule(tidy.Source(path, text)))


def test_every_rule_has_a_bad_example() -> None:
    assert {rule for rule, _, _ in BAD} == set(tidy.RULES)


def test_a_complaint_names_file_and_line() -> None:
    assert "core/a.py:2: The name data says nothing; say what it is." in tidy.complaints(
        tidy.Source("core/a.py", DOCUMENTED + "data = 1")
    )
