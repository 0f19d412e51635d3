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
from tests.p2p.changing import OpenRoom, kind_is, proposed
from tests.p2p.session.tables import QuietTable, membership_inbox_at
from tests.simulation.volume_group import volume_group

ME = 1


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
