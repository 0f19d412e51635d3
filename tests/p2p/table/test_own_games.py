"""The games of mine at which somebody is, recognised by what seats announce."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from trio.testing import MockClock

from core.games import find_game
from p2p.base.entry import DIGEST_BYTES, Position, sign_entry
from p2p.base.identity import Identity
from p2p.base.limits import BEACON_EXPIRY_S, TAGS_SEEN_MAX
from p2p.base.roster import Roster, Seat, rules_id
from p2p.log.game_file import GameFile
from p2p.net.presence import new_presence
from p2p.table.kept_games import (
    TURN_SUFFIX,
    ListedGame,
    file_stem,
    games_of,
    look_into,
    note_left_by_all,
    noted_turn,
    open_tables,
    roster_in,
)
from p2p.table.own_games import OwnGamesTracker

ADA, BERT, EVE = Identity.generate(), Identity.generate(), Identity.generate()


def a_roster(*people: tuple[Identity, str], nonce: int = 1) -> Roster:
    seats = tuple(Seat(each.public, name, bytes([nonce]) * 32) for each, name in people)
    return Roster("carta", rules_id(find_game("carta")), (), "a table", seats, False, None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = {
        "mine": a_roster((ADA, "ada"), (BERT, "bert")),
        "other": a_roster((EVE, "eve"), (BERT, "bert"), nonce=2),
    }
    for name, roster in games.items():
        GameFile.create(tmp_path / f"{name}.hostless", roster).close()
    (tmp_path / "broken.hostless").write_bytes(b"hostless game 3\n\x00\x00\x00\x09nonsense!")
    (tmp_path / "empty.hostless").write_bytes(b"")
    return tmp_path


def test_only_whole_games_at_which_i_sit_are_mine(folder: Path) -> None:
    assert set(games_of(folder, ADA.public)) == {folder / "mine.hostless"}
    assert roster_in(folder / "broken.hostless") is None
    assert roster_in(folder / "nowhere.hostless") is None


def test_a_file_that_goes_away_while_the_lobby_looks_is_no_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [*folder.glob("*.hostless")]
    (folder / "other.hostless").unlink()
    monkeypatch.setattr(Path, "glob", lambda self, pattern: iter(found))
    assert set(games_of(folder, ADA.public)) == {folder / "mine.hostless"}


async def test_a_game_is_offered_while_somebody_announces_a_seat_of_it(
    folder: Path, autojump_clock: MockClock
) -> None:
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    roster = roster_in(folder / "mine.hostless")
    assert roster is not None
    berts = new_presence(roster.game_id, 1, 4000)
    tracker.learn(berts)
    tracker.receive(berts)
    (game,) = tracker.games()
    assert (game.path.name, game.others, game.here) == ("mine.hostless", ("bert",), ("bert",))
    assert game.table_id == (b"\x01" * 8).hex()
    autojump_clock.jump(BEACON_EXPIRY_S + 0.1)
    assert [game.here for game in tracker.games()] == [()]


async def test_whoever_leaves_is_not_there_any_more_at_once(folder: Path) -> None:
    """Copies of what it said before keep it there no longer; at its return it says another."""
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    roster = roster_in(folder / "mine.hostless")
    assert roster is not None
    before, back = (new_presence(roster.game_id, 1, 4000) for _ in range(2))
    tracker.lose(before.salt)  # Of which nothing was known: nothing happens.
    for said, is_there in ((before, True), (None, False), (before, False), (back, True)):
        if said is None:
            tracker.lose(before.salt)
        else:
            if tracker.is_new(said):
                tracker.learn(said)
            tracker.receive(said)
        assert [game.here for game in tracker.games()] == [("bert",) if is_there else ()]


async def test_neither_my_own_seat_nor_a_strangers_is_somebody_who_waits(folder: Path) -> None:
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    for name, seat in (("mine", 0), ("other", 1)):
        roster = roster_in(folder / f"{name}.hostless")
        assert roster is not None
        heard = new_presence(roster.game_id, seat, 4000)
        tracker.learn(heard)
        tracker.receive(heard)
    assert [(game.here, game.am_i_there) for game in tracker.games()] == [((), True)]


async def test_what_a_program_says_of_itself_is_no_other_program_of_mine(folder: Path) -> None:
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    tracker.look()
    roster = roster_in(folder / "mine.hostless")
    assert roster is not None
    own = new_presence(roster.game_id, 0, 4000)
    tracker.ignore(own)
    assert not tracker.is_new(own)
    tracker.receive(own)
    assert [game.am_i_there for game in tracker.games()] == [False]


async def test_strangers_who_announce_without_end_make_nobody_read_files_for_ever() -> None:
    reads: list[int] = []

    def games() -> dict[Path, ListedGame]:
        reads.append(1)
        return {}

    tracker = OwnGamesTracker(games, ADA.public)
    for _ in range(2 * TAGS_SEEN_MAX):
        heard = new_presence(bytes(32), 0, 4000)
        if tracker.is_new(heard):
            tracker.learn(heard)
    assert len(reads) == TAGS_SEEN_MAX


async def test_a_game_that_is_not_over_says_when_it_was_played_and_whose_turn_it_was(
    folder: Path,
) -> None:
    path = folder / "mine.hostless"
    os.utime(path, (1000, 1000))
    path.with_suffix(TURN_SUFFIX).write_text("[1]")
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    assert tracker.games() == ()
    tracker.look()
    (game,) = tracker.games()
    assert (game.others, game.here, game.last_at) == (("bert",), (), 1000)
    assert (game.to_act, game.is_my_turn) == (("bert",), False)
    path.with_suffix(TURN_SUFFIX).write_text("[0, 7]")
    tracker.look()
    assert tracker.games()[0].is_my_turn and not tracker.games()[0].to_act


async def test_a_game_that_all_have_left_for_good_is_over_and_not_offered(folder: Path) -> None:
    """Whoever went on there was told each time that nobody can."""
    path = folder / "mine.hostless"
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    tracker.look()
    assert [game.path for game in tracker.games()] == [path]
    note_left_by_all(path)
    tracker.look()
    assert tracker.games() == ()
    kept = look_into(path)
    assert kept is not None and kept.is_over and kept.is_left_by_all
    assert noted_turn(path) == () and not open_tables(folder, ADA.public)


async def test_while_others_are_there_whose_turn_it_is_is_read_again(folder: Path) -> None:
    """Another program of mine may sit there, and write it down."""
    tracker = OwnGamesTracker(lambda: games_of(folder, ADA.public), ADA.public)
    path = folder / "mine.hostless"
    roster = roster_in(path)
    assert roster is not None
    berts = new_presence(roster.game_id, 1, 4000)
    tracker.learn(berts)
    tracker.receive(berts)
    for note, is_mine in (("[1]", False), ("[0]", True)):
        path.with_suffix(TURN_SUFFIX).write_text(note)
        assert [game.is_my_turn for game in tracker.games()] == [is_mine]


@pytest.mark.parametrize("note", ["", "no list", "{}", '["1"]', "[" * 5000])
def test_a_note_that_cannot_be_read_names_nobody(folder: Path, note: str) -> None:
    path = folder / "mine.hostless"
    path.with_suffix(TURN_SUFFIX).write_text(note)
    assert noted_turn(path) == ()


@pytest.mark.parametrize("acks", [0, 1, 2])
@pytest.mark.parametrize(("kind", "is_over"), [("choose", False), ("finish", True)])
def test_a_game_is_over_when_its_log_ends_with_the_result(
    folder: Path, kind: str, is_over: bool, acks: int
) -> None:
    """Also when it is noted behind it by what all have acknowledged the result."""
    roster = roster_in(folder / "mine.hostless")
    assert roster is not None
    game_file = GameFile.create(folder / "more.hostless", roster)
    for height, each in enumerate(("key", kind)):
        at = Position(height, roster.game_id, bytes(DIGEST_BYTES))
        game_file.append(sign_entry(ADA, roster.game_id, (0, 0), at, [each, None]).raw)
    for _ in range(acks):
        game_file.acknowledge([bytes(64), None])
    game_file.close()
    with (folder / "more.hostless").open("ab") as file:
        file.write(b"\x00\x00\x00\x09torn")
    kept = look_into(folder / "more.hostless")
    assert kept is not None and kept.is_over == is_over


def test_a_file_is_named_after_the_day_the_game_and_the_opponents() -> None:
    roster = a_roster((ADA, "ada"), (BERT, "bert / o'neil"), (EVE, "이브"))
    stem = file_stem(roster, ADA.public, time.mktime((2026, 11, 23, 12, 0, 0, 0, 0, -1)))
    assert stem == f"2026-11-23-carta-bert-o-neil-이브-{roster.game_id.hex()[:8]}"
    crowd = [(Identity.generate(), "나" * 32) for _ in range(6)]
    assert len(file_stem(a_roster((ADA, "ada"), *crowd), ADA.public, 0).encode()) < 150
