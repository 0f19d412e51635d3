"""Seats without a link to each other: what is passed on, to whom, and what nobody believes."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import EARLY_ENTRIES_MAX
from p2p.session.relaying import Relaying
from tests.p2p.acknowledging import acknowledged
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def seated(
    me: int, links: set[int], players: int = 3, entries: int = 0
) -> tuple[QuietTable, Relaying, Room]:
    """A seat at a table of beads that has just begun, or has so many entries."""
    room = Room(players, game="beads")
    room.run(lambda replica: replica.height >= entries)
    neighbours = QuietTable(room.replicas[me], links)
    return neighbours, Relaying(neighbours), room


async def test_a_seat_says_whom_it_cannot_reach_once_for_every_change() -> None:
    me, relaying, _ = seated(1, {0})
    await relaying.ask()
    assert me.sent == [(0, ["relay", [2]]), (0, ["have", 0])]
    await relaying.ask()
    assert len(me.sent) == 2
    me.link({*me.links, 2})
    await relaying.ask()
    assert me.sent[2:4] == [(0, ["relay", []]), (2, ["relay", []])]


async def test_an_acknowledgement_is_passed_on_once_to_those_who_asked_for_it() -> None:
    me, relaying, room = seated(0, {1, 2, 3}, players=4)
    await relaying.receive(1, [2])
    said = acknowledged(room.replicas[2], 0, me.replica.head)
    assert await relaying.receive_ack(2, said) == 2
    assert me.sent == [(1, said)]
    assert await relaying.receive_ack(3, said) is None
    assert me.sent == [(1, said)]
    await relaying.receive(3, [2])
    assert me.sent[1:] == [(3, said)], "the newest is passed on at once"


async def test_an_older_acknowledgement_is_no_news_and_goes_no_further() -> None:
    """Else those who miss a seat that is gone would tell each other of it for good."""
    me, relaying, room = seated(0, {1, 3}, players=4)
    for neighbour in (1, 3):
        await relaying.receive(neighbour, [2])
    older, newer = (acknowledged(room.replicas[2], height, bytes(32)) for height in (1, 2))
    heard = [await relaying.receive_ack(1, said) for said in (older, newer, older, newer, older)]
    assert heard == [2, 2, None, None, None]
    assert me.sent == [(3, older), (3, newer)]


async def test_an_acknowledgement_counts_whoever_brings_it() -> None:
    me, relaying, room = seated(0, {1}, entries=3)
    height, head = me.replica.height, me.replica.head
    me.replica.acks.clear()
    await relaying.receive_ack(1, acknowledged(room.replicas[2], height, head))
    assert not me.replica.is_agreed()
    await relaying.receive_ack(1, acknowledged(room.replicas[1], height, head))
    assert me.replica.is_agreed()


@pytest.mark.parametrize(
    ("place", "value"),
    [(1, bytes(32)), (2, 1), (3, 1), (4, bytes(32)), (5, bytes(32)), (9, bytes(64)), (9, b"")],
)
async def test_nobody_acknowledges_for_another(place: int, value: object) -> None:
    me, relaying, room = seated(0, {1, 2})
    said = acknowledged(room.replicas[2], 0, me.replica.head)
    said[place] = value
    with pytest.raises(BadSignature):
        await relaying.receive_ack(1, said)
    assert not me.replica.disagreeing() and not me.sent


async def test_an_acknowledgement_of_another_game_is_none() -> None:
    me, relaying, _ = seated(0, {1, 2})
    other = Room(3, game="beads").replicas[2]
    with pytest.raises(BadSignature):
        await relaying.receive_ack(2, acknowledged(other, 0, me.replica.head))


@pytest.mark.parametrize(
    "said",
    [["ack", *said] for said in (
        [bytes(32), 9, 1, bytes(32), bytes(32), None, 0, [], bytes(64)],  # Nobody sits there.
        [bytes(32), True, 1, bytes(32), bytes(32), None, 0, [], bytes(64)],
        [bytes(32), 1, 1, bytes(32), bytes(32), [2, "silent", b"", []], 0, [], bytes(64)],
        [bytes(32), 1, 1, bytes(32), bytes(32), None, 1, [], bytes(64)],
        [1], [1, 0, 2],
    )],
)  # fmt: skip
async def test_what_is_no_acknowledgement_is_refused(said: list[object]) -> None:
    _, relaying, _ = seated(0, {1, 2})
    with pytest.raises(MalformedFrame):
        await relaying.receive_ack(1, said)


FAR = EARLY_ENTRIES_MAX + 5  # Entries ahead of somebody who has just come back.


async def test_whoever_is_far_behind_keeps_the_newest_that_a_seat_has_acknowledged() -> None:
    """A neighbour may pass on an older one after it: nobody would say the newer one again."""
    me, relaying, room = seated(0, {1, 2})
    newer, older = (acknowledged(room.replicas[2], FAR + more, bytes(32)) for more in (9, 0))
    await relaying.receive_ack(2, newer)
    await relaying.receive_ack(1, older)
    kept = me.replica.acks.at(FAR + 9)
    assert [ack.head for ack in kept.values()] == [bytes(32)] and not me.replica.acks.at(FAR)


async def test_what_a_seat_says_again_counts_again() -> None:
    """It may have been forgotten, as logs have gone back or it came too early."""
    me, relaying, room = seated(0, {1, 2})
    said = acknowledged(room.replicas[2], FAR, bytes(32))
    await relaying.receive_ack(2, said)
    me.replica.acks.clear()
    assert await relaying.receive_ack(2, said) is None
    assert {seat: ack.head for seat, ack in me.replica.acks.at(FAR).items()} == {2: bytes(32)}
