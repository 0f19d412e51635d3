"""Where a game that is resumed is found: on the network, unless its table was for one machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.base.identity import Identity
from p2p.net.interfaces import LOOPBACK
from p2p.table.game_files import LAN, keep_port, new_game, reopen_game, where_to_listen
from tests.p2p.room import make_roster


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("is_local", [True, False])
async def test_two_programs_of_one_machine_are_found_where_their_table_was(
    me: int, tmp_path: Path, *, is_local: bool
) -> None:
    """Who played on one machine may come back on another, with all that is in its home."""
    identities = [Identity.generate() for _ in range(2)]
    addresses = [("", 4000), (LOOPBACK, 4001)]
    roster = make_roster("carta", identities)
    game = new_game(tmp_path, identities[me], roster, addresses, is_local=is_local)
    where = LOOPBACK if is_local else LAN
    assert where_to_listen(game) == (where, 4000 + me)
    keep_port(game, 5000)
    game.game_file.close()
    game.secrets.close()
    again = await reopen_game(game.game_file.path, identities[me])
    assert where_to_listen(again) == (where, 5000)
    again.game_file.close()
    again.secrets.close()
