"""The files of a game, mended where they were damaged, so that the game can go on from them.

A damaged file is cut at the last record that holds, and a copy of what was there is kept.  A game
file holds what others hold as well, so whatever is cut off is fetched from them.  The file of
secrets holds what nobody else has: the seed, which cannot be had again, and all that this seat
has signed.  Whoever has lost some of that first asks all others for it (`p2p.session.catching_up`),
and says nothing of other seats at the step at which it comes back: it may have said the opposite.

What a mended file holds is played again by `p2p.log.replay`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from p2p.base.disk import replace
from p2p.base.entry import check_signature, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import FRAME_BYTES_MAX
from p2p.base.roster import Roster, parse_roster
from p2p.base.wire import FRAME_HEADER_BYTES, decode, encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import MAGIC, GameRecord, read_game
from p2p.log.membership.evidence import parse_statement
from p2p.log.membership.log import EntryRef
from p2p.log.membership.messages import verifier_of
from p2p.log.notes import parse_acks, parse_in_force
from p2p.log.objection import parse_objection
from p2p.log.seating import Seating
from p2p.log.secrets_file import (
    GAME_SEED_BYTES,
    OLD_SECRET_MAGIC,
    SECRET_MAGIC,
    SECRET_SUFFIX,
    SecretsFile,
    check_of,
)

DAMAGED_SUFFIX: Final = ".damaged"
_DAMAGED: Final = object()  # In place of a record that cannot be read.


def read_and_repair(path: Path, notes: list[str]) -> GameRecord:
    """The records of a game file, mended if it has to be; then `notes` say so.

    Raises:
        GameFileError: it cannot be read, or nothing says which game it was.
    """
    roster = _kept_roster(path.with_suffix(SECRET_SUFFIX))
    try:
        record = read_game(path)
    except GameFileError:
        if roster is None and not _begins_with_roster(path):
            raise
    else:
        is_sound = _unsound_evidence(record) is None and not _is_cut_short(path, record.torn_at)
        if is_sound and roster in (None, record.roster):
            return record
    sound = _sound_part(path.read_bytes(), roster)
    keep_damaged(path)
    _write(path, sound, 0o644)
    record = read_game(path)
    if (offset := _unsound_evidence(record)) is not None:
        cut(path, offset)
        record = read_game(path)
    notes.append(repair_notice(path))
    return record


def repair_notice(path: Path) -> str:
    """What the person is told about a damaged game file."""
    return (
        f"{path.name} was damaged and ends earlier now; the rest comes from the others, "
        f"and what was there is kept as {damaged_name(path).name}"
    )


def keep_damaged(path: Path) -> None:
    """Keep a copy of a file beside it, readable by nobody who could not read the file."""
    copy = damaged_name(path)
    copy.unlink(missing_ok=True)
    shutil.copy2(path, copy)


def damaged_name(path: Path) -> Path:
    """Where the copy of a damaged file is kept."""
    return path.with_name(path.name + DAMAGED_SUFFIX)


def cut(path: Path, offset: int) -> None:
    """Let a file end at an offset."""
    os.truncate(path, offset)


def _write(path: Path, content: bytes, mode: int) -> None:
    fresh = path.with_name(path.name + ".mended")
    fresh.unlink(missing_ok=True)
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(file, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    replace(fresh, path)


def seed_beside(path: Path) -> bytes | None:
    """The seed that lies beside a game file of mine; None where there is none.  Writes nothing."""
    try:
        content = path.with_suffix(SECRET_SUFFIX).read_bytes()
    except OSError:
        return None  # It is about looking back: without it one sees what everybody saw.
    for _, _, value in _records(content, len(SECRET_MAGIC)):
        match value:
            case ["seed", bytes(seed)] | [["seed", bytes(seed)], bytes()]:
                return seed
    return None


# ---- the game file ----


def _records(content: bytes, offset: int) -> Iterator[tuple[int, int, object]]:
    """(begin, end, value) of every record as far as their lengths hold, damaged ones too."""
    while offset + FRAME_HEADER_BYTES <= len(content):
        body = offset + FRAME_HEADER_BYTES
        size = int.from_bytes(content[offset:body])
        if size > FRAME_BYTES_MAX or body + size > len(content):
            return
        try:
            value = decode(content[body : body + size])
        except MalformedFrame:
            value = _DAMAGED
        yield offset, body + size, value
        offset = body + size


def _has_more(rest: bytes) -> bool:
    """Whether other records stand behind one whose length does not hold: then it is no torn end."""
    for offset in range(1, len(rest)):
        match next(_records(rest, offset), None):
            case (_, _, [str(), *_] | [[str(), *_], bytes()]):
                return True
    return False


def _roster_in(value: object) -> Roster | None:
    match value:
        case ["roster", plain]:
            try:
                return parse_roster(plain)
            except MalformedFrame:
                return None
    return None


def _begins_with_roster(path: Path) -> bool:
    if not path.is_file():
        return False
    first = next(_records(path.read_bytes(), len(MAGIC)), None)
    return first is not None and _roster_in(first[2]) is not None


def _sound_part(content: bytes, roster: Roster | None) -> bytes:
    """What of a game file holds record by record, under the roster of this game."""
    records = _records(content, len(MAGIC))
    first = next(records, None)
    if roster is None and first is not None:
        roster = _roster_in(first[2])
    assert roster is not None, "somebody knows which game it was"
    sound, count = MAGIC + frame(encode(["roster", roster.plain()])), 0
    for begin, end, value in records:
        match value:
            case ["entry", bytes()]:
                count += 1
            case ["evidence", int(), str(), list()]:
                pass
            case ["acks", *_] if _can_be_read(parse_acks, value, (count, len(roster.seats)), 0):
                pass
            case ["in force", *_] if _can_be_read(parse_in_force, value, count):
                pass
            case ["objection", *_] if _can_be_read(parse_objection, value, count):
                pass
            case _:
                break
        sound += content[begin:end]
    return sound


def _is_cut_short(path: Path, torn_at: int | None) -> bool:
    """Whether a damaged length hides the records behind it."""
    return torn_at is not None and _has_more(path.read_bytes()[torn_at:])


def _can_be_read(parse: Callable[..., object], value: object, *place: object) -> bool:
    """Whether a record of a file can be read by what reads its kind, where it stands."""
    try:
        parse(value, *place)
    except MalformedFrame:
        return False
    return True


def _unsound_evidence(record: GameRecord) -> int | None:
    """Where the first evidence stands that nobody signed so; it would accuse somebody."""
    roster = record.roster
    verify = verifier_of([seat.identity for seat in roster.seats], roster.game_id)
    for note in record.evidence:
        seats = set[int]()
        try:
            for said in map(parse_statement, note.raws):
                if isinstance(said, EntryRef):
                    _check_entry(record.roster, said.raw)
                else:
                    verify(said)
                seats.add(said.seat)
        except (MalformedFrame, BadSignature):
            return note.offset
        if seats and note.seat not in seats:
            return note.offset
    return None


def _check_entry(roster: Roster, raw: bytes) -> None:
    entry = parse_entry(raw)
    if entry.game != roster.game_id or entry.seat >= len(roster.seats):
        raise MalformedFrame("the entry belongs to another game")
    check_signature(entry, Seating(roster).signer(entry.seat, entry.seat_epoch))


# ---- the secrets file ----


def _kept_roster(path: Path) -> Roster | None:
    """The roster as the secrets file of a game has kept it."""
    if not path.exists():
        return None
    values = (value for _, value, is_sound in _secrets(path.read_bytes()) if is_sound)
    rosters = (_roster_in(value) for value in values)
    return next((roster for roster in rosters if roster is not None), None)


def _secrets(content: bytes) -> Iterator[tuple[int, object, bool]]:
    """(end, record, whether it holds) of a secrets file."""
    check, is_checked = b"", not content.startswith(OLD_SECRET_MAGIC)
    for _, end, value in _records(content, len(SECRET_MAGIC)):
        match value:
            case [record, bytes(kept)] if is_checked:
                yield end, record, check_of(check, record) == kept
                check = kept
            case _:
                yield end, value, not is_checked and value is not _DAMAGED


def reopen_and_repair(path: Path, roster: Roster, me: bytes, notes: list[str]) -> SecretsFile:
    """The secrets file of a game, mended if it has to be; then `notes` say so.

    If its seed is lost, so is the key of this seat.  Where the others can go on without it, a new
    one is begun, for the key that the seat will have when it is given back.

    Raises:
        GameFileError: the seed is lost, and nobody can go on without it.
    """
    content = path.read_bytes() if path.exists() else b""
    records = list(_secrets(content))
    seeds = [value for _, value, is_sound in records if is_sound and _is_seed(value)]
    if not seeds:
        if roster.replacement is None or roster.seat_of(me) is None:
            raise lost_for_good(path)
        return _begin_anew(path, roster)
    end = records[-1][0]
    is_whole = content[: len(SECRET_MAGIC)] in (SECRET_MAGIC, OLD_SECRET_MAGIC)
    is_torn = len(content) - end > 0
    if is_whole and all(is_sound for *_, is_sound in records) and not is_torn:
        return SecretsFile.reopen(path)
    if is_whole and all(is_sound for *_, is_sound in records) and not _has_more(content[end:]):
        return SecretsFile.reopen(path)  # A torn last record is normal, and was never used.
    keep_damaged(path)
    check, fresh = b"", SECRET_MAGIC
    for value in [*(value for _, value, is_sound in records if is_sound), ["mended"]]:
        check = check_of(check, value)
        fresh += frame(encode([value, check]))
    _write(path, fresh, 0o600)
    notes.append(
        f"{path.name} was damaged; what this seat has signed comes from the others first, "
        f"and what was there is kept as {damaged_name(path).name}"
    )
    return SecretsFile.reopen(path)


def _is_seed(value: object) -> bool:
    match value:
        case ["seed", bytes(seed)]:
            return len(seed) == GAME_SEED_BYTES
    return False


def lost_for_good(path: Path) -> GameFileError:
    """Why a game is not resumed whose secrets file is lost, when nobody goes on without it."""
    return GameFileError(
        f"{path.name} is lost, and with it the key of your cards",
        "nobody else has it: watch the game, or play another; the file stays as it is",
    )


def _begin_anew(path: Path, roster: Roster) -> SecretsFile:
    if path.exists():
        keep_damaged(path)
        path.unlink()
    secrets = SecretsFile.create(path)
    secrets.keep_roster(roster)
    secrets.note_lost_records()
    return secrets


def lacks_own(record: GameRecord, secrets: SecretsFile, me: int) -> bool:
    """Whether the game file holds entries of this seat that its secrets file has lost."""
    kept = set(secrets.entries)
    seating = Seating(record.roster)
    for _, raw in record.entries:
        entry = parse_entry(raw)
        if entry.seat == me and seating.is_owned(me, entry.seat_epoch) and raw not in kept:
            return True
    return False
