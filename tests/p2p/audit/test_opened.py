"""Games whose keys were opened at the end: what nobody could see is looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from core.games import GAMES
from core.requests import Action
from p2p.audit.audit import Report, audit_file
from p2p.audit.game import read_log
from p2p.crypto.transcript import ProofError
from p2p.game.game_keys import KEY_BYTES
from p2p.log.game_file import GameFile, read_game
from p2p.log.replica import Replica
from p2p.session.players import decision_point_of
from tests.p2p.beads import BEADS
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def write(folder: Path, room: Room) -> Path:
    """The game file of a room."""
    game_file = GameFile.create(folder / "game.hostless", room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    game_file.close()
    return game_file.path


def played(folder: Path, room: Room) -> tuple[Path, Report]:
    """A room's game played to its end, its file and what the audit says."""
    room.run()
    assert room.replicas[0].is_over
    path = write(folder, room)
    return path, audit_file(path)


def keys_in(path: Path, room: Room) -> list[int]:
    """The keys that were opened, as they stand in the file."""
    opened = [*room.replicas[0].play.opened.values()]
    assert b"open keys" in path.read_bytes() or not opened
    return opened


def test_persons_keep_their_keys_unless_the_table_agreed_otherwise(tmp_path: Path) -> None:
    path, report = played(tmp_path, Room(2, seed=1, game="beads"))
    assert report.holds and report.is_finished
    assert not any(verdict.is_opened for verdict in report.verdicts)
    assert b"open keys" not in path.read_bytes()


def test_a_bot_opens_its_key_and_a_person_beside_it_does_not(tmp_path: Path) -> None:
    room = Room(3, seed=2, game="beads", terms=Terms((1,)))
    _, report = played(tmp_path, room)
    assert report.holds
    assert [verdict.is_opened for verdict in report.verdicts] == [False, True, False]


def test_everybody_opens_at_a_table_that_agreed_on_it(tmp_path: Path) -> None:
    room = Room(3, seed=3, game="beads", terms=Terms(opens_hands=True))
    path, report = played(tmp_path, room)
    assert report.holds and all(verdict.is_opened for verdict in report.verdicts)
    assert len(keys_in(path, room)) == 3


def test_another_key_than_the_one_played_with_is_refused() -> None:
    room = Room(2, seed=4, game="beads", terms=Terms((1,)))
    room.run(until=lambda replica: replica.step is not None and replica.step.kind == "open keys")
    step = room.replicas[0].step
    assert step is not None
    secret = room.replicas[1].play._dealing.secrets[1]
    for wrong in (secret + 1, 0, 1):
        with pytest.raises(ProofError):
            step.read(1, wrong.to_bytes(KEY_BYTES, "little"))
    assert step.read(1, secret.to_bytes(KEY_BYTES, "little")) == secret


def test_every_choice_is_found_again_with_what_its_seat_knew(tmp_path: Path) -> None:
    """Every seat notes what it knew when it chose; the file gives the same back."""
    noted: list[tuple[int, tuple[int, ...], int, Action]] = []
    room = Room(3, seed=5, game="beads", terms=Terms((0, 2), opens_hands=True))

    def choose(replica: Replica, actions: list[Action]) -> Action:
        assert replica.me is not None
        turn, action = decision_point_of(replica, replica.me), room.rng.choice(actions)
        noted.append((replica.me, tuple(turn.observation), turn.seed, action))
        return action

    room.chooser = choose
    path, _ = played(tmp_path, room)
    found = [
        (each.turn.seat, tuple(each.turn.observation), each.turn.seed)
        for each in read_log(read_game(path), keys_in(path, room)).decided
    ]
    assert sorted(found) == sorted(each[:3] for each in noted)


def test_seeds_of_bots_are_never_twice_the_same(tmp_path: Path) -> None:
    room = Room(3, seed=6, game="beads", terms=Terms((0, 1, 2)))
    path, _ = played(tmp_path, room)
    seeds = [each.turn.seed for each in read_log(read_game(path), keys_in(path, room)).decided]
    assert len(set(seeds)) == len(seeds) > 3


def test_who_broke_a_rule_about_hidden_cards_is_named_once_its_key_is_open(tmp_path: Path) -> None:
    """A bead may be called by its own face alone; that it is this or the next is all one proves."""
    room = Room(2, seed=7, game="beads", terms=Terms(opens_hands=True))
    room.run(until=lambda replica: any(each.action.verb == "say" for each in replica.view().offers))
    cheater = room.replicas[0]
    honest = cheater.view().offers[0].action
    forged = honest._replace(number=(honest.number - 1) % 3)
    with patch.object(cheater.play, "_legal", lambda _: forged):
        room.tell_all(room.write(cheater))
    room.settle()
    assert audit_file(write(tmp_path / "before", room)).holds, "nobody can see it yet"
    _, report = played(tmp_path / "after", room)
    assert [verdict.is_honest for verdict in report.verdicts] == [False, True]
    assert "hidden cards" in report.verdicts[0].reason


def test_with_all_keys_every_hand_can_be_shown(tmp_path: Path) -> None:
    room = Room(2, seed=8, game="beads", terms=Terms(opens_hands=True))
    path, _ = played(tmp_path, room)
    seen = read_log(read_game(path), keys_in(path, room)).observations
    assert len(seen) == len(room.replicas[0].play.events) + 1
    for seat, replica in enumerate(room.replicas):
        hand = replica.play.table.zones[2 + seat]
        assert [seen[-1][card] for card in hand] == [
            replica.play._dealing.observation[card] for card in hand
        ]
