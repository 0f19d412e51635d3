"""The cards as a file has them: who holds which, and which statement every proof is about.

docs/spec/protocol.md, section 9 and the card entries of section 10, for somebody who only reads.
Proofs of joint shuffles are looked at together; still before anything else is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from core.requests import Card, Face, Reveal, Shuffle
from core.table import HIDDEN, Table
from p2p.audit.bodies import content_and_proof, list_of, read_bytes, read_deck
from p2p.audit.log import Guilty
from p2p.audit.rebuilt import LostClass, Rebuilt, StepReader, dealt_again
from p2p.audit.renewal import BeforeRenewal, Renewal
from p2p.crypto.group import IDENTITY, Point, base, hash_to_point, parse_points
from p2p.crypto.keys import joint_key
from p2p.crypto.masking import (
    LIST_CARDS_MAX,
    Masked,
    make_shares,
    message,
    open_form,
    strip,
    verify_shares,
)
from p2p.crypto.one_of_many import verify_members
from p2p.crypto.rekey import Rekeying, verify_rekey
from p2p.crypto.shuffle_proof import ProvenShuffle, verify_shuffles
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError

_JOINT: Final = -1
_OPEN: Final = -2
_HINT_BYTES: Final = 32  # With which whoever has the seat's key can prove the shuffle.
_Deck: TypeAlias = list[Masked]
Said: TypeAlias = dict[tuple[int, int], tuple[_Deck, _Deck, bytes]]
"""By seat and pile: before and after its shuffle, and the context of the proof."""


class CardsBefore(NamedTuple):
    """Every card as it was at some time, under the keys of that time."""

    pairs: dict[Card, Masked]
    holder: list[int]
    observation: list[Face]
    pile_of: dict[Card, int]


class EntryReader(StepReader, Protocol):
    """What is around the cards: the log, what proofs are bound to, which keys are known."""

    game_id: bytes
    keys: Mapping[int, int]  # The secrets of keys that were opened, by seat.


class Cards:
    """Every card of a table: its pair, and under whose key it is."""

    def __init__(
        self, around: EntryReader, table: Table, publics: list[Point], *, is_believed: bool = False
    ) -> None:
        """All cards lie open.  If the log `is_believed`, its proofs are not looked at."""
        self._around, self._table, self._is_believed = around, table, is_believed
        self._publics, self._joint = publics, joint_key(publics)
        self._points = [
            hash_to_point("face", around.game_id, face.to_bytes(2, "big"))
            for face in range(len(table.layout.faces))
        ]
        self._face_of = {point: face for face, point in enumerate(self._points)}
        self._pairs: dict[Card, Masked] = {}
        self._holder = [_OPEN] * len(table.face)
        self._dealt: dict[Masked, int] = {}  # Joint pairs that were dealt: to whom.
        self._pile_of: dict[Card, int] = {}  # With which each was shuffled by all.
        self._has_new_key = False  # A seat that came back, and no deck was shuffled since.
        self._chain: list[tuple[int, list[ProvenShuffle]]] = []  # Of the joint shuffle, by seat.
        self._unproven = set[int]()  # Who has shuffled in it, until all have proven that.
        # What everybody, and whoever has a key that is known, has seen.
        self.observation: list[Face] = table.face[:]
        self.proven = dict.fromkeys(("shuffles", "shares", "transfers", "claims"), 0)

    # ---- what the rules ask for ----

    def shuffle(self, request: Shuffle) -> None:
        """By all seats in turn, or by the owner of the cards.

        Raises:
            Stop: see `p2p.audit.log`.
        """
        owner = request.player
        holder = _JOINT if owner is None else owner
        key = self._joint if owner is None else self._publics[owner]
        cards = [card for pile in request.piles for card in pile]
        self._bring(cards, holder)
        decks = [[self._closed(card, key) for card in pile] for pile in request.piles]
        try:
            if owner is None:
                decks = self._go_round(decks)
            else:
                (decks,) = self._around.step("mix", (owner,), partial(self._read_mix, key, decks))
        finally:  # Whatever stops the log, who proved badly before has done so.
            self._check_chain()
        for pile, deck in zip(request.piles, decks, strict=True):
            for card in pile:
                self.observation[card] = HIDDEN
            self._take(pile, deck, holder)
            if owner is None:
                self._lie_together(pile)

    def shuffle_anew(self) -> None:
        """Behind a new key all that is joint, each among those of its last shuffle (section 18.4).

        Raises:
            Stop: see `p2p.audit.log`.
        """
        if self._has_new_key:
            piles: dict[int, list[Card]] = {}
            for card, holder in enumerate(self._holder):
                if holder == _JOINT:
                    piles.setdefault(self._pile_of[card], []).append(card)
            self._shuffle_joint(list(piles.values()))
            self._has_new_key = False

    def _shuffle_joint(self, piles: Sequence[Sequence[Card]]) -> None:
        if piles:
            decks = [[self._pairs[card] for card in pile] for pile in piles]
            for pile, deck in zip(piles, self._go_round_at_once(decks), strict=True):
                self._take(pile, deck, _JOINT)

    def _lie_together(self, pile: Collection[Card]) -> None:
        number = 1 + max(self._pile_of.values(), default=0)
        self._pile_of |= dict.fromkeys(pile, number)

    def use_keys(self, publics: Sequence[Point]) -> None:
        """Seats have other keys, because theirs are lost; their cards are dealt anew later."""
        self._publics, self._joint = list(publics), joint_key(publics)

    def deal_anew(self, lost: Mapping[int, int], live: Sequence[int]) -> list[Shuffle]:
        """What only lost keys could read, under the keys that there are now (section 19).

        `lost` has the new secrets of seats that lost theirs.  Gives what is dealt as if each card
        had been shuffled by whoever has seen it now.

        Raises:
            Stop: see `p2p.audit.log`.
        """
        families = list(self._families(lost))
        if not families:
            return []
        rebuilt = Rebuilt(self._around, self._publics)
        decks = self._go_round_at_once(rebuilt.read_subtractions(families, self._joint))
        rows = rebuilt.read_pet_shares(decks, live)
        shown = self._layers("sort out", dict.fromkeys(self._seats, rows))
        left = iter([strip(row, shares).b != IDENTITY
                     for row, shares in zip(rows, shown, strict=True)])  # fmt: skip
        decks = [[row for row in deck if next(left)] for deck in decks]
        fresh: dict[Card, Masked] = {}
        for at, family in enumerate(families):
            is_rest = len(decks[at]) == len(family.dead)
            make_sure(is_rest, "hands that are proven leave the rest")
            fresh |= dealt_again(family, decks[at], lost, self._strip_for)
        if any(family.spare for family in families):
            piles = [decks[at] + [open_form(face, self._joint) for face in family.spare]
                     for at, family in enumerate(families) if family.spare]  # fmt: skip
            mixed = iter(self._go_round_at_once(piles))
            decks = [next(mixed) if family.spare else deck
                     for family, deck in zip(families, decks, strict=True)]  # fmt: skip
        for family, deck in zip(families, decks, strict=True):
            rest = [card for card in family.dead if card not in fresh]
            fresh |= zip(rest, deck, strict=True)
            self._lie_together(rest)
        return self._take_anew(fresh, lost)

    def _go_round_at_once(self, decks: list[_Deck]) -> list[_Deck]:
        try:
            return self._go_round(decks)
        finally:
            self._check_chain()

    def _strip_for(self, seat: int, rows: Sequence[Masked]) -> _Deck:
        """What a lost seat is dealt of these rows."""
        others = [other for other in self._seats if other != seat]
        layers = self._layers("share", {other: list(rows) for other in others})
        return list(map(strip, rows, layers))

    def _take_anew(self, fresh: dict[Card, Masked], lost: Collection[int]) -> list[Shuffle]:
        dealt, self._has_new_key = [], False
        for card, pair in fresh.items():
            holder = self._holder[card] if self._holder[card] in lost else _JOINT
            self.observation[card] = HIDDEN
            dealt.append(Shuffle(((card,),), None if holder == _JOINT else holder))
            self._table.mix((card,), dealt[-1].player)
            self._take((card,), (pair,), holder)
        return dealt

    def _families(self, lost: Collection[int]) -> Iterator[LostClass]:
        proven = {
            card: [self._points[face] for face in faces]
            for zone, faces in self._table.layout.narrow
            for card in self._table.zones[zone]
        }
        for number, counts in enumerate(self._table.family_counts):
            of = enumerate(self._table.family_of)
            cards = [card for card, family in of if family == number]
            dead = [card for card in cards if self._holder[card] in (_JOINT, *lost)]
            if dead:
                held: dict[int, _Deck] = {}
                for card in cards:
                    if card not in dead:
                        held.setdefault(self._holder[card], []).append(self._pairs[card])
                faces = [(self._points[face], count) for face, count in enumerate(counts) if count]
                mine = {card: seat for seat in sorted(lost) for card in dead
                        if self._holder[card] == seat}  # fmt: skip
                shown = {card: proven[card] for card in mine if card in proven}
                yield LostClass(dead, held, faces, mine, shown, [])

    def has_unproven(self, seats: Collection[int]) -> bool:
        """Whether one of these has shuffled in the current request, and not proven that."""
        return bool(self._unproven.intersection(seats))

    def can_be_dealt_anew(self) -> bool:
        """Whether hidden cards are not too many, and none that all hold is proven."""
        proven = [card for zone, _ in self._table.layout.narrow for card in self._table.zones[zone]]
        hidden = sum(face == HIDDEN for face in self._table.face)
        return hidden <= LIST_CARDS_MAX and all(self._holder[card] != _JOINT for card in proven)

    def reveal(self, request: Reveal) -> tuple[Face, ...]:
        """The faces of cards that everybody is shown; empty if only one seat is.

        Raises:
            Stop: see `p2p.audit.log`.
        """
        if request.player is None:
            return self._open(request.cards)
        self._deal(request.cards, request.player)
        return ()

    def check_claim(
        self, seat: int, cards: Sequence[Card], faces: Sequence[Face], proof: bytes
    ) -> None:
        """Each of the cards is the seat's own, and shows one of the faces.

        Raises:
            ProofError: not so.
        """
        if any(card >= len(self._holder) or self._holder[card] != seat for card in cards):
            raise ProofError("the claim is about a card of somebody else")
        if not faces:
            raise ProofError("claimed what is true of no card")
        pairs, points = [self._pairs[card] for card in cards], [self._points[at] for at in faces]
        context = self._around.context(seat, "claim")
        self._check("claims", 1, verify_members, self._publics[seat], pairs, points, proof, context)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is read in this block is verified alone, and leaves no traces.

        Raises:
            Guilty: a shuffle does not hold.
        """
        proven, chain, self._chain = self.proven.copy(), self._chain, []
        try:
            yield
            for seat, shuffles in [] if self._is_believed else self._chain:
                _check_alone(seat, shuffles)
        finally:
            self.proven, self._chain = proven, chain

    # ---- a choice that is void (section 10) ----

    def now(self) -> CardsBefore:
        """Every card as it is now."""
        pairs, piles = self._pairs.copy(), self._pile_of.copy()
        return CardsBefore(pairs, self._holder[:], self.observation[:], piles)

    def go_back(self, table: Table, then: CardsBefore) -> None:
        """The table is this one again, and every card is as it was (section 9)."""
        self._table, self._pairs, self._holder = table, then.pairs.copy(), then.holder[:]
        self.observation[:], self._pile_of = then.observation, then.pile_of.copy()

    def seen_with(self, seat: int, secret: int) -> list[Face]:
        """What everybody sees with the key of a seat."""
        return [self._read(self._pairs[card], secret) if self._holder[card] == seat else face
                for card, face in enumerate(self.observation)]  # fmt: skip

    def take_back(self, table: Table, holders: Sequence[int]) -> None:
        """The table is this one again: what was opened since goes back under the key it was under.

        Everybody knows these cards, so they go there without a mask.
        """
        self._table = table
        for card, holder in enumerate(holders):
            if holder != _OPEN and self._holder[card] == _OPEN:
                key = self._joint if holder == _JOINT else self._publics[holder]
                pair = open_form(self._points[self.observation[card]], key)
                self.observation[card] = HIDDEN
                self._take([card], [pair], holder)

    # ---- a seat that is its owner's again (section 18) ----

    def before_renewal(self, old: int, named: bytes) -> BeforeRenewal:
        """What the new key that an owner has named is about; all know the `old` one."""
        joint = [self._pairs[card] for card, at in enumerate(self._holder) if at == _JOINT]
        return BeforeRenewal(named, base(old), self._joint, joint, self._is_believed)

    def renew(self, seat: int, old: int, renewal: Renewal) -> None:
        """From now on the seat has its new key."""
        joint = [card for card, holder in enumerate(self._holder) if holder == _JOINT]
        for card, added in zip(joint, renewal.added, strict=True):
            self._pairs[card] = Masked(self._pairs[card].a + added.a, added.b)
        for card, holder in enumerate(self._holder):
            if holder == seat:
                pair = self._pairs[card]
                bare = message(pair, *make_shares(old, [pair]))
                self._take([card], [open_form(bare, renewal.public)], seat)
        self._publics[seat], self._joint = renewal.public, renewal.joint
        self._has_new_key = True

    # ---- steps ----

    def _go_round(self, decks: list[_Deck]) -> list[_Deck]:
        """Pile i goes through the seats i, i + 1, .. modulo their number; then all prove."""
        said: Said = {}
        try:
            for turn in self._seats:
                seat_of = [(at + turn) % len(self._seats) for at in range(len(decks))]
                read = partial(self._read_decks, said, decks, seat_of)
                self._around.step("shuffle", sorted(set(seat_of)), read)
                self._unproven.update(seat_of)
                decks = [said[seat, at][1] for at, seat in enumerate(seat_of)]
            self._around.step("prove", self._seats, partial(self._read_proofs, said, len(decks)))
        finally:
            self._unproven.clear()
        return decks

    def _read_decks(
        self, said: Said, decks: list[_Deck], seat_of: list[int], seat: int, body: object
    ) -> None:
        mine = [at for at, each in enumerate(seat_of) if each == seat]
        for at, joined in zip(mine, list_of(body, len(mine)), strict=True):
            fresh = read_deck(read_bytes(joined)[:-_HINT_BYTES], len(decks[at]))
            context = self._around.context(seat, f"shuffle {at}")
            said[seat, at] = decks[at], fresh, context

    def _read_proofs(self, said: Said, count: int, seat: int, body: object) -> None:
        proven = []
        for at, proof in enumerate(list_of(body, count)):
            before, after, context = said[seat, at]
            proven.append(ProvenShuffle(self._joint, before, after, read_bytes(proof), context))
        self._chain.append((seat, proven))

    def _read_mix(self, key: Point, decks: list[_Deck], seat: int, body: object) -> list[_Deck]:
        fresh: list[_Deck] = []
        proven: list[ProvenShuffle] = []
        for at, (deck, part) in enumerate(zip(decks, list_of(body, len(decks)), strict=True)):
            joined, proof = content_and_proof(part)
            fresh.append(read_deck(joined, len(deck)))
            context = self._around.context(seat, f"shuffle {at}")
            proven.append(ProvenShuffle(key, deck, fresh[-1], proof, context))
        self._chain.append((seat, proven))
        return fresh

    def _check_chain(self) -> None:
        chain, self._chain = self._chain, []
        if not chain or self._is_believed:
            return
        self.proven["shuffles"] += len(chain)
        try:
            verify_shuffles([each for _, shuffles in chain for each in shuffles])
        except ProofError:
            for seat, shuffles in chain:
                _check_alone(seat, shuffles)
            raise AssertionError("proofs that hold one by one hold together") from None

    def _deal(self, cards: Sequence[Card], owner: int) -> None:
        joint = [card for card in cards if self._holder[card] == _JOINT]
        if joint:
            dealt = ((card, self._dealt.get(self._pairs[card], owner)) for card in joint)
            # To another seat, before the table went back: all mask it again (section 9).
            self._shuffle_joint([[card] for card, before in dealt if before != owner])
            self._dealt |= dict.fromkeys((self._pairs[card] for card in joint), owner)
            others = [seat for seat in self._seats if seat != owner]
            layers = self._shares("share", dict.fromkeys(others, joint))
            stripped = [strip(self._pairs[card], layers[card]) for card in joint]
            self._take(joint, stripped, owner)
        self._bring(cards, owner)

    def _open(self, cards: Sequence[Card]) -> tuple[Face, ...]:
        wanted = {
            seat: [card for card in cards if self._holder[card] in (_JOINT, seat)]
            for seat in self._seats
        }
        layers = self._shares("open", {seat: mine for seat, mine in wanted.items() if mine})
        for card in layers:
            face = self._face(strip(self._pairs.pop(card), layers[card]).b)
            self._holder[card], self.observation[card] = _OPEN, face
        return tuple(
            self.observation[card] if card in layers else self._table.face[card] for card in cards
        )

    def _shares(self, kind: str, wanted: Mapping[int, Sequence[Card]]) -> dict[Card, list[Point]]:
        """The layers that come off every card, each seat proving those of its cards at once."""
        layers: dict[Card, list[Point]] = {card: [] for cards in wanted.values() for card in cards}
        pairs = {seat: [self._pairs[card] for card in cards] for seat, cards in wanted.items()}
        if wanted:
            given = self._given(kind, pairs)
            for cards, shares in zip(wanted.values(), given, strict=True):
                for card, share in zip(cards, shares, strict=True):
                    layers[card].append(share)
        return layers

    def _layers(self, kind: str, wanted: Mapping[int, _Deck]) -> list[tuple[Point, ...]]:
        """The layers that come off every pair, of which all the seats take theirs."""
        return list(zip(*self._given(kind, wanted), strict=True))

    def _given(self, kind: str, wanted: Mapping[int, _Deck]) -> list[list[Point]]:
        """The shares of every seat, which proves all of its own at once."""

        def read(seat: int, body: object) -> list[Point]:
            joined, proof = content_and_proof(body)
            given = parse_points(joined, len(wanted[seat]))
            context, key = self._around.context(seat, kind), self._publics[seat]
            self._check("shares", 1, verify_shares, key, wanted[seat], given, proof, context)
            return given

        return self._around.step(kind, tuple(wanted), read)

    def _bring(self, cards: Iterable[Card], target: int) -> None:
        """Every other seat, in order, turns those that it holds into ones that `target` holds."""
        cards = list(cards)
        key = self._joint if target == _JOINT else self._publics[target]
        for seat in self._seats:
            held = [card for card in cards if self._holder[card] == seat]
            if held and seat != target:
                read = partial(self._read_rekeying, key, [self._pairs[card] for card in held])
                kind = "return" if target == _JOINT else "pass"
                (fresh,) = self._around.step(kind, (seat,), partial(read, kind))
                self._take(held, fresh, target)

    def _read_rekeying(self, key: Point, pairs: _Deck, kind: str, seat: int, body: object) -> _Deck:
        joined, proof = content_and_proof(body)
        fresh = read_deck(joined, len(pairs))
        statement = Rekeying(self._publics[seat], key, pairs, fresh)
        context = self._around.context(seat, kind)
        self._check("transfers", len(pairs), verify_rekey, statement, proof, context)
        return fresh

    def _check(self, name: str, count: int, verify: Callable[..., None], *statement: Any) -> None:
        self.proven[name] += count
        if not self._is_believed:
            verify(*statement)

    # ---- the cards ----

    @property
    def _seats(self) -> range:
        return range(len(self._publics))

    def _closed(self, card: Card, key: Point) -> Masked:
        """What goes into a shuffle under `key`."""
        if self._holder[card] == _OPEN:
            return open_form(self._points[self._table.face[card]], key)
        return self._pairs[card]

    def _take(self, cards: Iterable[Card], pairs: Iterable[Masked], holder: int) -> None:
        """These are now the cards' pairs; whose key is known reads its own."""
        secret = self._around.keys.get(holder)
        for card, pair in zip(cards, pairs, strict=True):
            self._pairs[card], self._holder[card] = pair, holder
            if secret is not None:
                self.observation[card] = self._read(pair, secret)

    def _read(self, pair: Masked, secret: int) -> Face:
        return self._face(message(pair, *make_shares(secret, [pair])))

    def _face(self, point: Point) -> Face:
        make_sure(point in self._face_of, "cards whose every proof holds show a face")
        return self._face_of[point]


def _check_alone(seat: int, shuffles: Sequence[ProvenShuffle]) -> None:
    try:
        verify_shuffles(shuffles)
    except ProofError as error:
        raise Guilty(seat, str(error)) from error
