"""Check a game file: signatures, chains, proofs and rules, with one verdict for every seat.

The auditor is a spectator who hears the log from a file.  It needs no secret, and trusts neither
the file nor the seat that kept it: what is not signed by a seat is held against nobody, and what
a seat signed is held against that seat alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from p2p.entry import parse_entry
from p2p.errors import BadSignature, MalformedFrame, PeerError
from p2p.hearing import hear
from p2p.ledger import Evidence, read_game
from p2p.opened import Decided, decisions
from p2p.replica import Replica


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the file proves about one seat."""

    seat: int
    name: str
    is_honest: bool
    reason: str = ""
    entry: int | None = None  # The place in the log of the entry that proves it.
    is_opened: bool = False  # Its key was shown at the end, so its hidden choices were checked.


@dataclass(slots=True)
class Report:
    """The outcome of an audit."""

    path: Path
    game: str
    verdicts: list[Verdict]
    entries: int = 0
    is_finished: bool = False  # Every seat has signed the result.
    damage: str = ""  # What is wrong with the file itself; nobody's fault.
    winners: tuple[str, ...] = ()
    proofs: dict[str, int] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return not self.damage and all(verdict.is_honest for verdict in self.verdicts)

    def plain(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            "file": str(self.path),
            "game": self.game,
            "holds": self.holds,
            "finished": self.is_finished,
            "entries": self.entries,
            "damage": self.damage,
            "winners": list(self.winners),
            "proofs": self.proofs,
            "seats": [
                {"seat": each.seat, "name": each.name, "honest": each.is_honest,
                 "reason": each.reason, "entry": each.entry, "opened": each.is_opened}
                for each in self.verdicts
            ],
        }  # fmt: skip


Judge: TypeAlias = Callable[[Decided], str]
"""What is wrong with a choice of a seat whose key is open; empty if nothing is."""


def obey(decided: Decided) -> str:
    """The judge of everybody: hidden cards bind a seat as well as those that all can see."""
    return "" if decided.is_obedient else "chose what its hidden cards do not allow"


def audit_file(path: Path, judges: Sequence[Judge] = (obey,)) -> Report:
    """Check a whole game file, and with `judges` the choices of seats whose keys were opened.

    Raises:
        GameFileError: it is not a game file, or cannot be read.
    """
    record = read_game(path)
    replica = Replica(record.roster)
    damage = "" if record.torn_at is None else f"byte {record.torn_at}: the last record is cut off"
    guilty: dict[int, tuple[str, int | None]] = {}
    try:
        for offset, _ in hear(record, replica):
            damage = damage or _misplaced(replica, offset)
    except PeerError as error:
        if error.seat is None:
            damage = str(error)
        else:
            guilty[error.seat] = (str(error), _last_entry(replica, error.seat))
    except (MalformedFrame, BadSignature) as error:
        damage = str(error)
    for evidence in record.evidence:
        charge = _charge(evidence, replica, is_stopped=bool(guilty))
        if charge and evidence.seat not in guilty:
            guilty[evidence.seat] = (charge, None)
    if replica.play.opened and not damage and not guilty:
        guilty = _judge(decisions(record, replica.play.opened), judges)
    return _report(path, replica, damage, guilty)


def _judge(
    decided: Iterable[Decided], judges: Sequence[Judge]
) -> dict[int, tuple[str, int | None]]:
    """The first wrong choice of every seat: why it is wrong, and its entry."""
    guilty: dict[int, tuple[str, int | None]] = {}
    for each in decided:
        seat = each.turn.seat
        for judge in judges:
            if seat not in guilty and (reason := judge(each)):
                guilty[seat] = (reason, each.height)
    return guilty


def _misplaced(replica: Replica, offset: int) -> str:
    """What is wrong when an entry does not stand where the log has it."""
    at, waiting = replica.position, [parse_entry(raw) for raw in replica.pending()]
    if all((at.height, at.head) == (entry.height, entry.head) for entry in waiting):
        return ""
    return f"byte {offset}: the entry does not answer the log before it"


def _last_entry(replica: Replica, seat: int) -> int | None:
    """The place in the log of the last entry of a seat."""
    places = [place for place, entry in enumerate(replica.log) if entry.seat == seat]
    return places[-1] if places else None


def _charge(evidence: Evidence, replica: Replica, *, is_stopped: bool) -> str:
    """What noted entries prove against their seat, in our own words; empty if it is nothing.

    They are heard after the log: a second entry with one number, or one that breaks its chain.
    """
    try:
        for raw in evidence.raws:
            replica.receive(raw)
        if not is_stopped:
            replica.advance()
    except PeerError as error:  # With a seat, if a seat has signed something wrong.
        return str(error) if error.seat == evidence.seat else ""
    return ""


def _report(
    path: Path, replica: Replica, damage: str, guilty: dict[int, tuple[str, int | None]]
) -> Report:
    seats = replica.roster.seats
    verdicts = [
        Verdict(
            index,
            seat.name,
            index not in guilty,
            *guilty.get(index, ("", None)),
            is_opened=index in replica.play.opened,
        )
        for index, seat in enumerate(seats)
    ]
    report = Report(
        path, replica.roster.game, verdicts, len(replica.log), replica.play.is_signed, damage
    )
    play = replica.play
    if replica.play.is_signed:
        report.winners = tuple(seats[seat].name for seat in play.game.winners(play.table))
    if play.dealing is not None:
        fairness = play.dealing.fairness
        report.proofs = {
            "shuffles": fairness.shuffles,
            "shares": fairness.shares,
            "transfers": fairness.transfers,
            "claims": fairness.claims,
        }
    return report
