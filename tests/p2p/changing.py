"""A room in which seats change hands, with somebody who looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from p2p.base.roster import BotTerms, Replacement
from p2p.log.game_file import GameFile, GameRecord
from p2p.log.membership.log import ChangeItem, signed_raw
from p2p.log.membership.messages import REASON_LEFT, Change
from p2p.log.membership_change import change_entry
from p2p.log.notes import InForceNote
from p2p.log.replica import Replica
from tests.p2p.acknowledging import acknowledging
from tests.p2p.records import record_of
from tests.p2p.room import Room, Terms

BOT = Replacement(BotTerms("last", "steady", 1))
ESCROW = Replacement(BotTerms("last", "steady", 1), is_escrowed=True)


class Proposed(NamedTuple):
    """A change on which nobody has gone on: its entry, and by whom it would be in force."""

    raw: bytes
    note: InForceNote


class OpenRoom(Room):
    """A table of beads that somebody can leave."""

    def __init__(
        self, players: int = 3, seed: int = 0, replacement: Replacement | None = ESCROW
    ) -> None:
        super().__init__(players, seed=seed, game="beads", terms=Terms(replacement=replacement))
        self.spectator = Replica(self.roster)
        self.replicas.append(self.spectator)
        self.settle()

    def record(self, more: Iterable[bytes] = ()) -> GameRecord:
        """The record of the game so far, with `more` entries behind it."""
        return record_of(self.spectator, more, self.notes)

    def kept(self, folder: Path) -> Path:
        """The game as a file."""
        path = folder / "game.hostless"
        game_file = GameFile.create(path, self.roster)
        notes = {each.height: each for each in self.notes}
        for count, entry in enumerate(self.spectator.log, 1):
            game_file.append(entry.raw)
            if count in notes:
                game_file.note_in_force(notes[count])
        game_file.close()
        return path


def proposed(room: Room, change: Change, proof: Sequence[bytes] = (), number: int = 0) -> Proposed:
    """What a file would have of a change at the end of the log, had all agreed on it."""
    first = room.replicas[0]
    decided = ChangeItem(first.head, change, number)
    log = first.tip.with_change(decided, first.log_game)
    acks = [acknowledging(log, seat, room.identities[seat]) for seat in sorted(log.members)]
    raw = change_entry(first.game_id, first.tip, decided).raw
    return Proposed(raw, InForceNote(log.height, tuple(acks), tuple(proof)))


def leaving(room: Room, gone: int, secret: int | None = None) -> Proposed:
    """The same of a seat that leaves, and may give its key."""
    said = room.farewell(gone, secret)
    return proposed(room, Change(gone, REASON_LEFT, said.key), [signed_raw(said)])


def record_with(room: Room, change: Proposed, more: Iterable[bytes] = ()) -> GameRecord:
    """The record of the game so far with such a change behind it, and then `more`."""
    return record_of(room.replicas[0], [change.raw, *more], [*room.notes, change.note])


def away(seed: int, until: Callable[[Replica], bool], players: int = 3) -> tuple[OpenRoom, Replica]:
    """Seat 2 was lost as all rolled; its machine has caught up where `until` holds."""
    room = OpenRoom(players, seed)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(until)
    room.catch_up(owner)
    return room, owner


def kind_is(*kinds: str) -> Callable[[Replica], bool]:
    """Whether a step of such a kind is open."""
    return lambda replica: replica.step is None or replica.step.kind in kinds


def secret_of(room: Room, seat: int) -> int:
    """The key of a seat, as only itself knows it."""
    dealing = next(each for each in room.replicas if each.me == seat).play.dealing
    assert dealing is not None, "keys are agreed on"
    return dealing.secrets[seat]
