"""A deck whose key is lost with a seat, dealt anew by those who are left, who show no card.

How many cards of each face a family of hidden cards has is public.  Some are held by seats whose
keys are there; the others, in decks and in the hand of the seat that is lost, cannot be read by
anybody any more.  The places of these are dealt anew from what the seats' hands leave of the list:

    strike      one seat after the other takes its cards off the lists     `p2p.crypto.tally`
    shuffle     all seats shuffle what is left of each list, and prove it  `p2p.game.shuffling`
    blind       every live seat, with factors that nobody knows together   `plaintext_equality`
    sort out    all seats open what was blinded: subtracted rows say nothing, and are thrown away
    share       all others deal the lost seat its cards again, under its new key
    shuffle     once more, if it was dealt some that do not belong where its cards lie

The new key follows from what everybody knows: the seat is an open one from then on
(`p2p.base.roster`), so its new hand lies open.  The new joint key is that of all seats.
Nothing changes before the last step is over, so that losing another seat meanwhile means to begin
anew.

What this does not protect against: all live seats together, who can read the deck.  If only one is
left, it alone can: the deck is then as closed as its own word.  The order in which cards lay in a
deck is gone, and with it what somebody had seen there, and what the lost seat had claimed.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from typing import NamedTuple, cast

from core.requests import Card
from core.table import HIDDEN, Table
from p2p.crypto.group import IDENTITY, Point
from p2p.crypto.masking import (
    LIST_CARDS_MAX,
    Masked,
    make_shares,
    message,
    open_form,
    strip,
)
from p2p.crypto.plaintext_equality import check_pet_share, pet_share, pet_sum
from p2p.crypto.sure import make_sure
from p2p.crypto.tally import CardTally, check_subtraction, full_tally, subtract_hand
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import JOINT, Dealing
from p2p.game.steps import Convicted, Script, Step

Decks = list[list[Masked]]


class HiddenClass(NamedTuple):
    """Hidden cards that can be each other, as the table has them."""

    dead: list[Card]  # Whose key is lost.
    held: dict[int, list[Masked]]  # Of every seat that has some, its cards.
    tally: CardTally


class DealtRow(NamedTuple):
    """A row that was dealt to a seat whose key all know."""

    seat: int
    pair: Masked
    says: Point


class Rebuilding:
    """One attempt to deal the dead cards of a table anew."""

    def __init__(self, dealing: Dealing, table: Table, lost: Set[int], live: Sequence[int]) -> None:
        """`lost` are the seats whose old keys are, `live` those at which somebody sits."""
        self._dealing, self._table, self._lost = dealing, table, lost
        self._live, self._seats = tuple(live), range(len(dealing.publics))

    def script(self) -> Script[None]:
        """Deal them anew."""
        families = list(self._families())
        if not families:
            return
        tallies = yield from self._subtract_hands(families)
        decks = yield from self._dealing.shuffling.by_all(
            self._dealing.joint, [tally.cards for tally in tallies], len(self._seats)
        )
        self._dealing.count(shuffles=len(self._seats))
        decks = yield from self._sort_out(decks)
        fresh: dict[Card, Masked] = {}
        spares = []
        for at, (family, deck) in enumerate(zip(families, decks, strict=True)):
            # What is taken off a tally is proven to be a hand, and shuffles keep what a family has.
            make_sure(len(deck) == len(family.dead), "hands that are proven leave the rest")
            decks[at], spare = yield from self._deal(family, deck, fresh)
            spares.append(spare)
        decks = yield from self._put_back(decks, spares)
        for family, deck in zip(families, decks, strict=True):
            joint = [card for card in family.dead if card not in fresh]
            fresh |= zip(joint, deck, strict=True)
            self._dealing.lie_together(joint)
        self._take(fresh)
        self._dealing.has_new_key = False  # No deck lies there as it did under an old one.

    def _families(self) -> Sequence[HiddenClass]:
        families = []
        for number, counts in enumerate(self._table.family_counts):
            of = enumerate(self._table.family_of)
            cards = [card for card, family in of if family == number]
            dead = [card for card in cards if is_dead(self._dealing, card, self._lost)]
            if dead:
                held: dict[int, list[Masked]] = {}
                for card in cards:
                    pair, holder = self._dealing.masked[card], self._dealing.holder[card]
                    assert pair is not None, "a hidden card has a mask"
                    if card not in dead:
                        held.setdefault(holder, []).append(pair)
                of_faces = zip(self._dealing.points, counts, strict=True)
                faces = [(point, count) for point, count in of_faces if count]
                families.append(HiddenClass(dead, held, full_tally(self._dealing.joint, faces)))
        return families

    # ---- every hand comes off the lists ----

    def _subtract_hands(self, families: Sequence[HiddenClass]) -> Script[list[CardTally]]:
        tallies = [family.tally for family in families]
        for seat in self._seats:
            held = {at: family.held[seat] for at, family in enumerate(families)
                    if seat in family.held}  # fmt: skip
            if held:
                read = partial(self._read_subtractions, tallies, held)
                write = partial(self._write_subtractions, tallies, held)
                values = yield Step("strike", (seat,), read, write, is_heavy=True)
                subtracted = cast("list[CardTally]", values[0])
                for at, tally in zip(held, subtracted, strict=True):
                    tallies[at] = tally
        return tallies

    def _write_subtractions(
        self, tallies: list[CardTally], held: dict[int, list[Masked]], _: object
    ) -> object:
        seat = self._dealing.writer
        secret = self._dealing.secrets[seat]
        return [
            subtract_hand(secret, tallies[at], pairs, self._dealing.context(seat, f"strike {at}"))
            for at, pairs in held.items()
        ]

    def _read_subtractions(
        self, tallies: list[CardTally], held: dict[int, list[Masked]], seat: int, body: object
    ) -> list[CardTally]:
        public, said = self._dealing.publics[seat], _byte_strings(body, len(held))
        return [
            check_subtraction(
                public, tallies[at], pairs, each, self._dealing.context(seat, f"strike {at}")
            )
            for (at, pairs), each in zip(held.items(), said, strict=True)
        ]

    # ---- what was subtracted is found and thrown away ----

    def _sort_out(self, decks: Decks) -> Script[Decks]:
        read, write = partial(self._read_pet_shares, decks), partial(self._write_pet_shares, decks)
        values = yield Step("blind", self._live, read, write, is_heavy=True)
        said = cast("tuple[Decks, ...]", values)
        try:
            raised = [pet_sum(parts) for parts in zip(*said, strict=True)]
        except ProofError as error:
            raise Convicted(self._live[-1], str(error)) from error
        rows = [row for deck in raised for row in deck]
        values = yield self._dealing.share_step("sort out", dict.fromkeys(self._seats, rows))
        layers = zip(*cast("tuple[list[Point], ...]", values), strict=True)
        is_there = iter([strip(row, shares).b != IDENTITY
                         for row, shares in zip(rows, layers, strict=True)])  # fmt: skip
        return [[row for row in deck if next(is_there)] for deck in decks]

    def _write_pet_shares(self, decks: Decks, _: object) -> object:
        seat = self._dealing.writer
        return [
            pet_share(deck, self._dealing.context(seat, f"blind {at}"))
            for at, deck in enumerate(decks)
        ]

    def _read_pet_shares(self, decks: Decks, seat: int, body: object) -> Decks:
        return [
            check_pet_share(deck, said, self._dealing.context(seat, f"blind {at}"))
            for at, (deck, said) in enumerate(
                zip(decks, _byte_strings(body, len(decks)), strict=True)
            )
        ]

    # ---- the hands of the lost seats ----

    def _deal(
        self, family: HiddenClass, deck: list[Masked], fresh: dict[Card, Masked]
    ) -> Script[tuple[list[Masked], list[Point]]]:
        """Deal the lost seats theirs, into `fresh`; gives what is left, and faces to be put back.

        Where claims have shown what lies in a zone, it is dealt on until that can lie there again.
        If no row is left then, another lost seat has what is missing, and gives it.
        """
        rows, spare = list[DealtRow](), list[Point]()
        for seat in sorted(self._lost):
            mine, own = self._dead_of(family, [seat]), list[DealtRow]()
            while (missing := len(mine) - len(self._places(mine, own))) and deck:
                dealt = yield from self._dealing.strip_for(seat, deck[:missing])
                own, deck = own + self._open_rows(seat, dealt), deck[missing:]
            rows += own
            if missing:
                cards = self._dead_of(family, sorted(self._lost))
                return [], self._give_out(cards, rows, fresh)
            spare += self._give_out(mine, own, fresh)
        return deck, spare

    def _dead_of(self, family: HiddenClass, seats: Sequence[int]) -> list[Card]:
        """The cards that these lost seats held, seat by seat."""
        holder = self._dealing.holder
        return [card for seat in seats for card in family.dead if holder[card] == seat]

    def _open_rows(self, seat: int, pairs: list[Masked]) -> list[DealtRow]:
        secret = self._dealing.secrets[seat]
        layers = zip(pairs, make_shares(secret, pairs), strict=True)
        return [DealtRow(seat, pair, message(pair, layer)) for pair, layer in layers]

    def _give_out(
        self, cards: list[Card], rows: Sequence[DealtRow], fresh: dict[Card, Masked]
    ) -> list[Point]:
        """Let cards become rows that all can read; gives the faces of the rows that are left."""
        places = self._places(cards, rows)
        make_sure(len(places) == len(cards), "claims that are proven hold")
        for card, place in places.items():
            seat, pair, says = rows[place]
            holder = self._dealing.holder[card]
            is_own = holder == seat
            fresh[card] = pair if is_own else open_form(says, self._dealing.publics[holder])
        return [row.says for at, row in enumerate(rows) if at not in places.values()]

    def _places(self, cards: list[Card], rows: Sequence[DealtRow]) -> dict[Card, int]:
        """Which of what was dealt becomes each card; the first that may, where that is not any."""
        proven = {
            card: [self._dealing.points[face] for face in faces]
            for zone, faces in self._table.layout.narrow
            for card in self._table.zones[zone]
        }
        free, places = list(range(len(rows))), dict[Card, int]()
        for card in sorted(cards, key=lambda card: card not in proven):
            fitting = [at for at in free if card not in proven or rows[at].says in proven[card]]
            if fitting:
                places[card] = fitting[0]
                free.remove(fitting[0])
        return places

    def _put_back(self, decks: Decks, spares: Sequence[Sequence[Point]]) -> Script[Decks]:
        """Shuffle what lies open into the decks that it came from."""
        open_at = [at for at, spare in enumerate(spares) if spare]
        if not open_at:
            return decks
        key = self._dealing.joint
        piles = [decks[at] + [open_form(face, key) for face in spares[at]] for at in open_at]
        mixed = yield from self._dealing.shuffling.by_all(key, piles, len(self._seats))
        self._dealing.count(shuffles=len(self._seats))
        found = dict(zip(open_at, mixed, strict=True))
        return [found.get(at, deck) for at, deck in enumerate(decks)]

    # ---- the cards ----

    def _take(self, fresh: dict[Card, Masked]) -> None:
        """These are the dead cards from now on; nobody has seen them but the lost seats theirs."""
        for card, pair in fresh.items():
            holder = self._dealing.holder[card]
            owner = holder if holder in self._lost else JOINT
            self._dealing.hold(card, pair, owner)
            self._dealing.observation[card] = HIDDEN
            self._table.mix((card,), None if owner == JOINT else owner)
        self._dealing.read_cards(fresh)


def is_dead(dealing: Dealing, card: Card, lost: Set[int]) -> bool:
    """Whether a card cannot be read without the key of a lost seat."""
    return dealing.holder[card] == JOINT or dealing.holder[card] in lost


def may_rebuild(dealing: Dealing, table: Table) -> bool:
    """Whether hidden cards are not too many for one proof, and none that all hold is proven."""
    proven = [card for zone, _ in table.layout.narrow for card in table.zones[zone]]
    hidden = sum(face == HIDDEN for face in table.face)
    return hidden <= LIST_CARDS_MAX and not any(dealing.holder[card] == JOINT for card in proven)


def _byte_strings(body: object, count: int) -> list[bytes]:
    match body:
        case list() if len(body) == count and all(isinstance(each, bytes) for each in body):
            return body
    raise ProofError(f"{count} byte strings were expected")
