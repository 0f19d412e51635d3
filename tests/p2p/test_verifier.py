"""A verifier written from the protocol alone reads our games, and refuses what was tampered with.

Tampering is done by somebody with all keys: everything is signed and chained anew, so that nothing
but the one check that it is about can find it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from core.games import GAMES
from core.requests import Reveal, Revealed
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.errors import PeerError
from p2p.base.roster import Replacement
from p2p.base.wire import decode, encode
from p2p.log.files import GameFileError
from p2p.log.game_file import read_game
from tests.p2p import verifier
from tests.p2p.beads import BEADS
from tests.p2p.forging import (
    BODY,
    DIGEST,
    EPOCH,
    HEIGHT,
    KIND,
    SEAT,
    Fields,
    Game,
    chained,
    file_of,
    forged,
    signed,
)
from tests.p2p.game.test_going_back import go_back, is_choosing
from tests.p2p.nodes import people, play_a_while
from tests.p2p.records import heard
from tests.p2p.room import BOT_TERMS, Room, Terms
from tests.p2p.verifier.__main__ import main
from tests.p2p.verifier.audit import Audit
from tests.p2p.verifier.group import L, Transcript, base, little
from tests.p2p.verifier.rulebook import Rulebook, audit
from tests.p2p.verifier.values import Refused, frames

Verdict = tuple[bool, int | None]  # Whether a file is refused, and whom that is held against.
Forgery = Callable[[Game], bytes]
NOBODY: Final = None
KINGDOM: Final = {"kingdom": "first_game"}


@pytest.fixture(scope="module", autouse=True)
def beads_are_a_game() -> Any:
    """Let the smallest game be found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "beads", BEADS)
        yield


def game_of(room: Room) -> Game:
    """What a room has played, as values."""
    entries = [decode(decode(entry.raw)[0]) for entry in room.replicas[0].log]
    return Game(room.roster.plain(), entries, room.identities)


@pytest.fixture(scope="module")
def beads() -> Game:
    """A whole game with every kind of entry but those of escrow and section 18."""
    room = Room(2, seed=3, game="beads", terms=Terms((1,), opens_hands=True))
    room.run()
    return game_of(room)


def verified(content: bytes) -> Verdict:
    """What the verifier says."""
    try:
        found = audit(content)
    except Refused as refused:
        return True, refused.seat
    return bool(found.reading.convicted), next(iter(found.reading.convicted), NOBODY)


def audited(content: bytes, folder: Path) -> Verdict:
    """What our own audit says."""
    path = folder / "game.hostless"
    path.write_bytes(content)
    try:
        report = audit_file(path)
    except GameFileError:
        return True, NOBODY
    named = [verdict.seat for verdict in report.verdicts if not verdict.is_honest]
    return not report.holds, named[0] if named else NOBODY


# ---- honest games ----


def openings(path: Path) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Which cards everybody was shown, and their faces, by our own audit."""
    return [
        (request.cards, event.faces)
        for request, event in read_log(read_game(path)).events
        if isinstance(request, Reveal) and isinstance(event, Revealed) and request.player is None
    ]


def check_same_cards(content: bytes, folder: Path) -> Audit:
    """Both see the same cards of a game of which every proof holds; gives what the verifier saw."""
    assert audited(content, folder) == (False, NOBODY)
    found = audit(content)
    shown = dict[int, int]()
    for cards, faces in openings(folder / "game.hostless"):
        shown |= zip(cards, faces, strict=True)
    mine = dict[int, int]()
    for _, card, face, _ in found.cards.opened:
        mine[card] = face
    assert mine and mine.items() <= shown.items()
    return found


@pytest.mark.parametrize(
    ("seats", "game", "options", "bots"),
    [
        (3, "carta", {}, (1,)),
        pytest.param(2, "carta", {"deal": "draft"}, (1,), marks=pytest.mark.slow),
        pytest.param(2, "dominion", KINGDOM, (), marks=pytest.mark.slow),
    ],
)
def test_the_verifier_sees_the_cards_of_a_game_as_the_machines_saw_them(
    seats: int, game: str, options: dict[str, str], bots: tuple[int, ...], tmp_path: Path
) -> None:
    room = Room(seats, options, seed=5, game=game, terms=Terms(bots))
    room.run(until=lambda each: each.height > 60)
    played = game_of(room)
    found = check_same_cards(file_of(played, chained(played)), tmp_path)
    table, missing = room.replicas[0].play.table, found.missing
    assert missing and [-1 if c.face is None else c.face for c in found.cards.cards] == table.face


def test_the_verifier_reads_a_whole_game_to_the_hands_that_were_opened(
    beads: Game, tmp_path: Path
) -> None:
    content = file_of(beads, chained(beads))
    found = check_same_cards(content, tmp_path)
    assert found.result and not found.missing and found.opened_keys.keys() == {0, 1}
    assert found.hands() and set(found.hands().values()) <= {0, 1, 2}
    assert found.lines()[-1].startswith(f"all {found.reading.proofs} proofs hold; the result is")


async def test_the_verifier_reads_what_real_nodes_keep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    party = people(tmp_path, 2, seed=4)
    await play_a_while(party, 40)
    for person in party:
        assert main(str(person.path)) == 0
        assert "proofs hold; not over" in capsys.readouterr().out.splitlines()[-1]
        content = person.path.read_bytes()
        at = content.index(b"\x64acks") + 20
        person.path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert main(str(person.path)) == 1
        (line,) = capsys.readouterr().out.splitlines()
        assert "a false `ack` of seat" in line


def test_nothing_of_the_verifier_but_its_rulebook_imports_the_program() -> None:
    folder = Path(verifier.__file__).parent
    importing = set[str]()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if any(name.split(".")[0] in ("core", "p2p", "ai", "ui") for name in names):
                importing.add(path.stem)
    assert importing == {"rulebook"}


# ---- tampering ----


def bodily(kind: str, change: Callable[[Any], Any], number: int = 0) -> Forgery:
    """Another body of the n-th entry of a kind."""

    def apply(fields: Fields) -> None:
        fields[BODY] = change(fields[BODY])

    return lambda game: forged(game, game.where(kind, number), apply)


def placed(kind: str, field: int, value: object, number: int = 0) -> Forgery:
    """Another field of the n-th entry of a kind."""

    def apply(fields: Fields) -> None:
        fields[field] = value

    return lambda game: forged(game, game.where(kind, number), apply)


def rearranged(change: Callable[[list[Fields]], list[Fields]]) -> Forgery:
    """Entries in another order, or fewer."""
    return lambda game: file_of(game, chained(game._replace(entries=change([*game.entries]))))


def by_raw(change: Callable[[list[bytes]], list[bytes]]) -> Forgery:
    """Bytes of entries changed, with nothing signed anew."""
    return lambda game: file_of(game, change(chained(game)))


def with_roster(place: int, value: object) -> Forgery:
    """Another roster above the same entries."""

    def forge(game: Game) -> bytes:
        roster = [*game.roster[:place], value, *game.roster[place + 1 :]]
        return file_of(game._replace(roster=roster), chained(game))

    return forge


def flip(content: bytes, at: int = 40) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def swap(content: bytes, size: int) -> bytes:
    return content[size : 2 * size] + content[:size] + content[2 * size :]


def one_card(body: Any) -> Any:
    """The first card of a mix in the place of all."""
    ((cards, proof),) = body
    return [[cards[:64] * (len(cards) // 64), proof]]


def lifted(content: bytes) -> bytes:
    """The first scalar plus the order of the group: the same number, in other bytes."""
    number = int.from_bytes(content[:32], "little") + L
    return number.to_bytes(32, "little") + content[32:]


def with_high_s(raws: list[bytes]) -> list[bytes]:
    """The signature of the last entry with its scalar plus the order: another that fits."""
    payload, signature = decode(raws[-1])
    return [*raws[:-1], encode([payload, signature[:32] + lifted(signature[32:])])]


def forked(game: Game) -> bytes:
    """A second entry of seat 1 for a head, shown as evidence."""
    raws = chained(game)
    fields = decode(decode(raws[3])[0])
    fields[BODY] = bytes(32)
    return file_of(game, raws, [["evidence", 0, "words", [raws[3], signed(game, fields)]]])


def cut_behind(kind: str, change: Callable[[Any], Any]) -> Forgery:
    """What one seat alone can do: its last entry, signed by itself, and nothing behind it."""

    def forge(game: Game) -> bytes:
        at = game.where(kind)
        raws = chained(game)[: at + 1]
        fields = decode(decode(raws[at])[0])
        fields[BODY] = change(fields[BODY])
        return file_of(game, [*raws[:at], signed(game, fields)])

    return forge


TAMPERED: Final[dict[str, tuple[Forgery, int | None]]] = {
    "a flipped signature": (by_raw(lambda raws: [flip(raws[0], -1), *raws[1:]]), NOBODY),
    "an entry left out": (by_raw(lambda raws: raws[:9] + raws[10:]), NOBODY),
    "an entry twice": (by_raw(lambda raws: [*raws[:9], *raws[8:]]), NOBODY),
    "two entries of a step swapped": (rearranged(lambda e: [e[1], e[0], *e[2:]]), NOBODY),
    "a signature with another scalar": (by_raw(with_high_s), NOBODY),
    "a step left out": (rearranged(lambda e: [x for x in e if x[KIND] != "roll"]), NOBODY),
    "another name of the table": (with_roster(4, "another"), NOBODY),
    "hands that need not be opened": (with_roster(6, False), NOBODY),
    "a digest of another state": (placed("share", DIGEST, bytes(48)), 1),
    "another kind": (placed("roll", KIND, "lot"), 0),
    "another height": (placed("open keys", HEIGHT, 7), NOBODY),
    "a seat epoch that has not begun": (placed("mix", EPOCH, 1), NOBODY),
    "an entry of another seat": (placed("mix", SEAT, 1), NOBODY),
    "two entries of one seat in a step": (placed("roll", SEAT, 0, 1), 0),
    "a key that was not sealed": (bodily("key seal", lambda b: flip(b, 0)), 0),
    "no proof that the key is known": (bodily("key", lambda b: [b[0], swap(b[1], 32), b[2]]), 0),
    "a changed scalar of a shuffle": (bodily("prove", lambda b: [flip(b[0], -64), *b[1:]]), 0),
    "a changed point of a shuffle": (bodily("prove", lambda b: [swap(b[0], 32), *b[1:]]), 0),
    "cards put in order after a shuffle": (bodily("shuffle", lambda b: [swap(b[0], 64)], 2), 0),
    "one card many times in a mix": (bodily("mix", one_card), 0),
    "another card's share": (bodily("share", lambda b: [swap(b[0], 32), b[1]]), 1),
    "a scalar that is too large": (bodily("share", lambda b: [b[0], lifted(b[1])]), 1),
    "a share that is no point": (bodily("share", lambda b: [b"\xff" * 32 + b[0][32:], b[1]]), 1),
    "a draw that was chosen": (bodily("roll", lambda b: swap(b, 32)), 0),
    "a sealed choice that changes": (bodily("unseal", lambda b: [[*b[0][:2], 1 << 9], b[1]]), 0),
    "a card handed on as another": (bodily("pass", lambda b: [flip(b[0], 0), b[1]]), 1),
    "a false claim": (bodily("choose", lambda b: [b[0], flip(b[1], 33)]), 0),
    "another result": (bodily("finish", lambda b: [b[0][::-1], [7]]), 0),
    "another key at the end": (bodily("open keys", lambda b: flip(b, 0)), 0),
    "two entries for one head": (forked, 1),
    "a false mix at the end of the file": (cut_behind("mix", one_card), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_what_was_tampered_with_is_refused_by_both(name: str, beads: Game, tmp_path: Path) -> None:
    forge, blamed = TAMPERED[name]
    content = forge(beads)
    assert verified(content) == (True, blamed)
    assert audited(content, tmp_path) == (True, blamed)


# ---- going back, and keys in parts ----


@pytest.fixture(scope="module")
def gone_back() -> Game:
    """A game that went back to an earlier choice, as both agreed."""
    room = Room(2, seed=6, game="beads")
    room.run(lambda each: len(each.play.events) == 9 and is_choosing(each))
    go_back(room, 7)
    room.run()
    return game_of(room)


@pytest.mark.parametrize("signatures", [[], [None, bytes(64)], None])
def test_the_verifier_goes_back_where_all_have_signed_that(
    signatures: list[object] | None, gone_back: Game, tmp_path: Path
) -> None:
    (at,) = [n for n, each in enumerate(gone_back.entries) if each[BODY][:1] == ["take back"]]

    def apply(fields: Fields) -> None:
        fields[BODY] = [*fields[BODY][:2], fields[BODY][2] if signatures is None else signatures]

    content = forged(gone_back, at, apply)
    expected = (False, NOBODY) if signatures is None else (True, gone_back.entries[at][SEAT])
    assert verified(content) == expected
    assert audited(content, tmp_path) == expected


@pytest.fixture(scope="module")
def in_escrow() -> Game:
    """A game of three whose keys have just been put in escrow."""
    terms = Terms(replacement=Replacement(BOT_TERMS, 60, is_escrowed=True))
    room = Room(3, seed=2, game="beads", terms=terms)
    room.run(until=lambda each: each.height >= 12)
    return game_of(room)


@pytest.mark.parametrize("at", [None, 31, 64, 100, 64 + 32 + 16 * 192, -1, -64])
def test_a_key_in_false_parts_is_refused_by_both(
    at: int | None, in_escrow: Game, tmp_path: Path
) -> None:
    """A summand, the challenge, a seed, what was hidden in a round, and what opens it."""
    change = bodily("escrow", lambda body: body if at is None else flip(body, at), 1)
    expected = (False, NOBODY) if at is None else (True, 1)
    assert verified(change(in_escrow)) == expected
    assert audited(change(in_escrow), tmp_path) == expected


def test_a_game_that_went_back_ends_as_its_seats_have_signed(gone_back: Game) -> None:
    found = audit(file_of(gone_back, chained(gone_back)))
    assert found.result == gone_back.entries[gone_back.where("finish")][BODY] and not found.missing


# ---- all seats together ----


def with_key(game: Game, seat: int, secret: int) -> None:
    """Let a seat seal and show the key of this secret."""
    records = frames(file_of(game, chained(game)))
    start = Audit(records, Rulebook("beads", 2, {})).reading
    public, salt = base(secret), bytes(32)
    said = Transcript("possession/1", start.ctx(seat, "possession", 0))
    said.absorb("public", public)
    said.absorb("commitment", base(7))
    c = said.challenge("challenge")
    proof = little(c, 32) + little((7 + c * secret) % L, 32)
    game.entries[seat][BODY] = start.commitment(seat, start.ctx(0, "key", 0), salt, public)
    game.entries[2 + seat][BODY] = [public, proof, salt]


def test_keys_that_add_up_to_nothing_are_held_against_the_last_seat(
    beads: Game, tmp_path: Path
) -> None:
    game = beads._replace(entries=[list(fields) for fields in beads.entries[:4]])
    with_key(game, 0, 5)
    with_key(game, 1, L - 6)
    assert verified(file_of(game, chained(game))) == (False, NOBODY)
    with_key(game, 1, L - 5)
    content = file_of(game, chained(game))
    assert verified(content) == (True, 1)
    assert audited(content, tmp_path) == (True, 1)
    with pytest.raises(PeerError) as caught:
        heard(read_game(tmp_path / "game.hostless"))
    assert caught.value.seat == 1
