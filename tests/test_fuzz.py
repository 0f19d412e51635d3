"""Whatever was ever found to go a way of its own through our code is read once more."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from scripts.lab.fuzz import HOSTILE
from tests.fuzz import TARGETS, conversations, corpus, hostile
from tests.fuzz.bend import bend
from tests.fuzz.worlds import same_world

BENT: dict[str, int] = {"game-file": 5, "cheater": 20}  # The others are quick.
ALL_BYTES_MAX = 1 << 20
EVERY = 10
CONVERSATIONS = 60
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True, scope="module")
def one_world() -> Iterator[None]:
    """The games in which the inputs of the corpus mean something."""
    with same_world():
        yield


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_kept_and_what_is_bent_is_read_or_refused(name: str, seed: int) -> None:
    target, rng = TARGETS[name](), random.Random(seed)
    said = [*target.samples, *corpus.read(name), b""]
    assert {target.read(each) for each in said} == {True, False}, "and nothing else comes of it"
    for _ in range(BENT.get(name, 100)):
        bent = bend(rng.choice(target.samples), target.shape, rng)
        assert target.read(bent) in (True, False), bent


@pytest.mark.parametrize("name", HOSTILE)
def test_a_field_with_a_hostile_value_is_refused_and_never_a_crash(name: str, seed: int) -> None:
    """Every so many of them, others with each seed; `lab.py fuzz --hostile` tries all."""
    target = TARGETS[name]()
    first = random.Random(seed).randrange(EVERY)
    said = list(islice(hostile.hostile_inputs(target.samples), first, None, EVERY))
    assert {target.read(each) for each in said} == {True, False}


@pytest.mark.parametrize("name", conversations.SPOKEN)
def test_whatever_order_messages_come_in_nothing_comes_of_it_but_a_refusal(
    name: str, seed: int
) -> None:
    target, rng = TARGETS[name](), random.Random(seed)
    for said in islice(conversations.conversations(target.samples, spoken(), rng), CONVERSATIONS):
        assert target.read(said) in (True, False), said


def test_conversations_have_every_message_that_the_protocol_knows() -> None:
    page = (ROOT / "docs" / "spec" / "protocol.md").read_text("utf-8")
    section = page.partition("\n## 4 ")[2].partition("\n## 5 ")[0]
    known = set(re.findall(r'`\["([a-z]+)"', section))
    assert known - {message[0] for message in spoken()} == set()
    assert len(known) > 25


@cache
def spoken() -> list[Any]:
    """Every message that somebody honest says."""
    return conversations.messages_of([TARGETS[name] for name in conversations.SPOKEN])


def test_the_corpus_is_small_and_belongs_to_targets_that_are_there() -> None:
    files = sorted(corpus.FOLDER.iterdir())
    assert [file.name for file in files] == sorted(TARGETS)
    assert sum(file.stat().st_size for file in files) < ALL_BYTES_MAX
