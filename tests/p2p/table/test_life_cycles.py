"""A link and a guest go through their life cycles as the tables in the code say, and as drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from p2p.table.life_cycles import (
    LINK_LIFE,
    VISIT_LIFE,
    LifeCycle,
    LinkEvent,
    LinkPhase,
    VisitEvent,
    VisitPhase,
)

DRAWING = Path(__file__).resolve().parents[3] / "ARCHITECTURE.md"
LIVES: list[tuple[Mapping[Any, Any], type[StrEnum], type[StrEnum], str, str]] = [
    (LINK_LIFE, LinkPhase, LinkEvent, "**A link**", "**A gathering**"),
    (VISIT_LIFE, VisitPhase, VisitEvent, "**A gathering**", "## Where something new goes"),
]


@pytest.mark.parametrize(("table", "phases", "events"), [life[:3] for life in LIVES])
def test_what_is_not_in_the_table_does_not_happen(
    table: Mapping[Any, Any], phases: type[StrEnum], events: type[StrEnum]
) -> None:
    for phase, event in product(phases, events):
        life = LifeCycle(table, phase)
        if (phase, event) in table:
            assert life.change(event) is life.phase is table[phase, event]
        else:
            with pytest.raises(AssertionError, match="there is no"):
                life.change(event)


@pytest.mark.parametrize("life", LIVES)
def test_every_state_is_reached_and_every_event_used(life: tuple[Any, ...]) -> None:
    table, phases, events = life[:3]
    assert {phase for phase, _ in table} | set(table.values()) == set(phases)
    assert {event for _, event in table} == set(events)


@pytest.mark.parametrize("life", LIVES)
def test_the_drawing_shows_the_table_and_nothing_else(life: tuple[Any, ...]) -> None:
    table, phases, events, begins, ends = life
    text = DRAWING.read_text("utf-8")
    lines = text[text.index(begins) : text.index(ends)].split("```")[1].splitlines()
    drawn = set()
    for line in lines:
        states = [m for m in re.finditer(r"(?<![\w-])\w+(?= --|$)", line) if m[0] in set(phases)]
        edges = list(re.finditer(r"--([^>|+]+?)-->\s(\w+)", line))
        for edge in edges:
            before = [state[0] for state in states if state.start() < edge.start()]
            sources = before[-1:] if before and "+--" not in line else branch(lines, line, edge)
            drawn |= {
                (source, event, edge[2])
                for source in sources
                for event in events
                if re.search(rf"\b{event}\b", edge[1])
            }
    assert drawn == {(phase, event, after) for (phase, event), after in table.items()}


def branch(lines: list[str], line: str, edge: re.Match[str]) -> list[str]:
    """The states of the first line from which lines lead down to an edge that begins with a +."""
    first = next(each for each in lines if "-->" in each)
    begin = edge.start()
    corners = [m.start() for m in re.finditer(r"\+", line) if m.start() <= begin]
    run = [at for at in corners if set(line[at:begin]) <= set("+-")] or corners[-1:]
    names = [(m.start(), m.end(), m[0]) for m in re.finditer(r"(?<![\"\w])\w+(?= --|$)", first)]
    return [name for at in run for start, end, name in names if start <= at < end]
