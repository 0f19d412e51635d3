"""A member that never agrees keeps an owner away: the others, and the owner, are told who it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.log.membership.messages import (
    Ack,
    Ballot,
    message_of,
    parse_signed,
    sign_as,
)
from p2p.log.membership.state import VOTE_ANSWER_S
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.commands import Resume
from p2p.session.membership_inbox import MembershipInbox
from p2p.session.news import News, Notice
from p2p.session.restore_votes import NAMED_S, RestoreVotes
from p2p.session.session import Session
from tests.p2p.base.test_open_seats import party
from tests.p2p.beads import BEADS
from tests.p2p.changing import away, kind_is
from tests.p2p.nodes import Person
from tests.p2p.session.tables import QuietTable, actors_at
from tests.p2p.session.test_leaving import at_a_table, table
from tests.simulation.volume_group import volume_group

OWNER, CHEAT = 2, 3
NAMED = "d has not agreed that c comes back"
NAMED_TO_OWNER = "d has not agreed that you come back"
Message = list[object]
Bend = Callable[[int, Message], list[Message]]
"""What seat 3 says to a seat in place of what it would say; it is asked for each message."""


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


@pytest.fixture
def grace_of_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables agree on so little."""
    for module in ("p2p.base.roster", "p2p.table.terms"):
        monkeypatch.setattr(f"{module}.GRACE_S_MIN", 1)


class Four:
    """Seats 0, 1 and 3, at a choice of theirs; the owner of seat 2 has come back, and asks."""

    def __init__(self, path: Path, seed: int) -> None:
        self.room, owner = away(seed, kind_is("choose"), players=4)
        first, second, last = self.room.replicas[:3]
        self.replicas = [first, second, owner, last]
        for each in self.replicas:
            each.acks.forget(each.height + 1)  # They are not signed.
            each.committed = each.height  # Nothing is said again but what is about the return.
        self.secrets = [SecretsFile.create(path / f"{seat}.secret") for seat in range(4)]
        self.tables = [
            QuietTable(each, set(range(4)) - {each.me}, secrets)
            for each, secrets in zip(self.replicas, self.secrets, strict=True)
        ]
        self.actors = [actors_at(each) for each in self.tables]
        self.inboxes = [
            MembershipInbox(each, actors, lambda _: None, lambda: True)
            for each, actors in zip(self.tables, self.actors, strict=True)
        ]
        self.lookers = [
            RestoreVotes(each, actors.membership, self.reaches)
            for each, actors in zip(self.tables, self.actors, strict=True)
        ]
        self.bend: Bend = lambda to, message: [message]
        self.cut: set[frozenset[int]] = set()  # Pairs without a link.
        self.lag_s = 0.0  # Of what seat 3 says.
        self.out_of_reach = set[int]()
        self.deaf_until = 0.0  # Seat 3 hears of no wish.
        self._late: list[tuple[float, int, Message]] = []

    def reaches(self, seat: int) -> bool:
        """Whether a seat is in reach of the others."""
        return seat not in self.out_of_reach

    def no(self, vote: Ballot) -> Message:
        """A no of seat 3, in the place of a yes."""
        no, by = Ballot(vote.epoch, vote.round, CHEAT), self.room.identities[CHEAT]
        return message_of(sign_as(by, self.replicas[0].game_id, no))

    async def ask(self) -> None:
        """The owner wants its seat, and asks again where that was forgotten."""
        for each in self.lookers:
            each.judge()
        owner = self.actors[OWNER].membership
        if OWNER not in owner.member.log.members and not owner.member.asked:
            await owner.say(self.room.wish(self.replicas[OWNER]))

    async def go_on(self, seconds: float) -> None:
        """Everybody hears everything, and what binds them is said again."""
        for count in range(int(seconds / 0.25)):
            for actors in self.actors:
                await actors.membership.tick()
                if actors is not self.actors[OWNER]:
                    actors.membership.think_again()
            await self.ask()
            await self._deliver(is_again=count % 8 == 0)
            await trio.sleep(0.25)

    async def _deliver(self, *, is_again: bool) -> None:
        for each, actors in zip(self.tables, self.actors, strict=True):
            for message in list(actors.membership.retransmissions()) if is_again else ():
                await each.broadcast(message)
        for _ in range(5):
            for seat, (each, actors) in enumerate(zip(self.tables, self.actors, strict=True)):
                await actors.membership.flush(with_acks=True)
                sent, each.sent = each.sent, []
                for to, message in sent:
                    await self._bring(seat, to, message)
            now, late = trio.current_time(), self._late
            self._late = [each for each in late if each[0] > now]
            for at, to, message in late:
                if at <= now:
                    await self.inboxes[to].receive(CHEAT, message)
            for looker in self.lookers:
                looker.judge()

    async def _bring(self, seat: int, to: int, message: Message) -> None:
        is_linked = frozenset({seat, to}) not in self.cut
        is_deaf = message[0] == "wish" and to == CHEAT and trio.current_time() < self.deaf_until
        if message[0] not in ("vote", "ack", "wish") or not is_linked or is_deaf:
            return
        if seat != CHEAT:
            await self.inboxes[to].receive(seat, message)
            return
        for each in self.bend(to, message):
            self._late.append((trio.current_time() + self.lag_s, to, each))

    @property
    def told(self) -> dict[int, list[str]]:
        """What the screens of those who follow the rules were told."""
        told = {
            seat: [news.text for news in table.news if isinstance(news, Notice)]
            for seat, table in enumerate(self.tables)
        }
        return {seat: texts for seat, texts in told.items() if texts and seat != CHEAT}

    @property
    def noes(self) -> int:
        """How often seat 3 has said no."""
        return sum(not vote.is_yes for vote in self.actors[CHEAT].membership.member.kept.votes)

    @property
    def is_back(self) -> bool:
        """Whether all have given the owner its seat."""
        return all(OWNER in each.tip.members for each in self.replicas)

    def close(self) -> None:
        """Let go of the files."""
        for each in self.secrets:
            each.close()


@pytest.fixture
async def four(tmp_path: Path, seed: int) -> AsyncIterator[Four]:
    """Three who play, and an owner that waits."""
    four = Four(tmp_path, seed)
    yield four
    four.close()


class Withholding:
    """The ways of a member that wants an owner to stay away.  It acknowledges no return."""

    def __init__(self, four: Four) -> None:
        self._four, self._yes = four, dict[tuple[int, int], float]()

    def silent(self, to: int, vote: Ballot) -> list[Message]:
        """It votes for nothing."""
        return []

    def refusing(self, to: int, vote: Ballot) -> list[Message]:
        """It says no at once."""
        return [self._four.no(vote)]

    def wavering(self, to: int, vote: Ballot) -> list[Message]:
        """It agrees, and takes that back in the same moment."""
        return [message_of(vote), self._four.no(vote)]

    def regretting(self, to: int, vote: Ballot) -> list[Message]:
        """It agrees, and takes that back when others would, as if it had not heard them."""
        said_at = self._yes.setdefault((to, vote.round), trio.current_time())
        is_late = trio.current_time() >= said_at + VOTE_ANSWER_S
        return [message_of(vote), *[self._four.no(vote)] * is_late]

    def flattering(self, to: int, vote: Ballot) -> list[Message]:
        """It agrees before seat 0 alone."""
        return [message_of(vote)] if to == 0 else []


def bent(way: Callable[[int, Ballot], list[Message]]) -> Bend:
    """A member that votes so."""

    def bend(to: int, message: Message) -> list[Message]:
        said = parse_signed(message) if message[0] in ("vote", "ack") else None
        is_bent = isinstance(said, Ballot | Ack) and said.seat == CHEAT
        if not is_bent or (isinstance(said, Ack) and said.change is None):
            return [message]
        return way(to, said) if isinstance(said, Ballot) else []

    return bend


@pytest.mark.parametrize("way", ["silent", "refusing", "wavering", "regretting"])
async def test_who_never_agrees_is_named_once_to_all_others_and_to_the_owner(
    way: str, four: Four, autojump_clock: MockClock
) -> None:
    four.bend = bent(getattr(Withholding(four), way))
    await four.ask()
    await four.go_on(NAMED_S / 2)
    assert not four.told, "it may be slow"
    await four.go_on(60)
    assert not four.is_back
    assert four.told == {0: [NAMED], 1: [NAMED], OWNER: [NAMED_TO_OWNER]}


async def test_who_agrees_before_one_alone_lets_nobody_else_be_named(
    four: Four, autojump_clock: MockClock
) -> None:
    """Whoever follows shows why, so the others follow as well."""
    four.bend = bent(Withholding(four).flattering)
    await four.ask()
    await four.go_on(60)
    assert all(OWNER in four.replicas[seat].tip.members for seat in (0, 1))
    assert not four.told


async def test_an_honest_return_names_nobody(four: Four, autojump_clock: MockClock) -> None:
    await four.ask()
    await four.go_on(60)
    assert four.is_back
    assert not four.told


async def test_a_no_of_who_knows_less_for_a_moment_names_nobody(
    four: Four, autojump_clock: MockClock
) -> None:
    """It has not heard yet that the owner asks."""
    four.deaf_until = trio.current_time() + 1
    await four.ask()
    await four.go_on(60)
    assert four.noes and four.is_back
    assert not four.told


async def test_a_machine_that_lags_names_nobody(four: Four, autojump_clock: MockClock) -> None:
    four.lag_s = 0.5
    await four.ask()
    await four.go_on(60)
    assert four.is_back
    assert not four.told


async def test_who_is_away_is_not_named(four: Four, autojump_clock: MockClock) -> None:
    """It cannot agree, and the screen says that it is away."""
    four.bend, four.out_of_reach = bent(Withholding(four).silent), {CHEAT}
    await four.ask()
    await four.go_on(60)
    assert not four.is_back
    assert not four.told


async def test_two_who_have_no_link_are_not_named(four: Four, autojump_clock: MockClock) -> None:
    four.cut = {frozenset({0, CHEAT})}
    for by, other in ((0, CHEAT), (CHEAT, 0)):
        await four.actors[1].relaying.receive(by, [other])
    await four.ask()
    await four.go_on(60)
    assert four.is_back
    assert not four.told


# ---- at real nodes ----


class Withheld(Session):
    """Plays as all others, and is deaf to whoever wants to come back."""

    async def _receive_peer(self, link: Link, seat: int, said: object) -> None:
        match said:
            case ["wish", *_] | ["vote", _, _, _, _, [_, "restore", *_], _]:
                return
        await super()._receive_peer(link, seat, said)


def is_notice(text: str) -> Callable[[News], bool]:
    """Whether a screen is told this."""
    return lambda news: isinstance(news, Notice) and news.text == text


@asynccontextmanager
async def one_is_back(
    folder: Path, cheats: Mapping[int, type[Session]] | None = None
) -> AsyncIterator[list[Person]]:
    """Four at a long game; the third was away, a bot plays for it, and it wants its seat back."""
    persons = party(folder, 4)
    for person in persons:
        person.is_brief = False
    async with at_a_table(persons, table(4), cheats), trio.open_nursery() as nursery:
        persons[OWNER].stop()
        await persons[OWNER].stopped.wait()
        await persons[0].until(is_notice("a bot plays on for mary, with an open hand"))
        nursery.start_soon(persons[OWNER].do, Resume(persons[OWNER].path))
        yield persons
        for person in persons:
            person.stop()


@pytest.mark.slow
async def test_at_real_nodes_who_never_agrees_is_named_to_all_others(
    tmp_path: Path, grace_of_a_second: None
) -> None:
    async with one_is_back(tmp_path, {CHEAT: Withheld}) as persons:
        for seat in (0, 1):
            await persons[seat].until(is_notice("rosa has not agreed that mary comes back"))
        await persons[OWNER].until(is_notice("rosa has not agreed that you come back"))
    assert not any("not agreed" in text for text in persons[CHEAT].notices)


@pytest.mark.slow
async def test_at_real_nodes_an_honest_return_names_nobody(
    tmp_path: Path, grace_of_a_second: None
) -> None:
    async with one_is_back(tmp_path) as persons:
        await persons[0].until(
            lambda news: isinstance(news, Notice) and news.text.startswith("mary is back")
        )
    assert not any("not agreed" in text for person in persons for text in person.notices)
