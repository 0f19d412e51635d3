"""Changes of members, and what puts them in force: sections 18.2 and 18.4 of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.p2p.verifier.log import Entry, Log, open_identity, read_entry
from tests.p2p.verifier.messages import is_entry, offences, said
from tests.p2p.verifier.values import decode, need


class Note(NamedTuple):
    """The record `in force` of a change."""

    acks: list[Any]
    proof: list[bytes]


@dataclass(frozen=True)
class Change:
    """A change of members that stands in the log, and whose word it needs."""

    entry: Entry
    end: int  # The height behind it.
    head: bytes
    table_epoch: bytes  # Which it ends.
    members: frozenset[int]  # Whom it leaves.

    @property
    def seat(self) -> int:
        return self.entry.seat

    @property
    def reason(self) -> str:
        return self.entry.body[0]

    @property
    def key(self) -> bytes:
        return self.entry.body[1]

    @property
    def leavers(self) -> list[int]:
        return self.entry.body[2]

    @property
    def gone(self) -> list[int]:
        return [] if self.reason == "restore" else [self.seat, *self.leavers]


class Members:
    """Which changes of members are in force, and by what."""

    def __init__(self, log: Log, notes: dict[int, Note], guilty: dict[int, str]) -> None:
        self.log, self.roster, self.notes, self.guilty = log, log.roster, notes, guilty
        self.judge: Callable[[Entry], str] = lambda entry: ""
        self.changes: list[Change] = []
        self.unfinished: list[tuple[Change, set[int]]] = []  # With those who acknowledge each.

    def take(self, entry: Entry) -> Change:
        """The next change, checked; the log has it."""
        need(self.roster.replacement is not None, "nobody is replaced at this table")
        self.check_form(entry)
        self.check_bytes(entry)
        log, is_back = self.log, entry.kind == "restore"
        gone = {entry.seat, *entry.body[2]}
        members = frozenset({*log.live, entry.seat} if is_back else set(log.live) - gone)
        epoch = log.table_epoch
        log.append([entry])
        change = Change(entry, log.height, log.head, epoch, members)
        log.table_epoch, log.live = log.head, sorted(members)
        for seat in gone:
            log.epochs[seat] += 2 if is_back else 1
        self.changes.append(change)
        self.put_in_force(change)
        return change

    def check_form(self, entry: Entry) -> None:
        body, live = entry.body, self.log.live
        need(isinstance(body, list) and len(body) == 4, "nobody could have agreed on this")
        reason, key, leavers, number = body
        reasons = ("restore",) if entry.kind == "restore" else ("silent", "left", "convicted")
        numbered = type(number) is int and number >= 0
        formed = isinstance(key, bytes) and isinstance(leavers, list)
        need(reason in reasons and numbered and formed, "nobody could have agreed on this")
        need(not key or reason in ("left", "restore"), "a key that nobody has given")
        all_gone = [entry.seat, *leavers]
        need(len(set(all_gone)) == len(all_gone), "a seat that goes twice")
        if entry.kind == "restore":
            is_away = self.log.epochs[entry.seat] % 3 == 1
            need(is_away and not leavers, "nobody comes back who is not away")
        else:
            need(all(seat in live for seat in all_gone), "nobody replaces a seat that is not there")
            need(set(live) - set(all_gone), "somebody has to stay")

    def check_bytes(self, entry: Entry) -> None:
        """All write the same bytes."""
        epoch = self.log.epochs[entry.seat] + 1
        place = (entry.epoch, entry.height, entry.parent, entry.digest)
        due = (epoch, self.log.height, self.log.head, bytes(48))
        key = open_identity(self.roster.open_nonce(entry.seat, epoch))
        same = entry.signature == key.sign(b"hostless entry" + entry.payload)
        need(place == due and same, "a change of members in other bytes than all write")

    def put_in_force(self, change: Change) -> None:
        """It may be in force only with a later one; then with those before it."""
        note = self.notes.get(change.end)
        ackers = self.ackers(change, note) if note else set()
        if note:
            self.check_reason(change, note.proof)
        self.unfinished.append((change, ackers))
        stay = change.members
        if all(each.members & stay <= by for each, by in self.unfinished):
            self.unfinished.clear()

    def ackers(self, change: Change, note: Note) -> set[int]:
        """Who has acknowledged this very change."""
        found, body = set(), change.entry.body
        about = [[change.seat, *body[:3]], body[3]]
        place = [change.table_epoch, change.end, change.entry.parent, change.head]
        for ack in note.acks:
            kind, *fields = said(ack, self.roster)
            need(kind == "ack", "no acknowledgement of a change")
            if [fields[0], *fields[2:5], *fields[5:7]] == [*place, *about]:
                found.add(fields[1])
        return found

    def check_reason(self, change: Change, proof: Sequence[bytes]) -> None:
        """What proves the reason; then the farewells of the leavers."""
        count = len(proof) - len(change.leavers)
        need(count >= 0, "nothing proves the reason of this change")
        own, farewells = proof[:count], proof[count:]
        for seat, raw in zip(change.leavers, farewells, strict=True):
            self.check_said(raw, ["farewell", change.table_epoch, seat])
        match change.reason:
            case "silent":
                enough = self.roster.may_call_silent(change.seat, change.members)
                need(not own and enough, "one person alone cannot say that somebody is silent")
            case "convicted":
                self.check_guilt(own, change.seat)
            case reason:
                kind = "farewell" if reason == "left" else "wish"
                need(len(own) == 1, "nothing proves the reason of this change")
                self.check_said(own[0], [kind, change.table_epoch, change.seat, change.key])

    def check_guilt(self, own: Sequence[bytes], seat: int) -> None:
        """Two things that contradict each other; or what broke a rule, as the log shows."""
        need(own, "nothing proves the reason of this change")
        self.guilty.update(self.convicted_by(own))
        need(seat in self.guilty, "nothing convicts the seat that this change is about")

    def convicted_by(self, raws: Sequence[bytes]) -> dict[int, str]:
        """Whom these convict: by a contradiction, or by one entry that breaks a rule."""
        found = dict(offences(raws, self.log))
        for entry in [read_entry(raw, self.roster) for raw in raws if is_entry(raw)]:
            is_owners = entry.epoch % 3 == 0 and not self.roster.open[entry.seat]
            why = self.judge(entry) if is_owners and entry.seat not in found else ""
            if why:
                found[entry.seat] = why
        return found

    def check_said(self, raw: bytes, due: list[Any]) -> None:
        fields = said(decode(raw), self.roster)
        need(fields[: len(due)] == due, "this was said of another epoch, or of something else")
        need(fields[0] != "wish" or fields[4] == b"", "a wish with a proof")

    def check_end(self) -> None:
        """A file is damaged where a member has written behind changes that are never in force."""
        if self.unfinished:
            first, _ = self.unfinished[0]
            later = (item for at, item in self.log.items.items() if at > first.end)
            is_built_on = any(item.is_step and item.is_by_members for item in later)
            need(not is_built_on, "not all whom a change leaves have acknowledged it")
