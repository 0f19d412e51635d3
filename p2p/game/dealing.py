"""Shuffles and reveals as steps of entries: how cards are dealt when nobody deals.

Every card is an ElGamal pair.  `holder` says under whose key:

    JOINT   nobody can read it alone: a deck                  (a, b) under Y = Y_0 + ... + Y_n
    seat o  only seat o can read it: a hand                   (a, b) under Y_o  ("owner form")
    OPEN    everybody has seen it                             no pair at all

    shuffle by all     every seat in turn permutes and re-masks, all prove       `game.shuffling`
    mix by an owner    the same by one seat under its own key                    `game.shuffling`
    deal to o          every other seat takes its layer off, with a proof        kind "share"
                       (shuffled by all before, alone, if it was dealt to another
                       seat and the table has gone back)
    a seat is back     all decks are shuffled by all: what once lay under keys of others
                       that somebody has heard since is nothing that is known of them
    pass from h to o   h turns its card into o's, with a proof                   kind "pass"
    return to a deck   h turns its card into a joint one, with a proof           kind "return"
    open to all        whoever still holds a layer takes it off, with a proof    kind "open"

The plaintext of a card is the point of its *face*, the same for equal faces: an opened card shows
what is printed on it and not which piece of cardboard it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from functools import partial
from typing import Any, Final, NamedTuple, cast

from core.requests import Card, Face, Reveal, Shuffle
from core.table import HIDDEN, Table
from p2p.crypto.group import Point, hash_to_point, parse_points, points_to_bytes
from p2p.crypto.keys import joint_key
from p2p.crypto.masking import (
    Masked,
    Settled,
    cards_to_bytes,
    give_layers,
    make_shares,
    message,
    open_form,
    strip,
    verify_shares,
)
from p2p.crypto.one_of_many import prove_members, verify_members
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey, verify_rekey
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError
from p2p.game.shuffling import Context, Shuffling, parse_deck
from p2p.game.steps import Fairness, Obligation, Script, Step

JOINT: Final = -1
OPEN: Final = -2
SPECTATOR: Final = -3  # Holds nothing.
HEAVY_SHARES: Final = 12  # Proofs over more cards than this leave the event loop: 2 ms of work.


class GameKeys(NamedTuple):
    """The keys of a game as one machine knows them."""

    publics: Sequence[Point]  # Of all seats.
    secrets: Mapping[int, int]  # By seat: mine, and those of open seats.
    me: int | None  # The seat for which I write, if any.


class CardsThen(NamedTuple):
    """Every card as it was at some time, under the keys of that time."""

    masked: list[Masked | None]
    holder: list[int]
    observation: list[Face]
    pile_of: list[int]


class Dealing:
    """The masked cards of one game, as one seat (or a spectator) sees them."""

    def __init__(
        self,
        game_id: bytes,
        table: Table,
        keys: GameKeys,
        context: Context,
        owed: Sized,
    ) -> None:
        """Begin with every card open; `owed` are the proofs that the game has yet to verify."""
        faces = range(len(table.layout.faces))
        self.points = [hash_to_point("face", game_id, face.to_bytes(2, "big")) for face in faces]
        self.face_of = {point: face for face, point in enumerate(self.points)}
        self.publics, self.agreed = list(keys.publics), tuple(keys.publics)
        self.joint = joint_key(self.publics)
        self.secrets = dict(keys.secrets)
        self.me = SPECTATOR if keys.me is None else keys.me
        self.writer = self.me  # Whose entry is being written: mine, or an open seat's.
        self.context = context
        self.masked: list[Masked | None] = [None] * len(table.face)
        self.holder = [OPEN] * len(table.face)
        self.observation: list[Face] = table.face[:]
        self.obligations: list[Obligation] = []  # Of the entry that is being read.
        self._given: dict[Masked, int] = {}  # Joint pairs without the layers of others: for whom.
        # In which pile each was shuffled by all: of those, nobody knows which a joint card is.
        self._pile_of, self._piles = [0] * len(table.face), 0
        self.has_new_key = False  # A seat that came back, and no deck was shuffled since.
        self._owed = owed
        self.shuffling = Shuffling(self, self.secrets.get(self.me, 0))
        self.fairness = Fairness()

    def learn(self, seat: int, secret: int) -> None:
        """Read the cards of a seat whose secret has become known."""
        self._learn_secret(seat, secret)
        self.read_cards(card for card, holder in enumerate(self.holder) if holder == seat)

    def replace_key(self, seat: int, secret: int, public: Point) -> None:
        """Give a seat whose key is lost another one; its cards and decks need the old one still.

        Raises:
            ProofError: the joint key would be none.
        """
        publics = [*self.publics[:seat], public, *self.publics[seat + 1 :]]
        self.joint, self.publics = joint_key(publics), publics
        self._learn_secret(seat, secret)

    def _learn_secret(self, seat: int, secret: int) -> None:
        self.secrets[seat] = secret
        if seat == self.me:
            self.me = self.writer = SPECTATOR  # Whoever is not there makes nothing of its own.

    def held_by(self, holder: int) -> list[tuple[Card, Masked]]:
        """The cards under a seat's key, or the joint one."""
        return [(card, self._pair(card)) for card, at in enumerate(self.holder) if at == holder]

    def assign_key(self, seat: int, public: Point, secret: int | None) -> None:
        """From now on a seat has another key; whoever is not its owner does not know the secret."""
        self.publics[seat] = public
        self.joint, self.has_new_key = joint_key(self.publics), True
        if secret is None:
            del self.secrets[seat]
            for card, _ in self.held_by(seat):
                self.observation[card] = HIDDEN  # People remember it; the table does not.
        else:
            self.secrets[seat], self.me, self.writer = secret, seat, seat
            self.shuffling = Shuffling(self, secret)

    # ---- shuffles ----

    def shuffle(self, table: Table, request: Shuffle) -> Script[None]:
        """Answer a Shuffle."""
        cards = [card for pile in request.piles for card in pile]
        owner = request.player
        key = self.joint if owner is None else self.publics[owner]
        yield from self._collect(cards, JOINT if owner is None else owner)
        allowed = (JOINT if owner is None else owner, OPEN)
        can_read = all(self.holder[card] in allowed for card in cards)
        make_sure(can_read, "one mixes what one can read")
        piles = [[self._closed(table, card, key) for card in pile] for pile in request.piles]
        if owner is None:
            shuffled = self.shuffling.by_all(key, piles, len(self.publics))
        else:
            shuffled = self.shuffling.by_owner(key, piles, owner)
        piles = yield from shuffled
        self.count(shuffles=len(self.publics) if owner is None else 1)
        for pile, masked in zip(request.piles, piles, strict=True):
            for card, pair in zip(pile, masked, strict=True):
                self.hold(card, pair, JOINT if owner is None else owner)
                self.observation[card] = HIDDEN
            if owner is None:
                self.lie_together(pile)
        self.read_cards(cards)

    def lie_together(self, pile: Iterable[Card]) -> None:
        """Nobody knows which of these cards is which."""
        self._piles += 1
        for card in pile:
            self._pile_of[card] = self._piles

    def shuffle_anew(self) -> Script[None]:
        """Behind a new key, shuffle all joint cards, each among those of its last shuffle.

        Nobody has seen them, so to the table they are what they were.
        """
        if self.has_new_key:
            piles: dict[int, list[Card]] = {}
            for card, _ in self.held_by(JOINT):
                piles.setdefault(self._pile_of[card], []).append(card)
            yield from self._shuffle_joint(list(piles.values()))
            self.has_new_key = False

    def _closed(self, table: Table, card: Card, key: Point) -> Masked:
        pair = self.masked[card]
        return open_form(self.points[table.face[card]], key) if pair is None else pair

    def owe(self, seat: int, verify: Callable[[], None]) -> None:
        """Note a proof that has to hold before its step is closed."""
        self.obligations.append(Obligation(seat, verify))

    def _oblige(self, seat: int, verify: Callable[..., None], *statement: object) -> None:
        if seat != self.me:  # What I made myself needs no second look.
            self.owe(seat, partial(verify, *statement))

    # ---- reveals ----

    def reveal(self, table: Table, request: Reveal) -> Script[tuple[Face, ...]]:
        """Answer a Reveal; the faces are empty when only one seat is shown the cards."""
        if request.player is not None:
            yield from self._deal(request.cards, request.player)
            return ()
        return (yield from self._open(table, request.cards))

    def _deal(self, cards: Iterable[Card], owner: int) -> Script[None]:
        yield from self._share([card for card in cards if self.holder[card] == JOINT], owner)
        yield from self._collect(cards, owner)
        self.read_cards(cards)

    def _share(self, cards: list[Card], owner: int) -> Script[None]:
        yield from self._mask_anew([
            card for card in cards if self._given.get(self._pair(card), owner) != owner
        ])  # fmt: skip
        joint = [self._pair(card) for card in cards]
        pairs = yield from self.strip_for(owner, joint)
        self._given |= dict.fromkeys(joint, owner)
        for card, pair in zip(cards, pairs, strict=True):
            self.hold(card, pair, owner)

    def _mask_anew(self, cards: list[Card]) -> Script[None]:
        """Hide cards that another seat was dealt before the table went back.

        The others have taken their layers off for that seat; with its own, which it takes off now,
        everybody could read the card.  So all seats mask it again, each as a pile of its own.
        """
        yield from self._shuffle_joint([[card] for card in cards])

    def _shuffle_joint(self, piles: list[list[Card]]) -> Script[None]:
        if piles:
            decks = [[self._pair(card) for card in pile] for pile in piles]
            decks = yield from self.shuffling.by_all(self.joint, decks, len(self.publics))
            self.count(shuffles=len(self.publics))
            for pile, deck in zip(piles, decks, strict=True):
                for card, pair in zip(pile, deck, strict=True):
                    self.hold(card, pair, JOINT)

    def strip_for(self, owner: int, pairs: list[Masked]) -> Script[list[Masked]]:
        """Let all others take their layers off; gives what `owner` can read."""
        if not pairs:
            return []
        others = [seat for seat in range(len(self.publics)) if seat != owner]
        layers = cast(
            "tuple[list[Point], ...]",
            (yield self.share_step("share", dict.fromkeys(others, pairs))),
        )
        columns = zip(*layers, strict=True)
        return [strip(pair, shares) for pair, shares in zip(pairs, columns, strict=True)]

    def _open(self, table: Table, cards: Sequence[Card]) -> Script[tuple[Face, ...]]:
        seats = range(len(self.publics))
        wanted = {
            seat: [card for card in cards if self.holder[card] in (JOINT, seat)] for seat in seats
        }
        wanted = {seat: mine for seat, mine in wanted.items() if mine}
        layers = {card: list[Point]() for card in cards}
        if wanted:
            pairs = {seat: [self._pair(card) for card in mine] for seat, mine in wanted.items()}
            values = yield self.share_step("open", pairs)
            for mine, shares in zip(wanted.values(), values, strict=True):
                for card, share in zip(mine, cast("list[Point]", shares), strict=True):
                    layers[card].append(share)
        return tuple(self._turn_up(table, card, layers[card]) for card in cards)

    def _turn_up(self, table: Table, card: Card, layers: list[Point]) -> Face:
        if not layers:
            return table.face[card]
        bare = strip(self._pair(card), layers)
        face = self._face(bare.b)
        self.masked[card], self.holder[card], self.observation[card] = None, OPEN, face
        return face

    def share_step(self, kind: str, pairs: dict[int, list[Masked]]) -> Step:
        """Each writer takes its layer off the pairs wanted of it, with one proof for all."""
        count = sum(map(len, pairs.values()))

        def write(_: object) -> object:
            mine = pairs[self.writer]
            secret, public = self.secrets[self.writer], self.publics[self.writer]
            context, settled = self.context(self.writer, kind), self._settled()
            shares, proof = give_layers(secret, public, mine, context, settled)
            return [points_to_bytes(shares), proof]

        def read(seat: int, body: object) -> list[Point]:
            joined, proof = _part(body)
            shares = parse_points(joined, len(pairs[seat]))
            if seat != self.me:
                context = self.context(seat, kind)
                verify_shares(self.publics[seat], pairs[seat], shares, proof, context)
            self.count(shares=1)
            return shares

        return Step(kind, tuple(pairs), read, write, is_heavy=count > HEAVY_SHARES)

    def _settled(self) -> Settled:
        """What lets a seat take layers off: nothing is left to verify."""
        return Settled([self.obligations, self._owed])

    # ---- cards that change hands ----

    def _collect(self, cards: Iterable[Card], target: int) -> Script[None]:
        """Let every holder turn its cards among `cards` into ones that `target` holds."""
        cards = list(cards)
        for seat in range(len(self.publics)):
            held = [card for card in cards if self.holder[card] == seat]
            if held and seat != target:
                yield from self._rekey(held, seat, target)

    def _rekey(self, cards: list[Card], source: int, target: int) -> Script[None]:
        key = self.joint if target == JOINT else self.publics[target]
        kind = "return" if target == JOINT else "pass"
        pairs = [self._pair(card) for card in cards]

        def write(_: object) -> object:
            secret = self.secrets[self.writer]
            fresh, masks = rekey(secret, pairs, key)
            statement = Rekeying(self.publics[self.writer], key, pairs, fresh)
            proof = prove_rekey(secret, statement, masks, self.context(self.writer, kind))
            return [cards_to_bytes(fresh), proof]

        def read(seat: int, body: object) -> list[Masked]:
            joined, proof = _part(body)
            fresh = parse_deck(joined, len(pairs))
            if seat != self.me:
                statement = Rekeying(self.publics[seat], key, pairs, fresh)
                verify_rekey(statement, proof, self.context(seat, kind))
            self.count(transfers=len(pairs))
            return fresh

        values = yield Step(kind, (source,), read, write, is_heavy=len(cards) > HEAVY_SHARES)
        for card, pair in zip(cards, cast("list[Masked]", values[0]), strict=True):
            self.hold(card, pair, target)

    # ---- claims ----

    def prove_claim(self, cards: Sequence[Card], faces: Sequence[Face]) -> bytes:
        """A proof that each of my `cards` shows one of `faces`."""
        pairs, allowed = [self._pair(card) for card in cards], [self.points[face] for face in faces]
        context = self.context(self.writer, "claim")
        secret, public = self.secrets[self.writer], self.publics[self.writer]
        return prove_members(secret, public, pairs, allowed, context)

    def check_claim(
        self, seat: int, cards: Sequence[Card], faces: Sequence[Face], proof: bytes
    ) -> None:
        """Note that such a proof by `seat` has to hold; it is verified with the other obligations.

        Raises:
            ProofError: a card is not the seat's own.
        """
        if any(card >= len(self.holder) or self.holder[card] != seat for card in cards):
            raise ProofError("the claim is about a card of somebody else")
        if not faces:
            raise ProofError("claimed what is true of no card")
        pairs, allowed = [self._pair(card) for card in cards], [self.points[face] for face in faces]
        context = self.context(seat, "claim")
        self._oblige(seat, _verify_claim, self.publics[seat], pairs, allowed, proof, context)
        self.count(claims=1)

    # ---- the cards ----

    def close_again(self, holder: Sequence[int]) -> None:
        """Let the cards that have been turned up since be held as they were, with no mask."""
        turned = [card for card, at in enumerate(holder) if at != OPEN == self.holder[card]]
        for card in turned:
            key = self.joint if holder[card] == JOINT else self.publics[holder[card]]
            self.hold(card, open_form(self.points[self.observation[card]], key), holder[card])
            self.observation[card] = HIDDEN
        self.read_cards(turned)

    def now(self) -> CardsThen:
        """The cards as they are now, for `go_back`."""
        return CardsThen(self.masked[:], self.holder[:], self.observation[:], self._pile_of[:])

    def go_back(self, then: CardsThen) -> None:
        """Let every card be as it was, under the same keys.

        A seat whose key is known since is read all the same.
        """
        self.masked, self.holder = then.masked[:], then.holder[:]
        self._pile_of = then.pile_of[:]
        self.observation[:] = then.observation
        self.read_cards(card for card, face in enumerate(self.observation) if face == HIDDEN)

    def _pair(self, card: Card) -> Masked:
        pair = self.masked[card]
        assert pair is not None, "an open card has no mask"
        return pair

    def hold(self, card: Card, pair: Masked, holder: int) -> None:
        """Note under whose key a card is now."""
        self.masked[card], self.holder[card] = pair, holder

    def read_cards(self, cards: Iterable[Card]) -> None:
        """Read those of `cards` whose holder's key I know."""
        for card in cards:
            secret = self.secrets.get(self.holder[card])
            if secret is not None:
                pair = self._pair(card)
                (share,) = make_shares(secret, [pair])
                self.observation[card] = self._face(message(pair, share))

    def _face(self, point: Point) -> Face:
        """What is printed on a bare card; none only while a shuffle is not verified yet.

        Raises:
            ProofError: no face of this game has this point.
        """
        if point not in self.face_of:
            raise ProofError("a card shows no face of this game")
        return self.face_of[point]

    def count(self, **more: int) -> None:
        """So many more proofs have been said, by kind."""
        counts = {key: getattr(self.fairness, key) + count for key, count in more.items()}
        old = self.fairness
        self.fairness = Fairness(
            counts.get("shuffles", old.shuffles),
            counts.get("shares", old.shares),
            counts.get("transfers", old.transfers),
            counts.get("claims", old.claims),
        )


def _verify_claim(public: Point, *statement: Any) -> None:
    try:
        verify_members(public, *statement)
    except ProofError as error:
        raise ProofError("made a claim about its cards that does not hold") from error


def _part(body: object) -> tuple[bytes, bytes]:
    match body:
        case [bytes(content), bytes(proof)]:
            return content, proof
    raise ProofError("a content and its proof were expected")
