"""How the book of Dominion grows: what is found goes in above what it was better than."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from ai.games.dominion.agenda import Agenda
from ai.games.dominion.book import BOOK
from core.games.dominion.kingdoms import kinds_of
from scripts.lab import grow_dominion
from scripts.lab.grow_dominion import Found
from tests.core.games.dominion.stage import faces

MONEY, BAD = "gold silver", "gold moat*10 silver"
GOOD, POOR = "gold laboratory*10 silver", "chapel*10 gold silver"


class Sure(random.Random):
    """Lots by which every kingdom has Moats."""

    def sample(self, population: Sequence[int], k: int) -> list[int]:
        moat = [face for face in population if face in faces("moat")]
        return [*moat, *(face for face in population if face not in moat)][:k]


def test_what_needs_all_kinds_of_one_above_is_left_out() -> None:
    book = [
        "gold witch*2 silver",
        "gold witch*1 moat*1 silver",
        "gold moat*1 silver",
        "gold silver",
    ]
    assert list(grow_dominion.undominated(book)) == [book[0], *book[2:]]


def test_an_agenda_goes_in_above_what_it_beats_and_below_what_beats_it() -> None:
    assert grow_dominion.best_place([(0, -0.25), (4, 0.5), (6, -0.25), (9, 0.5)]) == (0.75, 4)
    assert grow_dominion.best_place([(0, -0.25), (4, -0.5), (9, 0.25)]) == (0.25, 9)


@pytest.mark.parametrize(("text", "book"), [(GOOD, [GOOD, BAD, MONEY]), (POOR, [BAD, MONEY])])
def test_only_what_gains_something_goes_into_the_book(
    text: str, book: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grow_dominion, "PLACE_KINGDOMS", 1)
    before = [BAD, MONEY]
    grow_dominion.put_in(before, text, 1, Sure())
    assert before == book


def test_kingdoms_for_an_agenda_have_its_kinds_and_come_out_of_one_box() -> None:
    agenda = Agenda("gold thief*1 witch*1 silver")  # Only the first edition has Thieves.
    for kingdom in grow_dominion.kingdoms_with(agenda, 20, random.Random(1)):
        assert set(faces("thief witch")) <= set(kingdom) <= set(kinds_of(1))
        assert len(set(kingdom)) == 10


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
    found = [f"{BAD} 1", f"{BAD} 0"]
    assert books == [first, [*first, *found[1:]], [*first, *found]], "against the book's choice"
