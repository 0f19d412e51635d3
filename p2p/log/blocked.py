"""Why my entry is not written now: all reasons there are, in the order in which they are asked.

Whoever asks finds the first one (`Session.why_not_write`).  Some are about the log alone, and
those a replica knows; some are the guards of rule T1, which asks them again for the entry itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, unique
from typing import Final

from p2p.log.membership import guards
from p2p.log.membership.context import RuleContext
from p2p.log.membership.rules import MAY_WRITE, Guard


@unique
class Blocked(Enum):
    """A reason to write nothing at the moment."""

    LISTENS = "this program only looks on, or has closed its files"
    LEAVES = "I leave the table for good"
    IS_OVER = "the game is over"
    HAS_NO_SEAT = "everybody speaks for my seat"
    IS_NOT_DUE = "no entry of mine is missing in the current step"
    HAS_NO_KEY = "the key of my seat was lost with its secrets file"
    CHEATER = "somebody who has cheated still sits here"
    HAS_LOST_END = "my file has lost the end of a log in which I have signed more"
    UNACKNOWLEDGED = "not all have acknowledged my log (the barrier)"
    HAS_MET_NOBODY = "after a while away I have not heard yet what the others have"
    IS_BEHIND = "somebody has a longer log"
    ELSEWHERE = "another program signs for my seat"
    IS_NO_MEMBER = "I have said farewell, or others have let me go"
    IS_BOUND = "a vote of mine for another log binds me"


BY_GUARD: Final[dict[Guard, Blocked]] = {
    guards.is_member: Blocked.IS_NO_MEMBER,
    guards.is_not_bound: Blocked.IS_BOUND,
    guards.sits_beside_no_cheater: Blocked.CHEATER,
    guards.all_have_my_head: Blocked.UNACKNOWLEDGED,
}


def first_true(reasons: Iterable[tuple[Blocked, bool]]) -> Blocked | None:
    """The first reason that is so."""
    return next((reason for reason, is_so in reasons if is_so), None)


def why_not_by_rules(context: RuleContext) -> Blocked | None:
    """Why rule T1 would refuse whatever I write."""
    return first_true((BY_GUARD[guard], not guard(context, None)) for guard in MAY_WRITE)
