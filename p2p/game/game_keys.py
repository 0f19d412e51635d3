"""The keys of a game, from the first entry to the last: agreed on, in escrow, replaced, opened.

At the start all commit to their keys before any is shown, so that none is chosen after another.
Each comes with a proof of possession, or one could be a difference of others (`p2p.crypto.keys`).

In escrow, what the seats write lets all others together play on for one:

    escrow key      every seat shows a key for boxes, and that it knows its secret, which is used
                    for nothing else
    escrow          every seat splits its game key among all others, so that everybody can check
                    that each gets its part (`p2p.crypto.key_sharing`)
    part            each gives back its part of the key of a seat that is gone

Only seats at which somebody sits take part.  When one of them is gone, the others agree anew: its
parts went with it, because the secret of its boxes is not the game key that everybody now knows.
If it gives its key as it leaves in the middle of this, everybody writes the rest for it, in which
the boxes follow from that key.

An owner who is back needs a new key, because everybody knows the old one by then.  It names it when
it wants its seat back, and shows it by `new key`, in one entry:

    [Y', possession of it, what it adds to every joint card, one proof for all of these]

A joint card (a, b) becomes (a + m G, b + (x' - x) a + m K) under the new joint key K, with a fresh
mask m that only the owner knows: otherwise its layer x' a would be known to all who know x.  That
is a re-keying by the secret x - x' (`p2p.crypto.rekey`).  Cards of its own are known to all anyway,
and go under Y' without a mask.

Then all shuffle the decks (`Dealing.shuffle_anew`).  What lay there before is in the log under the
old keys: once each but one has gone and given its key, be it one after the other, the one who
stayed reads it.

At the end all sign the result, and whoever agreed to it opens its key.  An opened key lets
everybody look at all that its seat did: what it was allowed to, what a bot had to, and its hands.

What this does not protect against: the hand of an owner who is back stays known to all, until its
cards are shuffled by somebody else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, cast

from core.game import Game
from core.table import RulesError, Table
from p2p.base.wire import encode
from p2p.crypto.commitments import check_opening, commit, read_commitment
from p2p.crypto.group import IDENTITY, L, Point, base, parse_scalars, scalar_to_bytes
from p2p.crypto.key_sharing import Deal, check_deal, check_part, deal, take_part
from p2p.crypto.keys import prove_possession, verify_possession
from p2p.crypto.masking import Masked, cards_to_bytes, make_shares, message, open_form
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey, verify_rekey
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import JOINT, Dealing
from p2p.game.shuffling import parse_deck
from p2p.game.steps import Script, Step


class Own(NamedTuple):
    """Who writes, the secret of its key, and the salt of its commitment."""

    seat: int
    secret: int
    salt: bytes


def agree_on_keys(
    seats: tuple[int, ...], mine: Callable[[], Own], context: Callable[[int, str], bytes]
) -> Script[tuple[Point, ...]]:
    """The keys of all seats; `mine` gives the own one, `context` is by seat and purpose."""
    sealing = context(0, "key")

    def seal(_: object) -> object:
        seat, secret, salt = mine()
        return commit(sealing, seat, base(secret).encoded, salt)

    def show(_: object) -> object:
        seat, secret, salt = mine()
        proof = prove_possession(secret, base(secret), context(seat, "possession"))
        return [base(secret).encoded, proof, salt]

    sealed = yield Step("key seal", seats, read_commitment, seal)
    commitments = cast("tuple[bytes, ...]", sealed)

    def read(seat: int, body: object) -> Point:
        match body:
            case [bytes(encoded), bytes(proof), bytes(salt)]:
                check_opening(commitments[seat], sealing, seat, encoded, salt)
                key = Point.parse(encoded)
                verify_possession(key, context(seat, "possession"), proof)
                return key
        raise ProofError("a key, its proof and the opening were expected")

    keys = yield Step("key", seats, read, show)
    return cast("tuple[Point, ...]", keys)


PART: Final = "part"  # The kind of the entry.


class Holder(NamedTuple):
    """What a seat brings to the agreement."""

    seat: int
    key: int  # The secret of its game key,
    box: int  # and of its boxes: of its own, or of those that all know who write for it.


class Escrow:
    """Who holds which part of whose key; my own parts are known to nobody else."""

    def __init__(self) -> None:
        """Nothing is in escrow."""
        self.seats: tuple[int, ...] = ()  # Those that have agreed.
        self._deals: dict[int, Deal] = {}
        self._parts: dict[int, int] = {}

    def holds(self, seat: int, others: Sequence[int]) -> bool:
        """Whether these others together have the key of `seat`."""
        return seat in self._deals and set(self.seats) == {seat, *others}

    def part_of(self, dealer: int) -> int:
        """My part of the key of a seat; see `holds`."""
        return self._parts[dealer]

    def check_part(self, dealer: int, holder: int, part: int) -> None:
        """Return if this is the part that `holder` was dealt; raises ProofError otherwise."""
        check_part(self._deals[dealer], self._others(dealer).index(holder), part)

    def _others(self, dealer: int) -> list[int]:
        return [seat for seat in self.seats if seat != dealer]

    def part_step(self, dealer: int, holders: tuple[int, ...]) -> Step:
        """The step in which all who stay give their parts of the key of a seat that is gone."""

        def write(_: object) -> object:
            return scalar_to_bytes(self.part_of(dealer))

        def read(seat: int, body: object) -> int:
            if not isinstance(body, bytes):
                raise ProofError("a part of a key was expected")
            (part,) = parse_scalars(body, 1)
            self.check_part(dealer, seat, part)
            return part

        return Step(PART, holders, read, write)

    def agree(
        self,
        seats: tuple[int, ...],
        publics: Sequence[Point],
        writer: Callable[[], Holder],
        context: Callable[[int], bytes],
    ) -> Script[None]:
        """Let every seat split its key among the others.

        `writer` is whoever writes just then, `context` that of a dealer.
        """
        self.seats, self._deals, self._parts = seats, {}, {}
        keys = yield from _show_keys(seats, writer, context)

        def keys_beside(dealer: int) -> list[Point]:
            return [keys[seat] for seat in self._others(dealer)]

        def write(_: object) -> object:
            seat, key, _box = writer()
            return bytes(deal(key, keys_beside(seat), context(seat)))

        def read(seat: int, body: object) -> Deal:
            if not isinstance(body, bytes):
                raise ProofError("a key in parts was expected")
            shown = Deal.parse(body, len(seats) - 1)
            check_deal(publics[seat], keys_beside(seat), shown, context(seat))
            return shown

        deals = yield Step("escrow", seats, read, write, is_heavy=True)
        self._deals = dict(zip(seats, cast("tuple[Deal, ...]", deals), strict=True))

    def take(self, mine: Holder, context: Callable[[int], bytes]) -> None:
        """Take my parts out of their boxes, once all have agreed."""
        for dealer in self._others(mine.seat):
            shown, place = self._deals[dealer], self._others(dealer).index(mine.seat)
            self._parts[dealer] = take_part(mine.box, shown, place, context(dealer))


def _show_keys(
    seats: tuple[int, ...], writer: Callable[[], Holder], context: Callable[[int], bytes]
) -> Script[dict[int, Point]]:
    def write(_: object) -> object:
        seat, _key, box = writer()
        public = base(box)
        return [public.encoded, prove_possession(box, public, context(seat))]

    def read(seat: int, body: object) -> Point:
        match body:
            case [bytes(encoded), bytes(proof)]:
                key = Point.parse(encoded)
                verify_possession(key, context(seat), proof)
                return key
        raise ProofError("a key for boxes and its proof were expected")

    keys = yield Step("escrow key", seats, read, write)
    return dict(zip(seats, cast("tuple[Point, ...]", keys), strict=True))


NEW_KEY: Final = "new key"  # The kind of the entry.
KEY_PURPOSE: Final = "key secret"  # Of what follows from a seed: the key of the cards.


class _Said(NamedTuple):
    public: Point
    joint: Point  # Of all keys, with this one.
    added: list[Masked]  # To every joint card.


def joint_with(dealing: Dealing, seat: int, public: Point) -> Point:
    """The joint key once a seat has another key; raises ProofError if it may not have this one."""
    old = dealing.publics[seat]
    whole = dealing.joint - old + public
    if IDENTITY in (public - old, whole, public):
        raise ProofError("this is no new key")
    return whole


class NamedKey(NamedTuple):
    """The key that an owner has named when it wanted its seat back."""

    public: Point
    secret: int | None = None  # If the seat is mine.


class _KeyChange:
    """A seat gets a new key: what its owner shows of it, and what that makes of all cards.

    Joint cards get a layer of the new key in place of the old one, which all know; so do those
    that the seat holds.
    """

    def __init__(self, dealing: Dealing, seat: int, named: NamedKey) -> None:
        self._dealing, self._seat, self._named = dealing, seat, named
        self._joint = dealing.held_by(JOINT)
        self.pairs = [pair for _, pair in self._joint]
        self._old, self._old_public = dealing.secrets[seat], dealing.publics[seat]

    def write(self, _: object) -> object:
        """The new key and what it adds to every joint card, with proofs of both."""
        fresh = self._named.secret
        assert fresh is not None, "nobody shows the new key of another seat"
        public, dealing = base(fresh), self._dealing
        possession = prove_possession(fresh, public, dealing.context(self._seat, "possession"))
        if not self.pairs:
            return [public.encoded, possession, b"", b""]
        key = joint_with(dealing, self._seat, public)
        added, masks = rekey(self._old - fresh, self.pairs, key)
        statement = Rekeying(self._old_public - public, key, self.pairs, added)
        context = dealing.context(self._seat, NEW_KEY)
        proof = prove_rekey(self._old - fresh, statement, masks, context)
        return [public.encoded, possession, cards_to_bytes(added), proof]

    def read(self, _: int, body: object) -> _Said:
        """What was shown; raises ProofError if it is not what was named and proven."""
        match body:
            case [bytes(encoded), bytes(possession), bytes(cards), bytes(proof)]:
                if encoded != self._named.public.encoded:
                    raise ProofError("this is another key than its owner has named")
                public, dealing = self._named.public, self._dealing
                verify_possession(public, dealing.context(self._seat, "possession"), possession)
                key = joint_with(dealing, self._seat, public)
                if not self.pairs and not cards + proof:
                    return _Said(public, key, [])
                added = parse_deck(cards, len(self.pairs))
                statement = Rekeying(self._old_public - public, key, self.pairs, added)
                verify_rekey(statement, proof, dealing.context(self._seat, NEW_KEY))
                return _Said(public, key, added)
        raise ProofError("a new key, and what it adds to every joint card, were expected")

    def carry_out(self, said: _Said) -> None:
        """From now on the seat has this key."""
        dealing, seat = self._dealing, self._seat
        for (card, pair), added in zip(self._joint, said.added, strict=True):
            dealing.hold(card, Masked(pair.a + added.a, added.b), JOINT)
        for card, pair in dealing.held_by(seat):
            bare = message(pair, *make_shares(self._old, [pair]))
            dealing.hold(card, open_form(bare, said.public), seat)
        dealing.assign_key(seat, said.public, self._named.secret)


def show_new_key(dealing: Dealing, seat: int, named: NamedKey) -> Script[None]:
    """Let the owner of a seat show the new key that it has named."""
    change = _KeyChange(dealing, seat, named)
    # All have to be here first: an owner who signs on a log that no other follows signs twice.
    (said,) = yield Step(NEW_KEY, (seat,), change.read, change.write, is_heavy=bool(change.pairs))
    assert isinstance(said, _Said), "it was read so"
    change.carry_out(said)


KEY_BYTES: Final = 32  # Of the secret of a key.


def sign_result(seats: Sequence[int], game: Game, table: Table) -> Script[None]:
    """Let every seat sign the scores, and who has won."""
    result = [list(game.scores(table)), list(game.winners(table))]

    def write(_: object) -> object:
        return result

    def read(_: int, body: object) -> None:
        check_result(body, result)

    yield Step("finish", tuple(seats), read, write)


def check_result(said: object, result: object) -> None:
    """Make sure that a seat has signed what the rules give.

    Raises:
        RulesError: something else.
    """
    if encode(said) != encode(result):  # As bytes: True is not 1.
        raise RulesError("signed another result than the rules give")


def open_keys(writers: tuple[int, ...], dealing: Dealing) -> Script[dict[int, int]]:
    """Let these seats show the secrets of their keys; gives them by seat."""

    def write(_: object) -> object:
        return dealing.secrets[dealing.writer].to_bytes(KEY_BYTES, "little")

    def read(seat: int, body: object) -> int:
        if not isinstance(body, bytes):
            raise ProofError("the secret of a key was expected")
        (secret,) = parse_scalars(body, 1)
        if base(secret) != dealing.publics[seat]:
            raise ProofError("opened another key than it played with")
        return secret

    keys = yield Step("open keys", writers, read, write)
    return dict(zip(writers, cast("tuple[int, ...]", keys), strict=True))


def secret_from(seed: bytes, game_id: bytes, purpose: str = KEY_PURPOSE) -> int:
    """The secret that follows from the seed of a seat."""
    derived = hashlib.sha256(encode([seed, game_id, purpose])).digest()
    return int.from_bytes(hashlib.sha512(derived).digest(), "little") % L
