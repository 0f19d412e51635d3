"""What is said about bots by guests, by openers and in files is refused where it arrives."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from core.bot_levels import BOT_LEVELS, ITERATIONS_MAX
from p2p.audit.audit import audit_file
from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.limits import MEASURE_S, Role
from p2p.base.roster import (
    BotTerms,
    Replacement,
    Roster,
    Seat,
    check_sponsors,
    parse_bot_terms,
    parse_roster,
)
from p2p.base.wire import encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import MAGIC
from p2p.net.announcements import TableAd
from p2p.net.link import Link
from p2p.table.gathering import SeatingList
from tests.p2p.nodes import HERE
from tests.p2p.room import make_roster
from tests.p2p.table.test_gathering import PORT, gathering_error

OURS = "hostless 18"
HOST, BOT, OTHER = (bytes([number]) * 32 for number in (1, 2, 3))
WRONG_BOT_TERMS = [
    ([OURS, "brutal", 10], "a bot's level is 'brutal', and we know gentle, steady, sharp"),
    ([OURS, "", 10], "a bot's level is ''"),
    ([OURS, "steady+brutal", 10], r"'steady\+brutal', and we know .* alone or with \+builder"),
    ([OURS, "steady+", 10], r"a bot's level is 'steady\+'"),
    ([OURS, "+builder", 10], r"a bot's level is '\+builder'"),
    ([OURS, "steady+builder+builder", 10], r"a bot's level is 'steady\+builder\+builder'"),
    ([OURS, "steady +builder", 10], r"a bot's level is 'steady \+builder'"),
    ([OURS, "steady", "builder", 10], "a bot is a program"),
    ([OURS, "steady", 10, "builder"], "a bot is a program"),
    ([OURS, "x" * 9000, 10], "a bot's level is 'x{39}, and"),
    ([OURS, "steady", 2_000_000], "2,000,000 iterations a choice, of at most 1,000,000"),
    ([OURS, "steady", -1], "-1 iterations"),
    ([OURS, "steady", True], "a bot is a program"),
    (["", "steady", 0], "a bot is a program"),
    (["", "", 7], "a bot is a program"),
    (["a\nb", "steady", 7], "cannot be shown"),
    (["x" * 33, "steady", 7], "cannot be shown"),
    ([OURS, ["steady"], 7], "a bot is a program"),
    ({}, "a bot is a program"),
]


@pytest.fixture
def roster() -> Roster:
    """Two persons and a bot, which the first of them runs."""
    identities = [Identity.generate() for _ in range(3)]
    made = make_roster("carta", identities, bots=(2,))
    one, two, bot = made.seats
    return replace(made, seats=(one, two, replace(bot, sponsor=one.identity)))


@pytest.mark.parametrize(("value", "complaint"), WRONG_BOT_TERMS)
def test_terms_that_nobody_could_keep_are_refused_and_named(value: object, complaint: str) -> None:
    with pytest.raises(MalformedFrame, match=complaint):
        parse_bot_terms(value)


def test_everything_that_a_bot_can_agree_on_is_read() -> None:
    for level in BOT_LEVELS:
        for iterations in (0, 1, ITERATIONS_MAX):
            bot_terms = BotTerms("another program 9", level, iterations)
            assert parse_bot_terms(bot_terms.plain()) == bot_terms
    assert parse_bot_terms(BotTerms().plain()) == BotTerms()


@pytest.mark.parametrize(("value", "complaint"), WRONG_BOT_TERMS)
def test_a_file_with_such_terms_is_refused_with_a_sentence(
    roster: Roster, value: object, complaint: str, tmp_path: Path
) -> None:
    plain = roster.plain()
    cast("list[list[object]]", plain[5])[2][3] = value
    path = tmp_path / "bent.hostless"
    path.write_bytes(MAGIC + frame(encode(["roster", plain])))
    with pytest.raises(GameFileError, match=f"byte {len(MAGIC)}: .*{complaint}"):
        audit_file(path)


@pytest.mark.parametrize(("value", "complaint"), WRONG_BOT_TERMS)
def test_a_replacement_with_such_terms_is_refused(
    roster: Roster, value: object, complaint: str
) -> None:
    plain = replace(roster, replacement=Replacement(BotTerms(OURS, "steady", 5))).plain()
    cast("list[list[object]]", plain)[7][0] = value
    with pytest.raises(MalformedFrame, match=complaint):
        parse_roster(plain)


@pytest.mark.parametrize("grace_s", [0, 4, 86_401, 1 << 40, -1, True])
def test_a_grace_that_no_table_can_have_is_refused(roster: Roster, grace_s: int) -> None:
    replacement = Replacement(BotTerms(OURS, "steady", 5), grace_s)
    with pytest.raises(MalformedFrame, match="a time of grace"):
        parse_roster(replace(roster, replacement=replacement).plain())


def test_no_game_begins_with_a_bot_that_nobody_has_measured(roster: Roster) -> None:
    """Its decisions could never be done again."""
    one, two, bot = roster.seats
    unmeasured = replace(bot, bot_terms=BotTerms(OURS, "steady", 0))
    with pytest.raises(MalformedFrame, match="how far c can think"):
        parse_roster(replace(roster, seats=(one, two, unmeasured)).plain())


def test_bots_are_run_by_persons_at_the_table(roster: Roster) -> None:
    one, two, bot = roster.seats
    other = replace(two, bot_terms=bot.bot_terms)
    check_sponsors(roster)
    check_sponsors(replace(roster, seats=(one, two, replace(bot, sponsor=b""))))
    for seats in (
        (one, two, replace(bot, sponsor=OTHER)),  # By nobody here,
        (one, replace(two, sponsor=one.identity), bot),  # a person, by another,
        (one, replace(other, sponsor=bot.identity), replace(bot, sponsor=other.identity)),
        (one, other, replace(bot, sponsor=other.identity)),  # and a bot by a bot.
        (one, two, replace(bot, sponsor=bot.identity)),  # By itself, and it is not open.
    ):
        with pytest.raises(MalformedFrame, match="is run by nobody at the table"):
            check_sponsors(replace(roster, seats=seats))


# ---- at the door of an opener ----


class Caller:
    """A guest that says these things and then waits."""

    remote_host, peer = HERE, BOT

    def __init__(self, *said: object) -> None:
        self._said, self.heard = list(said), list[object]()

    def become(self, role: Role) -> None:
        self.role = role

    async def send(self, value: object) -> None:
        self.heard.append(value)

    async def receive(self) -> object:
        await trio.lowlevel.checkpoint()
        if self._said:
            return self._said.pop(0)
        raise trio.EndOfChannel

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


def open_seats() -> SeatingList:
    """A table of three that waits for two."""
    ad = TableAd("ab" * 8, "table", "carta", 3, 1, HOST, HERE, PORT)
    return SeatingList(ad, (), Seat(HOST, "host", bytes(32)), lambda: None)


def sits(bot_terms: BotTerms | None, sponsor: bytes) -> list[object]:
    """The words of a bot that sits down."""
    return ["sit", "robot", bytes(32), bot_terms and bot_terms.plain(), sponsor, PORT]


@pytest.mark.parametrize("sponsor", [BOT, OTHER])
@pytest.mark.parametrize("bot_terms", [BotTerms(OURS, "steady", 9), None])
async def test_a_guest_that_somebody_else_is_said_to_run_gets_no_seat(
    sponsor: bytes, bot_terms: BotTerms | None
) -> None:
    """All would refuse the roster in the end, and the table would never begin."""
    caller, seats = Caller(), open_seats()
    await seats.admit(cast(Link, caller), sits(bot_terms, sponsor))
    assert caller.heard == [
        ["refused", "a bot is run by whoever opened the table, or by nobody there"]
    ]
    assert not seats.guests


async def test_a_bot_does_not_take_the_seat_of_a_person_whom_escrow_needs() -> None:
    """All would refuse the roster in the end: with two persons one would have the other's key."""
    seats, caller = open_seats(), Caller()
    seats.is_escrowed = True
    await seats.admit(cast(Link, caller), sits(BotTerms(OURS, "steady", 9), b""))
    assert caller.heard == [["refused", "keys are in escrow here, so this seat is for a person"]]
    assert not seats.guests


async def test_a_stranger_on_another_machine_is_no_bot_of_the_opener() -> None:
    """It would have a seat that is kept for others, with the opener's name beside it."""
    seats, caller = open_seats(), Caller()
    seats.kept_for = {OTHER: "other"}
    caller.remote_host = "10.0.66.6"
    await seats.admit(cast(Link, caller), sits(BotTerms(OURS, "steady", 9), HOST))
    assert caller.heard == [
        ["refused", "a bot is run by whoever opened the table, or by nobody there"]
    ]


class Waiting(Caller):
    """A bot that takes a seat and says no more, or something in time."""

    async def receive(self) -> object:
        await trio.sleep(MEASURE_S - 1 if self._said else math.inf)
        return self._said.pop(0)


async def test_a_bot_that_never_says_how_far_it_thinks_does_not_hold_up_the_table(
    autojump_clock: MockClock,
) -> None:
    """A table with a bot that is not measured is not full, so one message held back is enough."""
    seats, began = open_seats(), trio.current_time()
    sitting = sits(BotTerms(OURS, "steady", 0), HOST)
    await seats.admit(cast(Link, Waiting()), sitting)
    assert not seats.guests and trio.current_time() - began == MEASURE_S
    with trio.move_on_after(10 * MEASURE_S):
        await seats.admit(cast(Link, Waiting(["mind", [OURS, "steady", 700]])), sitting)
    assert len(seats.guests) == 1, "whoever has said it may wait for others as long as it takes"


@pytest.mark.parametrize(
    "said",
    [[OURS, "sharp", 9], [OURS, "steady+builder", 9], ["", "", 0], [OURS, "steady", 0]],
)
async def test_a_bot_only_says_how_far_it_can_think(said: list[object]) -> None:
    seats, shown = open_seats(), list[object]()
    seats.changed = lambda: shown.append(
        [seat and seat.bot_terms for seat in seats._taken().values()]
    )
    wanted = BotTerms(OURS, "steady", 0)
    await seats.admit(cast(Link, Caller(["mind", said])), sits(wanted, HOST))
    assert shown == [[None, wanted], [None]], "another bot than the one that sat down leaves"
    shown.clear()
    good = ["mind", [OURS, "steady", 700]]
    await seats.admit(cast(Link, Caller(good)), sits(wanted, HOST))
    assert shown == [[None, wanted], [None, replace(wanted, iterations=700)], [None]]


# ---- at the table of somebody else ----


@pytest.mark.parametrize(("value", "complaint"), WRONG_BOT_TERMS)
async def test_a_guest_is_told_what_is_wrong_with_a_bot_of_the_table(
    value: object, complaint: str
) -> None:
    host = Identity.generate()
    seats: list[object] = [["host", host.public, None, b""], ["robot", BOT, value, host.public]]
    with pytest.raises(AssertionError, match=complaint):
        raise AssertionError(await gathering_error(host, seats))


async def test_a_table_with_other_seats_than_announced_is_left() -> None:
    host = Identity.generate()
    seats: list[object] = [["host", host.public, None, b""]]
    assert "other seats" in await gathering_error(host, seats)


@pytest.mark.parametrize("seat", [-1, 2, 1 << 40])
async def test_nobody_is_given_a_seat_that_is_not_there(seat: int) -> None:
    host = Identity.generate()
    seats: list[object] = [["host", host.public, None, b""], ["", b"", None, b""]]
    assert "other seats" in await gathering_error(host, seats, seat=seat)


@pytest.mark.parametrize(("game", "complaint"), [("go", "no game is called 'go'"), ("carta", "8")])
async def test_a_table_whose_game_we_do_not_have_is_left(game: str, complaint: str) -> None:
    host = Identity.generate()
    seats: list[object] = [["host", host.public, None, b""], *[["", b"", None, b""]] * 7]
    assert complaint in await gathering_error(host, seats, game=game, count=8)
