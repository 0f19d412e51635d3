"""The specification names every label that is hashed or signed, every kind of entry and message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from core.engine import ENGINE_VERSION
from p2p.base.limits import PROTOCOL_VERSION
from p2p.log import game_file
from p2p.log.game_file import FILE_VERSION

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = " ".join((ROOT / "docs" / "spec" / "protocol.md").read_text("utf-8").split())
LABEL: Final = re.compile(r"hostless(?:[ /:][ -~]*)?")
OWN: Final = {
    "hostless/ahead/1": "one-time numbers that are made ahead, which nobody else sees",
    "hostless/joining/1": "the factor of a verifier",
    "hostless/shuffles/1": "the factor of a verifier",
}
"""Labels of what a machine derives for itself alone, and what that is."""
INSIDE: Final = {
    *("choose", "decided", "guilty", "linked", "taken", "verified", "wake"),
    *("wrote", "step", "cut", "refusal", "misplay", "end"),  # Records of `p2p.log.membership`.
}
"""What the parts of one machine tell each other, which nobody sends."""


@cache
def trees() -> tuple[ast.Module, ...]:
    """Every module of p2p, without its docstrings."""
    found = []
    for path in sorted((ROOT / "p2p").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
                node.body = body[1:]  # type: ignore[attr-defined]
        found.append(tree)
    return tuple(found)


def texts() -> Iterator[str]:
    """Every string of the network side, and every byte string that is ASCII."""
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
                yield node.value.decode("latin-1")


def labels() -> set[str]:
    """What begins as our labels do; sentences for people have more than a label."""
    found = {text.strip() for text in texts() if LABEL.fullmatch(text.strip())}
    return {text for text in found if not set(text) & set(".%\\")}


def kinds() -> set[str]:
    """The kinds of entries: the first argument of every `Step`, and of what is drawn."""
    found = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0] if name in ("Step", "_draw") else None
                if isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def test_the_specification_is_of_the_version_that_the_program_speaks() -> None:
    assert PAGE.startswith(f"# The protocol, version {PROTOCOL_VERSION} ")
    assert f'"hostless game {FILE_VERSION}\\n"' in PAGE
    assert f"hostless game {FILE_VERSION}\\n" in (game_file.__doc__ or "")


def test_the_specification_says_in_one_place_which_number_the_version_is() -> None:
    told = re.findall(r"version`? (?:is )?`?(\d+)", PAGE)
    assert told == [*[str(PROTOCOL_VERSION)] * 2, str(ENGINE_VERSION)]
    assert not re.findall(r'\["hostless(?: link[^"]*)?", \d', PAGE)


def test_every_label_of_the_code_stands_in_the_protocol() -> None:
    found = labels()
    assert len(found) > 25
    assert {label for label in found if label not in PAGE} == set(OWN)


def test_every_kind_of_entry_stands_in_the_protocol() -> None:
    found = kinds()
    assert {"blind", "roll", "lot", "prove"} <= found
    assert {kind for kind in found if f"`{kind}`" not in PAGE} == set()


def test_every_message_between_seats_stands_in_the_protocol() -> None:
    """The texts with which the patterns of messages begin, as in `case ["have", int(height)]`."""
    found = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.MatchSequence) and node.patterns:
                first = node.patterns[0]
                options = first.patterns if isinstance(first, ast.MatchOr) else [first]
                values = [each.value for each in options if isinstance(each, ast.MatchValue)]
                found |= {each.value for each in values if isinstance(each, ast.Constant)}
    assert {"have", "ack", "vote", "sit"} <= found
    assert {text for text in found if f'"{text}' not in PAGE} == INSIDE
