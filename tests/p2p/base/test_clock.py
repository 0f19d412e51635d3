"""A clock as people write it, and as it stands in a roster."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.base.clock import TimeControl, parse_clock, read_clock
from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.limits import BANK_S_MAX, INCREMENT_S_MAX
from p2p.base.roster import BotTerms, Replacement, parse_roster
from p2p.base.wire import decode, encode
from tests.p2p.room import make_roster


@pytest.mark.parametrize("text", ["shown", "1+0", "10+5", "1440+3600"])
def test_a_clock_is_read_as_it_is_written(text: str) -> None:
    clock = read_clock(text)
    assert clock is not None and str(clock) == text
    assert parse_clock(decode(encode(clock.plain()))) == clock


@pytest.mark.parametrize(
    "text", ["", "10", "+5", "10+", "0+5", "1441+0", "1+3601", "10+5 ", "1e1+5", "-1+5", "١+٥"]
)
def test_what_is_no_clock_is_none(text: str) -> None:
    assert read_clock(text) is None


@pytest.mark.parametrize(
    "value",
    [None, [], [1], [60, 5, 5], [True, 5], [60, False], [-1, 0], [60, -1], [0, 5], ["60", 5],
     [BANK_S_MAX + 1, 0], [60, INCREMENT_S_MAX + 1]],
)  # fmt: skip
def test_what_nobody_can_mean_by_a_clock_is_refused(value: object) -> None:
    with pytest.raises(MalformedFrame, match="a clock has"):
        parse_clock(value)


def test_a_clock_is_part_of_the_roster_and_so_of_the_game() -> None:
    plain = make_roster("carta", [Identity.generate() for _ in range(2)])
    bot = Replacement(BotTerms("hostless 18", "steady", 10))
    untimed = replace(plain, replacement=bot)
    timed = replace(untimed, clock=TimeControl(600, 5))
    assert parse_roster(decode(encode(timed.plain()))) == timed
    assert len({plain.game_id, untimed.game_id, timed.game_id}) == 3
    with pytest.raises(MalformedFrame):
        parse_roster([*timed.plain(), [600, 5]])
