"""What is said of Dominion: who declines is told by what is not done."""

from __future__ import annotations

from typing import Final

import pytest

import core.games.dominion.cards as c
from core.games.dominion.picks import DECLINES
from core.narrate import Line
from core.requests import Action
from tests.ui.shopping import market
from ui.sentences import line_sentence
from ui.text import LANGUAGE_NAMES, load

DECLINED: Final = {**DECLINES, c.ACTING: "stop", c.CHANCELLING: "pass"}
ALIKE: Final = ((c.CHAPELING, c.SENTRY_TRASHING), (c.CELLARING, c.SENTRY_DISCARDING))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_whoever_declines_is_told_by_what_is_not_done(code: str) -> None:
    """`ada passes` stood between the discards of a Militia, and `ada stops there` after a look."""
    words, seats, told = load(code), market().news().seats, dict[int, str]()
    for phase, verb in DECLINED.items():
        if verb in ("pass", "stop"):
            line = Line(0, "chosen", 0, Action(verb), text=verb, phase=c.PHASES[phase])
            told[phase] = line_sentence(words, seats, line, "dominion")
    assert all(told[one] == told[two] for one, two in ALIKE), "the same is not done"
    assert len({*told.values()}) == len(told) - len(ALIKE) == 11
    assert words("line.stop", name="ada") not in told.values()
    assert all("ada" in sentence for sentence in told.values())
