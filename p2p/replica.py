"""One machine's copy of a game: entries in, the same state out, on every machine.

A replica has no clock, no network and no disk.  It is a script (`_play`) that yields one step
after another; `receive` collects entries, and a step whose writers have all written is read and
added to the log.  A seat's replica also makes that seat's own entries; a spectator's and an
auditor's only listen, through the very same code.

Blame is by construction: whatever a step's `read` or the rules refuse was signed by one seat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol, cast

from core.engine import feed, start
from core.games import find_game
from core.narrate import Narrator
from core.plain import parse_action, plain_action
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Opened,
    Over,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import RulesError
from core.view import View, view
from p2p.cards.errors import ProofError
from p2p.cards.group import L, Point, base
from p2p.cards.keys import prove_possession, verify_possession
from p2p.commitments import check_opening, commit, draw_below, mix
from p2p.dealing import Dealing
from p2p.entry import (
    DIGEST_BYTES,
    START,
    Entry,
    Position,
    check_signature,
    next_head,
    parse_entry,
    sign_entry,
)
from p2p.errors import BadProof, BrokenChain, Equivocation, IllegalMove, MalformedFrame, PeerError
from p2p.identity import Identity
from p2p.roster import PROTOCOL, Roster
from p2p.steps import Obligation, Script, Step
from p2p.wire import encode

EARLY_ENTRIES_MAX: Final = 64  # Entries of later steps that may wait, for each seat.
RECENT_ENTRIES: Final = 16  # More than any two steps have.
NO_DIGEST: Final = bytes(DIGEST_BYTES)  # Before the table exists.


class Vault(Protocol):
    """What a seat must not lose between two starts of the machine."""

    seed: bytes  # 32 secret bytes, made once for this game: key, salts and rolls come from it.

    def remember_choice(self, height: int, action: list[object]) -> None:
        """Keep a sealed choice until it is opened."""
        ...

    def recall_choice(self, height: int) -> list[object]:
        """The choice that was sealed at this height."""
        ...


class Replica:
    """The state of one game as one seat, or a spectator, knows it."""

    def __init__(
        self, roster: Roster, identity: Identity | None = None, vault: Vault | None = None
    ) -> None:
        self.roster = roster
        self.game_id = roster.game_id()
        self.game = find_game(roster.game)
        self.identity, self._vault = identity, vault
        self.me = roster.seat_of(identity.public) if identity is not None else None
        assert self.me is None or vault is not None, "a seat cannot play without a vault"
        self.seats = tuple(range(len(roster.seats)))
        self.log: list[Entry] = []
        self.events: list[tuple[Request, Event]] = []
        self.head = self.game_id
        self.obligations: list[tuple[Entry, Obligation]] = []
        self.dealing: Dealing | None = None
        self.table, self.request = start(self.game, len(self.seats), dict(roster.options))
        self.narrator = Narrator(self.game)
        self._last = [START] * len(self.seats)  # The hash of each seat's last entry in the log,
        self._count = [0] * len(self.seats)  # and how many there are.
        self._arrived: dict[tuple[int, int], Entry] = {}  # (seat, number) -> not yet in the log
        self._heads: dict[int, dict[int, bytes]] = {}  # height -> seat -> head it acknowledged
        self._author: int | None = None  # The only writer of the last step.
        self._chooser = 0  # The seat that chose last: whom a broken rule is due to.
        self._at = Position(0, self.head, NO_DIGEST)
        self._script = self._play()
        self.step: Step | None = next(self._script)

    # ---- what a node asks ----

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

    def waited_for(self) -> tuple[int, ...]:
        """The seats whose entry of the open step is missing."""
        if self.step is None:
            return ()
        return tuple(seat for seat in self.step.writers if self._next_of(seat) is None)

    def may_write(self) -> bool:
        """Whether my entry is due now and nothing forbids it (see `needs_heads`)."""
        if self.step is None or self.me is None or self.me not in self.waited_for():
            return False
        if not self.needs_heads():
            return True
        heads = self._heads.get(self.height, {})
        others = [seat for seat in self.seats if seat != self.me]
        return not self.obligations and all(heads.get(seat) == self.head for seat in others)

    def needs_heads(self) -> bool:
        """Whether the open step gives something away in answer to somebody else's entry.

        The reveal barrier: first every proof is verified and every seat says that it has the
        same log, so a fork is found before anything irreversible has been said on either side.
        """
        step = self.step
        return step is not None and step.is_irreversible and step.writers != (self._author,)

    # ---- in ----

    def acknowledge(self, seat: int, height: int, head: bytes) -> None:
        """Note that a seat says it has the log up to `height` with this head."""
        if self.height <= height <= self.height + EARLY_ENTRIES_MAX:
            self._heads.setdefault(height, {})[seat] = head

    def disagreeing(self) -> tuple[int, ...]:
        """The seats that answer, or say they have, another log than ours.

        That alone is nobody's fault: a third seat may have told us different things.  Peers then
        exchange their `recent` entries, and the seat that signed two for one number is found.
        """
        heads = self._heads.get(self.height, {})
        return tuple(
            seat for seat in self.seats
            if heads.get(seat, self.head) != self.head
            or ((entry := self._pending(seat)) is not None and not self._is_answer(entry))
        )  # fmt: skip

    def pending(self) -> list[bytes]:
        """The entries that are here but not in the log yet; anybody may pass them on."""
        return [entry.raw for entry in self._arrived.values()]

    def recent(self) -> list[bytes]:
        """The last entries of the log, enough to find where two logs part."""
        return [entry.raw for entry in self.log[-RECENT_ENTRIES:]]

    def blame_for_fork(self, seat: int) -> PeerError:
        """The verdict on a seat that answers a log which it cannot show."""
        pending = self._pending(seat)
        raws = [pending.raw] if pending is not None else []
        return self._blame(seat, BrokenChain, "answers a log that nobody has", raws)

    def receive(self, raw: bytes) -> Entry | None:
        """Take in an entry, whoever brought it.  None when it was known already.

        Raises:
            MalformedFrame, BadSignature: whoever brought it is to blame.
            Equivocation, BrokenChain: the seat that signed it is.
        """
        entry = parse_entry(raw)
        if entry.game != self.game_id or entry.seat >= len(self.seats):
            raise MalformedFrame("the entry belongs to another game")
        known = self._find(entry.seat, entry.number)
        if known is not None and known.hash == entry.hash:
            return None
        check_signature(entry, self.roster.seats[entry.seat].identity)
        if known is not None:
            raise self._blame(
                entry.seat, Equivocation, f"signed two entries number {entry.number}",
                [known.raw, raw],
            )  # fmt: skip
        if entry.number >= self._count[entry.seat] + EARLY_ENTRIES_MAX:
            raise self._blame(entry.seat, BrokenChain, "is far ahead of everybody", [raw])
        self._arrived[entry.seat, entry.number] = entry
        return entry

    def advance(self) -> bool:
        """Close the open step if all its entries are here.  True when it did.

        Raises:
            PeerError: an entry of the step is against the protocol or the rules; it is in the
                log as the last one, for everybody to see.
        """
        if self.step is None or self.waited_for():
            return False
        entries = [cast("Entry", self._next_of(seat)) for seat in self.step.writers]
        for entry in entries:
            self._append(entry)  # Whatever it is worth: it is signed, and may be evidence.
        values = [self._read(entry) for entry in entries]
        self._author = self.step.writers[0] if len(self.step.writers) == 1 else None
        try:
            self.step = self._script.send(tuple(values))
        except StopIteration:
            self.step = None
        except RulesError as error:
            raise self._blame(self._chooser, IllegalMove, str(error)) from error
        except ProofError as error:
            raise self._blame(self._author or 0, BadProof, str(error)) from error
        digest = self.table.digest() if self.dealing is not None else NO_DIGEST
        self._at = Position(self.height, self.head, digest)
        self._heads = {at: heads for at, heads in self._heads.items() if at >= self.height}
        return True

    def _read(self, entry: Entry) -> object:
        """The value of an entry.

        Raises:
            PeerError: it has none; the seat that signed it is to blame.
        """
        self._check_place(entry)
        step = self.step
        assert step is not None, "nothing is read when the game is over"
        before = len(self.dealing.obligations) if self.dealing is not None else 0
        try:
            value = step.read(entry.seat, entry.body)
        except ProofError as error:
            raise self._blame(entry.seat, BadProof, str(error)) from error
        except RulesError as error:
            raise self._blame(entry.seat, IllegalMove, str(error)) from error
        if self.dealing is not None:
            fresh = self.dealing.obligations[before:]
            self.obligations += [(entry, obligation) for obligation in fresh]
            self.dealing.obligations.clear()
        return value

    def _check_place(self, entry: Entry) -> None:
        """The entry was written in the state in which we are."""
        at = self._at
        assert self.step is not None, "nothing is checked when the game is over"
        if entry.digest != at.digest:
            names = [
                name for index, name in enumerate(self.table.sections())
                if entry.digest[8 * index : 8 * index + 8] != at.digest[8 * index : 8 * index + 8]
            ]  # fmt: skip
            raise self._blame(entry.seat, BrokenChain, f"has other {' and '.join(names)} than we")
        if entry.kind != self.step.kind:
            raise self._blame(
                entry.seat, BrokenChain, f"wrote {entry.kind!r} where {self.step.kind!r} was due"
            )

    def _append(self, entry: Entry) -> None:
        if entry.parent != self._last[entry.seat]:
            raise self._blame(entry.seat, BrokenChain, "does not continue its own entries")
        self._arrived.pop((entry.seat, entry.number), None)
        self.log.append(entry)
        self.head = next_head(self.head, entry)
        self._last[entry.seat], self._count[entry.seat] = entry.hash, entry.number + 1

    def _next_of(self, seat: int) -> Entry | None:
        entry = self._pending(seat)
        return entry if entry is not None and self._is_answer(entry) else None

    def _pending(self, seat: int) -> Entry | None:
        return self._arrived.get((seat, self._count[seat]))

    def _is_answer(self, entry: Entry) -> bool:
        return (entry.height, entry.head) == (self._at.height, self._at.head)

    def _find(self, seat: int, number: int) -> Entry | None:
        if number >= self._count[seat]:
            return self._arrived.get((seat, number))
        mine = (entry for entry in reversed(self.log) if entry.seat == seat)
        return next((entry for entry in mine if entry.number == number), None)

    def _blame(
        self, seat: int, kind: type[PeerError], text: str, evidence: list[bytes] | None = None
    ) -> PeerError:
        player = self.roster.seats[seat]
        error = kind(player.identity, f"{player.name} {text}")
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
            raise self._blame(entry.seat, BadProof, str(error)) from error

    # ---- out ----

    def write(self, action: Action | None = None) -> Entry:
        """Sign my entry of the open step.  It enters the log through `receive`, as anybody's.

        Raises:
            RulesError: `action` is not one of my legal actions.
        """
        assert self.step is not None and self.me is not None and self.identity is not None
        body = self.step.write(action)
        place = (self.me, self._count[self.me], self._last[self.me])
        return sign_entry(self.identity, self.game_id, place, self._at, [self.step.kind, body])

    def view(self) -> View:
        """My picture of the table."""
        eyes = self.dealing.eyes if self.dealing is not None else self.table.face
        picture = view(self.game, self.table, self.request, eyes, self.me)
        is_open = self.step is not None and self.step.is_choice
        if picture.offers and not (is_open and self.me in self.waited_for()):
            return replace(picture, offers=())  # I have chosen, the others have not.
        return picture

    # ---- the script ----

    def _play(self) -> Script[None]:
        yield from self._agree_on_keys()
        while not isinstance(self.request, Over):
            event = yield from self._answer(self.request)
            request = self.request
            self.request = feed(self.game, self.table, request, event)
            self.events.append((request, event))
            self._see(request, event)
            self.narrator.hear(self.table, request, event, self.request)
        yield Step("finish", self.seats, self._read_result, self._write_result, is_irreversible=True)

    def _see(self, request: Request, event: Event) -> None:
        match request, event:
            case Reveal(cards, None), Revealed(faces):
                for card, face in zip(cards, faces, strict=True):
                    self._dealing.eyes[card] = face

    @property
    def _dealing(self) -> Dealing:
        assert self.dealing is not None, "no card is dealt before the keys are agreed on"
        return self.dealing

    def _answer(self, request: Request) -> Script[Event]:
        match request:
            case Choice(player):
                return Chosen((yield from self._choose(player)))
            case Secret(players):
                return Opened((yield from self._choose_secretly(players)))
            case Roll(sides):
                return Rolled((yield from self._roll(sides)))
            case Shuffle():
                yield from self._dealing.shuffle(self.table, request)
                return Shuffled()
            case Reveal(_, player):
                faces = yield from self._dealing.reveal(self.table, request)
                return Revealed(faces if player is None else ())
        raise AssertionError("a game that is over asks for nothing")

    # ---- keys: committed to before any is shown, so that none is chosen after another ----

    def _agree_on_keys(self) -> Script[None]:
        secret, public = self._key()
        salt, context = self._derive("key salt"), self._context(0, "key", height=0)

        def write_commitment(_: object) -> object:
            return commit(context, self._mine, public.encoded, salt)

        def write_key(_: object) -> object:
            possession = self._context(self._mine, "possession", height=0)
            return [public.encoded, prove_possession(secret, public, possession), salt]

        sealed = yield Step("key seal", self.seats, _read_bytes, write_commitment)
        commitments = cast("tuple[bytes, ...]", sealed)

        def read_key(seat: int, body: object) -> Point:
            match body:
                case [bytes(encoded), bytes(proof), bytes(opening)]:
                    check_opening(commitments[seat], context, seat, encoded, opening)
                    key = Point.parse(encoded)
                    possession = self._context(seat, "possession", height=0)
                    verify_possession(key, possession, proof)
                    return key
            raise ProofError("a key, its proof and the opening were expected")

        keys = yield Step("key", self.seats, read_key, write_key, is_irreversible=True)
        publics = cast("tuple[Point, ...]", keys)
        mine = None if self.me is None else (self.me, secret)
        self.dealing = Dealing(self.game_id, self.table, publics, mine, self._context)

    def _key(self) -> tuple[int, Point]:
        secret = int.from_bytes(hashlib.sha512(self._derive("key secret")).digest(), "little") % L
        return secret, base(secret)

    # ---- choices ----

    def _choose(self, player: int) -> Script[Action]:
        def read(seat: int, body: object) -> Action:
            match body:
                case [value, bytes(proof)]:
                    action = parse_action(value)
                    claim = self.game.claim(self.table, seat, action)
                    if claim is not None and claim.cards:
                        self._dealing.check_claim(seat, claim.cards, claim.faces, proof)
                    return action
            raise RulesError("a choice is an action and a proof")

        def write(action: Action | None) -> object:
            chosen = self._legal(action)
            claim = self.game.claim(self.table, self._mine, chosen)
            has_claim = claim is not None and claim.cards
            proof = self._dealing.prove_claim(claim.cards, claim.faces) if has_claim else b""
            return [plain_action(chosen), proof]

        values = yield Step("choose", (player,), read, write, is_choice=True)
        self._chooser = player
        return cast("Action", values[0])

    def _legal(self, action: Action | None) -> Action:
        legal = self.game.legal_actions(self.table, self._mine, self._dealing.eyes)
        if action is None or action not in legal:
            raise RulesError("that is not one of the legal actions now")
        return action

    def _choose_secretly(self, players: tuple[int, ...]) -> Script[tuple[Action, ...]]:
        height, salt = self.height, self._derive(f"salt {self.height}")
        context = self._context(0, "secret", height)

        def seal(action: Action | None) -> object:
            plain = plain_action(self._legal(action))
            assert self._vault is not None, "a seat has a vault"
            self._vault.remember_choice(height, plain)
            return commit(context, self._mine, encode(plain), salt)

        def unseal(_: object) -> object:
            assert self._vault is not None, "a seat has a vault"
            return [self._vault.recall_choice(height), salt]

        sealed = yield Step("seal", players, _read_bytes, seal, is_choice=True)
        commitments = dict(zip(players, cast("tuple[bytes, ...]", sealed), strict=True))

        def read(seat: int, body: object) -> Action:
            match body:
                case [value, bytes(opening)]:
                    check_opening(commitments[seat], context, seat, encode(value), opening)
                    return parse_action(value)
            raise RulesError("an opened choice is an action and a salt")

        values = yield Step("unseal", players, read, unseal, is_irreversible=True)
        self._chooser = players[0]
        return cast("tuple[Action, ...]", values)

    # ---- joint randomness ----

    def _roll(self, sides: int) -> Script[int]:
        height = self.height
        context = self._context(0, "roll", height)
        share, salt = self._derive(f"roll {height}"), self._derive(f"salt {height}")

        def seal(_: object) -> object:
            return commit(context, self._mine, share, salt)

        def unseal(_: object) -> object:
            return [share, salt]

        sealed = yield Step("roll seal", self.seats, _read_bytes, seal)
        commitments = cast("tuple[bytes, ...]", sealed)

        def read(seat: int, body: object) -> bytes:
            match body:
                case [bytes(value), bytes(opening)]:
                    check_opening(commitments[seat], context, seat, value, opening)
                    return value
            raise ProofError("a share of a roll and its salt were expected")

        shares = yield Step("roll", self.seats, read, unseal, is_irreversible=True)
        return draw_below(mix(context, cast("tuple[bytes, ...]", shares)), sides)

    # ---- the end ----

    def _result(self) -> list[object]:
        scores, winners = self.game.scores(self.table), self.game.winners(self.table)
        return [list(scores), list(winners)]

    def _write_result(self, _: object) -> object:
        return self._result()

    def _read_result(self, seat: int, body: object) -> None:
        if body != self._result():
            raise RulesError("signed another result than the rules give")

    # ---- what things are bound to ----

    @property
    def _mine(self) -> int:
        assert self.me is not None, "a spectator writes nothing"
        return self.me

    def _context(self, seat: int, purpose: str, height: int | None = None) -> bytes:
        """What a proof is bound to: version, game, step, seat and purpose."""
        at = self._at.height if height is None else height
        return hashlib.sha256(encode([PROTOCOL, self.game_id, at, seat, purpose])).digest()

    def _derive(self, purpose: str) -> bytes:
        """32 secret bytes that are the same after a restart, so that nothing is said twice."""
        seed = self._vault.seed if self._vault is not None else bytes(32)
        return hashlib.sha256(encode([seed, self.game_id, purpose])).digest()


def _read_bytes(seat: int, body: object) -> bytes:
    if isinstance(body, bytes) and len(body) == 32:
        return body
    raise ProofError("a commitment of 32 bytes was expected")


