"""The games of mine at which somebody is, recognised by what seats announce."""

from __future__ import annotations

from pathlib import Path

import pytest
from trio.testing import MockClock

from core.games import find_game
from p2p.base.identity import Identity
from p2p.base.limits import BEACON_EXPIRY_S
from p2p.base.roster import Roster, Seat, rules_id
from p2p.log.ledger import Ledger
from p2p.net.presence import new_presence
from p2p.table.finding import TAGS_MAX, Waiting, games_of, roster_in

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
        Ledger.create(tmp_path / f"{name}.hostless", roster).close()
    (tmp_path / "broken.hostless").write_bytes(b"hostless game 1\n\x00\x00\x00\x09nonsense!")
    (tmp_path / "empty.hostless").write_bytes(b"")
    return tmp_path


def test_only_whole_games_at_which_i_sit_are_mine(folder: Path) -> None:
    assert set(games_of(folder, ADA.public)) == {folder / "mine.hostless"}
    assert roster_in(folder / "broken.hostless") is None
    assert roster_in(folder / "nowhere.hostless") is None


async def test_a_game_is_offered_while_somebody_announces_a_seat_of_it(
    folder: Path, autojump_clock: MockClock
) -> None:
    waiting = Waiting(lambda: games_of(folder, ADA.public), ADA.public)
    roster = roster_in(folder / "mine.hostless")
    assert roster is not None
    berts = new_presence(roster.game_id(), 1, 4000)
    waiting.learn(berts)
    waiting.receive(berts)
    (game,) = waiting.games()
    assert (game.path.name, game.others, game.here) == ("mine.hostless", ("bert",), ("bert",))
    assert game.table_id == (b"\x01" * 8).hex()
    autojump_clock.jump(BEACON_EXPIRY_S + 0.1)
    assert waiting.games() == ()


async def test_neither_my_own_seat_nor_a_strangers_is_somebody_who_waits(folder: Path) -> None:
    waiting = Waiting(lambda: games_of(folder, ADA.public), ADA.public)
    for name, seat in (("mine", 0), ("other", 1)):
        roster = roster_in(folder / f"{name}.hostless")
        assert roster is not None
        heard = new_presence(roster.game_id(), seat, 4000)
        waiting.learn(heard)
        waiting.receive(heard)
    assert waiting.games() == ()


async def test_strangers_who_announce_without_end_make_nobody_read_files_for_ever() -> None:
    reads: list[int] = []

    def games() -> dict[Path, Roster]:
        reads.append(1)
        return {}

    waiting = Waiting(games, ADA.public)
    for _ in range(2 * TAGS_MAX):
        heard = new_presence(bytes(32), 0, 4000)
        if waiting.is_new(heard):
            waiting.learn(heard)
    assert len(reads) == TAGS_MAX
