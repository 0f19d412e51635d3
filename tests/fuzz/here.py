"""What is read on this machine: files, lines that are typed, and lines of other programs."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ai.players.foreign_lines import chosen, hint_level
from core.errors import HostlessError
from core.games import GAMES
from core.known_table import Json
from core.referee import Referee
from p2p.audit.audit import audit_file
from p2p.base.identity import Identity, Profile, _pem
from p2p.base.wire import encode, frame
from p2p.log.files import GameFileError
from p2p.log.secrets_file import OLD_SECRET_MAGIC, SecretsFile
from p2p.net.announcements import parse_address
from p2p.session.pairing import Acquaintances
from tests.fuzz.target import Target, refusing
from tests.fuzz.worlds import file_of_a_game, finished, identity
from ui.language.text import load
from ui.plain.presenter import PlainPresenter
from ui.settings import _FILE_NAME, Settings, load_settings

OFFERS: Final = [
    {"verb": "play", "cards": [3], "number": 0, "text": "play military"},
    {"verb": "end", "cards": [], "number": 0, "text": "end"},
]


# ---- files ----


def game_file() -> Target:
    """A game file, audited: whatever stands there, no seat is blamed for what it did not sign."""
    path = _folder() / "game.hostless"

    def read(said: bytes) -> None:
        path.write_bytes(said)
        report = audit_file(path)
        assert all(verdict.is_honest for verdict in report.verdicts), report

    return Target(refusing(read, GameFileError), [file_of_a_game()], "game")


def secret_file() -> Target:
    """The secrets file of a game, by which a game goes on."""
    path = _folder() / "game.secret"

    def read(said: bytes) -> None:
        path.write_bytes(said)
        secrets = SecretsFile.reopen(path)
        secrets.close()
        for _, port in secrets.addresses:
            assert 0 < port < 1 << 16, "there is a socket of this number"

    raw = finished().replicas[0].log[0].raw
    records = [["seed", bytes(32)], ["addresses", [["", 4000], ["10.77.0.2", 4001]]]]
    records += [["hidden", 3, [b"salt", 7]], ["entry", raw], ["word", bytes(32), 1, 0, True]]
    records += [["at", 1, 7, [["10.77.0.9", 4000]], bytes(64)]]
    sample = OLD_SECRET_MAGIC + b"".join(frame(encode(record)) for record in records)
    return Target(refusing(read, GameFileError), [sample], "bytes")


def key_file() -> Target:
    """The file with an identity."""
    home = _folder()
    Identity.load(home)
    (path,) = [each for each in home.iterdir() if each.is_file()]

    def read(said: bytes) -> None:
        path.write_bytes(said)
        Identity.load(home)

    return Target(refusing(read, HostlessError), [_pem(identity(7).key)], "bytes")


def profile() -> Target:
    """The file with a person's name and language."""

    def read(said: bytes) -> None:
        Profile._parse(Path("profile.json"), said)

    sample = json.dumps({"name": "Ada", "language": "en"}).encode()
    return Target(refusing(read, HostlessError), [sample], "json")


def settings() -> Target:
    """The file with what a person chose about the screen; no such file stops the program."""
    home, standard = _folder(), Settings()

    def read(said: bytes) -> bool:
        (home / _FILE_NAME).write_bytes(said)
        return load_settings(home, standard) != standard

    sample = json.dumps({"language": "de", "theme": "nord", "is_ascii": True, "has_bell": True})
    return Target(read, [sample.encode()], "json")


def known_file() -> Target:
    """The file with the identities that somebody has met."""
    home, stranger = _folder(), bytes(32)

    def read(said: bytes) -> bool:
        (home / "known").write_bytes(said)
        return not Acquaintances(home).strangers([stranger])

    return Target(read, [b"00" * 32 + b"\n" + b"ab" * 32 + b"\n"], "bytes")


def _folder() -> Path:
    """A folder for one file that is written again and again; in memory, where there is such."""
    memory = Path("/dev/shm")
    folder = tempfile.mkdtemp(dir=memory if memory.is_dir() else None, prefix="hostless-fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


# ---- lines ----


def address() -> Target:
    """Where somebody types that a table is."""

    def read(said: bytes) -> None:
        host, port = parse_address(said.decode(errors="replace"))
        assert host and 0 < port < 1 << 16

    samples = [b"192.168.1.7:4000", b"[fe80::1]:4000", b"table.local:80"]
    return Target(refusing(read, HostlessError), samples, "bytes")


def typed() -> Target:
    """Lines that a person types before a game has begun."""
    words = load("en")

    def read(said: bytes) -> bool:
        presenter, known = PlainPresenter(words), False
        for line in said.decode(errors="replace").split("\n"):
            known = presenter.read(line).command is not None or known
        return known

    lines = b"play carta\nopen carta 3 bots=1\njoin 10.0.0.1:4000\nwatch x\nhint\nrules\nlog\n1 2"
    return Target(read, [lines], "bytes")


def referee() -> Target:
    """Lines to the referee."""

    def read(said: bytes) -> bool:
        judge, oks = Referee(), True
        for line in said.split(b"\n"):
            answer = json.loads(judge.answer(line))
            oks = oks and answer["ok"]
        return oks

    samples = [_script(*lines) for lines in _SCRIPTS]
    samples += [
        _script(*_played(game, seats)) for game in GAMES if game != "beads" for seats in (2, 3)
    ]
    return Target(read, samples, "json")


_NEW: Final = {"do": "new", "game": "carta", "seats": 2, "seed": "7"}
_FIX: Final = {"do": "new", "game": "carta", "seats": 2, "fix": [{"roll": 1}, {"shuffle": [None]}]}
_ACT: Final = {"verb": "end", "cards": [1], "number": 0}
_SCRIPTS: Final[tuple[tuple[object, ...], ...]] = (
    (_NEW, {"do": "legal", "seat": 0}, {"do": "act", "seat": 0, "text": "draw"}),
    (_NEW, {"do": "view", "seat": None}, {"do": "act", "seat": 0, "action": _ACT}, {"do": "undo"}),
    (
        {**_NEW, "options": {"draft": True}},
        {"do": "view", "seat": "all"},
        {"do": "hint", "seat": 0},
    ),
    ({"do": "new", "game": "dominion", "seats": 2}, {"do": "legal", "seat": 0}),
    (_FIX, {"do": "games"}),
)


def _played(game: str, seats: int) -> Iterator[object]:
    """The lines of a game that begins, in which the first thing is done that may be done."""
    judge = Referee()

    def ask(line: object) -> Json:
        answer: Json = json.loads(judge.answer(json.dumps(line)))
        return answer

    yield (first := {"do": "new", "game": game, "seats": seats, "seed": "7"})
    ask(first)
    for turn in range(6):
        for seat in range(seats):
            for action in ask({"do": "legal", "seat": seat})["actions"][:1]:
                said = {"text": action["text"]} if turn % 2 else {"action": action}
                yield (act := {"do": "act", "seat": seat, **said})
                ask(act)


def _script(*lines: object) -> bytes:
    return b"\n".join(json.dumps(line).encode() for line in lines)


def foreign_bot() -> Target:
    """What a foreign program answers to a choice."""

    def read(said: bytes) -> None:
        if hint_level(said) is None:
            chosen(OFFERS, said)

    answers: list[dict[str, object]] = [{"text": "end"}, {"action": OFFERS[0]}, {"hint": "gentle"}]
    samples = [json.dumps(answer).encode() for answer in answers]
    return Target(refusing(read, HostlessError), samples, "json")
