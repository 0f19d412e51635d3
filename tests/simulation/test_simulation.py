"""Whole games of the real program with faults, and the proof that the faults are real."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.simulation.plan import (
    Plan,
    make_apart_plan,
    make_companions_plan,
    make_damaged_plan,
    make_last_moment_plan,
    make_leaving_plan,
    make_lonely_plan,
    make_mixed_plan,
    make_outage_plan,
    make_plan,
    make_regretful_plan,
    make_returning_plan,
)
from tests.simulation.stage import simulate
from tests.simulation.verdict import is_lost, kept_by
from tests.simulation.world import World

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("seed", range(2))
def test_a_small_game_keeps_every_promise_whatever_fails(seed: int) -> None:
    outcome = simulate(seed, make_plan(seed, "beads"))
    assert not outcome.failures
    assert outcome.height > 20


def test_what_no_file_holds_of_what_somebody_had_is_lost() -> None:
    def lost(world: World, cut: int) -> list[str]:
        kept, agreed = kept_by(world.honest[0]), set(world.checks.in_force.values())
        heights = range(len(kept) + 1)
        return [f"{at}" for at in heights if is_lost(world, at, kept[: len(kept) - cut], agreed)]

    plan = make_plan(0, "beads")
    assert not simulate(0, plan, judge=partial(lost, cut=0)).failures
    assert simulate(0, plan, judge=partial(lost, cut=1)).failures


def test_a_change_of_members_that_was_refused_before_all_have_left_is_not_lost() -> None:
    outcome = simulate(6000271, make_companions_plan(6000271, "beads"))
    assert not outcome.failures
    assert outcome.height == 17


@pytest.mark.slow
def test_a_whole_game_keeps_every_promise_whatever_fails() -> None:
    outcome = simulate(3, make_plan(3, "renaissance"))
    assert not outcome.failures
    assert outcome.faults > 3


def test_the_others_play_on_when_a_machine_never_comes_back() -> None:
    """Two seats doubted a third that was ahead of them."""
    outcome = simulate(2, make_lonely_plan(2, "beads"))
    assert not outcome.failures
    assert outcome.height > 50


@pytest.mark.parametrize(
    "seed",
    [
        0,
        61042,  # Two who reached each other through the third said that the other is gone.
        61124,  # Who was out of reach for too long came back when all others had gone home.
    ],
)
def test_the_others_deal_anew_when_a_machine_never_comes_back_with_its_key(seed: int) -> None:
    outcome = simulate(seed, make_lonely_plan(seed, "beads", is_escrowed=False))
    assert not outcome.failures
    assert outcome.height > 60


@pytest.mark.parametrize(
    "seed",
    [
        15,  # It was told again that it had been gone, and left.
        32,  # Another seat had been given a bead that had lain in its open hand.
        81453,  # It had lost its whole log, and with it that it had said that another is gone.
    ],
)
def test_whoever_comes_back_to_a_seat_that_is_played_for_has_it_again(seed: int) -> None:
    outcome = simulate(seed, make_returning_plan(seed, "beads"))
    assert not outcome.failures and "new key" in outcome.kinds


@pytest.mark.parametrize(
    "seed",
    [
        65054,  # Another was back when nobody but one was left who could agree on that.
        65070,  # Another was away for too long, and one alone gives nobody a seat back.
    ],
)
def test_whoever_is_left_for_good_claims_the_win_and_gets_up(seed: int) -> None:
    outcome = simulate(seed, make_lonely_plan(seed, "beads"))
    assert not outcome.failures and not outcome.is_finished


def test_two_who_are_parted_while_a_third_is_off_wait_for_each_other() -> None:
    """Each said that the other is gone, and neither could take that back."""
    outcome = simulate(62116, make_returning_plan(62116, "beads"))
    assert not outcome.failures and "replace" not in outcome.kinds


@pytest.mark.parametrize(
    "seed",
    [
        9,  # One that had been there all the time was accused.
        210,  # Two had found each other again, and did not wait for the third.
    ],
)
def test_nobody_is_lost_when_a_switch_is_off_for_longer_than_the_table_waits(seed: int) -> None:
    outcome = simulate(seed, make_outage_plan(seed, "beads"))
    assert not outcome.failures
    assert "replace" not in outcome.kinds


@pytest.mark.parametrize(
    "seed",
    [
        400191,  # It came back as the others had just signed the result, and went home without it.
        930041,  # Its way was open for half a second after it was let go: nobody could tell it.
        1215065,  # It went on beside a change behind which it was let go, and never knew.
        1215098,  # A link ended as its seat was passed something on: the program ended.
        915140,  # It was shown by what a change was in force that it had followed, and forgot it.
    ],
)
def test_some_come_back_in_the_moment_in_which_they_are_given_up(seed: int) -> None:
    outcome = simulate(seed, make_last_moment_plan(seed, "beads"))
    assert not outcome.failures
    assert outcome.height > 40


@pytest.mark.parametrize(
    "seed",
    [
        1500033,  # It went back, made a second deck, and was convicted for the proof of that.
        1500125,  # It went back to an epoch in which an old yes bound it, for ever.
    ],
)
def test_all_troubles_at_one_table_get_nobody_convicted(seed: int) -> None:
    outcome = simulate(seed, make_mixed_plan(seed, "beads"))
    assert not outcome.failures
    assert not any(outcome.accused.values())


@pytest.mark.parametrize(
    "seed",
    [
        17,  # Who had agreed to a change behind the end of its file took no step up to it.
        9840008,  # Who had lost its acknowledgement of a change that its log has said none more.
    ],
)
def test_a_damaged_file_holds_nobody_up_for_ever(seed: int) -> None:
    assert not simulate(seed, make_damaged_plan(seed, "beads")).failures


def test_where_a_disk_is_damaged_it_is_known_who_else_has_read_what_a_seat_signed() -> None:
    def unread(world: World) -> list[str]:
        of_owners = (each for each in kept_by(world.honest[0]) if not each.seat_epoch)
        return [each.kind for each in of_owners if not world.checks.signed.readers_of(each)]

    assert not simulate(17, make_damaged_plan(17, "beads"), judge=unread).failures


def test_a_bot_that_leaves_last_gives_the_others_their_seats_back() -> None:
    """It followed its owner, with nobody left to let it go, and signed nothing more for ever."""
    outcome = simulate(2000487, make_companions_plan(2000487, "beads"))
    assert not outcome.failures
    assert "new key" in outcome.kinds


def test_whoever_runs_two_bots_leaves_with_them_for_good_and_comes_back() -> None:
    plan = make_companions_plan(2000003, "beads")
    outcome = simulate(2000003, plan)
    assert len(plan.companions) == 2 and not outcome.failures
    assert {"replace", "new key"} <= outcome.kinds


@pytest.mark.parametrize(
    "seed",
    [
        800,  # It had taken a step by itself when the last one let it go, and waited for ever.
        710007,  # Who had agreed to that forgot in a crash why, and had no proof in its file.
    ],
)
def test_whoever_leaves_for_good_is_let_go_and_may_come_back(seed: int) -> None:
    outcome = simulate(seed, make_leaving_plan(seed, "beads"))
    assert not outcome.failures
    assert "replace" in outcome.kinds


@pytest.mark.parametrize("seed", [1, 2])
def test_two_who_never_reach_each_other_play_through_a_third(seed: int) -> None:
    outcome = simulate(seed, make_apart_plan(seed, "beads"))
    assert not outcome.failures
    assert outcome.height > 40


def test_people_take_back_what_was_heard_whatever_fails() -> None:
    outcome = simulate(3, make_regretful_plan(3, "carta"))
    assert not outcome.failures
    assert "take back" in outcome.kinds


def test_a_game_with_the_real_cryptography_keeps_every_promise() -> None:
    assert not simulate(4, make_plan(4, "beads"), is_real=True).failures


def test_another_seed_gives_another_game() -> None:
    one, other = (simulate(seed, make_plan(seed, "beads")) for seed in (1, 12))
    assert one.trace != other.trace


@pytest.mark.parametrize(
    ("seed", "options", "make"),
    [
        (1, [], make_plan),
        (1500041, ["--mixed"], make_mixed_plan),  # What members say again had the order of a set.
    ],
)
def test_the_same_seed_gives_the_same_game_byte_for_byte_in_every_process(
    seed: int, options: list[str], make: Callable[[int, str], Plan]
) -> None:
    here = simulate(seed, make(seed, "beads"))
    command = [sys.executable, "scripts/lab.py", "simulate", "--games", "1", "--seed", str(seed)]
    said = subprocess.run(
        [*command, "--game", "beads", *options], cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert here.trace in said.stdout


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        ("beads", 1),  # The plug was pulled before anything of the file was on disk.
    ],
)
def test_a_seed_that_failed_once_does_not_fail_again(game: str, seed: int) -> None:
    assert not simulate(seed, make_plan(seed, game)).failures
