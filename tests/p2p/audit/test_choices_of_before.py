"""What a seat chose with a key of before: it left, came back, and opens another key at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import Report, audit_file
from p2p.audit.findings import Decided
from p2p.log.game_file import GameFile
from tests.p2p.changing import BOT, secret_of
from tests.p2p.drawing import DRAW, SEATS, is_asked, let
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group

CHEAT = 2


@pytest.fixture(autouse=True)
def a_game_of_drawing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(GAMES, "draw", DRAW)
    with volume_group():
        yield


def judged(folder: Path, *, gives_key: bool) -> tuple[Report, list[str], int]:
    """The audit of a game that the cheat left at its second choice; what was judged of its own.

    It is a bot that somebody runs, with a program that does what it likes, say.
    """
    room = Room(SEATS, game="draw", terms=Terms((CHEAT,), replacement=BOT))
    for seat, verb in enumerate(("pass", "pass", "draw", "pass", "pass")):
        let(room, seat % SEATS, verb)
    owner, key = room.replicas[CHEAT], secret_of(room, CHEAT)
    room.lose(CHEAT)
    room.leave(CHEAT, key if gives_key else None)
    room.run(is_asked(0))
    room.catch_up(owner)
    back = room.give_back(owner)
    room.run()
    chosen = list[str]()

    def judge(decided: Decided) -> str:
        if decided.turn.seat == CHEAT and decided.height < back.height:
            chosen.append(decided.action.verb)
        return ""

    game_file = GameFile.create(folder / "game.hostless", room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    for note in room.notes:
        game_file.note_in_force(note)
    game_file.close()
    return audit_file(game_file.path, [judge]), chosen, back.height


def test_choices_that_a_seat_made_with_a_key_that_it_gave_are_judged_with_that_key(
    tmp_path: Path,
) -> None:
    """Whoever came back with another key, and opened that one, had its bot do what it liked."""
    report, chosen, _ = judged(tmp_path, gives_key=True)
    assert report.holds and report.is_finished and report.verdicts[CHEAT].is_opened
    assert chosen == ["draw", "pass"]


def test_of_a_seat_whose_key_of_before_nobody_has_it_is_not_said_that_its_key_was_opened(
    tmp_path: Path,
) -> None:
    report, chosen, _ = judged(tmp_path, gives_key=False)
    assert report.holds and report.is_finished
    assert chosen == ["pass"], "what all have chosen for it"
    assert not report.verdicts[CHEAT].is_opened
