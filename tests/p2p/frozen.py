"""Bytes that no version may change: what a second implementation can be held against.

`tests/vectors/entries.json` holds the parts (values, identities, rosters, entries, contexts, the
state of a small table), `tests/vectors/game.json` a whole game of beads, record by record, and
`tests/vectors/lost.json` one in which a key is lost, `tests/vectors/returned.json` one in which an
owner is back, `tests/vectors/convicted.json` one in which a cheater is replaced, and
`tests/vectors/claimed.json` the beginning of one, at whose end a seat claims the win.  When the
protocol changes on purpose, give it a new name and write all anew, from the project's folder:

    python -m tests.p2p.frozen
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.games import GAMES
from core.requests import Action
from core.table import Layout, Place, Sight, Table
from p2p.base.entry import Position, heads_of, next_head, sign_entry
from p2p.base.errors import Equivocation, PeerError
from p2p.base.identity import Identity, words
from p2p.base.roster import BotTerms, Replacement, Roster, Seat, rules_id
from p2p.base.wire import decode, encode, frame
from p2p.crypto import entropy
from p2p.game.dealing import Dealing
from p2p.game.game_keys import secret_from
from p2p.game.script import Play
from p2p.log.claim import WinClaim
from p2p.log.game_file import MAGIC, GameFile
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    Signed,
    message_of,
    sign_as,
)
from p2p.log.notes import InForceNote
from p2p.log.replay import replay
from p2p.log.replica import Replica
from p2p.net.announcements import TableAd
from p2p.net.handshake import _proof as dialler_proof
from tests.p2p.beads import BEADS
from tests.p2p.crypto.deals import predictable
from tests.p2p.room import MemoryVault, Room

FOLDER = Path(__file__).resolve().parents[1] / "vectors"
ENTRIES, GAME, LOST, RETURNED_GAME, CLAIMED_GAME, CONVICTED_GAME = (
    FOLDER / f"{name}.json"
    for name in ("entries", "game", "lost", "returned", "claimed", "convicted")
)
VALUES = [
    *(0, 23, 24, 255, 256, 65535, 65536, 2**32, 2**64 - 1, -1, -24, -25, -(2**64)),
    *(False, True, None, b"", b"\x00\xff", "", "a", "é", "가", [], [1, [2, [3]]]),
    *({}, {"a": 1, "b": [b"x"]}, {"aa": 1, "b": 2}, {10: 0, -1: 0, "z": 0}),
]
REFUSED = {
    "1800": "zero in two bytes",
    "190017": "23 in three bytes",
    "f90000": "a float",
    "fb3ff0000000000000": "a float",
    "c001": "a tag",
    "c24101": "a long integer",
    "5f4100ff": "bytes of no stated length",
    "9f01ff": "an array of no stated length",
    "a2616201616100": "keys out of order",
    "a2616101616100": "one key twice",
    "a1410000": "a key of bytes",
    "f7": "undefined",
    "61ff": "text that is not UTF-8",
    "0000": "two items",
    "8101ff": "bytes after the item",
    "8201": "an array that ends early",
    "": "nothing",
    "81" * 17 + "00": "seventeen arrays inside each other",
}


def identity(name: str) -> Identity:
    """The identity whose secret is the SHA-256 of a name."""
    return Identity(Ed25519PrivateKey.from_private_bytes(secret_of(name)))


def secret_of(name: str) -> bytes:
    """The secret of a frozen identity."""
    return hashlib.sha256(b"frozen " + name.encode()).digest()


IDENTITIES = [identity("a"), identity("b")]
IDENTITY_C = identity("c")
THREE = ("Ada", "\uae40", "Zoë")


def roster() -> Roster:
    """Two seats at a table of beads, the second of them a bot's."""
    names, bots_terms = ("Ada", "\uae40"), (None, BotTerms("hostless 1", "steady", 1000))
    seats = tuple(
        Seat(each.public, name, bytes([index + 1]) * 32, bot_terms, bytes(index * 32))
        for index, (each, name, bot_terms) in enumerate(
            zip(IDENTITIES, names, bots_terms, strict=True)
        )
    )
    return Roster("beads", rules_id(BEADS), (("spare", 1),), "frozen table", seats)


def entries() -> dict[str, object]:
    """What the file of parts holds."""
    return {
        "cbor": [[repr(value), encode(value).hex()] for value in VALUES],
        "cbor refused": REFUSED,
        "identities": [
            [secret_of(name).hex(), each.public.hex(), words(each.public)]
            for name, each in zip("ab", IDENTITIES, strict=True)
        ],
        "rules id of beads": rules_id(BEADS).hex(),
        "roster": encode(roster().plain()).hex(),
        "game id": roster().game_id.hex(),
        "dialler's proof": _dialler_proof(),
        "entry": _entry(),
        "entry of a hurried bot": _entry(10),
        "said of seats": _said_of_seats(),
        "contexts": _contexts(),
        "table": _table(),
        "announcement": encode(["hostless", *_announcement().plain()]).hex(),
    }


def _dialler_proof() -> dict[str, str]:
    listener, certificate, nonce = IDENTITIES[0].public, b"a certificate", bytes([7]) * 32
    signed = dialler_proof(listener, certificate, nonce)
    return {
        "listener": listener.hex(),
        "certificate": certificate.hex(),
        "nonce": nonce.hex(),
        "signed": signed.hex(),
        "signature by the second identity": IDENTITIES[1].sign(signed).hex(),
    }


def _entry(*part: object) -> dict[str, str]:
    at = Position(7, bytes([8]) * 32, bytes([9]) * 48)
    said: list[object] = ["choose", [["play", [3], 0], b"", *part]]
    entry = sign_entry(IDENTITIES[1], roster().game_id, (1, 0), at, said)
    return {
        "payload": entry.payload.hex(),
        "signature": entry.signature.hex(),
        "raw": entry.raw.hex(),
        "hash": entry.hash.hex(),
        "next head": next_head(at.head, [entry]).hex(),
    }


def _said_of_seats() -> dict[str, str]:
    """Messages of sections 4 and 18 that the second identity signs."""
    identity, game = IDENTITIES[1], roster().game_id
    epoch, head = bytes([6]) * 32, bytes([8]) * 32
    gone, back = Change(0, REASON_LEFT, bytes([5]) * 32, (2,)), Change(0, REASON_RESTORE, b"key")
    no = sign_as(identity, game, Ballot(epoch, 2, 1))
    said: dict[str, Signed] = {
        "ack": Ack(epoch, 1, 7, head, bytes([9]) * 32),
        "ack of a change": Ack(epoch, 1, 8, head, bytes([9]) * 32, gone, 3, (no,)),
        "yes": Ballot(epoch, 3, 1, head, gone),
        "yes to a return": Ballot(epoch, 4, 1, head, back),
        "no": no,
        "farewell": Farewell(epoch, 1, bytes([5]) * 32),
        "wish": RestoreWish(epoch, 1, bytes([4]) * 32),
    }
    return {
        name: encode(message_of(sign_as(identity, game, each))).hex() for name, each in said.items()
    }


def _contexts() -> dict[str, str]:
    with patch.dict(GAMES, {"beads": BEADS}):
        play = Play(roster(), 0, MemoryVault(bytes(range(32))))
    play.height = 300
    purposes = ["shuffle 0", "shuffle 1", "share", "open", "pass", "return", "claim", "lot"]
    purposes += ["escrow", "roll", "salt"]
    places = [
        (0, "secret", 300),
        (0, "roll", 300),
        (0, "lot", 300),
        (0, "salt", 300),
        (0, "key", 0),
        (1, "possession", 0),
    ]
    places += [(1, purpose, 300) for purpose in purposes]
    contexts = {
        f"height {height}, seat {seat}, {purpose}": play._context(seat, purpose, height).hex()
        for seat, purpose, height in places
    }
    derived = {each: play._derive(each) for each in ("key salt", "open 300")}
    for each in ("key secret", "escrow 300"):
        secret = secret_from(play._seeds[0], play.game_id, each)
        derived[each] = secret.to_bytes(32, "little")
    return contexts | {f"derived: {each}": value.hex() for each, value in derived.items()}


def _table() -> dict[str, object]:
    hand = Place("hand", Sight.OWNER, 0)
    layout = Layout(2, ("x", "y"), [Place("deck", Sight.NOBODY), hand], ["turn", "round"], {})
    table = Table(layout)
    table.lay_out(0, [0, 0, 1])
    table.mix((0, 1), None)
    table.move(1, 0, 1)
    table.counters[1] = -2
    sections = {name: part.hex() for name, part in table.sections().items()}
    return {"sections": sections, "digest": table.digest().hex()}


def _announcement() -> TableAd:
    opener = IDENTITIES[0].public
    return TableAd("00ff00ff00ff00ff", "table of Ada", "beads", 2, 1, opener, "", 4000, "spare=1")


# ---- a whole game ----


class FrozenRoom(Room):
    """A room in which everything is always the same: seats write in their order, the first offer
    is taken, and what would be random is hashed from a name."""

    def __init__(self, roster: Roster, identities: list[Identity]) -> None:
        """Seat identities whose secrets everybody knows."""
        super().__init__(len(identities), game="beads")
        self.identities, self.roster = identities, roster
        self.vaults = [MemoryVault(secret_of(f"seed {seat}")) for seat in range(len(identities))]
        self.replicas = [
            Replica(self.roster, each, secrets)
            for each, secrets in zip(self.identities, self.vaults, strict=True)
        ]
        self.chooser = lambda replica, actions: self._first(actions)

    @staticmethod
    def _first(actions: list[Action]) -> Action:
        return actions[0]

    def writer(self) -> Replica | None:
        """The first seat whose entry is due."""
        return next((replica for replica in self.replicas if replica.may_write()), None)


def game() -> dict[str, object]:
    """What the file of a game holds: the records of the game file, and the head after each."""
    with drawing_from("frozen game"):
        room = FrozenRoom(roster(), IDENTITIES)
        room.run()
    return told(room)


@contextmanager
def drawing_from(name: str) -> Iterator[None]:
    """In this block beads are a game, and what would be random follows from a name."""
    drawn, fresh_bytes, open_order = predictable(name), entropy.fresh_bytes, entropy.permutation

    def draw(size_bytes: int) -> bytes:  # What an open seat draws follows from its key as ever.
        return drawn(size_bytes) if entropy._open.get() is None else fresh_bytes(size_bytes)

    def permutation(count: int) -> list[int]:
        if entropy._open.get() is not None:
            return open_order(count)
        return sorted(range(count), key=lambda index: draw(8) + bytes([index]))

    with (
        patch.dict(GAMES, {"beads": BEADS}),
        patch.object(entropy, "fresh_bytes", draw),
        patch.object(entropy, "permutation", permutation),
    ):
        yield


def told(room: FrozenRoom) -> dict[str, object]:
    """What a file holds of a game that is over."""
    replica = room.replicas[0]
    assert replica.is_over, "a game of beads always ends"
    result = repr(next(entry.body for entry in replica.log if entry.kind == "finish"))
    return told_so_far(room) | {"result": result}


def told_so_far(room: FrozenRoom) -> dict[str, object]:
    """What a file holds of a game."""
    replica = room.replicas[0]
    heads = [head.hex() for _, head in heads_of(replica.log, 0, replica.game_id)]
    return {
        "identities": [secret_of(name).hex() for name in "abc"[: len(room.vaults)]],
        "seeds": [secrets.seed.hex() for secrets in room.vaults],
        "keys": [point.encoded.hex() for point in _dealing(replica).publics],
        "kinds": " ".join(f"{entry.seat}:{entry.kind.replace(' ', '-')}" for entry in replica.log),
        "heads": heads,
        "records": [record.hex() for record in _records(replica, room.notes)],
    }


def lost_game() -> dict[str, object]:
    """The same of three seats, of which the last is lost with its key before the die is rolled."""
    with drawing_from("frozen lost game"):
        room, _ = _without_the_third(has_key=False)
        room.run()
    return told(room)


def returned_game() -> dict[str, object]:
    """The same, but the last leaves its key, and asks for its seat once a bot has bid for it."""
    with drawing_from("frozen returned game"):
        room, owner = _without_the_third(has_key=True)
        room.run(lambda each: each.step is not None and each.step.kind == "choose")
        room.catch_up(owner)
        room.give_back(owner)
        room.run()
    return told(room)


def claimed_game() -> dict[str, object]:
    """The same of two seats, up to where the second is lost, and the first claims the win."""
    with drawing_from("frozen claimed game"):
        room = _waiting_room(("Ada", "\uae40"), IDENTITIES)
        (first, _), (mine, _) = room.replicas, IDENTITIES
        claim = WinClaim(0, (1,), first.height, first.head).sign(mine, first.game_id)
    return told_so_far(room) | {"claim": frame(encode(claim.plain())).hex()}


def convicted_game() -> dict[str, object]:
    """The same of three with their keys in escrow, the last of whom tells each a bid of its own.

    So the logs of the others part; both hear of it, go back to where all are to bid, and replace
    the cheater there.  The file also holds the evidence, as a record.
    """
    with drawing_from("frozen convicted game"):
        room = _waiting_room(THREE, [*IDENTITIES, IDENTITY_C], "seal", is_escrowed=True)
        cheater = room.replicas.pop()
        guilt = _part_and_go_back(room, cheater)
        room.remove(2, REASON_CONVICTED, guilt.evidence)
        room.run()
    evidence = ["evidence", guilt.seat, str(guilt), guilt.evidence]
    return told(room) | {"evidence": frame(encode(evidence)).hex()}


def _part_and_go_back(room: FrozenRoom, cheater: Replica) -> PeerError:
    """What the first convicts the cheater of, who tells every other seat something else."""
    height, offers = cheater.height, [offer.action for offer in cheater.view().offers]
    lies = [cheater.write(action).raw for action in offers[: len(room.replicas)]]
    said = [room.write(replica) for replica in room.replicas]
    for replica, lie in zip(room.replicas, lies, strict=True):
        for raw in (*said, lie):
            replica.receive(raw)
        assert replica.advance(), "the step is closed"
    for replica, secrets in zip(room.replicas, room.vaults, strict=False):
        for lie in lies:
            try:
                replica.receive(lie)
            except Equivocation as error:
                replica.guilty[error.seat] = error
        past = Replica(room.roster, replica.identity, secrets)
        replay(replica.log[:height], past)
        replica.rewind_to(past)
    return room.replicas[0].guilty[2]


def _waiting_room(
    names: Sequence[str],
    identities: list[Identity],
    kind: str = "roll",
    *,
    is_escrowed: bool = False,
) -> FrozenRoom:
    """Persons at a table, as such a step is due: at first the die is to be rolled."""
    seats = tuple(
        Seat(each.public, name, bytes([index + 1]) * 32)
        for index, (each, name) in enumerate(zip(identities, names, strict=True))
    )
    replacement = Replacement(BotTerms("hostless 1", "steady", 1000), is_escrowed=is_escrowed)
    terms = Roster("beads", rules_id(BEADS), (("spare", 1),), "frozen table", seats)
    room = FrozenRoom(replace(terms, replacement=replacement), identities)
    room.run(lambda each: each.step is not None and each.step.kind == kind)
    return room


def _without_the_third(*, has_key: bool) -> tuple[FrozenRoom, Replica]:
    """Three at a table, the last of whom is gone when the die is to be rolled, and its machine."""
    room = _waiting_room(THREE, [*IDENTITIES, IDENTITY_C])
    gone = room.replicas.pop()
    if has_key:
        room.leave(2, _dealing(gone).secrets[2])
    else:
        room.remove(2)
    return room, gone


def _dealing(replica: Replica) -> Dealing:
    assert replica.play.dealing is not None, "keys are agreed on"
    return replica.play.dealing


def _records(replica: Replica, notes: Sequence[InForceNote]) -> list[bytes]:
    """The game file, cut where its records begin."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "frozen.hostless")
        game_file = GameFile.create(path, replica.roster)
        kept = {each.height: each for each in notes}
        for count, entry in enumerate(replica.log, 1):
            game_file.append(entry.raw)
            if count in kept:
                game_file.note_in_force(kept[count])
        game_file.close()
        content = path.read_bytes()
    records, start = [MAGIC], len(MAGIC)
    while start < len(content):
        end = start + 4 + int.from_bytes(content[start : start + 4])
        records.append(content[start:end])
        start = end
    return records


def read(value: str) -> object:
    """The value of an encoding in hexadecimal digits."""
    return decode(bytes.fromhex(value))


if __name__ == "__main__":
    for path, content in (
        (ENTRIES, entries()),
        (GAME, game()),
        (LOST, lost_game()),
        (RETURNED_GAME, returned_game()),
        (CLAIMED_GAME, claimed_game()),
        (CONVICTED_GAME, convicted_game()),
    ):
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
