"""Shuffles as steps of entries: the decks, one seat after the other, then all proofs at once.

    by all       kind "shuffle", as many rounds as there are seats.  In round r seat j has the piles
                 i with (i + r) mod seats = j: each pile goes through all seats in turn, and several
                 are under way at the same time.  An entry holds decks and no proof.
                 kind "prove", by all seats at once: the proofs of the decks that they made.
    by an owner  kind "mix", one entry with decks and proofs.

So a seat waits for the decks of those before it, which are additions of points, but not for their
proofs, which cost eight times as much and are made by all seats at the same time.  Until every
proof of the chain is verified, nobody knows what the cards are worth: the step `prove` is not
closed before (`p2p.log.replica`), which keeps every share back until then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Final, NamedTuple, Protocol, cast

from p2p.crypto.batch import Combiner
from p2p.crypto.group import Point
from p2p.crypto.masking import HINT_BYTES, Masked, cards_to_bytes, fresh_hint, parse_cards, seed_of
from p2p.crypto.precomputed import PrecomputedShuffles
from p2p.crypto.shuffle_proof import (
    OwnShuffle,
    PendingProofs,
    ProvenShuffle,
    Witness,
    prove_shuffle,
    shuffle,
)
from p2p.crypto.transcript import ProofError
from p2p.game.steps import Script, Step

HEAVY_DECK: Final = 30  # Cards masked outside of the event loop: 3 ms of work, 1 if made ahead.
HEAVY_PROOF: Final = 4  # A card costs more here.
WORTH_A_THREAD: Final = 4  # Cards to combine: 250 microseconds, twice what a thread costs.
Deck = list[Masked]
Context = Callable[[int, str], bytes]  # (seat, purpose) -> what a proof of this step is bound to.


class Desk(Protocol):
    """The game around the shuffles."""

    me: int
    writer: int  # Whose entry is being written: mine, or an open seat's.
    secrets: dict[int, int]  # The keys that are known, by seat.
    context: Context

    def owe(self, seat: int, verify: Callable[[], None]) -> None:
        """Note a proof that has to be verified before its step is closed."""
        ...


class Made(NamedTuple):
    """What a seat made of a pile, in an entry at a height of the log."""

    inputs: Deck
    outputs: Deck
    context: bytes  # That its proof is bound to.
    hint: bytes = b""  # From which, with the seat's key, order and masks follow.


class LazyProof:
    """A proof that is made once, by whoever needs it first or has time before that."""

    def __init__(self, make: Callable[[], bytes]) -> None:
        """Do nothing yet."""
        self._make, self._lock = make, Lock()
        self._made: bytes | None = None

    @property
    def is_made(self) -> bool:
        """Whether it need not be waited for."""
        return self._made is not None

    def get(self) -> bytes:
        """The value; waits if another thread is making it."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


class Chain:
    """The shuffles of some piles by all seats."""

    def __init__(self, key: Point, piles: list[Deck], seats: int) -> None:
        """Begin with the piles as they are."""
        self.key, self.decks, self.seats = key, piles, range(seats)
        self.made: dict[tuple[int, int], Made] = {}  # By seat and pile.
        # Made here, in this run.
        self.own: dict[tuple[int, int], tuple[OwnShuffle, LazyProof]] = {}

    def rounds(self) -> Iterator[dict[int, list[int]]]:
        """For every round the seats that shuffle in it, each with its piles."""
        for step in self.seats:
            due: dict[int, list[int]] = {}
            for pile in range(len(self.decks)):
                due.setdefault((pile + step) % len(self.seats), []).append(pile)
            yield dict(sorted(due.items()))

    def parse(self, seat: int, pile: int, said: bytes) -> Deck:
        """The deck that a seat says; raises ProofError.  What was made here is known to be one."""
        own, _ = self.own.get((seat, pile), (None, None))
        if own is not None and said == cards_to_bytes(own.outputs):
            return list(own.outputs)
        return parse_deck(said, len(self.decks[pile]))

    def is_proven_by(self, me: int) -> bool:
        """Whether my proofs are made already."""
        mine = [proof for (seat, _), (_, proof) in self.own.items() if seat == me]
        return len(mine) == len(self.decks) and all(proof.is_made for proof in mine)

    def own_of(self, seat: int, pile: int) -> OwnShuffle | None:
        """What was made here, if the log has just that."""
        own, _ = self.own.get((seat, pile), (None, None))
        return own if own is not None and own.outputs == self.made[seat, pile].outputs else None


class Shuffling:
    """The shuffles of one game, as one seat (or a spectator) sees them."""

    def __init__(self, desk: Desk, secret: int) -> None:
        """`secret` is that of my key."""
        self._desk = desk
        self._combiner = Combiner.own(secret)
        self._waiting = PendingProofs(self._combiner)
        self.precomputed = PrecomputedShuffles(secret)
        self._unproven = deque[LazyProof]()  # Proofs of decks that I have said, to be made early.
        self._uncombined = deque[Masked]()  # Cards that proofs to come will be about,
        self._at_rest = deque[Masked]()  # and those that lie in a deck until it is shuffled again.
        self._chain: Chain | None = None  # Of the shuffle by all that is under way.

    @property
    def has_early_work(self) -> bool:
        """Whether there is something to do until it is my turn again."""
        return bool(self._unproven) or len(self._uncombined) >= WORTH_A_THREAD

    def work_early(self) -> None:
        """Make the proofs that will be due of me, then ease verifying those of the others.

        In a thread that has time.
        """
        while (work := self._next_early()) is not None:
            work()

    def _next_early(self) -> Callable[[], object] | None:
        """What to do next; the table goes on in another thread and may just have taken it away."""
        proofs, cards = self._unproven, self._uncombined
        with suppress(IndexError):
            return proofs.popleft().get
        with suppress(IndexError):
            return partial(self._combiner.combine, cards.popleft())
        return None

    def has_unproven(self, seats: Collection[int]) -> bool:
        """Whether one of these seats has said a deck that is not proven yet.

        Where it has cheated and goes, nobody else can prove that deck either, also with its key.
        """
        return self._chain is not None and any(seat in seats for seat, _ in self._chain.made)

    def lacks(self) -> bool:
        """Whether something can be made for the next shuffle while somebody thinks."""
        return bool(self._at_rest or self.precomputed.lacks())

    def precompute(self) -> None:
        """Make it, in a thread that has time."""
        self.precomputed.fill()
        while cards := self._at_rest:
            self._combiner.combine(cards.popleft())

    # ---- by all ----

    def by_all(self, key: Point, piles: list[Deck], seats: int) -> Script[list[Deck]]:
        """Let every seat shuffle every pile and prove it; gives what the last ones made."""
        chain = Chain(key, piles, seats)
        self._waiting = PendingProofs(self._combiner)  # What was said before holds, or was undone.
        self._unproven.clear()
        cards = [card for pile in piles for card in pile]
        self._combiner.keep(cards)
        self._uncombined = deque(card for card in cards if self._combiner.of(card) is None)
        self._at_rest = deque()
        self._chain = chain
        try:
            yield from self._go_round(chain)
        finally:
            self._chain = None
        self._at_rest = deque(card for deck in chain.decks for card in deck)
        return chain.decks

    def _go_round(self, chain: Chain) -> Script[None]:
        for due in chain.rounds():
            yield from self._round(chain, due)
        read, write = partial(self._read_proofs, chain), partial(self._write_proofs, chain)
        count, all_seats = sum(map(len, chain.decks)), tuple(chain.seats)
        is_heavy = count > HEAVY_PROOF and not chain.is_proven_by(self._desk.me)
        yield Step("prove", all_seats, read, write, is_heavy=is_heavy, is_read_at_once=True)

    def _round(self, chain: Chain, due: dict[int, list[int]]) -> Script[None]:
        made = {
            (seat, pile): Made(chain.decks[pile], [], self._context(seat, pile))
            for seat, piles in due.items()
            for pile in piles
        }
        cards = max(sum(len(chain.decks[pile]) for pile in piles) for piles in due.values())
        values = yield Step(
            "shuffle",
            tuple(due),
            read=partial(self._read_decks, chain, due),
            write=partial(self._write_decks, chain, due),
            is_heavy=cards > HEAVY_DECK,
        )
        said = cast("list[list[tuple[Deck, bytes]]]", values)
        for (seat, piles), decks in zip(due.items(), said, strict=True):
            for pile, (deck, hint) in zip(piles, decks, strict=True):
                chain.made[seat, pile] = made[seat, pile]._replace(outputs=deck, hint=hint)
                chain.decks[pile] = deck
                if seat != self._desk.me:  # Mine are told by what went in.
                    self._uncombined.extend(deck)

    def _write_decks(self, chain: Chain, due: dict[int, list[int]], _: object) -> object:
        seat, body = self._desk.writer, list[object]()
        for pile in due[seat]:
            hint, own = self._shuffle(chain.key, chain.decks[pile])
            body.append(cards_to_bytes(own.outputs) + hint)
            if seat == self._desk.me:
                proof = LazyProof(partial(_prove, own, self._context(seat, pile)))
                chain.own[seat, pile] = own, proof
                self._unproven.append(proof)
        return body

    def _read_decks(
        self, chain: Chain, due: dict[int, list[int]], seat: int, body: object
    ) -> list[tuple[Deck, bytes]]:
        piles = due[seat]
        return [
            (chain.parse(seat, pile, said[:-HINT_BYTES]), said[-HINT_BYTES:])
            for pile, said in zip(piles, _byte_strings(body, len(piles)), strict=True)
        ]

    def _write_proofs(self, chain: Chain, _: object) -> object:
        seat = self._desk.writer
        return [self._proof(chain, seat, pile) for pile in range(len(chain.decks))]

    def _proof(self, chain: Chain, seat: int, pile: int) -> bytes:
        if seat == self._desk.me and (seat, pile) in chain.own:
            return chain.own[seat, pile][1].get()
        made = chain.made[seat, pile]  # By an open seat, or before this machine was started again.
        seed = seed_of(self._desk.secrets[seat], made.hint)
        own = OwnShuffle(chain.key, made.inputs, made.outputs, Witness.of(seed, len(made.inputs)))
        return _prove(own, made.context)

    def _read_proofs(self, chain: Chain, seat: int, body: object) -> None:
        proofs = _byte_strings(body, len(chain.decks))
        self._uncombined = deque()  # What is not combined by now costs no more later.
        if seat == self._desk.me:  # What I made myself needs no second look.
            for pile in range(len(proofs)):
                if own := chain.own_of(seat, pile):
                    self._waiting.know(own)
            return
        shuffles = [
            ProvenShuffle(chain.key, made.inputs, made.outputs, proof, made.context)
            for proof, made in zip(
                proofs, (chain.made[seat, pile] for pile in range(len(proofs))), strict=True
            )
        ]
        self._desk.owe(seat, self._waiting.add(shuffles))

    # ---- by an owner ----

    def by_owner(self, key: Point, piles: list[Deck], owner: int) -> Script[list[Deck]]:
        """Let the owner of some piles shuffle them; gives what it made."""
        cards = sum(map(len, piles))
        read, write = partial(self._read_mix, key, piles), partial(self._write_mix, key, piles)
        values = yield Step("mix", (owner,), read, write, is_heavy=cards > HEAVY_PROOF)
        return cast("list[Deck]", values[0])

    def _write_mix(self, key: Point, piles: list[Deck], _: object) -> object:
        body: list[object] = []
        for pile, deck in enumerate(piles):
            _, own = self._shuffle(key, deck)
            proof = _prove(own, self._context(self._desk.writer, pile))
            body.append([cards_to_bytes(own.outputs), proof])
        return body

    def _read_mix(self, key: Point, piles: list[Deck], seat: int, body: object) -> list[Deck]:
        parts = [_byte_strings(part, 2) for part in _items(body, len(piles))]
        outputs = [
            parse_deck(cards, len(deck)) for (cards, _), deck in zip(parts, piles, strict=True)
        ]
        if seat != self._desk.me:
            shuffles = [
                ProvenShuffle(key, deck, outputs[pile], parts[pile][1], self._context(seat, pile))
                for pile, deck in enumerate(piles)
            ]
            self._desk.owe(seat, self._waiting.add(shuffles))
        return outputs

    # ---- one pile ----

    def _shuffle(self, key: Point, deck: Deck) -> tuple[bytes, OwnShuffle]:
        """Shuffle a pile; gives the hint from which its order and masks follow, too."""
        writer = self._desk.writer
        precomputed = self.precomputed.take(key, len(deck)) if writer == self._desk.me else None
        hint = fresh_hint() if precomputed is None else precomputed.hint
        seed = seed_of(self._desk.secrets[writer], hint)
        outputs, witness = shuffle(key, deck, seed, precomputed)
        return hint, OwnShuffle(key, deck, outputs, witness)

    def _context(self, seat: int, pile: int) -> bytes:
        return self._desk.context(seat, f"shuffle {pile}")


def _prove(own: OwnShuffle, context: bytes) -> bytes:
    return prove_shuffle(own.key, own.inputs, own.outputs, own.witness, context)


def parse_deck(joined: bytes, count: int) -> Deck:
    """Give so many cards; raises ProofError."""
    cards = parse_cards(joined)
    if len(cards) != count:
        raise ProofError(f"{count} cards were expected, and {len(cards)} came")
    return cards


def _items(body: object, count: int) -> Sequence[object]:
    if not isinstance(body, list) or len(body) != count:
        raise ProofError(f"{count} contents were expected")
    return body


def _byte_strings(body: object, count: int) -> list[bytes]:
    items = _items(body, count)
    if not all(isinstance(item, bytes) for item in items):
        raise ProofError("byte strings were expected")
    return cast("list[bytes]", items)
