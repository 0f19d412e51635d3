"""The numbers of Dominion are written out one by one; each is the place of its own name."""

from __future__ import annotations

import re
from pathlib import Path

from core.games.dominion import cards, choices

_ROOT = Path(__file__).resolve().parents[4]
_SOURCE = (_ROOT / "core/games/dominion/cards.py").read_text("utf-8")


def constants_between(first: str, last: str) -> list[str]:
    """The names of the constants from one to another, in the order of the source."""
    names = re.findall(r"^([A-Z_]+): Final = \d+", _SOURCE, re.MULTILINE)
    return names[names.index(first) : names.index(last) + 1]


def test_every_kind_is_the_place_of_its_key() -> None:
    names = constants_between("COPPER", "WORKSHOP")
    assert [name.lower() for name in names] == list(cards.KEYS)
    assert [getattr(cards, name) for name in names] == list(range(len(cards.KINDS)))


def test_counters_and_phases_have_one_number_each() -> None:
    counters = constants_between("PHASE", "DEPTH")
    assert [getattr(cards, name) for name in counters] == list(range(cards.STACK))
    assert len(cards.counter_names(2)) == cards.TURNS[2]
    phases = constants_between("STARTING", "OVER")
    assert [getattr(cards, name) for name in phases] == list(range(len(cards.PHASES)))


def test_zones_follow_the_supply() -> None:
    names = [place.name for place in cards.places(3)]
    assert names[cards.TRASH] == "trash"
    assert names[cards.BOX] == "box"
    assert [names[zone] for zone in cards.SHOWN[:3]] == [f"seat{seat}.shown" for seat in range(3)]
    assert names[-1] == "seat2.shown"
    assert cards.counter_names(3)[cards.STACK] == "stack.0"
    assert cards.counter_names(3)[cards.KINGDOM] == "kingdom.0"


def test_sets_of_kinds_and_a_card_with_its_kind_are_small_numbers() -> None:
    assert max(cards.COST) == cards.COST_MAX
    assert len(cards.KINDS) < 63  # A set of them is one machine word.
    assert cards.kinds_in(cards.TREASURES) == cards.TREASURE_KINDS == 0b111
    assert all(bool(cards.ACTION_KINDS >> face & 1) == cards.IS_ACTION[face] for face in cards.ALL)
    players = cards.SEATS_MAX
    assert sum(cards.pile_heights(players)) + 10 * players <= 1 << choices.CARD_BITS
