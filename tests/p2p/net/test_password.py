"""A table with a password: friends sit down, strangers learn nothing and are counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from core.errors import HostlessError
from p2p.base.identity import Identity
from p2p.base.limits import GUESSES_MAX, GUESSES_PERIOD_S, GUESSES_TABLE_MAX, PASSWORD_LETTERS_MAX
from p2p.base.wire import encode
from p2p.crypto.cpace import CpaceRun, Statement
from p2p.crypto.group import base
from p2p.net.announcements import PASSWORD_ASKED, TableAd
from p2p.net.link import Link, connect
from p2p.net.listening import open_listener
from p2p.net.password import (
    TOO_MANY,
    WRONG,
    Guesses,
    PasswordRefused,
    clean_password,
    show_password,
)
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import Gathering, TableChanged
from p2p.session.pairing import Acquaintances
from p2p.table.terms import options_text
from tests.p2p.nodes import HERE, PATIENCE_S, Person, people
from tests.p2p.table.test_gathering import is_taken, sit
from tests.p2p.wiretap import HOST, at

PASSWORD = "grüne Wiese 7"


@asynccontextmanager
async def guarded_table(folder: Path, seats: int = 3) -> AsyncIterator[Person]:
    """A table with a password that waits for guests."""
    (host,) = people(folder / "host", 1)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.do, OpenTable("carta", seats, is_local=True, password=PASSWORD))
            await host.until(lambda news: isinstance(news, Gathering))
            yield host
            host.stop()


async def call(host: Person, identity: Identity | None = None) -> Link:
    """A link to the table from a guest made by hand, who has asked for a seat."""
    link = await connect((HERE, host.port), identity or Identity.generate(), "eve")
    await link.send(sit())
    return link


async def share_of(link: Link) -> bytes:
    """What the table asks with."""
    match await link.receive():
        case ["password", bytes(share)]:
            return share
    raise AssertionError("the table asks for its password")


async def guess(host: Person, identity: Identity, password: str) -> str:
    """What comes of a guess: the sentence of a refusal, or nothing."""
    link = await call(host, identity)
    match await link.receive():
        case ["refused", str(sentence)]:
            return sentence
        case ["password", bytes(share)]:
            try:
                await show_password(link, share, password, identity.public)
            except PasswordRefused as refusal:
                return str(refusal)
            finally:
                await link.aclose()
            return ""
    raise AssertionError("the table asks for its password, or refuses")


async def test_who_knows_the_password_sits_down_and_the_game_begins(tmp_path: Path) -> None:
    async with guarded_table(tmp_path, 2) as host:
        (guest,) = people(tmp_path / "guest", 1)
        async with trio.open_nursery() as nursery:
            join = JoinTable(f"{HERE}:{host.port}", is_local=True, password=PASSWORD)
            nursery.start_soon(guest.do, join)
            for person in (host, guest):
                await person.until(lambda news: isinstance(news, TableChanged))
                assert any(
                    isinstance(news, Gathering) and news.table.asks_password for news in person.news
                )
            guest.stop()


@pytest.mark.parametrize(
    ("password", "sentence"),
    [("", "asks for a password"), ("wrong", WRONG), (PASSWORD + " ", WRONG)],
)
async def test_who_does_not_know_it_gets_no_seat_and_one_clear_line(
    tmp_path: Path, password: str, sentence: str
) -> None:
    async with guarded_table(tmp_path) as host:
        (guest,) = people(tmp_path / "guest", 1)
        await guest.do(JoinTable(f"{HERE}:{host.port}", is_local=True, password=password))
        assert isinstance(guest.failure, PasswordRefused) and guest.failure.hint
        assert sentence in str(guest.failure)
        assert not any(is_taken(news, 2) for news in host.news)


async def test_a_password_for_a_table_that_asks_for_none_is_a_warning(tmp_path: Path) -> None:
    """Somebody in between could leave the question out."""
    host, guest = people(tmp_path, 2)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.do, OpenTable("carta", 3, is_local=True))
            await host.until(lambda news: isinstance(news, Gathering))
            join = JoinTable(f"{HERE}:{host.port}", is_local=True, password=PASSWORD)
            await guest.do(join)
            host.stop()
    assert isinstance(guest.failure, PasswordRefused)
    assert "asks for no password" in str(guest.failure)


async def test_the_fourth_wrong_guess_of_a_minute_is_not_looked_at(tmp_path: Path) -> None:
    async with guarded_table(tmp_path) as host:
        eve = Identity.generate()
        said = [await guess(host, eve, f"guess {number}") for number in range(GUESSES_MAX)]
        assert said == [WRONG] * GUESSES_MAX
        assert await guess(host, eve, PASSWORD) == TOO_MANY
        assert await guess(host, Identity.generate(), PASSWORD) == TOO_MANY, "the same host"


async def test_a_friend_gets_in_while_strangers_use_up_all_guesses(tmp_path: Path) -> None:
    """From the very host of a stranger; who guesses wrong three times waits, friend or not."""
    friend, rival = Identity.generate(), Identity.generate()
    (tmp_path / "host" / "ada").mkdir(parents=True)
    Acquaintances(tmp_path / "host" / "ada").meet([friend.public, rival.public])
    async with guarded_table(tmp_path, 4) as host:
        said = [await guess(host, Identity.generate(), "wrong") for _ in range(GUESSES_MAX + 1)]
        assert said == [WRONG] * GUESSES_MAX + [TOO_MANY]
        assert await guess(host, friend, PASSWORD) == ""
        said = [await guess(host, rival, "wrong") for _ in range(GUESSES_MAX + 1)]
        assert said == [WRONG] * GUESSES_MAX + [TOO_MANY]


async def test_right_passwords_are_not_counted(tmp_path: Path) -> None:
    async with guarded_table(tmp_path) as host:
        ada = Identity.generate()
        assert [await guess(host, ada, PASSWORD) for _ in range(2 * GUESSES_MAX)] == (
            [""] * 2 * GUESSES_MAX
        )


async def test_a_run_that_is_broken_off_is_a_guess(tmp_path: Path) -> None:
    """Otherwise one could hang up as soon as the table says that it was wrong."""
    async with guarded_table(tmp_path) as host:
        eve = Identity.generate()
        for _ in range(GUESSES_MAX):
            link = await call(host, eve)
            await share_of(link)
            await link.aclose()
        assert await guess(host, eve, PASSWORD) == TOO_MANY


@pytest.mark.parametrize(
    "answer",
    [
        ["password"],
        ["password", bytes(32), bytes(64)],
        ["password", b"\xff" * 32, bytes(64)],
        ["password", b"", b""],
        ["password", base(7).encoded],
        ["password", base(7).encoded, "text"],
        ["gathering", 1, 2, 3],
        None,
    ],
)
async def test_what_is_no_answer_ends_the_link_and_the_table_goes_on(
    tmp_path: Path, answer: object
) -> None:
    async with guarded_table(tmp_path) as host:
        link = await call(host)
        await share_of(link)
        await link.send(answer)
        with pytest.raises(trio.EndOfChannel):
            await link.receive()
        assert await guess(host, Identity.generate(), PASSWORD) == ""


async def test_who_is_being_asked_when_the_game_begins_is_let_go(tmp_path: Path) -> None:
    async with guarded_table(tmp_path, 2) as host:
        eve = await call(host)
        await share_of(eve)
        (guest,) = people(tmp_path / "guest", 1)
        async with trio.open_nursery() as nursery:
            join = JoinTable(f"{HERE}:{host.port}", is_local=True, password=PASSWORD)
            nursery.start_soon(guest.do, join)
            with pytest.raises(trio.EndOfChannel):
                await eve.receive()
            guest.stop()


@pytest.mark.parametrize("confirmation", [b"", bytes(64), bytes(63)])
async def test_a_share_without_its_confirmation_gets_nothing_but_no(
    tmp_path: Path, confirmation: bytes
) -> None:
    async with guarded_table(tmp_path) as host:
        link = await call(host)
        await share_of(link)
        await link.send(["password", base(7).encoded, confirmation])
        assert await link.receive() == ["refused", WRONG]


async def test_the_tables_own_words_are_no_answer(tmp_path: Path) -> None:
    async with guarded_table(tmp_path) as host:
        link = await call(host)
        share = await share_of(link)
        await link.send(["password", share, bytes(64)])
        with pytest.raises(trio.EndOfChannel):
            await link.receive()


async def test_a_guest_written_from_the_document_sits_down(tmp_path: Path) -> None:
    """Everything that the key is bound to, written down a second time."""
    async with guarded_table(tmp_path) as host:
        me = Identity.generate()
        link = await call(host, me)
        share = await share_of(link)
        opener = host.config.identity.public
        context = encode(["hostless table password", 1, opener, me.public])
        run = CpaceRun(PASSWORD.encode(), context, link.channel, b"guest")
        mine, due = run.tags(Statement(share, b"opener"), is_initiator=False)
        await link.send(["password", run.mine.share, mine])
        assert await link.receive() == ["password", due]
        answer = await link.receive()
        assert isinstance(answer, list) and answer[0] == "gathering"
        await link.aclose()


@pytest.mark.parametrize(
    ("asked", "answer", "sentence"),
    [
        (bytes(32), None, "in words we do not know"),
        (b"\xff" * 32, None, "in words we do not know"),
        (b"", None, "in words we do not know"),
        (base(7).encoded, ["refused", "call 555-1234"], "does not know the password"),
        (base(7).encoded, ["refused", WRONG], WRONG),
        (base(7).encoded, ["password", bytes(64)], "does not know the password"),
        (base(7).encoded, ["gathering"], "does not know the password"),
    ],
)
async def test_nothing_is_believed_of_a_table_before_it_has_confirmed_the_key(
    asked: bytes, answer: object, sentence: str
) -> None:
    ada, bob = Identity.generate(), Identity.generate()
    async with open_listener(ada, "Ada", host=HOST) as listener:
        mine = await connect(at(listener), bob, "Bob")
        table = await anext(listener)
        if answer is not None:
            await table.send(answer)
        with pytest.raises(PasswordRefused, match=sentence):
            await show_password(mine, asked, PASSWORD, bob.public)
        await mine.aclose()


async def test_a_table_that_only_says_that_it_is_the_one_is_found_out() -> None:
    """Whoever answers without the password cannot confirm the key."""
    bob, mallory = Identity.generate(), Identity.generate()
    failures: list[str] = []

    async def sit_down() -> None:
        link = await connect(at(listener), bob, "Bob")
        match await link.receive():
            case ["password", bytes(share)]:
                with pytest.raises(PasswordRefused) as caught:
                    await show_password(link, share, PASSWORD, bob.public)
                failures.append(str(caught.value))
        await link.aclose()

    async with (
        open_listener(mallory, "Mallory", host=HOST) as listener,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(sit_down)
        link = await anext(listener)
        context = encode(["hostless table password", 1, mallory.public, bob.public])
        run = CpaceRun(b"a guess", context, link.channel, b"opener")
        await link.send(["password", run.mine.share])
        match await link.receive():
            case ["password", bytes(share), bytes()]:
                mine, _ = run.tags(Statement(share, b"guest"), is_initiator=True)
                await link.send(["password", mine])
    assert failures == ["whoever answers there does not know the password of the table"]


async def test_nobody_in_between_can_pass_the_password_on(tmp_path: Path) -> None:
    """Eve hands the words of table and guest to and fro; each side means another channel."""
    async with guarded_table(tmp_path) as host:
        eve, bob = Identity.generate(), Identity.generate()
        answers: list[object] = []

        async def sit_down() -> None:
            link = await connect(at(listener), bob, "Bob")
            match await link.receive():
                case ["password", bytes(share)]:
                    with pytest.raises(PasswordRefused):
                        await show_password(link, share, PASSWORD, bob.public)
            await link.aclose()

        async with (
            open_listener(eve, "Eve", host=HOST) as listener,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(sit_down)
            to_bob = await anext(listener)
            to_host = await call(host, eve)
            await to_bob.send(["password", await share_of(to_host)])
            await to_host.send(await to_bob.receive())
            answers.append(await to_host.receive())
            await to_bob.send(["password", bytes(64)])
            await to_host.aclose()
        assert answers == [["refused", WRONG]]


async def test_both_ends_of_a_link_name_it_alike_and_no_other_so() -> None:
    ada, bob = Identity.generate(), Identity.generate()
    names: list[bytes] = []
    async with open_listener(ada, "Ada", host=HOST) as listener:
        for _ in range(2):
            mine = await connect(at(listener), bob, "Bob")
            theirs = await anext(listener)
            assert mine.channel == theirs.channel and len(mine.channel) == 32
            names.append(mine.channel)
            await mine.aclose()
    assert len(set(names)) == 2


def test_guesses_are_forgotten_after_a_minute_and_bounded_in_all() -> None:
    now = 0.0
    guesses = Guesses(lambda: now)
    assert [guesses.begin((b"eve", "host")) for _ in range(4)] == [True] * 3 + [False]
    assert guesses.begin((b"ada", "elsewhere"))
    guesses.was_right((b"ada", "elsewhere"))
    now = GUESSES_PERIOD_S + 1
    assert guesses.begin((b"eve", "host"))
    many = [guesses.begin((bytes([number]), str(number))) for number in range(GUESSES_TABLE_MAX)]
    assert many == [True] * (GUESSES_TABLE_MAX - 1) + [False]


@pytest.mark.parametrize("text", ["", "a\nb", "x" * (PASSWORD_LETTERS_MAX + 1), "\0"])
def test_what_nobody_can_type_is_no_password(text: str) -> None:
    with pytest.raises(HostlessError):
        clean_password(text)


def test_a_password_is_the_same_from_every_keyboard() -> None:
    assert clean_password("gru\u0308n") == clean_password("grün") == "grün"


def test_an_announcement_says_that_a_password_is_asked() -> None:
    options = options_text([("deal", "draft")], opens_hands=True, asked=[PASSWORD_ASKED])
    assert options == "password=asked hands=open deal=draft"
    ad = TableAd("0" * 16, "t", "carta", 3, 1, bytes(32), "h", 1, options)
    assert ad.asks_password
    assert not TableAd("0" * 16, "t", "carta", 3, 1, bytes(32), "h", 1, "name=x").asks_password


def test_no_command_or_news_shows_the_password() -> None:
    assert PASSWORD not in repr(OpenTable("carta", 2, password=PASSWORD))
    assert PASSWORD not in repr(JoinTable("", password=PASSWORD))
