"""Looking on: the public picture, checked entry by entry, and a clear line when it ends early."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from p2p.errors import HostlessError, PeerError
from p2p.news import Leave, News, TableChanged
from tests.p2p.room import Room
from ui.watching import Watcher

ENTRIES = 60


class Tape:
    """A link that plays messages and then closes, or stays open."""

    def __init__(self, messages: list[object], *, is_open: bool = False) -> None:
        self.messages, self.is_open = messages, is_open
        self.sent: list[object] = []
        self.is_closed = False

    async def send(self, value: object) -> None:
        await trio.lowlevel.checkpoint()
        self.sent.append(value)

    async def receive(self) -> object:
        await trio.lowlevel.checkpoint()
        if self.messages:
            return self.messages.pop(0)
        if self.is_open:
            await trio.sleep_forever()
        raise trio.EndOfChannel

    async def aclose(self) -> None:
        self.is_closed = True
        await trio.lowlevel.checkpoint()


@pytest.fixture(scope="module")
def log() -> list[object]:
    """The beginning of a real game, as a door tells it to somebody who looks on."""
    room = Room(players=2, seed=5)
    room.run(lambda replica: len(replica.log) >= ENTRIES)
    entries: list[object] = [["entry", entry.raw] for entry in room.replicas[0].log]
    return [["roster", room.roster.plain(), []], *entries]


async def watch(tape: Tape) -> tuple[Watcher, list[News]]:
    """Look on until the tape ends."""
    heard: list[News] = []

    async def dial() -> Tape:
        await trio.lowlevel.checkpoint()
        return tape

    watcher = Watcher(heard.append, dial)
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            watcher.serve_in(nursery)
            await watcher.idle()
    return watcher, heard


async def test_an_onlooker_sees_the_table_grow_and_no_hand(log: list[object]) -> None:
    tape = Tape([*log])
    _, heard = await watch(tape)
    pictures = [news for news in heard if isinstance(news, TableChanged)]
    assert tape.sent == [["watch"]]
    assert tape.is_closed
    assert pictures[-1].entry > pictures[0].entry
    assert pictures[-1].fairness.shuffles >= 2
    view = pictures[-1].view
    assert (view.seat, view.offers) == (None, ())
    assert all(card.face is None or card.is_public for card in view.zones["seat0.hand"])


async def test_a_changed_entry_is_refused(log: list[object]) -> None:
    entry = log[5]
    assert isinstance(entry, list)
    raw = bytearray(entry[1])
    raw[-1] ^= 1
    watcher, _ = await watch(Tape([*log[:5], ["entry", bytes(raw)], *log[6:]]))
    assert isinstance(watcher.failure, PeerError)


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [([], "no game is played there yet"), ([["refused", "the game has begun"]], "has begun")],
)
async def test_a_table_that_shows_nothing_is_one_line(
    messages: list[object], sentence: str
) -> None:
    watcher, heard = await watch(Tape(messages))
    assert isinstance(watcher.failure, HostlessError)
    assert sentence in str(watcher.failure)
    assert len(heard) == 1


async def test_a_table_that_closes_early_says_so(log: list[object]) -> None:
    watcher, _ = await watch(Tape([*log[:3]]))
    assert "has closed" in str(watcher.failure)


async def test_whoever_has_seen_enough_leaves(log: list[object]) -> None:
    tape = Tape([*log[:1]], is_open=True)

    async def dial() -> Tape:
        await trio.lowlevel.checkpoint()
        return tape

    watcher = Watcher(lambda news: None, dial)
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            watcher.serve_in(nursery)
            await trio.testing.wait_all_tasks_blocked()
            await watcher.obey(Leave())
    assert tape.is_closed
    assert watcher.failure is None
