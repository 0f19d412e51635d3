"""What a screen shows of a running game: one frozen value, made anew whenever something changes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from p2p.log.parting import unverified_from
from p2p.log.replica import Replica
from p2p.session.news import Fairness, SeatState, TableChanged, seat_state
from p2p.session.pairing import table_words
from p2p.session.players import turn_of


def picture_of(
    replica: Replica, path: Path, strangers: tuple[str, ...], linked: Collection[int]
) -> TableChanged:
    """The table as its seat (or who looks on) sees it; `linked` are the seats that are in reach."""
    seen, dealing = replica.view(), replica.play.dealing
    return TableChanged(
        entry=len(replica.play.events),
        view=seen,
        seats=_seats(replica, linked),
        lines=tuple(replica.play.narrator.lines),
        fairness=_fairness(replica),
        doing=replica.step.kind if replica.step is not None else "",
        pairing=table_words(replica.game_id, dealing.agreed) if dealing is not None else "",
        strangers=strangers,
        path=path,
        is_finished=replica.play.is_signed,
        unverified=unverified_from(replica),
        turn=turn_of(replica, replica.me) if replica.me is not None and seen.offers else None,
    )


def _fairness(replica: Replica) -> Fairness:
    dealing = replica.play.dealing
    counted = dealing.fairness if dealing is not None else Fairness()
    return replace(counted, entries=len(replica.log), pending=len(replica.obligations))


def _seats(replica: Replica, linked: Collection[int]) -> tuple[SeatState, ...]:
    seats = replica.seating.seats()
    names = {seat.identity: seat.name for seat in seats}
    return tuple(
        seat_state(seat, _link_of(replica, index, linked), names)
        for index, seat in enumerate(seats)
    )


def _link_of(replica: Replica, seat: int, linked: Collection[int]) -> str:
    if seat == replica.me:
        return "me"
    return "up" if seat in linked or seat in replica.open_seats else "away"
