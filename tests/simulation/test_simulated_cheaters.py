"""Every kind of cheater comes to its end, and every check that is taken out is missed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simulation.cheaters import CHEATERS, Outcome
from tests.simulation.cheating import (
    choose,
    choose_amid_troubles,
    mild_faults,
    table_for,
    try_kind,
)
from tests.simulation.plan import Fault, make_companions_plan
from tests.simulation.removed import REMOVALS, first_failure

KINDS_MIN = 30
QUICKLY_GAMES = 25  # So many small games, at most, until a missing check is noticed.
# Found once in many games, so that the first such seed is luck: left to `scripts/lab.py simulate`.
RARE = {"all in reach", "catching up", "early", "written before said"}


def test_there_are_many_kinds_and_most_of_them_are_named() -> None:
    named = [kind for kind in CHEATERS.values() if kind.outcome is Outcome.NAMED]
    assert len(CHEATERS) >= KINDS_MIN and len(named) > len(CHEATERS) / 2
    assert {kind.outcome for kind in CHEATERS.values()} == set(Outcome)


@pytest.mark.parametrize("name", sorted(CHEATERS))
def test_a_cheater_comes_to_the_end_that_it_deserves(name: str) -> None:
    kind = CHEATERS[name]
    tried = try_kind(kind, kind.seats[len(kind.seats) // 2], seed=1)
    assert not tried.failures
    assert tried.did, "a cheater that did nothing shows nothing"


@pytest.mark.parametrize("name", ["stacked deck", "two decks", "another result"])
def test_a_cheater_is_named_among_faults(name: str) -> None:
    kind = CHEATERS[name]
    tried = try_kind(kind, 1, 3, plan=mild_faults(kind, 1, 3))
    assert tried.did and not tried.failures


def test_whoever_names_a_cheater_stays_until_all_others_know() -> None:
    """One seat alone has the proof, and the other is out of its reach just then."""
    kind, height = CHEATERS["whispered regret"], 44
    apart = (Fault(height, "cut", 0, 2, 0.0, 0), Fault(height, "half", 0, 2, 8.0, 0))
    tried = try_kind(kind, 1, 1, plan=replace(table_for(kind, 1), faults=apart))
    assert tried.did and not tried.failures


@pytest.mark.parametrize(
    "seed",
    [
        20048,  # A seat heard of the other head before it had a link to whoever said it.
    ],
)
def test_a_cheater_that_got_away_once_does_not_get_away_again(seed: int) -> None:
    kind, seat, nth, plan = choose(seed)
    tried = try_kind(kind, seat, seed, nth, plan)
    assert tried.did and not tried.failures


@pytest.mark.parametrize(
    ("kind", "machine", "amount", "seed"),
    [
        # It came back with its version, and the other one had gone back meanwhile.
        ("crash", 0, 1, "2b"),
        ("crash", 2, 8, "2b"),
        # It had gone back, and its file had lost that; or had not.
        ("torn", 2, 6, "6"),
        ("torn", 0, 8, "8"),
        # It voted at once, with the log that it then had to leave, as the other did with its own.
        ("torn", 0, 4, "6"),
    ],
)
def test_whoever_loses_its_power_as_logs_have_parted_goes_back_with_the_others(
    kind: str, machine: int, amount: int, seed: str
) -> None:
    dark = (Fault(8, kind, machine, machine, 0.0, amount),)
    plan = replace(table_for(CHEATERS["two decks"], 1), plays_on=True, faults=dark)
    tried = try_kind(CHEATERS["two decks"], 1, seed, plan=plan)
    assert tried.did and tried.is_finished and not tried.failures


def test_whoever_is_behind_verifies_what_the_others_have_closed_before_a_cheater_was_named() -> (
    None
):
    """Two choices, and a seat that has not verified the proof before them."""
    kind = CHEATERS["two choices"]
    plan = replace(table_for(kind, 0), game="beads", plays_on=True)
    tried = try_kind(kind, 0, 1, 1, plan)
    assert tried.did and tried.is_finished and not tried.failures


@pytest.mark.parametrize("name", ["log that nobody has", "other head"])
def test_whoever_speaks_of_a_log_that_nobody_has_is_let_go_as_if_it_was_silent(name: str) -> None:
    kind = CHEATERS[name]
    plan = replace(table_for(kind, 1), plays_on=True, is_escrowed=True, tires=True)
    tried = try_kind(kind, 1, 1, 6, plan)  # Once there are keys.
    assert tried.did and tried.is_finished and not tried.failures
    assert "replace" in tried.kinds


REPLACED = (
    *("bent proof", "false face", "illegal secret choice", "another result", "false claim"),
    *("proof of another seat",),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", REPLACED)
def test_a_cheater_costs_no_more_than_its_seat(name: str) -> None:
    kind = CHEATERS[name]
    seat = kind.seats[-1]
    plan = replace(table_for(kind, seat), plays_on=True, is_escrowed=name != "false face")
    tried = try_kind(kind, seat, 1, plan=plan)
    assert tried.did and tried.is_finished and not tried.failures


PARTED = [("two proofs of one share", 3), ("two decks", 3), ("two decks", 4)]


@pytest.mark.parametrize("is_escrowed", [True, False])
@pytest.mark.parametrize(("name", "seats"), PARTED)
def test_whoever_parts_the_logs_of_the_others_costs_no_more_than_its_seat(
    name: str, seats: int, *, is_escrowed: bool
) -> None:
    kind = CHEATERS[name]
    plan = replace(table_for(kind, 1), seats=seats, plays_on=True, is_escrowed=is_escrowed)
    tried = try_kind(kind, 1, 1, plan=plan)
    assert tried.did and tried.is_finished and not tried.failures


@pytest.mark.parametrize("is_escrowed", [True, False])
def test_whoever_parts_the_logs_just_before_a_bot_writes_costs_no_more_than_its_seat(
    *, is_escrowed: bool
) -> None:
    """What the others work out for the bot stands on both versions, and goes with them."""
    kind = CHEATERS["two decks"]
    plan = table_for(kind, 2)
    plan = replace(plan, seats=4, open_bots=1, plays_on=True, is_escrowed=is_escrowed)
    tried = try_kind(kind, 2, 1, 2, plan)  # The deck that is shuffled once more, in the game.
    assert tried.did and tried.is_finished and not tried.failures


def test_a_cheater_costs_no_more_than_its_seat_among_faults() -> None:
    kind = CHEATERS["card in place of another"]
    plan = replace(mild_faults(kind, 1, 3), plays_on=True, is_escrowed=True)
    tried = try_kind(kind, 1, 3, plan=plan)
    assert tried.did and tried.is_finished and not tried.failures


@pytest.mark.parametrize(
    ("seed", "seat"),
    [
        (7000002, 0),  # The opener itself, with an honest bot.
        (7000011, 2),  # A bot of the opener, beside an honest one.
    ],
)
def test_a_cheater_beside_bots_of_the_opener_hurts_nobody_else(seed: int, seat: int) -> None:
    kind, cheat, nth, plan = choose_amid_troubles(seed, make_companions_plan)
    assert plan.companions - {seat} and cheat == seat, "such a table is looked at"
    tried = try_kind(kind, cheat, seed, nth, plan, is_amid_troubles=True)
    assert tried.did and not tried.failures


def test_a_cheater_is_named_with_the_real_cryptography_too() -> None:
    assert not try_kind(CHEATERS["false face"], 1, seed=2, is_real=True).failures


@pytest.mark.slow
@pytest.mark.parametrize("check", sorted(set(REMOVALS) - RARE))
def test_a_node_without_a_check_fails_within_a_few_games(check: str) -> None:
    games, failure = first_failure(check)
    assert failure and games <= QUICKLY_GAMES
