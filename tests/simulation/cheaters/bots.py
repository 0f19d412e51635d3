"""Cheaters that say something false of bots, or at the end."""

from __future__ import annotations

from p2p.crypto.group import base, random_scalar, scalar_to_bytes
from p2p.crypto.vrf import vrf_prove
from p2p.log.replica import Replica
from tests.simulation.cheaters.bodies import cards_of, me
from tests.simulation.cheaters.kinds import Outcome, body_of


@body_of("choose", seats=(1,))
def hurry_of_a_person(replica: Replica, body: list[object]) -> object:
    """Say by which part of its budget it goes on, as only a bot may."""
    return [*body, 10]


@body_of("choose", seats=(1,), needs="bot")
def part_that_is_none(replica: Replica, body: list[object]) -> object:
    """Let a bot go on with another part of its budget than there is."""
    return [*body[:2], 2]


@body_of("lot", needs="bot")
def lot_of_its_choice(replica: Replica, body: list[object]) -> object:
    """Draw again until it likes what a bot decides by."""
    dealing, seat = cards_of(replica), me(replica)
    place, secret = replica.play._context(0, "lot"), random_scalar()
    return vrf_prove(secret, base(secret), place, dealing.context(seat, "lot"))


@body_of("lot", needs="bot", outcome=Outcome.NAMED)
def lot_of_another_place(replica: Replica, body: list[object]) -> object:
    """Draw the lot of another place in the log, which it liked better."""
    dealing, seat = cards_of(replica), me(replica)
    place = replica.play._context(0, "lot", height=1)
    secret, public = dealing.secrets[seat], dealing.publics[seat]
    return vrf_prove(secret, public, place, dealing.context(seat, "lot"))


@body_of("finish")
def another_result(replica: Replica, body: list[object]) -> object:
    """Sign at the end that it has won alone."""
    scores, winners = body
    return [scores, [me(replica)] if winners != [me(replica)] else []]


@body_of("finish")
def other_scores(replica: Replica, body: list[object]) -> object:
    """Sign at the end that it has more points."""
    scores, winners = body
    assert isinstance(scores, list), "every seat has a score"
    return [[score + (seat == replica.me) for seat, score in enumerate(scores)], winners]


@body_of("open keys", needs="hands")
def another_key_opened(replica: Replica, body: list[object]) -> object:
    """Open another key than it played with, so that nobody can look at its choices."""
    return scalar_to_bytes(cards_of(replica).secrets[me(replica)] + 1)
