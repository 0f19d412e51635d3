"""How hurried bots are: which part of its budget each uses, said before anybody knows its lots.

With each of its choices a bot says by which part it decides once lots have been drawn anew: one in
so many of its iterations.  By then nobody can know what it will choose with the whole or with a
part, its sponsor included.  So whoever hurries a bot on purpose cannot pick among its choices; it
only lets the bot think less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.bot_levels import PARTS
from core.table import RulesError
from p2p.crypto.sure import make_sure

WHOLE: Final = PARTS[0]


class Hurry:
    """What bots have said, and what of that counts."""

    def __init__(self) -> None:
        self._said: dict[int, int] = {}  # By seat, with its last choice.
        self._counting: dict[int, int] = {}  # The same when lots were drawn last.

    def note(self, seat: int, part: int) -> None:
        """A seat has chosen, and said this with it."""
        self._said[seat] = part

    def draw(self) -> None:
        """Lots are drawn: what was said before counts from now on."""
        self._counting = self._said.copy()

    def part_of(self, seat: int) -> int:
        """By which part the bot in a seat decides now."""
        return self._counting.get(seat, WHOLE)


def plain_part(part: int) -> list[object]:
    """What stands at the end of a choice: nothing for the whole."""
    make_sure(part in PARTS, "a budget has only these parts")
    return [] if part == WHOLE else [part]


def parse_part(said: Sequence[object], *, may_hurry: bool) -> int:
    """The part that `plain_part` wrote.

    Raises:
        RulesError: it is none, or nobody thinks there who could be in a hurry.
    """
    match said:
        case []:
            return WHOLE
        case [int(part)] if part in PARTS[1:] and may_hurry:
            return part
    raise RulesError("said of a bot's budget what no bot may say here")
