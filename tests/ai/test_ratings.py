"""Elo, Wilson, Wald: against published figures, and against games drawn from a known truth."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ai.tournaments.ratings import Rating, Sprt, expected, interval, rate_players, wilson
from core.chance import Chance
from core.table import RulesError

PARTS = 1 << 20


def is_won(chance: Chance, elo: float, sides: int = 2) -> bool:
    """A game drawn at random that a side so much stronger than the others wins or not."""
    return chance.below(PARTS) < expected(elo, sides) * PARTS


def settled(sprt: Sprt, elo: float, chance: Chance, sides: int = 2) -> tuple[float, int]:
    """What the test accepts when this is the truth, and after how many games."""
    won, games = 0, 0
    accepted = None
    while accepted is None:
        games += 1
        won += is_won(chance, elo, sides)
        accepted = sprt.accepted(won, games, sides)
    return accepted, games


def test_the_interval_is_wilsons() -> None:
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_games_of_different_deals_have_wilsons_interval() -> None:
    alone = [[1.0]] * 150 + [[0.0]] * 50
    assert interval(alone) == pytest.approx(wilson(0.75, 200), abs=2e-3)
    assert interval([]) == (0.0, 1.0)


def test_equal_games_of_a_deal_count_once() -> None:
    twice = [[1.0, 1.0]] * 150 + [[0.0, 0.0]] * 50
    assert interval(twice) == pytest.approx(wilson(0.75, 200), abs=2e-3)


def test_a_deal_shared_tells_more_than_two_games() -> None:
    low, high = interval([[1.0, 0.0]] * 100)
    assert 0.49 < low < 0.5 < high < 0.51
    low, high = interval([[1.0, 1.0]] * 100)  # No two are alike that way: it was always won.
    assert (low, high) == pytest.approx(wilson(1.0, 200), abs=1e-3)


def test_the_interval_holds_the_truth_as_often_as_it_says(seed: int) -> None:
    chance, held, rounds = Chance(seed), 0, 400
    for _ in range(rounds):
        deals = []
        for _ in range(60):  # CommonShuffles decides one deal of two, skill (0.7) the others.
            is_luck, won = chance.below(2), [float(chance.below(10) < 7) for _ in range(2)]
            deals.append([1.0, 0.0] if is_luck else won)
        low, high = interval(deals)
        held += low <= 0.6 <= high
    assert 0.9 < held / rounds < 0.99


def test_two_players_differ_by_the_elo_of_their_score() -> None:
    # With the drawn game that everybody is given it is 75.5 to 25.5; 400 log10 of the ratio.
    stronger, weaker = rate_players([[0, 75], [25, 0]])
    assert stronger.elo - weaker.elo == pytest.approx(188.563, abs=0.001)
    assert stronger.elo == pytest.approx(-weaker.elo)
    # The difference has the deviation 1 / sqrt(n p q), each of the two half of it.
    deviation = (101 * (75.5 / 101) * (25.5 / 101)) ** -0.5
    assert stronger.reach == pytest.approx(1.96 * deviation / 2 * 173.718, rel=1e-3)


def test_the_ratings_are_those_of_the_likeliest_players() -> None:
    won = [[0.0, 30, 44], [10, 0, 25], [6, 15, 0]]
    ratings = rate_players(won)
    for own, rating in enumerate(ratings):  # Where the slope is 0, and the likelihood has one peak.
        got = sum(won[own]) + 1.0  # Half of the two drawn games.
        due = sum(
            (won[own][other] + won[other][own] + 1) * expected(rating.elo - ratings[other].elo)
            for other in range(3)
            if other != own
        )
        assert got == pytest.approx(due)


def test_equal_results_are_equal_elo() -> None:
    ratings = rate_players([[0, 5, 5], [5, 0, 5], [5, 5, 0]])
    # 11 games a pair, each with a variance of 1/4, tell 33/4 of every direction but the mean's.
    reach = 1.96 * (2 / 3 / (33 / 4)) ** 0.5 * 173.718
    assert ratings == [Rating(0.0, pytest.approx(reach, rel=1e-4))] * 3


def test_who_never_won_has_a_finite_rating_and_a_wide_interval() -> None:
    best, worst = rate_players([[0, 100_000], [0, 0]])
    assert 900 < best.elo < 1200
    assert worst.reach > 200


def test_more_games_are_a_narrower_interval() -> None:
    reaches = [rate_players([[0, n], [n, 0]])[0].reach for n in (5, 50, 500)]
    assert all(wide > 2 * narrow for wide, narrow in pairwise(reaches))


def test_a_ladder_of_known_strength_lies_in_its_intervals(seed: int) -> None:
    truth, chance, inside = [-300, -100, 0, 150, 250], Chance(seed), 0
    for _ in range(20):
        won = [[0.0] * 5 for _ in truth]
        for a in range(5):
            for b in range(a):
                wins = sum(is_won(chance, truth[a] - truth[b]) for _ in range(40))
                won[a][b], won[b][a] = wins, 40 - wins
        ratings = rate_players(won)
        inside += sum(
            abs(rating.elo - elo) <= rating.reach
            for rating, elo in zip(ratings, truth, strict=True)
        )
    assert inside >= 80  # Of 100; 95 are to be expected.


@pytest.mark.parametrize("sides", [2, 4])
@pytest.mark.parametrize(("truth", "wrong"), [(0.0, 100.0), (100.0, 0.0)])
def test_the_sequential_test_errs_as_rarely_as_was_asked(
    seed: int, sides: int, truth: float, wrong: float
) -> None:
    sprt, chance = Sprt(0, 100, alpha=0.05, beta=0.05), Chance(seed)
    runs = [settled(sprt, truth, chance, sides) for _ in range(200)]
    # Of 200, 10 errors are to be expected at most; 29 has one chance in a million.
    assert sum(accepted == wrong for accepted, _ in runs) < 29
    assert sum(games for _, games in runs) / 200 < 250


def test_a_clear_case_is_settled_sooner_than_a_close_one(seed: int) -> None:
    sprt, chance = Sprt(0, 50), Chance(seed)
    clear, close = (sum(settled(sprt, elo, chance)[1] for _ in range(20)) for elo in (400.0, 25.0))
    assert clear * 3 < close


def test_four_equal_seats_are_no_evidence_of_strength() -> None:
    assert expected(0, 4) == 0.25
    assert Sprt(0, 100).accepted(250, 1000, sides=4) == 0
    assert Sprt(0, 100).accepted(500, 1000, sides=4) == 100
    assert Sprt(0, 100).accepted(1, 3, sides=4) is None


@pytest.mark.parametrize(
    ("wish", "says"),
    [((50, 50), "elo0 is less"), ((0, 50, 0.0), "alpha and beta"), ((0, 50, 0.1, 0.6), "not 0.6")],
)
def test_a_test_that_cannot_be_is_refused(wish: tuple[float, ...], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        Sprt(*wish)
