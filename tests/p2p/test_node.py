"""Whole tables of real nodes in one process: files equal, audits clean, everybody at the end."""

from __future__ import annotations

from pathlib import Path

from tests.p2p.nodes import check_same_clean_files, kinds, people, sitting_down


async def test_two_seats_play_a_basic_game_and_keep_the_same_file(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=1)
    async with sitting_down(party):
        pass
    check_same_clean_files(party)
    assert all(person.has_finished and person.failure is None for person in party)
    assert not any(person.notices for person in party)


async def test_three_seats_draft_in_secret_and_keep_the_same_file(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=2)
    async with sitting_down(party, {"deal": "draft"}):
        pass
    check_same_clean_files(party)
    assert kinds(party[0].path)["unseal"] > 3


async def test_four_seats_in_teams_keep_the_same_file(tmp_path: Path) -> None:
    party = people(tmp_path, 4, seed=3)
    async with sitting_down(party, {"team": True}):
        pass
    check_same_clean_files(party)
    assert not any(person.notices for person in party)
