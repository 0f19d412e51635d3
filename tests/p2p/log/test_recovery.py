"""Files that were damaged: the game goes on, nobody is accused, and nothing is signed otherwise."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import trio

from core.errors import HostlessError
from p2p.base.disk import MARK_BYTES
from p2p.base.identity import Identity
from p2p.base.wire import encode, frame
from p2p.log import secrets_file
from p2p.log.files import GameFileError
from p2p.log.game_file import MAGIC, GameFile, read_game
from p2p.log.recovery import DAMAGED_SUFFIX, read_and_repair, reopen_and_repair
from p2p.log.secrets_file import OLD_SECRET_MAGIC, SECRET_MAGIC, SecretsFile, check_of
from p2p.session.commands import Resume
from tests.p2p.nodes import (
    Person,
    check_nothing_signed_twice,
    has_entries,
    people,
    play_a_while,
    sitting_down,
)
from tests.p2p.room import make_roster
from tests.p2p.session.test_resume import resume

pytestmark = pytest.mark.usefixtures("quick_proofs")


@pytest.fixture
async def party(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> list[Person]:
    """Two who have played for a while and have got up: a game that is played once for all tests."""
    monkeypatch.setattr(secrets_file, "mark_of", lambda file: bytes(MARK_BYTES))  # It is a copy.
    played, homes = tmp_path_factory.getbasetemp() / "game of two", tmp_path / "homes"
    if not played.exists():
        await play_a_while(people(homes, 2, seed=90), 50)
        homes.rename(played)
    shutil.copytree(played, homes)
    return people(homes, 2, seed=90)


def flip(path: Path, at: float) -> None:
    """Change one bit, at a part of the way through a file."""
    content = bytearray(path.read_bytes())
    content[min(len(content) - 1, int(at * len(content)))] ^= 1
    path.write_bytes(bytes(content))


def empty(path: Path, _: float) -> None:
    """Lose all of it."""
    path.write_bytes(b"")


def halve(path: Path, at: float) -> None:
    """Lose what follows."""
    path.write_bytes(path.read_bytes()[: int(at * path.stat().st_size)])


def bend_acks(path: Path, at: float) -> None:
    """Change one bit of what somebody has signed to acknowledge the log."""
    acks = read_game(path).acks
    content = bytearray(path.read_bytes())
    content[acks[int(at * len(acks))].offset + 40] ^= 1
    path.write_bytes(bytes(content))


def lengthen(path: Path, at: float) -> None:
    """Change one bit of a record's length, so that it seems to be torn."""
    entries = read_game(path).entries
    content = bytearray(path.read_bytes())
    content[entries[int(at * len(entries))][0] + 1] ^= 1
    path.write_bytes(bytes(content))


PLACES = [
    *((".hostless", flip, at) for at in (0.0, 0.005, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999)),
    *((".secret", flip, at) for at in (0.0, 0.05, 0.2, 0.5, 0.8, 0.999)),
    *((".hostless", empty, 0.0), (".hostless", halve, 0.5), (".secret", halve, 0.5)),
    *((".hostless", bend_acks, at) for at in (0.0, 0.99)),
    *((".hostless", lengthen, at) for at in (0.0, 0.7)),
]


@pytest.mark.parametrize(("suffix", "harm", "at"), PLACES)
async def test_a_game_of_two_goes_on_with_a_damaged_file(
    party: list[Person], suffix: str, harm: object, at: float
) -> None:
    victim = party[1]
    name = victim.path.with_suffix(suffix)
    assert callable(harm)
    harm(name, at)
    damaged = name.read_bytes()
    await resume(party, entries=90)
    copy = name.with_name(name.name + DAMAGED_SUFFIX)
    is_kept = copy.exists() and copy.read_bytes() == damaged
    is_said = any("damaged" in text or "has lost" in text for text in victim.notices)
    if harm is not halve or suffix == ".secret":  # A file that just ends may do so after a crash.
        assert is_said and (is_kept or harm is halve)
    check_all(party)


def check_all(party: list[Person]) -> None:
    """Nobody is accused, and no number was signed twice, in whatever file."""
    assert not any(person.accused or person.failure for person in party)
    logs = [[raw for _, raw in read_game(person.path).entries] for person in party]
    shortest = min(map(len, logs))
    assert shortest >= 80 and logs[0][:shortest] == logs[1][:shortest]
    check_nothing_signed_twice(party)


async def test_without_the_seed_one_is_told_what_can_be_done(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=91)
    await play_a_while(party, 30)
    party[1].path.with_suffix(".secret").unlink()
    await party[1].do(Resume(party[1].path))
    assert "the key of your cards" in str(party[1].failure)
    assert isinstance(party[1].failure, HostlessError) and "watch" in party[1].failure.hint


async def test_the_same_game_is_not_played_by_two_programs_of_a_machine(tmp_path: Path) -> None:
    """Locks are between programs, so another one has to try."""
    party = people(tmp_path, 2, seed=92)
    async with sitting_down(party):
        await party[1].until(has_entries(10))
        script = (
            "import sys; from pathlib import Path; from p2p.log.secrets_file import SecretsFile; "
            "SecretsFile.reopen(Path(sys.argv[1])).lock()"
        )
        command = [sys.executable, "-c", script, str(party[1].path.with_suffix(".secret"))]
        done = await trio.run_process(command, check=False, capture_stderr=True)
        assert b"is played by another program on this machine" in done.stderr
        for person in party:
            person.stop()


def some_vault(folder: Path) -> SecretsFile:
    """A secrets file with some records."""
    secrets = SecretsFile.create(folder / "game.secret")
    for number in range(5):
        secrets.keep_entry(bytes([number]) * 40)
    secrets.close()
    return secrets


def test_a_record_that_was_left_out_is_noticed(tmp_path: Path) -> None:
    secrets = some_vault(tmp_path)
    content = secrets.path.read_bytes()
    one = len(frame(encode([["entry", bytes(40)], bytes(8)])))
    secrets.path.write_bytes(content[: -3 * one] + content[-2 * one :])
    with pytest.raises(GameFileError, match="not the one that was written"):
        SecretsFile.reopen(secrets.path)


def test_an_older_secrets_file_is_read_and_goes_on_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "old.secret"
    path.write_bytes(OLD_SECRET_MAGIC + frame(encode(["seed", bytes(32)])))
    secrets = SecretsFile.reopen(path)
    secrets.keep_entry(b"one")
    secrets.close()
    again = SecretsFile.reopen(path)
    assert again.entries == [b"one"] and again.seed == bytes(32)
    again.close()


def test_checks_follow_from_all_that_stands_before(tmp_path: Path) -> None:
    first = check_of(b"", ["seed", bytes(32)])
    assert check_of(first, ["mended"]) != check_of(b"", ["mended"])
    assert some_vault(tmp_path).path.read_bytes().startswith(SECRET_MAGIC)


def test_evidence_that_nobody_has_signed_accuses_nobody(tmp_path: Path) -> None:
    """A flipped bit in the number of a seat must not name an honest one."""
    roster = make_roster("carta", [Identity.generate() for _ in range(2)])
    game_file = GameFile.create(tmp_path / "game.hostless", roster)
    game_file.keep_evidence(1, "signed two entries", [b"no entry"])
    game_file.close()
    notes = list[str]()
    record = read_and_repair(tmp_path / "game.hostless", notes)
    assert not record.evidence and notes
    assert record.roster == roster
    assert (tmp_path / "game.hostless").read_bytes().startswith(MAGIC)


def test_a_torn_last_record_is_no_damage(tmp_path: Path) -> None:
    secrets = some_vault(tmp_path)
    secrets.path.write_bytes(secrets.path.read_bytes()[:-5])
    notes = list[str]()
    again = reopen_and_repair(secrets.path, None, b"", notes)  # type: ignore[arg-type]
    assert len(again.entries) == 4 and not notes
    again.close()
