"""A running game among broken links, babble and spectators: it goes on and blames nobody."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
import trio

from core.requests import Action
from p2p.base.errors import MalformedFrame, PeerError
from p2p.base.identity import Identity
from p2p.base.limits import INBOX_MESSAGES_MAX
from p2p.base.roster import parse_roster
from p2p.log.blocked import Blocked
from p2p.log.game_file import GameFile, read_game
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link, connect
from p2p.session.commands import AgreeBack
from p2p.session.news import News, Notice, TableChanged
from p2p.session.session import Session
from tests.p2p.nodes import (
    HERE,
    check_one_log,
    has_entries,
    people,
    play_a_while,
    sitting_down,
)
from tests.p2p.outspoken import Outspoken
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable

pytestmark = pytest.mark.usefixtures("quick_proofs")

BABBLE: tuple[object, ...] = (
    *(None, "entry", ["entry", 1], ["entry", b"\x82\x40\x40"], ["ack", "1", b""], ["have"]),
    *({"entry": b""}, ["verified"], [0, ["have", 0]], ["ack", 1, 5, bytes(32), bytes(64)]),
    *(["relay", [7]], ["relay", [1, 1]], ["relay", [True]], ["relay"]),
    *(["clock", 5000], ["clock", -1], ["clock"]),
)
HARMLESS: tuple[object, ...] = (
    *(["shown", 1 << 40], ["shown", -1], ["have", -5], ["have", 1 << 40]),
    *(["relay", [0]], ["relay", []], ["word", 9, 0, 9, 0, True, b""]),
)


class Babbling(Outspoken):
    """Says one wrong thing on each of its links."""

    said = 0  # By all of them.
    last: Link | None = None

    async def broadcast(self, message: list[object]) -> None:
        await super().broadcast(message)
        link = self.links.get(0)
        if link is not None and link is not self.last and self.said < len(BABBLE):
            with suppress(trio.BrokenResourceError):  # The other end may hang up on any of them.
                for word in (*HARMLESS, BABBLE[self.said]):
                    await link.send(word)
            self.last, Babbling.said = link, self.said + 1


async def test_messages_of_wrong_shapes_close_a_link_and_the_game_goes_on(tmp_path: Path) -> None:
    party, Babbling.said = people(tmp_path, 2, seed=50), 0

    def has_closed_all(_: News) -> bool:
        return Babbling.said == len(BABBLE)

    async with sitting_down(party, cheats={1: Babbling}):
        await party[0].until(has_closed_all)
        count = len(party[0].news)
        await party[0].until(lambda news: news in party[0].news[count:] and has_entries(30)(news))
        for person in party:
            person.stop()
    closed = [text for text in party[0].notices if text.startswith("closed the link to grace")]
    assert closed and len(set(closed)) == len(closed) < len(BABBLE), "each is said once"
    check_one_log(party)


class Unhurried:
    """A link whose other end takes its time over every goodbye."""

    peer_name, fault = "grace", None

    def give_up(self, fault: PeerError) -> None:
        """End at once."""
        self.fault = fault

    async def aclose(self) -> None:
        """Wait for the other end."""
        pytest.fail("nobody waits for who says what means nothing")


async def test_a_wrong_message_costs_the_others_no_time_and_nothing_more_is_heard() -> None:
    room, news = Room(2), list[News]()
    table = QuietTable(room.replicas[0])
    session = Session(table.replica, table.game_file, None, news.append)
    link = cast("Link", Unhurried())
    for message in (["x"], ["y"], ["have", 1, 0]):
        await session._receive_peer(link, 1, message)
    assert len(news) == 1 and isinstance(link.fault, MalformedFrame)


async def test_what_a_person_says_too_early_is_not_lost_without_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, news = Room(2), list[News]()
    table = QuietTable(room.replicas[0])
    session = Session(table.replica, table.game_file, None, news.append)
    monkeypatch.setattr(session.instances, "may_sign", lambda: False)
    for message in (["say", "hello"], ["take back", AgreeBack(0, 0)]):
        await session._receive(None, message)
    assert [type(each) for each in news] == [Notice, Notice]


class Stumbling(Outspoken):
    """Loses all its links at every tenth entry."""

    stumbled = 0

    async def broadcast(self, message: list[object]) -> None:
        await super().broadcast(message)
        if self.replica.height // 10 > self.stumbled:
            self.stumbled = self.replica.height // 10
            for link in list(self.links.values()):
                link._break()


@pytest.mark.parametrize("seat", [0, 1])
async def test_links_that_break_are_made_again_and_nothing_is_lost(
    tmp_path: Path, seat: int
) -> None:
    """The seat with the higher number calls again, whichever end has lost the link."""
    party = people(tmp_path, 2, seed=51)
    await play_a_while(party, 60, cheats={seat: Stumbling})
    check_one_log(party)


async def test_a_seat_that_leaves_is_shown_as_away(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=52)

    def is_away(news: News) -> bool:
        return isinstance(news, TableChanged) and news.seats[1].link == "away"

    async with sitting_down(party):
        await party[0].until(lambda news: isinstance(news, TableChanged) and news.event_count > 10)
        count = len(party[0].news)
        party[1].stop()
        await party[0].until(lambda news: news in party[0].news[count:] and is_away(news))
        party[0].stop()
    assert not party[0].accused


def test_a_choice_that_waits_for_somebody_who_is_away_says_so_once(tmp_path: Path) -> None:
    """It is written when all have the same log: until then nothing on the table moves."""
    room, news = Room(3, seed=2), list[News]()
    room.run(until=lambda replica: bool(replica.view().offers))
    replica = next(each for each in room.replicas if each.view().offers)
    assert replica.needs_acks() and replica.is_agreed()
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    session = Session(replica, game_file, None, news.append)
    session.deciding.note(None, replica.view().offers[0].action, replica.position.head)
    session.relaying.say_what_waits(session.deciding.answer_of(None))
    assert not news, "all have it, so it is about to be made"
    replica.acks.forget(replica.height + 1)
    for _ in range(2):
        session.relaying.say_what_waits(session.deciding.answer_of(None))
    names = [room.roster.seats[seat].name for seat in replica.others]
    assert [each.text for each in news if isinstance(each, Notice)] == [
        f"your choice waits for {', '.join(names)}"
    ]
    session.table.close()


async def test_a_choice_that_is_not_for_the_open_question_is_asked_for_again(
    tmp_path: Path, seed: int
) -> None:
    """It was dropped in silence, and the screen waited for it to come into the log."""
    room, news = Room(2, seed=seed), list[News]()
    room.run(until=lambda replica: bool(replica.view().offers))
    replica = next(each for each in room.replicas if each.view().offers)
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    session = Session(replica, game_file, None, news.append)
    action, entry = replica.view().offers[0].action, len(replica.play.events)
    await session._receive(None, ["choose", action, entry])
    assert session.deciding.take() == action and not news
    for other in (entry - 1, entry + 1):
        await session._receive(None, ["choose", action, other])
        assert session.deciding.take() is None
    assert [each.asks_again for each in news if isinstance(each, Notice)] == [True, True]
    session.table.close()


async def test_a_spectator_hears_all_verifies_all_and_sees_no_hand(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=53)
    async with sitting_down(party):
        await party[0].until(has_entries(20))
        link = await connect((HERE, party[0].port), Identity.generate(), "eve")
        await link.send(["watch"])
        replica = await look_on(link, entries=40)
        await link.aclose()
        for person in party:
            person.stop()
    check_one_log(party)
    dealing, table = replica.play.dealing, replica.play.table
    assert dealing is not None and dealing.observation == table.face
    logged = [raw for _, raw in read_game(party[0].path).entries]
    assert [entry.raw for entry in replica.log] == logged[: replica.height]


async def look_on(link: Link, entries: int) -> Replica:
    """What somebody without a seat knows after so many entries."""
    match await link.receive():
        case ["roster", value, _]:
            replica = Replica(parse_roster(value))
        case said:
            raise AssertionError(f"a spectator was told {said}")
    while replica.height < entries:
        match await link.receive():
            case ["entry", bytes(raw)]:
                replica.receive(raw)
        while replica.advance() or replica.obligations:
            while replica.obligations:
                replica.verify_obligation(*replica.obligations.pop(0))
    return replica


async def test_spectators_and_strangers_that_come_and_go_disturb_nobody(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=54)
    async with sitting_down(party):
        await party[0].until(has_entries(10))
        for _ in range(5):
            link = await connect((HERE, party[0].port), Identity.generate(), "eve")
            await link.send(["watch"])
            await link.receive()
            link._break()
        link = await connect((HERE, party[0].port), Identity.generate(), "eve")
        await link.send(["mesh", read_game(party[0].path).roster.game_id, None])
        with pytest.raises(trio.EndOfChannel):
            await link.receive()
        for person in party:
            await person.until(has_entries(60))
        for person in party:
            person.stop()
    check_one_log(party)
    assert party[0].notices == ["eve was turned away: it does not sit at this table"]


async def test_one_list_says_why_nothing_is_written(tmp_path: Path) -> None:
    room = Room(2)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    writer = next(each for each in room.replicas if each.may_write())
    table = QuietTable(writer)
    session = Session(writer, table.game_file, secrets, table.publish)
    assert session.why_not_write() is None
    session.catching_up.note(1, 9)
    session.links[1] = cast("Link", None)
    assert session.why_not_write() is Blocked.IS_BEHIND
    session.leaving.is_leaving = True
    assert session.why_not_write() is Blocked.LEAVES
    session.table.secrets = None
    assert session.why_not_write() is Blocked.LISTENS
    secrets.close()


class Counting(Session):
    """Counts how often it looks at what is due."""

    looks = 0

    async def _progress(self) -> None:
        self.looks += 1


async def test_messages_that_wait_together_are_answered_together(tmp_path: Path) -> None:
    room = Room(2)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    session = Counting(room.replicas[0], game_file, secrets, lambda _: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session.run)
        await trio.testing.wait_all_tasks_blocked()
        for times in (1, 5):
            looks = session.looks
            for _ in range(times):
                session.choose(Action("play", (1,)), 0)
            await trio.testing.wait_all_tasks_blocked()
            assert session.looks == looks + 1
        nursery.cancel_scope.cancel()


async def test_more_key_presses_than_the_inbox_holds_are_dropped_with_a_word(
    tmp_path: Path,
) -> None:
    room = Room(2)
    news: list[News] = []
    secrets = SecretsFile.create(tmp_path / "game.secret")
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    session = Session(room.replicas[0], game_file, secrets, news.append)
    for _ in range(INBOX_MESSAGES_MAX + 3):
        session.choose(Action("play", (1,)), 0)
    assert [type(each) for each in news] == [Notice] * 3
    game_file.close()
    secrets.close()
