"""A name of mixed scripts is shown as such wherever a person reads it, not in the lobby alone."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

import pytest
from trio.testing import MockClock

from core.errors import HostlessError
from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.audit.several import compare
from p2p.base.limits import MEET_S
from p2p.base.names import one_line
from p2p.base.wire import FrameReader, encode, frame
from p2p.log.game_file import MAGIC
from p2p.log.replica import Replica
from p2p.net.announcements import TableAd, clean_options
from p2p.net.handshake import Proven, Stream
from p2p.net.link import Link
from p2p.session.news import Gathering, News, SaidLine, TablesSeen
from p2p.session.reachability import Reachability, seats_away
from p2p.session.relaying import Relaying
from p2p.session.snapshot import snapshot_of
from p2p.session.talking import Talk, line_of
from p2p.table.finding import choose
from p2p.table.gathering import seat_states
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable
from ui.language.text import load
from ui.lobby.own_games import file_row, summary_of
from ui.plain.presenter import PlainPresenter

ROOT: Final = Path(__file__).resolve().parents[3]
NAME: Final = "Ad\u0430"  # The last letter is Cyrillic.
SHOWN: Final = f"{NAME} [Latin+Cyrillic]"
AD: Final = TableAd("0123456789abcdef", NAME, "carta", 3, 1, bytes(32), "10.77.0.9", 4000)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.fixture
def room() -> Room:
    """A table at which the second seat has such a name."""
    room = Room(2, game="beads")
    first, second = room.roster.seats
    room.roster = replace(room.roster, seats=(first, replace(second, name=NAME)))
    room.replicas = [
        Replica(room.roster, identity, secrets)
        for identity, secrets in zip(room.identities, room.vaults, strict=True)
    ]
    return room


def test_in_the_lobby_and_while_a_table_fills() -> None:
    presenter = PlainPresenter(load("en"))
    assert any(SHOWN in line for line in presenter.receive(TablesSeen((AD,))))
    free = ["", b"", None, b""]
    seats = seat_states([[NAME, bytes(32), None, b""], free, free], 1)
    assert any(SHOWN in line for line in presenter.receive(Gathering(AD, 1, seats)))
    with pytest.raises(HostlessError) as refused:
        choose("", [AD, replace(AD, opener=b"x" * 32)], lambda _: True)
    assert str(refused.value).count(SHOWN) == 2


async def test_at_the_table_and_when_it_is_away(room: Room, autojump_clock: MockClock) -> None:
    replica = room.replicas[0]
    room.run(lambda each: each.height > 0)
    replica.acks.forget(replica.height + 1)
    table = QuietTable(replica)
    relaying = Relaying(table)
    reach = Reachability(table, relaying)
    reach.begin()
    reach.update()
    autojump_clock.jump(MEET_S)
    reach.update()
    away = seats_away(replica, reach, lambda _: False)
    assert [each.name for each in away] == relaying.waited_for() == [SHOWN]
    assert snapshot_of(replica, Path("game"), (), ()).seats[1].name == SHOWN


async def test_in_what_it_says_and_in_what_is_said_of_its_link(room: Room) -> None:
    table = QuietTable(room.replicas[0], {1})
    await Talk(table, Relaying(table)).receive(1, line_of(room.replicas[1], 1, "hello"))
    said = [news for news in cast("list[News]", table.news) if isinstance(news, SaidLine)]
    assert [line.name for line in said] == [SHOWN]
    proven = Proven(bytes(32), NAME, FrameReader(), bytes(32))
    assert Link(cast("Stream", None), proven, ("10.77.0.9", 4000)).peer_name == SHOWN


def test_among_the_games_that_are_kept_and_in_their_audit(room: Room, tmp_path: Path) -> None:
    room.run(until=lambda replica: replica.height >= 4)
    records = [["roster", room.roster.plain()]]
    records += [["entry", entry.raw] for entry in room.replicas[0].log]
    path = tmp_path / "game.hostless"
    path.write_bytes(MAGIC + b"".join(frame(encode(record)) for record in records))
    assert SHOWN in file_row(load("en"), path, summary_of(load("en"), path, 0.0))[0]
    assert [verdict.name for verdict in audit_file(path).verdicts] == ["a", SHOWN]
    assert compare([path, path]).names == ("a", SHOWN)


SHOWING: Final = ("audit", "game", "log", "session")


@pytest.mark.parametrize("folder", SHOWING)
def test_no_code_around_a_game_takes_a_name_as_it_was_given(folder: str) -> None:
    """There it is only ever shown: `Seat.shown_name`."""
    taken = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "p2p" / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "name" and _is_seat(node.value)
    ]
    assert not taken


def _is_seat(value: ast.expr) -> bool:
    if isinstance(value, ast.Subscript):
        return ast.unparse(value.value).endswith("seats")
    return isinstance(value, ast.Name) and value.id in ("seat", "player", "owner")


def test_the_search_for_such_names_finds_them() -> None:
    for text in ("roster.seats[2].name", "seat.name", "self._replica.roster.seats[at].name"):
        found = ast.parse(text, mode="eval").body
        assert isinstance(found, ast.Attribute) and _is_seat(found.value)


def test_what_a_strangers_program_says_is_one_line_without_what_nobody_sees() -> None:
    said = "full\u3164\u2800\ufe0f\u202e\x1b[2J\nZ\u0336\u0341"
    assert one_line(said, 100) == clean_options(said) == "full     [2J Z  "
    assert one_line("x" * 300, 200) == "x" * 200
