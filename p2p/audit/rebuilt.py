"""Cards that are dealt anew because a key is lost: what hands leave of the lists of their families.

docs/spec/protocol.md, section 19, for somebody who only reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from core.requests import Card
from p2p.audit.log import Guilty, ReadBody, T
from p2p.crypto.group import Point, base
from p2p.crypto.masking import Masked, open_form
from p2p.crypto.plaintext_equality import check_pet_share, pet_sum
from p2p.crypto.sure import make_sure
from p2p.crypto.tally import CardTally, check_subtraction, full_tally
from p2p.crypto.transcript import ProofError

_Deck: TypeAlias = list[Masked]
DealRows: TypeAlias = Callable[[int, Sequence[Masked]], _Deck]  # To a seat, some rows.


class StepReader(Protocol):
    """What is around the cards."""

    def step(self, kind: str, writers: Sequence[int], read: ReadBody[T]) -> list[T]:
        """What each of the writers says in the current step."""
        ...

    def context(self, seat: int, purpose: str) -> bytes:
        """The context of a proof in the current step (section 11)."""
        ...


class LostClass(NamedTuple):
    """Hidden cards that can be each other."""

    dead: list[Card]  # That nobody can read any more.
    held: dict[int, _Deck]  # By seat.
    faces: list[tuple[Point, int]]  # And how many there are of each.
    mine: dict[Card, int]  # Of lost seats, seat by seat.
    shown: dict[Card, list[Point]]  # Those of which claims have shown what they can be.
    spare: list[Point]  # What was dealt to a lost seat and does not belong where its cards lie.


class OpenRow(NamedTuple):
    """A row that was dealt to a lost seat, whose key all know."""

    seat: int
    pair: Masked
    says: Point


class Rebuilt:
    """Reads what is said before the shuffle, and after it."""

    def __init__(self, around: StepReader, publics: Sequence[Point]) -> None:
        """`publics` are the keys of all seats as they are now."""
        self._around, self._publics = around, publics

    def read_subtractions(self, families: Sequence[LostClass], key: Point) -> list[_Deck]:
        """What is left of each family when every seat, in turn, has struck its cards."""
        tallies = [full_tally(key, family.faces) for family in families]
        for seat in range(len(self._publics)):
            mine = [at for at, family in enumerate(families) if seat in family.held]
            if mine:
                read = partial(self._read_subtraction, families, tallies, mine)
                (subtracted,) = self._around.step("strike", (seat,), read)
                for at, tally in zip(mine, subtracted, strict=True):
                    tallies[at] = tally
        return [tally.cards for tally in tallies]

    def _read_subtraction(
        self,
        families: Sequence[LostClass],
        tallies: Sequence[CardTally],
        mine: Sequence[int],
        seat: int,
        body: object,
    ) -> list[CardTally]:
        left = []
        for at, said in zip(mine, _strings(body, len(mine)), strict=True):
            held, context = families[at].held[seat], self._around.context(seat, f"strike {at}")
            left.append(check_subtraction(self._publics[seat], tallies[at], held, said, context))
        return left

    def read_pet_shares(self, decks: Sequence[_Deck], live: Sequence[int]) -> _Deck:
        """All cards, one deck after the other, times factors that nobody knows together."""

        def read(seat: int, body: object) -> list[_Deck]:
            said = _strings(body, len(decks))
            return [
                check_pet_share(deck, said[at], self._around.context(seat, f"blind {at}"))
                for at, deck in enumerate(decks)
            ]

        raised = self._around.step("blind", live, read)
        try:
            return [card for parts in zip(*raised, strict=True) for card in pet_sum(parts)]
        except ProofError as error:
            raise Guilty(live[-1], str(error)) from error


def dealt_again(
    family: LostClass, deck: _Deck, secrets: Mapping[int, int], deal: DealRows
) -> dict[Card, Masked]:
    """What lost seats are dealt from the front of a deck, so that all may lie where it does.

    What does not becomes spare.  Where no row is left, they give to each other what they have.

    Raises:
        Stop: see `p2p.audit.log`.
    """
    rows, fresh = list[OpenRow](), dict[Card, Masked]()
    for seat in sorted(secrets):
        mine, own = [card for card in family.mine if family.mine[card] == seat], list[OpenRow]()
        while (missing := len(mine) - len(_places(family, mine, own))) and deck:
            dealt = deal(seat, deck[:missing])
            del deck[:missing]
            own += [OpenRow(seat, row, row.b - row.a * secrets[seat]) for row in dealt]
        rows += own
        if missing:
            family.spare.clear()
            return _given_out(family, list(family.mine), rows, secrets)
        fresh |= _given_out(family, mine, own, secrets)
    return fresh


def _given_out(
    family: LostClass, cards: list[Card], rows: list[OpenRow], secrets: Mapping[int, int]
) -> dict[Card, Masked]:
    places = _places(family, cards, rows)
    make_sure(len(places) == len(cards), "claims that are proven hold")
    family.spare.extend(row.says for at, row in enumerate(rows) if at not in places.values())
    found = dict[Card, Masked]()
    for card, at in places.items():
        (seat, pair, says), holder = rows[at], family.mine[card]
        found[card] = pair if seat == holder else open_form(says, base(secrets[holder]))
    return found


def _places(family: LostClass, cards: list[Card], rows: list[OpenRow]) -> dict[Card, int]:
    """Which row becomes each card: first those of which claims have shown something."""
    free, places = list(range(len(rows))), dict[Card, int]()
    for card in [card for card in cards if card in family.shown]:
        fitting = [at for at in free if rows[at].says in family.shown[card]]
        if fitting:
            places[card] = fitting[0]
            free.remove(fitting[0])
    others = [card for card in cards if card not in family.shown]
    return places | dict(zip(others, free, strict=False))


def _strings(body: object, count: int) -> list[bytes]:
    match body:
        case list() if len(body) == count and all(isinstance(each, bytes) for each in body):
            return body
    raise ProofError(f"a list of {count} byte strings was expected")
