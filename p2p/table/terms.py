"""The terms of a table: what all agree on before anybody sits down.

An announcement says them in one line, by which a guest holds the roster to what was promised.  Who
opens a table, or sits down at one, checks first that its program can do what they ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from core.errors import HostlessError
from core.table import OptionValue
from p2p.base.clock import TimeControl
from p2p.base.limits import GRACE_S_MAX, GRACE_S_MIN, PERSONS_MIN
from p2p.base.roster import ESCROW_PERSONS_MIN, BotTerms, Replacement, Roster
from p2p.net.announcements import PASSWORD_ASKED, SEATS_FILLED, SEATS_KEPT, clean_options
from p2p.session.commands import OpenTable

REPLACEMENT_LEVEL: Final = "steady"  # Of the bot that plays for a seat whose owner is gone.


def options_text(
    options: Iterable[tuple[str, OptionValue]],
    terms: Sequence[str] = (),
    *,
    opens_hands: bool,
    asked: Sequence[str] = (),
    clock: TimeControl | None = None,
) -> str:
    """The options of a table as its announcement says them; `terms`: those of its replacement.

    `asked` is what somebody needs who sits down: `PASSWORD_ASKED`, or `TableAd.kept`.

    An announcement has only so much room, and what is cut off nobody reads or compares with the
    roster: so what is agreed between people stands before what a game has.
    """
    shown = [*asked, *_clock_options(clock)]
    shown += [*["hands=open"] * opens_hands, *terms]
    return clean_options(" ".join([*shown, *(f"{key}={value}" for key, value in options)]))


def terms_text(command: OpenTable) -> str:
    """What the announcement of a table says about it."""
    terms = Replacement(BotTerms(), command.grace_s, command.is_escrowed).options()
    return options_text(
        command.options.items(),
        terms,
        opens_hands=command.opens_hands,
        asked=[PASSWORD_ASKED] * bool(command.password) + _kept_option(command),
        clock=command.clock,
    )


def _kept_option(command: OpenTable) -> list[str]:
    """For whom the seats are, where they are not for anybody."""
    return [SEATS_FILLED if command.is_filled else SEATS_KEPT] * command.keeps_seats


def _clock_options(clock: TimeControl | None) -> list[str]:
    """What people should know of the clock, as the announcement of a table says it."""
    if clock is None:
        return []
    return [f"clock={clock}" if clock.is_limited else "times=shown"]


def wants_replacement(command: OpenTable) -> bool:
    """Whether somebody may have to go on without somebody else."""
    return command.is_escrowed or command.seats - command.bots >= PERSONS_MIN


def check_terms(command: OpenTable, *, can_think: bool) -> None:
    """Make sure that a table can be what is asked of it.

    Raises:
        HostlessError: it cannot.
    """
    if not 0 <= command.bots < command.seats:
        raise HostlessError(f"{command.seats} seats leave room for {command.seats - 1} bots")
    if not GRACE_S_MIN <= command.grace_s <= GRACE_S_MAX:
        raise HostlessError(f"a table waits {GRACE_S_MIN} to {GRACE_S_MAX} seconds for a seat")
    if command.clock is not None and not (can_think and wants_replacement(command)):
        raise HostlessError("a clock is for a table of several persons")
    if command.is_escrowed and not can_think:
        raise HostlessError("this front end cannot run bots, so nobody could play on")
    if command.is_escrowed and command.seats - command.bots < ESCROW_PERSONS_MIN:
        raise HostlessError(
            f"keys can be put in escrow among {ESCROW_PERSONS_MIN} persons or more",
            "bots do not count: whoever runs one has its keys",
        )


def check_bot_terms(roster: Roster, program: str | None) -> None:
    """Make sure that we would work out the same for open seats as everybody else.

    `program` is the one by which we do that, None if we cannot.

    Raises:
        HostlessError: we would not.
    """
    bots_terms = {
        roster.seats[seat].shown_name: roster.seats[seat].bot_terms for seat in roster.open_seats()
    }
    if roster.replacement is not None:
        bots_terms["whoever plays for a seat that is gone"] = roster.replacement.bot_terms
    for name, bot_terms in bots_terms.items():
        if bot_terms is None or bot_terms.program != program:
            raise HostlessError(
                f"{name} thinks with a program that is not ours",
                "let everybody use the same version of hostless",
            )
