"""What somebody who only reads finds in a file: what happened, who is to blame, what is missing.

`read_claim` judges the claim of a win at the end of a file: whether the seat signed it, about this
log and about all other seats (docs/spec/protocol.md, section 14).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.playback import Record
from core.requests import Action, Face, Player, Shuffle
from p2p.audit.log import Ended, LogReader
from p2p.audit.seats import Withheld
from p2p.base.errors import BadSignature
from p2p.base.identity import verify
from p2p.base.roster import DecisionPoint, Roster
from p2p.base.wire import encode
from p2p.game.equivalents import canonical
from p2p.log.claim import WinClaim
from p2p.log.notes import Acknowledged
from p2p.log.objection import Objection


@dataclass(frozen=True, slots=True)
class Fault:
    """What a seat has done: why it is wrong, the entry's place in the log, its byte in the file."""

    reason: str
    place: int | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """One choice of a seat whose key is open, with everything it was made from."""

    turn: DecisionPoint
    action: Action
    height: int  # Of the log when it was made.

    @property
    def is_obedient(self) -> bool:
        """Whether it was one of the seat's legal actions."""
        turn, game = self.turn, self.turn.game
        legal = game.legal_actions(turn.table, turn.seat, turn.observation)
        mine = canonical(game, turn.table, turn.observation, self.action)
        return any(mine == canonical(game, turn.table, turn.observation, each) for each in legal)


@dataclass(slots=True)
class Reading:
    """What was found in a file."""

    events: list[Record] = field(default_factory=list)
    entries: int = 0  # That are signed, and stand where they belong.
    is_signed: bool = False  # The result, by every seat.
    winners: tuple[Player, ...] = ()  # By the rules, once all is played.
    opened: dict[int, int] = field(default_factory=dict)  # Keys that were opened, by seat.
    shown: list[int] = field(default_factory=list)  # These, and those of who left before the end.
    unshown: set[int] = field(default_factory=set)  # Seats that had a key which nobody has shown.
    proven: dict[str, int] = field(default_factory=dict)
    replaced: dict[int, int] = field(default_factory=dict)  # From which entry on a bot played on.
    restored: dict[int, int] = field(default_factory=dict)  # From which on its owner was back.
    agreed: dict[int, tuple[int, ...]] = field(default_factory=dict)  # Who has acknowledged that.
    withheld: dict[int, Withheld] = field(default_factory=dict)  # By seat, the last.
    acknowledged: dict[int, int] = field(default_factory=dict)  # By seat: so many entries.
    taken_back: list[Player] = field(default_factory=list)  # Whose choices, as all agreed.
    objections: dict[int, int] = field(default_factory=dict)  # By seat: to the change at an entry.
    claim: WinClaim | None = None  # Of the win, at the end, by the one who was left.
    missing: Ended | None = None  # What comes next, if the file ends before the game does.
    stopped: str = ""  # Why the entries could not be read to their end.
    damage: str = ""  # What is wrong with the file, and at which byte.
    guilty: dict[int, Fault] = field(default_factory=dict)
    unproven: list[str] = field(default_factory=list)  # Accusations that prove nothing.
    decided: list[Decided] = field(default_factory=list)  # By the seats whose keys were given.
    # What these seats saw, at first and after every event.
    observations: list[list[Face]] = field(default_factory=list)
    dealt: list[tuple[int, Shuffle]] = field(default_factory=list)
    """Cards that were dealt anew as a key was lost, and how many events came before that."""


def read_claim(
    log: LogReader, noted: tuple[int, WinClaim] | None, *, is_over: bool
) -> tuple[WinClaim | None, str]:
    """(claim, what is wrong) of what was noted at a byte behind a log; nothing is wrong without."""
    if noted is None:
        return None, ""
    offset, claim = noted
    wrong = "the game was over before this claim" if is_over else _wrong(log, claim)
    return (None, f"byte {offset}: {wrong}") if wrong else (claim, "")


def read_acks(
    log: LogReader, roster: Roster, noted: Iterable[Acknowledged]
) -> tuple[dict[int, int], str]:
    """({seat: up to which entry it has acknowledged the log}, what is wrong with that).

    What stands behind the part of the log that could be read is not looked at.
    """
    found = dict[int, int]()
    for each in noted:
        if each.height > log.place:
            break
        forged = each.forged(roster, log.ends.get(each.height))
        if forged is not None:
            name = roster.seats[forged].shown_name
            return found, f"byte {each.offset}: {name} did not acknowledge this log"
        named = (seat for seat, kept in enumerate(each.signatures) if kept is not None)
        found |= dict.fromkeys(named, each.height)
    return found, ""


def read_objections(
    log: LogReader, noted: Iterable[tuple[int, Objection]]
) -> tuple[dict[int, int], str]:
    """({seat: the last entry to which it objects}, what is wrong with that).

    What stands behind the part of the log that could be read is not looked at.
    """
    found = dict[int, int]()
    for offset, said in noted:
        if said.height > log.place:
            break
        if said.seat not in log.let_go(said.height):
            return found, f"byte {offset}: nobody was let go there as silent who could object"
        try:
            head = log.ends[said.height].head
            verify(log.seats[said.seat].identity, said.signature, said.said(log.game_id, head))
        except BadSignature:
            name = log.seats[said.seat].shown_name
            return found, f"byte {offset}: {name} did not object to this"
        found[said.seat] = said.height - 1
    return found, ""


def _wrong(log: LogReader, claim: WinClaim) -> str:
    live, head = log.seating.live, log.head
    if claim.seat not in live:
        return "nobody sits there who could claim the win"
    if not claim.silent or claim.silent != log.roster.not_run_by(claim.seat, live):
        return "the claim is not about all others"
    if (claim.height, claim.head) != (len(log.entries), head):
        return "the claim is about another log"
    place = [log.game_id, claim.height, claim.head, claim.seat, list(claim.silent)]
    try:
        verify(log.seats[claim.seat].identity, claim.signature, b"hostless claim" + encode(place))
    except BadSignature:
        return f"{log.seats[claim.seat].shown_name} did not claim the win"
    return ""
