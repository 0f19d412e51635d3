"""Open bots: nobody sits there, everybody says the same for them, and their hands lie open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from core.requests import Action
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.roster import BotTerms, DecisionPoint, new_open_seat
from p2p.crypto import entropy
from p2p.log.game_file import read_game
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import Gathering, TableChanged
from p2p.session.players import Players, decision_point_of
from p2p.session.session import Session
from tests.p2p.nodes import (
    HERE,
    PATIENCE_S,
    MakeSession,
    Person,
    check_same_clean_files,
    people,
)
from tests.p2p.outspoken import Outspoken
from tests.p2p.records import heard

pytestmark = pytest.mark.usefixtures("quick_proofs")

TABLE = OpenTable("carta", 3, bots=1, is_local=True, are_bots_open=True)


async def last_action(turn: DecisionPoint) -> Action:
    """How the open bots of these tests think."""
    return turn.game.legal_actions(turn.table, turn.seat, turn.observation)[-1]


async def measured(bot_terms: BotTerms, game: str, players: int) -> BotTerms:
    """What their machines say."""
    return BotTerms("last", bot_terms.level, 1)


def test_what_everybody_may_foretell_is_the_same_and_only_in_its_block() -> None:
    def drawn() -> tuple[bytes, list[int]]:
        return entropy.fresh_bytes(32), entropy.permutation(20)

    with entropy.known_to_all(b"seed"):
        first = drawn()
    with entropy.known_to_all(b"seed"):
        assert drawn() == first
    with entropy.known_to_all(b"another"):
        assert drawn() != first
    assert drawn() != first


def test_a_seat_is_open_if_its_identity_follows_from_its_nonce() -> None:
    seat = new_open_seat("nobody", BotTerms("last", "steady", 1))
    assert seat.is_open and seat != new_open_seat("nobody", BotTerms("last", "steady", 1))


def party(folder: Path, count: int = 2) -> list[Person]:
    """Persons whose machines can think for open bots."""
    persons = people(folder, count)
    for person in persons:
        person.config = replace(
            person.config,
            players=Players(person.decide, last_action),
            measure=measured,
            program="last",
        )
    return persons


async def play(persons: list[Person], table: OpenTable, cheat: MakeSession = Session) -> None:
    """A whole game, the last of them with a session of another make."""
    first, *others = persons
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, table)
            await first.until(lambda news: isinstance(news, Gathering))
            for person in others:
                join = JoinTable(f"{HERE}:{first.port}", is_local=True)
                make = cheat if person is others[-1] else Session
                nursery.start_soon(person.do, join, make)


@pytest.mark.slow
async def test_two_persons_play_with_a_bot_that_nobody_runs(tmp_path: Path) -> None:
    persons = party(tmp_path)
    await play(persons, TABLE)
    check_same_clean_files(persons)
    record = read_game(persons[0].path)
    assert record.roster.open_seats() == (2,)
    replica = heard(record)
    assert set(replica.play.opened) == {2}
    found = read_log(record, replica.play.opened.values()).decided
    assert len(found) > 5
    assert all(each.is_obedient and each.turn.bot_terms is not None for each in found)


@pytest.mark.slow
async def test_its_hand_is_seen_by_everybody_and_no_other_hand_is(tmp_path: Path) -> None:
    persons = party(tmp_path)
    await play(persons, TABLE)
    for me, person in enumerate(persons):
        shown = {seat: set[bool]() for seat in range(3)}
        for news in person.news:
            if isinstance(news, TableChanged) and news.view.to_act:
                for seat in range(3):
                    hand = news.view.zones[f"seat{seat}.hand"]
                    shown[seat] |= {card.face is not None for card in hand if not card.is_public}
        assert shown[2] == shown[me] == {True} and False in shown[1 - me]


@pytest.mark.slow
async def test_a_person_alone_plays_with_open_bots(tmp_path: Path) -> None:
    (person,) = party(tmp_path, 1)
    await play([person], replace(TABLE, bots=2))
    report = audit_file(person.path)
    assert report.holds and report.is_finished


class Forger(Outspoken):
    """Says other things in the name of the open seat, which anybody can sign."""

    async def _write_for_open_seat(self) -> bool:
        replica, said = self.replica, await super()._write_for_open_seat()
        for seat in replica.due_open_seats() if replica.step and replica.step.is_choice else ():
            turn = decision_point_of(replica, seat)
            action = turn.game.legal_actions(turn.table, seat, turn.observation)[0]
            await self.broadcast(["entry", replica.write(action, seat).raw])
        return said


@pytest.mark.slow
async def test_nobody_listens_to_what_others_say_in_its_name(tmp_path: Path) -> None:
    persons = party(tmp_path)
    await play(persons, TABLE, Forger)
    check_same_clean_files(persons)


async def test_a_machine_with_another_program_does_not_play_with_open_bots(tmp_path: Path) -> None:
    persons = party(tmp_path)
    persons[1].config = replace(persons[1].config, program="another")
    first, second = persons
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, TABLE)
            await first.until(lambda news: isinstance(news, Gathering))
            await second.do(JoinTable(f"{HERE}:{first.port}", is_local=True))
            first.stop()
    assert "a program that is not ours" in str(second.failure)
    assert not list(second.home.glob("games/*")), "no file of a game that was not played"
