"""One machine's copy of a game: entries in, the same state out, on every machine.

A replica has no clock, no network and no disk.  Its `Play` yields one step after another;
`receive` collects entries, and a step whose writers have all written is read and added to the
log.  A seat's replica also makes that seat's own entries; a spectator's only listens, through the
very same code.  An audit does not: see `p2p.audit`.

Blame is by construction: whatever a step's `read` or the rules refuse was signed by one seat.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from core.requests import Action
from core.table import RulesError
from core.view import View
from p2p.base.entry import (
    Entry,
    Position,
    check_signature,
    is_answer,
    misplaced,
    parse_entry,
    sign_entry,
)
from p2p.base.errors import (
    BadProof,
    BrokenChain,
    Equivocation,
    IllegalMove,
    MalformedFrame,
    PeerError,
)
from p2p.base.identity import Identity
from p2p.base.roster import Roster
from p2p.crypto.transcript import ProofError
from p2p.game.script import Play
from p2p.game.steps import Convicted, Obligation, SeatSecrets, Step, TakeBack
from p2p.log.acks import Acks
from p2p.log.blocked import Blocked, first_true
from p2p.log.entries import Entries
from p2p.log.membership.log import ChangeItem, Log, StepItem, empty_log, entry_ref
from p2p.log.membership.messages import REASON_RESTORE
from p2p.log.membership_change import (
    carry_out,
    change_entry,
    check_back,
    is_change,
    parse_change_entry,
    plans_for,
    voids_step,
)
from p2p.log.replica_game import ReplicaGame
from p2p.log.script_runner import ScriptRunner
from p2p.log.seating import SeatEvent, Seating, shown_by


class Replica:
    """The state of one game as one seat, or a spectator, knows it."""

    def __init__(
        self, roster: Roster, identity: Identity | None = None, secrets: SeatSecrets | None = None
    ) -> None:
        """As the seat of `identity`, or as somebody who only listens."""
        self.roster, self.identity = roster, identity
        self.me = roster.seat_of(identity.public) if identity is not None else None
        self.play = Play(roster, self.me, secrets)
        self.game_id, self.seats = self.play.game_id, self.play.seats
        self.entries = Entries(self.game_id)
        self.obligations = self.play.owed
        self.guilty: dict[int, PeerError] = {}  # Who has cheated, as I know.
        self.offences: list[PeerError] = []  # Choices that turned out to be forbidden.
        self._values: list[object] | None = None  # Of the current step, once it is read.
        self.seating = Seating(roster)
        self.acks = Acks()
        self.committed = 0  # The height up to which I know that all have acknowledged the log.
        self.tip = empty_log(self.game_id, self.play.live)  # The log, as membership sees it.
        self.log_game = ReplicaGame(self)
        self._at = Position(0, self.head, self.play.digest())
        self._runner = ScriptRunner(self.play)
        self.step: Step | None = self._runner.first()

    # ---- what a node asks ----

    @property
    def log(self) -> list[Entry]:
        """The log, all steps that are closed."""
        return self.entries.log

    @property
    def head(self) -> bytes:
        """The hash of the log."""
        return self.tip.head

    @property
    def height(self) -> int:
        """How many entries the log has at the start of the current step."""
        return len(self.log)

    @property
    def position(self) -> Position:
        """What the next entries answer."""
        return self._at

    @property
    def is_over(self) -> bool:
        """Whether the last entry is in the log."""
        return self.step is None

    @property
    def open_seats(self) -> set[int]:
        """The seats for which everybody speaks."""
        return self.play.open_seats

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats at which somebody sits."""
        return tuple(seat for seat in self.play.live if seat != self.me)

    @property
    def is_seated(self) -> bool:
        """Whether I have a seat, and speak for it myself."""
        return self.me in self.play.live

    def waited_for(self) -> tuple[int, ...]:
        """The seats whose entry of the current step is missing."""
        writers = () if self.step is None else self.step.writers
        return tuple(seat for seat in writers if not self.holds(seat))

    def _answer_of(self, seat: int) -> Entry | None:
        """A seat's entry of the current step, if it is here."""
        return self.entries.waiting.answer_of(seat, self.seating.seat_epochs[seat], self._at)

    def holds(self, seat: int) -> bool:
        """Whether a seat's entry of the current step is here."""
        return self._answer_of(seat) is not None

    def waits_for(self, seat: int) -> bool:
        """Whether the current step needs something of another seat that is not here."""
        return seat in self.waited_for() or (self.needs_acks() and not self.has_acked(seat))

    def why_not_write(self) -> Blocked | None:
        """Why my entry may not be written now, as far as the log says."""
        return first_true((
            (Blocked.IS_OVER, self.step is None),
            (Blocked.HAS_NO_SEAT, not self.is_seated),
            (Blocked.IS_NOT_DUE, self.me not in self.waited_for()),
            (Blocked.HAS_NO_KEY, not self.play.has_key),
            (Blocked.CHEATER, self.is_held_by_cheater),
            (Blocked.HAS_LOST_END, self.lacks_end()),
            (Blocked.UNACKNOWLEDGED, self.needs_acks() and not self.is_agreed()),
        ))  # fmt: skip

    def may_write(self) -> bool:
        """Whether my entry is due now and nothing forbids it, as far as the log says."""
        return self.why_not_write() is None

    def lacks_end(self) -> bool:
        """Whether I signed entries further on, in a log whose end my file has lost.

        Then only others have it, and I wait for that rather than say something else.
        """
        ahead = (entry for entry in self.entries.waiting if entry.height > self.height)
        return any(self.seating.is_owned(each.seat, each.seat_epoch)
                   for each in ahead if each.seat == self.me)  # fmt: skip

    def needs_acks(self) -> bool:
        """Whether the barrier stands before the current step; what open seats say needs none."""
        writers = () if self.step is None else self.step.writers
        return not self.open_seats.issuperset(writers) and self.tip.is_barrier_to(writers)

    # ---- in ----

    def pending(self) -> list[bytes]:
        """What is said in the current step, and by me further on: the rest has perhaps no place."""
        waiting = self.entries.waiting
        return [each.raw for each in waiting if each.seat == self.me or is_answer(each, self._at)]

    def has_acked(self, seat: int) -> bool:
        """Whether a seat has said that it has this very log; after a crash the file shows it."""
        return self.height <= self.committed or self.acks.has(seat, self.tip)

    def is_agreed(self) -> bool:
        """Whether every other seat, but a cheater, has said that it has this very log."""
        return all(self.has_acked(seat) for seat in self.others if seat not in self.guilty)

    @property
    def is_held_by_cheater(self) -> bool:
        """Whether a cheater still sits here: nothing more is written, no step closed."""
        return any(seat in self.play.live for seat in self.guilty)

    def receive(self, raw: bytes) -> Entry | None:
        """Take in an entry, whoever brought it.  None when it is known, or counts no more.

        Raises:
            MalformedFrame, BadSignature: whoever brought it is to blame.
            Equivocation: the seat that signed it is.
        """
        return self.take_in(parse_entry(raw))

    def take_in_logged(self, entry: Entry) -> None:
        """Take in an entry of a log that a file or a table shows, and a change of members as well.

        That the change is in force is looked at elsewhere, or believed.

        Raises:
            MalformedFrame: it does not stand there.
        """
        if not is_change(entry):
            self.take_in(entry)
            return
        decided = parse_change_entry(entry)
        if entry.raw != change_entry(self.game_id, self.tip, decided).raw:
            raise MalformedFrame("this change of members stands elsewhere")
        self.change(decided)

    def take_in(self, entry: Entry) -> Entry | None:
        """Take in an entry that is parsed, as `receive` does."""
        if entry.game != self.game_id or entry.seat >= len(self.seats):
            raise MalformedFrame("the entry belongs to another game")
        known = self.entries.known_for(entry)
        if known is not None and known.hash == entry.hash:
            return None
        check_signature(entry, self.seating.signer(entry.seat, entry.seat_epoch))
        is_owned = self.seating.is_owned(entry.seat, entry.seat_epoch)
        if is_change(entry):
            raise MalformedFrame("a change of members is shown with what puts it in force")
        if known is not None and not is_owned:
            raise MalformedFrame("anybody can sign for this seat")
        if known is not None and entry.seat in self.guilty:
            return self._exchange(entry)
        if known is not None:
            text = "signed two entries that answer one log"
            raise self.blame(entry.seat, Equivocation, text, [known.raw, entry.raw])
        if self._is_void(entry):
            self._keep_earlier(entry)
            return None
        is_kept = entry.seat == self.me or is_answer(entry, self._at)
        if not is_kept and self.entries.waiting.is_full_of(entry.seat):
            return None  # I am the one who is behind, and ask for what is missing.
        self.entries.waiting.wait(entry)
        return entry

    def _exchange(self, entry: Entry) -> Entry | None:
        """A cheater has said two things: what those who are ahead of me have is what counts."""
        if self.entries.logged_for(entry) is not None:
            return None
        self._forget_values()
        self.entries.waiting.wait(entry)
        return entry

    def _is_void(self, entry: Entry) -> bool:
        """Whether an entry counts no more, or never did: see `Entries`."""
        return self.entries.is_void(entry, self.seating.seat_epochs[entry.seat])

    def _keep_earlier(self, entry: Entry) -> None:
        """What I wrote in the current step before a seat changed hands there stays what I say."""
        is_mine = entry.seat == self.me and entry.seat_epoch == self.seating.seat_epochs[entry.seat]
        if is_mine:
            self._runner.keep_earlier(entry, self.step)

    def next_log(self) -> Log | None:
        """The log with the current step behind it, if all its entries are here and hold.

        Proofs that take long become `obligations`; the step closes when they have been verified.

        Raises:
            PeerError: an entry of the step is against the protocol or the rules.  It is not in
                the log, and comes with the error.
        """
        if self.step is None or self.waited_for():
            return None
        entries = [cast("Entry", self._answer_of(seat)) for seat in self.step.writers]
        if self._values is None:
            self._forget_values()
            self._values = [self.read(entry) for entry in entries]
        if self.obligations:
            return None
        return self.tip.with_step(StepItem(tuple(map(entry_ref, entries))))

    def close(self, log: Log) -> None:
        """The current step is over: the log has it, as `next_log` gave it.

        Raises:
            PeerError: its values do not fit together; the log has gone on with them.
        """
        assert self.step is not None and self._values is not None, "the step has been read"
        entries = [cast("Entry", self._answer_of(seat)) for seat in self.step.writers]
        values, self._values = self._values, None
        self.tip = log
        self.entries.append(entries, self.head)
        self._resume_script(tuple(values))
        self._begin_step()
        self._note_offences()

    def advance(self) -> bool:
        """Close the current step if it can be: as somebody who has verified the log, or looks on.

        Raises:
            PeerError: as in `next_log` and `close`.
        """
        log = self.next_log()
        if log is not None:
            self.close(log)
        return log is not None

    def _note_offences(self) -> None:
        """Name who did what the log shows by now, but not by the current step."""
        for offence in self.play.offences:
            raws, kind = shown_by(offence, self.log), (IllegalMove, BadProof)[offence.is_sealed]
            if raws and (offence.is_sealed or offence.seat not in self.open_seats):
                self.offences.append(self.blame(offence.seat, kind, offence.text, raws))
        self.play.offences.clear()

    def _begin_step(self) -> None:
        """The next step begins at the end of the log."""
        self._at = Position(self.height, self.head, self.play.digest())
        self.acks.forget(floor := self.committed)
        self.entries.waiting.forget(lambda late: late.height < floor or self._is_void(late))

    def rewind_to(self, past: Replica) -> None:
        """Be as `past`, which has the first entries of my log; what came later waits again."""
        late = [entry for entry in [*self.log[past.height :], *self.entries.waiting]
                if self.seating.is_owned(entry.seat, entry.seat_epoch)]  # fmt: skip
        acks, guilty, committed = self.acks, self.guilty, self.committed
        vars(self).update(vars(past))
        self.log_game = ReplicaGame(self)
        self.committed = min(committed, self.height)
        self.acks, self.guilty = acks, guilty
        for entry in late:
            if self.entries.known_for(entry) is None and not self._is_void(entry):
                self.entries.waiting.wait(entry)

    # ---- seats that change hands ----

    def change(self, decided: ChangeItem) -> None:
        """Go on with other members: what all agreed on stands at the end of the log.

        Raises:
            MalformedFrame: the table cannot go on so.
        """
        change, entry = decided.change, change_entry(self.game_id, self.tip, decided)
        if self.roster.replacement is None or self.step is None:
            raise MalformedFrame("nobody replaces a seat here")
        is_back = change.reason == REASON_RESTORE
        if is_back:
            check_back(self.play, self.seating, change)
        plans = [] if is_back else plans_for(self.play, change)
        is_void = voids_step(self.play, self.step.kind, change)
        epoch = self.tip.epoch
        self._keep_bodies(self.step)
        self.tip = self.tip.with_change(decided, self.log_game)
        self.entries.append([entry], self.head)
        self._forget_values()
        self._runner.forget(change.gone)
        for seat in change.gone:
            self.seating.change(seat, SeatEvent(entry.kind))
        if is_back:
            self.play.restore_owner(change.seat, change.key, epoch)
        else:
            is_void |= carry_out(self.play, plans, self.seating.nonce_of)
        self.step = self._runner.change(self.step, change.gone, self.height, is_void=is_void)
        self._begin_step()

    def _keep_bodies(self, step: Step) -> None:
        """A seat changes hands: what I have written in the current step stays what I say there."""
        for seat in step.writers:
            entry = self._answer_of(seat)
            if entry is not None and (seat == self.me or seat in self.open_seats):
                self._runner.keep(entry)

    def _resume_script(self, values: tuple[object, ...]) -> None:
        """Hand the values of a step to the script, which yields the next one.

        Raises:
            PeerError: they do not fit together.
        """
        try:
            self.step = self._runner.resume(values, self.height)
        except RulesError as error:
            raise self._too_late(self.play.chooser, IllegalMove, str(error)) from error
        except Convicted as error:
            raise self._too_late(error.seat, BadProof, str(error)) from error
        except ProofError as error:
            assert self.step is not None and len(self.step.writers) == 1, "proven cards show a face"
            raise self._too_late(self.step.writers[0], BadProof, str(error)) from error

    def _too_late(self, seat: int, kind: type[PeerError], text: str) -> PeerError:
        """The verdict on a seat with whose entries the log has gone on."""
        error = self.blame(seat, kind, text)
        error.is_too_late = True
        return error

    def _forget_values(self) -> None:
        """Read the current step again: somebody else writes in it, or it is another one."""
        self._values = None
        self.obligations.clear()
        if self.play.dealing is not None:
            self.play.dealing.obligations.clear()

    def read(self, entry: Entry) -> object:
        """The value of an entry of the current step.

        Raises:
            PeerError: it has none; the seat that signed it is to blame.
        """
        step = self.step
        assert step is not None, "nothing is read when the game is over"
        text = misplaced(entry, self._at, step.kind, self.play.table)
        if text:
            raise self.blame(entry.seat, BrokenChain, text, [entry.raw])
        try:
            value = step.read(entry.seat, entry.body)
        except (ProofError, RulesError) as error:
            kind = BadProof if isinstance(error, ProofError) else IllegalMove
            raise self.blame(entry.seat, kind, str(error), [entry.raw]) from error
        if self.play.dealing is not None:
            fresh, self.play.dealing.obligations = self.play.dealing.obligations, []
            self.obligations += [(entry, obligation) for obligation in fresh]
        return value

    def drop(self, raws: list[bytes]) -> None:
        """Forget entries of the current step that do not hold."""
        self.entries.waiting.forget(lambda late: late.raw in raws)
        self._forget_values()

    def blame(
        self, seat: int, kind: type[PeerError], text: str, evidence: list[bytes] | None = None
    ) -> PeerError:
        """The verdict on a seat, to be raised."""
        player = self.roster.seats[seat]
        error = kind(player.identity, f"{player.shown_name}: {text}")
        error.seat, error.evidence = seat, evidence or []
        return error

    def verify_obligation(self, entry: Entry, obligation: Obligation) -> None:
        """Verify one postponed proof.  Safe in another thread: it touches no state.

        Raises:
            BadProof: it does not hold.
        """
        try:
            obligation.verify()
        except ProofError as error:
            raise self.blame(entry.seat, BadProof, str(error), [entry.raw]) from error

    # ---- out ----

    def write(self, action: Action | TakeBack | None = None, seat: int | None = None) -> Entry:
        """Sign the entry of the current step: mine, or that of an open `seat`.

        It enters the log when `keep` has taken it in.

        Raises:
            RulesError: `action` is not one of the seat's legal actions.
        """
        writer = self.me if seat is None else seat
        assert self.step is not None and writer is not None, "something is due of this seat"
        if self.has_written(writer):
            body = self._runner.body_of(writer)
        else:
            with self.play.writing_for(writer):
                body = self.step.write(action)
        author, said = (writer, self.seating.seat_epochs[writer]), [self.step.kind, body]
        return sign_entry(self._identity_of(writer), self.game_id, author, self._at, said)

    def has_written(self, seat: int | None = None) -> bool:
        """Whether what I, or an open `seat`, say in the current step was signed before a change.

        It answers the log before that, so it has to be signed once more, and nobody chooses again.
        """
        return self._runner.has_body(self.me if seat is None else seat)

    def _identity_of(self, seat: int) -> Identity:
        if seat in self.open_seats:
            return self.seating.open_identity_of(seat)
        assert self.identity is not None and seat == self.me, "nobody signs for another seat"
        return self.identity

    def due_open_seats(self) -> tuple[int, ...]:
        """The open seats of which an entry is due, that nothing forbids."""
        return tuple(seat for seat in self.waited_for() if seat in self.open_seats)

    def keep(self, entry: Entry) -> None:
        """Take in what I have just written; nobody has to verify that I signed it."""
        is_mine = entry.seat == self.me or entry.seat in self.open_seats
        assert is_mine and entry.height == self.height, "it is mine, and of the current step"
        self.entries.waiting.wait(entry)

    def view(self) -> View:
        """The table as I see it, with what I may do now."""
        seen = self.play.view()
        is_choice = self.step is not None and self.step.is_choice
        if seen.offers and not (is_choice and self.is_seated and self.me in self.waited_for()):
            return replace(seen, offers=())  # I have chosen, the others have not.
        return seen
