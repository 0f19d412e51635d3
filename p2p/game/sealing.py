"""What seats seal before it is opened: secret choices, and what follows from a key that all know.

A seat seals with a salt that follows from its key, and so does its share of a roll.  Once all know
the key of a seat that is gone, they open for it what it sealed.  A changed program can seal
something that does not follow from its key.  Then all put in its place what does: of a roll the
share, of a secret choice the first that was allowed.  That is fixed before anybody opens anything,
and the owner is named: its seal and its key, which are both in the log, do not fit each other.

What this does not protect against: such an owner has two openings to choose from, its own while it
is there, and the one that follows from its key if it leaves.  The second costs its seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from core.imagine import blindfold
from core.plain import parse_action, plain_action
from core.requests import Action
from core.table import RulesError
from p2p.base.wire import encode
from p2p.crypto.commitments import check_opening, commit, read_commitment
from p2p.crypto.transcript import ProofError
from p2p.game.equivalents import all_equivalents
from p2p.game.rolling import roll
from p2p.game.steps import Script, Sealed, Step

if TYPE_CHECKING:
    from p2p.game.script import Play

SEALS: Final = ("seal", "roll seal")  # Kinds of entries by which a seat seals something.
UNFIT: Final = "sealed what does not follow from its key"


class Offence(NamedTuple):
    """What a seat has done, as later entries show."""

    seat: int
    text: str
    is_sealed: bool = False  # Its last seal shows it; otherwise its choice, and the card of that.


def choose_secretly(play: Play, players: tuple[int, ...]) -> Script[tuple[Action, ...]]:
    """All seal their choices before any is opened; bots once all persons have, by fresh lots."""
    persons = tuple(p for p in players if p not in play.sealed and not play.is_bot(p))
    if persons:
        yield from _seal(play, persons)
    for seat in play.open_seats.intersection(persons):
        del play.sealed[seat]  # By whoever took its place: all know what, before others sealed.
    bots = tuple(player for player in players if player not in play.sealed)
    if bots:
        yield from play.draw_vrf_values(players)
        yield from _seal(play, bots)
    return (yield from _open(play, players))


def _seal(play: Play, seats: tuple[int, ...]) -> Script[None]:
    height, context = play.height, play._context(0, "secret")

    def write(action: Action | None) -> object:
        seat, legal = play._mine, play._legal(action)
        plain = plain_action(legal)
        claim = play.game.claim(play.table, seat, legal)
        assert claim is None, "a secret choice cannot carry a claim"
        if play._secrets is not None and seat not in play.open_seats:
            play._secrets.remember(height, plain)
        return commit(context, seat, encode(plain), play._derive(f"salt {height}"))

    seals = yield Step("seal", seats, read_commitment, write, is_choice=True)
    for seat, commitment in zip(seats, cast("tuple[bytes, ...]", seals), strict=True):
        play.sealed[seat] = Sealed(height, context, commitment)


def _open(play: Play, players: tuple[int, ...]) -> Script[tuple[Action, ...]]:
    unfit = set[int]()

    def write(_: object) -> object:
        seat, height = play._mine, play.sealed[play._mine].height
        if seat in play.open_seats or play._secrets is None:
            return _followed(play, seat)
        with suppress(KeyError):  # Sealed by this seat's program on another machine.
            return [list(play._secrets.recall(height)), play._derive(f"salt {height}")]
        return _followed(play, seat)

    def read(seat: int, body: object) -> Action:
        match body:
            case [value, bytes(salt)]:
                _, place, commitment = play.sealed[seat]
                try:
                    check_opening(commitment, place, seat, encode(value), salt)
                except ProofError:
                    if seat not in play.open_seats or encode(body) != encode(_followed(play, seat)):
                        raise
                    unfit.add(seat)
                action = parse_action(value)
                # Tried on a copy, so that a broken rule is held against this seat alone.
                play.game.apply(play.table.copy(), seat, action)
                return action
        raise RulesError("an opened choice is an action and a salt")

    values = yield Step("unseal", players, read, write)
    play.sealed.clear()
    play.offences += [Offence(seat, UNFIT, is_sealed=True) for seat in sorted(unfit)]
    return cast("tuple[Action, ...]", values)


def _followed(play: Play, seat: int) -> list[object]:
    """What the key of a seat, which I know, opens of its seal; else the first that was allowed."""
    height, place, commitment = play.sealed[seat]
    salt = play._derive(f"salt {height}", seat)
    first: list[object] = []
    for action in _possible(play, seat):
        plain = plain_action(action)
        if commit(place, seat, encode(plain), salt) == commitment:
            return [plain, salt]
        first = first or [plain, salt]
    return first


def _possible(play: Play, seat: int) -> Iterator[Action]:
    """All that a seat whose key I know could have chosen, with any of the equal cards."""
    observation = blindfold(play.table, play._dealing.observation, seat)
    for action in play.game.legal_actions(play.table, seat, observation):
        yield from all_equivalents(play.game, play.table, observation, action)


def roll_together(play: Play, sides: int) -> Script[int]:
    """A number below `sides`, to which every seat gives a share."""
    height, unfit = play.height, set[int]()

    def followed(seat: int) -> tuple[bytes, bytes]:
        return play._derive(f"roll {height}", seat), play._derive(f"salt {height}", seat)

    def is_followed(seat: int, share: bytes, salt: bytes) -> bool:
        if seat not in play.open_seats or (share, salt) != followed(seat):
            return False
        unfit.add(seat)
        return True

    def mine() -> tuple[int, bytes, bytes]:
        return play._mine, *followed(play._mine)

    rolled = yield from roll(sides, play.seats, play._context(0, "roll"), mine, is_followed)
    play.offences += [Offence(seat, UNFIT, is_sealed=True) for seat in sorted(unfit)]
    return rolled
