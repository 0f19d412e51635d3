"""Who plays what: the document that every seat checks, and from which the game's id is made.

The opener of a table writes it when all seats are taken; nobody has to trust it, because every
seat looks for its own identity and its own fresh nonce in it before signing anything.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from core.engine import ENGINE_VERSION
from core.game import Game, complete_options
from core.games import find_game
from core.table import OptionValue, RulesError
from p2p.errors import MalformedFrame
from p2p.identity import is_clean_name
from p2p.wire import encode

PROTOCOL: Final = "hostless/1"
NONCE_BYTES: Final = 32
IDENTITY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: the peer's identity, its name, its nonce for this game."""

    identity: bytes
    name: str
    nonce: bytes
    is_bot: bool = False
    sponsor: bytes = b""  # For a bot: the identity of the peer that runs it, or empty.


@dataclass(frozen=True, slots=True)
class Roster:
    """A table that is about to begin."""

    game: str
    rules: bytes  # `rules_id` of the game.
    options: tuple[tuple[str, OptionValue], ...]
    table: str
    seats: tuple[Seat, ...]

    def plain(self) -> list[object]:
        """The roster as values for the wire."""
        seats: list[object] = [
            [seat.identity, seat.name, seat.nonce, seat.is_bot, seat.sponsor] for seat in self.seats
        ]
        options: list[object] = [[key, value] for key, value in self.options]
        return [PROTOCOL, self.game, self.rules, options, self.table, seats]

    def game_id(self) -> bytes:
        """32 bytes that no other game has: every signature and proof is bound to them."""
        return hashlib.sha256(b"hostless game" + encode(self.plain())).digest()

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
        case [str(protocol), str(slug), bytes(rules), list(options), str(table), list(seats)]:
            pass
        case _:
            raise MalformedFrame("this is not a roster")
    if protocol != PROTOCOL:
        raise MalformedFrame(f"the game speaks {protocol[:40]}, and we speak {PROTOCOL}")
    roster = Roster(slug, rules, _parse_options(options), table, tuple(map(_parse_seat, seats)))
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
    if not is_clean_name(roster.table):
        raise MalformedFrame("the name of the table cannot be shown")


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
        case [bytes(identity), str(name), bytes(nonce), bool(is_bot), bytes(sponsor)] if (
            len(identity) == IDENTITY_BYTES
            and len(nonce) == NONCE_BYTES
            and is_clean_name(name)
            and len(sponsor) in (0, IDENTITY_BYTES)
        ):
            return Seat(identity, name, nonce, is_bot, sponsor)
    raise MalformedFrame("a seat is an identity, a name, a nonce, whether a bot, and a sponsor")
