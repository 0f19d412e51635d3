"""The last look at a simulated game: who finished, who was accused, and what the files say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from core.errors import HostlessError
from p2p.audit.audit import audit_file
from p2p.audit.several import compare, ends_of
from p2p.base.entry import Entry, parse_entry
from p2p.base.entry import heads_of as steps_to
from p2p.base.errors import PeerError
from p2p.log.files import GameFileError
from p2p.log.game_file import read_game
from p2p.log.secrets_file import SECRET_SUFFIX
from p2p.log.shared import log_in
from tests.simulation.checks import Had
from tests.simulation.machine import Machine
from tests.simulation.world import World

TOLD_S: Final = 5  # Whoever hears the others for so long has been told what it lacks.


def judge_honest(world: World) -> list[str]:
    """Everybody was honest: one log, whole at the end, nothing lost, and nobody accused."""
    return [*_complaints(world), *broken_files(world)]


def _complaints(world: World) -> Iterator[str]:
    have_left = all(each.owner.has_left_for_good for each in world.honest)
    if world.stuck:
        yield f"the table is stuck: {world.stuck}"
    for machine in world.honest:
        if machine.accused or isinstance(machine.failure, PeerError):
            yield f"{machine.name} accuses {machine.accused}: {machine.failure}"
        elif isinstance(machine.failure, HostlessError) and not (
            have_left or is_keyless(machine)
        ):
            yield f"{machine.name} gave up: {machine.failure}"
    has_end = any(machine.has_finished for machine in world.honest)
    if not (world.is_claimed or have_left or has_end):
        yield "nobody has seen the end of the game"


def is_keyless(machine: Machine) -> bool:
    """Whether its secrets file was lost where nobody can go on without its key."""
    failure, path = machine.failure, machine.path
    is_lost = path is not None and not path.with_suffix(SECRET_SUFFIX).exists()
    return isinstance(failure, GameFileError) and is_lost


def broken_files(world: World) -> Iterator[str]:
    """What is wrong with the files of honest machines: they hold one log, which is honest."""
    for machine in {tuple(log_of(machine)): machine for machine in world.honest}.values():
        yield from _audited(machine)
    yield from _told_together(world.honest)
    logs = {machine: log_of(machine) for machine in world.honest}
    longest = max(logs.values(), key=len)
    kept = [parse_entry(raw) for raw in longest]
    agreed = set(world.checks.in_force.values())
    for machine, log in logs.items():
        had = Had(machine.number, True, [parse_entry(raw) for raw in log])
        is_excused = had.is_left_by(kept, agreed) and not _is_told(world, machine, kept)
        if log != longest[: len(log)] and not is_excused:
            yield f"the file of {machine.name} holds another log"
    for height, kept_head in heads_of(world, kept):
        for (head, seat), had in world.checks.had.get(height, {}).items():
            is_gone = had.is_left_by(kept, agreed) or world.checks.was_forgotten(head, seat)
            if head != kept_head and not is_gone:
                yield f"somebody had another log of {height} entries than the one that was kept"
    if any(is_lost(world, height, kept, agreed) for height in world.checks.had):
        yield "entries at the end of the log were had by somebody, and are lost"


def is_lost(world: World, height: int, kept: list[Entry], agreed: set[bytes]) -> bool:
    """Whether somebody had so many entries, more than were kept, and nothing undid the rest."""
    return height > len(kept) and not all(
        had.is_left_by(kept, agreed) or world.checks.was_forgotten(head, seat)
        for (head, seat), had in world.checks.had[height].items()
    )


def _is_told(world: World, machine: Machine, kept: list[Entry]) -> bool:
    """Whether a machine heard others for long enough that have another log than it, since then."""
    same = _common(log_of(machine), kept)
    knowing = {each.number for each in world.machines if _common(log_of(each), kept) > same}
    return world.network.heard_s(machine.number, _parted_at(world, same, kept), knowing) >= TOLD_S


def _common(log: list[bytes], kept: list[Entry]) -> int:
    """How many entries at its beginning are those of the log that was kept."""
    pairs = zip(log, kept, strict=False)
    return sum(1 for _ in takewhile(lambda two: two[0] == two[1].raw, pairs))


def _parted_at(world: World, same: int, kept: list[Entry]) -> float:
    """When somebody first had more of the log that was kept than so many entries."""
    later = (head for height, head in heads_of(world, kept) if height > same)
    since = (world.checks.since[head] for head in later if head in world.checks.since)
    return min(since, default=0.0)


def log_of(machine: Machine) -> list[bytes]:
    """The entries in the file of a machine."""
    assert machine.path is not None, "a game that has begun is in a file"
    return log_in(machine.path)[1:]


def heads_of(world: World, log: list[Entry]) -> Iterator[tuple[int, bytes]]:
    """The heads of a log, wherever a step of it ends."""
    replica = world.honest[0].replica
    assert replica is not None, "the game has begun"
    yield from steps_to(log, 0, replica.game_id)


def _told_together(honest: Sequence[Machine]) -> Iterator[str]:
    """What is wrong with what these files say of each other: they accuse nobody honest."""
    paths = [machine.path for machine in honest if machine.path is not None]
    found, roster = compare(paths), read_game(paths[0]).roster
    seats = {roster.seat_of(machine.identity.public) for machine in honest}
    named = set[int | None](each.seat for each in found.contradictions)
    named.update(seat for parting in found.partings for seat in parting.both)
    if named & seats:
        yield f"the files of all together accuse {named & seats}, who are honest"
    for machine, path in zip(honest, paths, strict=True):
        record = read_game(path)
        ends = dict(ends_of(kept_by(machine), roster.game_id))
        for each in record.acks:
            if each.forged(record.roster, ends[each.height]) is not None:
                yield f"the file of {machine.name} has an acknowledgement that nobody signed"
        # A change in force has acknowledgements of its own.
        if machine.has_finished and not (record.acks or record.changes):
            yield f"the file of {machine.name} does not show that anybody has acknowledged it"


def kept_by(machine: Machine) -> list[Entry]:
    """The log in the file of a machine."""
    return [parse_entry(raw) for raw in log_of(machine)]


def _audited(machine: Machine) -> Iterator[str]:
    assert machine.path is not None, "a game that has begun is in a file"
    report = audit_file(machine.path)
    if not report.holds:
        blamed = [verdict for verdict in report.verdicts if not verdict.is_honest]
        yield f"the audit of the file of {machine.name} fails: {report.damage} {blamed}"
    if machine.has_finished and machine.has_ended and not report.is_finished:
        yield f"{machine.name} saw the end of the game, and its file has none"
