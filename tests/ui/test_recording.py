"""A recording shows the game again, position by position, to somebody who saw nothing hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.games import find_game
from p2p.log.game_file import GameFile
from tests.p2p.room import Room, Terms
from tests.ui.fakes import PracticePort, some_seats
from tests.ui.test_practice import a_recording
from ui.replay.recording import Recording, event_value, read_recording, record


def some_recording(choices: int = 10_000) -> Recording:
    port = PracticePort(seed=11).begin().play(choices)
    return record("carta", some_seats(3), {}, port.history)


def test_the_last_position_is_the_end_that_was_played() -> None:
    port = PracticePort(seed=11).begin().play(10_000)
    recording = record("carta", some_seats(3), {}, port.history)
    assert recording.positions[-1].view.winners == port.news().view.winners
    assert len(recording.positions) == len(port.history) + 1


def test_a_recording_shows_no_hand() -> None:
    recording = some_recording(20)
    for position in recording.positions:
        hand = position.view.zones["seat0.hand"]
        assert all(card.is_public or card.face is None for card in hand)


def test_what_i_discarded_unseen_is_named_for_me_in_a_replay_and_for_no_other() -> None:
    for seed, is_mine in ((1, False), (2, True)):  # Somebody else discards in the first game.
        recording = a_recording("dominion", seed=seed, choices=120)
        last = len(recording.positions) - 1
        public, told = (recording.seen_by(last, seat).lines for seat in (None, 0))
        unnamed = [at for at, line in enumerate(public) if line.text == "discard ?"]
        assert unnamed and len(told) == len(public)
        assert all((told[at].text != "discard ?") == is_mine for at in unnamed)


def test_jumps_go_from_turn_to_turn_and_stop_at_the_ends() -> None:
    recording = some_recording(20)
    last = len(recording.positions) - 1
    first_turn = recording.mark_after(0)
    assert recording.mark_before(recording.mark_after(first_turn)) == first_turn
    assert recording.mark_before(0) == 0
    assert recording.mark_after(last) == last


def test_every_event_is_one_json_value() -> None:
    recording = some_recording(20)
    faces = find_game("carta").faces
    values = [
        json.loads(json.dumps(event_value(entry, *pair, faces)))
        for entry, pair in enumerate(recording.history)
    ]
    assert [value["entry"] for value in values] == list(range(len(values)))
    assert {value["kind"] for value in values} >= {"shuffled", "rolled", "revealed", "chosen"}


@pytest.mark.slow
@pytest.mark.parametrize("opens_hands", [False, True])
def test_hands_are_shown_again_when_everybody_opened_the_own_key(
    tmp_path: Path, opens_hands: bool
) -> None:
    room = Room(2, seed=3, terms=Terms(opens_hands=opens_hands))
    room.run()
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    game_file.close()
    positions = read_recording(game_file.path).positions
    assert len(positions) == len(room.replicas[0].play.events) + 1
    hands = [
        card
        for position in positions
        if position.view.to_act  # Cards are on their way in between.
        for seat in range(2)
        for card in position.view.zones[f"seat{seat}.hand"]
    ]
    assert hands and all((card.face is not None) or not opens_hands for card in hands)
    assert opens_hands or any(card.face is None for card in hands)
