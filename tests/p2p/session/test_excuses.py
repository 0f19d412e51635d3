"""What a seat left on a head, because another refused it, is excused in all that it signs there.

The attack: agree that somebody is gone, let all others acknowledge that, and refuse it after all.
They go back and acknowledge the next step in its place, with that no as the excuse.  Whoever is
started again signs its acknowledgements of steps anew; without the excuse they would convict it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from p2p.base.errors import MalformedFrame
from p2p.log.membership.disk import plain_record
from p2p.log.membership.evidence import raw_of
from p2p.log.membership.log import ChangeItem
from p2p.log.membership.messages import (
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    message_of,
    parse_signed,
    sign_as,
)
from p2p.log.membership.state import Refusal, Voted
from p2p.log.secrets_file import SecretsFile
from tests.p2p.acknowledging import acknowledging
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is
from tests.p2p.session.tables import QuietTable, membership_at, membership_inbox_at

pytestmark = pytest.mark.usefixtures("quick_proofs")

ME, CHEAT, OTHER, SILENT = range(4)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def refused(room: OpenRoom, secrets: SecretsFile) -> Ack:
    """I have acknowledged that seat 3 is gone, and went back as seat 1 refused that."""
    me, by = room.replicas[ME], room.identities
    below, change = me.tip, Change(SILENT, REASON_SILENT)
    decided = ChangeItem(below.head, change, 1)
    yes = sign_as(by[ME], me.game_id, Ballot(below.epoch, 1, ME, below.head, change))
    no = sign_as(by[CHEAT], me.game_id, Ballot(below.epoch, 1, CHEAT))
    left = acknowledging(below.with_change(decided, me.log_game), ME, by[ME])
    for said in (plain_record(Voted(yes)), message_of(left), plain_record(Refusal(no))):
        secrets.keep_said(said)
    return left


@pytest.mark.parametrize("is_in_force", [False, True])
async def test_whoever_is_started_again_is_not_convicted_by_what_it_signs_anew(
    seed: int, tmp_path: Path, *, is_in_force: bool
) -> None:
    room = OpenRoom(4, seed, BOT)
    room.run(kind_is("choose"))
    secrets = SecretsFile.create(tmp_path / "game.secret")
    me, left = room.replicas[ME], refused(room, secrets)
    room.run(lambda each: each.height > left.height + 2)
    me.committed = me.height if is_in_force else left.height - 1
    membership = membership_at(QuietTable(me, {CHEAT, OTHER, SILENT}, secrets))
    secrets.close()
    acks = [ack for ack in map(parse_signed, membership.acks_from(0)) if isinstance(ack, Ack)]
    (again,) = (ack for ack in acks if ack.parent == left.parent)
    assert again.change is None and [no.seat for no in again.excuses] == [CHEAT]
    table = QuietTable(room.replicas[OTHER], {ME, CHEAT, SILENT})
    inbox, _ = membership_inbox_at(table, lambda _: None)
    with pytest.raises(MalformedFrame):
        await inbox.receive(CHEAT, ["evidence", raw_of(left), raw_of(again)])
