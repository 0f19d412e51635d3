"""Today's bytes are those of the saved games and of every other implementation."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any, cast

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.base.entry import check_signature, parse_entry
from p2p.base.errors import MalformedFrame
from p2p.base.roster import parse_roster
from p2p.base.wire import decode, encode, frame
from p2p.log.game_file import MAGIC, read_game
from tests.p2p.beads import BEADS
from tests.p2p.crypto.deals import CONTEXT, KEY, OTHER_KEY, THIRD_KEY
from tests.p2p.crypto.frozen import PATH as PROOFS
from tests.p2p.frozen import (
    CLAIMED_GAME,
    CONVICTED_GAME,
    ENTRIES,
    GAME,
    IDENTITIES,
    LOST,
    RETURNED_GAME,
    claimed_game,
    convicted_game,
    entries,
    game,
    lost_game,
    read,
    returned_game,
    roster,
)
from tests.p2p.room import Room, Terms
from tests.p2p.verifier.escrow import escrow
from tests.p2p.verifier.group import L, base
from tests.p2p.verifier.rulebook import audit
from tests.p2p.verifier.values import Refused

KEPT: dict[str, Any] = json.loads(ENTRIES.read_text("utf-8"))
KEPT_PROOFS: dict[str, str] = json.loads(PROOFS.read_text("utf-8"))
KEPT_GAME: dict[str, Any] = json.loads(GAME.read_text("utf-8"))
KEPT_LOST: dict[str, Any] = json.loads(LOST.read_text("utf-8"))
KEPT_RETURNED: dict[str, Any] = json.loads(RETURNED_GAME.read_text("utf-8"))
KEPT_CLAIMED: dict[str, Any] = json.loads(CLAIMED_GAME.read_text("utf-8"))
KEPT_CONVICTED: dict[str, Any] = json.loads(CONVICTED_GAME.read_text("utf-8"))


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The frozen game as a file."""
    path = tmp_path / "frozen.hostless"
    path.write_bytes(b"".join(map(bytes.fromhex, KEPT_GAME["records"])))
    return path


@pytest.mark.parametrize("name", KEPT)
def test_the_parts_are_what_they_were(name: str) -> None:
    assert json.loads(json.dumps(entries()[name])) == KEPT[name]


def test_every_part_is_frozen() -> None:
    assert set(entries()) == set(KEPT)


@pytest.mark.parametrize(("value", "encoded"), KEPT["cbor"])
def test_an_encoding_made_then_has_the_same_value_today(value: str, encoded: str) -> None:
    assert read(encoded) == ast.literal_eval(value)
    assert encode(read(encoded)).hex() == encoded


@pytest.mark.parametrize("encoded", KEPT["cbor refused"])
def test_what_was_no_encoding_then_is_none_today(encoded: str) -> None:
    with pytest.raises(MalformedFrame):
        read(encoded)


def test_a_roster_of_then_can_be_read() -> None:
    assert parse_roster(read(KEPT["roster"])) == roster()


def test_an_entry_of_then_can_be_read_and_is_signed() -> None:
    entry = parse_entry(bytes.fromhex(KEPT["entry"]["raw"]))
    check_signature(entry, IDENTITIES[1].public)
    assert (entry.seat, entry.seat_epoch, entry.height, entry.kind) == (1, 0, 7, "choose")
    assert entry.game.hex() == KEPT["game id"]
    assert entry.body == [["play", [3], 0], b""]
    assert decode(entry.raw) == [entry.payload, entry.signature]


def test_a_hurried_bot_of_then_says_by_which_part_it_goes_on() -> None:
    entry = parse_entry(bytes.fromhex(KEPT["entry of a hurried bot"]["raw"]))
    check_signature(entry, IDENTITIES[1].public)
    assert entry.body == [["play", [3], 0], b"", 10]


@pytest.mark.parametrize(
    ("play", "kept"),
    [
        (game, KEPT_GAME),
        (lost_game, KEPT_LOST),
        (returned_game, KEPT_RETURNED),
        (claimed_game, KEPT_CLAIMED),
        (convicted_game, KEPT_CONVICTED),
    ],
)
def test_a_game_played_today_with_the_secrets_of_then_is_the_same_file(
    play: Callable[[], dict[str, object]], kept: dict[str, object]
) -> None:
    today = play()
    for name, value in kept.items():
        assert today[name] == value, name


def test_the_lost_game_of_then_needs_every_kind_of_entry_that_game_does_not() -> None:
    kinds = {kind.split(":")[1] for kind in KEPT_LOST["kinds"].split()}
    assert {"replace", "strike", "blind", "sort-out"} <= kinds


def test_the_returned_game_of_then_needs_the_kinds_of_a_seat_that_goes_back() -> None:
    kinds = [kind.split(":")[1] for kind in KEPT_RETURNED["kinds"].split()]
    assert [kind for kind in kinds if kind in ("replace", "restore", "new-key")] == [
        "replace",
        "restore",
        "new-key",
    ]


def test_the_game_of_then_needs_every_kind_of_entry() -> None:
    kinds = {kind.split(":")[1] for kind in KEPT_GAME["kinds"].split()}
    assert kinds == {
        *("key-seal", "key", "shuffle", "prove", "share", "mix", "roll", "seal", "unseal"),
        *("choose", "lot", "pass", "open", "return", "finish", "open-keys"),
    }


def test_the_game_of_then_passes_the_audit_of_today(path: Path) -> None:
    report = audit_file(path)
    assert report.holds and report.is_finished and report.winners, report
    assert report.entries == len(KEPT_GAME["kinds"].split()) == len(read_game(path).entries)


def content_of(kept: dict[str, Any], *more: str) -> bytes:
    """A frozen file, perhaps with more records of the same game behind it."""
    return b"".join(map(bytes.fromhex, [*kept["records"], *more]))


@pytest.mark.parametrize(
    "kept",
    [KEPT_GAME, KEPT_LOST, KEPT_RETURNED, KEPT_CONVICTED],
    ids=["whole", "lost", "returned", "convicted"],
)
def test_a_verifier_written_from_the_document_alone_accepts_the_games_of_then(
    kept: dict[str, Any],
) -> None:
    found = audit(content_of(kept))
    assert [item.head.hex() for item in found.log.items.values()][1:] == kept["heads"]
    assert repr(found.result) == kept["result"] and not found.missing
    opened = "2:open-keys" in kept["kinds"]
    assert len(found.hands()) == (2 if opened else 0) or kept is KEPT_GAME


def test_the_claim_of_then_is_one_today_and_for_that_verifier(tmp_path: Path) -> None:
    path = tmp_path / "claimed.hostless"
    path.write_bytes(content_of(KEPT_CLAIMED, KEPT_CLAIMED["claim"]))
    report = audit_file(path)
    assert report.holds and not report.is_finished
    assert report.claim is not None and report.claim.seat == 0
    assert audit(path.read_bytes()).missing
    shorter = KEPT_CLAIMED | {"records": KEPT_CLAIMED["records"][:-1]}
    with pytest.raises(Refused, match="a claim on another log"):
        audit(content_of(shorter, KEPT_CLAIMED["claim"]))


def test_the_convicted_game_of_then_needs_the_kinds_of_escrow_and_begins_a_step_anew() -> None:
    kinds = KEPT_CONVICTED["kinds"].split()
    assert {"0:escrow-key", "0:escrow"} <= set(kinds)
    gone = kinds.index("2:replace")  # What all had bid is not in the file.
    assert kinds[gone + 1 : gone + 4] == ["0:part", "1:part", "0:seal"]


def test_that_verifier_refuses_the_dealers_who_lied_then() -> None:
    public, *keys = (key.encoded for key in (KEY, OTHER_KEY, THIRD_KEY))
    said = {name: bytes.fromhex(each) for name, each in KEPT_PROOFS.items() if "escrow" in name}
    escrow(public, keys, said.pop("escrow"), CONTEXT)
    for false in said.values():
        with pytest.raises(Refused):
            escrow(public, keys, false, CONTEXT)
    assert len(said) > 3


def test_the_boxes_of_then_hold_the_parts_that_were_given_when_a_seat_was_convicted() -> None:
    found = audit(content_of(KEPT_CONVICTED))
    of_kind = {kind: [e for e in found.log.entries if e.kind == kind]
               for kind in ("escrow key", "escrow", "part")}  # fmt: skip
    at, boxes = of_kind["escrow key"][0].height, [e.body[0] for e in of_kind["escrow key"][:2]]
    ctx, public = found.reading.ctx(2, "escrow", at), bytes.fromhex(KEPT_CONVICTED["keys"][2])
    parts, covered = escrow(public, boxes, of_kind["escrow"][2].body, ctx)
    for place, given in enumerate(of_kind["part"]):
        seed = bytes.fromhex(KEPT_CONVICTED["seeds"][place])
        said = sha256(encode([seed, found.roster.id, f"escrow {at}"])).digest()
        box = int.from_bytes(sha512(said).digest(), "little") % L
        assert base(box) == boxes[place]
        (part,) = {each.part(place, box, ctx) for each in covered}
        assert part.to_bytes(32, "little") == given.body and base(part) == parts[place]


def test_the_cheater_of_then_is_one_today_and_for_that_verifier(tmp_path: Path) -> None:
    path = tmp_path / "convicted.hostless"
    path.write_bytes(content_of(KEPT_CONVICTED, KEPT_CONVICTED["evidence"]))
    report = audit_file(path)
    assert report.is_finished and not report.damage and not report.unproven
    assert [seat for seat, verdict in enumerate(report.verdicts) if not verdict.is_honest] == [2]
    found = audit(path.read_bytes())
    assert found.reading.convicted.keys() == {2}
    _, seat, _, raws = cast("list[Any]", decode(bytes.fromhex(KEPT_CONVICTED["evidence"])[4:]))
    assert found.members.convicted_by(raws).keys() == {seat}
    assert not found.members.convicted_by(raws[:1] * 2)


@pytest.mark.parametrize("bots", [(), (0,), (0, 1)])
@pytest.mark.parametrize("opens_hands", [False, True])
def test_that_verifier_accepts_any_game_of_today(
    seed: int, bots: tuple[int, ...], opens_hands: bool
) -> None:
    room = Room(2, seed=seed, game="beads", terms=Terms(bots, opens_hands))
    room.run()
    entries = [["entry", entry.raw] for entry in room.replicas[1].log]
    records = [["roster", room.roster.plain()], *entries]
    found = audit(MAGIC + b"".join(frame(encode(record)) for record in records))
    assert found.log.head == room.replicas[1].head and not found.missing
