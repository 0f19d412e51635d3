"""Bots say by which part of a budget they go on, before anybody knows the lots they decide by."""

from __future__ import annotations

import pytest

from core.bot_levels import PARTS
from core.table import RulesError
from p2p.audit.findings import Decided
from p2p.audit.game import read_log
from p2p.game.hurry import WHOLE, Hurry, parse_part, plain_part
from p2p.log.replica import Replica
from p2p.session.players import decision_point_of
from tests.p2p.log.test_every_entry import body_of, entry_with, is_refused, receive, room_before
from tests.p2p.records import record_of
from tests.p2p.room import Room, Terms

BOT = 1


def table(seed: int) -> Room:
    """A person and a bot at Carta."""
    return Room(2, seed=seed, terms=Terms((BOT,)))


def opened(room: Room) -> list[Decided]:
    """What the bot of a finished game decided, as whoever audits reads it."""
    record = record_of(room.replicas[0], [])
    found = read_log(record, read_log(record).opened.values())
    assert found.is_signed and not found.guilty, found.stopped
    return [each for each in found.decided if each.turn.seat == BOT]


@pytest.mark.parametrize("part", PARTS)
def test_what_a_bot_says_can_be_read_again(part: int) -> None:
    assert parse_part(plain_part(part), may_hurry=True) == part


def test_the_whole_is_said_by_saying_nothing() -> None:
    assert plain_part(WHOLE) == []


@pytest.mark.parametrize(
    "said", [[1], [0], [2], [-3], [11], [1 << 40], [True], [None], ["3"], [b"\3"], [[3]], [3, 3]]
)
def test_there_are_no_other_parts_and_no_other_words_for_them(said: list[object]) -> None:
    with pytest.raises(RulesError, match="no bot may say"):
        parse_part(said, may_hurry=True)


@pytest.mark.parametrize("part", PARTS[1:])
def test_where_no_bot_thinks_nobody_is_in_a_hurry(part: int) -> None:
    with pytest.raises(RulesError, match="no bot may say"):
        parse_part([part], may_hurry=False)


def test_what_is_said_counts_from_the_next_lots_on() -> None:
    hurry = Hurry()
    hurry.note(BOT, 10)
    assert hurry.part_of(BOT) == WHOLE, "its lots were known when it said so"
    hurry.draw()
    hurry.note(BOT, 3)
    assert (hurry.part_of(BOT), hurry.part_of(0)) == (10, WHOLE)
    hurry.draw()
    assert hurry.part_of(BOT) == 3


def test_a_bot_says_each_time_by_which_part_it_goes_on(seed: int) -> None:
    """Those who play and whoever audits agree on what counts, choice by choice."""
    room, counted = table(seed), list[int]()
    bot = room.replicas[BOT]

    def hurry(replica: Replica, actions: list[object]) -> object:
        if replica is bot:
            counted.append(decision_point_of(replica, BOT).part)
            bot.play.next_part = PARTS[len(counted) % len(PARTS)]
        return room.rng.choice(actions)

    room.chooser = hurry  # type: ignore[assignment]
    room.run()
    assert [each.turn.part for each in opened(room)] == counted
    assert counted[0] == WHOLE and set(counted) == set(PARTS)


def test_nothing_that_is_said_under_some_lots_changes_what_counts_under_them(seed: int) -> None:
    room = table(seed)
    bot = room.replicas[BOT]
    bot.play.next_part = PARTS[-1]
    room.run()
    lots = [each.height for each in bot.log if each.kind == "lot"]
    said = [each.height for each in bot.log if each.kind == "choose" and each.seat == BOT]
    for each in opened(room):
        drawn = max(at for at in lots if at < each.height)
        assert each.turn.part == (PARTS[-1] if said[0] < drawn else WHOLE)


def test_whoever_starts_again_knows_what_the_bot_had_said(seed: int) -> None:
    room = table(seed)
    bot = room.replicas[BOT]
    bot.play.next_part = PARTS[-1]
    room.run(lambda each: each.play.part_of(BOT) != WHOLE)
    again = Replica(room.roster, bot.identity, room.vaults[BOT])
    receive(room, again, [each.raw for each in bot.log])
    assert again.play.part_of(BOT) == PARTS[-1]


@pytest.mark.parametrize("said", [[1], [2], [-3], ["third"], [3, 10]])
def test_a_forged_part_is_refused_and_a_bots_own_is_not(said: list[object], seed: int) -> None:
    room = room_before("choose", BOT, table(seed))
    body = body_of(room, BOT)
    assert isinstance(body, list)
    assert not is_refused(room.replicas[0], BOT, [*body, 3])
    assert is_refused(room.replicas[0], BOT, [*body, *said])
    found = read_log(
        record_of(room.replicas[BOT], [entry_with(room.replicas[BOT], [*body, *said])])
    )
    assert list(found.guilty) == [BOT] and "budget" in found.guilty[BOT].reason


def test_a_bot_that_has_been_replaced_decides_by_its_whole_budget(seed: int) -> None:
    room = table(seed)
    bot = room.replicas[BOT]
    bot.play.next_part = PARTS[-1]
    room.run(lambda each: each.play.part_of(BOT) != WHOLE)
    play = room.replicas[0].play
    play.open_seats.add(BOT)
    assert play.part_of(BOT) == WHOLE and not play._may_hurry(BOT)
