"""What has to hold after every step of every honest machine, and at the end."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import trio

from core.table import HIDDEN, Table
from p2p.base.entry import Entry, next_head, parse_entry
from p2p.base.errors import MalformedFrame
from p2p.base.wire import FrameReader, decode
from p2p.crypto.group import scalar_to_bytes
from p2p.log.membership.log import Log
from p2p.log.membership.messages import Ack
from p2p.log.membership_change import is_change, parse_change_entry
from p2p.log.replica import Replica
from p2p.log.seating import EPOCHS_EACH
from p2p.session.session import Session
from tests.simulation.secrecy import Secrecy
from tests.simulation.signed_once import SignedOnce

if TYPE_CHECKING:
    from tests.simulation.machine import Machine, Run
    from tests.simulation.network import Pipe
    from tests.simulation.world import World

SECRET_BYTES: Final = 32


class Had(NamedTuple):
    """A log that a machine had, once."""

    seat: int
    is_seated: bool  # Or everybody spoke for its seat.
    log: list[Entry]  # Only grows.

    def is_left_by(self, log: list[Entry], in_force: Container[bytes]) -> bool:
        """Whether another log goes on otherwise, or ends before: with changes of members without
        this seat, or because a change in one of them was refused before all had it.
        """
        pairs = zip(self.log, log, strict=False)
        at = sum(1 for _ in takewhile(lambda two: two[0].hash == two[1].hash, pairs))
        if at == len(self.log):
            return False
        changes = [each for each in (*self.log[at : at + 1], *log[at : at + 1]) if is_change(each)]
        if any(next_head(entry.parent, [entry]) not in in_force for entry in changes):
            return True
        chain = list(takewhile(is_change, log[at:]))  # In force together.
        return bool(chain) and (not self.is_seated or any(map(self._goes_by, chain)))

    def _goes_by(self, entry: Entry) -> bool:
        change = parse_change_entry(entry).change
        return self.seat in {change.seat, *change.leavers}


class Checks:
    """Sees every entry, head and byte of the honest machines, and says which promise broke."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.height = 0  # The longest log so far.
        self.had: dict[int, dict[tuple[bytes, int], Had]] = {}  # By height, head and seat.
        self.in_force: dict[int, bytes] = {}  # By height: the head that all have acknowledged.
        self.since: dict[bytes, float] = {}  # By head: when somebody had this log first.
        self.digests: dict[bytes, bytes] = {}  # By head.
        self.may_fork = False  # A cheater may, until it is found out.
        self.signed = SignedOnce(lambda run, raw: world.disk.is_on_disk(run.home, raw))
        self._answered: dict[int, bytes] = {}  # By height: the head that honest seats answer.
        self._acknowledged: set[tuple[Run, bytes]] = set()  # Heads, and who had them on disk.
        self._runs: dict[tuple[bytes, int], set[Run]] = {}  # That had a head, by that and the seat.
        self._written: dict[int, int] = {}  # By seat: the height that its newest entry answers.
        self._met: set[bytes] = set()
        self._readers: dict[Pipe, FrameReader] = {}
        self._overheard: dict[Pipe, FrameReader] = {}
        self._arrived: dict[Pipe, FrameReader] = {}
        self._secrets: dict[int, dict[bytes, str]] = {}
        self.secrecy = Secrecy()
        self._faces: list[int] = []
        self._shown: dict[int, set[int]] = {}  # By machine: cards that it saw in an open hand.

    # ---- after every step ----

    def watch(self, machine: Machine, session: Session) -> None:
        """Look at a machine after each of its steps."""
        replica, membership = session.replica, session.membership
        go_on = partial(self._go_on, machine, replica)
        replica.close = partial(go_on, replica.close)  # type: ignore[method-assign]
        replica.change = partial(go_on, replica.change)  # type: ignore[method-assign]
        note_acks = partial(self._note_acks, machine, membership._note_acks)
        membership._note_acks = note_acks  # type: ignore[method-assign]
        self._note_secrets(machine, session)

    def _go_on(
        self, machine: Machine, replica: Replica, go_on: Callable[[Any], None], what: Any
    ) -> None:
        """The log of a machine grows by a step, or by a change of members."""
        go_on(what)
        if machine.run is not None and not machine.run.is_dead:
            self._look(machine, replica)

    def _note_acks(
        self,
        machine: Machine,
        note_acks: Callable[[Log, tuple[Ack, ...]], None],
        log: Log,
        acks: tuple[Ack, ...],
    ) -> None:
        """A machine has found that all have acknowledged its log.

        Alone it needs nobody for that, and a crash may take back what nobody has heard.
        """
        replica = machine.replica
        assert replica is not None, "a machine is watched as it plays"
        below = replica.committed
        note_acks(log, acks)
        if len(log.members) == 1 and not self._is_said(replica):
            return
        for each in log.down():
            if each.height <= below:
                break
            if self.in_force.setdefault(each.height, each.head) != each.head:
                self._fail(f"at {machine.name} another log of {each.height} entries is in force")

    def _look(self, machine: Machine, replica: Replica) -> None:
        height, name = replica.height, machine.name
        if self._world.cheaters and not self._world.is_real and replica.play.dealing is not None:
            self.secrecy.look_at_what_is_asked(replica)  # Before its answer goes out.
        if not self._is_said(replica):
            return  # What nobody has heard may be forgotten, and said in another way.
        if not self._keep_log(machine.number, replica) and not self.may_fork:
            self._fail(f"{name} has another log of {height} entries than others")
        digest = replica.position.digest
        if self.digests.setdefault(replica.head, digest) != digest and not self.may_fork:
            self._fail(f"{name} has another state after {height} entries than others")
        if replica.play.dealing is not None:
            self._check_cards(machine, replica)
        if height > self.height:
            self.height = height
            self._world.stir()

    def _keep_log(self, seat: int, replica: Replica) -> bool:
        """Whether the log is that of all others, but of those that it left or that left it."""
        mine = Had(seat, replica.is_seated, replica.log)
        self.since.setdefault(replica.head, trio.current_time())
        if (run := self._world.machines[seat].run) is not None:
            self._runs.setdefault((replica.head, seat), set()).add(run)
        known = self.had.setdefault(replica.height, {})
        known.setdefault((replica.head, seat), mine)
        agreed = set(self.in_force.values())
        return all(
            head == replica.head
            or whose == seat  # It has gone back, and is compared with all others.
            or mine.is_left_by(other.log, agreed)
            or other.is_left_by(mine.log, agreed)
            or any(map(self.signed.is_gone, other.log))
            for (head, whose), other in known.items()
        )

    def was_forgotten(self, head: bytes, seat: int) -> bool:
        """Whether a machine lost its power whenever it had a log, and had acknowledged it never."""
        runs = self._runs.get((head, seat), set())
        return all(run.is_dead and (run, head) not in self._acknowledged for run in runs)

    def _is_said(self, replica: Replica) -> bool:
        """Whether the last entry of this seat has been sent to somebody."""
        mine = (entry for entry in reversed(replica.log) if entry.seat == replica.me)
        last = next(mine, None)
        return last is None or last.raw in self._met

    def _check_cards(self, machine: Machine, replica: Replica) -> None:
        name, table = machine.name, replica.play.table
        self._faces = self._faces or faces_of(table)
        if sorted(card for zone in table.zones for card in zone) != list(range(len(table.face))):
            self._fail(f"at {name} a card lies nowhere, or twice, at {replica.height}")
        if faces_of(table) != self._faces:
            self._fail(f"at {name} the box holds other faces than before, at {replica.height}")
        if self._world.cheaters and not self._world.is_real:
            self.secrecy.look(replica, self._world.secrets())
        self._note_shown(machine, replica)
        shown = set[int]().union(*self._shown.values())
        for card in {*blind_spots(replica)} - shown:
            self._fail(f"{name} knows the face of card {card}, which it has not seen")

    def _note_shown(self, machine: Machine, replica: Replica) -> None:
        """What lay in an open hand is known, also when the seat goes back, until it is shuffled."""
        dealing, shown = replica.play.dealing, self._shown.setdefault(machine.number, set())
        assert dealing is not None, "cards are looked at once there are keys"
        for card, eye in enumerate(dealing.observation):
            if eye == HIDDEN:
                shown.discard(card)
            elif dealing.holder[card] in replica.open_seats:
                shown.add(card)

    # ---- on the wire ----

    def receive(self, pipe: Pipe, content: bytes) -> None:
        """Look at what a machine sends."""
        sender = pipe.source.number
        if self._world.cheaters and not self._world.is_real:
            self._overhear(pipe, content)
        for seat, secrets in self._secrets.items():
            for secret, what in secrets.items():
                if secret in content and not self._may_say(seat, what):
                    self._fail(f"machine {sender} sends the {what} of machine {seat}")
        if sender not in self._world.cheaters:
            for entry in self._entries(pipe, content):
                self._check_once(entry)
                self._check_barrier(entry)

    def read(self, pipe: Pipe, content: bytes) -> None:
        """Look at what a machine reads, where that decides who could show it."""
        if not self._world.plan.is_damaged or pipe.target.is_dead:
            return
        reader = self._arrived.setdefault(pipe, FrameReader())
        reader.feed(content)
        with suppress(MalformedFrame):  # Of a cheater.
            for payload in reader:
                for raw in entries_in(decode(payload)):
                    self._check_once(parse_entry(raw), pipe.target)

    def _overhear(self, pipe: Pipe, content: bytes) -> None:
        """A cheater is at the other end of some link, and hears all in the end."""
        reader = self._overheard.setdefault(pipe, FrameReader())
        reader.feed(content)
        try:
            for payload in reader:
                self.secrecy.hear(decode(payload))
        except MalformedFrame:  # Only cheaters send that, and end their links by it.
            if pipe.source.number not in self._world.cheaters:
                raise

    def _entries(self, pipe: Pipe, content: bytes) -> Iterator[Entry]:
        reader = self._readers.setdefault(pipe, FrameReader())
        reader.feed(content)
        for payload in reader:
            match decode(payload):
                case ["entry", bytes(raw)] if raw not in self._met:
                    self._met.add(raw)
                    try:
                        yield parse_entry(raw)
                    except MalformedFrame:
                        self._fail(f"machine {pipe.source.number} passes on what is no entry")
                case ["ack", _, int(seat), int(height), _, bytes(head), *_] if (
                    seat == pipe.source.number
                ):
                    self._check_disk(pipe.source, height, head, payload)

    def _check_disk(self, run: Run, height: int, head: bytes, ack: bytes) -> None:
        """Whatever an honest seat acknowledges is on its disk, also after a crash.

        What it has acknowledged may be cut, by a vote, while it waits in a link to be sent again;
        what was cut is said again, so that others know, and then `ack` itself is on the disk.
        """
        seat, disk = run.number, self._world.disk
        if seat not in self._world.cheaters and (run, head) not in self._acknowledged:
            kept = disk.entries_on_disk(run.home)
            if kept < height and not disk.is_on_disk(run.home, ack):
                self._fail(f"seat {seat} acknowledges {height} entries, {kept} are on its disk")
            self._acknowledged.add((run, head))

    def _check_once(self, entry: Entry, reader: Run | None = None) -> None:
        """An honest seat answers each log once, and all say the same for an open seat.

        A change is signed by nobody, and another one may follow where it was refused.
        """
        if entry.seat in self._world.cheaters or is_change(entry):
            return
        said, read = self.signed.is_kept_by, self.signed.is_kept_as_read
        if not (said(entry) if reader is None else read(entry, reader)):
            self._fail(f"seat {entry.seat} answers the same {entry.height} entries twice")

    def _check_barrier(self, entry: Entry) -> None:
        """Nobody honest writes above a fork: all who answer a log of one length answer one log.

        Whoever writes on above nothing but its own entries waits for nobody, and loses them if it
        was given up meanwhile.
        """
        goes_on = self._written.get(entry.seat) == entry.height - 1
        self._written[entry.seat] = entry.height
        is_open = entry.seat >= len(self._world.machines)  # From the beginning.
        is_anybodys = is_open or entry.seat_epoch % EPOCHS_EACH > 0
        if entry.seat in self._world.cheaters or is_anybodys or goes_on:
            return
        if self._answered.setdefault(entry.height, entry.parent) != entry.parent:
            self._fail(f"seat {entry.seat} answers another log of {entry.height} than others")

    # ---- secrets ----

    def _note_secrets(self, machine: Machine, session: Session) -> None:
        kept = self._secrets.setdefault(machine.number, {})
        kept[machine.identity.key.private_bytes_raw()] = "identity"
        assert session.table.secrets is not None, "whoever plays has a secrets file"
        kept[session.table.secrets.seed] = "seed"
        secret, public = session.replica.play._key(machine.number)
        if public.encoded != scalar_to_bytes(secret):  # The stand-in group hides nothing.
            kept[scalar_to_bytes(secret)] = "key"

    def _may_say(self, seat: int, what: str) -> bool:
        """Keys are opened after the result, by those who agreed to it."""
        replica = self._world.machines[seat].replica
        if what != "key" or replica is None or not replica.play.is_signed:
            return False
        return replica.roster.opens_hands or replica.roster.seats[seat].is_bot

    def _fail(self, sentence: str) -> None:
        self._world.fail(sentence)


def entries_in(message: object) -> list[bytes]:
    """The entries that a message brings."""
    match message:
        case ["entry", bytes(raw)]:
            return [raw]
        case ["log", _, _, list(raws)]:
            return [raw for raw in raws if isinstance(raw, bytes)]
    return []


def faces_of(table: Table) -> list[int]:
    """How many cards of each face there are, by what everybody may know."""
    counts = [0] * len(table.layout.faces)
    for face in table.face:
        if face != HIDDEN:
            counts[face] += 1
    for undealt in table.family_counts:
        for face, count in enumerate(undealt):
            counts[face] += count
    return counts


def blind_spots(replica: Replica) -> Iterator[int]:
    """The cards of which a machine knows the face although its seat has not seen it."""
    table, dealing = replica.play.table, replica.play.dealing
    assert dealing is not None, "cards are looked at once there are keys"
    mine = sum(1 << seat for seat in dealing.secrets)  # Open seats have no secrets from anybody.
    for card, eye in enumerate(dealing.observation):
        is_seen = table.face[card] != HIDDEN or table.seen[card] & mine
        if eye != HIDDEN and not is_seen and dealing.holder[card] not in dealing.secrets:
            yield card
