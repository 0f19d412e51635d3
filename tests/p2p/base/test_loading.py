"""What is loaded while the event loop runs makes no step of it long."""

from __future__ import annotations

import gc
import threading

import pytest

from core.games import GAMES, find_game, is_loaded
from core.table import RulesError
from p2p.base import loading
from p2p.base.loading import load_game, loaded_stays
from tests.p2p.beads import BEADS


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the thread in which a game is asked for, each time."""
    seen: list[int] = []

    def noting(slug: str) -> object:
        seen.append(threading.get_ident())
        return find_game(slug)

    monkeypatch.setattr(loading, "find_game", noting)
    return seen


async def test_rules_that_are_here_are_given_at_once(
    monkeypatch: pytest.MonkeyPatch, threads: list[int]
) -> None:
    monkeypatch.setitem(GAMES, "beads", BEADS)
    assert is_loaded("beads")
    assert await load_game("beads") is BEADS
    assert threads == [threading.get_ident()]


async def test_other_rules_are_loaded_beside_the_loop(
    monkeypatch: pytest.MonkeyPatch, threads: list[int]
) -> None:
    known = find_game("carta")
    monkeypatch.setitem(GAMES._games, "carta", None)  # As before somebody has asked for it.
    assert not is_loaded("carta")
    assert await load_game("carta") is known
    assert is_loaded("carta")
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


async def test_a_game_that_there_is_not_is_refused() -> None:
    assert not is_loaded("solitaire")
    with pytest.raises(RulesError):
        await load_game("solitaire")


def test_what_was_loaded_is_not_looked_at_by_collections_until_the_end() -> None:
    with loaded_stays():
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
