"""A game on this machine: its state and its two files, made for a new one, read for an old one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.entry import parse_entry
from p2p.base.errors import BadSignature, MalformedFrame, PeerError
from p2p.base.identity import Identity
from p2p.base.roster import Roster
from p2p.log.files import GameFileError
from p2p.log.game_file import SUFFIX, GameFile, GameRecord, read_game
from p2p.log.recovery import (
    keep_damaged,
    lacks_own,
    lost_for_good,
    read_and_repair,
    reopen_and_repair,
    repair_notice,
)
from p2p.log.replay import read_record, take_in_own
from p2p.log.replica import Replica
from p2p.log.secrets_file import SECRET_SUFFIX, SecretsFile
from p2p.net.interfaces import LOOPBACK
from p2p.net.link import Address
from p2p.session.accusing import restore_guilty
from p2p.table.kept_games import file_of, file_stem

GAMES_FOLDER: Final = "games"
BOTS: Final = "bots"
LAN: Final = "0.0.0.0"


@dataclass(slots=True)
class OpenedGame:
    """A game on this machine: its state and its two files."""

    replica: Replica
    game_file: GameFile
    secrets: SecretsFile
    notes: list[str] = field(default_factory=list)  # What the person has to know of the files.
    is_taken_over: bool = False  # From a program of mine on another machine, if one is there.

    def discard(self) -> None:
        """Take away a game of which nobody has played anything."""
        assert not self.replica.height, "what was played is kept"
        for file in (self.game_file, self.secrets):
            file.close()
            file.path.unlink()


def new_game(
    home: Path,
    identity: Identity,
    roster: Roster,
    addresses: Sequence[Address],
    *,
    is_local: bool = False,
) -> OpenedGame:
    """A game that begins; the seats are to be found at `addresses`.

    `is_local`: only this machine was to see its table.  Nobody reads my own address but me.
    """
    name = file_stem(roster, identity.public, time.time())
    folder = home / GAMES_FOLDER
    secrets = SecretsFile.create(folder / (name + SECRET_SUFFIX))
    secrets.lock()
    secrets.keep_roster(roster)
    replica = Replica(roster, identity, secrets)
    assert replica.me is not None, "whoever plays has a seat"
    kept = list(addresses)
    kept[replica.me] = (LOOPBACK if is_local else "", kept[replica.me][1])
    secrets.keep_addresses(kept)
    return OpenedGame(replica, GameFile.create(folder / (name + SUFFIX), roster), secrets)


async def reopen_game(path: Path, identity: Identity, is_taking_over: bool = False) -> OpenedGame:
    """The game of a file, as far as this machine knows it; mended if the file was damaged.

    Raises:
        HostlessError: it is a game of somebody else, its files do not hold, or the seat was taken
            over by a program on another machine.
    """
    notes = list[str]()
    record = await trio.to_thread.run_sync(read_and_repair, path, notes)
    if record.roster.seat_of(identity.public) is None:
        raise HostlessError(f"{path.name} is a game of somebody else; watch it with replay")
    secrets = reopen_and_repair(
        path.with_suffix(SECRET_SUFFIX), record.roster, identity.public, notes
    )
    secrets.lock()
    if secrets.fence is not None and not is_taking_over:
        secrets.close()
        raise HostlessError(
            "this seat was taken over on another machine",
            "go on there, or take it back with resume --take-over",
        )
    game = OpenedGame(
        Replica(record.roster, identity, secrets), GameFile.reopen(path, record), secrets
    )
    game.is_taken_over, game.notes = is_taking_over, notes
    if secrets.fence is not None:
        _forget_unheard(record, game)
    await trio.to_thread.run_sync(_replay_files, path, record, game)
    if not secrets.is_old:
        _ask_back(game)
    return game


def _ask_back(game: OpenedGame) -> None:
    """The secrets file is a new one: say what becomes of the seat.

    Raises:
        GameFileError: there was no key yet, and nobody knows what this seat has said of one; or
            nobody is left who could let a bot play for it.
    """
    replica, path = game.replica, game.secrets.path
    assert replica.roster.replacement is not None, "nobody asks back a seat that none can replace"
    if replica.play.dealing is None:
        game.secrets.close()
        path.unlink()
        raise GameFileError(
            f"{path.name} is lost, and the game had not begun", "open the table again"
        )
    lacks_key = replica.is_seated and not replica.play.has_key
    if lacks_key and not replica.others:
        game.secrets.close()
        path.unlink()
        raise lost_for_good(path)
    game.secrets.is_old = True
    text = f"{path.name} is lost, and with it the key of your cards"
    game.notes.append(
        f"{text}: a bot plays for your seat first, and then it is yours again with a new key"
        if lacks_key else f"{text}: your seat gets a new one"
    )  # fmt: skip


def _forget_unheard(record: GameRecord, game: OpenedGame) -> None:
    """Forget what nobody else has answered: the program that took over may have said otherwise."""
    entries, seating = [parse_entry(raw) for _, raw in record.entries], game.replica.seating
    others = [entry for entry in entries if entry.seat != game.replica.me]
    heard = [each.height for each in others if seating.is_owned(each.seat, each.seat_epoch)]
    count = max(heard, default=0)
    if count < len(entries):
        game.game_file.cut(count)
        del record.entries[count:]


def _replay_files(path: Path, record: GameRecord, game: OpenedGame) -> None:
    """Bring a replica to where its file and its secrets file say that we were."""
    try:
        record = _replay_or_cut(path, record, game)
        replica, secrets = game.replica, game.secrets
        if game.game_file.count > replica.height and not record.evidence:
            game.game_file.cut(replica.height)  # Of a step only a part: it may become void.
        assert replica.me is not None, "whoever resumes has a seat"
        is_known = secrets.has_lost_records or secrets.rank or secrets.fence is not None
        if not is_known and lacks_own(record, secrets, replica.me):
            secrets.note_lost_records()
            text = f"{secrets.path.name} has lost what this seat has signed"
            game.notes.append(f"{text}; that comes from the others first")
        take_in_own(replica, secrets)
        restore_guilty(record.evidence, replica)
    except PeerError as error:
        raise HostlessError(f"the game cannot be resumed: {error}") from error


def _replay_or_cut(path: Path, record: GameRecord, game: OpenedGame) -> GameRecord:
    """Take in a record; where it has something that nobody signed so, cut the file and read on.

    Each cut drops a record, so it comes to an end.  What could be taken in is returned.
    """
    while True:
        try:
            read_record(record, game.replica)
            return record
        except (MalformedFrame, BadSignature) as error:
            damaged_at = error.offset
        assert damaged_at is not None, "a record that does not hold begins somewhere"
        keep_damaged(path)
        game.notes.append(repair_notice(path))
        game.game_file.cut_at(damaged_at)
        record = read_game(path)
        game.replica = Replica(record.roster, game.replica.identity, game.secrets)


def where_to_listen(game: OpenedGame) -> Address:
    """Where the other seats look for me first; port 0 if nobody knows.

    It is on this machine alone if the table was opened so.  Two programs of one machine may have
    met at a table for all, and one of them is on another machine today.
    """
    secrets, me = game.secrets, game.replica.me
    assert me is not None, "whoever resumes has a seat"
    if len(secrets.addresses) != len(game.replica.seats):
        return LAN, 0
    hosts = [host for host, _ in secrets.addresses]
    is_local = hosts[me] == LOOPBACK and {*hosts} <= {"", LOOPBACK}
    return (LOOPBACK if is_local else LAN), secrets.addresses[me][1]


def keep_port(game: OpenedGame, port: int) -> None:
    """Keep where I listen now, for the next time."""
    secrets, me = game.secrets, game.replica.me
    if me is not None and len(secrets.addresses) == len(game.replica.seats):
        kept = list(secrets.addresses)
        kept[me] = (kept[me][0], port)
        if kept != secrets.addresses:
            secrets.keep_addresses(kept)


def companion_home(home: Path, number: int) -> Path:
    """Where a bot of mine keeps its key and its games."""
    return home / BOTS / str(number)


def companions_of(home: Path, game_id: bytes) -> dict[int, Path]:
    """The files of the bots that sat at this table for me, by their numbers."""
    homes = [each for each in (home / BOTS).glob("*") if each.name.isdecimal()]
    files = {int(each.name): file_of(each / GAMES_FOLDER, game_id) for each in sorted(homes)}
    return {number: file for number, file in files.items() if file is not None}
