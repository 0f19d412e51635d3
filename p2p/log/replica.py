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
from p2p.game.steps import Convicted, Obligation, SeatLost, SeatSecrets, Step, TakeBack
from p2p.log.acks import Acks
from p2p.log.entries import Entries
from p2p.log.membership.log import StepItem, empty_log, written
from p2p.log.membership.messages import Ack
from p2p.log.membership_change import (
    RESTORE,
    check_change,
    check_votes,
    lacks_end,
    log_behind,
    lose_key,
)
from p2p.log.seating import SeatEvent, Seating, shown_by
from p2p.log.votes import CONVICTED, REPLACE, Votes


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
        self._values: list[object] | None = None  # Of the open step, once it is read.
        self._bodies: dict[int, object] = {}  # What I wrote in it before a seat changed hands.
        self.votes = Votes(self.game_id, [seat.identity for seat in roster.seats], self.me)
        self.seating = Seating(roster)
        self.acks = Acks(self.entries.heads)
        self._settled = 0  # The greatest height at which all others had my very log.
        self.tip = empty_log(self.game_id, self.play.live)  # The log, as membership sees it.
        self._at = Position(0, self.head, self.play.digest())
        self._script = self.play.script()
        self.step: Step | None = next(self._script)
        self.votes.open(self._at)

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
        """How many entries the log has at the start of the open step."""
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
        return self.me is not None and self.me not in self.open_seats

    def waited_for(self) -> tuple[int, ...]:
        """The seats whose entry of the open step is missing."""
        writers = () if self.step is None else self.step.writers
        return tuple(seat for seat in writers if not self.holds(seat))

    def _answer_of(self, seat: int) -> Entry | None:
        """A seat's entry of the open step, if it is here."""
        return self.entries.waiting.answer_of(seat, self.seating.epochs[seat], self._at)

    def holds(self, seat: int) -> bool:
        """Whether a seat's entry of the open step is here."""
        return self._answer_of(seat) is not None

    def waits_for(self, seat: int) -> bool:
        """Whether the open step needs something of another seat that is not here."""
        return seat in self.waited_for() or (self.needs_acks() and not self.has_acked(seat))

    def may_write(self) -> bool:
        """Whether my entry is due now and nothing forbids it (see `needs_acks`)."""
        if self.step is None or not self.is_seated or self.me not in self.waited_for():
            return False
        if not self.play.has_key or self.is_held or lacks_end(self):
            return False
        return not self.needs_acks() or self.is_agreed()

    def needs_acks(self) -> bool:
        """Whether the open step answers what somebody else has written.

        The barrier: nobody answers a log before every seat says that it has the same one.  So who
        tells two seats two things parts their logs by its own last entries, on which nobody has
        built.  What open seats say follows from the log.
        """
        step = self.step
        if step is None or not self.log or step.writers == (self.tip.author,):
            return False
        return any(seat not in self.open_seats for seat in step.writers)

    @property
    def settled(self) -> int:
        """Where all others last had my log, as I know: it never goes back below that."""
        return self.height if self.is_agreed() else self._settled

    # ---- in ----

    def acknowledge(self, ack: Ack) -> None:
        """Note what a seat says of its log."""
        self.acks.receive(ack, self.height)
        self._settled = self.settled

    def disagreeing(self) -> tuple[int, ...]:
        """The seats that answer, or say they have, another log; maybe a third told us two."""
        acks = self.acks.at(self.height)
        return tuple(
            seat
            for seat in self.play.live
            if seat not in self.guilty
            if (seat in acks and not self.has_acked(seat)) or self.entries.parted_of(seat)
        )

    def pending(self) -> list[bytes]:
        """The entries that are here but not in the log yet; anybody may pass them on."""
        return [entry.raw for entry in self.entries.waiting]

    def has_acked(self, seat: int) -> bool:
        """Whether a seat has said that it has this very log, or nothing is in it."""
        return self.tip.below is None or self.acks.has(seat, self.tip)

    def is_agreed(self) -> bool:
        """Whether every other seat, but a cheater, has said that it has this very log."""
        return all(self.has_acked(seat) for seat in self.others if seat not in self.guilty)

    @property
    def is_held(self) -> bool:
        """Whether a cheater still sits here: nothing more is written, no step closed."""
        return any(seat in self.play.live for seat in self.guilty)

    @property
    def may_close(self) -> bool:
        """Whether nothing holds the step open, or an honest seat has closed it."""
        return not self.is_held or self.acks.has_beyond(self.height, self.guilty)

    def receive(self, raw: bytes) -> Entry | None:
        """Take in an entry, whoever brought it.  None when it is known, or counts no more.

        Raises:
            MalformedFrame, BadSignature: whoever brought it is to blame.
            Equivocation: the seat that signed it is.
        """
        return self.take_in(parse_entry(raw))

    def take_in(self, entry: Entry) -> Entry | None:
        """Take in an entry that is parsed, as `receive` does."""
        if entry.game != self.game_id or entry.seat >= len(self.seats):
            raise MalformedFrame("the entry belongs to another game")
        known = self.entries.known_for(entry)
        if known is not None and known.hash == entry.hash:
            return None
        check_signature(entry, self.seating.signer(entry.seat, entry.epoch))
        is_owned = self.seating.is_owned(entry.seat, entry.epoch)
        if entry.kind in (REPLACE, RESTORE) and not is_owned:
            return self._change_membership(entry)
        if known is not None and not is_owned:
            raise MalformedFrame("anybody can sign for this seat")
        if known is not None and entry.seat in self.guilty:
            return self._exchange(entry)
        if known is not None:
            text = "signed two entries that answer one log"
            raise self.blame(entry.seat, Equivocation, text, [known.raw, entry.raw])
        if self._is_void(entry):
            self._recall(entry)
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
        return self.entries.is_void(entry, self.seating.epochs[entry.seat])

    def _recall(self, entry: Entry) -> None:
        """What I wrote in the open step before a seat changed hands there stays what I say."""
        is_mine = entry.seat == self.me and entry.epoch == self.seating.epochs[entry.seat]
        if is_mine and self.play.height <= entry.height and self.step is not None:
            self._bodies.setdefault(entry.seat, entry.body)

    def advance(self) -> bool:
        """Close the open step if all its entries are here and hold.  True when it did.

        Proofs that take long become `obligations`; the step closes when they have been verified.

        Raises:
            PeerError: an entry of the step is against the protocol or the rules.  It is not in
                the log, and comes with the error.
        """
        is_bound = any(self.votes.bound()) or not self.may_close
        if self.step is None or self.waited_for() or is_bound:
            return False
        entries = [cast("Entry", self._answer_of(seat)) for seat in self.step.writers]
        if self._values is None:
            self._forget_values()
            self._values = [self._read(entry) for entry in entries]
        if self.obligations:
            return False
        values, self._values = self._values, None
        self._settled = self.settled
        self.tip = self.tip.with_step(StepItem(tuple(map(written, entries))), self.step.writers)
        self.entries.append(entries, self.head)
        self.play.height, self._bodies = self.height, {}
        self._go_on(tuple(values))
        self._open_step()
        self._note_offences()
        return True

    def _note_offences(self) -> None:
        """Name who did what the log shows by now, but not by a step that is open."""
        for offence in self.play.offences:
            raws, kind = shown_by(offence, self.log), (IllegalMove, BadProof)[offence.is_sealed]
            if raws and (offence.is_sealed or offence.seat not in self.open_seats):
                self.offences.append(self.blame(offence.seat, kind, offence.text, raws))
        self.play.offences.clear()

    def _open_step(self) -> None:
        """The next step is open at the end of the log."""
        self._at = Position(self.height, self.head, self.play.digest())
        self.entries.waiting.forget(lambda late: late.height < self._settled or self._is_void(late))
        self.acks.forget(self.height)
        self.votes.open(self._at)

    def become(self, past: Replica) -> None:
        """Be as `past`, which has the first entries of my log; what came later waits again."""
        late = [entry for entry in [*self.log[past.height :], *self.entries.waiting]
                if self.seating.is_owned(entry.seat, entry.epoch)]  # fmt: skip
        acks, votes, guilty, settled = self.acks, self.votes, self.guilty, self._settled
        vars(self).update(vars(past))
        self._settled = min(settled, self.height)
        for entry in late:
            if self.entries.known_for(entry) is None and not self._is_void(entry):
                self.entries.waiting.wait(entry)
        self.acks.update(acks)
        self.votes, self.guilty = votes, guilty
        votes.open(self._at)

    # ---- seats that change hands ----

    def _change_membership(self, entry: Entry) -> Entry | None:
        """Begin to speak for a seat, if all others agree.  None if that is about another step.

        Raises:
            MalformedFrame: nobody may do that here; whoever brought it is to blame.
            Equivocation: a seat agreed, and told us the opposite.
        """
        seat, is_restored = entry.seat, entry.kind == RESTORE
        number = check_votes(self, entry, self.entries.logged_for(entry))
        if not is_answer(entry, self._at) or (is_restored and self.votes.binds_me(seat)):
            return None
        secret = check_change(self, entry)
        is_void = secret is None or number >= CONVICTED or seat in self.play.returning
        if secret is None and not is_restored:
            lose_key(self, seat)
        self._keep_bodies()
        self._bodies.pop(seat, None)
        self.tip = log_behind(self, entry)
        self.entries.append([entry], self.head)
        self._forget_values()
        self.seating.change(seat, SeatEvent(entry.kind))
        if is_restored:
            self.play.welcome(seat)
        elif secret is not None:
            self.play.open_seat(seat, secret)
        if is_void:
            self.play.disown(seat)
            self._begin_anew()
        self._open_step()
        return entry

    def _keep_bodies(self) -> None:
        """A seat changes hands: what I have written in the open step stays what I say there."""
        for seat in {self.me, *self.open_seats} & set(self.step.writers if self.step else ()):
            entry = None if seat is None else self._answer_of(seat)
            if entry is not None:
                self._bodies[entry.seat] = entry.body

    def _begin_anew(self) -> None:
        """Leave the open step, in which nothing counts: it needs a lost key, or may be bent.

        Where it stays open, its context does too (`Play.height`), and so does what was written in
        it: everybody signs that once more, in answer to the change.
        """
        assert self.step is not None, "a seat is gone at an open step"
        self.play.height, self._bodies = self.height, {}
        self.step = self._script.throw(SeatLost())

    def _go_on(self, values: tuple[object, ...]) -> None:
        """Hand the values of a step to the script, which yields the next one.

        Raises:
            PeerError: they do not fit together.
        """
        try:
            self.step = self._script.send(values)
        except StopIteration:
            self.step = None
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
        """Read the open step again: somebody else writes in it, or it is another one."""
        self._values = None
        self.obligations.clear()
        if self.play.dealing is not None:
            self.play.dealing.obligations.clear()

    def _read(self, entry: Entry) -> object:
        """The value of an entry.

        Raises:
            PeerError: it has none; the seat that signed it is to blame.
        """
        self._check_place(entry)
        step = self.step
        assert step is not None, "nothing is read when the game is over"
        try:
            value = step.read(entry.seat, entry.body)
        except (ProofError, RulesError) as error:
            kind = BadProof if isinstance(error, ProofError) else IllegalMove
            raise self.blame(entry.seat, kind, str(error), [entry.raw]) from error
        if self.play.dealing is not None:
            fresh, self.play.dealing.obligations = self.play.dealing.obligations, []
            self.obligations += [(entry, obligation) for obligation in fresh]
        return value

    def _check_place(self, entry: Entry) -> None:
        """The entry was written in the state in which we are."""
        assert self.step is not None, "nothing is checked when the game is over"
        text = misplaced(entry, self._at, self.step.kind, self.play.table)
        if text:
            raise self.blame(entry.seat, BrokenChain, text, [entry.raw])

    def drop(self, raws: list[bytes]) -> None:
        """Forget entries of the open step that do not hold."""
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

    def settle_obligation(self, entry: Entry, obligation: Obligation) -> None:
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
        """Sign the entry of the open step: mine, or that of an open `seat`.

        It enters the log when `keep` has taken it in.

        Raises:
            RulesError: `action` is not one of the seat's legal actions.
        """
        writer = self.me if seat is None else seat
        assert self.step is not None and writer is not None, "something is due of this seat"
        if self.has_written(writer):
            body = self._bodies[writer]
        else:
            with self.play.speaking_for(writer):
                body = self.step.write(action)
        author, said = (writer, self.seating.epochs[writer]), [self.step.kind, body]
        return sign_entry(self._identity_of(writer), self.game_id, author, self._at, said)

    def has_written(self, seat: int | None = None) -> bool:
        """Whether what I, or an open `seat`, say in the open step was signed before a change.

        It answers the log before that, so it has to be signed once more, and nobody chooses again.
        """
        return (self.me if seat is None else seat) in self._bodies

    def _identity_of(self, seat: int) -> Identity:
        if seat in self.open_seats:
            return self.seating.open_identity_of(seat)
        assert self.identity is not None and seat == self.me, "nobody signs for another seat"
        return self.identity

    def unsaid(self) -> tuple[int, ...]:
        """The open seats of which an entry is due, that nothing forbids."""
        return tuple(seat for seat in self.waited_for() if seat in self.open_seats)

    def keep(self, entry: Entry) -> None:
        """Take in what I have just written; nobody has to verify that I signed it."""
        is_mine = entry.seat == self.me or entry.seat in self.open_seats
        assert is_mine and entry.height == self.height, "it is mine, and of the open step"
        self.entries.waiting.wait(entry)

    def view(self) -> View:
        """My picture of the table, with what I may do now."""
        picture = self.play.view()
        is_open = self.step is not None and self.step.is_choice
        if picture.offers and not (is_open and self.is_seated and self.me in self.waited_for()):
            return replace(picture, offers=())  # I have chosen, the others have not.
        return picture
