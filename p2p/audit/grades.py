"""What a whole file is worth: four verdicts, each with an exit code of its own."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Grade(StrEnum):
    """What may be believed of a file, the most first."""

    COMPLETE = "complete"  # Every check holds, and every seat has signed the result.
    CHANGED = "changed"  # The same, but the others have agreed that a seat was gone.
    CUT = "cut"  # Every check holds as far as the file goes, and it has no result.
    BROKEN = "broken"  # It accuses somebody; or it is damaged, and accuses nobody.


EXIT_CODES: Final[Mapping[Grade, int]] = {
    Grade.COMPLETE: 0,
    Grade.BROKEN: 1,
    Grade.CUT: 3,  # 2 is a command line that is wrong.
    Grade.CHANGED: 4,
}
