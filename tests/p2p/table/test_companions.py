"""My bots at a table: one that ends is said and started again, but not for ever."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import find_game
from p2p.base.roster import Roster, Seat, rules_id
from p2p.log.game_file import GameFile
from p2p.net.announcements import TableAd
from p2p.session.news import BotEnded, BotNext
from p2p.table.companions import (
    _TRIES,
    _TRIES_PERIOD_S,
    PAUSE_FIRST_S,
    SIT_DOWN_S,
    Companions,
    OpenedTable,
    ResumedTable,
)
from p2p.table.gathering import SeatedGuest, SeatingList
from tests.p2p.table.test_gathering import Slow

ME = bytes(32)
BOT = "Mistral"
WORDS = ["127.0.0.1:1"]


class Bots:
    """Starts bots that do what a test says: each life is (seconds, why it ends)."""

    def __init__(self, *lives: tuple[float, str]) -> None:
        self.lives = list(lives)
        self.errands: list[list[str]] = []
        self.cancelled = 0

    def name_of(self, number: int) -> str:
        return BOT

    async def run(self, number: int, errand: Sequence[str], password: str) -> str:
        self.errands.append(list(errand))
        seconds, reason = self.lives.pop(0)
        try:
            await trio.sleep(seconds)
        except trio.Cancelled:
            self.cancelled += 1
            raise
        return reason


def a_table(seats: int = 3) -> SeatingList:
    ad = TableAd("ab" * 8, "table", "carta", seats, 1, ME, "127.0.0.1", 1)
    return SeatingList(ad, (), Seat(ME, "host", bytes(32)), lambda: None)


def two_games() -> tuple[Roster, Roster]:
    rules = rules_id(find_game("carta"))
    keys = bytes([1]) * 32, bytes([2]) * 32
    one, two = (tuple(Seat(key, "p", nonce) for key in keys) for nonce in keys)
    return Roster("carta", rules, (), "a table", one), Roster("carta", rules, (), "a table", two)


def sit(seats: SeatingList, index: int, name: str, sponsor: bytes = b"") -> None:
    """Somebody has taken a seat."""
    link = Slow()
    seats.guests[index] = SeatedGuest(
        Seat(link.peer, name, bytes(32), None, sponsor),
        link,  # type: ignore[arg-type]
        ("127.0.0.1", 1),
    )


async def kept(bots: Bots, place: OpenedTable | ResumedTable) -> list[BotEnded]:
    """What is said of a bot until it is given up or has done its work."""
    told: list[BotEnded] = []
    await Companions(bots, told.append).keep(0, place)
    return told


async def test_a_bot_that_plays_to_the_end_is_not_started_again(autojump_clock: MockClock) -> None:
    bots = Bots((600.0, ""))
    assert await kept(bots, ResumedTable({0: Path("game")})) == []
    assert bots.errands == [["--resume", "game"]]


async def test_a_bot_that_dies_while_the_table_fills_sits_down_anew(
    autojump_clock: MockClock,
) -> None:
    bots, seats = Bots((1.0, "ended by SIGKILL"), (600.0, "")), a_table()
    sit(seats, 1, BOT, ME)
    told = await kept(bots, OpenedTable(seats, WORDS, is_local=True))
    assert told == [BotEnded(BOT, "ended by SIGKILL", BotNext.AGAIN)]
    assert bots.errands == [WORDS, WORDS]
    assert trio.current_time() == 601 + PAUSE_FIRST_S


async def test_in_a_game_it_goes_on_with_its_own_file_whatever_that_is_called(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    roster, other = two_games()
    for name, each in (("any name", roster), (f"carta-{roster.game_id.hex()}", other)):
        GameFile.create(tmp_path / f"bots/0/games/{name}.hostless", each).close()
    bots, seats = Bots((10.0, "ended by SIGKILL"), (600.0, "")), a_table()
    sit(seats, 1, BOT, ME)
    place = OpenedTable(seats, WORDS, is_local=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(kept, bots, place)
        await trio.sleep(5)
        place.begin(tmp_path, roster.game_id)
    file = tmp_path / "bots/0/games/any name.hostless"
    assert bots.errands == [WORDS, ["--resume", str(file)]]


@pytest.mark.parametrize(("is_local", "then"), [(True, BotNext.OPEN), (False, BotNext.FREE)])
async def test_a_bot_that_dies_again_and_again_is_given_up_with_what_helps(
    is_local: bool, then: BotNext, autojump_clock: MockClock
) -> None:
    bots = Bots(*[(1.0, "exit code 1")] * (_TRIES + 1))
    told = await kept(bots, OpenedTable(a_table(), WORDS, is_local=is_local))
    assert [each.then for each in told] == [BotNext.AGAIN] * _TRIES + [then]
    assert not bots.lives


async def test_tries_that_are_long_past_do_not_count(autojump_clock: MockClock) -> None:
    lives = [(_TRIES_PERIOD_S, "ended by SIGSEGV")] * (3 * _TRIES)
    told = await kept(Bots(*lives, (1.0, "")), ResumedTable({0: Path("game")}))
    assert {each.then for each in told} == {BotNext.AGAIN} and len(told) == 3 * _TRIES


async def test_a_bot_that_never_takes_a_seat_is_ended_and_tried_again(
    autojump_clock: MockClock,
) -> None:
    bots = Bots(*[(10_000.0, "")] * 2)
    told: list[BotEnded] = []
    with trio.move_on_after(2 * SIT_DOWN_S):
        await Companions(bots, told.append).keep(0, OpenedTable(a_table(), WORDS, is_local=False))
    assert [each.reason for each in told] == ["no seat taken within 30 s"]
    assert bots.cancelled == 2, "the last of them by the table's own end"


async def test_a_bot_whose_seat_somebody_else_has_is_not_needed(
    autojump_clock: MockClock,
) -> None:
    seats = a_table(2)
    sit(seats, 1, "grace")
    bots = Bots((1.0, "no seat: the table is full"))
    assert await kept(bots, OpenedTable(seats, WORDS, is_local=False)) == []
    assert bots.errands == []


async def test_a_guest_that_leaves_while_the_opener_measures_frees_its_seat() -> None:
    seats = a_table(2)
    seats.is_ready = False
    sit(seats, 1, BOT, ME)
    seats.close_if_full()
    assert not seats.is_closed and not seats.full.is_set()
    seats.guests.clear()
    seats.is_ready = True
    seats.close_if_full()
    assert not seats.full.is_set() and seats.has_room()
