"""A room of replicas without a network: every entry reaches everybody, in an order of ours."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from core.games import find_game
from core.imagine import blindfold
from core.requests import Action
from core.table import OptionValue
from p2p.base.clock import TimeControl
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, Replacement, Roster, Seat, rules_id
from p2p.log.membership_change import RESTORE
from p2p.log.replica import Replica
from p2p.log.votes import REPLACE
from tests.p2p.acknowledging import claimed

BOT_TERMS = BotTerms("hostless 6", "steady", 10)
Chooser = Callable[[Replica, list[Action]], Action]


@dataclass
class MemoryVault:
    """A file of secrets that a test can look into."""

    seed: bytes
    hidden: dict[int, Sequence[object]] = field(default_factory=dict)

    def remember(self, height: int, value: Sequence[object]) -> None:
        """Keep it in memory."""
        self.hidden[height] = value

    def recall(self, height: int) -> Sequence[object]:
        """Give it back."""
        return self.hidden[height]


def make_roster(
    game: str,
    identities: list[Identity],
    options: Mapping[str, OptionValue] | None = None,
    bots: Collection[int] = (),
    bot_terms: BotTerms = BOT_TERMS,
) -> Roster:
    """A roster with seats named a, b, c, d, some of them bots of ours with this mind."""
    seats = tuple(
        Seat(
            identity.public,
            "abcd"[index],
            bytes([index]) * 32,
            bot_terms if index in bots else None,
        )
        for index, identity in enumerate(identities)
    )
    chosen = tuple((options or {}).items())
    return Roster(game, rules_id(find_game(game)), chosen, "test table", seats)


class Terms(NamedTuple):
    """Who is a bot, whether everybody opens the own key at the end, and how bots decide."""

    bots: Collection[int] = ()
    opens_hands: bool = False
    replacement: Replacement | None = None
    bot_terms: BotTerms = BOT_TERMS
    clock: TimeControl | None = None


class Room:
    """Replicas of one game that hear everything."""

    def __init__(
        self,
        players: int = 2,
        options: Mapping[str, OptionValue] | None = None,
        seed: int = 0,
        game: str = "carta",
        terms: Terms | None = None,
    ) -> None:
        self.rng = random.Random(seed)
        self.identities = [Identity.generate() for _ in range(players)]
        bots, opens_hands, replacement, bot_terms, clock = terms or Terms()
        roster = make_roster(game, self.identities, options, bots, bot_terms)
        agreed = replace(roster, opens_hands=opens_hands, replacement=replacement)
        self.roster = replace(agreed, clock=clock)
        self.vaults = [MemoryVault(self.rng.randbytes(32)) for _ in range(players)]
        self.replicas = [
            Replica(self.roster, identity, secrets)
            for identity, secrets in zip(self.identities, self.vaults, strict=True)
        ]
        self.chooser: Chooser = lambda replica, actions: self.rng.choice(actions)

    def tell_all(self, raw: bytes) -> None:
        """Bring an entry to everybody."""
        for replica in self.replicas:
            replica.receive(raw)

    def settle(self) -> None:
        """Let every replica verify, advance and say its head until nothing moves."""
        moved = True
        while moved:
            moved = False
            for replica in self.replicas:
                self.verify(replica)
                while replica.advance() or replica.obligations or self.speak(replica):
                    moved = True
                    self.verify(replica)
            for replica in self.replicas:
                for other in self.replicas:
                    if other.needs_acks() and other.me is not None and other.is_seated:
                        replica.acknowledge(claimed(other, other.me, other.height, other.head))

    def speak(self, replica: Replica) -> bool:
        """Let a replica write what open seats say; each of them does the first thing allowed."""
        step, play = replica.step, replica.play
        for seat in replica.unsaid():
            action = None
            if step is not None and step.is_choice:
                assert play.dealing is not None
                observation = blindfold(play.table, play.dealing.observation, seat)
                action = play.game.legal_actions(play.table, seat, observation)[0]
            replica.keep(replica.write(action, seat))
            return True
        return False

    def verify(self, replica: Replica) -> None:
        """Verify the postponed proofs of one replica."""
        while replica.obligations:
            replica.settle_obligation(*replica.obligations.pop(0))

    def catch_up(self, owner: Replica) -> None:
        """Let the machine of a seat that was gone follow the log of the others."""
        for entry in self.replicas[0].log[owner.height :]:
            if entry.seat not in owner.open_seats or entry.kind in (REPLACE, RESTORE):
                owner.receive(entry.raw)
            self.verify(owner)
            while owner.advance() or owner.obligations or self.speak(owner):
                self.verify(owner)

    def writer(self) -> Replica | None:
        """Somebody whose entry is due."""
        ready = [replica for replica in self.replicas if replica.may_write()]
        return self.rng.choice(ready) if ready else None

    def write(self, replica: Replica) -> bytes:
        """Make the due entry of a replica."""
        assert replica.step is not None
        action = None
        if replica.step.is_choice:
            action = self.chooser(replica, [offer.action for offer in replica.view().offers])
        return replica.write(action).raw

    def run(self, until: Callable[[Replica], bool] = lambda replica: replica.is_over) -> None:
        """Play on until `until` holds for the first replica, or nobody has anything to write."""
        self.settle()
        while not until(self.replicas[0]):
            replica = self.writer()
            if replica is None:
                return
            self.tell_all(self.write(replica))
            self.settle()
