"""The log of a game, played once more on a replica: after a restart, and to look at a part of it.

A seat finds back into its game by this, and a running one goes back by it when its log is cut.  An
audit does not use it: it reads a record by itself (`p2p.audit`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from p2p.base.entry import Entry, is_answer, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame, PeerError
from p2p.base.roster import Roster
from p2p.log.game_file import GameRecord
from p2p.log.membership.log import is_in_force
from p2p.log.membership.messages import verifier_of
from p2p.log.membership_change import is_change
from p2p.log.notes import LogEnd
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile


def read_record(record: GameRecord, replica: Replica) -> None:
    """Take in a record entry by entry.

    Raises:
        PeerError: a seat broke the protocol or the rules.
        MalformedFrame, BadSignature: the file does not hold what was signed; says at which byte.
    """
    for offset, raw in record.entries:
        try:
            entry = parse_entry(raw)
            if is_change(entry):
                replica.take_in_logged(entry)
            elif replica.take_in(entry) is None:
                raise MalformedFrame("the entry is there twice")
        except (MalformedFrame, BadSignature) as error:
            found = type(error)(f"byte {offset}: {error}")
            found.offset = offset
            raise found from error
        while replica.advance() or replica.obligations:
            while replica.obligations:
                replica.verify_obligation(*replica.obligations.pop(0))
    _check_acks(record, replica)


def _check_acks(record: GameRecord, replica: Replica) -> None:
    logs = {log.height: log for log in replica.tip.down()}
    ends = {
        height: LogEnd(log.below.epoch, log.below.head, log.head)
        for height, log in logs.items() if log.below is not None
    }  # fmt: skip
    for each in record.acks:
        end = ends.get(each.height)  # Within a step there is no log to acknowledge.
        if each.height <= replica.height and each.forged(record.roster, end) is not None:
            raise _not_acknowledged(each.offset)
        if end is not None and all(each.signatures[seat] for seat in logs[each.height].members):
            replica.committed = each.height
    verify = verifier_of([seat.identity for seat in record.roster.seats], replica.game_id)
    for note in record.changes:
        log = logs.get(note.height)
        for ack in note.acks:
            try:
                verify(ack)
            except (BadSignature, MalformedFrame) as error:
                raise _not_acknowledged(note.offset) from error
        if log is not None and is_in_force(log, note.acks, log.height - 1):
            replica.committed = max(replica.committed, note.height)


def _not_acknowledged(offset: int) -> BadSignature:
    wrong = BadSignature(f"byte {offset}: nobody acknowledged this log so")
    wrong.offset = offset
    return wrong


def replay(log: Iterable[Entry], replica: Replica) -> None:
    """Take in a log that I have verified before: no proof in it is verified again."""
    for known in log:
        replica.take_in_logged(known)
        while replica.advance() or replica.obligations:
            replica.obligations.clear()


def rewound(replica: Replica, secrets: SecretsFile | None, height: int) -> Replica:
    """A second replica of my seat, as mine was when the log had this height.

    Safe in another thread: `replica` itself stays as it is (`Replica.rewind_to` makes it so).
    """
    past = Replica(replica.roster, replica.identity, secrets)
    replay(replica.log[:height], past)
    past.play.taken_back.clear()  # That was told when it happened.
    if secrets is not None:
        take_in_own(past, secrets)
    return past


def breaks_rules(roster: Roster, log: Sequence[Entry], entry: Entry) -> bool:
    """Whether an entry does not hold in answer to this log.

    The game is played once more for it: a second and more for a long one.
    """
    past = Replica(roster)
    replay(log, past)
    due = () if past.step is None else past.step.writers
    is_due = entry.seat in due and entry.seat_epoch == past.seating.seat_epochs[entry.seat]
    if not is_due or not is_answer(entry, past.position):
        return False
    try:
        past.read(entry)
        for each in past.obligations:
            past.verify_obligation(*each)
    except PeerError:
        return True
    return False


def offends(roster: Roster, log: Sequence[Entry], seat: int) -> bool:
    """Whether a log shows that a seat chose what was forbidden.  The game is played once more."""
    past = Replica(roster)
    try:
        replay(log, past)
    except PeerError:
        return False  # Somebody has shown me what does not hold.
    return any(error.seat == seat for error in past.offences)


def take_in_own(replica: Replica, secrets: SecretsFile) -> None:
    """Take in what this seat has signed, so that it says that again and nothing else.

    Raises:
        PeerError: it has signed two entries that answer one log.
    """
    for raw in secrets.entries:
        with suppress(MalformedFrame, BadSignature):  # Damaged, in a file without checks.
            replica.receive(raw)
