"""The same table once more: who may sit there, what it is like, and whose table it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from core.errors import HostlessError
from p2p.base.clock import TimeControl
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, Replacement, Roster, Seat, new_open_seat
from p2p.log.game_file import GameFile
from p2p.net.announcements import TableAd
from p2p.net.interfaces import LOOPBACK
from p2p.net.link import Link
from p2p.session.commands import Command, FillWithBots, JoinTable, OpenTable, Rematch
from p2p.session.news import Gathering, TableChanged
from p2p.table.gathering import SeatedGuest, SeatingList, gathering_of
from p2p.table.node import Node, run_node
from p2p.table.rematch import Filling, RematchTerms, with_bots
from p2p.table.terms import terms_text
from tests.limits import HANGS_S
from tests.p2p.base.test_open_seats import party
from tests.p2p.nodes import HERE, people
from tests.p2p.room import Room

ADA, GRACE, EVE = (Identity.generate().public for _ in range(3))
TERMS = BotTerms("hostless 1", "sharp", 250)


def a_roster(*, bots: int = 1) -> Roster:
    seats = [Seat(ADA, "ada", bytes(16)), Seat(GRACE, "grace", bytes(16))]
    seats += [Seat(bytes([at]) * 32, f"bot {at}", bytes(16), TERMS, ADA) for at in range(bots)]
    plain = Room(2).roster
    return Roster(
        "carta", plain.rules, (("deal", "basic"),), "table of ada", tuple(seats), True,
        Replacement(TERMS, 90),
    )  # fmt: skip


def an_ad(opener: bytes, **changes: object) -> TableAd:
    terms = "seats=kept hands=open grace=90 deal=basic"
    ad = TableAd("0" * 16, "table of ada", "carta", 3, 1, opener, "10.0.0.1", 4000, terms)
    return replace(ad, **changes)  # type: ignore[arg-type]


def test_the_new_table_is_like_the_old_one() -> None:
    command = RematchTerms(a_roster(), GRACE).command()
    assert (command.game, command.seats, command.bots, command.level) == ("carta", 3, 1, "sharp")
    assert (command.options, command.name) == ({"deal": "basic"}, "table of ada")
    assert (command.opens_hands, command.grace_s, command.iterations) == (True, 90, 250)
    assert not command.is_local


def test_whoever_played_with_bots_alone_opens_at_once_and_for_this_machine() -> None:
    roster = a_roster()
    alone = replace(roster, seats=(roster.seats[0], roster.seats[2]))
    assert RematchTerms(alone, ADA).is_alone
    assert RematchTerms(alone, ADA).command().is_local


def test_who_had_no_seat_is_told_so() -> None:
    for roster in (a_roster(), None):
        with pytest.raises(HostlessError, match="no seat"):
            RematchTerms(roster, EVE)


def test_only_a_table_of_the_others_that_is_like_the_old_one_counts() -> None:
    same = RematchTerms(a_roster(), GRACE)
    assert same.is_again(an_ad(ADA))
    for ad in (
        *(an_ad(EVE), an_ad(GRACE), an_ad(ADA, taken=3), an_ad(ADA, game="dominion")),
        *(an_ad(ADA, name="another"), an_ad(ADA, version=1)),
    ):
        assert not same.is_again(ad)


@pytest.mark.parametrize("options", [
    "",  # Hands stay closed.
    "seats=kept hands=open grace=5 deal=basic",
    "seats=kept hands=open escrow=yes grace=90 deal=basic",
    "seats=kept clock=1+0 hands=open grace=90 deal=basic",
    "hands=open grace=90 deal=basic",  # Anybody may sit down there.
    "password=asked hands=open grace=90 deal=basic",
    "seats=kept hands=open grace=90 deal=other",
])  # fmt: skip
def test_a_table_with_other_terms_is_not_the_same_table(options: str) -> None:
    assert not RematchTerms(a_roster(), GRACE).is_again(an_ad(ADA, options=options))


def test_what_a_rematch_announces_is_what_it_is_known_by() -> None:
    options = terms_text(RematchTerms(a_roster(), ADA).command())
    assert RematchTerms(a_roster(), GRACE).is_again(an_ad(ADA, options=options))


def test_whoever_comes_late_finds_the_rematch_whose_seats_bots_have() -> None:
    command = RematchTerms(a_roster(), ADA).command()
    ad = an_ad(ADA, options=terms_text(replace(command, is_filled=True)))
    assert ad.is_filled and ad.kept
    assert RematchTerms(a_roster(), GRACE).is_again(ad)


def test_in_the_same_game_once_more_people_may_sit_elsewhere_and_bots_think_further() -> None:
    ada, grace, bot = a_roster().seats
    deeper = replace(bot, identity=bytes([9]) * 32, bot_terms=replace(TERMS, iterations=900))
    seats = tuple(replace(each, nonce=bytes([1]) * 16) for each in (grace, ada, deeper))
    begun = replace(a_roster(), seats=seats)
    for me in (ADA, GRACE):
        RematchTerms(a_roster(), me).check(begun)
        assert RematchTerms(begun, me).persons.keys() == {ADA, GRACE}


def test_a_bot_may_have_the_seat_of_somebody_who_did_not_come() -> None:
    """All who sat there were told, and asked to sit down again: then they were refused."""
    begun = a_roster(bots=2)
    before = replace(begun, seats=(*begun.seats[:3], Seat(EVE, "eve", bytes(16))))
    RematchTerms(before, GRACE).check(begun)
    assert RematchTerms(begun, GRACE).persons.keys() < RematchTerms(before, GRACE).persons.keys()


CHANGES: tuple[dict[str, object], ...] = (
    {"game": "dominion"}, {"options": (("deal", "other"),)}, {"options": ()}, {"table": "another"},
    {"opens_hands": False}, {"clock": TimeControl(60, 0)}, {"replacement": None},
    {"replacement": Replacement(TERMS, 5)}, {"replacement": Replacement(TERMS, 90, True)},
    {"seats": a_roster(bots=2).seats},
    {"seats": (*a_roster().seats[:2], Seat(EVE, "eve", bytes(16)))},
    {"seats": (Seat(EVE, "eve", bytes(16)), *a_roster().seats[1:])},
    {"seats": (*a_roster().seats[:2], new_open_seat("open bot 1", TERMS))},
)  # fmt: skip


@pytest.mark.parametrize("changes", CHANGES)
def test_a_game_that_begins_with_other_terms_or_people_is_refused(
    changes: dict[str, object],
) -> None:
    other = replace(a_roster(), **changes)  # type: ignore[arg-type]
    with pytest.raises(HostlessError, match="not the same table"):
        RematchTerms(a_roster(), GRACE).check(other)


def test_no_term_of_a_game_is_lost_when_it_is_played_again() -> None:
    """A new field of the roster needs a change above; all have the same rules, or no roster."""
    compared = {name for changes in CHANGES for name in changes} | {"rules"}
    assert compared == {each.name for each in fields(Roster)}


async def test_nobody_sits_down_in_a_game_with_other_terms_than_it_announces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, grace = people(tmp_path, 2)
    first = [Seat(each.config.identity.public, each.name, bytes(32)) for each in (ada, grace)]
    roster = replace(a_roster(), seats=tuple(first), opens_hands=False)
    path = tmp_path / "before.hostless"
    GameFile.create(path, roster).close()
    ad = an_ad(first[0].identity, host=HERE)

    async def find(_: RematchTerms, _answers: object) -> TableAd:
        await ada.until(lambda news: isinstance(news, Gathering))
        return replace(ad, port=ada.port)

    monkeypatch.setattr(RematchTerms, "find", find)
    async with trio.open_nursery() as nursery:
        opened = OpenTable("carta", 2, name=roster.table, is_local=True, opens_hands=True)
        nursery.start_soon(ada.do, opened)
        await grace.do(Rematch(path))
        ada.stop()
    assert "not the same table" in str(grace.failure)
    assert not list(grace.home.glob("games/*.hostless"))


async def test_a_table_that_is_announced_in_somebodys_name_is_not_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever shouts first decides that nobody plays again."""
    ada, grace, mary = people(tmp_path, 3)
    seats = [Seat(each.config.identity.public, each.name, bytes(32)) for each in (ada, grace)]
    old = OpenTable("carta", 2, name="table of ada", is_local=True)
    before = Roster("carta", Room(2).roster.rules, (("deal", "basic"),), old.name, tuple(seats))
    path = tmp_path / "before.hostless"
    GameFile.create(path, before).close()
    again = RematchTerms(before, grace.config.identity.public).command()

    @asynccontextmanager
    async def browsing() -> AsyncIterator[AsyncIterator[list[TableAd]]]:
        async def seen() -> AsyncIterator[list[TableAd]]:
            terms = terms_text(again)
            ad = TableAd("0" * 16, old.name, "carta", 2, 1, seats[0].identity, HERE, 1, terms)
            yield [replace(ad, port=mary.port)]
            yield [replace(ad, port=mary.port), replace(ad, table_id="1" * 16, port=ada.port)]
            await trio.sleep_forever()

        yield seen()

    monkeypatch.setattr("p2p.table.rematch.browsing", browsing)
    async with trio.open_nursery() as nursery:
        for each in (ada, mary):
            nursery.start_soon(each.do, replace(again, is_local=True))
            await each.until(lambda news: isinstance(news, Gathering))
        nursery.start_soon(grace.do, Rematch(path))
        await grace.until(lambda news: isinstance(news, TableChanged))
        for each in (ada, grace, mary):
            each.stop()
    assert grace.failure is None


def test_of_two_tables_opened_at_once_the_one_of_the_lower_seat_stays() -> None:
    assert RematchTerms(a_roster(), GRACE).is_before_mine(an_ad(ADA))
    assert not RematchTerms(a_roster(), ADA).is_before_mine(an_ad(GRACE))


def test_the_seats_are_kept_for_those_who_played_before_and_for_bots() -> None:
    mine = Seat(ADA, "ada", bytes(16))
    seats = SeatingList(an_ad(ADA), (), mine, lambda: None, kept_for={ADA: "ada", GRACE: "grace"})
    elsewhere = "10.0.0.7"
    assert "kept for those" in seats._why_no_seat(Seat(EVE, "eve", bytes(16)), elsewhere)
    assert not seats._why_no_seat(Seat(GRACE, "grace", bytes(16)), elsewhere)
    bot = Seat(bytes(32), "bot", bytes(16), TERMS, ADA)
    assert not seats._why_no_seat(bot, LOOPBACK)
    assert "is run by whoever opened" in seats._why_no_seat(bot, elsewhere)


def test_who_waits_hears_for_whom_a_seat_is_kept_at_every_machine() -> None:
    mine = Seat(GRACE, "grace", bytes(16))
    same, told = RematchTerms(a_roster(), GRACE), list[object]()
    seats = SeatingList(an_ad(GRACE), (), mine, lambda: None, kept_for=same.names)
    assert gathering_of(seats).missing == ("ada",)
    same.telling(told.append)(replace(gathering_of(seats), missing=()))  # As a guest hears it.
    assert told == [gathering_of(seats)]
    filled = replace(an_ad(GRACE), options="seats=filled hands=open")
    news = replace(gathering_of(seats), missing=(), table=filled)
    same.telling(told.append)(news)
    assert told[-1] == news, "a guest does not know whose seats bots have"
    bots = a_roster().seats[2:]
    seats.kept_for = {}
    assert gathering_of(replace(seats, open_bots=bots)).missing == (), "anybody may come"


# ---- without those who have not come ----


def filling(*here: bytes, kept: tuple[bytes, ...] = (ADA, GRACE, EVE)) -> Filling:
    """A rematch of Ada's at which these have sat down."""
    names = {ADA: "ada", GRACE: "grace", EVE: "eve"}
    seats = SeatingList(
        an_ad(ADA, seats=4), (), Seat(ADA, "ada", bytes(16)), lambda: None,
        kept_for={who: names[who] for who in kept},
    )  # fmt: skip
    for at, who in enumerate(here, 1):
        link = cast("Link", SimpleNamespace(remote_host=HERE))
        seats.guests[at] = SeatedGuest(Seat(who, names[who], bytes(16)), link, (HERE, 1))
    return Filling(OpenTable("carta", 4, 1, "sharp", grace_s=90, keeps_seats=True), seats)


def test_bots_take_the_seats_of_who_is_missing_and_the_others_keep_theirs() -> None:
    before = filling(GRACE)
    again = with_bots(before, can_think=True)
    assert again.command == replace(before.command, bots=2, is_filled=True), "other terms stay"
    assert (again.kept_for, again.missing) == ({ADA: "ada", GRACE: "grace"}, ("eve",))
    assert again.replaced == {EVE}
    assert again.seats is before.seats and "eve" in again.why
    assert gathering_of(before.seats).may_fill


async def test_who_comes_just_as_bots_take_the_seats_hears_of_the_bot() -> None:
    """She had a seat for a moment, and read that the table was closed, and not why."""
    before, is_telling, may_go_on = filling(GRACE), trio.Event(), trio.Event()

    async def send(_: object) -> None:
        is_telling.set()
        await may_go_on.wait()

    async def aclose() -> None: ...

    slow = SimpleNamespace(remote_host=HERE, send=send, aclose=aclose)
    before.seats.guests[1].link = cast("Link", slow)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(with_bots(before, can_think=True).send_away)
        await is_telling.wait()
        why = before.seats._why_no_seat(Seat(EVE, "eve", bytes(16)), HERE)
        assert why == "a bot has the seat that was kept for you"
        may_go_on.set()


def test_who_was_replaced_by_a_bot_is_not_forgotten_when_another_is() -> None:
    before = filling(GRACE)
    before.seats.replaced = {bytes(32)}
    assert with_bots(before, can_think=True).replaced == {EVE, bytes(32)}


@pytest.mark.parametrize("table", [
    None,  # Nothing of mine fills.
    filling(),  # Nobody else is here.
    filling(GRACE, EVE),  # Nobody is missing.
    filling(GRACE, kept=()),  # Anybody may come.
])  # fmt: skip
def test_where_no_bot_can_take_a_seat_the_table_stays(table: Filling | None) -> None:
    with pytest.raises(HostlessError, match="only at a rematch of yours"):
        with_bots(table, can_think=True)
    assert table is None or not gathering_of(table.seats).may_fill


def test_terms_that_cannot_be_kept_are_refused_before_anybody_is_sent_away() -> None:
    """Open bots hold no keys in escrow; three seats with two of them are too few."""
    before = filling(GRACE)
    escrowed = replace(before.command, are_bots_open=True, is_escrowed=True)
    with pytest.raises(HostlessError, match="escrow"):
        with_bots(before._replace(command=escrowed), can_think=True)


async def test_who_waits_at_a_rematch_is_told_of_the_bots_and_sits_down_again_by_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, grace, mary = persons = party(tmp_path, 3)
    seats = [Seat(each.config.identity.public, each.name, bytes(32)) for each in persons]
    bot = new_open_seat("open bot 1", BotTerms("last", "steady", 1))
    before = Roster("carta", Room(2).roster.rules, (("deal", "basic"),), "den", (*seats, bot))
    path = tmp_path / "before.hostless"
    GameFile.create(path, before).close()
    opened = replace(RematchTerms(before, seats[0].identity).command(), is_local=True)

    async def nowhere(*_: object) -> None: ...

    monkeypatch.setattr("p2p.table.rematch._first", nowhere)
    monkeypatch.setattr(RematchTerms, "command", lambda _: opened)
    commands, of_ada = trio.open_memory_channel[Command](4)

    async def told(*names: str) -> JoinTable:
        """How to sit down at Ada's newest table, once these and nobody else are missing there."""
        found = await ada.until(lambda news: isinstance(news, Gathering) and news.missing == names)
        assert isinstance(found, Gathering)
        return JoinTable(f"{HERE}:{found.table.port}", is_local=True)

    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_node, of_ada, ada.receive, ada.config)
            await commands.send(Rematch(path))
            nursery.start_soon(grace.do, await told("grace", "mary"))
            await told("mary")
            await commands.send(FillWithBots())
            await grace.done.wait()
            assert "open again with bots in place of mary" in str(grace.failure)
            assert "no seat" not in str(grace.failure), "there was one"
            again = await told("grace")
            await mary.do(again)
            assert str(mary.failure) == "no seat: a bot has the seat that was kept for you"
            nursery.start_soon(grace.do, again)
            begun = await grace.until(lambda news: isinstance(news, TableChanged))
            assert isinstance(begun, TableChanged)
            assert [seat.is_bot for seat in begun.seats] == [False, False, True, True]
            grace.stop()
            nursery.cancel_scope.cancel()


async def test_what_failed_before_does_not_say_that_what_is_done_now_has_failed(
    tmp_path: Path,
) -> None:
    """Whoever was sent away, sat down again and left had failed, for the shell."""
    (ada,) = people(tmp_path, 1)
    node = Node(ada.receive, ada.config)
    async with trio.open_nursery() as nursery:
        node.serve_in(nursery)
        await node.obey(Rematch(tmp_path / "none"))
        await node.idle()
        assert node.failure is not None
        await node.obey(OpenTable("carta", 2, is_local=True))
        assert node.failure is None
        nursery.cancel_scope.cancel()
