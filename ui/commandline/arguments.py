"""What the values on the command line may be: each type is a function that refuses with a sentence.

Nothing here loads the network side before somebody names an address or a name.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Final

from core.bot_levels import ITERATIONS_MAX
from core.table import RulesError
from p2p.base.clock import UNLIMITED, TimeControl, read_clock
from p2p.base.limits import GRACE_S_MAX, GRACE_S_MIN, PORT_MAX

DIGITS_MAX: Final = 7
SHOWN_LETTERS_MAX: Final = 40


def game(text: str) -> str:
    """The slug of a game."""
    from core.games import find_game

    try:
        return find_game(text).slug
    except RulesError as error:
        raise ArgumentTypeError(str(error)) from error


def player_name(text: str) -> str:
    """A name as others will read it."""
    from core.errors import HostlessError
    from p2p.base.names import clean_name

    try:
        return clean_name(text)
    except HostlessError as error:
        raise ArgumentTypeError(str(error)) from error


def target(text: str) -> str:
    """The name of a table, or HOST:PORT, which is one then."""
    return address(text) if ":" in text else text


def address(text: str) -> str:
    """HOST:PORT, as it was typed."""
    from core.errors import HostlessError
    from p2p.net.announcements import parse_address

    try:
        parse_address(text)
    except HostlessError as error:
        raise ArgumentTypeError(f"{error}; {error.hint}") from error
    return text


def scheduler(text: str) -> str:
    """tcp://HOST:PORT of the scheduler of a Dask cluster, as it was typed; empty for none."""
    if text:  # The parser asks about the value that stands for none as well.
        address(text.removeprefix("tcp://"))
    return text


def port(text: str) -> int:
    """The number of a port."""
    number = _number(text)
    if number is None or not 0 < number <= PORT_MAX:
        raise ArgumentTypeError(f"a port is a number from 1 to {PORT_MAX}, not {_shown(text)}")
    return number


def seconds(text: str) -> float:
    """A time that is not negative."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not number >= 0:  # So that "nan" is refused too.
        raise ArgumentTypeError(f"a time is a number of seconds, not {_shown(text)}")
    return number


def percent(text: str) -> int:
    """0 to 100."""
    number = _number(text)
    if number is None or number > 100:
        raise ArgumentTypeError(f"a share is 0 to 100 percent, not {_shown(text)}")
    return number


def grace(text: str) -> int:
    """How long a table waits for a seat."""
    number = _number(text)
    if number is None or not GRACE_S_MIN <= number <= GRACE_S_MAX:
        raise ArgumentTypeError(
            f"a time to wait is {GRACE_S_MIN} to {GRACE_S_MAX} whole seconds, not {_shown(text)}"
        )
    return number


def clock(text: str) -> TimeControl:
    """How long persons may think."""
    found = read_clock(text)
    if found is None:
        raise ArgumentTypeError(
            f"a clock is MINUTES+SECONDS, as 10+5, or {UNLIMITED}, not {_shown(text)}"
        )
    return found


def iterations(text: str) -> int:
    """How far a bot thinks."""
    number = _number(text)
    if number is None or number > ITERATIONS_MAX:
        raise ArgumentTypeError(
            f"a number of iterations is 0 to {ITERATIONS_MAX}, not {_shown(text)}"
        )
    return number


def whole(text: str) -> int:
    """A whole number that is not negative."""
    number = _number(text)
    if number is None:
        raise ArgumentTypeError(
            f"a whole number of 1 to {DIGITS_MAX} digits is expected here, not {_shown(text)}"
        )
    return number


def decimal(text: str) -> float:
    """A number with or without a fraction."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise ArgumentTypeError(f"a number is expected here, not {_shown(text)}")
    return number


def _number(text: str) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    return int(text) if is_number else None


def _shown(text: str) -> str:
    return repr(text[:SHOWN_LETTERS_MAX])
