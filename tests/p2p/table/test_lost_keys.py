"""A game that is resumed with files that are lost or damaged: whether and how it goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.log.files import GameFileError
from p2p.log.game_file import read_game
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


async def test_what_puts_a_change_in_force_and_is_damaged_is_cut_and_the_game_goes_on(
    tmp_path: Path, seed: int
) -> None:
    """The file was cut, and what had been read of it was looked at again, for ever."""
    room, _ = away(seed, kind_is("choose"))
    path = room.kept(tmp_path)
    (note,) = read_game(path).changes
    content = bytearray(path.read_bytes())
    at = content.index(note.acks[0].signature)
    content[at] ^= 1
    path.write_bytes(content)
    game = await reopen_game(path, room.identities[0])
    assert damaged_name(path).exists() and "was damaged" in " ".join(game.notes)
    assert game.replica.height == note.height
    assert game.game_file.changes == read_game(path).changes == []
    game.game_file.close()
    game.secrets.close()
