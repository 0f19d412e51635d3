"""Nobody sits at an open seat, and all know its secrets: what is signed there convicts nobody.

The attack: evidence against a bot that everybody computes, which anybody can make up.  Its name
stood on all screens and in all files as that of a cheater; after the result the table stopped with
it, before the keys of bots were opened that may have something to hide.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.base.entry import sign_entry
from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.roster import new_open_seat, open_identity
from p2p.log.membership.evidence import raw_of
from p2p.log.membership.messages import (
    REASON_SILENT,
    Ballot,
    Change,
    Farewell,
    message_of,
    sign_as,
)
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.session.relaying import Relaying
from p2p.session.talking import Talk, line_of
from tests.p2p.beads import BEADS
from tests.p2p.room import BOT_TERMS, MemoryVault, make_roster
from tests.p2p.session.tables import QuietTable, membership_inbox_at

pytestmark = pytest.mark.usefixtures("quick_proofs")

ME, CHEAT, BOT = range(3)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def beside_a_bot() -> tuple[Replica, Identity]:
    """My replica of a table with an open seat, and the identity of that, which all know."""
    identities = [Identity.generate() for _ in range(3)]
    roster = make_roster("beads", identities)
    open_seat = new_open_seat("bot", BOT_TERMS)
    roster = replace(roster, seats=(*roster.seats[:BOT], open_seat))
    return Replica(roster, identities[ME], MemoryVault(bytes(32))), open_identity(open_seat.nonce)


@pytest.mark.parametrize("kind", ["entries", "votes"])
async def test_what_anybody_could_have_signed_for_a_bot_convicts_it_of_nothing(
    tmp_path: Path, kind: str
) -> None:
    mine, anybody = beside_a_bot()
    secrets = SecretsFile.create(tmp_path / "game.secret")
    inbox, _ = membership_inbox_at(QuietTable(mine, {CHEAT}, secrets), lambda _: None)
    tip, at = mine.tip, mine.position
    raws = [sign_entry(anybody, mine.game_id, (BOT, 0), at, ["key seal", bytes([each] * 32)]).raw
            for each in range(2)]  # fmt: skip
    if kind == "votes":
        changes = (Change(seat, REASON_SILENT) for seat in (ME, CHEAT))
        votes = (Ballot(tip.epoch, 0, BOT, tip.head, change) for change in changes)
        raws = [raw_of(sign_as(anybody, mine.game_id, vote)) for vote in votes]
    with pytest.raises(MalformedFrame, match="nobody sits there"):
        await inbox.receive(CHEAT, ["evidence", *raws])
    secrets.close()


async def test_what_anybody_could_have_signed_for_a_bot_is_passed_on_to_nobody(
    tmp_path: Path,
) -> None:
    mine, anybody = beside_a_bot()
    secrets = SecretsFile.create(tmp_path / "game.secret")
    table = QuietTable(mine, {CHEAT}, secrets)
    inbox, _ = membership_inbox_at(table, lambda _: None)
    said = sign_as(anybody, mine.game_id, Farewell(mine.tip.epoch, BOT, b""))
    with pytest.raises(MalformedFrame, match="nobody like that"):
        await inbox.receive(CHEAT, message_of(said))
    assert not table.sent
    secrets.close()


async def test_nobody_says_a_line_in_the_name_of_a_bot_that_all_compute() -> None:
    mine, anybody = beside_a_bot()
    table = QuietTable(mine, {CHEAT})
    bot = Replica(mine.roster, anybody, MemoryVault(bytes(32)))
    with pytest.raises(MalformedFrame):
        await Talk(table, Relaying(table)).receive(CHEAT, line_of(bot, 1, "I cheat"))
    assert not table.news
