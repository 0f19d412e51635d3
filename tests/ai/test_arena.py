"""Tournaments: fair by construction, the same on every executor, honest about chance."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from ai.processes.executors import processes
from ai.tournaments.arena import (
    ArenaMatch,
    Result,
    Tournament,
    TournamentState,
    play_game,
    play_matches,
    play_tournament,
)
from ai.tournaments.ratings import Sprt
from ai.tournaments.standings import tally
from core.errors import HostlessError
from core.table import RulesError
from scripts.lab import strength
from tests.ai.inline import Here


def tournament(*players: str, seats: int = 0, seed: int = 1) -> Tournament:
    return Tournament("carta", players, seats or len(players), seed)


def matches(played: Tournament, count: int) -> list[ArenaMatch]:
    return [match for _, match in zip(range(count), played.matches(), strict=False)]


def decided(match: ArenaMatch, winner: str, sides: Sequence[int] = ()) -> Result:
    """The match, won by every seat of a player."""
    shares = tuple(1000 * (name == winner) for name in match.players)
    seats = tuple(range(len(shares)))
    return Result(match, shares, seats, tuple(sides) or seats, 9)


# ---- what is played ----


@pytest.mark.parametrize("player", ["witch", "plan:chapel*1+gold", "plan:gold+throne_room"])
def test_nobody_plays_by_a_plan_for_cards_that_are_not_in_the_kingdom(player: str) -> None:
    """Without its card such a player buys money alone, and its result says nothing of the card."""
    with pytest.raises(RulesError, match="is not in this game"):
        Tournament("dominion", (player, "money"), 2, 1, {"kingdom": "first_game"})
    for known in ("smithy", "plan", "plan:gold+smithy*2", "steady"):
        assert Tournament("dominion", (known, "money"), 2, 1, {"kingdom": "first_game"})
    assert Tournament("dominion", (player, "money"), 2, 1, {"kingdom": "random"})


def test_every_deal_is_played_once_for_each_turn_of_the_seats() -> None:
    played = tournament("rush", "greedy", "random")
    first, second, third, fourth = matches(played, 4)
    assert [first.players, second.players, third.players] == [
        ("rush", "greedy", "random"),
        ("greedy", "random", "rush"),
        ("random", "rush", "greedy"),
    ]
    assert first.seed == second.seed == third.seed != fourth.seed
    assert played.games_per_deal == 3


def test_in_a_ladder_everybody_meets_everybody_on_every_deal_from_every_seat() -> None:
    ladder = tournament("rush", "greedy", "random", "policy", seats=2)
    on_one_deal = matches(ladder, ladder.games_per_deal)
    assert len({match.seed for match in on_one_deal}) == 1
    pairs = {match.players for match in on_one_deal}
    assert pairs == {(a, b) for a in ladder.players for b in ladder.players if a != b}


def test_options_are_written_out_so_that_a_new_default_is_another_tournament() -> None:
    assert tournament("rush", "random").options["deal"] == "basic"


@pytest.mark.parametrize(
    ("game", "players", "seats", "says"),
    [
        ("chess", ("rush", "random"), 2, "no game is called 'chess'"),
        ("carta", ("rush", "nobody"), 2, "no player is called 'nobody'"),
        ("carta", ("rush",), 1, "carta is for 2 to 4 seats, not 1"),
        ("carta", ("rush",), 2, "2 seats need as many players, not 1: name one more than once"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(
    game: str, players: tuple[str, ...], seats: int, says: str
) -> None:
    with pytest.raises(RulesError, match=says):
        Tournament(game, players, seats, 1)


def test_a_number_of_games_that_nobody_can_play_is_refused() -> None:
    with pytest.raises(RulesError, match="the number of games is 1 to 1000000, not 0"):
        TournamentState(tournament("rush", "random"), 0)


@pytest.mark.parametrize("name", strength.CONTESTS)
def test_the_contests_that_the_documentation_quotes_can_be_held(name: str) -> None:
    contest = strength.CONTESTS[name]
    held = strength.tournament_of(contest, strength.SEED)
    assert contest.games % held.games_per_deal == 0, "Every deal is played from every seat."


def test_the_sequential_test_is_not_for_ladders() -> None:
    ladder = tournament("rush", "greedy", "random", seats=2)
    with pytest.raises(RulesError, match="at one table"):
        TournamentState(ladder, 10, Sprt(0, 50))


# ---- how it is played ----


def test_a_tournament_is_the_same_on_any_executor_and_in_any_order() -> None:
    played = list(enumerate(matches(tournament("rush", "random", seed=3), 12)))
    alone = [(number, play_game(match)) for number, match in played]
    with ThreadPoolExecutor(3) as executor:
        assert sorted(play_matches(played, executor, 3), key=lambda game: game[0]) == alone


def test_only_games_before_which_none_is_missing_count() -> None:
    played = tournament("rush", "random")
    state = TournamentState(played, 4)
    results = [decided(match, "rush") for match in matches(played, 4)]
    for number in (0, 3, 2):
        state.add(number, results[number])
    assert state.counted == results[:1]
    assert [number for number, _ in state.missing()] == [1]
    state.add(1, results[1])
    assert state.counted == results
    assert state.is_over


def test_a_settled_test_ends_the_tournament_at_the_same_game_in_any_order() -> None:
    played = tournament("rush", "random")
    results = [decided(match, "rush") for match in matches(played, 40)]
    ends = []
    for order in (range(40), reversed(range(40))):
        state = TournamentState(played, 40, Sprt(0, 100))
        for number in order:
            state.add(number, results[number])
        ends.append((state.accepted, len(state.counted), state.is_over))
    assert ends[0] == ends[1] == (100, 12, True)


def test_a_test_that_is_not_settled_ends_with_the_games() -> None:
    played = tournament("rush", "random")
    state = TournamentState(played, 8, Sprt(0, 100))
    for number, match in enumerate(matches(played, 8)):
        state.add(number, decided(match, ("rush", "random")[number % 2]))
    assert (state.accepted, len(state.counted), state.is_over) == (None, 8, True)


def test_a_settled_tournament_plays_no_further() -> None:
    told: list[int] = []
    state = TournamentState(tournament("rush", "random"), 1000, Sprt(0, 100))
    play_tournament(state, Here(), 1, lambda number, _: told.append(number))
    assert state.accepted == 100
    assert len(told) < 20


def test_no_more_games_are_handed_over_than_is_wished() -> None:
    told: list[int] = []
    under_way: list[int] = []

    class Counting(Here):
        def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
            under_way.append(len(under_way) + 1 - len(told))
            return super().submit(fn, *args, **named)

    state = TournamentState(tournament("rush", "random"), 6)
    play_tournament(state, Counting(), 3, lambda number, _: told.append(number), ahead=1)
    assert max(under_way) == 3 and len(told) == 6


def test_a_worker_that_dies_is_one_clear_line() -> None:
    def play_while_a_worker_dies() -> None:
        with processes(1) as executor:
            executor.submit(os._exit, 3)
            state = TournamentState(tournament("rush", "random"), 4)
            play_tournament(state, executor, 1, lambda *_: None)

    with pytest.raises(HostlessError, match="has died") as died:
        play_while_a_worker_dies()
    assert "\n" not in str(died.value)
    assert "--results" in died.value.hint


# ---- who won ----


def test_a_victory_is_whole_however_narrow_and_whatever_search_makes_of_it() -> None:
    results = [play_game(ArenaMatch("dominion", ("money", "plan"), number)) for number in range(6)]
    for result in results:
        highest = max(result.scores)
        won = {seat for seat in (0, 1) if result.scores[seat] == highest}
        assert sum(result.shares) == 1000
        assert {seat for seat in (0, 1) if result.shares[seat]} <= won


def test_victories_are_counted_for_the_player_and_not_for_the_seat() -> None:
    played = tournament("rush", "random")
    results = [decided(match, "random") for match in matches(played, 4)]
    rush, other = tally(results, played.players)
    assert (rush.won, rush.games, other.won, other.games) == (0, 4, 4, 4)
    assert other.elo > 100 > -100 > rush.elo


def test_a_shared_victory_counts_in_parts() -> None:
    match = ArenaMatch("carta", ("ada", "bob"), 1)
    standings = tally([Result(match, (500, 500), (3, 3), (0, 1), 9)], ["ada", "bob"])
    assert [(standing.won, standing.elo) for standing in standings] == [(0.5, 0), (0.5, 0)]


def test_who_has_several_seats_counts_once_with_the_mean_of_them() -> None:
    played = tournament("steady", "rush", "rush", "rush")
    results = [decided(match, "steady") for match in matches(played, 4)]
    rush_won = Result(results[0].match, (0, 1000, 0, 0), (0,) * 4, (0, 1, 2, 3), 9)
    steady, rush = tally([*results, rush_won], played.players)
    assert (steady.won, steady.games) == (4, 5)
    assert (rush.won, rush.games) == (pytest.approx(1 / 3), 5)
    assert (rush.seats, steady.seats) == (3, 1)


def test_partners_win_together_and_are_not_compared_with_each_other() -> None:
    match = ArenaMatch("carta", ("ada", "bob", "cleo", "dan"), 1, {"team": True})
    result = Result(match, (1000, 0, 1000, 0), (0,) * 4, (0, 1, 0, 1), 9)
    ada, bob, cleo, dan = tally([result] * 8, match.players)
    assert [each.won for each in (ada, bob, cleo, dan)] == [8, 0, 8, 0]
    assert ada.elo == pytest.approx(cleo.elo)
    assert bob.elo == pytest.approx(dan.elo)
    assert ada.elo > bob.elo


def test_four_equal_players_at_one_table_are_rated_equal_and_the_losers_not_compared() -> None:
    played = tournament("rush", "random", "greedy", "policy")
    results = [decided(match, name) for name in played.players for match in matches(played, 4)]
    standings = tally(results, played.players)
    assert [round(standing.elo, 6) for standing in standings] == [0] * 4
    # Sixteen winners among four equals tell 16 (I/4 - 1/16) of the four (Luce 1959); the drawn
    # game of every pair adds a quarter of it.
    reach = 1.96 * (3 / 4 / 5) ** 0.5 * 173.718
    assert standings[0].elo_reach == pytest.approx(reach, rel=1e-4)


def test_a_game_that_was_broken_off_is_nobodys() -> None:
    match = ArenaMatch("carta", ("ada", "bob"), 1)
    for standing in tally([Result(match, (0, 0), (1, 2), (0, 1), 5000)], ["ada", "bob"]):
        assert (standing.games, standing.won, standing.elo) == (1, 0, 0)
