"""How a game went: the chances by turn, and the turn that decided most."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.advice import win_probability
from ai.advice.win_probability import POINTS_MAX, Waypoint, WinCurve, win_curve
from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice, start
from core.games import GAMES, find_game
from core.requests import Choice, Over
from core.table import HIDDEN
from tests.guide import LOW_HAND
from tests.ui.fakes import PracticePort
from ui.replay.recording import Recording, record

CHOICES = 60


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_probability, "_SECONDS", 1)


def a_game(slug: str, seed: int, choices: int = CHOICES) -> Recording:
    """A game played at random, perhaps not to its end; nobody's hand is known."""
    port = PracticePort(seed=seed, players=2, game=find_game(slug)).begin().play(choices)
    return record(slug, port.news().seats, dict(port.news().view.options), port.history)


def course_of(recording: Recording) -> WinCurve:
    last = recording.positions[-1].view
    return win_curve(last.game, recording.waypoints(), last.winners or (0,))


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_game_has_a_course(slug: str, seed: int) -> None:
    recording = a_game(slug, seed, 12)
    course = course_of(recording)
    assert len(course.numbers) == len(course.chances) <= POINTS_MAX
    assert course.numbers == tuple(sorted(set(course.numbers)))
    for each in course.chances:
        assert len(each) == 2 and all(0 <= chance <= 1000 for chance in each)
        assert 980 <= sum(each) <= 1000


def test_the_end_is_certain_and_the_same_is_found_again(seed: int) -> None:
    recording = a_game("carta", seed, 10_000)
    course, last = course_of(recording), recording.positions[-1].view
    assert last.is_over and course == course_of(recording)
    share = 1000 // len(last.winners)
    assert course.chances[-1] == tuple(share if seat in last.winners else 0 for seat in range(2))
    assert course.numbers[0] == 1 and course.numbers[-1] == len(recording.marks) + 1


def test_a_gift_is_where_the_game_turned() -> None:
    """Halfway through, all that one of them has is given to the other: that decides it."""
    game = find_game("carta")
    table = start(game, 2, {})
    deal = [face if face != HIDDEN else 0 for face in table.face]
    chance, waypoints = Chance(3), list[Waypoint]()
    for turn in range(14):
        pending = run_until_choice(game, table, deal, chance)
        assert isinstance(pending, Choice)
        if turn == 8:
            names = [place.name for place in table.layout.places]
            goal = names.index("seat1.military")
            while len(table.zones[goal]) < 7:
                table.move(table.zones[0][-1], 0, goal)
            pending = run_until_choice(game, table, deal, chance)
        waypoints.append(Waypoint(turn, table.copy(), observation_of(table, deal, None)))
        if isinstance(pending, Over):
            break
        assert isinstance(pending, Choice)
        game.apply(table, pending.player, game.legal_actions(table, pending.player, deal)[0])
    course = win_curve("carta", waypoints, (1,))
    assert course.turned is not None
    assert course.turned.after_permille - course.turned.before_permille > 300


def test_the_chance_of_a_team_is_counted_once(seed: int) -> None:
    """Counted for both partners it was above one, and the program ended with every such game."""
    port = PracticePort(seed=seed, players=4, options={"team": True}).begin().play(10_000)
    recording = record("carta", port.news().seats, dict(port.news().view.options), port.history)
    assert len(recording.positions[-1].view.winners) in (2, 4)
    turned = course_of(recording).turned
    assert turned is None or 0 <= turned.before_permille < turned.after_permille <= 1000


def test_a_game_of_one_position_did_not_turn() -> None:
    recording = a_game("carta", 1, 0)
    waypoint = recording.waypoints()[-1]
    assert win_curve("carta", [waypoint], (0,)).turned is None


def test_waypoints_know_the_hands_that_are_known_here(seed: int) -> None:
    port = PracticePort(seed=seed, players=2).begin().play(5)
    closed = record("carta", port.news().seats, {}, port.history)
    opened = replace(closed, known=[port.deal] * (len(port.history) + 1))
    for hidden, seen in zip(closed.waypoints(), opened.waypoints(), strict=True):
        assert hidden.entry == seen.entry
        table = seen.table
        for card, face in enumerate(seen.observation):
            assert hidden.observation[card] == table.face[card]
            is_held = bool(table.seen[card])
            assert (face == HIDDEN) == (table.face[card] == HIDDEN and not is_held)


def test_where_the_score_says_nothing_early_chances_come_from_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rollouts go on until the score moves: cut off before, every position was called even."""
    game = replace(LOW_HAND, scores=lambda table: (0, 0) if table.zones[0] else final(table))
    final = LOW_HAND.scores
    monkeypatch.setattr(win_probability, "find_game", lambda slug: game)
    table, chance, waypoints = start(game, 2, {}), Chance(1), list[Waypoint]()
    deal = table.face[:]
    for turn in range(4):
        pending = run_until_choice(game, table, deal, chance)
        assert isinstance(pending, Choice)
        waypoints.append(Waypoint(turn, table.copy(), observation_of(table, deal, None)))
        actions = game.legal_actions(table, pending.player, deal)
        game.apply(table, pending.player, chance.pick(actions))
    course = win_curve(game.slug, waypoints, (0,))
    assert all(first != second for first, second in course.chances)
