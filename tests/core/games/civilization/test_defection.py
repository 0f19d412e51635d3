"""3.3 Defection and its kin: figures and great people that change sides, or have gone by then."""

from __future__ import annotations

import pytest

from core.games.civilization.effects import do_event
from core.games.civilization.targets import DEFECTIONS, DONE, PERSON_KIND
from tests.core.games.civilization.stage import ALL_GUARDS, at
from tests.core.games.civilization.test_movement import base


def test_defection_at_the_last_step_saves_the_city() -> None:
    """E69, 3.3 Defection, C155: the army dies, no battle."""
    stage = base().city(1, "9.8").army(0, "7.8").holds(1, "defection").has(1, guard=ALL_GUARDS)
    stage.phase("move").do("move 7.8 1+0", "go 9.8", "1: answer 2 defection")
    assert stage.rests("9.8") == (-1, 0, 0)
    assert stage.get("battle") == 0
    assert stage.get("seat0.figure0") == 0


def test_defection_kills_one_of_two_attackers() -> None:
    """E70, C112: battle with the rest, hand 3."""
    stage = base().city(1, "9.8").army(0, "7.8", 2).holds(1, "defection").has(1, guard=ALL_GUARDS)
    stage.holds(0, "infantry.1 infantry.2 mounted.1 mounted.2").phase("move")
    stage.do("move 7.8 2+0", "go 9.8", "answer 2 defection")
    stage.pass_all()
    assert len(stage.cards("seat0.battle")) == 3


def test_defection_in_the_own_segment() -> None:
    """3.3 Defection and its kin, C78: any owner's figure in range of an own one."""
    stage = base().army(0, "8.8").army(1, "8.12").army(1, "8.13").holds(0, "defection")
    stage.phase("move").do("event defection")
    assert stage.offered("target") == ["seat0.army 8.8", "seat1.army 8.12"]
    stage.do("target seat1.army 8.12")
    assert stage.rests("8.12") == (-1, 0, 0)
    assert stage.cards("discard.ancient") == ["defection"]


def test_mass_defection_kills_two_figures_or_a_person() -> None:
    """3.3 Mass Defection, E144: never both kinds."""
    stage = base("germany china").city(0, "8.8").mark("artist", "7.7").army(1, "7.7", 2)
    stage.holds(0, "mass_defection").phase("move").do("event mass_defection")
    assert {"seat1.army 7.7", "seat0.person 7.7"} <= set(stage.offered("target"))
    stage.do("target seat1.army 7.7")
    assert stage.texts() == ["target seat1.army 7.7", "done"]
    stage.do("target seat1.army 7.7")
    assert stage.rests("7.7") == (-1, 0, 0)
    person = base().city(1, "8.8").mark("artist", "7.7").army(0, "8.11")
    person.holds(0, "mass_defection").phase("move").do("event mass_defection")
    person.do("target seat1.person 7.7")
    assert person.lies("7.7") == ""
    assert person.cards("box") == ["artist"]


def test_mass_defection_may_stop_after_one_figure() -> None:
    """3.3 Mass Defection: up to two."""
    stage = base("germany china").city(0, "8.8").mark("artist", "15.15").army(1, "7.7", 2)
    stage.scout(1, "7.7")
    stage.holds(0, "mass_defection").phase("move")
    stage.do("event mass_defection", "target seat1.army 7.7", "done")
    assert stage.rests("7.7") == (1, 1, 1)
    assert stage.lies("15.15") == "artist", "no aim is no square, not even the last one"


@pytest.mark.parametrize("there", ["library", "hut"])
def test_a_person_that_has_gone_by_then_takes_nothing_else_with_it(there: str) -> None:
    """3.3 Defection, E144: what lies there now is no great person."""
    stage = base().city(1, "8.8").mark(there, "7.7")
    person = 256 * (3 * 1 + PERSON_KIND) + at("7.7")
    do_event(stage.table, 0, min(DEFECTIONS), (person, DONE, 0))
    assert stage.lies("7.7") == there


def test_a_figure_that_has_gone_by_then_costs_no_other() -> None:
    """3.3 Defection, C78: the square is empty, and the army beside it stays."""
    stage = base().army(1, "7.8")
    do_event(stage.table, 0, min(DEFECTIONS), (256 * 3 + at("7.7"), DONE, 0))
    assert stage.rests("7.8") == (1, 1, 0)


def test_wholesale_defection_reaches_everywhere() -> None:
    """3.3 Wholesale Defection."""
    stage = base().army(1, "2.14").holds(0, "wholesale_defection").phase("move")
    stage.do("event wholesale_defection")
    assert stage.rests("2.14") == (-1, 0, 0)
