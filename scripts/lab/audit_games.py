"""Does an audit name everybody who cheated, and nobody else?  Whole small games, honest and not.

    lab.py audit_games                 200 games
    lab.py audit_games --games 1000 --seed 7

Each game has two to four seats, real keys, shuffles, proofs and signatures, and every kind of entry
there is.  In half of them somebody does one thing wrong at a random place:

    bent        signs an entry with another body, in one place of it
    misplaced   signs one with another digest, kind or parent
    twice       signs two entries that answer one log
    disobedient plays by its hidden cards what these do not allow, and the game goes on to its end
    keeper      is the one who keeps the file, and changes that
    slander     is the keeper, too, and notes honest entries as evidence against an honest seat

The file is what an honest seat has when the others have named the cheater, or the game is over.
An audit is right if it convicts the cheater, at the entry, and nobody else; if it blames the file
and nobody for what its keeper did; and if it finds nothing wrong with honest games.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

from core.games import GAMES
from p2p.audit.audit import Report, audit_file
from p2p.base.errors import PeerError
from p2p.base.wire import encode
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.log.test_every_entry import (
    COMMITMENTS,
    bent,
    body_of,
    entry_with,
    has_same_shape,
    room_before,
)
from tests.p2p.room import Room, Terms

KINDS: Final = (
    *("key seal", "key", "shuffle", "prove", "share", "mix", "roll", "seal"),
    *("unseal", "choose", "pass", "open", "return", "lot", "finish", "open keys"),
)
WRITER: Final = {"mix": 0, "open": 0, "pass": 1, "return": 1, "open keys": 1}
WRONG_PLACES: Final[tuple[dict[str, object], ...]] = (
    {"digest": bytes([1]) * 48},
    {"kind": "nothing"},
)


@dataclass
class Trial:
    """One game: who cheated, if anybody, and what its file holds."""

    room: Room
    rng: random.Random
    cheat: int | None = None
    place: int | None = None  # Of the wrong entry in the log, where it is in the log.
    evidence: tuple[int, list[bytes]] | None = None  # Against whom, and which entries.
    is_damaged: bool = False

    def honest(self) -> Replica:
        """The seat whose file is audited."""
        seats = [each for each in self.room.replicas if each.me != self.cheat]
        return self.rng.choice(seats)


def new_trial(seed: int) -> Trial:
    """A table that nobody has played at yet; seat 1 is a bot."""
    rng = random.Random(seed)
    terms = Terms((1,), opens_hands=rng.random() < 0.5)
    return Trial(Room(rng.randint(2, 4), seed=seed, game="beads", terms=terms), rng)


def place_of(trial: Trial) -> int:
    """Play until a seat is about to write a random kind of entry; gives the seat."""
    kind = trial.rng.choice(KINDS)
    seat = WRITER.get(kind, 0)
    room_before(kind, seat, trial.room)
    return seat


def honestly(trial: Trial) -> None:
    """Everybody keeps to the rules."""
    trial.room.run()


def bend(trial: Trial) -> None:
    """Another body."""
    seat = place_of(trial)
    replica, body = trial.room.replicas[seat], body_of(trial.room, seat)
    assert replica.step is not None
    kind, others = replica.step.kind, list(bent(body))
    trial.rng.shuffle(others)
    for each in others:
        may_pass = (kind in COMMITMENTS and has_same_shape(each)) or kind == "shuffle"
        if encode(each) != encode(body) and not (may_pass and same_length(each, body)):
            told(trial, seat, entry_with(replica, each))
            return
    raise AssertionError("every body can be bent")


def same_length(one: object, other: object) -> bool:
    """Whether a bent commitment or deck may be taken for one, until it is opened or proven."""
    return isinstance(one, bytes | list) and len(encode(one)) == len(encode(other))


def misplace(trial: Trial) -> None:
    """Another place."""
    seat = place_of(trial)
    other = trial.rng.choice(WRONG_PLACES)
    body = body_of(trial.room, seat)
    told(trial, seat, entry_with(trial.room.replicas[seat], body, **other))


def sign_twice(trial: Trial) -> None:
    """Two entries that answer one log, one of them honest."""
    seat = place_of(trial)
    replica, honest = trial.room.replicas[seat], trial.room.write(trial.room.replicas[seat])
    trial.room.tell_all(honest)
    told(trial, seat, entry_with(replica, b"another"))


def told(trial: Trial, seat: int, raw: bytes) -> None:
    """Let the honest seats hear an entry and all that are due beside it; they name the seat."""
    room = trial.room
    due = [room.write(each) for each in room.replicas if each.me != seat and each.may_write()]
    trial.cheat, trial.place = seat, None  # What does not hold never enters the log.
    for replica in room.replicas:
        if replica.me != seat:
            error = heard(room, replica, [raw, *due])
            assert error.seat == seat, f"seat {replica.me} names another: {error}"
            trial.evidence = seat, error.evidence


def heard(room: Room, replica: Replica, raws: list[bytes]) -> PeerError:
    """What an honest seat says to some entries."""
    try:
        for raw in raws:
            replica.receive(raw)
        while replica.advance() or replica.obligations:
            room.verify(replica)
    except PeerError as error:
        return error
    raise AssertionError(f"seat {replica.me} has noticed nothing")


def disobey(trial: Trial) -> None:
    """Call a hidden bead by the face before its own: the claim allows it, the rules do not."""
    room = trial.room = Room(2, seed=trial.rng.randrange(1 << 30), game="beads",
                             terms=Terms(opens_hands=True))  # fmt: skip
    room_before("choose", 0, room)
    liar = room.replicas[0]
    honest = liar.view().offers[0].action
    forged = honest._replace(number=(honest.number - 1) % 3)
    trial.cheat, trial.place = 0, len(liar.log)
    with patch.object(liar.play, "_legal", lambda _: forged):
        room.tell_all(room.write(liar))
    room.run()


def keep_badly(trial: Trial) -> None:
    """An honest game, and a file that was changed."""
    trial.room.run()
    trial.is_damaged = True


def slander(trial: Trial) -> None:
    """An honest game, and words against somebody in it."""
    trial.room.run()
    log = trial.room.replicas[0].log
    raws = [entry.raw for entry in trial.rng.sample(log, 2)]
    trial.evidence = trial.rng.randrange(len(trial.room.replicas)), raws


DEEDS: Final[dict[str, Callable[[Trial], None]]] = {
    "honest": honestly, "bent": bend, "misplaced": misplace, "twice": sign_twice,
    "disobedient": disobey, "keeper": keep_badly, "slander": slander,
}  # fmt: skip


# ---- files and verdicts ----


def file_of(trial: Trial, folder: Path) -> Path:
    """What an honest seat has on its disk."""
    log = [entry.raw for entry in trial.honest().log]
    if trial.is_damaged:
        log = changed(log, trial.rng)
    game_file = GameFile.create(folder / "game.hostless", trial.room.roster)
    for raw in log:
        game_file.append(raw)
    if trial.evidence is not None:
        seat, raws = trial.evidence
        game_file.keep_evidence(seat, "what a program said", raws)
    game_file.close()
    return game_file.path


def changed(log: list[bytes], rng: random.Random) -> list[bytes]:
    """Entries in another order, one left out, one twice, or one with another byte in it."""
    at = rng.randrange(len(log) - 1)
    raw, byte = log[at], rng.randrange(len(log[at]))
    flipped = raw[:byte] + bytes([raw[byte] ^ 1 << rng.randrange(8)]) + raw[byte + 1 :]
    return rng.choice([
        [*log[:at], log[at + 1], raw, *log[at + 2 :]],
        [*log[:at], *log[at + 1 :]],
        [*log[: at + 1], *log[at:]],
        [*log[:at], flipped, *log[at + 1 :]],
    ])  # fmt: skip


def fault_of(trial: Trial, report: Report) -> str:
    """What is wrong with a verdict; empty if it is right."""
    named = [verdict.seat for verdict in report.verdicts if not verdict.is_honest]
    if named != ([] if trial.cheat is None else [trial.cheat]):
        return f"seat {trial.cheat} cheated, and {named} were named"
    if trial.cheat is not None and report.verdicts[trial.cheat].log_index != trial.place:
        return f"entry {trial.place} is wrong, not {report.verdicts[trial.cheat].log_index}"
    if bool(report.damage) != trial.is_damaged or (
        trial.is_damaged and "byte" not in report.damage
    ):
        return f"of the file it is said: {report.damage!r}"
    is_whole = trial.cheat is None and not trial.is_damaged
    if is_whole and not (report.holds and report.is_finished and not report.ending):
        return "an honest game does not hold"
    return ""


def played(deed: str, seed: int) -> tuple[str, float, float]:
    """One game and its audit: what is wrong with the verdict, and seconds for each (CPU)."""
    trial, started = new_trial(seed), time.process_time()
    DEEDS[deed](trial)
    done = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        report = audit_file(file_of(trial, Path(folder)))
    return fault_of(trial, report), done - started, time.process_time() - done


def main(arguments: list[str]) -> int:
    """Play, audit, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    GAMES["beads"] = BEADS
    deeds, counts, wrong = list(DEEDS), Counter[str](), Counter[str]()
    playing = auditing = 0.0
    for number in range(asked.games):
        at = number // 2 % (len(deeds) - 1) + 1
        deed = "honest" if number % 2 else deeds[at]
        fault, play_s, audit_s = played(deed, asked.seed + number)
        counts[deed] += 1
        if fault:
            wrong[deed] += 1
            print(f"   {deed}, seed {asked.seed + number}: {fault}", flush=True)
        if deed == "honest":
            playing, auditing = playing + play_s, auditing + audit_s
    for deed in deeds:
        print(f"{deed}: {counts[deed] - wrong[deed]} of {counts[deed]} audits right")
    print(f"audits of honest games took {auditing / playing:.2f} of the CPU time of playing them")
    return 1 if wrong else 0
