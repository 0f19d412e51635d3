"""Secret choices: sealed by all before any is opened.

The salt of a seal is the VRF value of its seat's key at the place of the seal, and whoever opens it
proves that.  So a seal has one opening at most: the one that follows from the key.  Once all know
the key of a seat that is gone, they open for it what it sealed.  What a changed program has sealed
otherwise, nobody can open, its owner included: while it is there it has nothing to show, and once
it is gone all put in its place the first choice that was allowed.  That is fixed before anybody
opens anything, and the owner is named: its seal and its key, which are both in the log, do not fit
each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final, cast

from core.determinization import observation_of
from core.plain import parse_action, plain_action
from core.requests import Action
from core.table import RulesError
from p2p.base.wire import encode
from p2p.crypto.commitments import check_opening, commit, read_commitment
from p2p.crypto.transcript import ProofError
from p2p.crypto.vrf import vrf_prove, vrf_value, vrf_verify
from p2p.game.equivalents import all_equivalents
from p2p.game.state import GameState
from p2p.game.steps import Offence, Script, Sealed, Step, TakeBack

UNFIT: Final = "sealed what does not follow from its key"


def choose_secretly(play: GameState, players: tuple[int, ...]) -> Script[tuple[Action, ...]]:
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
        play.bound = frozenset()  # By their seals.
    return (yield from _open(play, players))


def _seal(play: GameState, seats: tuple[int, ...]) -> Script[None]:
    height, context = play.height, play._context(0, "secret")

    def write(action: Action | TakeBack | None) -> object:
        if isinstance(action, TakeBack):
            raise RulesError("nobody goes back at a secret choice")
        seat, legal = play._writer, play._legal(action)
        plain = plain_action(legal)
        claim = play.game.claim(play.table, seat, legal)
        assert claim is None, "a secret choice cannot carry a claim"
        if play._secrets is not None and seat not in play.open_seats:
            play._secrets.remember(height, plain)
        return commit(context, seat, encode(plain), _salt(play, seat, height))

    seals = yield Step("seal", seats, read_commitment, write, is_choice=True)
    for seat, commitment in zip(seats, cast("tuple[bytes, ...]", seals), strict=True):
        play.sealed[seat] = Sealed(height, context, commitment)


def _open(play: GameState, players: tuple[int, ...]) -> Script[tuple[Action, ...]]:
    unfit = set[int]()

    def write(_: object) -> object:
        return [_sealed_by(play, play._writer), _prove_salt(play, play._writer)]

    def read(seat: int, body: object) -> Action:
        match body:
            case [value, bytes(proven)]:
                salt = _check_salt(play, seat, proven)
                _, place, commitment = play.sealed[seat]
                try:
                    check_opening(commitment, place, seat, encode(value), salt)
                except ProofError:
                    is_open = seat in play.open_seats
                    if not is_open or encode(value) != encode(_followed(play, seat)):
                        raise
                    unfit.add(seat)
                action = parse_action(value)
                # Tried on a copy, so that a broken rule is held against this seat alone.
                play.game.apply(play.table.copy(), seat, action)
                return action
        raise RulesError("an opened choice is an action and a proven salt")

    values = yield Step("unseal", players, read, write)
    play.sealed.clear()
    play.offences += [Offence(seat, UNFIT, is_sealed=True) for seat in sorted(unfit)]
    return cast("tuple[Action, ...]", values)


def _salt(play: GameState, seat: int, height: int) -> bytes:
    """The salt of a seal at a height, of a seat whose key I know."""
    return vrf_value(play._dealing.secrets[seat], play._context(0, "salt", height))


def _prove_salt(play: GameState, seat: int) -> bytes:
    """The same with its proof, for what the seat has sealed."""
    (place, context), dealing = _place_of(play, seat), play._dealing
    return vrf_prove(dealing.secrets[seat], dealing.publics[seat], place, context)


def _check_salt(play: GameState, seat: int, proven: bytes) -> bytes:
    """The salt of what a seat has sealed.  Its key is still the one it sealed with.

    A seat with a new key has nothing sealed: see `Play.forget_seal` and `Play.lose_seat`.

    Raises:
        ProofError: it does not follow from that key.
    """
    place, context = _place_of(play, seat)
    return vrf_verify(play._dealing.publics[seat], place, proven, context)


def _place_of(play: GameState, seat: int) -> tuple[bytes, bytes]:
    """The place of the salt of a seat's seal, and the context of its proof."""
    height = play.sealed[seat].height
    return play._context(0, "salt", height), play._context(seat, "salt", height)


def _sealed_by(play: GameState, seat: int) -> list[object]:
    """What the seat that I speak for has sealed."""
    if seat not in play.open_seats and play._secrets is not None:
        with suppress(KeyError):  # Sealed by this seat's program on another machine.
            return list(play._secrets.recall(play.sealed[seat].height))
    return _followed(play, seat)


def _followed(play: GameState, seat: int) -> list[object]:
    """What the key of a seat, which I know, opens of its seal; else the first that was allowed."""
    height, place, commitment = play.sealed[seat]
    salt = _salt(play, seat, height)
    first: list[object] = []
    for action in _possible(play, seat):
        plain = plain_action(action)
        if commit(place, seat, encode(plain), salt) == commitment:
            return plain
        first = first or plain
    return first


def _possible(play: GameState, seat: int) -> Iterator[Action]:
    """All that a seat whose key I know could have chosen, with any of the equal cards."""
    observation = observation_of(play.table, play._dealing.observation, seat)
    for action in play.game.legal_actions(play.table, seat, observation):
        yield from all_equivalents(play.game, play.table, observation, action)
