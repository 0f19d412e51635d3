"""Lines of text: the same table for screen readers, pipes and dumb terminals."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from core.games import GAMES, find_game
from core.requests import Over
from p2p.session.commands import (
    Browse,
    Choose,
    Command,
    JoinTable,
    Leave,
    OpenTable,
    Resume,
    TakeOver,
    Watch,
)
from p2p.session.news import Elsewhere, Notice, OwnGame, OwnGames, TableChanged, TablesSeen
from tests.limits import HANGS_S
from tests.ui.fakes import PracticePort, some_ad, some_gathering
from tests.ui.shopping import market
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.story import plain_sentences, since_my_turn, told
from ui.model.view_model import readable_faces, view_model
from ui.plain.loop import PlainLoop, ReadLine, in_ascii
from ui.plain.presenter import PlainPresenter, Reply

ROOT = Path(__file__).parents[2]


def a_presenter(language: str = "en", *, is_automatic: bool = False) -> PlainPresenter:
    return PlainPresenter(load(language), is_automatic=is_automatic)


def a_presenter_told(news: TableChanged) -> list[str]:
    """The whole story."""
    return plain_sentences(told(view_model(load("en"), news), news.lines))


def test_my_turn_shows_the_table_and_numbered_choices_with_their_words() -> None:
    port = PracticePort(seed=3).begin()
    lines = a_presenter().receive(port.news())
    text = "\n".join(lines)
    assert "YOUR TURN: play a card" in text
    assert "grace" in text
    assert "Deck: I×16" in text
    assert any(line.startswith("  1  play ") for line in lines)


def test_a_choice_is_made_by_number_or_by_its_words() -> None:
    port = PracticePort(seed=3).begin()
    offer = port.news().view.offers[-1]
    for text in (str(len(port.news().view.offers)), f"  {offer.text.replace(' ', '   ')} "):
        presenter = a_presenter()
        presenter.receive(port.news())
        assert presenter.read(text).command == Choose(offer.action, port.entry)


def test_what_is_no_choice_is_said_in_one_line() -> None:
    port = PracticePort(seed=3).begin()
    presenter = a_presenter()
    presenter.receive(port.news())
    for text in ("99", "play utopia now", "\x00" * 5000):
        reply = presenter.read(text)
        assert reply.command is None
        assert len(reply.lines) == 1


def test_the_story_is_told_once_and_a_choice_put_once() -> None:
    port = PracticePort(seed=3).begin()
    presenter = a_presenter()
    assert presenter.receive(port.news())
    assert presenter.receive(port.news()) == []
    port.play(1)
    again = presenter.receive(port.news())
    assert any("ada plays" in line for line in again)


def test_who_goes_on_with_a_game_reads_whom_the_table_waits_for() -> None:
    news, presenter = PracticePort(seed=3).begin().play(3).news(), a_presenter()
    news = replace(news, view=replace(news.view, offers=(), to_act=(1,)))
    waiting = "Waiting for grace"
    assert presenter.receive(news)[-1].startswith(waiting)
    assert presenter.receive(news) == [], "and once"


def test_who_sits_down_again_is_told_what_came_since_the_own_last_turn_and_not_the_game() -> None:
    """The whole story was read aloud once more, in a late game some hundred lines."""
    port = market().play(40)
    presenter, news = a_presenter(), port.news()
    heard = presenter.receive(news)
    missed = plain_sentences(since_my_turn(view_model(load("en"), news)))
    assert missed and heard[: len(missed)] == missed
    assert "-- ada's turn 1 --" not in heard
    assert "-- ada's turn 1 --" in presenter.read("log").lines
    port.play(1)
    assert any("ada" in line for line in presenter.receive(port.news())), "it goes on from there"


def test_who_comes_to_look_on_is_told_the_turn_that_goes_on() -> None:
    news = market().play(40).looked_on()
    heard = a_presenter().receive(news)
    assert [line for line in heard if line.startswith("-- ")] == [
        line for line in a_presenter_told(news) if line.startswith("-- ")
    ][-1:]


def test_another_game_begins_its_story_anew_also_where_it_is_longer() -> None:
    presenter = a_presenter()
    presenter.receive(PracticePort(seed=3).begin().news())
    longer = PracticePort(seed=4, me=2).begin().news()
    longer = replace(longer, path=Path("another.hostless"))
    assert presenter.receive(longer) == a_presenter().receive(longer)


def test_the_result_of_a_game_is_said_once() -> None:
    """`alan wins` stood there twice, and the points of all."""
    port = market().play(10_000)
    heard = a_presenter().receive(port.news())
    assert sum("alan wins" in line for line in heard) == 1
    assert sum(line.strip().startswith("grace: 3 points") for line in heard) == 1


def test_a_refused_answer_may_be_given_again() -> None:
    port = PracticePort(seed=3).begin()
    presenter = a_presenter()
    presenter.receive(port.news())
    assert presenter.read("1").command is not None
    assert not presenter.wants_answer
    assert presenter.receive(Notice("too late", "try again", asks_again=True)) == [
        "too late; try again"
    ]
    assert presenter.wants_answer


def test_pages_answer_questions() -> None:
    port = PracticePort(seed=3).begin().play(4)
    presenter = a_presenter()
    presenter.receive(port.news())
    for page, words in {
        "?": "number of a choice", "log": "plays", "rules": "3.1", "fair": "shuffle proofs",
        "table": "YOUR TURN",
    }.items():  # fmt: skip
        assert words in "\n".join(presenter.read(page).lines)
    assert presenter.read("quit").is_leaving


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize(
    ("slug", "face"),
    [
        ("carta", "military"),
        ("dominion", "smithy"),
        ("renaissance", "finance"),
        ("civilization", "rome"),
    ],
)
def test_what_a_card_says_is_told_by_its_name_and_by_its_word(
    language: str, slug: str, face: str
) -> None:
    port = PracticePort(seed=3, game=find_game(slug)).begin()
    presenter, model = a_presenter(language), view_model(load(language), port.news())
    presenter.receive(port.news())
    listed = presenter.read("card").lines
    faces = {each.rpartition(".")[2]: each for each in readable_faces(model)}
    key = faces.get(face, next(iter(faces.values())))
    name = model.look.named(model.words, key)
    assert name in listed[0]
    by_name, by_word = presenter.read(f"card {name}").lines, presenter.read(f"card {key}").lines
    assert by_name == by_word and len(by_name[0]) > len(name) + 4
    assert presenter.read("card nothing of this name").lines == listed


def test_the_end_names_winner_points_and_file() -> None:
    port = PracticePort(seed=3).begin().play(10_000)
    lines = a_presenter("ko").receive(port.news())
    assert any("이겼습니다" in line for line in lines)
    assert any(str(port.news().path) in line for line in lines)


def test_the_lobby_in_words_lists_joins_and_opens() -> None:
    presenter = a_presenter()
    assert "amber-falcon-42" in presenter.receive(TablesSeen((some_ad(),)))[1]
    assert presenter.read("join amber-falcon-42").command == JoinTable("amber-falcon-42")
    assert isinstance(presenter.read("play").command, OpenTable)
    assert "2 of 3 seats" in presenter.receive(some_gathering())[0]


def an_own_game(name: str) -> OwnGame:
    return OwnGame(Path(f"{name}.hostless"), "carta", f"table of {name}", (name,))


def test_in_the_lobby_whatever_is_listed_is_asked_for_by_its_number() -> None:
    presenter = a_presenter()
    told = presenter.receive(TablesSeen((some_ad("one"), some_ad("two"))))
    assert told[1].startswith("  1  one") and told[2].startswith("  2  two")
    assert presenter.read("join 2").command == JoinTable(some_ad("two").target)
    assert presenter.read("watch 1").command == Watch(some_ad("one").target)
    bert, cleo = an_own_game("bert"), an_own_game("cleo")
    assert any(line.startswith("  2  ") for line in presenter.receive(OwnGames((bert, cleo))))
    assert presenter.read("resume 2").command == Resume(cleo.path)
    assert presenter.read("resume x.hostless").command == Resume(Path("x.hostless"))
    assert presenter.read("join 17").command == JoinTable("17"), "it may be a name"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_in_the_lobby_a_number_that_no_game_has_is_answered_in_a_line(language: str) -> None:
    """Before the list had come, `resume 1` was answered `Cannot read 1: No such file`."""
    presenter, words = a_presenter(language), load(language)
    reply = presenter.read("resume 1")
    assert reply == Reply((words("kept.no_number", number=1),))
    presenter.receive(OwnGames((an_own_game("mill"),)))
    assert presenter.read("resume 1").command == Resume(an_own_game("mill").path)


def test_in_the_lobby_a_number_alone_is_the_table_or_the_game_if_it_is_not_both() -> None:
    """A list with numbers, and `type a number` above it: 1 was unknown there."""
    presenter, bert = a_presenter(), an_own_game("bert")
    presenter.receive(TablesSeen((some_ad("one"), some_ad("two"))))
    assert presenter.read("1").command == JoinTable(some_ad("one").target)
    presenter.receive(OwnGames((bert,)))
    both = presenter.read("1")
    assert both.command is None and "join 1" in both.lines[0] and "resume 1" in both.lines[0]
    assert presenter.read("2").command == JoinTable(some_ad("two").target)
    assert presenter.read("3").command is None


def test_tables_are_told_again_only_when_what_is_told_of_them_has_changed() -> None:
    """The same list came three times, since an announcement had changed elsewhere."""
    presenter, ad = a_presenter(), some_ad("one")
    assert presenter.receive(TablesSeen((ad,)))
    assert presenter.receive(TablesSeen((replace(ad, options="deal=draft"),))) == []
    assert presenter.receive(TablesSeen((replace(ad, taken=ad.taken + 1),)))


def test_in_the_lobby_a_password_is_typed_behind_the_number_of_the_table() -> None:
    """There was no way to sit down where one is asked for."""
    presenter, asking = a_presenter(), replace(some_ad("den"), options="password=asked deal=draft")
    presenter.receive(TablesSeen((asking, some_ad("one"))))
    assert presenter.read("join 1 green meadow").command == JoinTable(
        asking.target, password="green meadow"
    )
    assert presenter.read("join 1").command == JoinTable(asking.target)
    assert presenter.read("join 2 of us").command == JoinTable("2 of us"), "it may be a name"
    assert "password" in "\n".join(presenter.read("?").lines)


def test_in_the_lobby_a_number_goes_on_meaning_what_it_did() -> None:
    presenter = a_presenter()
    presenter.receive(TablesSeen((some_ad("one"), some_ad("two"))))
    assert presenter.receive(TablesSeen((some_ad("two"),)))[1].startswith("  2  two")
    bert, cleo = an_own_game("bert"), an_own_game("cleo")
    presenter.receive(OwnGames((bert, cleo)))
    came = replace(cleo, here=("cleo",))
    assert presenter.receive(OwnGames((came, bert)))[-1].endswith("resume 2")
    assert presenter.read("resume 2").command == Resume(cleo.path)


def test_in_the_lobby_help_says_what_can_be_typed_there() -> None:
    presenter = a_presenter()
    text = "\n".join(presenter.read("?").lines)
    assert all(f"{verb} " in text for verb in ("play", "learn", "open", "join", "watch", "resume"))
    assert all(slug in text for slug in GAMES)
    assert presenter.read("tables").lines == (
        "No table is open, and no game of yours is unfinished.",
    )
    presenter.receive(TablesSeen((some_ad("one"),)))
    assert any("one" in line for line in presenter.read("tables").lines)


@pytest.mark.parametrize("verb", ["play", "learn", "open"])
def test_in_the_lobby_a_game_that_there_is_not_is_a_complaint(verb: str) -> None:
    reply = a_presenter("ko").read(f"{verb} domnion")
    assert reply.command is None and "dominion" in reply.lines[0]
    said = a_presenter("en").read(f"{verb} domnion").lines[0]
    assert said[0].isupper(), "as all that stands alone; behind the program's name it is not"


def test_in_lines_of_text_the_terms_of_a_table_are_told_once_as_on_the_screen() -> None:
    """Whoever sat down by `join` never read that there is a clock."""
    presenter, news = a_presenter(), some_gathering()
    news = replace(news, table=replace(news.table, options="clock=10+5 deal=draft"))
    told = "\n".join(presenter.receive(news))
    assert "a clock of 10+5" in told and "Deal: draft" in told
    seats = tuple(replace(seat, name="bert", link="up") for seat in news.seats)
    full = "\n".join(presenter.receive(replace(news, seats=seats)))
    assert "3 of 3" in full and "clock" not in full
    assert "join with" not in full, "there is no seat left"


def test_who_sits_at_a_table_that_fills_is_told_of_no_others() -> None:
    presenter = a_presenter()
    presenter.receive(TablesSeen((some_ad(),)))
    presenter.receive(some_gathering())
    assert presenter.receive(TablesSeen((some_ad("other"),))) == []
    assert presenter.receive(OwnGames((an_own_game("bert"),))) == []


def test_in_the_lobby_a_table_is_opened_with_as_many_seats_as_were_said() -> None:
    assert a_presenter().read("open dominion 2").command == OpenTable("dominion", 2)
    assert a_presenter().read("open").command == OpenTable("carta", 3)


def test_a_table_of_this_machine_alone_asks_for_nobody_else() -> None:
    local = replace(some_gathering(), table=replace(some_ad(), host="127.0.0.1"))
    text = "\n".join(a_presenter().receive(local))
    assert "on this machine alone" in text
    assert "join with" not in text
    assert "join with" in "\n".join(a_presenter().receive(some_gathering()))


def test_a_terminal_of_ascii_gets_ascii() -> None:
    written: list[str] = []
    in_ascii(written.append)("Deck: II×3 … 군사")
    assert written == ["Deck: IIx3 ~ ??"]


def test_somebody_who_looks_on_types_watch() -> None:
    assert a_presenter().read("watch amber").command == Watch("amber")
    assert a_presenter().read("watch").command == Watch("")


class PracticeNode:
    """What the loop needs of a node, around a practice table."""

    def __init__(self, port: PracticePort) -> None:
        self.port = port
        self.failure: Exception | None = None
        self._end = trio.Event()

    def serve_in(self, nursery: trio.Nursery) -> None:
        """Everything happens at once here."""

    async def obey(self, command: Command) -> None:
        self.port.send(command)
        if isinstance(command, Leave) or isinstance(self.port.request, Over):
            self._end.set()

    async def idle(self) -> None:
        await self._end.wait()


def a_loop(seed: int) -> tuple[PlainLoop, PracticeNode, list[str]]:
    printed: list[str] = []
    plain = PlainLoop(a_presenter(is_automatic=True), printed.append)
    port = PracticePort(plain.publish, seed=seed)
    port.begin()
    return plain, PracticeNode(port), printed


def typed(*lines: str) -> ReadLine:
    """A standard input with these lines, and then its end."""
    rest = [*lines]

    async def read_line() -> str:
        await trio.lowlevel.checkpoint()
        return f"{rest.pop(0)}\n" if rest else ""

    return read_line


async def test_a_pipe_of_ones_plays_a_whole_game() -> None:
    plain, node, printed = a_loop(seed=5)

    async def ones() -> str:
        await trio.lowlevel.checkpoint()
        return "1\n"

    with trio.fail_after(HANGS_S):
        first = OpenTable("carta", 3, 2, is_local=True)
        await plain.run(node, first, ones, is_patient=True)
    assert any("win" in line for line in printed)


async def test_the_end_of_the_input_leaves_the_table_politely() -> None:
    plain, node, _ = a_loop(seed=5)

    with trio.fail_after(HANGS_S):
        first = OpenTable("carta", 3, 2, is_local=True)
        await plain.run(node, first, typed("1", "?"), is_patient=True)
    assert isinstance(node.port.sent[-1], Leave)
    assert sum(isinstance(command, Choose) for command in node.port.sent) >= 1


class WaitingNode(PracticeNode):
    """A table at which nobody else has sat down yet: nothing can be chosen."""

    async def obey(self, command: Command) -> None:
        if isinstance(command, Leave):
            self.port.sent.append(command)
            self._end.set()


@pytest.mark.parametrize("word", ["quit", "exit", "q"])
async def test_whoever_pipes_lines_leaves_at_any_time(word: str) -> None:
    """Without a choice to wait for; any other line waits until it can be used."""
    plain, node, printed = a_loop(seed=5)
    waiting = WaitingNode(node.port)
    plain.presenter.newest = None
    with trio.fail_after(HANGS_S):
        await plain.run(waiting, OpenTable("carta", 3), typed(word, "1"), is_patient=True)
    assert isinstance(waiting.port.sent[-1], Leave)
    assert "You have left the table." in printed


async def test_a_lobby_in_words_goes_on_until_it_is_left() -> None:
    plain, node, printed = a_loop(seed=5)

    with trio.fail_after(HANGS_S):
        await plain.run(node, Browse(), typed("what", "quit"), is_patient=True, is_staying=True)
    assert any("'what' means nothing in the lobby" in line for line in printed)


def test_lines_of_text_need_no_screen() -> None:
    code = "import sys, ui.plain.loop; print([m for m in sys.modules if m.startswith('textual')])"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_whoever_sits_there_already_is_asked_about_in_a_line() -> None:
    for typed, command, is_leaving in (("y", TakeOver(), False), ("n", None, True)):
        presenter = a_presenter()
        asked = presenter.receive(Elsewhere("ada", "10.0.0.4"))
        assert "ada" in asked[0] and "10.0.0.4" in asked[0] and "(y/n)" in asked[1]
        assert presenter.is_ready
        reply = presenter.read(typed)
        assert (reply.command, reply.is_leaving) == (command, is_leaving)
        assert presenter.read("y").command is None, "it is asked once"


@pytest.mark.parametrize("code", ["ko", "ja"])
def test_a_notice_and_what_to_do_are_two_sentences_as_an_error_is(code: str) -> None:
    """`卓が閉じました; ほかを…`: no Japanese is parted so, and errors never were."""
    heard = PlainPresenter(load(code)).receive(Notice("その一", "その二"))
    assert heard[0] == load(code).parted(["その一", "その二"]) and ";" not in heard[0]
