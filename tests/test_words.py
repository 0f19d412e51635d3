"""One word for one thing: the glossary of ARCHITECTURE.md is held against the code.

A public class whose name ends with a word of the glossary means that, and stands in the row of the
word; and no class is called by a word of our own where the field has one.  What breaks this today
is listed below.  The lists may only shrink: an exception that is none any more fails, too.  That no
name has two meanings is held by `tests.test_names`.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from p2p.base.entry import Entry

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("core", "p2p", "ai", "ui")
ROW: Final = re.compile(r"^\| \*\*([\w -]+)\*\*[^|]*\|[^|]*\| *([^|]*?) *\|$", re.MULTILINE)
NAME: Final = re.compile(r"`(\w+)`")

PRINTED: Final = "what is printed on the cards of this game"
OTHERWISE: Final = {
    "core/games/civilization/printed.py:EventCard": PRINTED,
    "core/games/renaissance/printed.py:EventCard": PRINTED,
    "core/testing/worlds.py:Peer": "one of several machines in a test without links",
    "p2p/crypto/key_sharing.py:Deal": "a key that its dealer gives out in parts (Feldman)",
    "p2p/table/life_cycles.py:LinkEvent": "what moves a link on in its life",
    "p2p/table/life_cycles.py:VisitEvent": "what moves a guest on at a table that fills",
    "p2p/log/seating.py:SeatEvent": "what ends one phase of a seat's life and begins the next",
    "p2p/session/table.py:RunningTable": "what the actors of a running game share",
    "p2p/log/membership/log.py:Log": "the log as a value, of which membership alone is asked",
    "p2p/log/membership/state.py:Member": "one machine's part in changes of membership",
    "ai/search/tree.py:TreeNode": "a move in the tree of a search",
    "ui/look.py:Tally": "what a seat can still do in its turn",
    "ui/browser/tabs.py:TabSeat": "where the program of a tab has its files",
}
"""Classes that end with a word of the glossary and mean something else: MODULE:CLASS and why."""
REPLACED: Final = {
    "Absence": "FailureDetector",
    "Course": "TournamentState",
    "Eyes": "Observation",
    "Heads": "Acks",
    "How": "SearchSettings",
    "Larder": "Precomputed",
    "Luck": "CommonShuffles",
    "Mind": "BotTerms",
    "Nature": "ScoreProfile",
    "Pace": "SpeedEstimate",
    "Parted": "Diverged",
    "Patience": "FailureDetector",
    "Provision": "Precomputed",
    "StandIn": "Replacement",
    "Turn": "Epoch, or DecisionPoint",
    "Unseen": "Determinizer",
    "Vault": "Secrets",
    "Word": "Ballot",
    "Workshop": "Background",
}
"""Words of our own, and the field's words for them."""


class Named(NamedTuple):
    """A public class: its module and its name."""

    module: str
    name: str


@cache  # When a test asks: all that is parsed while tests are collected is parsed by each worker.
def all_classes() -> tuple[Named, ...]:
    """The public classes of the program."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return tuple(
        Named(path.relative_to(ROOT).as_posix(), node.name)
        for path in paths
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def glossary(page: str) -> dict[str, set[str]]:
    """Word -> the classes of its row, as in `{"BotTerms": {"BotTerms"}}`."""
    found = ROW.findall(page[page.index("## Glossary") :])
    return {_camel(word): set(NAME.findall(row)) for word, row in found}


def _camel(word: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split("[ -]", word))


def meaning(name: str, words: Mapping[str, object]) -> str | None:
    """The word of the glossary with which a name ends, one or several of them."""
    parts = re.findall("[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)
    for begin in range(len(parts)):
        ending = "".join(parts[begin:])
        for word in (ending, ending.removesuffix("s")):
            if word in words:
                return word
    return None


def misplaced(found: Iterable[Named], words: Mapping[str, set[str]]) -> set[str]:
    """The classes that end with a word and do not stand in its row."""
    wrong = set()
    for named in found:
        word = meaning(named.name, words)
        if word is not None and named.name not in words[word]:
            wrong.add(f"{named.module}:{named.name}")
    return wrong


PAGE: Final = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
WORDS: Final = glossary(PAGE)


def test_a_class_that_ends_with_a_word_of_the_glossary_means_that() -> None:
    """Put it into its row of ARCHITECTURE.md, or give it another name."""
    assert misplaced(all_classes(), WORDS) == set(OTHERWISE)


def test_every_class_of_the_glossary_is_there() -> None:
    names = {named.name for named in all_classes()}
    for word, row in WORDS.items():
        assert row <= names, f"{word}: {row - names}"
        assert all(meaning(name, WORDS) == word for name in row), word


def test_what_has_a_better_word_is_called_by_it() -> None:
    found = {(named.name, meaning(named.name, REPLACED)) for named in all_classes()}
    assert not {name for name, word in found if word and name.endswith(word)}


def test_a_second_meaning_is_found() -> None:
    words = {"Table": {"Table", "OpenTable"}, "BotTerms": {"BotTerms"}}
    good = [Named("a", "Table"), Named("a", "OpenTable"), Named("a", "BotTerms"), Named("a", "Way")]
    assert misplaced(good, words) == set()
    assert misplaced([Named("b", "TimeTable")], words) == {"b:TimeTable"}
    assert misplaced([Named("b", "Tables")], words) == {"b:Tables"}


def test_the_glossary_lists_what_an_entry_says() -> None:
    """In both places of the page, all that is signed; what follows from the bytes comes behind."""
    fields = [field.name for field in dataclasses.fields(Entry)]
    signed = ", ".join(fields[: fields.index("raw")])
    assert f"| a signed record of the log: {signed} | `Entry` |" in PAGE
    assert f"| `sign_entry` | {signed} |" in PAGE
