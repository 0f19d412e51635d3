"""Whoever convicts itself, or its own bot, at a roll does not have it once more.

Each share follows from a key that the others have in escrow.  The attack: a person and its bot keep
back their shares until they know all others; where the roll does not suit the person, its bot signs
two entries.  That costs a bot, which everybody computes from then on, and no more.
"""

from __future__ import annotations

import pytest

from core.games import GAMES
from core.requests import Roll, Rolled
from p2p.audit.game import read_log
from p2p.base.entry import sign_entry
from p2p.crypto.commitments import draw_below, mix
from p2p.crypto.vrf import vrf_value
from p2p.log.membership.messages import REASON_CONVICTED
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is, secret_of
from tests.p2p.game.test_dealt_before import content_of
from tests.p2p.records import record_of
from tests.p2p.test_verifier import verified

CHEAT, GONE = 2, 3


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def convict(room: OpenRoom) -> None:
    """Let a seat sign two entries of the current step, and go by that."""
    cheat = room.replicas[CHEAT]
    assert cheat.step is not None
    by, at, kind = room.identities[CHEAT], cheat.position, cheat.step.kind
    raws = [sign_entry(by, cheat.game_id, (CHEAT, 0), at, [kind, each]).raw for each in range(2)]
    room.lose(CHEAT)
    room.remove(CHEAT, REASON_CONVICTED, raws)


def check_record(room: OpenRoom) -> None:
    """Both readers find the game whole, and only the cheater guilty."""
    room.run()
    found = read_log(record_of(room.spectator, notes=room.notes))
    assert found.is_signed and not found.damage and set(found.guilty) == {CHEAT}
    assert verified(content_of(room)) == (True, CHEAT)


def test_a_roll_is_what_the_keys_give_also_for_who_is_convicted_at_it(seed: int) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    witness = room.replicas[0]
    place, request = witness.play._context(0, "roll"), witness.play.request
    assert isinstance(request, Roll)
    shares = tuple(vrf_value(secret_of(room, seat), place) for seat in range(3))
    count = len(witness.play.events)
    convict(room)
    room.run(lambda each: len(each.play.events) > count)
    due = draw_below(mix(place, shares), request.sides)
    assert witness.play.events[count] == (request, Rolled(due))
    check_record(room)


@pytest.mark.parametrize("kind", ["lot", "unseal"])
def test_what_was_drawn_or_sealed_stays_where_somebody_is_convicted(seed: int, kind: str) -> None:
    """Also the choice that the cheater had sealed, which it would like to make once more."""
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    room.lose(GONE)
    room.remove(GONE)  # Lots are drawn for the bot in its seat.
    room.run(kind_is(kind))
    witness = room.replicas[0]
    height, sealed = witness.play.height, dict(witness.play.sealed)
    convict(room)
    room.run(lambda each: each.step is None or each.step.kind != "part")
    assert witness.step is not None and witness.step.kind == kind
    assert witness.play.height == height and witness.play.sealed == sealed
    check_record(room)
