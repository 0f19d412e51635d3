"""Asking the table to take a choice back: who is heard, when all have agreed, and what is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from trio.testing import MockClock

from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import ALLOWANCES, Role
from p2p.game.going_back import Consent
from p2p.log.replay import rewound
from p2p.log.replica import Replica
from p2p.session.commands import AgreeBack
from p2p.session.news import Notice, WhyNotBack
from p2p.session.relaying import Relaying
from p2p.session.taking_back import ConsentMessage, TakingBack, message_of
from tests.p2p.game.test_going_back import chooser, consent_of, is_choosing, marked
from tests.p2p.room import MemoryVault, Room, Terms
from tests.p2p.session.tables import QuietTable
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def proofs_are_made_quickly() -> Iterator[None]:
    with volume_group():
        yield


class Asking:
    """A table at which somebody could ask: each machine of it, and the links between them."""

    def __init__(self, seats: int, terms: Terms | None = None) -> None:
        self.room = room = Room(seats, seed=1, terms=terms)
        room.run(lambda each: is_choosing(each) and bool(marked(each)) and _is_person(room))
        self.tables = [QuietTable(each, self._others(each.me)) for each in room.replicas]
        self.asking = [TakingBack(table, Relaying(table)) for table in self.tables]
        self.events = marked(room.replicas[0])[-1]
        mark = room.replicas[0].play.mark(self.events)
        assert mark is not None
        self.asker = mark.request.player

    def _others(self, me: int | None) -> set[int]:
        return {seat for seat in self.room.replicas[0].seats if seat != me}

    async def say(self, seat: int, events: int, *, agrees: bool = True) -> None:
        """Let a person say a word, and all others hear it."""
        table = self.tables[seat]
        height = table.replica.play.height
        await self.asking[seat].say(AgreeBack(height, events, agrees))
        sent, table.sent = table.sent, []
        for hearer, message in sent:
            await self.asking[hearer].receive(seat, message)

    def told(self, seat: int) -> list[str]:
        """The notices at a seat."""
        return [news.text for news in self.tables[seat].news if isinstance(news, Notice)]


def _is_person(room: Room) -> bool:
    writer = next((each for each in room.replicas if each.may_write()), None)
    return writer is not None and not writer.play.is_bot(writer.me or 0)


async def test_once_all_have_agreed_whoever_is_to_choose_writes_it() -> None:
    here = Asking(3)
    for seat in (here.asker, *(each for each in range(3) if each != here.asker)):
        assert all(each.agreed() is None for each in here.asking)
        await here.say(seat, here.events)
    writer = chooser(here.room)
    assert writer.me is not None
    said = here.asking[writer.me].agreed()
    assert said is not None
    here.room.tell_all(writer.write(said).raw)
    here.room.settle()
    for seat, replica in enumerate(here.room.replicas):
        assert len(replica.play.events) == here.events
        here.asking[seat].tell()
        asker = replica.roster.seats[here.asker].shown_name
        who = "you take" if seat == here.asker else f"{asker} takes"
        assert f"{who} a choice back, and the table goes back" in here.told(seat)
        assert here.asking[seat].asked() is None, "a word is for one step"
        count = len(here.told(seat))
        replica.rewind_to(rewound(replica, here.room.vaults[seat], replica.height))
        here.asking[seat].tell()
        assert len(here.told(seat)) == count, "a log that is read once more tells nothing anew"


async def test_everybody_sees_who_asks_and_whose_word_is_missing() -> None:
    here = Asking(3)
    await here.say(here.asker, here.events)
    others = tuple(seat for seat in range(3) if seat != here.asker)
    for each in here.asking:
        asked = each.asked()
        assert asked is not None
        assert (asked.seat, asked.missing) == (here.asker, others)


async def test_a_no_ends_it_and_nobody_can_ask_again_in_that_step() -> None:
    here = Asking(3)
    first, second = (seat for seat in range(3) if seat != here.asker)
    await here.say(here.asker, here.events)
    await here.say(first, here.events, agrees=False)
    await here.say(second, here.events)
    await here.say(here.asker, here.events)
    await here.say(first, here.events)
    for seat, each in enumerate(here.asking):
        assert each.asked() is None
        assert each.agreed() is None
        assert each.may_ask() is None, "nobody would be asked"
        assert each.why_not() == WhyNotBack.SPOKEN
        name = here.room.roster.seats[first].shown_name
        who = "you do" if seat == first else f"{name} does"
        assert here.told(seat) == [f"{who} not agree to go back"]


async def test_what_was_agreed_means_nothing_once_somebody_has_chosen() -> None:
    here = Asking(2)
    await here.say(here.asker, here.events)
    here.room.tell_all(here.room.write(chooser(here.room)))
    here.room.run(lambda each: is_choosing(each) and each.may_write())
    await here.say(1 - here.asker, here.events)
    assert all(each.agreed() is None for each in here.asking)


async def test_a_word_about_what_is_over_by_now_is_not_said() -> None:
    here = Asking(2)
    await here.say(here.asker, here.events)
    other = 1 - here.asker
    seen = here.asking[other].asked()
    assert seen is not None
    here.room.tell_all(here.room.write(chooser(here.room)))
    here.room.run(lambda each: is_choosing(each) and each.may_write())
    await here.asking[other].say(AgreeBack(seen.height, seen.events))
    assert not here.tables[other].sent, "it would be a word about what has come since"
    assert here.told(other) == ["the table cannot go back there any more"]


async def test_only_whoever_chose_can_ask_to_take_that_back() -> None:
    here = Asking(2)
    await here.say(1 - here.asker, here.events)
    assert all(each.asked() is None for each in here.asking)


async def test_alone_with_bots_nobody_has_to_be_asked() -> None:
    here = Asking(3, Terms(bots=(1, 2)))
    mine = here.asking[0]
    here.room.run(lambda _: mine.may_ask() is not None)  # A forced choice is not taken back.
    ask = mine.may_ask()
    assert ask is not None and mine.why_not() is None
    await mine.say(ask)
    said = mine.agreed()
    assert said is not None
    assert said.signatures == (None, None, None)


async def test_nobody_can_ask_while_a_bot_is_to_choose() -> None:
    room = Room(2, seed=1, terms=Terms(bots=(1,)))
    bot, me = room.replicas[1], room.replicas[0]
    room.run(lambda each: is_choosing(each) and bool(marked(each)) and bot.may_write())
    table = QuietTable(me, {1})
    back = TakingBack(table, Relaying(table))
    assert back.may_ask() is None and back.why_not() == WhyNotBack.BOT_CHOOSES


async def test_whoever_has_chosen_nothing_yet_cannot_ask_and_is_told_why() -> None:
    room = Room(2, seed=1)
    me = room.replicas[0]
    back = TakingBack(table := QuietTable(me, {1}), Relaying(table))
    assert back.why_not() == WhyNotBack.NOBODY_CHOOSES
    room.run(is_choosing)
    assert back.may_ask() is None and back.why_not() == WhyNotBack.NO_CHOICE


async def test_whoever_has_lost_the_key_of_its_seat_cannot_ask() -> None:
    here = Asking(2)
    lost = MemoryVault(bytes(32))
    replica = Replica(here.room.roster, here.room.identities[here.asker], lost)
    here.room.catch_up(replica)
    assert replica.height == here.room.replicas[0].height
    assert not replica.play.has_key
    table = QuietTable(replica, {1 - here.asker})
    assert TakingBack(table, Relaying(table)).may_ask() is None


@pytest.mark.parametrize("place", [1, 2, 3, 4, 5])
async def test_nobody_says_it_for_another_or_about_another_place(place: int) -> None:
    here = Asking(3)
    replica = here.room.replicas[here.asker]
    consent = ConsentMessage(
        replica.play.height, here.events, True, consent_of(replica, here.events)
    )
    hearer = next(seat for seat in range(3) if seat != here.asker)
    third = 3 - hearer - here.asker
    message = message_of(here.asker, consent)
    message[place] = {1: third, 2: consent.height + 1, 3: 0, 4: False, 5: bytes(64)}[place]
    with pytest.raises(BadSignature):
        await here.asking[hearer].receive(here.asker, message)
    assert here.asking[hearer].asked() is None


@pytest.mark.parametrize(
    "changed",
    [{1: 9}, {1: True}, {2: -1}, {2: 1 << 40}, {3: "1"}, {3: -1}, {4: 1}, {5: "x"}, {0: "take"}],
)
async def test_what_nobody_says_ends_the_link(changed: dict[int, object]) -> None:
    here = Asking(2)
    message: list[object] = message_of(0, ConsentMessage(1, 1, True, bytes(64)))
    for place, value in changed.items():
        message[place] = value
    with pytest.raises(MalformedFrame):
        await here.asking[1].receive(0, message)


async def test_a_word_is_passed_on_once_to_who_cannot_hear_it() -> None:
    room = Room(4, seed=1)
    room.run(lambda each: is_choosing(each) and bool(marked(each)))
    table = QuietTable(room.replicas[0], {1, 3})
    relaying = Relaying(table)
    await relaying.receive(3, [2])
    asking, speaker = TakingBack(table, relaying), room.replicas[2]
    events = marked(speaker)[-1]
    message = message_of(
        2, ConsentMessage(speaker.play.height, events, True, consent_of(speaker, events))
    )
    for _ in range(3):
        await asking.receive(1, message)
    assert table.sent == [(3, message)]


async def test_forged_words_do_not_keep_somebody_from_being_heard(
    autojump_clock: MockClock,
) -> None:
    here = Asking(3)
    first, second = (seat for seat in range(3) if seat != here.asker)
    height = here.room.replicas[0].play.height
    forged = message_of(first, ConsentMessage(height, here.events, True, bytes(64)))
    for _ in range(2 * ALLOWANCES[Role.MEMBER].lines_burst):
        with pytest.raises(BadSignature):
            await here.asking[second].receive(here.asker, forged)
    await here.say(here.asker, here.events)
    await here.say(first, here.events, agrees=False)
    assert here.asking[second].asked() is None


async def test_a_seat_that_says_a_word_about_each_step_to_come_is_not_always_heard() -> None:
    here = Asking(2)
    replica = here.room.replicas[0]
    assert replica.identity is not None
    for step in range(1, 200):
        height = replica.play.height + step
        signed = Consent(replica.game_id, height, here.events).sign(replica.identity)
        message = message_of(0, ConsentMessage(height, here.events, True, signed))
        await here.asking[1].receive(0, message)
    heard = here.asking[1]._said[0].height - replica.play.height
    assert heard < 100, "what is beyond the allowance is not taken in"
