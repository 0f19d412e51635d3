"""A game whose secrets file is lost: whether the others can let a bot play for the seat."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.log.files import GameFileError
from p2p.log.recovery import damaged_name
from p2p.log.secrets_file import SECRET_SUFFIX, SecretsFile
from p2p.table.game_files import reopen_game
from tests.p2p.beads import BEADS
from tests.p2p.changing import away, kind_is, secret_of
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, with a group that is fast."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


@pytest.mark.parametrize("is_halved", [False, True])
async def test_who_has_lost_its_key_gets_the_seat_back_from_whoever_is_there(
    tmp_path: Path, seed: int, *, is_halved: bool
) -> None:
    room, _ = away(seed, kind_is("choose"))  # One other is there.
    path = room.kept(tmp_path)
    secrets_path = path.with_suffix(SECRET_SUFFIX)
    if is_halved:  # Within its first record.
        SecretsFile.create(secrets_path).close()
        os.truncate(secrets_path, 40)
    game = await reopen_game(path, room.identities[0])
    assert not game.replica.play.has_key
    assert "a bot plays for your seat first" in " ".join(game.notes)
    assert damaged_name(secrets_path).exists() == is_halved
    game.game_file.close()
    game.secrets.close()


async def test_who_has_lost_its_key_and_is_the_last_member_is_told_at_once(
    tmp_path: Path, seed: int
) -> None:
    """Nobody is left who could let it go, and nobody comes back without its yes."""
    room, _ = away(seed, kind_is("choose"))
    room.leave(1, secret_of(room, 1))
    path = room.kept(tmp_path)
    with pytest.raises(GameFileError, match="the key of your cards") as caught:
        await reopen_game(path, room.identities[0])
    assert "nobody else has it" in caught.value.hint
    assert not path.with_suffix(SECRET_SUFFIX).exists()
