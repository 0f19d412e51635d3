"""What a screen shows of a running game: one frozen value, made anew whenever something changes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from p2p.log.replica import Replica
from p2p.session.news import Fairness, TableChanged, seat_state
from p2p.session.pairing import table_words
from p2p.session.players import decision_point_of


def snapshot_of(
    replica: Replica, path: Path, strangers: tuple[str, ...], linked: Collection[int]
) -> TableChanged:
    """The table as its seat (or who listens there) sees it; `linked` are the seats in reach."""
    shown, dealing, me = public_snapshot(replica), replica.play.dealing, replica.me
    return replace(
        shown,
        seats=tuple(
            replace(state, link=_link_of(replica, seat, linked))
            for seat, state in enumerate(shown.seats)
        ),
        fairness=replace(shown.fairness, pending=len(replica.obligations)),
        pairing=table_words(replica.game_id, dealing.agreed) if dealing is not None else "",
        strangers=strangers,
        path=path,
        turn=None if me is None or not shown.view.offers else decision_point_of(replica, me),
    )


def public_snapshot(replica: Replica) -> TableChanged:
    """The table as the log shows it: all that somebody without a seat sees.

    How links are follows from no log, so every seat is in reach.
    """
    seen, seats = replica.view(), replica.seating.seats()
    names = {seat.identity: seat.shown_name for seat in seats}
    return TableChanged(
        event_count=len(replica.play.events),
        view=seen,
        seats=tuple(seat_state(seat, "up", names) for seat in seats),
        lines=tuple(replica.play.narrator.lines),
        by_bots=frozenset(replica.play.by_bots),
        fairness=_fairness(replica),
        doing=replica.step.kind if replica.step is not None else "",
        is_finished=replica.play.is_signed,
        unsigned=unsigned(replica),
        chosen=_chosen(replica, seen.to_act) if len(seen.to_act) > 1 else (),
    )


def _chosen(replica: Replica, asked: Collection[int]) -> tuple[int, ...]:
    """Who has answered of those who are asked at once: all, when what they chose is opened."""
    step = replica.step
    is_choice = step is not None and step.is_choice
    return tuple(seat for seat in asked if not is_choice or replica.holds(seat))


def unsigned(replica: Replica) -> tuple[int, ...]:
    """Whose signature under the result is missing: a loser may keep it back."""
    step = replica.step
    return replica.waited_for() if step is not None and step.kind == "finish" else ()


def _fairness(replica: Replica) -> Fairness:
    dealing = replica.play.dealing
    counted = dealing.fairness if dealing is not None else Fairness()
    return replace(counted, entries=len(replica.log))


def _link_of(replica: Replica, seat: int, linked: Collection[int]) -> str:
    if seat == replica.me:
        return "me"
    return "up" if seat in linked or seat in replica.open_seats else "away"
