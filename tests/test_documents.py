"""Every document can be found from `docs/README.md`, and no link in any of them is dead."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from p2p.log.membership.rules import MEMBERSHIP_RULES

ROOT = Path(__file__).resolve().parents[1]
INDEX = "docs/README.md"
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
MENTION = re.compile(r"\bdocs/[\w./-]+\.(?:md|mjs|svg|1)\b")
SOURCE = re.compile(r"`((?:core|p2p|ai|ui|scripts|tests)/[\w./]+)`")
WORDS_MAX = 20_000  # In what is written for readers; the bars of a table and a lone sign are none.
# Generated; measured; a plan, until it takes the place of sections of the protocol.
NOT_COUNTED = ("docs/figures.md", "docs/lab/", "docs/design/membership.md")
WORD = re.compile(r"\S*\w\S*")
STATION = re.compile(r"^\| `([\w/]+\.py)` \| ([^|]*) \|", re.MULTILINE)
PATHS = (
    *("One key press", "From the news to a painted row", "A seat that is gone"),
    *("A machine that starts again", "A choice of a bot"),
)
HISTORY = ("docs/lab/", "CHANGELOG.md")  # These name what was there at their time.


class Link(NamedTuple):
    """A link in a document: the file that it leads to, and the heading in it, if it names one."""

    target: str
    heading: str


def documents() -> list[str]:
    """All documents of the repository, as paths from its root."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")]
    found += ROOT.glob("scripts/**/*.md")
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def links(document: str, text: str) -> Iterator[Link]:
    """The links of a document into the repository; code and the web are not looked at."""
    for target in LINK.findall(CODE.sub("", FENCE.sub("", text))):
        if "://" not in target:
            name, _, heading = target.partition("#")
            path = (ROOT / document).parent / name if name else ROOT / document
            yield Link(path.resolve().relative_to(ROOT).as_posix(), heading)


def anchors(text: str) -> set[str]:
    """What the headings of a document are called in links."""
    named = (CODE.sub(lambda code: code[0].strip("`"), head) for head in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in named}


def packages() -> list[str]:
    """The packages whose docstrings say what is in each of their files."""
    found = [path for floor in ("p2p", "ui") for path in (ROOT / floor).rglob("__init__.py")]
    return ["ai", "core", *sorted(path.parent.relative_to(ROOT).as_posix() for path in found)]


def dead(document: str, text: str) -> list[str]:
    """The links of a document that lead nowhere."""
    gone = []
    for link in links(document, text):
        path = ROOT / link.target
        if not path.exists():
            gone.append(f"{document}: {link.target} is not there")
        elif link.heading and link.heading not in anchors(path.read_text("utf-8")):
            gone.append(f"{document}: {link.target} has no heading #{link.heading}")
    return gone


@pytest.mark.parametrize("document", documents())
def test_no_link_of_a_document_is_dead(document: str) -> None:
    assert dead(document, (ROOT / document).read_text("utf-8")) == []


def test_a_dead_link_is_found() -> None:
    assert dead(INDEX, "[gone](guide/gone.md)") == [f"{INDEX}: docs/guide/gone.md is not there"]
    assert dead(INDEX, "[gone](../README.md#no-such-heading)")
    assert not dead(INDEX, "[here](../README.md#as-a-library), `[code](gone.md)`")


def test_every_document_is_linked_from_the_index() -> None:
    linked = {link.target for link in links(INDEX, (ROOT / INDEX).read_text("utf-8"))}
    pages = {path for path in documents() if path.startswith("docs/") and path != INDEX}
    assert pages - linked == set()


def test_every_document_that_is_named_in_the_source_is_there() -> None:
    command = ["git", "grep", "-hoIE", "docs/[A-Za-z0-9_./-]+", "--", ".", ":!CHANGELOG.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    named = {name for line in listed.stdout.splitlines() for name in MENTION.findall(line)}
    assert {name for name in named if not (ROOT / name).exists()} - {"docs/guide/gone.md"} == set()


@pytest.mark.parametrize("document", documents())
def test_who_reads_a_command_is_told_what_it_is_in_a_clone(document: str) -> None:
    """Nothing is called `hostless` there, and its libraries are not those of the usual Python."""
    text = (ROOT / document).read_text("utf-8")
    shown = [line for block in FENCE.findall(text) for line in block.splitlines()]
    if any(line.startswith("hostless ") for line in shown):
        assert "`python3 scripts/play.py`" in text
    if any("sys.executable" in line for line in shown):
        assert "`.venv/bin/python`" in text


@pytest.mark.parametrize("document", [one for one in documents() if not one.startswith(HISTORY)])
def test_every_source_that_a_document_names_is_there(document: str) -> None:
    named = SOURCE.findall((ROOT / document).read_text("utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_what_a_newcomer_may_have_to_read_does_not_grow() -> None:
    pages = [one for one in documents() if one.startswith("docs/")]
    pages = [one for one in pages if not one.startswith(NOT_COUNTED)]
    counts = {page: len(WORD.findall((ROOT / page).read_text("utf-8"))) for page in pages}
    assert sum(counts.values()) <= WORDS_MAX, counts


@pytest.mark.parametrize("package", packages())
def test_the_map_of_a_package_names_each_of_its_files(package: str) -> None:
    """Whoever reads from the docstring down finds every file."""
    folder = ROOT / package
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    assert sorted(name for name in files if not re.search(rf"\b{name}\b", told)) == []


def section(heading: str) -> str:
    """What stands under a heading of the overview."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("heading", PATHS)
def test_a_path_through_the_program_names_what_is_there(heading: str) -> None:
    """Each row of the table is a file, and names of it: `Class.function` or a function."""
    told = section(heading)
    stations = STATION.findall(told)
    assert len(stations) > 8
    for path, names in stations:
        found = defined_in(ROOT / path)
        assert set(re.findall(r"`([\w.]+)`", names)) - found == set(), path
    rules = {rule.name for rule in MEMBERSHIP_RULES}
    assert set(re.findall(r"\bT\d+\w*", told)) - rules == set()


def defined_in(path: Path) -> set[str]:
    """The functions and classes of a file, and `Class.function` of each."""
    names = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            functions = [each for each in node.body
                         if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]  # fmt: skip
            names |= {f"{node.name}.{each.name}" for each in functions}
            names |= {each.name for each in functions}
    return names
