"""What a table agrees on before anybody sits down, and what one has to be able to do there."""

from __future__ import annotations

from typing import Final

from core.errors import HostlessError
from p2p.base.limits import GRACE_S_MAX, GRACE_S_MIN
from p2p.base.roster import ESCROW_SEATS_MIN, Mind, Roster, StandIn
from p2p.session.news import OpenTable
from p2p.table.gathering import options_text

STAND_IN_LEVEL: Final = "steady"  # Of the bot that plays for a seat whose owner is gone.
PERSONS_MIN: Final = 2  # For whom somebody else may have to go on.


def terms_text(command: OpenTable) -> str:
    """What the announcement of a table says about it."""
    terms = StandIn(Mind(), command.grace_s, command.is_escrowed).options()
    return options_text(
        command.options.items(),
        terms,
        opens_hands=command.opens_hands,
        asks_password=bool(command.password),
    )


def wants_stand_in(command: OpenTable) -> bool:
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
    if command.is_escrowed and not can_think:
        raise HostlessError("this front end cannot run bots, so nobody could play on")
    live = command.seats - command.are_bots_open * command.bots
    if command.is_escrowed and live < ESCROW_SEATS_MIN:
        raise HostlessError(
            f"keys can be put in escrow among {ESCROW_SEATS_MIN} seats or more",
            "open bots do not count, since everybody has their keys",
        )


def check_minds(roster: Roster, program: str | None) -> None:
    """Make sure that we would work out the same for open seats as everybody else.

    `program` is the one by which we do that, None if we cannot.

    Raises:
        HostlessError: we would not.
    """
    minds = {roster.seats[seat].name: roster.seats[seat].mind for seat in roster.open_seats()}
    if roster.stand_in is not None:
        minds["whoever plays for a seat that is gone"] = roster.stand_in.mind
    for name, mind in minds.items():
        if mind is None or mind.program != program:
            raise HostlessError(
                f"{name} thinks with a program that is not ours",
                "let everybody use the same version of hostless",
            )
