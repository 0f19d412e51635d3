"""Seats without a link to each other: what is passed on, to whom, and what nobody believes."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import EARLY_ENTRIES_MAX, HELP_BURST_MAX, HELP_PER_S_MAX
from tests.p2p.acknowledging import acknowledged
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable, membership_inbox_at


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Seated:
    """A seat at a table of beads that has just begun, or has so many entries."""

    def __init__(self, me: int, links: set[int], players: int = 3, entries: int = 0) -> None:
        self.room = Room(players, game="beads")
        self.room.run(lambda replica: replica.height >= entries)
        self.replica = self.room.replicas[me]
        self.table = QuietTable(self.replica, links)
        self.heard: list[int] = []  # Who has said something new.
        self.membership_inbox, self.relaying = membership_inbox_at(self.table, self.heard.append)

    @property
    def sent(self) -> list[tuple[int, list[object]]]:
        """What it has sent, and to whom."""
        return self.table.sent

    def acknowledged(self, by: int, height: int, head: bytes = bytes(32)) -> list[object]:
        """What another seat says of its log."""
        return acknowledged(self.room.replicas[by], height, head)


async def test_a_seat_says_whom_it_cannot_reach_once_for_every_change() -> None:
    me = Seated(1, {0})
    await me.relaying.ask()
    assert me.sent == [(0, ["relay", [2]]), (0, ["have", 0, 0])]
    await me.relaying.ask()
    assert len(me.sent) == 2
    me.table.link({*me.table.links, 2})
    await me.relaying.ask()
    assert me.sent[2:4] == [(0, ["relay", []]), (2, ["relay", []])]


async def test_a_link_that_ends_while_something_is_passed_on_keeps_it_from_nobody_else() -> None:
    """The program ended with an error: whom a neighbour misses was forgotten within the loop."""
    me = Seated(0, {1, 2}, players=4)
    await me.relaying.receive(1, [3])
    await me.relaying.receive(2, [3])

    async def lose_both() -> None:
        me.relaying.note_lost(1)
        me.relaying.note_lost(2)

    me.table.sent.clear()
    me.table.meanwhile = lose_both
    message: list[object] = ["say"]
    await me.relaying.pass_on(3, 3, message)
    assert me.sent == [(1, message), (2, message)]


async def test_a_seat_is_out_of_reach_once_the_last_neighbour_says_so() -> None:
    me = Seated(0, {1, 2})
    await me.relaying.receive(1, [])
    assert me.relaying.reached() == [1, 2]
    me.table.link({1})
    assert me.relaying.reached() == [1, 2], "by what the neighbour said last"
    await me.relaying.receive(1, [2])
    assert me.relaying.reached() == [1]


async def test_an_acknowledgement_is_passed_on_once_to_those_who_asked_for_it() -> None:
    me = Seated(0, {1, 2, 3}, players=4)
    await me.relaying.receive(1, [2])
    said = me.acknowledged(2, 0, me.replica.head)
    await me.membership_inbox.receive(2, said)
    assert me.sent == [(1, said)] and me.heard == [2]
    await me.membership_inbox.receive(3, said)
    assert me.sent == [(1, said)] and me.heard == [2]
    await me.relaying.receive(3, [2])
    assert me.sent[1:] == [(3, said)], "the newest is passed on at once"


async def test_whoever_asks_to_pass_on_without_end_is_not_answered_without_end(
    autojump_clock: MockClock,
) -> None:
    me = Seated(0, {1, 2, 3}, players=4)
    await me.membership_inbox.receive(2, me.acknowledged(2, 0, me.replica.head))
    for _ in range(2 * HELP_BURST_MAX):
        await me.relaying.receive(1, [2])
    assert len(me.sent) == HELP_BURST_MAX
    await me.relaying.receive(3, [2])
    assert len(me.sent) == HELP_BURST_MAX + 1, "others are still answered"
    await trio.sleep(1)
    for _ in range(2 * HELP_BURST_MAX):
        await me.relaying.receive(1, [2])
    assert len(me.sent) == HELP_BURST_MAX + 1 + HELP_PER_S_MAX, "and so is it, later"


async def test_whom_a_seat_misses_is_known_also_if_it_asks_too_often(
    autojump_clock: MockClock,
) -> None:
    me = Seated(0, {1, 2, 3}, players=4)
    for _ in range(2 * HELP_BURST_MAX):
        await me.relaying.receive(1, [])
    await me.relaying.receive(1, [2])
    said = me.acknowledged(2, 0, me.replica.head)
    await me.membership_inbox.receive(2, said)
    assert me.sent == [(1, said)]


async def test_an_older_acknowledgement_is_no_news_and_goes_no_further() -> None:
    """Else those who miss a seat that is gone would tell each other of it for good."""
    me = Seated(0, {1, 3}, players=4)
    for neighbour in (1, 3):
        await me.relaying.receive(neighbour, [2])
    older, newer = (me.acknowledged(2, height) for height in (1, 2))
    for said in (older, newer, older, newer, older):
        await me.membership_inbox.receive(1, said)
    assert me.heard == [2, 2]
    assert me.sent == [(3, older), (3, newer)]


async def test_an_acknowledgement_counts_whoever_brings_it() -> None:
    me = Seated(0, {1}, entries=3)
    height, head = me.replica.height, me.replica.head
    me.replica.acks.forget(height + 1)
    await me.membership_inbox.receive(1, me.acknowledged(2, height, head))
    assert not me.replica.is_agreed()
    await me.membership_inbox.receive(1, me.acknowledged(1, height, head))
    assert me.replica.is_agreed()


@pytest.mark.parametrize(
    ("place", "value"),
    [(1, bytes(32)), (2, 1), (3, 1), (4, bytes(32)), (5, bytes(32)), (9, bytes(64)), (9, b"")],
)
async def test_nobody_acknowledges_for_another(place: int, value: object) -> None:
    me = Seated(0, {1, 2})
    said = me.acknowledged(2, 0, me.replica.head)
    said[place] = value
    with pytest.raises(BadSignature):
        await me.membership_inbox.receive(1, said)
    assert not list(me.replica.acks.from_on(0)) and not me.sent and not me.heard


async def test_an_acknowledgement_of_another_game_is_none() -> None:
    me = Seated(0, {1, 2})
    other = Room(3, game="beads").replicas[2]
    with pytest.raises(BadSignature):
        await me.membership_inbox.receive(2, acknowledged(other, 0, me.replica.head))


@pytest.mark.parametrize(
    "said",
    [["ack", *said] for said in (
        [bytes(32), 9, 1, bytes(32), bytes(32), None, 0, [], bytes(64)],  # Nobody sits there.
        [bytes(32), True, 1, bytes(32), bytes(32), None, 0, [], bytes(64)],
        [bytes(32), 1, 1, bytes(32), bytes(32), [2, "bored", b"", []], 0, [], bytes(64)],
        [bytes(32), 1, 1, bytes(32), bytes(32), None, 0, [[]], bytes(64)],
        [1], [1, 0, 2],
    )],
)  # fmt: skip
async def test_what_is_no_acknowledgement_is_refused(said: list[object]) -> None:
    with pytest.raises(MalformedFrame):
        await Seated(0, {1, 2}).membership_inbox.receive(1, said)


FAR = EARLY_ENTRIES_MAX + 5  # Entries ahead of somebody who has just come back.


async def test_whoever_is_far_behind_keeps_the_newest_that_a_seat_has_acknowledged() -> None:
    """A neighbour may pass on an older one after it: nobody would say the newer one again."""
    me = Seated(0, {1, 2})
    newer, older = (me.acknowledged(2, FAR + more) for more in (9, 0))
    await me.membership_inbox.receive(2, newer)
    await me.membership_inbox.receive(1, older)
    kept = me.replica.acks.all_at(FAR + 9)
    assert [ack.head for ack in kept] == [bytes(32)] and not list(me.replica.acks.all_at(FAR))


async def test_what_a_seat_says_again_counts_again() -> None:
    """It may have been forgotten, as logs have gone back or it came too early."""
    me = Seated(0, {1, 2})
    said = me.acknowledged(2, FAR)
    await me.membership_inbox.receive(2, said)
    me.replica.acks.forget(FAR + 1)
    await me.membership_inbox.receive(2, said)
    assert [(ack.seat, ack.head) for ack in me.replica.acks.all_at(FAR)] == [(2, bytes(32))]
