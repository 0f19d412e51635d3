"""Check a game file: signatures, heads, proofs and rules, with one verdict for every seat.

The auditor needs no secret, and trusts neither the file nor the seat that kept it: what is not
signed by a seat is held against nobody, and what a seat signed is held against that seat alone.
It does not judge with the code that plays: see `p2p.audit` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from p2p.audit.findings import Decided, Fault, Reading
from p2p.audit.game import read_log
from p2p.audit.grades import Grade
from p2p.audit.seats import Withheld
from p2p.log.claim import WinClaim
from p2p.log.game_file import GameRecord, read_game


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the file proves about one seat."""

    seat: int
    name: str
    is_honest: bool
    reason: str = ""
    log_index: int | None = None  # The place in the log of the entry that proves it,
    byte: int | None = None  # and where it begins in the file.
    is_opened: bool = False  # All its keys were shown, so its hidden choices were checked.
    replaced: int | None = None  # The entry from which on a bot played for it, if its owner left.
    withheld: Withheld | None = None  # What it had not opened by then.
    agreed: tuple[int, ...] = ()  # The seats that agreed that its owner was gone.
    taken_back: int = 0  # Choices of its own that it took back, as all others agreed.
    acknowledged: int = 0  # It has signed that its log has these first entries.
    restored: int | None = None  # The entry from which on its owner was back.
    objects: int | None = None  # The entry by which it went, though its program ran as it says.


@dataclass(slots=True)
class Report:
    """The outcome of an audit."""

    path: Path
    game: str
    verdicts: list[Verdict]
    entries: int = 0
    is_finished: bool = False  # Every seat has signed the result.
    damage: str = ""  # What is wrong with the file itself; nobody's fault.
    ending: str = ""  # Where a file ends that ends before its game, and what would come next.
    unproven: list[str] = field(default_factory=list)  # Accusations that the file does not prove.
    winners: tuple[str, ...] = ()  # By the rules, once all is played,
    unsigned: tuple[str, ...] = ()  # and whose signature under that is not in the file.
    claim: WinClaim | None = None  # Of the win, by the one who was left; it proves nothing else.
    proofs: dict[str, int] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return not self.damage and all(verdict.is_honest for verdict in self.verdicts)

    @property
    def grade(self) -> Grade:
        """What the file is worth as a whole."""
        if not self.holds:
            return Grade.BROKEN
        if not self.is_finished:
            return Grade.CUT
        is_changed = any(verdict.replaced is not None for verdict in self.verdicts)
        return Grade.CHANGED if is_changed else Grade.COMPLETE

    def plain(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            "file": str(self.path),
            "game": self.game,
            "grade": self.grade,
            "holds": self.holds,
            "finished": self.is_finished,
            "entries": self.entries,
            "damage": self.damage,
            "ending": self.ending,
            "unproven": self.unproven,
            "winners": list(self.winners),
            "unsigned": list(self.unsigned),
            "claim": self._plain_claim(),
            "proofs": self.proofs,
            "seats": [
                {"seat": each.seat, "name": each.name, "honest": each.is_honest,
                 "reason": each.reason, "entry": each.log_index, "byte": each.byte,
                 "opened": each.is_opened, "replaced": each.replaced,
                 "restored": each.restored, "objects": each.objects,
                 "agreed": list(each.agreed), "acknowledged": each.acknowledged,
                 "taken_back": each.taken_back,
                 "withheld": None if each.withheld is None else each.withheld.plain()}
                for each in self.verdicts
            ],
        }  # fmt: skip

    def _plain_claim(self) -> dict[str, object] | None:
        if self.claim is None:
            return None
        return {"seat": self.claim.seat, "silent": list(self.claim.silent), "is_confirmed": False}


Recheck: TypeAlias = Callable[[Decided], str]
"""What is wrong with a choice of a seat whose key is open; empty if nothing is."""


def obey(decided: Decided) -> str:
    """The judge of everybody: hidden cards bind a seat as well as those that all can see."""
    return "" if decided.is_obedient else "chose what its hidden cards do not allow"


def audit_file(path: Path, judges: Sequence[Recheck] = (obey,)) -> Report:
    """Check a whole game file, and with `judges` the choices of seats whose keys were opened.

    Raises:
        GameFileError: it is not a game file, or cannot be read.
    """
    record = read_game(path)
    found = read_log(record)
    if record.torn_at is not None:
        found.damage = found.damage or f"byte {record.torn_at}: the last record is cut off"
    if found.shown and not found.damage and not found.guilty:
        found.guilty = _judge(read_log(record, found.shown).decided, judges, record)
    return _report(path, record, found)


def _judge(
    decided: Iterable[Decided], judges: Sequence[Recheck], record: GameRecord
) -> dict[int, Fault]:
    """The first wrong choice of every seat."""
    guilty: dict[int, Fault] = {}
    for each in decided:
        seat, (offset, _) = each.turn.seat, record.entries[each.height]
        for judge in judges:
            if seat not in guilty and (reason := judge(each)):
                guilty[seat] = Fault(reason, each.height, offset)
    return guilty


def _report(path: Path, record: GameRecord, found: Reading) -> Report:
    seats = record.roster.seats
    verdicts = [_verdict(index, seat.shown_name, found) for index, seat in enumerate(seats)]
    return Report(
        path,
        record.roster.game,
        verdicts,
        entries=found.entries,
        is_finished=found.is_signed,
        damage=found.damage,
        ending=_ending(record, found),
        unproven=found.unproven,
        winners=tuple(seats[seat].shown_name for seat in found.winners),
        unsigned=tuple(seats[seat].shown_name for seat in _unsigned(found)),
        claim=found.claim,
        proofs=found.proven,
    )


def _verdict(seat: int, name: str, found: Reading) -> Verdict:
    fault = found.guilty.get(seat)
    is_opened = seat in found.opened and seat not in found.unshown
    gone = (is_opened, found.replaced.get(seat), found.withheld.get(seat),
            found.agreed.get(seat, ()))  # fmt: skip
    kept = (found.taken_back.count(seat), found.acknowledged.get(seat, 0),
            found.restored.get(seat), found.objections.get(seat))  # fmt: skip
    if fault is None:
        return Verdict(seat, name, True, "", None, None, *gone, *kept)
    return Verdict(seat, name, False, fault.reason, fault.place, fault.offset, *gone, *kept)


def _unsigned(found: Reading) -> tuple[int, ...]:
    """Who has not signed the result of a game in which all is played."""
    missing = found.missing
    return missing.seats if missing is not None and missing.kind == "finish" else ()


def _ending(record: GameRecord, found: Reading) -> str:
    """Where a file ends that ends before its game, and what would come next."""
    if found.missing is None:
        return ""
    names = ", ".join(record.roster.seats[seat].shown_name for seat in found.missing.seats)
    size = record.torn_at if record.torn_at is not None else record.size
    return f"the file ends at byte {size}, where {found.missing.kind!r} of {names} is due"
