"""Silence is told at once: who is away, what comes next, and in how many seconds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.limits import MEET_S
from p2p.base.roster import Replacement
from p2p.log.secrets_file import SecretsFile
from p2p.session.news import AwayNext
from p2p.session.reachability import GATHER_S, SAME_MOMENT_S, START_S
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, ESCROW, OpenRoom, kind_is
from tests.p2p.room import BOT_TERMS, with_sponsors
from tests.p2p.session.tables import QuietTable, failure_detector_at

GRACE_S = ESCROW.grace_s
ALL = {1, 2, 3}


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Sitting:
    """Seat 0 at a table where all others have been in reach."""

    def __init__(
        self, folder: Path, players: int = 4, replacement: Replacement | None = BOT
    ) -> None:
        self.table = OpenRoom(players, replacement=replacement)
        self.table.run(kind_is("roll"))
        secrets = SecretsFile.create(folder / "game.secret")
        self.session = QuietTable(self.table.replicas[0], (), secrets)
        self.failure_detector, self.relaying = failure_detector_at(self.session)
        self.failure_detector.begin()

    async def told(self, links: set[int], missed: dict[int, list[object]] | None = None) -> object:
        """What is told when these seats are linked: (seat, what comes next, seconds)."""
        for seat, seats in (missed or {}).items():
            await self.relaying.receive(seat, seats)
        for seat in self.session.links.keys() - links:
            self.failure_detector.note_lost(seat)
        self.session.link(links)
        await self.failure_detector.progress()
        return [
            (away.seat, away.then, None if away.left_s is None else round(away.left_s, 3))
            for away in self.failure_detector.away()
        ]


async def test_a_seat_is_said_to_be_away_as_soon_as_its_link_breaks(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path)
    assert await at.told(ALL) == []
    missed: dict[int, list[object]] = {1: [3], 2: [3]}
    assert await at.told({1, 2}, missed) == [(3, AwayNext.REPLACED, GRACE_S)]
    await trio.sleep(18)
    assert await at.told({1, 2}) == [(3, AwayNext.REPLACED, GRACE_S - 18)]
    assert await at.told(ALL) == []


async def test_what_a_neighbour_said_before_its_link_broke_says_nothing_once_it_is_back(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """With the own cable back, and another's still out, the other was said to be back as well."""
    at = Sitting(tmp_path)
    none: list[object] = []
    assert await at.told(ALL, {1: none, 2: none, 3: none}) == []
    assert len(cast("list[object]", await at.told(set()))) == len(ALL)
    await trio.sleep(GRACE_S)
    one_back = await at.told({1})
    assert one_back == [(2, AwayNext.FEWER, None), (3, AwayNext.FEWER, None)], "1 has not said yet"
    missed: dict[int, list[object]] = {1: [3], 2: [3]}
    assert await at.told({1, 2}, missed) == [(3, AwayNext.REPLACED, GATHER_S)], "no new grace for 3"


async def test_nobody_can_be_replaced_while_two_are_away(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path)
    await at.told(ALL)
    missed: dict[int, list[object]] = {1: [2, 3]}
    assert await at.told({1}, missed) == [(2, AwayNext.FEWER, None), (3, AwayNext.FEWER, None)]
    await trio.sleep(GRACE_S + 5)
    back: dict[int, list[object]] = {1: [3], 2: [3]}
    assert await at.told({1, 2}, back) == [(3, AwayNext.REPLACED, GATHER_S)], "all may meet first"


async def test_who_is_left_alone_is_told_when_that_can_be_claimed(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 2)
    await at.told({1})
    assert await at.told(set()) == [(1, AwayNext.LEFT, GRACE_S)]
    await trio.sleep(GRACE_S - 1)
    assert at.failure_detector.claiming.silence() is None
    await trio.sleep(1)
    assert await at.told(set()) == [(1, AwayNext.LEFT, 0)]
    assert at.failure_detector.claiming.silence() is not None, "in that very second"


async def test_who_is_left_with_bots_of_ones_own_is_left_alone(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """They would agree to whatever their owner wants."""
    at = Sitting(tmp_path, 4)
    at.session.replica.roster = with_sponsors(at.session.replica.roster, {1: 0, 2: 0})
    await at.told(ALL)
    missed: dict[int, list[object]] = {1: [3], 2: [3]}
    assert await at.told({1, 2}, missed) == [(3, AwayNext.LEFT, GRACE_S)]
    await trio.sleep(GRACE_S)
    assert not at.failure_detector.may_do_without(3), "so nobody proposes anything"
    silence = at.failure_detector.claiming.silence()
    assert silence is not None and len(silence.names) == 1


async def test_with_escrow_a_table_of_two_who_are_left_replaces_the_third(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 3, ESCROW)
    await at.told({1, 2})
    missed: dict[int, list[object]] = {1: [2]}
    assert await at.told({1}, missed) == [(2, AwayNext.REPLACED, GRACE_S)]


async def test_where_no_bot_was_agreed_on_nobody_plays_on(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 3, None)
    await at.told({1, 2})
    assert await at.told({1}, {1: [2]}) == [(2, AwayNext.NOBODY, None)]


async def test_at_the_beginning_all_have_the_time_to_meet(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 3)
    assert await at.told({1}, {1: [2]}) == []
    await trio.sleep(MEET_S)
    assert [seat for seat, *_ in cast("list[tuple[int]]", await at.told({1}))] == [2]


async def test_a_bot_of_mine_that_is_silent_is_being_started_and_is_away_if_that_takes_long(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 3, ESCROW)
    replica = at.session.replica
    me, other, bot = replica.roster.seats
    mine = replace(bot, sponsor=me.identity)
    replica.roster = replace(replica.roster, seats=(me, other, mine))
    await trio.sleep(MEET_S)
    assert await at.told({1}, {1: [2]}) == [(2, AwayNext.STARTED, None)]
    assert await at.told(set()) == [(1, AwayNext.REPLACED, GRACE_S), (2, AwayNext.STARTED, None)]
    await trio.sleep(START_S)
    assert [then for _, then, _ in cast("list[tuple[int, AwayNext, int]]", await at.told({1}))] == [
        AwayNext.REPLACED
    ]


async def test_a_seat_for_which_a_bot_plays_stays_its_owners(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 3, ESCROW)
    await at.told({1, 2})
    at.table.lose(2)
    at.table.run()
    at.table.remove(2)
    assert await at.told({1}, {1: [2]}) == [(2, AwayNext.PLAYED, None)]
    replica = at.session.replica
    me, other, gone = replica.roster.seats
    bot = replace(gone, bot_terms=BOT_TERMS, sponsor=other.identity)
    replica.roster = replace(replica.roster, seats=(me, other, bot))
    assert await at.told({1}, {1: [2]}) == [], "a bot is nobody who comes back"


def next_of(told: object) -> set[AwayNext]:
    """What comes next for those who are away."""
    return {then for _, then, _ in cast("list[tuple[int, AwayNext, int]]", told)}


async def test_a_machine_on_no_network_is_the_one_that_is_away(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path)
    await at.told(ALL)
    at.relaying.places.give([("10.77.0.2", 4000)])
    at.failure_detector.note_network(is_alone=True)
    assert await at.told(ALL) == [], "nobody is missed yet"
    assert next_of(await at.told(set())) == {AwayNext.CUT_OFF}


async def test_after_a_cut_of_its_own_all_have_the_time_to_meet_once_more(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path)
    await at.told(ALL)
    at.relaying.places.give([("10.77.0.2", 4000)])
    at.failure_detector.note_network(is_alone=True)
    await at.told(set())
    await trio.sleep(GRACE_S + 5)
    at.failure_detector.note_network(is_alone=False)
    assert await at.told(set()) == [], "no link can be there yet"
    assert at.failure_detector.claiming.silence() is None
    await trio.sleep(MEET_S)
    left = [(seat, AwayNext.LEFT, GRACE_S - MEET_S) for seat in sorted(ALL)]
    assert await at.told(set()) == left, "their silence is counted from then on"


async def test_a_machine_that_is_on_a_network_is_not_asked_for_its_cable(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path)
    await at.told(ALL)
    at.failure_detector.note_network(is_alone=False)
    at.session.links.clear()
    for seat in sorted(ALL):
        at.failure_detector.note_lost(seat, is_silent=True)
    assert next_of(await at.told(set())) == {AwayNext.LEFT}


async def test_where_all_play_on_one_machine_loopback_is_network_enough(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path)
    await at.told(ALL)
    at.relaying.places.give([("127.0.0.1", 4000)])
    at.failure_detector.note_network(is_alone=True)
    assert next_of(await at.told(set())) == {AwayNext.LEFT}


@pytest.mark.parametrize(
    ("apart_s", "silent", "then"),
    [
        (SAME_MOMENT_S / 2, ALL, AwayNext.AT_ONCE),
        (SAME_MOMENT_S * 2, ALL, AwayNext.LEFT),
        (SAME_MOMENT_S / 2, {1, 2}, AwayNext.LEFT),  # The third has said goodbye.
        (SAME_MOMENT_S / 2, set[int](), AwayNext.LEFT),
    ],
)
async def test_when_all_others_fall_silent_at_one_moment_it_may_be_me(
    autojump_clock: MockClock, tmp_path: Path, apart_s: float, silent: set[int], then: AwayNext
) -> None:
    at = Sitting(tmp_path)
    await at.told(ALL)
    at.session.links.clear()
    for seat in sorted(ALL):
        at.failure_detector.note_lost(seat, is_silent=seat in silent)
        await trio.sleep(apart_s / len(ALL))
    assert next_of(await at.told(set())) == {then}
    assert next_of(await at.told({1}, {1: [2, 3]})) == {AwayNext.FEWER}, "one is here"


async def test_one_other_person_who_falls_silent_is_away(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Sitting(tmp_path, 2)
    await at.told({1})
    at.session.links.clear()
    at.failure_detector.note_lost(1, is_silent=True)
    assert next_of(await at.told(set())) == {AwayNext.LEFT}
