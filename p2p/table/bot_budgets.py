"""How far bots may think that no machine of a guest runs: measured here before anybody agrees."""

from __future__ import annotations

from p2p.base.roster import BotTerms, Replacement, Seat, new_open_seat
from p2p.session.commands import OpenTable
from p2p.table.guest import Measure
from p2p.table.terms import REPLACEMENT_LEVEL, wants_replacement


async def open_bots(command: OpenTable, measure: Measure | None) -> tuple[Seat, ...]:
    """The last seats, for open bots; they think as far as this machine does in the time."""
    if not command.are_bots_open or not command.bots:
        return ()
    assert measure is not None, "this front end cannot run bots"
    wanted = BotTerms("", command.level, command.iterations)
    bot_terms = await measure(wanted, command.game, command.seats)
    return tuple(
        new_open_seat(f"open bot {number + 1}", bot_terms) for number in range(command.bots)
    )


async def replacement(command: OpenTable, measure: Measure | None) -> Replacement | None:
    """Who plays for a seat whose owner is gone, at a table of several persons."""
    if measure is None or not wants_replacement(command):
        return None
    wanted = BotTerms("", REPLACEMENT_LEVEL, command.iterations)
    bot_terms = await measure(wanted, command.game, command.seats)
    return Replacement(bot_terms, command.grace_s, command.is_escrowed)
