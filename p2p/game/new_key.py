"""The new key of an owner who is back, and the joint cards under it.

Everybody knows the key of a seat that goes back (`p2p.log.membership_change`).  So its owner writes
`new key`, in one entry:

    [Y', possession of it, what it adds to every joint card, one proof for all of these]

A joint card (a, b) becomes (a + m G, b + (x' - x) a + m K) under the new joint key K, with a fresh
mask m that only the owner knows: otherwise its layer x' a would be known to all who know x.  That
is a re-keying by the secret x - x' (`p2p.crypto.rekey`).  Cards of its own are known to all anyway,
and go under Y' without a mask.

What this does not protect against: the hand stays known to all, until its cards are shuffled by
somebody else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from p2p.crypto.group import IDENTITY, Point, base
from p2p.crypto.keys import prove_possession, verify_possession
from p2p.crypto.masking import Masked, cards_to_bytes, make_shares, message, open_form
from p2p.crypto.rekey import Rekeying, prove_rekey, rekey, verify_rekey
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import JOINT, Dealing
from p2p.game.shuffling import parse_deck
from p2p.game.steps import Script, Step

NEW_KEY: Final = "new key"  # The kind of the entry.


class _Said(NamedTuple):
    public: Point
    joint: Point  # Of all keys, with this one.
    added: list[Masked]  # To every joint card.


def take_back(
    dealing: Dealing, seat: int, secret: Callable[[], int], *, is_mine: bool
) -> Script[None]:
    """Let the owner of a seat show a new key; `secret` gives it, if it `is_mine`."""
    joint = dealing.held_by(JOINT)
    pairs = [pair for _, pair in joint]
    old, old_public = dealing.secrets[seat], dealing.publics[seat]

    def joint_with(public: Point) -> Point:
        whole = dealing.joint - old_public + public
        if IDENTITY in (public - old_public, whole, public):
            raise ProofError("this is no new key")
        return whole

    def write(_: object) -> object:
        fresh = secret()
        public, context = base(fresh), dealing.context(seat, NEW_KEY)
        possession = prove_possession(fresh, public, dealing.context(seat, "possession"))
        if not pairs:
            return [public.encoded, possession, b"", b""]
        key = joint_with(public)
        added, masks = rekey(old - fresh, pairs, key)
        statement = Rekeying(old_public - public, key, pairs, added)
        proof = prove_rekey(old - fresh, statement, masks, context)
        return [public.encoded, possession, cards_to_bytes(added), proof]

    def read(_: int, body: object) -> _Said:
        match body:
            case [bytes(encoded), bytes(possession), bytes(cards), bytes(proof)]:
                public = Point.parse(encoded)
                verify_possession(public, dealing.context(seat, "possession"), possession)
                key = joint_with(public)
                if not pairs and not cards + proof:
                    return _Said(public, key, [])
                added = parse_deck(cards, len(pairs))
                statement = Rekeying(old_public - public, key, pairs, added)
                verify_rekey(statement, proof, dealing.context(seat, NEW_KEY))
                return _Said(public, key, added)
        raise ProofError("a new key, and what it adds to every joint card, were expected")

    # All have to be here first: an owner who signs on a log that no other follows signs twice.
    (said,) = yield Step(NEW_KEY, (seat,), read, write, is_irreversible=True, is_heavy=bool(pairs))
    assert isinstance(said, _Said), "it was read so"
    for (card, pair), added in zip(joint, said.added, strict=True):
        dealing.hold(card, Masked(pair.a + added.a, added.b), JOINT)
    for card, pair in dealing.held_by(seat):
        bare = message(pair, *make_shares(old, [pair]))
        dealing.hold(card, open_form(bare, said.public), seat)
    dealing.entrust(seat, said.public, secret() if is_mine else None)
