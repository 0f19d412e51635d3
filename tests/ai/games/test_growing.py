"""How the book of Dominion grows: what is found goes in above what it was better than."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ai.games.dominion.book import BOOK
from core.games.dominion.kingdoms import kinds_of
from scripts.lab import grow_dominion
from scripts.lab.grow_dominion import Found
from tests.core.games.dominion.stage import faces

BAD, GOOD = "gold moat*10 silver", "gold laboratory*10 silver"


def kingdoms_of(names: str) -> Callable[[int], Iterator[tuple[int, ...]]]:
    """One kingdom, whatever the seed."""
    return lambda seed: iter([tuple(sorted(faces(names)))])


def test_what_was_better_stands_right_above_what_it_was_better_than() -> None:
    found = [Found(0, "b", "c", 0.6), Found(1, "a", "c", 0.505), Found(2, "d", "lost", 0.7)]
    assert grow_dominion.put_in(["x", "c", "y"], found) == ["d", "x", "b", "c", "y"]


def test_what_needs_all_kinds_of_one_above_is_left_out() -> None:
    book = [
        "gold witch*2 silver",
        "gold witch*1 moat*1 silver",
        "gold moat*1 silver",
        "gold silver",
    ]
    assert list(grow_dominion.undominated(book)) == [book[0], *book[2:]]


def test_the_better_of_two_goes_up_where_both_can_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book, names = [BAD, GOOD], "laboratory moat cellar village smithy market mine militia remodel"
    for kingdom in (f"workshop {names}".replace("laboratory", "feast"), f"workshop {names}"):
        assert book == [BAD, GOOD]
        monkeypatch.setattr(grow_dominion, "kingdoms", kingdoms_of(kingdom))
        grow_dominion.sort_by_kingdoms(book, 1, seed=1)
    assert book == [GOOD, BAD]


def test_every_two_kinds_of_one_box_are_looked_at_and_no_two_of_different_boxes() -> None:
    pairs = grow_dominion.pairs_of_kinds()
    first, second = set(kinds_of(1)), set(kinds_of(2))
    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == {(a, b) for box in (first, second) for a in box for b in box if a < b}


def test_a_run_that_was_stopped_goes_on_with_the_next_kingdom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    books = []

    def grown(book: list[str], kingdom: tuple[int, ...], number: int, games: int) -> Found:
        books.append(book)
        return Found(number, f"{BAD} {number}", book[0], 0.6)

    monkeypatch.setattr(grow_dominion, "grown", grown)
    for count in (1, 3):
        grow_dominion.grow(tmp_path / "found", count, 180, seed=3)
    assert [each.number for each in grow_dominion.learned(tmp_path / "found")] == [0, 1, 2]
    first = [each.text for each in BOOK]
    assert books == [first, [f"{BAD} 0", *first], [f"{BAD} 1", f"{BAD} 0", *first]]
