"""All others say that a seat has cheated which has not: one person may run all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.base.entry import sign_entry
from p2p.log.membership.messages import REASON_CONVICTED, Change, message_of
from p2p.log.secrets_file import SecretsFile
from p2p.session.news import Notice
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is, proposed
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.session.tables import QuietTable, membership_inbox_at
from tests.simulation.volume_group import volume_group

ME, OTHER = 1, 2


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


async def shown(room: OpenRoom, proof: list[bytes], path: Path) -> QuietTable:
    """My table, once all others have acknowledged that I go as a cheater, by this proof."""
    mine = room.replicas[ME]
    change = proposed(room, Change(ME, REASON_CONVICTED), proof)
    mine.acks.forget(mine.height + 1)
    secrets = SecretsFile.create(path / "game.secret")
    table = QuietTable(mine, {0, 2}, secrets)
    inbox, _ = membership_inbox_at(table, lambda _: None)
    acks = [message_of(ack) for ack in change.note.acks]
    await inbox.receive(0, ["change", change.raw, change.note.height, acks, list(proof)])
    secrets.close()
    return table


async def test_an_honest_seat_does_not_go_as_a_cheater_by_what_it_has_signed(
    seed: int, tmp_path: Path
) -> None:
    """Its own file would say that it was convicted, and its audit that nothing proves it."""
    room = OpenRoom(3, seed)
    room.run(kind_is("choose"))
    entry = next(each for each in room.replicas[ME].log if each.seat == ME)
    table = await shown(room, [entry.raw], tmp_path)
    assert table.replica.is_seated
    assert [news.text for news in table.news if isinstance(news, Notice)] == [
        "the others go on without you as a cheater, and nothing proves it"
    ]


async def test_a_seat_that_has_signed_two_things_goes(seed: int, tmp_path: Path) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is("choose"))
    mine, by = room.replicas[ME], room.identities[ME]
    raws = [sign_entry(by, mine.game_id, (ME, 0), mine.position, ["choose", number]).raw
            for number in range(2)]  # fmt: skip
    assert not (await shown(room, raws, tmp_path)).replica.is_seated


def while_i_am_away(seed: int) -> OpenRoom:
    """I have followed the others, who play on for me: two persons, and a bot of the first one."""
    room = OpenRoom(4, seed, BOT)
    room.run(kind_is("roll"))
    owner = room.replicas[ME]
    room.lose(ME)
    room.run()
    room.remove(ME)
    room.run(kind_is("choose"))
    room.catch_up(owner)
    room.replicas.insert(ME, owner)
    return room


async def said_of(room: OpenRoom, seat: int, proof: list[bytes], path: Path) -> frozenset[int]:
    """Who is a member by my log, once all others have acknowledged that a seat has cheated."""
    mine = room.replicas[ME]
    change = proposed(room, Change(seat, REASON_CONVICTED), proof)
    mine.committed = mine.height
    secrets = SecretsFile.create(path / "game.secret")
    inbox, _ = membership_inbox_at(QuietTable(mine, {0, 2, 3}, secrets), lambda _: None)
    acks = [message_of(ack) for ack in change.note.acks]
    await inbox.receive(0, ["change", change.raw, change.note.height, acks, list(proof)])
    secrets.close()
    return mine.tip.members


async def test_who_was_away_lets_nobody_go_as_a_cheater_for_an_honest_entry(
    seed: int, tmp_path: Path
) -> None:
    """One person with a bot would take it along into a game without the other, with no evidence."""
    room = while_i_am_away(seed)
    entry = next(each for each in room.replicas[ME].log if each.seat == OTHER)
    assert await said_of(room, OTHER, [entry.raw], tmp_path) == {0, OTHER, 3}


async def test_who_was_away_lets_nobody_go_as_a_cheater_for_what_another_has_signed(
    seed: int, tmp_path: Path
) -> None:
    """The other added an entry of its own that breaks a rule."""
    room = while_i_am_away(seed)
    room.run(lambda each: each.step is not None and 0 in each.waited_for())
    honest = next(each for each in room.replicas[ME].log if each.seat == OTHER)
    proof = [honest.raw, entry_with(room.replicas[0], b"nothing")]
    assert await said_of(room, OTHER, proof, tmp_path) == {0, OTHER, 3}


async def test_who_was_away_lets_somebody_go_whose_entry_does_not_hold(
    seed: int, tmp_path: Path
) -> None:
    room = while_i_am_away(seed)
    room.run(lambda each: each.step is not None and OTHER in each.waited_for())
    cheat = next(each for each in room.replicas if each.me == OTHER)
    assert await said_of(room, OTHER, [entry_with(cheat, b"nothing")], tmp_path) == {0, 3}
