#!/usr/bin/env python3
"""How long a shuffle by four seats takes on this machine: `bench_shuffles.py [--cards N ...]`.

Four peers are four processes, linked over loopback as on a LAN.  Seat 0 presses one key after
another; every other key has a pile shuffled by all and its top card turned up, which no seat lets
happen before every proof holds.  A key counts from its press until the last of the four shows what
came of it; a shuffle is what its key takes longer than the median of the keys without one.  The
processor's time of all four seats is told as well, because other work makes clocks slow.

With --proofs no table is made: what one seat does for a shuffle, in processor time, part by part.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
SEATS: Final = 4
ROUNDS: Final = 30
CARDS: Final = (10, 20, 25, 52)
FACES: Final = 13
PAUSE_S: Final = 0.15  # A person thinks longer.
DECK, BOARD, PHASE = 0, 1, 0


def main() -> int:
    """Measure every size, or be one of the peers."""
    parser = argparse.ArgumentParser(description="Shuffles by four seats over loopback.")
    parser.add_argument("--cards", type=int, nargs="*", default=CARDS, metavar="N")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N")
    parser.add_argument("--root", default=str(ROOT), metavar="DIR", help="another clone to measure")
    parser.add_argument("--proofs", action="store_true", help="only the work of one seat")
    parser.add_argument("--peer", nargs="*", help=argparse.SUPPRESS)
    args = parser.parse_args()
    sys.path.insert(0, args.root)
    if args.peer:
        be_peer(Path(args.peer[0]), args.peer[1:], args.cards[0], args.rounds)
        return 0
    for cards in args.cards:
        if args.proofs:
            tell_parts(cards, args.rounds)
            continue
        command = [sys.executable, str(Path(__file__).resolve()), "--cards", str(cards)]
        command += ["--rounds", str(args.rounds), "--root", args.root, "--peer"]
        _tell(cards, measure(command), args.rounds)
    return 0


def tell_parts(cards: int, rounds: int) -> None:
    """Print what the parts of a shuffle by four seats cost one of them."""
    from p2p.cards.ahead import provide
    from p2p.cards.group import hash_to_point
    from p2p.cards.keys import make_key
    from p2p.cards.masking import open_form
    from p2p.cards.shuffle_proof import ProvenShuffle, prove_shuffle, shuffle, verify_shuffles

    secret, key = make_key()
    deck = [open_form(hash_to_point("bench", bytes([n % FACES])), key) for n in range(cards)]
    deck = shuffle(key, deck)[0]  # No card is face up.
    first, chain = deck, list[ProvenShuffle]()
    for _ in range(SEATS):
        outputs, witness = shuffle(key, deck)
        proof = prove_shuffle(key, deck, outputs, witness, b"bench")
        chain.append(ProvenShuffle(key, deck, outputs, proof, b"bench"))
        deck = outputs

    def shuffle_and_prove(ahead: Any = None) -> None:
        outputs, witness = shuffle(key, first, ahead=ahead)
        prove_shuffle(key, first, outputs, witness, b"bench")

    others = chain[:1] + chain[2:]  # Seat 1 looks at those of seats 0, 2 and 3.
    ahead = provide(secret, key, cards)
    parts = {
        "shuffle and prove": shuffle_and_prove,
        "the same with numbers made ahead": partial(shuffle_and_prove, ahead),
        "make them": partial(provide, secret, key, cards),
        "verify three others one by one": lambda: [verify_shuffles([each]) for each in others],
        "verify them together": partial(verify_shuffles, others),
    }
    for name, part in parts.items():
        print(f"{cards:4} cards: {name:34} {_least_ms(part, rounds):7.2f} ms", flush=True)
    size = len(chain[0].proof)
    print(f"{cards:4} cards: bytes of {SEATS} proofs {SEATS * size:24,}", flush=True)


def _least_ms(part: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        part()
        times.append(time.process_time() - began)
    return 1000 * min(times)


Report = dict[str, Any]


def measure(command: list[str]) -> list[Report]:
    """What the four peers of one game saw."""
    with tempfile.TemporaryDirectory() as folder:
        start = partial(subprocess.Popen, stdout=subprocess.PIPE, text=True)
        peers = [start([*command, f"{folder}/0"])]
        line = peers[0].stdout.readline() if peers[0].stdout else ""
        address = json.loads(line)["address"]
        peers += [start([*command, f"{folder}/{seat}", address]) for seat in range(1, SEATS)]
        return [json.loads(peer.communicate(timeout=600)[0].splitlines()[-1]) for peer in peers]


def _tell(cards: int, reports: list[Report], rounds: int) -> None:
    """Print the times of keys without and with a shuffle."""
    pressed: Mapping[str, float] = reports[0]["pressed"]
    took = {False: list[float](), True: list[float]()}
    entries = sorted(map(int, pressed))
    for entry, following in zip(entries, [*entries[1:], -1], strict=True):
        shown = [report["shown"].get(str(following)) for report in reports]
        if all(shown):
            is_shuffle = following - entry > 1
            took[is_shuffle].append(1000 * (max(shown) - pressed[str(entry)]))
    plain, times = statistics.median(took[False]), sorted(took[True])
    busy_ms = 1000 * sum(report["busy"] for report in reports) / rounds
    print(
        f"{cards:4} cards: p50 {statistics.median(times) - plain:6.1f} ms, "
        f"p90 {times[len(times) * 9 // 10] - plain:6.1f} ms, a key without {plain:5.1f} ms; "
        f"processor {busy_ms:6.1f} ms of all seats in a round; {len(times)} shuffles",
        flush=True,
    )


def make_pile(cards: int, rounds: int) -> Any:
    """A game whose only content is that a pile is shuffled again and again."""
    from core.requests import Action, Choice, Over, Request, Shuffle
    from core.table import Layout, Place, Sight, Table

    class Pile:
        """Seat 0 says `go`; each second time the pile is shuffled and its top card turned up."""

        slug, players, rules = "pile", range(2, 9), "Shuffle again and again."
        faces = tuple(f"face{face}" for face in range(FACES))
        options: tuple[Any, ...] = ()

        def setup(self, players: int, options: Mapping[str, Any]) -> Table:
            places = [Place("deck", Sight.NOBODY), Place("board", Sight.EVERYONE)]
            table = Table(Layout(players, self.faces, places, ["phase"], options))
            table.lay_out(DECK, [card % FACES for card in range(cards)])
            return table

        def advance(self, table: Table) -> Request:
            phase, table.counters[PHASE] = table.counters[PHASE], table.counters[PHASE] + 1
            if phase == 4 * rounds:
                return Over()
            if phase % 4 == 2:
                table.zones[DECK] += table.zones[BOARD]
                table.zones[BOARD] = []
                return Shuffle((tuple(table.zones[DECK]),))
            if phase % 4 == 3:
                table.move(table.zones[DECK][-1], DECK, BOARD)
                return table.owed[0]
            return Choice(0)

        def legal_actions(self, table: Table, player: int, eyes: object) -> list[Action]:
            return [Action("go")]

        def apply(self, table: Table, player: int, action: Action) -> None:
            pass

        def claim(self, *_: object) -> None:
            return None

        def describe(self, table: Table, action: Action, eyes: object) -> str:
            return action.verb

        def scores(self, table: Table) -> tuple[int, ...]:
            return (0,) * table.layout.players

        def winners(self, table: Table) -> tuple[int, ...]:
            return tuple(range(table.layout.players))

        def team(self, table: Table, player: int) -> int:
            return player

        def phase(self, table: Table) -> str:
            return ""

        def back(self, table: Table, card: int) -> str:
            return ""

    return Pile()


def be_peer(home: Path, address: list[str], cards: int, rounds: int) -> None:
    """Play one game; print what was pressed and shown when, and the processor's time."""
    import trio

    from core.games import GAMES
    from core.requests import Action
    from p2p import news
    from p2p.identity import Identity
    from p2p.node import NodeConfig, run_once

    told: list[object] = []
    GAMES["pile"] = make_pile(cards, rounds)
    pressed, shown, began = dict[str, float](), dict[str, float](), list[float]()

    async def decide(turn: Any) -> Action:
        await trio.sleep(PAUSE_S)
        pressed[turn.entry] = time.monotonic()
        return Action("go")

    def see(item: object) -> None:
        match item:
            case news.Gathering(table=table) if table is not None and not (address or told):
                print(json.dumps({"address": f"127.0.0.1:{table.port}"}), flush=True)
                told.append(table)
            case news.TableChanged(entry=entry, view=view) if view.to_act:
                began.append(time.process_time())
                shown.setdefault(str(entry), time.monotonic())
            case news.Accused() | news.Notice():
                raise SystemExit(f"the bench went wrong: {item}")

    name = f"Peer {home.name}"
    config = NodeConfig(home, Identity.load(home), name, player=decide)
    command = (
        news.JoinTable(address[0]) if address else news.OpenTable("pile", SEATS, is_local=True)
    )
    trio.run(run_once, command, see, config)
    busy = time.process_time() - began[0]
    print(json.dumps({"pressed": pressed, "shown": shown, "busy": busy}))


if __name__ == "__main__":
    sys.exit(main())
