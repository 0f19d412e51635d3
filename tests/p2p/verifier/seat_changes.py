"""What follows when a seat changes hands: sections 18.3 and 18.4 of the protocol."""

from __future__ import annotations

from collections.abc import Callable

from tests.p2p.verifier.cards import JOINT, Cards
from tests.p2p.verifier.group import scalar
from tests.p2p.verifier.keys import Keys
from tests.p2p.verifier.log import Entry
from tests.p2p.verifier.members import Change, Members
from tests.p2p.verifier.reading import Reading, Void
from tests.p2p.verifier.values import need

HIDDEN_MAX = 1024  # Cards, where a key is lost.


class SeatChanges:
    """What becomes of the keys of those who have gone."""

    def __init__(self, reading: Reading, keys: Keys, cards: Cards, members: Members) -> None:
        self.reading, self.keys, self.cards, self.members = reading, keys, cards, members
        self.lost: set[int] = set()  # Whose cards have to be dealt anew.
        self.keyless: set[int] = set()  # Whose key is being put together.
        self.is_void = False
        self.void_choice_of: Callable[[int], None] = lambda seat: None

    def change_hands(self, entry: Entry) -> None:
        """A change stands in the log; raises `Void` if nothing counts of the current step."""
        need(self.keys.publics, "nobody replaces a seat that has no key yet")
        if entry.kind == "restore":
            self.check_place(entry)
        change = self.members.take(entry)
        verb = "is back" if change.reason == "restore" else f"has gone ({change.reason})"
        who = ", ".join(f"seat {seat}" for seat in change.gone or [change.seat])
        self.reading.told.append((change.end, f"{who} {verb}"))
        if change.reason == "restore":
            self.keys.welcome(change.seat, change.key)
            self.reading.forget(change.seat)
            raise Void
        stays = self.reading.due in ("roll", "lot", "unseal")  # It follows from keys (18.3).
        self.is_void |= change.reason == "convicted" and not stays
        self.is_void |= bool(self.cards.unproven & {*change.gone})
        unsteady = {*self.keys.returning, *self.reading.bound}
        self.is_void |= any(seat in unsteady for seat in change.gone)
        bots = [seat for seat in change.gone if self.reading.roster.bots[seat]]
        if any(seat in self.reading.lots_for for seat in bots):
            self.reading.lots_for = []
        self.replace(change)
        if self.is_void and not self.reading.is_signed:
            self.is_void = False
            self.cards.unproven.clear()
            for seat in change.gone:
                self.reading.forget(seat)
            raise Void

    def replace(self, change: Change) -> None:
        """All speak for those who have gone."""
        stay, waiting = list(self.reading.log.live), sorted({*change.gone, *self.keyless})
        secrets = {seat: self.secret_of(seat, change) for seat in waiting}
        unknown = [seat for seat in waiting if secrets[seat] is None]
        in_parts = [s for s in unknown if self.keys.is_in_parts(s, stay)]
        self.keyless.clear()
        for seat in waiting:
            if secrets[seat] is not None:
                self.keys.known(seat, secrets[seat])
        if len(waiting) == 1 and in_parts:
            (seat,) = self.keyless = set(in_parts)
            found = self.keys.put_together(seat)
            if self.keyless:  # Nobody else has gone meanwhile.
                self.keys.known(seat, found)
                self.keyless.clear()
            return
        self.check_loss(unknown, change)
        for seat in unknown:
            self.void_choice_of(seat)
            self.keys.lose(seat)
            self.reading.forget(seat)
            self.lost.add(seat)
            self.is_void = True

    def secret_of(self, seat: int, change: Change) -> int | None:
        """A key that is known: its owner was back and has shown no new one, or has given it."""
        if seat in self.keys.returning:
            return self.keys.secrets[seat]
        is_given = change.reason == "left" and seat == change.seat and change.key
        return scalar(change.key) if is_given else None

    def check_loss(self, unknown: list[int], change: Change) -> None:
        """Whether the others can go on without these keys."""
        if not unknown:
            return
        need(not self.reading.is_signed, "the result is signed, and a key is lost")
        enough = len(self.reading.log.live) > 1 or change.reason == "left"
        need(enough, "one alone goes on without a key that is lost")
        hidden = [card for card in self.cards.cards if card.holder != "open"]
        need(len(hidden) <= HIDDEN_MAX, "too many cards are hidden to be dealt anew")
        proven = self.reading.rules.narrow(self.reading.events)
        joint = [card for card in proven if self.cards.cards[card].holder == JOINT]
        need(not joint, "claims have shown what nobody holds any more")

    def check_place(self, entry: Entry) -> None:
        """Section 18.4: where a seat may go back."""
        seat, log = entry.seat, self.reading.log
        gone = [c for c in self.members.changes if seat in c.gone]
        since = log.entries[gone[-1].end : log.height] if gone else []
        chosen = [e for e in since if e.seat == seat and e.kind in ("choose", "unseal")]
        is_between = self.reading.due == "choose" or (
            self.reading.due == "seal" and not self.reading.seals
        )
        fits = is_between and len(chosen) >= len(gone)
        need(fits, "a seat goes back where it may not")
