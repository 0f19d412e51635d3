"""By what bots decide: numbers that nobody can choose among, whoever goes meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.requests import Choice
from p2p.audit.game import read_log
from p2p.base.roster import Replacement
from p2p.crypto.transcript import hash_bytes
from tests.p2p.records import record_of
from tests.p2p.room import BOT_TERMS, Room, Terms
from tests.simulation.volume_group import volume_group

BOT, OTHER_BOT = 2, 3


@pytest.fixture(autouse=True)
def proofs_are_made_quickly() -> Iterator[None]:
    with volume_group():
        yield


def test_who_lets_a_seat_go_gets_no_other_number_for_a_bot() -> None:
    """A sponsor knows the key of its bot, and the lots until somebody else chooses.

    It worked out the next decision with and without another entry in the log, and let another of
    its bots go where that was better.
    """
    room = Room(4, seed=4, game="dominion", terms=Terms(
        bots=(BOT, OTHER_BOT), replacement=Replacement(BOT_TERMS, 60)
    ))  # fmt: skip
    room.chooser = lambda _, actions: actions[-1]
    witness, bot = room.replicas[0], room.replicas[BOT]

    def is_its_turn(events: int) -> bool:
        is_asked = witness.step is not None and witness.step.kind == "choose"
        return is_asked and witness.play.request == Choice(BOT) and _count() > events

    def _count() -> int:
        return len(witness.play.events)

    room.run(lambda _: is_its_turn(20))
    height, lots = witness.height, bot.play._vrf_values
    assert bot.play.dealing is not None
    key = bot.play.dealing.secrets[BOT].to_bytes(32, "little")
    other = room.replicas[OTHER_BOT].play.dealing
    assert other is not None
    secret = other.secrets[OTHER_BOT]
    room.tell_all(room.write(bot))
    room.settle()
    room.lose(OTHER_BOT)
    room.leave(OTHER_BOT, secret)
    room.run(lambda _: is_its_turn(20) and bot.may_write())
    kinds = [entry.kind for entry in witness.log[height:]]
    assert "replace" in kinds and "lot" not in kinds
    place = _count().to_bytes(4, "little")
    drawn = hash_bytes("hostless/bot/1", bot.game_id, key, lots, place, size_bytes=8)
    assert bot.play.decision_seed(BOT) == int.from_bytes(drawn, "little")
    room.run()
    assert not read_log(record_of(witness)).guilty
