"""Keys in escrow: what the seats write so that all others together can play on for one.

    escrow key      every seat shows a key for boxes; its secret is used for nothing else
    escrow          every seat splits its game key among all others (`p2p.crypto.key_sharing`)
    escrow check    every seat says whose part it could not take, with the proof

Only seats at which somebody sits take part.  When one of them is gone, the others agree anew: its
parts went with it, because the secret of its boxes is not the game key that everybody now knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from p2p.crypto.group import Point, base
from p2p.crypto.key_sharing import (
    Deal,
    check_complaint,
    check_deal,
    check_part,
    complain,
    deal,
    take_part,
)
from p2p.crypto.transcript import ProofError
from p2p.game.steps import Convicted, Script, Step


class Holder(NamedTuple):
    """What my seat brings to the agreement."""

    seat: int
    key: int  # The secret of its game key,
    box: int  # and of its boxes.


class Escrow:
    """Who holds which part of whose key; my own parts are known to nobody else."""

    def __init__(self) -> None:
        """Nothing is in escrow."""
        self.seats: tuple[int, ...] = ()  # Those that have agreed.
        self._deals: dict[int, Deal] = {}
        self._parts: dict[int, int] = {}
        self._is_agreed = False  # Nobody has complained.

    def covers(self, seat: int, live: Sequence[int]) -> bool:
        """Whether all other `live` seats together have the key of `seat`."""
        return self._is_agreed and seat in self._deals and self.seats == tuple(live)

    def part_of(self, dealer: int) -> int:
        """My part of the key of a seat; see `covers`."""
        return self._parts[dealer]

    def check_part(self, dealer: int, holder: int, part: int) -> None:
        """Return if this is the part that `holder` was dealt; raises ProofError otherwise."""
        check_part(self._deals[dealer], self._others(dealer).index(holder), part)

    def _others(self, dealer: int) -> list[int]:
        return [seat for seat in self.seats if seat != dealer]

    def agree(
        self,
        seats: tuple[int, ...],
        publics: Sequence[Point],
        mine: Holder | None,
        context: Callable[[int], bytes],
    ) -> Script[None]:
        """Let every one of `seats` split its key among the others; `context` is that of a dealer.

        A seat that dealt a part that is none is `Convicted` by whoever reads the complaint.
        """
        self.seats, self._deals, self._parts, self._is_agreed = seats, {}, {}, False
        keys = yield from _show_keys(seats, mine)

        def write(_: object) -> object:
            assert mine is not None, "a spectator has no key"
            boxes = [keys[seat] for seat in self._others(mine.seat)]
            return bytes(deal(mine.key, boxes, context(mine.seat)))

        def read(seat: int, body: object) -> Deal:
            if not isinstance(body, bytes):
                raise ProofError("a key in parts was expected")
            shown = Deal.parse(body, len(seats) - 1)
            check_deal(publics[seat], shown)
            return shown

        deals = yield Step("escrow", seats, read, write, is_irreversible=True)
        self._deals = dict(zip(seats, cast("tuple[Deal, ...]", deals), strict=True))
        bad = [] if mine is None else self._take(mine, context)
        yield from self._check(keys, bad, context)
        self._is_agreed = True

    def _take(self, mine: Holder, context: Callable[[int], bytes]) -> list[object]:
        """Take my parts; gives my complaints about those that are none."""
        complaints: list[object] = []
        for dealer in self._others(mine.seat):
            shown, place = self._deals[dealer], self._others(dealer).index(mine.seat)
            try:
                self._parts[dealer] = take_part(mine.box, shown, place, context(dealer))
            except ProofError:
                complaints.append([dealer, complain(mine.box, shown, context(dealer))])
        return complaints

    def _check(
        self, keys: dict[int, Point], bad: list[object], context: Callable[[int], bytes]
    ) -> Script[None]:
        def read(seat: int, body: object) -> None:
            if not isinstance(body, list):
                raise ProofError("a list of complaints was expected")
            for complaint in body:
                dealer = self._charge(seat, keys[seat], complaint, context)
                raise Convicted(dealer, "put a part of its key in escrow that is none")

        yield Step("escrow check", self.seats, read, lambda _: bad)

    def _charge(
        self, seat: int, key: Point, complaint: object, context: Callable[[int], bytes]
    ) -> int:
        """The dealer whom a complaint convicts; raises ProofError if it convicts nobody."""
        match complaint:
            case [int(dealer), bytes(proof)] if dealer in self._deals and dealer != seat:
                place = self._others(dealer).index(seat)
                check_complaint(self._deals[dealer], place, key, proof, context(dealer))
                return int(dealer)
        raise ProofError("complained about nobody at this table")


def _show_keys(seats: tuple[int, ...], mine: Holder | None) -> Script[dict[int, Point]]:
    def write(_: object) -> object:
        assert mine is not None, "a spectator has no boxes"
        return base(mine.box).encoded

    def read(seat: int, body: object) -> Point:
        if not isinstance(body, bytes):
            raise ProofError("a key for boxes was expected")
        return Point.parse(body)

    keys = yield Step("escrow key", seats, read, write)
    return dict(zip(seats, cast("tuple[Point, ...]", keys), strict=True))
