"""Who decides at one machine: its person or bot, and whatever thinks for open seats.

Whoever plays is asked with a `DecisionPoint` and answers whenever it likes.  An answer belongs to
the head of the log at which it was asked for; one to an older question is dropped.  While others
choose, bots get ready.

Whoever comes back takes the choices of open seats from the log of the others
(`p2p.session.catching_up`).  `Checking` makes a sample of these choices again, once nobody waits
for that, and nobody can know beforehand which.  If one comes out otherwise, all who were there have
agreed on a wrong choice, and the person is told at which entry of the file; all have signed it.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

import trio

from core.bot_levels import LEVEL_NAMES
from core.determinization import observation_of
from core.game import Game
from core.plain import parse_action
from core.requests import Action
from core.table import Table
from p2p.base.entry import Entry
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.game.equivalents import canonical
from p2p.game.hurry import WHOLE
from p2p.log.replica import Replica
from p2p.session.news import News, Notice
from p2p.session.table import Inbox

Chooser: TypeAlias = Callable[[DecisionPoint], Awaitable[Action]]
Preparer: TypeAlias = Callable[[Game, Table, BotTerms], Awaitable[None]]
CHECKS_MAX: Final = 16  # Of how many choices a game keeps what is needed to make them again,
PAUSE_S: Final = 5.0  # and how long it rests before each: a person plays meanwhile.
HASTY_ITERATIONS: Final = 20  # Of a bot that chooses for a person without time.


def whole() -> int:
    """What somebody says of its next choices who is never in a hurry."""
    return WHOLE


class Players(NamedTuple):
    """Who decides at this machine where no screen does."""

    mine: Chooser | None = None
    of_open_seats: Chooser | None = None  # What every machine works out for itself.
    wake: Callable[[], Awaitable[None]] | None = None  # Gets what thinks for open seats ready.
    next_part: Callable[[], int] = whole  # How hurried mine is: see `p2p.game.hurry`.
    prepare: Preparer | None = None  # What bots find out once in a game, beforehand.


ONLY_A_SCREEN: Final = Players()  # A person decides, and nothing else does.


class Deciding:
    """Who was asked, and what they have answered."""

    def __init__(self, replica: Replica, players: Players, inbox: Inbox) -> None:
        """Answers come through the inbox, as `decided`: open seat or None for mine, action, head.

        My own seat may become an open one at the very step at which I have answered: what
        everybody works out for it is another answer.
        """
        self._replica, self._players, self._inbox = replica, players, inbox
        self._answers: dict[int | None, tuple[Action, bytes]] = {}  # And the head they are made at.
        self._mine_after = 0  # Events there were when I answered.
        self._asked: dict[int | None, bytes] = {}  # The head at which each was asked last.
        self._hastened = b""  # The head at which a bot was asked last for mine.
        self._prepared: set[int] = set()  # Bots that got ready since they answered last.

    def note(self, seat: int | None, action: Action, head: bytes) -> None:
        """I have answered, or whatever thinks for an open seat has, at this head."""
        if head != self._replica.position.head and self.answer_of(seat) is not None:
            return  # It thought longer, and of a moment before.
        self._answers[seat] = action, head
        if seat is None:
            self._mine_after = len(self._replica.play.events)
            self._prepared.clear()  # What was not known yet may be.

    def lose(self) -> bool:
        """Forget my answer where another head than that it was made at asks the same once more."""
        _, head = self._answers.get(None, (None, self._replica.position.head))
        if head == self._replica.position.head or self._players.mine is not None:
            return False
        del self._answers[None]
        return self._mine_after == len(self._replica.play.events)

    def answer_of(self, seat: int | None) -> Action | None:
        """What I have answered at the current step, or what was for an open seat."""
        action, head = self._answers.get(seat, (None, b""))
        return action if head == self._replica.position.head else None

    def take(self) -> Action | None:
        """What I have answered at the current step, which is used up by that."""
        action = self.answer_of(None)
        if action is not None:
            del self._answers[None]
        return action

    def ask(self, nursery: trio.Nursery) -> None:
        """Let a player without a screen decide for my seat, without holding up the table."""
        replica, player = self._replica, self._players.mine
        is_due = replica.step is not None and replica.step.is_choice and replica.may_write()
        if player is not None and is_due:
            assert replica.me is not None, "a choice is somebody's"
            self._ask(nursery, player, None, replica.me)

    def prepare(self, nursery: trio.Nursery) -> None:
        """While others choose, let the bots of this machine get ready for their next choice."""
        replica, prepare = self._replica, self._players.prepare
        if prepare is None or replica.step is None or not replica.step.is_choice:
            return
        bots = set(replica.open_seats)
        if self._players.mine is not None and replica.me is not None:
            bots.add(replica.me)
        for seat in sorted(bots - self._prepared - set(replica.waited_for())):
            self._prepared.add(seat)
            bot_terms = replica.seating.bot_terms_of(seat)
            if bot_terms is not None and bot_terms.iterations:  # No foreign program.
                play = replica.play
                nursery.start_soon(prepare, play.game, play.table.copy(), bot_terms)

    def choose_hastily(self, nursery: trio.Nursery) -> bool:
        """Let the bot of empty seats choose for mine, once at each head.  True if it begins to."""
        player, replacement = self._players.of_open_seats, self._replica.roster.replacement
        head, me = self._replica.position.head, self._replica.me
        if player is None or replacement is None or me is None or head == self._hastened:
            return False
        self._hastened, bot = head, replacement.bot_terms
        hasty = replace(bot, level=LEVEL_NAMES[0], iterations=HASTY_ITERATIONS)
        turn = replace(decision_point_of(self._replica, me), bot_terms=hasty)
        nursery.start_soon(self._decide, player, turn, None, head)
        return True

    def think_for(self, seat: int, nursery: trio.Nursery) -> None:
        """Work out what an open seat does, without holding up the table."""
        player = self._players.of_open_seats
        assert player is not None, "whoever cannot think for open seats does not sit down"
        self._ask(nursery, player, seat, seat)

    def _ask(self, nursery: trio.Nursery, player: Chooser, asked: int | None, seat: int) -> None:
        head = self._replica.position.head
        if self._asked.get(asked) != head:
            self._asked[asked] = head
            turn = decision_point_of(self._replica, seat)
            nursery.start_soon(self._decide, player, turn, asked, head)

    async def _decide(
        self, player: Chooser, turn: DecisionPoint, asked: int | None, head: bytes
    ) -> None:
        action = await player(turn)
        if asked is None:
            self._replica.play.next_part = self._players.next_part()
        await self._inbox.send((None, ["decided", asked, action, head]))


def decision_point_of(replica: Replica, seat: int) -> DecisionPoint:
    """The current choice of a seat whose key the replica knows."""
    play, dealing = replica.play, replica.play.dealing
    assert dealing is not None and seat in dealing.secrets, "this seat's cards can be read"
    table = play.table.copy()
    observation = observation_of(table, dealing.observation, seat)
    seed, bot_terms = play.decision_seed(seat), replica.seating.bot_terms_of(seat)
    event_count, part = len(play.events), play.part_of(seat)
    return DecisionPoint(play.game, table, observation, seat, event_count, seed, bot_terms, part)


class Checking:
    """A sample of the choices that were taken over, still to be made again."""

    def __init__(
        self, replica: Replica, player: Chooser | None, publish: Callable[[News], object]
    ) -> None:
        """`player` thinks for open seats; the sample is drawn by a chance of this machine."""
        self._replica, self._player, self._publish = replica, player, publish
        self._chance = random.SystemRandom()
        self._sample: list[tuple[int, DecisionPoint, Action]] = []  # With the place of the entry.
        self._met = 0  # Choices that were taken over.
        self._is_due = trio.Event()

    def note(self, entry: Entry) -> None:
        """An entry of an open seat is taken over at the current step; not every one is kept."""
        if entry.kind != "choose" or entry.seat not in self._replica.open_seats:
            return
        self._met += 1
        at = len(self._sample)
        if at == CHECKS_MAX:
            at = self._chance.randrange(self._met)
        match entry.body:
            case [value, bytes()] if at < CHECKS_MAX:
                turn = decision_point_of(self._replica, entry.seat)
                kept = (self._replica.height, turn, parse_action(value))
                self._sample[at : at + 1] = [kept]
                self._is_due.set()

    async def run(self) -> None:
        """Make the choices of the sample again, whenever my seat is mine; never ends by itself."""
        while self._player is not None:
            await self._is_due.wait()
            await trio.sleep(PAUSE_S)
            if self._replica.is_seated:
                await self._check(self._player, *self._sample.pop())
            if not self._sample:
                self._is_due = trio.Event()

    async def _check(
        self, player: Chooser, height: int, turn: DecisionPoint, chosen: Action
    ) -> None:
        due = await player(turn)
        game, table, observation = turn.game, turn.table, turn.observation
        if canonical(game, table, observation, due) == canonical(game, table, observation, chosen):
            return
        name = self._replica.roster.seats[turn.seat].shown_name
        told = game.describe(table, chosen, observation), game.describe(table, due, observation)
        text = f"entry {height}: the bot in the seat of {name} chose {told[0]}, and not {told[1]}"
        self._publish(Notice(text, "all others had agreed; keep the file, it proves it"))
