"""Today's bytes are those of the saved games and of every other implementation."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.base.entry import check_signature, parse_entry
from p2p.base.errors import MalformedFrame
from p2p.base.roster import parse_roster
from p2p.base.wire import decode, encode
from p2p.log.ledger import read_game
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
from tests.p2p.stranger import read_beads
from tests.p2p.stranger_convicted import check_evidence, read_convicted_beads
from tests.p2p.stranger_dealt import deal
from tests.p2p.stranger_lost import check_claim, read_lost_beads
from tests.p2p.stranger_seats import Notes, read_returned_beads

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


def test_a_reader_written_from_the_document_alone_accepts_the_game_of_then() -> None:
    records = [bytes.fromhex(record)[4:] for record in KEPT_GAME["records"][1:]]
    (_, said), *others = map(decode, records)  # type: ignore[misc]
    entries = (raw for _, raw in others)  # type: ignore[misc]
    heads, result = read_beads(said, entries)
    assert [head.hex() for head in heads] == KEPT_GAME["heads"]
    assert repr(result) == KEPT_GAME["result"]


def read_convicted(
    said: list[Any], entries: Iterator[bytes], notes: Notes
) -> tuple[list[bytes], Any]:
    """That game, with the seeds with which parts of keys can be read."""
    seeds = list(map(bytes.fromhex, KEPT_CONVICTED["seeds"]))
    return read_convicted_beads(said, entries, notes, seeds)


@pytest.mark.parametrize(
    ("reader", "kept"),
    [
        (read_lost_beads, KEPT_LOST),
        (read_returned_beads, KEPT_RETURNED),
        (read_convicted, KEPT_CONVICTED),
    ],
    ids=["lost", "returned", "convicted"],
)
def test_such_a_reader_accepts_the_games_of_then_in_which_a_seat_is_lost(
    reader: Callable[[list[Any], Iterator[bytes], Notes], tuple[list[bytes], Any]],
    kept: dict[str, Any],
) -> None:
    said, entries, notes = roster_entries_and_notes(kept)
    heads, result = reader(said, iter(entries), notes)
    assert [head.hex() for head in heads] == kept["heads"]
    assert repr(result) == kept["result"]


def roster_entries_and_notes(kept: dict[str, Any]) -> tuple[list[Any], list[bytes], Notes]:
    """What a frozen file holds."""
    records = [bytes.fromhex(record)[4:] for record in kept["records"][1:]]
    (_, said), *others = map(decode, records)  # type: ignore[misc]
    lists = cast("list[list[Any]]", others)
    notes = {each[1]: (each[2], each[3]) for each in lists if each[0] == "in force"}
    return said, [each[1] for each in lists if each[0] == "entry"], notes


def test_the_claim_of_then_is_one_today_and_for_a_reader_written_from_the_document(
    tmp_path: Path,
) -> None:
    path = tmp_path / "claimed.hostless"
    path.write_bytes(
        b"".join(map(bytes.fromhex, [*KEPT_CLAIMED["records"], KEPT_CLAIMED["claim"]]))
    )
    report = audit_file(path)
    assert report.holds and not report.is_finished
    assert report.claim is not None and report.claim.seat == 0
    said, *_ = roster_entries_and_notes(KEPT_CLAIMED)
    head = bytes.fromhex(KEPT_CLAIMED["heads"][-1])
    count = len(KEPT_CLAIMED["kinds"].split())
    record = decode(bytes.fromhex(KEPT_CLAIMED["claim"])[4:])
    assert isinstance(record, list) and check_claim(said, (count, head), record) == 0
    with pytest.raises(AssertionError):
        check_claim(said, (count - 1, head), record)


def test_the_convicted_game_of_then_needs_the_kinds_of_escrow_and_begins_a_step_anew() -> None:
    kinds = KEPT_CONVICTED["kinds"].split()
    assert {"0:escrow-key", "0:escrow"} <= set(kinds)
    gone = kinds.index("2:replace")  # What all had bid is not in the file.
    assert kinds[gone + 1 : gone + 4] == ["0:part", "1:part", "0:seal"]


def test_a_reader_written_from_the_document_refuses_the_dealers_who_lied_then() -> None:
    public, *keys = (key.encoded for key in (KEY, OTHER_KEY, THIRD_KEY))
    said = {name: bytes.fromhex(each) for name, each in KEPT_PROOFS.items() if "escrow" in name}
    deal(public, keys, CONTEXT, said.pop("escrow"))
    for false in said.values():
        with pytest.raises(AssertionError):
            deal(public, keys, CONTEXT, false)
    assert len(said) > 3


def test_the_cheater_of_then_is_one_today_and_for_a_reader_written_from_the_document(
    tmp_path: Path,
) -> None:
    path = tmp_path / "convicted.hostless"
    records = [*KEPT_CONVICTED["records"], KEPT_CONVICTED["evidence"]]
    path.write_bytes(b"".join(map(bytes.fromhex, records)))
    report = audit_file(path)
    assert report.is_finished and not report.damage and not report.unproven
    assert [seat for seat, verdict in enumerate(report.verdicts) if not verdict.is_honest] == [2]
    said, *_ = roster_entries_and_notes(KEPT_CONVICTED)
    record = decode(bytes.fromhex(KEPT_CONVICTED["evidence"])[4:])
    assert isinstance(record, list) and check_evidence(said, record) == 2
    with pytest.raises(AssertionError):
        check_evidence(said, [*record[:3], record[3][:1] * 2])


@pytest.mark.parametrize("bots", [(), (0,), (0, 1)])
@pytest.mark.parametrize("opens_hands", [False, True])
def test_that_reader_accepts_any_game_of_today(
    seed: int, bots: tuple[int, ...], opens_hands: bool
) -> None:
    room = Room(2, seed=seed, game="beads", terms=Terms(bots, opens_hands))
    room.run()
    log = room.replicas[1].log
    plain = decode(encode(room.roster.plain()))
    assert isinstance(plain, list)
    heads, _ = read_beads(plain, iter([entry.raw for entry in log]))
    assert heads[-1] == room.replicas[1].head
