"""Cheaters at a real table: one machine runs a changed copy of the program, and everybody notices.

    sudo lab.py lan_cheaters            every cheat below
    sudo lab.py lan_cheaters stack fork

Four network namespaces, three honest programs and one with a few lines changed; keys are in escrow.
A cheat is caught when all honest ones name the cheater, play on to the end with a bot in its seat,
and keep one log, of which `audit` finds the cheater guilty and nobody else.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

from p2p.log.shared import log_in
from scripts import environment
from scripts.lab.lan import Failed, Party, Trouble, Typist, audit, newest_game, workplace
from scripts.lab.namespaces import Machine, lan

MACHINES: Final = 4
PLAYED_S_MAX: Final = 300.0  # To the end of the game.
CHEATER: Final = "Player 2"
NAMED: Final = f"{CHEATER} misbehaved"  # What people are told.
PACKAGES: Final = ("core", "p2p", "ai", "ui")
# Runs a copy of the program: the copy comes before the clone that the environment knows.
START: Final = "import sys; sys.path.insert(0, {tree!r}); from ui.__main__ import main; {after}"

Change: TypeAlias = tuple[str, str, str]  # A file, a line in it, what stands there instead.

# A cheat sends first and thinks later: the program would stop at its own broken rule.
_WRITE: Final = "return await self.membership.write(entry.raw)"
_AT_ONCE: Final[Change] = (
    "p2p/session/session.py",
    _WRITE,
    f"await self.table.broadcast(['entry', entry.raw])\n        {_WRITE}",
)
_SHARES: Final = "return [points_to_bytes(shares), proof]"
_LEGAL: Final = "chosen = self._legal(action)"

_FORK: Final[tuple[Change, ...]] = (
    (
        "p2p/session/session.py",
        _WRITE,
        (
            "others = [offer.action for offer in replica.view().offers]\n"
            "        is_first = 'fork' not in vars(self.membership)\n"
            "        if action in others and len(others) > 1 and is_first:\n"
            "            others.remove(action)\n"
            "            self.membership.fork = (entry.raw, replica.write(others[0]).raw)\n"
            f"        {_WRITE}"
        ),
    ),
    (
        "p2p/session/membership.py",
        (
            "for message in [*outbox, *map(message_of, acks)]:\n"
            "            await self._table.broadcast(message)"
        ),
        (
            "one, two = vars(self).get('fork', (b'', b''))\n"
            "        for message in [*outbox, *map(message_of, acks)]:\n"
            "            for seat in list(self._table.links):\n"
            "                is_twin = message == ['entry', one] and seat == 0\n"
            "                said = ['entry', two] if is_twin else message\n"
            "                await self._table.send(seat, said)"
        ),
    ),
)

CHEATS: Final[dict[str, tuple[Change, ...]]] = {
    "stack": (
        (
            "p2p/game/shuffling.py",
            "body.append(cards_to_bytes(own.outputs) + hint)",
            "body.append(cards_to_bytes([own.outputs[1], *own.outputs[1:]]) + hint)",
        ),
    ),
    "face": (
        (
            "p2p/game/dealing.py",
            _SHARES,
            (
                "if kind == 'open':\n"
                "                true = self.observation[self.masked.index(mine[0])]\n"
                "                shares = [mine[0].b - self.points[true - 1], *shares[1:]]\n"
                f"            {_SHARES}"
            ),
        ),
    ),
    "replay": (
        (
            "p2p/game/dealing.py",
            _SHARES,
            (
                "made = [points_to_bytes(shares), proof]\n"
                "            old = vars(self).setdefault('old', {})\n"
                "            return old.setdefault((kind, len(mine)), made)"
            ),
        ),
    ),
    "card": (
        _AT_ONCE,
        (
            "p2p/game/script.py",
            _LEGAL,
            (
                "zone = f'seat{(self._writer + 1) % len(self.seats)}.hand'\n"
                "            hand = self.table.zones[self.table.layout.zone_index[zone]]\n"
                "            chosen = Action('play', (hand[0],))"
            ),
        ),
    ),
    "claim": (
        _AT_ONCE,
        ("p2p/game/script.py", _LEGAL, "chosen = Action('skip')"),
        (
            "p2p/game/script.py",
            "proof = self._dealing.prove_claim(claim.cards, claim.faces)",
            "proof = bytes(64)",
        ),
    ),
    "fork": _FORK,
}


def changed_copy(cheat: str, folder: Path) -> list[str]:
    """The command that runs a copy of the program in `folder` with this cheat in it."""
    for name in PACKAGES:
        shutil.copytree(environment.ROOT / name, folder / name)
    shutil.copy(environment.ROOT / "pyproject.toml", folder)
    for name, line, instead in CHEATS[cheat]:
        source = (folder / name).read_text("utf-8")
        if source.count(line) != 1:
            raise Failed(f"{name} holds {line!r} {source.count(line)} times, not once")
        (folder / name).write_text(source.replace(line, instead), "utf-8")
    start = START.format(tree=str(folder), after="sys.exit(main())")
    return [str(environment.PYTHON), "-P", "-c", start]


def play_against(machines: Sequence[Machine], homes: Path, cheat: str, luck: random.Random) -> None:
    """One game of honest machines against this cheat.

    Raises:
        Failed: somebody did not notice, or accused the wrong seat, or did not play on.
    """
    program = changed_copy(cheat, homes / "changed")
    party = Party(machines, homes)
    began = time.monotonic()
    try:
        terms = ["--seats", str(len(machines)), "--escrow", "--iterations", "20"]
        party.sit("open", "carta", *terms, "--plain")
        party.sit("bot", "--pace", "0", "--iterations", "200", program=program)
        for _ in machines[2:]:
            party.sit("join", "--plain")
        party.play_to_end(Typist(luck), Trouble(), PLAYED_S_MAX)
        took_s, honest = time.monotonic() - began, [peer for peer in party.peers if peer.is_honest]
        reasons = [guilt(peer.home, peer.said) for peer in honest]
        more = compare_logs([newest_game(peer.home) for peer in honest])
        print(f"{cheat}: named by {len(reasons)} of {len(reasons)} after {took_s:.1f} s; "
              f"audit: {' | '.join(sorted(set(reasons)))}{more}", flush=True)  # fmt: skip
    except Failed as failure:
        raise Failed(f"{cheat}: {failure}\n{party.last_words()}") from failure
    finally:
        party.end()


def guilt(home: Path, said: str) -> str:
    """What the audit of this home's file says of the cheater.

    Raises:
        Failed: it does not name the cheater, or names somebody else too, or no bot has played on.
    """
    if NAMED not in said:
        raise Failed(f"{home.name} was not told who cheated")
    report = audit(newest_game(home))
    seats = report.get("seats", [])
    assert isinstance(seats, list), "a report lists its seats"
    guilty = {seat["name"]: f"{seat['reason']} (entry {seat['entry']})"
              for seat in seats if not seat["honest"]}  # fmt: skip
    if set(guilty) != {CHEATER} or report["exit"] != 1:
        raise Failed(f"the audit in {home.name} accuses {guilty or 'nobody'}: {report}")
    replaced = [seat["name"] for seat in seats if seat["replaced"] is not None]
    if not report["finished"] or replaced != [CHEATER]:
        raise Failed(f"the table of {home.name} has not gone on as it should: {report}")
    return guilty[CHEATER]


def compare_logs(paths: Sequence[Path]) -> str:
    """That all files hold one log; evidence everybody writes when it is found.

    Raises:
        Failed: they are not.
    """
    logs = [log_in(path) for path in paths]
    if any(log != logs[0] for log in logs):
        raise Failed(f"logs differ: {[len(log) - 1 for log in logs]} entries")
    return f"; {len(paths)} logs alike, {len(logs[0]) - 1} entries to the end"


def main(arguments: list[str]) -> int:
    """Play against each cheat; 0 when every one was caught."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cheats", nargs="*", default=list(CHEATS), help=", ".join(CHEATS))
    chosen = parser.parse_args(arguments).cheats
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    failures = 0
    for cheat in chosen:
        with lan(MACHINES) as machines, workplace() as homes:
            try:
                play_against(machines, homes, cheat, random.Random(0))
            except Failed as failure:
                print(f"FAILED: {failure}", flush=True)
                failures += 1
    return 1 if failures else 0
