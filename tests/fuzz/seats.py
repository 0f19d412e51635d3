"""What somebody with a seat can say: entries, messages between seats, proofs, and a bot's words."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

import trio
from trio.testing import MockClock

from core.table import RulesError
from p2p.base.entry import check_signature, parse_entry
from p2p.base.errors import BadSignature, MalformedFrame, PeerError
from p2p.base.roster import parse_roster
from p2p.base.wire import decode, encode
from p2p.crypto.cpace import CpaceRun, Statement
from p2p.crypto.group import base, scalar_to_bytes
from p2p.crypto.transcript import ProofError
from p2p.log.game_file import GameFile
from p2p.log.membership.log import ChangeItem, signed_raw
from p2p.log.membership.messages import (
    REASON_SILENT,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    message_of,
    sign_as,
)
from p2p.log.membership_change import change_entry
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.catching_up import piece_of
from p2p.session.commands import Reaction
from p2p.session.news import News
from p2p.session.places import Places
from p2p.session.session import Session
from p2p.session.talking import line_of
from tests.fuzz.strangers import Caller, check_shown, hearing
from tests.fuzz.target import Target, refusing
from tests.fuzz.worlds import begun, finished
from tests.p2p.acknowledging import acknowledged, acknowledging
from tests.p2p.room import MemoryVault
from ui.language.text import load
from ui.plain.presenter import PlainPresenter

SEAT: Final = 1  # Of whoever speaks.
KINDS: Final = (
    *(("key seal", 1), ("key", 2), ("shuffle", 1), ("prove", 2), ("share", 0), ("mix", 0)),
    *(("roll", 1), ("seal", 1), ("unseal", 2), ("choose", 0), ("pass", 1)),
    *(("open", 0), ("return", 1), ("lot", 2), ("finish", 2), ("open keys", 1)),
)
"""Every kind of entry, and a seat that writes it in a game of three."""
ESCROW_KINDS: Final = (("escrow key", 1), ("escrow", 1))


# ---- entries ----


def entry() -> Target:
    """A signed entry, before anybody knows to which game it belongs."""
    room = finished()

    def read(said: bytes) -> None:
        check_signature(parse_entry(said), room.identities[SEAT].public)

    samples = [each.raw for each in room.replicas[0].log if len(each.raw) < 1 << 12]
    return Target(refusing(read, MalformedFrame, BadSignature), samples[:40], "cbor")


def roster() -> Target:
    """The document with which a game begins; whoever accepts it can begin."""

    def read(said: bytes) -> None:
        parsed = parse_roster(decode(said))
        assert encode(parsed.plain()) == said
        Replica(parsed)

    rooms = (finished(), begun("key seal", 1, is_escrowed=True))
    return Target(
        refusing(read, MalformedFrame), [encode(each.roster.plain()) for each in rooms], "cbor"
    )


def body() -> Target:
    """The body of an entry of every kind, where that kind is due: proofs and all."""
    rooms = [begun(kind, seat) for kind, seat in KINDS]
    rooms += [begun(kind, seat, is_escrowed=True) for kind, seat in ESCROW_KINDS]
    readers = [room.replicas[(seat + 1) % 3]
               for room, (_, seat) in zip(rooms, KINDS + ESCROW_KINDS, strict=True)]  # fmt: skip

    def read(said: bytes) -> None:
        match decode(said):
            case [int(at), value] if 0 <= at < len(readers):
                _read_body(readers[at], (KINDS + ESCROW_KINDS)[at][1], value)
            case _:
                raise MalformedFrame("the number of a kind and a body were expected")

    samples = []
    for at, (room, (_, seat)) in enumerate(zip(rooms, KINDS + ESCROW_KINDS, strict=True)):
        honest = parse_entry(room.write(room.replicas[seat])).body
        samples.append(encode([at, honest]))
    return Target(refusing(read, MalformedFrame, ProofError, RulesError), samples, "cbor")


def _read_body(replica: Replica, seat: int, value: object) -> None:
    dealing = replica.play.dealing
    assert replica.step is not None, "a step is due"
    try:
        replica.step.read(seat, value)
        for obligation in [] if dealing is None else dealing.obligations:
            obligation.verify()
    finally:
        if dealing is not None:
            dealing.obligations = []


def cheater() -> Target:
    """A whole game, in which one seat signs something else at one place.

    An input is `[place, seat, changes]`; a change is `[field of the payload, value]`.  Everything
    before the place is the log as it was; what comes after it is heard as well.
    """
    room = finished()
    log = [each.raw for each in room.replicas[0].log]

    def read(said: bytes) -> None:
        match decode(said):
            case [int(at), int(seat), list(changes)] if 0 <= at < len(log) and seat in (0, 1):
                raw = _signed(log[at], seat, changes)
                _play(room.replicas[0], [*log[:at], raw, *log[at : at + 8]])
            case _:
                raise MalformedFrame("a place, a seat and changes were expected")

    samples = []
    for at, each in enumerate(room.replicas[0].log):
        samples.append(encode([at, each.seat, [[7, each.body]]]))
    return Target(refusing(read, PeerError), samples, "cbor")


def _signed(raw: bytes, seat: int, changes: list[object]) -> bytes:
    """An entry with some fields of its payload changed, signed by a seat.

    Raises:
        MalformedFrame: what changes is none of its fields.
    """
    payload = decode(parse_entry(raw).payload)
    assert isinstance(payload, list)
    for change in changes:
        match change:
            case [int(field), value] if 0 <= field < len(payload):
                payload[field] = value
            case _:
                raise MalformedFrame("a change is a field and a value")
    changed = encode(payload)
    return encode([changed, finished().identities[seat].sign(b"hostless entry" + changed)])


def _play(original: Replica, raws: list[bytes]) -> None:
    secrets = cast("MemoryVault", finished().vaults[0])
    mine = MemoryVault(secrets.seed, dict(secrets.hidden))
    replica = Replica(original.roster, original.identity, mine)
    for raw in raws:
        replica.receive(raw)
        while replica.advance():
            while replica.obligations:
                replica.verify_obligation(*replica.obligations.pop(0))


# ---- messages between seats ----


class Silent(SecretsFile):
    """A secrets file that keeps nothing."""

    def __init__(self) -> None:
        self.said, self.entries, self.claims, self.places = [], [], [], {}
        self.instances, self._mark = set(), b""
        self.rank, self.fence, self.clock = 0, None, []
        self.is_old = self.has_lost_records = False

    def _keep(self, record: list[object]) -> None:
        """Forget it."""

    def sync(self) -> None:
        """There is no disk."""


class Unkept(GameFile):
    """A game file that is nowhere."""

    def __init__(self, count: int = 0) -> None:
        self.path, self.count, self.last, self.changes = Path("game"), count, b"", []

    def cut_at(self, offset: int) -> None:
        """Forget that there was more."""

    def cut(self, count: int) -> None:
        """Forget that there was more."""
        self.count = count

    def keep_evidence(self, seat: int, sentence: str, raws: list[bytes]) -> None:
        """Forget it."""

    def sync(self) -> None:
        """There is no disk."""

    def _write(self, content: bytes) -> None:
        """Forget it."""


def messages() -> Target:
    """What a seat says to us in the middle of a game."""
    room = begun("share", 0, is_escrowed=True)
    replica, theirs = room.replicas[2], room.replicas[SEAT]
    game_file = Unkept(len(replica.log))
    presenter = PlainPresenter(load("en"))

    def publish(news: News) -> None:
        check_shown(presenter.receive(news))

    session = Session(replica, game_file, Silent(), publish)

    def hear_all(said: list[object]) -> None:
        async def receive() -> None:
            for message in said:
                caller = cast("Link", Caller([]))
                session.links = {SEAT: caller}
                await session._receive_peer(caller, SEAT, message)

        trio.run(receive, clock=MockClock(autojump_threshold=0))

    head, height = theirs.position.head, theirs.position.height
    elsewhere = Session(replica, game_file, Silent(), lambda _: None).instances.mine()
    samples: list[list[object]] = [
        [["entry", room.write(room.replicas[0])], ["have", 0, 0]],
        [acknowledged(theirs, height + more, head) for more in (0, 3)],
        *_about_members(theirs),
        [["have", height - 2, height - 2], ["have", height, 0]],
        [Places(theirs).stay([("10.77.0.9", 4000), ("fe80::9", 4000)])],
        [["relay", [0]], ["stopped"], ["clock", 61_000]],
        [["here", Session(theirs, game_file, Silent(), lambda _: None).instances.mine()]],
        [line_of(theirs, 1, "hello \x1b[2J"), line_of(theirs, 2, Reaction.OOPS)],
        [["busy", elsewhere, "10.77.0.9"], piece_of(room.replicas[0].log, 3)],
    ]
    return Target(hearing(hear_all, PeerError), [encode(each) for each in samples], "cbor")


def _about_members(theirs: Replica) -> list[list[object]]:
    """What a seat can sign about who is a member, and show of it."""
    assert theirs.identity is not None and theirs.me is not None, "it has a seat"
    identity, game, log, change = (
        theirs.identity,
        theirs.game_id,
        theirs.tip,
        Change(0, REASON_SILENT),
    )
    wish = RestoreWish(log.epoch, theirs.me, base(7).encoded)
    votes = [Ballot(log.epoch, 0, theirs.me, log.head, change), Ballot(log.epoch, 0, theirs.me)]
    yes, no = (sign_as(identity, game, vote) for vote in votes)
    known = theirs.play.dealing
    assert known is not None, "keys are agreed on"
    gift = scalar_to_bytes(known.secrets[theirs.me])
    decided = ChangeItem(log.head, change, 0)
    ack = acknowledging(log.with_change(decided, theirs.log_game), theirs.me, identity)
    entry_raw = change_entry(game, log, decided).raw
    shown = ["change", entry_raw, log.height + 1, [message_of(ack)], []]
    return [
        [message_of(yes), message_of(no), message_of(ack)],
        [message_of(sign_as(identity, game, Farewell(log.epoch, theirs.me, gift)))],
        [message_of(sign_as(identity, game, wish))],
        [["evidence", signed_raw(yes), entry_raw], shown],
    ]


# ---- a password ----


def cpace() -> Target:
    """The share of somebody who says that it knows the password."""
    run = CpaceRun(b"sesame", b"ci", b"sid", b"opener", scalar=5)
    other = CpaceRun(b"sesame", b"ci", b"sid", b"guest", scalar=6)

    def read(said: bytes) -> None:
        run.tags(Statement(said, b"guest"), is_initiator=True)

    return Target(refusing(read, ProofError), [other.mine.share, run.mine.share], "bytes")
