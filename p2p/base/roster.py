"""Who plays what: the document that every seat checks, and from which the game's id is made.

The opener of a table writes it when all seats are taken; nobody has to trust it, because every
seat looks for its own identity and its own fresh nonce in it before signing anything.

At an open seat nobody sits, and everybody can say what it would say.  Every secret of such a seat
follows from its nonce in the roster: its identity, its game key, its salts, the order in which it
shuffles.  So each machine at the table signs the seat's entries for itself, byte for byte the same
as all others do, and sends none.  The seat has no sponsor and can neither leave nor cheat; the
price is that its hand lies open.

It adds nothing to the secrecy of other cards and takes nothing away: a deck is closed as long as
one seat that is not open shuffles honestly.  Whoever signs something else in its name is not heard,
because nobody takes its entries from others.

A seat whose owner is gone becomes one, from a certain height of the log on
(`p2p.session.membership`): its game key is known by then, or is lost and has been replaced by one
that follows from a nonce, and everything else that such a seat says follows from that.

A `DecisionPoint` is what a bot, or a program in place of a person, is given to decide.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.bot_levels import BOT_LEVELS, ITERATIONS_MAX, LEVEL_NAMES, STYLE_NAMES
from core.engine import ENGINE_VERSION
from core.game import Game, complete_options
from core.games import find_game
from core.table import Observation, OptionValue, RulesError, Table
from p2p.base.clock import TimeControl, parse_clock
from p2p.base.errors import MalformedFrame
from p2p.base.identity import IDENTITY_BYTES, Identity
from p2p.base.limits import GRACE_S, GRACE_S_MAX, GRACE_S_MIN, TERM_LETTERS_MAX
from p2p.base.names import is_clean_name, one_line, shown_name
from p2p.base.wire import encode

_SEATS_KEPT: Final = 256
_KNOWN: Final = f"{', '.join(LEVEL_NAMES)}, alone or with +{', +'.join(STYLE_NAMES)}"


@lru_cache(maxsize=_SEATS_KEPT)
def open_identity(nonce: bytes) -> Identity:
    """The identity of an open seat with this nonce, with the secret that everybody knows."""
    secret = hashlib.sha256(b"hostless open seat" + nonce).digest()
    return Identity(Ed25519PrivateKey.from_private_bytes(secret))


def open_seed(nonce: bytes) -> bytes:
    """The seed of an open seat with this nonce, from which its game key follows."""
    return hashlib.sha256(b"hostless open seed" + nonce).digest()


def replacement_identity(game_id: bytes, seat: int, seat_epoch: int) -> Identity:
    """By whom a seat's entries are signed in an epoch of it in which everybody speaks for it."""
    return open_identity(replacement_nonce(game_id, seat, seat_epoch))


def replacement_nonce(game_id: bytes, seat: int, seat_epoch: int) -> bytes:
    """From which the identity follows, and the game key, if that of the owner is lost."""
    place = seat.to_bytes(4, "little") + seat_epoch.to_bytes(4, "little")
    # An older name for it stays in what is hashed: frozen games hold what follows from it.
    return hashlib.sha256(b"hostless stand-in" + game_id + place).digest()


PROTOCOL: Final = "hostless/1"
NONCE_BYTES: Final = 32
ESCROW_PERSONS_MIN: Final = 3  # Of two persons one would simply have the other's key.
AGREEING_PERSONS_MIN: Final = 2  # Who say that a seat is silent: one may be cut off, or lie.


@dataclass(frozen=True, slots=True)
class BotTerms:
    """How a bot decides, agreed on before the game, so that anybody can do it again afterwards."""

    program: str = ""  # And its version; empty for a program that nobody else can run.
    level: str = ""  # With a style behind it, if the bot has one.
    iterations: int = 0  # For every choice; 0 as long as the machine has not been measured.

    def plain(self) -> list[object]:
        """The terms as values for the wire."""
        return [self.program, self.level, self.iterations]

    @property
    def is_known(self) -> bool:
        """Whether nothing is left to be measured."""
        return not self.program or self.iterations > 0

    def is_of(self, before: BotTerms) -> bool:
        """Whether it is the same bot, of which only is said how far it can think."""
        return (self.program, self.level) == (before.program, before.level)


def parse_bot_terms(value: object) -> BotTerms | None:
    """The terms that `BotTerms.plain` wrote; None for a person.

    Raises:
        MalformedFrame: they are none.
    """
    match value:
        case None:
            return None
        case [str(program), str(level), int(iterations)] if type(iterations) is int:
            bot_terms = BotTerms(program, level, iterations)
            if program:
                _check_bot_terms(bot_terms)
                return bot_terms
            if bot_terms == BotTerms():
                return bot_terms
    raise MalformedFrame("a bot is a program, a level and a number of iterations")


def _check_bot_terms(bot_terms: BotTerms) -> None:
    """Refuse terms of which nobody could say what they mean."""
    if len(bot_terms.program) > TERM_LETTERS_MAX or not is_clean_name(bot_terms.program):
        raise MalformedFrame("the name of a bot's program cannot be shown")
    if bot_terms.level not in BOT_LEVELS:
        raise MalformedFrame(f"a bot's level is {bot_terms.level!r:.40}, and we know {_KNOWN}")
    if not 0 <= bot_terms.iterations <= ITERATIONS_MAX:
        count = bot_terms.iterations
        raise MalformedFrame(
            f"a bot is to do {count:,} iterations a choice, of at most {ITERATIONS_MAX:,}"
        )


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: the peer's identity, its name, its nonce for this game."""

    identity: bytes
    name: str
    nonce: bytes
    bot_terms: BotTerms | None = None  # Of a bot.
    sponsor: bytes = b""  # For a bot: the identity of the peer that runs it, or empty.

    @property
    def shown_name(self) -> str:
        """The name as a person reads it, wherever that is."""
        return shown_name(self.name)

    @property
    def is_bot(self) -> bool:
        """Whether no person sits there."""
        return self.bot_terms is not None

    @property
    def is_own_sponsor(self) -> bool:
        """Whether it says that it is an open seat, of which a roster makes sure."""
        return self.bot_terms is not None and self.sponsor == self.identity

    @property
    def is_open(self) -> bool:
        """Whether nobody sits there and everybody speaks for it: see `p2p.base.roster`."""
        return self.is_own_sponsor and self.identity == open_identity(self.nonce).public

    def plain(self) -> list[object]:
        """The seat as values for the wire."""
        bot_terms = None if self.bot_terms is None else self.bot_terms.plain()
        return [self.identity, self.name, self.nonce, bot_terms, self.sponsor]


def new_open_seat(name: str, bot_terms: BotTerms) -> Seat:
    """A seat for an open bot."""
    nonce = os.urandom(NONCE_BYTES)
    identity = open_identity(nonce).public
    return Seat(identity, name, nonce, bot_terms, sponsor=identity)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Who plays for a seat whose owner is gone: see `p2p.log.membership_change`."""

    bot_terms: BotTerms
    grace_s: int = GRACE_S  # How long a silent seat is waited for.
    is_escrowed: bool = False  # All others together can have a seat's key.

    def plain(self) -> list[object]:
        """The terms as values for the wire."""
        return [self.bot_terms.plain(), self.grace_s, self.is_escrowed]

    def options(self) -> list[str]:
        """What people should know of it, as the announcement of a table says it."""
        waits = [f"grace={self.grace_s}"] * (self.grace_s != GRACE_S)
        return [*["escrow=yes"] * self.is_escrowed, *waits]


def parse_replacement(value: object) -> Replacement:
    """The terms that `Replacement.plain` wrote.

    Raises:
        MalformedFrame: they are none.
    """
    match value:
        case [bot_terms, int(grace_s), bool(is_escrowed)] if (
            type(grace_s) is int and GRACE_S_MIN <= grace_s <= GRACE_S_MAX
        ):
            parsed = parse_bot_terms(bot_terms)
            if parsed is not None and parsed.program and parsed.is_known:
                return Replacement(parsed, grace_s, is_escrowed)
    raise MalformedFrame("a replacement is a bot, a time of grace and whether keys are in escrow")


@dataclass(frozen=True)
class Roster:
    """A table that is about to begin."""

    game: str
    rules: bytes  # `rules_id` of the game.
    options: tuple[tuple[str, OptionValue], ...]
    table: str
    seats: tuple[Seat, ...]
    opens_hands: bool = False  # Whether persons, like bots, open their keys after the game.
    replacement: Replacement | None = None  # Without one a seat that is gone is waited for.
    clock: TimeControl | None = None  # Of the persons, where there is a replacement.

    def plain(self) -> list[object]:
        """The roster as values for the wire."""
        seats: list[object] = [seat.plain() for seat in self.seats]
        options: list[object] = [[key, value] for key, value in self.options]
        given = [PROTOCOL, self.game, self.rules, options, self.table]
        terms = [each.plain() for each in (self.replacement, self.clock) if each is not None]
        return [*given, seats, self.opens_hands, *terms]

    @cached_property  # Asked for each entry that is judged.
    def game_id(self) -> bytes:
        """32 bytes that no other game has: every signature and proof is bound to them."""
        return hashlib.sha256(b"hostless game" + encode(self.plain())).digest()

    def open_seats(self) -> tuple[int, ...]:
        """The seats of open bots."""
        return tuple(index for index, seat in enumerate(self.seats) if seat.is_open)

    def open_seeds(self) -> dict[int, bytes]:
        """The seeds of the open seats, which are no secrets."""
        return {index: open_seed(self.seats[index].nonce) for index in self.open_seats()}

    @property
    def is_escrowed(self) -> bool:
        """Whether keys are put in escrow."""
        return self.replacement is not None and self.replacement.is_escrowed

    def persons_behind(self, seats: Iterable[int]) -> frozenset[bytes]:
        """Who decides what these seats say: a bot says what its sponsor wants.

        Nobody stands behind an open bot, nor behind one that names no sponsor: whoever has started
        one such bot can start several.
        """
        found = [self.seats[seat] for seat in seats if not self.seats[seat].is_open]
        return frozenset({each.sponsor if each.is_bot else each.identity for each in found} - {b""})

    def may_escrow(self, live: Iterable[int]) -> bool:
        """Whether nobody alone would have all parts of another's key among these seats."""
        return len(self.persons_behind(live)) >= ESCROW_PERSONS_MIN

    def may_call_silent(self, seat: int, voters: Collection[int]) -> bool:
        """Whether the word of these seats is enough to let another go that is silent.

        It takes two persons, and not the one behind that seat.  Whoever runs a bot needs nobody
        else to let it go, but what they run beside it.
        """
        gone = self.seats[seat]
        is_own_bot = gone.is_bot and gone.sponsor in {self.seats[each].identity for each in voters}
        if is_own_bot:
            return len(voters) >= AGREEING_PERSONS_MIN
        return len(self.persons_behind(voters) - {gone.identity}) >= AGREEING_PERSONS_MIN

    def not_run_by(self, seat: int, seats: Iterable[int]) -> tuple[int, ...]:
        """Those of some seats that are neither this one nor a bot of whoever sits there."""
        me = self.seats[seat].identity
        found = [(each, self.seats[each]) for each in seats]
        return tuple(each for each, seat in found if me not in (seat.identity, seat.sponsor))

    def seat_of(self, identity: bytes) -> int | None:
        """The seat of a peer, or None for somebody who looks on."""
        for index, seat in enumerate(self.seats):
            if seat.identity == identity:
                return index
        return None


def rules_id(game: Game) -> bytes:
    """A fingerprint of the rules: peers with other rules cannot sit at one table."""
    text = f"{game.slug}\n{ENGINE_VERSION}\n{game.rules}\n{game.faces}"
    return hashlib.sha256(text.encode()).digest()


def parse_roster(value: object) -> Roster:
    """The roster that `Roster.plain` wrote, checked against the games we have.

    Raises:
        MalformedFrame: it is not a roster, or not one of a game and of rules we have.
    """
    match value:
        case [
            str(protocol), str(slug), bytes(rules), list(options), str(table), list(seats),
            bool(opens_hands), *terms,
        ] if len(terms) <= 2:  # fmt: skip
            pass
        case _:
            raise MalformedFrame("this is not a roster")
    if protocol != PROTOCOL:
        theirs = one_line(protocol, TERM_LETTERS_MAX)
        raise MalformedFrame(f"the game speaks {theirs}, and we speak {PROTOCOL}")
    parsed = tuple(map(_parse_seat, seats))
    replacement = parse_replacement(terms[0]) if terms else None
    clock = parse_clock(terms[1]) if len(terms) == 2 else None
    chosen = _parse_options(options)
    roster = Roster(slug, rules, chosen, table, parsed, opens_hands, replacement, clock)
    _check(roster)
    return roster


def _check(roster: Roster) -> None:
    try:
        game = find_game(roster.game)
        complete_options(game, len(roster.seats), dict(roster.options))
    except RulesError as error:
        raise MalformedFrame(str(error)) from error
    if roster.rules != rules_id(game):
        raise MalformedFrame(f"the game was played by another version of the rules of {game.slug}")
    if len({seat.identity for seat in roster.seats}) != len(roster.seats):
        raise MalformedFrame("a peer sits on two seats")
    if any(seat.is_own_sponsor and not seat.is_open for seat in roster.seats):
        raise MalformedFrame("a seat that says it is open has a secret of its own")
    for seat in roster.seats:
        if seat.bot_terms is not None and not seat.bot_terms.is_known:
            raise MalformedFrame(f"nobody has measured how far {seat.shown_name} can think")
    if roster.is_escrowed and not roster.may_escrow(range(len(roster.seats))):
        raise MalformedFrame(f"escrow takes {ESCROW_PERSONS_MIN} persons")
    if not is_clean_name(roster.table):
        raise MalformedFrame("the name of the table cannot be shown")


def check_sponsors(roster: Roster) -> None:
    """Make sure that everybody who is said to run a bot is a person at the table.

    Files of finished games are read without that: there it only is a name that is not known.

    Raises:
        MalformedFrame: somebody is not.
    """
    persons = {seat.identity for seat in roster.seats if not seat.is_bot}
    for seat in roster.seats:
        is_run = seat.is_bot and (seat.is_open or seat.sponsor in persons)
        if seat.sponsor and not is_run:
            raise MalformedFrame(f"{seat.shown_name} is run by nobody at the table")


def _parse_options(values: list[object]) -> tuple[tuple[str, OptionValue], ...]:
    options: list[tuple[str, OptionValue]] = []
    for value in values:
        match value:
            case [str(key), (str() | bool() | int()) as chosen]:
                options.append((key, chosen))
            case _:
                raise MalformedFrame("an option is a key and a value")
    if len({key for key, _ in options}) != len(options):
        raise MalformedFrame("an option is named twice")
    return tuple(options)


def _parse_seat(value: object) -> Seat:
    match value:
        case [bytes(identity), str(name), bytes(nonce), bot_terms, bytes(sponsor)] if (
            len(identity) == IDENTITY_BYTES
            and len(nonce) == NONCE_BYTES
            and is_clean_name(name)
            and len(sponsor) in (0, IDENTITY_BYTES)
        ):
            return Seat(identity, name, nonce, parse_bot_terms(bot_terms), sponsor)
    raise MalformedFrame("a seat is an identity, a name, a nonce, a bot's mind, and a sponsor")


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """One choice that is due of one seat; copies, so that whoever decides may take its time."""

    game: Game
    table: Table
    observation: Observation
    seat: int
    event_count: int  # Engine events so far.
    seed: int = 0  # For whoever needs chance; nobody could foretell or choose it.
    bot_terms: BotTerms | None = None  # What a bot in this seat is bound to.
    part: int = 1  # And by which part of its budget it decides now: see `p2p.game.hurry`.
