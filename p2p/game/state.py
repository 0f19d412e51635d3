"""The state of a game that is played between machines: the table, the keys, and what is under way.

It changes in one place, the script.  Here is what everything in the script, and the secret choices
beside it, ask about it: who a seat is, what I know of its key, and what a proof is bound to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from core.determinization import observation_of
from core.engine import next_request, start
from core.games import find_game
from core.narrate import Narrator
from core.requests import (
    Action,
    Choice,
    Event,
    Request,
    Secret,
)
from core.table import Observation, RulesError
from core.view import View, view
from p2p.base.entry import DIGEST_BYTES, Entry
from p2p.base.roster import PROTOCOL, Roster
from p2p.base.wire import encode
from p2p.crypto.entropy import known_to_all
from p2p.crypto.group import Point, base
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import hash_bytes
from p2p.game.dealing import Dealing
from p2p.game.equivalents import any_equivalent
from p2p.game.game_keys import (
    KEY_BYTES,
    Escrow,
    NamedKey,
    secret_from,
)
from p2p.game.going_back import Mark
from p2p.game.hurry import WHOLE, Hurry
from p2p.game.rolling import draw_together
from p2p.game.steps import (
    Obligation,
    Offence,
    Script,
    Sealed,
    SeatSecrets,
)

NO_DIGEST: Final = bytes(DIGEST_BYTES)  # Before the table exists.


class GameState:
    """The state of a game, as one machine has it."""

    def __init__(self, roster: Roster, me: int | None, secrets: SeatSecrets | None) -> None:
        """As `me`, or as somebody who only listens."""
        assert me is None or secrets is not None, "a seat cannot play without its secrets"
        self._roster = roster
        self.game_id = roster.game_id
        self.game = find_game(roster.game)
        self.me = me
        self.seats = tuple(range(len(roster.seats)))
        self._secrets = secrets
        self._seeds = roster.open_seeds()  # From which keys follow: of open seats and mine.
        self.open_seats = set(self._seeds)  # Nobody sits there, or not any more: all know the key.
        if me is not None and secrets is not None:
            self._seeds[me] = secrets.seed
        self.lost: set[int] = set()  # Those whose old keys nobody has, until cards are dealt anew.
        self.keyless: set[int] = set()  # Who is gone, until the others have put its key together.
        self.returning: dict[int, NamedKey] = {}  # Whose owners are back, and show a new key next.
        self.sealed: dict[int, Sealed] = {}  # By seat: of the secret choice that is under way.
        self.escrow = Escrow()
        self._writing_for = me  # Whose entry is being written: mine, or an open seat's.
        self.table = start(self.game, len(self.seats), dict(roster.options))
        self.request = next_request(self.game, self.table)
        self.events: list[tuple[Request, Event]] = []
        self.narrator = Narrator(self.game, reader=me)
        self.owed: list[tuple[Entry, Obligation]] = []  # What the replica has yet to verify.
        self._tentative: Mark | None = None  # Until what a choice turns up shows it is allowed.
        # What bots chose for persons who were gone: (events before it, seat).
        self.by_bots: set[tuple[int, int]] = set()
        self.taken_back: list[int] = []  # Whose choices, for the session to tell.
        self._marks: list[Mark] = []  # Of the last choices, to go back by agreement.
        self.offences: list[Offence] = []  # What turned out to be wrong later.
        self._digest: bytes | None = None  # Of the table, while it stays as it is.
        self.dealing: Dealing | None = None
        self.chooser = 0  # The seat that chose last: whom a broken rule is due to.
        self.height = 0  # Of the log at the start of the current step; the replica keeps it.
        self._vrf_values = b""  # What all seats drew last, mixed,
        self._drawn_for: tuple[int, ...] = ()  # and who chooses by that, with nobody between.
        self.bound = frozenset[int]()  # Bots that choose now, by what is drawn or about to be.
        self._hurry = Hurry()
        self.next_part = WHOLE  # What my bot says with its next choice: see `p2p.game.hurry`.
        self.is_signed = False  # The result, by every seat: the game is finished.
        self.opened: dict[int, int] = {}  # The keys that were opened at the end, by seat.

    def view(self) -> View:
        """The table as I see it."""
        is_open = self.me in self.open_seats - self.lost  # Then all know its key.
        watcher = self.me if is_open or self.has_key else None
        return view(self.game, self.table, self.request, self.observation, watcher)

    @property
    def observation(self) -> Observation:
        """What this machine can read of the cards."""
        return self.dealing.observation if self.dealing is not None else self.table.face

    def digest(self) -> bytes:
        """What an entry says of the public table.  Only events change it, and dealing anew."""
        if self._digest is None or self.lost:
            self._digest = NO_DIGEST if self.dealing is None else self.table.digest()
        return self._digest

    @property
    def live(self) -> tuple[int, ...]:
        """The seats at which somebody sits."""
        gone = self.open_seats | self.keyless
        return tuple(seat for seat in self.seats if seat not in gone)

    @property
    def has_key(self) -> bool:
        """Whether I know the key of my seat, or the new one that I am about to show.

        Not if its secrets file was lost: then the key that the log shows is none of mine.
        """
        dealing = self.dealing
        if self.me is not None and self.me in self.returning:
            return self.returning[self.me].secret is not None
        return dealing is None or dealing.me == self.me

    def has_unproven(self, seats: Collection[int]) -> bool:
        """Whether one of these seats has shuffled in the current request, and not proven that."""
        return self.dealing is not None and self.dealing.shuffling.has_unproven(seats)

    def is_bot(self, seat: int) -> bool:
        """Whether a bot decides for a seat."""
        return self._roster.seats[seat].is_bot or seat in self.open_seats

    @property
    def _dealing(self) -> Dealing:
        assert self.dealing is not None, "no card is dealt before the keys are agreed on"
        return self.dealing

    def _key(self, seat: int) -> tuple[int, Point]:
        secret = secret_from(self._seeds[seat], self.game_id)
        return secret, base(secret)

    def _note_bots(self, request: Request) -> None:
        """Somebody has answered: it was a bot, where all sign for the seat of a person."""
        asked = request.players if isinstance(request, Secret) else ()
        asked = (request.player,) if isinstance(request, Choice) else asked
        seats = self._roster.seats
        gone = [seat for seat in asked if seat in self.open_seats and not seats[seat].is_bot]
        self.by_bots |= {(len(self.events), seat) for seat in gone}

    def mark(self, events: int) -> Mark | None:
        """How the game stood at the choice before which there were so many events.

        None: the table cannot go back there, or that choice was no person's.
        """
        return next((mark for mark in self.marks() if mark.events == events), None)

    def marks(self) -> Iterator[Mark]:
        """All choices before which the table can go back, the last one first.

        Nobody goes back behind somebody who has gone since, and is not asked.
        """
        for mark in reversed(self._marks):
            if mark.live == self.live and not self.is_bot(mark.request.player):
                yield mark

    def persons(self) -> dict[int, bytes]:
        """The seats at which somebody sits who may want something, with their identities."""
        seats = self._roster.seats
        return {seat: seats[seat].identity for seat in self.live if not self.is_bot(seat)}

    def _legal(self, action: Action | None) -> Action:
        observation = observation_of(self.table, self._dealing.observation, self._writer)
        legal = self.game.legal_actions(self.table, self._writer, observation)
        if action is None or action not in legal:
            raise RulesError("that is not one of the legal actions now")
        return any_equivalent(self.game, self.table, observation, action)

    # ---- what bots decide by ----

    def draw_vrf_values(self, players: tuple[int, ...]) -> Script[None]:
        """Draw what decides a bot's ties, now that everybody else has moved.

        Its sponsor knows the bot's key; without this it could try its own moves against the
        bot's exact answers.
        """
        self.bound = frozenset(player for player in players if self.is_bot(player))
        if not self.bound or players == self._drawn_for:
            return
        self._vrf_values = yield from self._draw("lot")
        self._hurry.draw()
        self._drawn_for = players

    def _draw(self, kind: str) -> Script[bytes]:
        """What all seats make together at this place."""
        return draw_together(self._dealing, kind, self.seats, self._context)

    def decision_seed(self, seat: int) -> int:
        """64 bits by which a bot in `seat`, whose key is known, decides the current choice.

        They depend on its key, which was agreed on before the first card, on VRF values of all
        seats that were drawn after everybody else's last choice, and on how many requests were
        answered.  Not on the height: whoever knows the key could move that by letting a seat go.
        """
        key = self._dealing.secrets[seat].to_bytes(32, "little")
        at = len(self.events).to_bytes(4, "little")
        drawn = hash_bytes("hostless/bot/1", self.game_id, key, self._vrf_values, at, size_bytes=8)
        return int.from_bytes(drawn, "little")

    def part_of(self, seat: int) -> int:
        """By which part of its budget a bot in `seat` decides the current choice."""
        return self._hurry.part_of(seat) if self._may_hurry(seat) else WHOLE

    def _may_hurry(self, seat: int) -> bool:
        """Whether one machine thinks there; what all work out for themselves is always whole."""
        return self.is_bot(seat) and seat not in self.open_seats

    # ---- what things are bound to ----

    @contextmanager
    def writing_for(self, seat: int) -> Iterator[None]:
        """Write for a seat in this block: my own, or an open one, whose bytes all can foretell."""
        is_open = seat in self.open_seats
        make_sure(is_open or seat == self.me, "nobody speaks for a seat whose secrets are its own")
        self._writing_for = seat
        if self.dealing is not None:
            self.dealing.writer = seat
        with known_to_all(self._derive(f"open {self.height}")) if is_open else nullcontext():
            try:
                yield
            finally:
                self._writing_for = self.me
                if self.dealing is not None:
                    self.dealing.writer = self.dealing.me

    @property
    def _writer(self) -> int:
        """Whose entry is being written: mine, or that of an open seat."""
        assert self._writing_for is not None, "a spectator writes nothing"
        return self._writing_for

    def _context(self, seat: int, purpose: str, height: int | None = None) -> bytes:
        """What a proof is bound to: version, game, step, seat and purpose."""
        at = self.height if height is None else height
        return hashlib.sha256(encode([PROTOCOL, self.game_id, at, seat, purpose])).digest()

    def _derive(self, purpose: str) -> bytes:
        """32 bytes that follow from my seat's game key, and are the same after a restart."""
        seat = self._writer
        known = self._key(seat)[0] if self.dealing is None else self.dealing.secrets[seat]
        secret = known.to_bytes(KEY_BYTES, "little")
        return hashlib.sha256(encode([secret, self.game_id, purpose])).digest()
