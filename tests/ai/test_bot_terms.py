"""Bots nobody has to trust: what a sponsor does to its bot comes out when the key is opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ai.seats.bot_terms import PROGRAM, Repeater, do_again, is_repeatable, new_bot_terms
from core.bot_levels import PARTS
from core.requests import Action
from p2p.audit.audit import Report, audit_file
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.crypto.entropy import known_to_all
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from p2p.session.players import decision_point_of
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group
from ui.__main__ import main
from ui.commands.audit import bot_lines
from ui.language.text import load


@pytest.fixture(autouse=True)
def games_are_quick_and_repeatable(seed: int) -> Iterator[None]:
    """What a bot chooses depends on no group, but on keys and shuffles: the seed gives them."""
    with volume_group(), known_to_all(str(seed).encode()):
        yield


def honest(replica: Replica, actions: list[Action]) -> Action:
    """What the program of a bot chooses; a person takes the first."""
    assert replica.me is not None
    turn = decision_point_of(replica, replica.me)
    return do_again(turn) if is_repeatable(turn.bot_terms) else actions[0]


class Bent:
    """A bot on seat 1 that does as its program does until another way of choosing differs once.

    What it does behind that is no matter: the first choice that differs is what an audit names.
    """

    def __init__(self, way: Callable[[DecisionPoint, Action], Action]) -> None:
        self._way, self.height = way, -1  # Of the log, where it differed.

    def choose(self, replica: Replica, actions: list[Action]) -> Action:
        """What it does, and what the person at the other seat does."""
        if replica.me != 1 or self.height >= 0 or len(actions) == 1:
            return actions[0]
        due = honest(replica, actions)
        chosen = self._way(decision_point_of(replica, 1), due)
        if chosen != due:
            self.height = replica.height
        return chosen


def check_named(report: Report, bent: Bent) -> None:
    """The bot is named, and nobody else, for the first choice that differed."""
    assert report.verdicts[0].is_honest
    assert "its program chooses" in report.verdicts[1].reason
    assert report.verdicts[1].log_index == bent.height


def report_of(folder: Path, room: Room, repeater: Repeater) -> Report:
    """What the audit says of a room's game, played to its end."""
    room.run()
    game_file = GameFile.create(folder / "game.hostless", room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    game_file.close()
    return audit_file(game_file.path, (repeater,))


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

    def forge(turn: DecisionPoint, due: Action) -> Action:
        actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        return next(action for action in actions if action != due)

    bent = Bent(forge)
    room.chooser = bent.choose
    check_named(report_of(tmp_path, room, repeater), bent)


@pytest.mark.slow
def test_decisions_that_are_not_picked_are_counted_and_not_done_again(
    tmp_path: Path, seed: int
) -> None:
    room, repeater = Room(2, seed=seed, terms=Terms((1,))), Repeater(lambda: False)
    room.chooser = honest
    assert report_of(tmp_path, room, repeater).holds
    assert not repeater.repeated and repeater.met[1] > 0


@pytest.mark.slow
def test_the_audit_says_how_many_decisions_were_hurried(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot of a busy machine says each time that it goes on with a tenth."""
    terms = BotTerms(PROGRAM, "steady", 60)
    room, repeater = Room(2, seed=seed, terms=Terms((1,), bot_terms=terms)), Repeater(lambda: False)
    room.chooser, room.replicas[1].play.next_part = honest, PARTS[-1]
    report_of(tmp_path, room, repeater)
    assert main(["audit", str(tmp_path / "game.hostless"), "--bots", "100", "--json"]) == 0
    ((seat, repeated, met, hurried),) = json.loads(capsys.readouterr().out)["bots"]
    assert (seat, repeated, met) == (1, repeater.met[1], repeater.met[1])
    assert 0 < hurried < met, "it could not say so before its first choice"


@pytest.mark.slow
def test_a_bot_that_hurries_and_has_not_said_so_names_its_seat(tmp_path: Path, seed: int) -> None:
    terms = BotTerms(PROGRAM, "steady", 60)
    room, repeater = Room(2, seed=seed, terms=Terms((1,), bot_terms=terms)), Repeater(lambda: True)

    def hurry(turn: DecisionPoint, due: Action) -> Action:
        parts = (do_again(replace(turn, part=part)) for part in PARTS[1:])
        return next((each for each in parts if each != due), due)

    bent = Bent(hurry)
    room.chooser = bent.choose
    check_named(report_of(tmp_path, room, repeater), bent)


@pytest.mark.slow
def test_a_bot_that_plays_another_style_than_it_said_names_its_seat(
    tmp_path: Path, seed: int
) -> None:
    """It decides by its seed and its budget, only that it likes other moves.

    In one game of fifteen both styles like the same moves to the end: then another is played.
    """
    said, played = BotTerms(PROGRAM, "sharp+builder", 60), BotTerms(PROGRAM, "sharp+attacker", 60)
    bent = Bent(lambda turn, due: do_again(replace(turn, bot_terms=played)))
    while bent.height < 0:
        room, seed = Room(2, seed=seed, terms=Terms((1,), bot_terms=said)), seed + 1
        room.chooser = bent.choose
        room.run()
    check_named(report_of(tmp_path, room, Repeater(lambda: True)), bent)


def test_the_audit_says_in_words_how_many_decisions_were_hurried() -> None:
    repeater = Repeater(lambda: True)
    repeater.met, repeater.repeated = {0: 90, 1: 80}, {0: 9, 1: 12}
    repeater.hurried = {1: 3}
    first, second = bot_lines(load("en"), repeater)
    assert first == "seat 1: 9 of 90 decisions done again"
    assert second.startswith("seat 2: 12 of 80 decisions done again; of the 80, 3 were hurried")


def test_a_program_that_is_not_ours_cannot_be_repeated() -> None:
    assert is_repeatable(new_bot_terms("steady", 100))
    assert is_repeatable(new_bot_terms("steady+builder", 100))
    for bot_terms in (
        None, BotTerms(), BotTerms("another 1", "steady", 100), BotTerms(PROGRAM, "steady", 0),
        BotTerms(PROGRAM, "godlike", 100), BotTerms(PROGRAM, "steady+brutal", 100),
    ):  # fmt: skip
        assert not is_repeatable(bot_terms)
