"""Bots nobody has to trust: what a sponsor does to its bot comes out when the key is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.bot_terms import PROGRAM, Repeater, do_again, is_repeatable, new_bot_terms
from core.requests import Action
from p2p.audit.audit import Report, audit_file
from p2p.base.roster import BotTerms
from p2p.log.ledger import Ledger
from p2p.log.replica import Replica
from p2p.session.players import turn_of
from tests.p2p.room import Room, Terms


def honest(replica: Replica, actions: list[Action]) -> Action:
    """What the program of a bot chooses; a person takes the first."""
    assert replica.me is not None
    turn = turn_of(replica, replica.me)
    return do_again(turn) if is_repeatable(turn.bot_terms) else actions[0]


def report_of(folder: Path, room: Room, repeater: Repeater) -> Report:
    """What the audit says of a room's game, played to its end."""
    room.run()
    ledger = Ledger.create(folder / "game.hostless", room.roster)
    for entry in room.replicas[0].log:
        ledger.append(entry.raw)
    ledger.close()
    return audit_file(ledger.path, (repeater,))


@pytest.mark.slow
def test_decisions_done_again_are_those_that_were_made(tmp_path: Path, seed: int) -> None:
    room, repeater = Room(3, seed=seed, terms=Terms((0, 2))), Repeater(lambda: True)
    room.chooser = honest
    assert report_of(tmp_path, room, repeater).holds
    assert repeater.repeated == repeater.met and set(repeater.met) == {0, 2}


@pytest.mark.slow
def test_a_choice_that_the_program_does_not_make_names_the_bots_seat(
    tmp_path: Path, seed: int
) -> None:
    room, repeater = Room(2, seed=seed, terms=Terms((1,))), Repeater(lambda: True)

    def forge(replica: Replica, actions: list[Action]) -> Action:
        due = honest(replica, actions)
        others = [action for action in actions if action != due]
        return others[0] if replica.me == 1 and others else due

    room.chooser = forge
    report = report_of(tmp_path, room, repeater)
    assert [verdict.is_honest for verdict in report.verdicts] == [True, False]
    verdict = report.verdicts[1]
    assert "its program chooses" in verdict.reason and verdict.entry is not None


@pytest.mark.slow
def test_decisions_that_are_not_picked_are_counted_and_not_done_again(
    tmp_path: Path, seed: int
) -> None:
    room, repeater = Room(2, seed=seed, terms=Terms((1,))), Repeater(lambda: False)
    room.chooser = honest
    assert report_of(tmp_path, room, repeater).holds
    assert not repeater.repeated and repeater.met[1] > 0


def test_a_program_that_is_not_ours_cannot_be_repeated() -> None:
    assert is_repeatable(new_bot_terms("steady", 100))
    for bot_terms in (
        None, BotTerms(), BotTerms("another 1", "steady", 100), BotTerms(PROGRAM, "steady", 0),
        BotTerms(PROGRAM, "godlike", 100),
    ):  # fmt: skip
        assert not is_repeatable(bot_terms)
