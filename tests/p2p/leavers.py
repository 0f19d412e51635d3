"""Players with a reason: one of three leaves when that pays, and comes back as soon as it may.

The game is as small as leaving allows.  In each of three rounds a roll gives one seat a point, and
then all say a number below three in secret: a seat has a point if it says one more than the next
seat did.  Nothing can be played well, so a bot that takes the seat of who is gone loses nothing by
it: whatever leaving gains shows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from core.game import Game, highest
from core.imagine import blindfold
from core.requests import Action, Over, Player, Request, Roll, Secret
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table
from p2p.base.roster import BotTerms, Replacement
from p2p.crypto.commitments import COMMITMENT_BYTES, draw_below, mix
from p2p.crypto.group import POINT_BYTES
from p2p.log.replica import Replica
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.room import Room, Terms

SEATS, SIDES, ROUNDS = 3, 3, 3
PHASE, LUCKY = 0, 1  # Counters, and behind them the points and what each seat has said.
POINTS, SAID = 2, 2 + SEATS
TRICKS: Final = ("none", "roll", "secret", "both", "false seal")
"""What a seat does: stays; leaves before a roll, or its number, is opened that does not suit it;
or seals what nobody can open, itself included, and leaves when it is due: a 0 counts for it."""


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    each = [f"seat{seat}.{what}" for what in ("points", "said") for seat in range(players)]
    places = [Place("board", Sight.EVERYONE)]
    table = Table(Layout(players, ("stone",), places, ["phase", "lucky", *each], options))
    table.lay_out(0, [0])
    return table


def advance(table: Table) -> Request:
    phase = table.counters[PHASE]
    table.counters[PHASE] += 1
    if phase % 2 and phase:
        table.counters[POINTS + table.rolled] += 1
        return Secret(tuple(range(SEATS)))
    if phase:
        said = table.counters[SAID:]
        for seat in range(SEATS):
            table.counters[POINTS + seat] += scores_with(said, seat)
    return Over() if phase == 2 * ROUNDS else Roll(SIDES)


def scores_with(said: list[int], seat: int) -> bool:
    """Whether a seat has a point when these numbers were said."""
    return said[seat] == (said[(seat + 1) % SEATS] + 1) % SIDES


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    return [Action("say", (), number) for number in range(SIDES)]


def apply(table: Table, player: Player, action: Action) -> None:
    if action.verb != "say" or action.cards or action.number >= SIDES:
        raise RulesError("one says a number")
    table.counters[SAID + player] = action.number


def describe(table: Table, action: Action, observation: Observation) -> str:
    return str(action.number)


def scores(table: Table) -> tuple[int, ...]:
    return tuple(table.counters[POINTS:SAID])


ODDS: Final = Game(
    slug="odds", players=range(SEATS, SEATS + 1), faces=("stone",), options=(),
    rules="Luck, and numbers below three.", setup=setup, advance=advance,
    legal_actions=legal_actions, apply=apply, claim=lambda *_: None, describe=describe,
    scores=scores, winners=lambda table: highest(scores(table)),
    phase=lambda table: str(table.counters[PHASE]),
)  # fmt: skip


class Leaving(Room):
    """A table at which one seat leaves when that pays."""

    def __init__(self, seed: int, trick: str, *, is_escrowed: bool) -> None:
        replacement = Replacement(BotTerms("last", "steady", 1), is_escrowed=is_escrowed)
        super().__init__(SEATS, seed=seed, game="odds", terms=Terms(replacement=replacement))
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
        winners = ODDS.winners(table)
        return (self.me in winners) / len(winners)

    def speak(self, replica: Replica) -> bool:
        """A bot plays as chance has it, by the lots that were drawn for it."""
        for seat in replica.unsaid():
            step, action = replica.step, None
            if step is not None and step.is_choice:
                play = replica.play
                seen = blindfold(play.table, play._dealing.observation, seat)
                legal = legal_actions(play.table, seat, seen)
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
        if step is None or step.kind not in ("roll", "unseal"):
            return False
        if step.kind == "roll":
            return self._trick in ("roll", "both") and self._rolled() != self.me
        if self._trick in ("secret", "both"):
            return not scores_with(self._said(), self.me)
        return self._trick == "false seal"

    def _bodies(self) -> list[object]:
        """What all open, I among them."""
        at, epochs = self.mine.position, self.mine.seating.epochs
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
        game, log, absent = speaker.played, speaker.tip, speaker.tip.absence_of(self.me)
        assert absent is not None, "it has gone"
        has_answered = game.answered(log, self.me) - absent.answered >= absent.times
        return game.is_between_requests(log) and has_answered and not speaker.offences

    def _return(self) -> None:
        self.catch_up(self.mine)
        self.give_back(self.mine)
        self.is_gone = False
