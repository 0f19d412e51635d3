"""A second reader of a game in which a key is lost, written from `docs/spec/protocol.md` alone.

Seats play beads; the last is lost as the die is to be rolled.  See `tests.p2p.stranger`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.p2p.stranger import G, L, Pair, less, points, scalar, shares, times, total
from tests.p2p.stranger_seats import (
    Notes,
    SeatsReader,
    read_choices,
    read_first_deal,
    read_result,
)
from tests.p2p.stranger_tally import Rows, blinded, full, subtracted


class LostReader(SeatsReader):
    """Reads on without a key."""

    # ---- sections 18 and 19 ----

    def read_replacement(self) -> None:
        """The last seat is gone and its key is lost: nothing counts of the current step."""
        nonce = self.hand_over(1)
        assert (self.read_change("replace", "silent"), self.proof) == (b"", [])
        self.is_replaced = True
        seed = hashlib.sha256(b"hostless open seed" + nonce).digest()
        derived = hashlib.sha256(cbor2.dumps([seed, self.game, "key secret"], canonical=True))
        drawn = int.from_bytes(hashlib.sha512(derived.digest()).digest(), "little") % L
        self.keys[self.gone] = times(drawn, G)
        self.joint = total(*self.keys)
        self.close()

    def read_strike(self, seat: int, tallies: list[Rows], held: dict[int, list[int]]) -> None:
        """A seat strikes what it holds of each family."""
        (body,) = self.step("strike", seat)
        for (at, cards), said in zip(held.items(), body, strict=True):
            pairs, context = (
                [self.cards[card] for card in cards],
                self.context(seat, f"strike {at}"),
            )
            keys = self.keys[seat], self.joint
            tallies[at] = subtracted(keys, tallies[at], pairs, context, said)
        self.close()

    def read_pet_shares(self, decks: list[list[Pair]]) -> list[Pair]:
        """All rows, times what all live seats have drawn."""
        live, sums = [seat for seat in self.seats if seat != self.gone], list[list[Pair]]()
        for seat, body in zip(live, self.step("blind", *live), strict=True):
            rows = [row for at, (deck, said) in enumerate(zip(decks, body, strict=True))
                    for row in blinded(deck, self.context(seat, f"blind {at}"), said)]  # fmt: skip
            sums.append(rows)
        self.close()
        return [(total(*(a for a, _ in each)), total(*(b for _, b in each)))
                for each in zip(*sums, strict=True)]  # fmt: skip

    def read_layers(self, kind: str, seats: list[int], pairs: list[Pair]) -> list[Pair]:
        """The same pairs without the layers of these seats."""
        bare = pairs
        for seat, (joined, proof) in zip(seats, self.step(kind, *seats), strict=True):
            given = points(joined)
            shares(self.keys[seat], pairs, given, self.context(seat, kind), proof)
            bare = [(a, less(b, share)) for (a, b), share in zip(bare, given, strict=True)]
        self.close()
        return bare

    def deal_anew(self, families: list[tuple[list[int], dict[int, list[int]]]]) -> None:
        """For each family its dead cards, and what every seat holds; a bead of each face a seat."""
        faces = [(face, len(self.seats)) for face in self.faces]
        tallies = [full(self.joint, faces) for _ in families]
        for seat in self.seats:
            held = {at: mine[seat] for at, (_, mine) in enumerate(families) if seat in mine}
            if held:
                self.read_strike(seat, tallies, held)
        decks = self.read_decks([[row for _, rows in tally for row in rows] for tally in tallies])
        raised = self.read_pet_shares(decks)
        bare = iter(self.read_layers("sort out", list(self.seats), raised))
        for (dead, _), deck in zip(families, decks, strict=True):
            left = [row for row in deck if next(bare)[1] != bytes(32)]
            mine = [card for card in dead if card in self.hands[self.gone]]
            if mine:
                pairs = self.read_layers("share", list(self.seats[:-1]), left[: len(mine)])
                self.cards.update(zip(mine, pairs, strict=True))
            others = [card for card in dead if card not in mine]
            self.cards.update(zip(others, left[len(mine) :], strict=True))

    def hand_of_the_lost(self, secret: int) -> list[int]:
        """The faces of the hand that was dealt anew."""
        pairs = [self.cards[card] for card in self.hands[self.gone]]
        return [self.faces.index(less(b, times(secret, a))) for a, b in pairs]


def read_lost_beads(
    roster: list[Any], entries: Iterator[bytes], notes: Notes
) -> tuple[list[bytes], Any]:
    """The heads of a whole game and the result that was signed, all checked."""
    reader = LostReader(roster, entries, notes=notes)
    read_first_deal(reader)
    reader.read_replacement()
    half, lost = len(reader.beads) // 2, sorted(reader.hands[reader.gone])
    held = {seat: sorted(reader.hands[seat]) for seat in reader.seats[:-1]}
    dead = [*reader.deck[half:], *lost]
    reader.deal_anew([(list(reader.beads[:half]), {}), (dead, held)])
    points_won = reader.read_roll(6)
    bids = reader.read_bids()
    read_choices(reader)
    result = read_result(reader, [bids[0] + points_won, *bids[1:]])
    ((secret,),) = [reader.step("open keys", reader.gone)]
    reader.close()
    number = int.from_bytes(secret, "little")
    assert scalar(number) == secret and times(number, G) == reader.keys[reader.gone]
    if reader.gone > 1:  # Seat 1 has given a bead away, and put the other back.
        assert len(reader.hand_of_the_lost(number)) == len(lost)
    assert next(entries, None) is None
    return reader.heads, result


def check_claim(roster: list[Any], end: tuple[int, bytes], record: list[Any]) -> int:
    """The seat that claims the win at the end of a log of this height and head (section 14)."""
    kind, seat, silent, height, head, signature = record
    others = [other for other in range(len(roster[5])) if other != seat]
    assert (kind, silent) == ("claim", others) and (height, head) == end
    game = hashlib.sha256(b"hostless game" + cbor2.dumps(roster, canonical=True)).digest()
    said = cbor2.dumps([game, height, head, seat, silent], canonical=True)
    identity = Ed25519PublicKey.from_public_bytes(roster[5][seat][0])
    identity.verify(signature, b"hostless claim" + said)
    return int(seat)
