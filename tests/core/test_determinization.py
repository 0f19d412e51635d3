"""Deals that fit what a seat knows: all of them, and each as likely as the others."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from core.chance import Chance
from core.determinization import Determinizer, determinize, observation_of
from core.table import HIDDEN, Layout, Place, Sight, Table
from tests.core.deck import table_with

DREAMS = 6000
RULES = Path(__file__).parents[2] / "core" / "games"


def test_no_rule_asks_whether_it_runs_in_an_imagined_game() -> None:
    for path in RULES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not (isinstance(node, ast.Attribute) and node.attr == "deal"), path


def test_every_deal_that_fits_is_as_likely_as_any_other() -> None:
    table = table_with([0, 0, 1, 2])
    table.mix((0, 1, 2, 3), None)
    observation = [HIDDEN, 0, HIDDEN, HIDDEN]  # An ace is known: ace, king and queen are left.
    dreams = Counter(tuple(determinize(table, observation, Chance(seed))) for seed in range(DREAMS))
    assert len(dreams) == 6
    assert all(dream[1] == 0 for dream in dreams)
    expected = DREAMS / 6
    # Chi-square with 5 degrees of freedom: 20.5 is exceeded once in a thousand seeds.
    assert sum((count - expected) ** 2 / expected for count in dreams.values()) < 20.5


def test_a_card_that_all_have_seen_keeps_its_face_in_every_deal() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1), None)
    for seed in range(20):
        assert determinize(table, [HIDDEN, HIDDEN, 2], Chance(seed))[2] == 2


def test_a_zone_is_dealt_only_what_claims_have_proven_it_to_hold() -> None:
    """Four cards of one family; the one in the pile is a king or a queen, each as likely."""
    places = (Place("deck", Sight.NOBODY), Place("pile", Sight.NOBODY, holds=(1, 2)))
    table = Table(Layout(2, ("ace", "king", "queen"), places, (), {}))
    table.lay_out(0, [0, 0, 1, 2])
    table.mix((0, 1, 2, 3), None)
    table.move(0, 0, 1)
    sampler = Determinizer(table, [HIDDEN] * 4)
    dreams = Counter(tuple(sampler.sample(Chance(seed))) for seed in range(DREAMS))
    assert {dream[0] for dream in dreams} == {1, 2}
    assert len(dreams) == 6
    expected = DREAMS / 6
    assert sum((count - expected) ** 2 / expected for count in dreams.values()) < 20.5


def test_what_is_known_of_one_family_says_nothing_about_another() -> None:
    table = table_with([0, 0, 1, 1])
    table.mix((0, 1), None)
    table.mix((2, 3), None)
    assert determinize(table, [HIDDEN] * 4, Chance(0)) == [0, 0, 1, 1]


def test_eyes_that_contradict_the_table_are_a_bug() -> None:
    table = table_with([0, 1])
    table.mix((0, 1), None)
    with pytest.raises((AssertionError, ValueError)):
        determinize(table, [2, HIDDEN], Chance(0))


def test_an_observation_is_what_the_seat_has_seen() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1), 1)
    assert observation_of(table, [1, 0, 2], 0) == [HIDDEN, HIDDEN, 2]
    assert observation_of(table, [1, 0, 2], 1) == [1, 0, 2]
    assert observation_of(table, [1, 0, 2], None) == [HIDDEN, HIDDEN, 2]
