"""Players with a reason: one of three leaves when that pays, and comes back as soon as it may.

The games are as small as leaving allows, and nothing in them can be played well (`luck`).  So a bot
that takes the seat of who is gone loses nothing by it: whatever leaving gains shows.
"""

from __future__ import annotations

import random
from typing import Final

from core.determinization import observation_of
from p2p.base.roster import BotTerms, Replacement
from p2p.crypto.commitments import COMMITMENT_BYTES, draw_below, mix
from p2p.crypto.group import POINT_BYTES
from p2p.log.replica import Replica
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.luck import CARDS, HAND, HIGH_CARD, ODDS, SEATS, SIDES, scores_with, waits
from tests.p2p.room import Room, Terms

TRICKS: Final = ("none", "roll", "secret", "both", "false seal", "hand")
"""What a seat does: stays; leaves before a roll, or its number, is opened that does not suit it;
seals what nobody can open, itself included, and leaves when it is due: a 0 counts for it; or has
a card of the lower half."""


class Leaving(Room):
    """A table at which one seat leaves when that pays."""

    def __init__(self, seed: int, trick: str, *, is_escrowed: bool) -> None:
        replacement = Replacement(BotTerms("last", "steady", 1), is_escrowed=is_escrowed)
        self._game = HIGH_CARD if trick == "hand" else ODDS
        terms = Terms(replacement=replacement)
        super().__init__(SEATS, seed=seed, game=self._game.slug, terms=terms)
        self.me, self._trick = seed % SEATS, trick
        self.mine, self.times = self.replicas[self.me], 0
        self.is_gone = False

    def play(self) -> float:
        """My share of the win."""
        self.settle()
        while not self.replicas[0].is_over:
            if self.is_gone and self._may_return():
                self._return()
            ready = [each for each in self.replicas if each.may_write()]
            others = [each for each in ready if each is not self.mine]
            writer = self.rng.choice(others or ready)
            if writer is self.mine and self._wants_to_leave():
                self._leave()
                continue
            self.tell_all(self._say(writer))
            self.settle()
        table = self.replicas[0].play.table
        winners = self._game.winners(table)
        return (self.me in winners) / len(winners)

    def speak(self, replica: Replica) -> bool:
        """A bot plays as chance has it, by the lots that were drawn for it."""
        for seat in replica.due_open_seats():
            step, action = replica.step, None
            if step is not None and step.is_choice:
                play = replica.play
                seen = observation_of(play.table, play._dealing.observation, seat)
                legal = self._game.legal_actions(play.table, seat, seen)
                action = random.Random(play.decision_seed(seat)).choice(legal)
            replica.keep(replica.write(action, seat))
            return True
        return False

    def _say(self, writer: Replica) -> bytes:
        """What a seat writes now, honestly or not."""
        step = writer.step
        is_mine = writer is self.mine and step is not None and step.kind == "seal"
        if is_mine and self._trick == "false seal":
            return entry_with(writer, bytes(COMMITMENT_BYTES))
        return self.write(writer)

    # ---- going ----

    def _wants_to_leave(self) -> bool:
        step = self.mine.step
        if step is not None and step.kind == "choose" and self._trick == "hand":
            return waits(self.mine.play.table) and not self.times and self._card() < CARDS // 2
        if step is None or step.kind not in ("roll", "unseal"):
            return False
        if step.kind == "roll":
            return self._trick in ("roll", "both") and self._rolled() != self.me
        if self._trick in ("secret", "both"):
            return not scores_with(self._said(), self.me)
        return self._trick == "false seal"

    def _card(self) -> int:
        """The face of my card."""
        play = self.mine.play
        return play._dealing.observation[play.table.zones[HAND + self.me][0]]

    def _bodies(self) -> list[object]:
        """What all open, I among them."""
        at, epochs = self.mine.position, self.mine.seating.seat_epochs
        waiting = self.mine.entries.waiting
        entries = [waiting.answer_of(seat, epochs[seat], at) for seat in range(SEATS)]
        return [self.mine.write().body if entry is None else entry.body for entry in entries]

    def _rolled(self) -> int:
        shares = [body[:POINT_BYTES] for body in self._bodies() if isinstance(body, bytes)]
        return draw_below(mix(self.mine.play._context(0, "roll"), shares), SIDES)

    def _said(self) -> list[int]:
        return [body[0][2] for body in self._bodies() if isinstance(body, list)]

    def _leave(self) -> None:
        """Fall silent; the others agree on that."""
        self.times, self.is_gone = self.times + 1, True
        self.lose(self.me)
        self.remove(self.me)

    # ---- coming back ----

    def _may_return(self) -> bool:
        speaker = self.replicas[0]
        game, log, absent = speaker.log_game, speaker.tip, speaker.tip.absence_of(self.me)
        assert absent is not None, "it has gone"
        has_answered = game.answered(log, self.me) - absent.answered >= absent.times
        return game.is_between_requests(log) and has_answered and not speaker.offences

    def _return(self) -> None:
        self.catch_up(self.mine)
        self.give_back(self.mine)
        self.is_gone = False
