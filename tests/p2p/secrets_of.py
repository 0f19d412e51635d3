"""Whole games in which every secret that is made is written down, and a search for them.

Secrets of two kinds: those that stay (seeds, keys, masks, nonces, orders), and those that are
shown one day (salts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import CellType, FunctionType, GeneratorType, MethodType
from typing import Any, Final

import pytest

from p2p.base.wire import encode
from p2p.crypto import entropy, masking, precomputed, shuffle_proof
from p2p.crypto.group import L, scalar_to_bytes
from p2p.crypto.one_of_many import prove_members
from p2p.crypto.transcript import Transcript
from p2p.crypto.vrf import vrf_value
from p2p.game import dealing, sealing, shuffling
from p2p.game.script import Play
from tests.p2p.room import Room

ORDER_CARDS_MIN: Final = 8  # A shorter order may stand somewhere by chance.
MASK_BYTES: Final = 64  # What a mask is made from.


class Watched(Room):
    """A room that notes each seat's secrets while it plays; begin with `watch`."""

    def __init__(self, patch: pytest.MonkeyPatch, players: int, seed: int, game: str) -> None:
        self.kept: dict[int, set[bytes]] = {seat: set() for seat in range(players)}
        self.shown_later: dict[int, set[bytes]] = {seat: set() for seat in range(players)}
        self._writer = 0
        self.is_claiming = False
        _watch(self, patch)
        super().__init__(players, seed=seed, game=game)
        for seat, secrets in enumerate(self.vaults):
            self.kept[seat].add(secrets.seed)

    def write_as(self, seat: int) -> None:
        """Whatever is made from now on is a secret of this seat."""
        self._writer = seat

    def note(self, secret: bytes) -> None:
        """A secret of the seat that writes."""
        self.kept[self._writer].add(secret)

    def play(self) -> Iterator[bytes]:
        """Play on; yields every entry before the others hear it."""
        self.settle()
        while (replica := self.writer()) is not None:
            assert replica.me is not None, "whoever writes has a seat"
            self.write_as(replica.me)
            raw = self.write(replica)
            yield raw
            self.tell_all(raw)
            self.settle()


def _watch(room: Watched, patch: pytest.MonkeyPatch) -> None:
    fresh_bytes, order_of, masks_of = entropy.fresh_bytes, masking.order_of, masking.masks_of
    nonces, secret_of = Transcript.nonces, Play.new_secret

    def noted_bytes(size_bytes: int) -> bytes:
        drawn = fresh_bytes(size_bytes)
        room.note(drawn)
        if size_bytes == MASK_BYTES:
            room.note(scalar_to_bytes(int.from_bytes(drawn, "little") % (L - 1) + 1))
        return drawn

    def noted_masks(seed: bytes, count: int) -> list[int]:
        masks = masks_of(seed, count)
        for mask in masks:
            room.note(scalar_to_bytes(mask))
        return masks

    def noted_order(seed: bytes, count: int) -> list[int]:
        order = order_of(seed, count)
        if count >= ORDER_CARDS_MIN:
            room.note(bytes(order))
            room.note(encode(order))
        return order

    def noted_nonces(transcript: Transcript, count: int, secrets: Iterable[int]) -> list[int]:
        made = nonces(transcript, count, secrets)
        # The other half are challenges of a claim, made up to be shown (Cramer et al. 1994).
        for nonce in made[: count // 2] if room.is_claiming else made:
            room.note(scalar_to_bytes(nonce))
        return made

    def noted_claim(*statement: Any) -> bytes:
        room.is_claiming = True
        proof = prove_members(*statement)
        room.is_claiming = False
        return proof

    def noted_secret(play: Play, epoch: bytes) -> int:
        made = secret_of(play, epoch)
        assert play.me is not None, "only an owner names a new key"
        room.kept[play.me].add(scalar_to_bytes(made))
        return made

    _watch_seeds(room, patch, fresh_bytes)
    _watch_salts(room, patch)
    patch.setattr(Play, "new_secret", noted_secret)
    patch.setattr(entropy, "fresh_bytes", noted_bytes)
    patch.setattr(shuffle_proof, "order_of", noted_order)
    patch.setattr(shuffle_proof, "masks_of", noted_masks)
    patch.setattr(Transcript, "nonces", noted_nonces)
    patch.setattr(dealing, "prove_members", noted_claim)


def _watch_salts(room: Watched, patch: pytest.MonkeyPatch) -> None:
    derive = Play._derive

    def noted_derivation(play: Play, purpose: str) -> bytes:
        made = derive(play, purpose)
        if play.me is not None:
            room.shown_later[play.me].add(made)
        return made

    def noted_salt(secret: int, place: bytes) -> bytes:
        made = vrf_value(secret, place)
        room.shown_later[room._writer].add(made)
        return made

    patch.setattr(Play, "_derive", noted_derivation)
    patch.setattr(sealing, "vrf_value", noted_salt)


def _watch_seeds(
    room: Watched, patch: pytest.MonkeyPatch, fresh_bytes: Callable[[int], bytes]
) -> None:
    seed_of = masking.seed_of

    def noted_seed(secret: int, hint: bytes) -> bytes:
        made = seed_of(secret, hint)
        room.note(made)
        return made

    for module in (precomputed, shuffling):
        patch.setattr(module, "seed_of", noted_seed)
        patch.setattr(module, "fresh_hint", lambda: fresh_bytes(masking.HINT_BYTES))  # Said aloud.


def everything_in(root: object) -> bytes:
    """All bytes, and all integers as scalars, that can be reached from an object."""
    found, met, waiting = bytearray(), dict[int, object](), [root]
    while waiting:
        each = waiting.pop()
        if id(each) in met:
            continue
        met[id(each)] = each  # Kept, or another object could get its number.
        if isinstance(each, bytes | bytearray):
            found += each + b"|"
        elif isinstance(each, int):
            found += scalar_to_bytes(each) + b"|"
        else:
            if _is_order(each):
                found += bytes(each) + b"|"
            waiting += _parts(each)
    return bytes(found)


def _is_order(each: object) -> bool:
    return isinstance(each, list | tuple) and all(
        type(item) is int and 0 <= item < 256 for item in each
    )


def _parts(each: object) -> Iterator[object]:
    """What an object consists of; modules, classes and the globals of functions are no part."""
    match each:
        case str() | type() | None:
            return
        case dict():
            yield from each
            yield from each.values()
        case list() | tuple() | set() | frozenset():
            yield from each
        case partial():
            yield from (each.func, each.args, each.keywords)
        case MethodType():
            yield each.__self__
        case FunctionType():
            yield from each.__closure__ or ()
        case CellType():
            yield from _content(each)
        case GeneratorType():
            if each.gi_frame is not None:
                yield dict(each.gi_frame.f_locals)
            yield each.gi_yieldfrom
        case _:
            yield from _attributes(each)


def _content(cell: CellType) -> Iterator[object]:
    try:
        yield cell.cell_contents
    except ValueError:
        return  # Not filled yet.


def _attributes(each: object) -> Iterator[object]:
    yield getattr(each, "__dict__", None)
    for kind in type(each).__mro__:
        names = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            yield getattr(each, name, None)
