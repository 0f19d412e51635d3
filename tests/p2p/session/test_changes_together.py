"""Changes that are in force only together are followed only if each of them has its reason.

By a later one somebody goes whose acknowledgement of the earlier ones is not asked for.  The
attack: one person with a bot shows two changes, *one is silent*, and *another has cheated*, by any
honest entry of that one.  Nobody who stays but the two has to sign them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from p2p.log.membership.log import ChangeItem, Log
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_SILENT,
    Change,
    message_of,
)
from p2p.log.membership_change import change_entry
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from tests.p2p.acknowledging import acknowledging
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, kind_is
from tests.p2p.room import Room, Terms
from tests.p2p.session.tables import QuietTable, membership_inbox_at

pytestmark = pytest.mark.usefixtures("quick_proofs")

FIRST, SECOND, CHEAT, BOT_OF_CHEAT = range(4)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def table_with_a_bot(seed: int) -> Room:
    """Three persons, one of whom runs a bot."""
    terms = Terms(replacement=BOT, sponsors={BOT_OF_CHEAT: CHEAT})
    return Room(4, seed=seed, game="beads", terms=terms)


def shown(
    room: Room, at: tuple[Replica, Log], change: Change, proof: list[bytes]
) -> tuple[list[object], Log]:
    """What the cheater and its bot show of a change, and the log with it."""
    replica, below = at
    decided = ChangeItem(below.head, change, 0)
    log = below.with_change(decided, replica.log_game)
    by = log.members & {CHEAT, BOT_OF_CHEAT}
    acks = [message_of(acknowledging(log, seat, room.identities[seat])) for seat in sorted(by)]
    entry = change_entry(replica.game_id, below, decided)
    return ["change", entry.raw, log.height, acks, proof], log


@pytest.mark.parametrize("reason", [REASON_CONVICTED, REASON_SILENT, REASON_LEFT])
@pytest.mark.parametrize("me", [FIRST, SECOND])
async def test_nobody_is_let_go_by_one_person_with_a_bot(
    seed: int, tmp_path: Path, me: int, reason: str
) -> None:
    """The first was locked out, and the second went on without it, which had agreed to nothing."""
    room = table_with_a_bot(seed)
    room.run(kind_is("choose"))
    mine = room.replicas[me]
    mine.acks.forget(mine.height + 1)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    inbox, _ = membership_inbox_at(QuietTable(mine, {0, 1, 2, 3} - {me}, secrets), lambda _: None)
    honest = next(each for each in mine.log if each.seat == SECOND)
    gone, log = shown(room, (mine, mine.tip), Change(FIRST, REASON_SILENT), [])
    proof = [] if reason == REASON_SILENT else [honest.raw]
    second, _ = shown(room, (mine, log), Change(SECOND, reason), proof)
    await inbox.receive(CHEAT, gone)
    await inbox.receive(CHEAT, second)
    secrets.close()
    assert mine.tip.members == {FIRST, SECOND, CHEAT, BOT_OF_CHEAT}
