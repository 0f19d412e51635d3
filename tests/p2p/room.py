"""A room of replicas without a network: every entry reaches everybody, in an order of ours."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.determinization import observation_of
from core.games import find_game
from core.requests import Action
from core.table import OptionValue
from p2p.base.clock import TimeControl
from p2p.base.entry import Entry
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, Replacement, Roster, Seat, rules_id
from p2p.crypto.entropy import fresh_bytes
from p2p.crypto.group import base, scalar_to_bytes
from p2p.log.membership.log import ChangeItem, signed_raw
from p2p.log.membership.messages import (
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Change,
    Farewell,
    RestoreWish,
    sign_as,
)
from p2p.log.membership_change import is_change
from p2p.log.notes import InForceNote
from p2p.log.replica import Replica
from tests.p2p.acknowledging import acknowledging

BOT_TERMS = BotTerms("hostless 18", "steady", 10)
Chooser = Callable[[Replica, list[Action]], Action]


@dataclass
class MemoryVault:
    """A secrets file that a test can look into."""

    seed: bytes
    hidden: dict[int, Sequence[object]] = field(default_factory=dict)
    entries: list[bytes] = field(default_factory=list)  # That this seat has signed.

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
    sponsors: Mapping[int, int] = {}  # Who runs which bot, by seat.


def with_sponsors(roster: Roster, sponsors: Mapping[int, int]) -> Roster:
    """The roster with some seats as bots that somebody at the table runs."""
    seats = list(roster.seats)
    for bot, owner in sponsors.items():
        seats[bot] = replace(
            seats[bot], bot_terms=BOT_TERMS, sponsor=roster.seats[owner].identity
        )
    return replace(roster, seats=tuple(seats))


def _new_identity() -> Identity:
    """Somebody new, or who a test that draws all secrets from a seed has had before."""
    return Identity(Ed25519PrivateKey.from_private_bytes(fresh_bytes(32)))


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
        self.identities = [_new_identity() for _ in range(players)]
        bots, opens_hands, replacement, bot_terms, clock, sponsors = terms or Terms()
        roster = make_roster(game, self.identities, options, bots, bot_terms)
        agreed = replace(roster, opens_hands=opens_hands, replacement=replacement)
        self.roster = with_sponsors(replace(agreed, clock=clock), sponsors)
        self.vaults = [MemoryVault(self.rng.randbytes(32)) for _ in range(players)]
        self.replicas = [
            Replica(self.roster, identity, secrets)
            for identity, secrets in zip(self.identities, self.vaults, strict=True)
        ]
        self.chooser: Chooser = lambda replica, actions: self.rng.choice(actions)
        self.notes: list[InForceNote] = []  # By whom each change of members is in force.

    def tell_all(self, raw: bytes) -> None:
        """Bring an entry to everybody."""
        for replica in self.replicas:
            replica.receive(raw)

    # ---- seats that change hands ----

    def here(self) -> list[Replica]:
        """The machines of the seats that are live."""
        return [each for each in self.replicas if each.is_seated]

    def lose(self, gone: int) -> None:
        """A machine is switched off, whatever it was about to do."""
        self.replicas = [each for each in self.replicas if each.me != gone]

    def change(self, change: Change, proof: Sequence[bytes] = (), number: int = 0) -> Entry:
        """Let everybody go on with other members, as all have agreed, and acknowledge that."""
        decided = ChangeItem(self.replicas[0].head, change, number)
        for replica in self.replicas:
            replica.change(decided)
        log = self.replicas[0].tip
        acks = tuple(acknowledging(log, seat, self.identities[seat]) for seat in log.members)
        ordered = tuple(sorted(acks, key=lambda ack: ack.seat))
        self.notes.append(InForceNote(log.height, ordered, tuple(proof)))
        entry = self.replicas[0].log[-1]
        self.settle()
        return entry

    def remove(self, gone: int, reason: str = REASON_SILENT, proof: Sequence[bytes] = ()) -> Entry:
        """Let everybody go on without a seat, whose key nobody gives."""
        return self.change(Change(gone, reason), proof)

    def farewell(self, gone: int, secret: int | None = None) -> Farewell:
        """What a seat says that leaves, with its key if it gives that."""
        key = b"" if secret is None else scalar_to_bytes(secret)
        first = self.replicas[0]
        return sign_as(self.identities[gone], first.game_id, Farewell(first.tip.epoch, gone, key))

    def leave(self, gone: int, secret: int | None = None) -> Entry:
        """Let everybody go on without a seat that has left, and may have given its key."""
        said = self.farewell(gone, secret)
        return self.change(Change(gone, REASON_LEFT, said.key), [signed_raw(said)])

    def wish(self, owner: Replica) -> RestoreWish:
        """What the owner of a seat says to have it back."""
        assert owner.identity is not None and owner.me is not None, "it has had a seat"
        epoch = self.replicas[0].tip.epoch
        key = base(owner.play.new_secret(epoch)).encoded
        return sign_as(owner.identity, owner.game_id, RestoreWish(epoch, owner.me, key))

    def give_back(self, owner: Replica) -> Entry:
        """Give a seat back to its owner, who has caught up and is there from now on."""
        said = self.wish(owner)
        if owner not in self.replicas:
            self.replicas.insert(min(said.seat, len(self.replicas)), owner)
        return self.change(Change(said.seat, REASON_RESTORE, said.key), [signed_raw(said)])

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
                    if other.tip.below is not None and other.me in other.play.live:
                        ack = acknowledging(other.tip, other.me)
                        replica.acks.receive(ack, replica.committed, replica.height)

    def speak(self, replica: Replica) -> bool:
        """Let a replica write what open seats say; each of them does the first thing allowed."""
        step, play = replica.step, replica.play
        for seat in replica.due_open_seats():
            action = None
            if step is not None and step.is_choice:
                assert play.dealing is not None
                observation = observation_of(play.table, play.dealing.observation, seat)
                action = play.game.legal_actions(play.table, seat, observation)[0]
            replica.keep(replica.write(action, seat))
            return True
        return False

    def verify(self, replica: Replica) -> None:
        """Verify the postponed proofs of one replica."""
        while replica.obligations:
            replica.verify_obligation(*replica.obligations.pop(0))

    def catch_up(self, owner: Replica) -> None:
        """Let the machine of a seat that was gone follow the log of the others."""
        for entry in self.replicas[0].log[owner.height :]:
            if is_change(entry):
                owner.take_in_logged(entry)
            elif entry.seat not in owner.open_seats:
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
