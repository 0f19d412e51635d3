"""How long persons may think: agreed on by all before the game, as `10+5`.

Ten minutes for the whole game, and five seconds more after each choice (Fischer, US patent
4884255, 1989); or `shown`: time is shown and never runs out.  Every machine counts for itself, and
nobody decides over another: see `p2p.session.clocks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from p2p.base.errors import MalformedFrame
from p2p.base.limits import BANK_S_MAX, INCREMENT_S_MAX

MINUTE_S: Final = 60
UNLIMITED: Final = "shown"
_TEXT: Final = re.compile(r"([0-9]{1,4})\+([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each person; the usual one is shown, and never runs out."""

    bank_s: int = 0  # For the whole game; 0: without limit.
    increment_s: int = 0  # More after each choice.

    @property
    def is_limited(self) -> bool:
        """Whether time can run out."""
        return self.bank_s > 0

    def __str__(self) -> str:
        """As people write it: minutes and seconds, or `shown`."""
        return f"{self.bank_s // MINUTE_S}+{self.increment_s}" if self.is_limited else UNLIMITED

    def plain(self) -> list[object]:
        """The time as values for the wire."""
        return [self.bank_s, self.increment_s]


def read_clock(text: str) -> TimeControl | None:
    """What somebody has written as `10+5` or `shown`; None if it is neither.

    >>> read_clock("10+5")
    TimeControl(bank_s=600, increment_s=5)
    """
    if text == UNLIMITED:
        return TimeControl()
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    bank_s, increment_s = int(found[1]) * MINUTE_S, int(found[2])
    is_one = 0 < bank_s <= BANK_S_MAX and increment_s <= INCREMENT_S_MAX
    return TimeControl(bank_s, increment_s) if is_one else None


def parse_clock(value: object) -> TimeControl:
    """The time that `TimeControl.plain` wrote.

    Raises:
        MalformedFrame: it is none.
    """
    match value:
        case [int(bank_s), int(increment_s)] if (
            (type(bank_s), type(increment_s)) == (int, int)
            and 0 <= bank_s <= BANK_S_MAX
            and 0 <= increment_s <= (INCREMENT_S_MAX if bank_s else 0)
        ):
            return TimeControl(bank_s, increment_s)
    raise MalformedFrame("a clock has a time for the game, and one for each choice")
