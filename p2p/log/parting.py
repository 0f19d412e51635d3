"""Logs that part for good, because one seat has gone on alone: see `p2p.session.alone`."""

from __future__ import annotations

from p2p.base.entry import Entry, Position, parse_entry
from p2p.base.errors import MalformedFrame
from p2p.game.fairness import Unverified
from p2p.log.handover import Standing
from p2p.log.votes import STAND_IN, TURN, alone_in, parse_stand_in, word_of


def is_alone(entry: Entry) -> bool:
    """Whether a seat has gone on alone by this entry.

    Raises:
        MalformedFrame: it is no entry that anybody writes.
    """
    return entry.kind == STAND_IN and alone_in(parse_stand_in(entry.body).round) is not None


def unverified_from(replica: Standing) -> Unverified | None:
    """Where in the log one seat began to speak for all, and who."""
    if not replica.open_seats:
        return None  # Every picture asks.
    for place, entry in enumerate(replica.log):
        lone = alone_in(parse_stand_in(entry.body).round) if entry.kind == STAND_IN else None
        if lone is not None:
            return Unverified(place, replica.roster.seats[lone].name)
    return None


def parts_from_us(replica: Standing, entry: Entry, known: Entry | None) -> bool:
    """Whether another seat has gone on alone by this entry, so that its log is not ours any more.

    Or whether I have: then what others make of the same seat (`known` to me so) is on their log.

    Raises:
        MalformedFrame: it has not said so.
    """
    said = parse_stand_in(entry.body) if entry.kind == STAND_IN else None
    lone = None if said is None else alone_in(said.round)
    height = replica.position.height  # Whoever is behind comes there first; who listens may follow.
    is_later = entry.height > height or (entry.height == height and not replica.is_seated)
    if said is None or lone is None or lone == replica.me or is_later:
        return known is not None and is_alone(known)
    word, at = word_of(lone, entry.seat, said.round, None), Position(entry.height, entry.head, b"")
    match said.signatures:
        case [bytes(signature)] if said.key is None and replica.absence.is_given(
            word._replace(signature=signature), at
        ):
            pass
        case _:
            raise MalformedFrame("this seat has not gone on alone")
    replica.absence.apart.add(lone)
    return True


def lacks_end(replica: Standing) -> bool:
    """Whether I signed entries further on, in a log whose end my file has lost.

    Then only others have it, and a log that went on otherwise from here would have me sign the same
    numbers again.
    """
    height, is_owned = replica.position.height, replica.seating.is_owned
    return any(
        entry.seat == replica.me and entry.height > height and is_owned(entry.seat, turn)
        for entry in map(parse_entry, replica.pending())
        for turn in [entry.number // TURN]
    )
