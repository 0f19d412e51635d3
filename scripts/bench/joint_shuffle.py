"""What a shuffle by all seats costs, in parts and at a table: four processes unless told otherwise.

First its parts, in processor time of one seat, beside those of the prototype that the design was
measured with (one core, plain Python over libsodium), and the critical path that they make:
all decks one after the other, the proof of the last seat, and one verification.

Then so many peers, each a process, linked over loopback as on a LAN.  Seat 0 presses one key after
another; every other key has a pile shuffled by all, and the top card turned up or hands dealt,
which no seat lets happen before every proof holds.  A key counts from its press until the last of
all shows what came of it; a shuffle is what its key takes longer than the median of the keys
without one.  The processor's time of all seats is told too, because other work makes clocks slow.
--before DIR measures another clone in turn with this one, --seats N tables of another size.

With --game GAME they play a whole game: its joint shuffles, and the audit of its file.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from scripts import environment

ROOT: Final = environment.ROOT
BENCH: Final = ROOT / "scripts" / "bench.py"
SEATS: Final = 4  # Unless told otherwise.
ROUNDS: Final = 30
CARDS: Final = (20, 25, 52, 104)
FACES: Final = 13
PAUSE_S: Final = 0.15  # Before every choice; a person thinks longer.
PROTOTYPE_MS: Final = {  # By cards.
    "permute and re-mask": {20: 1.5, 52: 3.8, 104: 7.8},
    "prove": {20: 6.2, 52: 15.6, 104: 31.0},
    "verify one": {20: 9.2, 52: 23.3, 104: 46.0},
}
PROTOTYPE_PROOF_KB: Final = {20: 2.7, 52: 6.8, 104: 13.5}
PROTOTYPE_US: Final = {"multiplication": 38.0, "of the generator": 13.0, "addition": 11.0}
Report = dict[str, Any]
_IN_KB: Final = sys.platform != "darwin"  # What the system says of memory; there it is bytes.


def main(arguments: list[str]) -> int:
    """Measure every size, or be one of the peers."""
    parser = argparse.ArgumentParser(description="Shuffles by all seats.")
    parser.add_argument("--seats", type=int, default=SEATS, choices=range(2, 9), metavar="N")
    parser.add_argument("--cards", type=int, nargs="*", default=CARDS, metavar="N")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N")
    parser.add_argument("--deal", type=int, default=0, metavar="N", help="cards for every hand")
    parser.add_argument("--pause", type=float, default=PAUSE_S, metavar="S", help="in seconds")
    parser.add_argument("--before", metavar="DIR", help="another clone to measure in turn")
    parser.add_argument("--proofs", action="store_true", help="only the work of one seat")
    parser.add_argument("--game", metavar="GAME", help="only a whole game and its audit")
    parser.add_argument("--root", default=str(ROOT), help=argparse.SUPPRESS)
    parser.add_argument("--peer", nargs="*", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.rounds < 2:
        parser.error("--rounds has to be 2 or more: the first one does not count")
    sys.path.insert(0, args.root)
    if args.peer:
        be_peer(args, Path(args.peer[0]), args.peer[1:])
    elif args.game:
        tell_game(args)
    else:
        tell_machine()
        for cards in args.cards:
            tell_parts(cards, args.rounds, args.seats)
            if not args.proofs:
                tell_shuffles(args, cards)
    return 0


# ---- the parts ----


def tell_machine() -> None:
    """Print how fast this machine is beside that of the prototype."""
    from p2p.crypto.group import base, hash_to_point, random_scalar

    points = [hash_to_point("bench", bytes([number])) for number in range(50)]
    scalars = [random_scalar() for _ in points]
    parts: dict[str, Callable[[], object]] = {
        "multiplication": lambda: [p * s for p, s in zip(points, scalars, strict=True)],
        "of the generator": lambda: [base(scalar) for scalar in scalars],
        "addition": lambda: [p + q for p, q in zip(points, points[::-1], strict=True)],
    }
    for name, part in parts.items():
        took_us = 1000 * _least_ms(part, 20) / len(points)
        known_us = PROTOTYPE_US[name]
        print(f"{name:17} {took_us:5.1f} us; prototype {known_us:4.1f}, {took_us / known_us:.2f}")


class Bench:
    """A chain of shuffles by all seats, and what its parts need."""

    def __init__(self, cards: int, seats: int = SEATS) -> None:
        from p2p.crypto.group import hash_to_point
        from p2p.crypto.keys import make_key
        from p2p.crypto.masking import fresh_hint, open_form
        from p2p.crypto.precomputed import precompute
        from p2p.crypto.shuffle_proof import OwnShuffle, ProvenShuffle, prove_shuffle, shuffle

        secret, self.key = make_key()
        points = [hash_to_point("bench", bytes([n % FACES])) for n in range(cards)]
        deck = shuffle(self.key, [open_form(point, self.key) for point in points], fresh_hint())[0]
        self.deck = deck  # No card is face up.
        self.precomputed = precompute(secret, self.key, cards)
        self.precompute = partial(precompute, secret, self.key, cards)
        self.chain, self.own = list[ProvenShuffle](), list[OwnShuffle]()
        for _ in range(seats):
            outputs, witness = shuffle(self.key, deck, fresh_hint())
            proof = prove_shuffle(self.key, deck, outputs, witness, b"bench")
            self.chain.append(ProvenShuffle(self.key, deck, outputs, proof, b"bench"))
            self.own.append(OwnShuffle(self.key, deck, outputs, witness))
            deck = outputs
        self.seed = self.precomputed.seed
        self.made = {precomputed is not None: shuffle(self.key, self.deck, self.seed, precomputed)
                     for precomputed in (None, self.precomputed)}  # fmt: skip

    def shuffle(self, *, is_ahead: bool) -> None:
        """Make a deck."""
        from p2p.crypto.shuffle_proof import shuffle

        shuffle(self.key, self.deck, self.seed, self.precomputed if is_ahead else None)

    def prove(self, *, is_ahead: bool) -> None:
        """Prove it."""
        from p2p.crypto.shuffle_proof import prove_shuffle

        prove_shuffle(self.key, self.deck, *self.made[is_ahead], b"bench")

    def verify_one(self) -> None:
        """As somebody who hears a single proof."""
        from p2p.crypto.shuffle_proof import verify_shuffles

        verify_shuffles(self.chain[:1])

    def combine(self) -> None:
        """Get ready for the proofs of the others, as the last seat, whose turn comes first."""
        from p2p.crypto.batch import Combiner

        self.combiner = Combiner.own(1)
        for deck in (self.deck, *(each.outputs for each in self.chain[:-2])):
            for card in deck:
                self.combiner.combine(card)

    def verify_others(self) -> None:
        """As the last seat, whose deck and proof all have waited for."""
        from p2p.crypto.shuffle_proof import verify_shuffles

        verify_shuffles(self.chain[:-1], self.own[-1:], self.combiner)


def tell_parts(cards: int, rounds: int, seats: int = SEATS) -> None:
    """Print what the parts of a shuffle by all seats cost one of them, and the critical path."""
    bench = Bench(cards, seats)
    joining, checking = "join the cards of the others", f"verify the other {seats - 1}"
    parts: dict[str, Callable[[], object]] = {
        "permute and re-mask": partial(bench.shuffle, is_ahead=False),
        "prove": partial(bench.prove, is_ahead=False),
        "verify one": bench.verify_one,
        "permute, with numbers made ahead": partial(bench.shuffle, is_ahead=True),
        "prove, with numbers made ahead": partial(bench.prove, is_ahead=True),
        "make the numbers": bench.precompute,
        joining: bench.combine,
        checking: bench.verify_others,
    }
    took = {name: _least_ms(part, min(rounds, 10)) for name, part in parts.items()}
    for name, took_ms in took.items():
        known_ms = PROTOTYPE_MS.get(name, {}).get(cards)
        beside = f"; prototype {known_ms:4.1f}, {took_ms / known_ms:.2f}" if known_ms else ""
        print(f"{cards:4} cards: {name:33} {took_ms:6.2f} ms{beside}", flush=True)
    size_kb = len(bench.chain[0].proof) / 1000
    known_kb = PROTOTYPE_PROOF_KB.get(cards)
    beside = f"; prototype {known_kb:4.1f}, {size_kb / known_kb:.2f}" if known_kb else ""
    print(f"{cards:4} cards: {'a proof':33} {size_kb:6.2f} kB{beside}; of {seats} seats "
          f"{seats * size_kb:.1f} kB")  # fmt: skip
    made_ahead = ("permute, with numbers made ahead", "prove, with numbers made ahead")
    deck, proof, combine, check = (took[name] for name in (*made_ahead, joining, checking))
    print(f"{cards:4} cards: critical path {seats} x {deck:.1f} + {proof:.1f} + {check:.1f} = "
          f"{seats * deck + proof + check:.1f} ms with a core for every seat; all seats together "
          f"{seats * (deck + proof + combine + check):.1f} ms")  # fmt: skip


def _least_ms(part: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.process_time()
        part()
        times.append(time.process_time() - began)
    return 1000 * min(times)


# ---- peers at a table ----


class Seen(NamedTuple):
    """Times of one game in milliseconds: keys with a shuffle, keys without, the processor's."""

    shuffles: list[float]
    plain_ms: float
    busy_ms: float

    @property
    def median_ms(self) -> float:
        """What a shuffle takes."""
        return statistics.median(self.shuffles) - self.plain_ms


def tell_shuffles(args: argparse.Namespace, cards: int) -> None:
    """Print the times of keys without and with a shuffle, of one clone or of two in turn."""
    roots = {"before": args.before, "now": args.root} if args.before else {"now": args.root}
    medians = dict.fromkeys(roots, 0.0)
    for name, root in roots.items():
        rest = ["--deal", str(args.deal), "--pause", str(args.pause), "--root", root]
        seen = measure(cards, args.rounds, args.seats, *rest)
        medians[name] = seen.median_ms
        p90_ms = sorted(seen.shuffles)[len(seen.shuffles) * 9 // 10] - seen.plain_ms
        print(
            f"{cards:4} cards, {name}: p50 {seen.median_ms:6.1f} ms, p90 {p90_ms:6.1f} ms, "
            f"a key without {seen.plain_ms:5.1f} ms; processor {seen.busy_ms:6.1f} ms of all "
            f"seats in a round; {len(seen.shuffles)} shuffles",
            flush=True,
        )
    if args.before:
        print(f"{cards:4} cards: now / before {medians['now'] / medians['before']:.2f}")


def measure(cards: int, rounds: int, seats: int = SEATS, *words: str) -> Seen:
    """The times of one game of so many peers, in which so many cards are shuffled each round."""
    with tempfile.TemporaryDirectory() as folder:
        reports = play(["--cards", str(cards), "--rounds", str(rounds), *words], folder, seats)
    return _times(reports, rounds)


def play(words: list[str], folder: str, seats: int = SEATS) -> list[Report]:
    """What the peers of one game saw."""
    words = [*words, "--seats", str(seats)]
    command = [sys.executable, "-P", str(BENCH), "joint_shuffle", *words, "--peer"]
    start = partial(subprocess.Popen, stdout=subprocess.PIPE, text=True)
    peers = [start([*command, f"{folder}/0"])]
    line = peers[0].stdout.readline() if peers[0].stdout else ""
    address = json.loads(line)["address"]
    peers += [start([*command, f"{folder}/{seat}", address]) for seat in range(1, seats)]
    with ThreadPoolExecutor(seats) as waiting:
        return list(waiting.map(partial(_report_of, peers), peers))


def _report_of(peers: list[subprocess.Popen[str]], peer: subprocess.Popen[str]) -> Report:
    """What one of them prints at its end; where it fails, none of the others waits for it."""
    said = peer.communicate()[0]
    if peer.returncode:
        for each in peers:
            each.kill()
        raise SystemExit("a peer has ended before the game did; what it said stands above")
    return cast("Report", json.loads(said.splitlines()[-1]))


def _times(reports: list[Report], rounds: int) -> Seen:
    pressed = reports[0]["pressed"]
    took = {False: list[float](), True: list[float]()}
    entries = sorted(map(int, pressed))
    for entry, following in zip(entries, [*entries[1:], -1], strict=True):
        shown = [report["shown"].get(str(following)) for report in reports]
        if all(shown):
            is_shuffle = following - entry > 1
            took[is_shuffle].append(1000 * (max(shown) - pressed[str(entry)]))
    busy_ms = 1000 * sum(report["busy"] for report in reports) / rounds
    return Seen(took[True], statistics.median(took[False]), busy_ms)


def tell_game(args: argparse.Namespace) -> None:
    """Print how long a whole game took, its joint shuffles, and its audit."""
    from p2p.audit.audit import audit_file

    with tempfile.TemporaryDirectory() as folder:
        rest = ["--game", args.game, "--pause", str(args.pause), "--root", args.root]
        reports = play(rest, folder, args.seats)
        report = reports[0]
        began, busy = time.monotonic(), time.process_time()
        found = audit_file(Path(report["path"]))
        took_s, busy_s = time.monotonic() - began, time.process_time() - busy
        size_kb = Path(report["path"]).stat().st_size / 1000
    assert found.holds and found.is_finished, found
    took_ms = _reshuffles([each["closed"] for each in reports])
    for least in sorted({cards // 10 * 10 for cards, _ in took_ms}):
        some = [each_ms for cards, each_ms in took_ms if cards // 10 * 10 == least]
        print(
            f"{len(some):4} shuffles of {least} to {least + 9} cards by all: p50 "
            f"{statistics.median(some):.1f} ms until all have seen what was dealt from them"
        )
    print(
        f"{args.game}, {args.seats} seats, {args.pause} s a choice: {found.entries} entries, "
        f"{size_kb:.0f} kB, played in {report['took']:.1f} s, audited in {took_s:.2f} s "
        f"({busy_s:.2f} s of the processor): {took_s / report['took']:.3f} of the playing time"
    )


def _reshuffles(closed: list[list[Any]]) -> list[tuple[int, float]]:
    """How many cards all shuffled, and how long it took until the first of them were dealt.

    From the end of the step before, on the first machine, to that of the reveal on the last.
    """
    found, began = list[tuple[int, float]](), 0
    for at, (kind, _, _) in enumerate(closed[0][:-1]):
        if kind == "shuffle" and closed[0][at - 1][0] != "shuffle":
            began = at - 1
        if kind == "prove" and closed[0][at + 1][0] in ("share", "open"):
            until = max(each[at + 1][1] for each in closed)
            since = min(each[began][1] for each in closed)
            found.append((closed[0][at - 1][2], 1000 * (until - since)))
    return found


def note_closings() -> list[list[Any]]:
    """What steps end when on this machine, and for a shuffle of how many cards."""
    from p2p.log.replica import Replica

    closed, close = list[list[Any]](), Replica.close

    def noting(replica: Replica, log: Any) -> None:
        step = replica.step
        close(replica, log)
        if step is not None:
            body: Any = replica.log[-1].body
            cards = len(body[0]) // 64 if step.kind == "shuffle" else 0
            closed.append([step.kind, time.monotonic(), cards])

    Replica.close = noting  # type: ignore[method-assign, assignment]
    return closed


def be_peer(args: argparse.Namespace, home: Path, address: list[str]) -> None:
    """Play one game; print what was pressed and shown when, and the processor's time."""
    import trio

    from core.games import GAMES
    from core.requests import Action
    from p2p.base.identity import Identity
    from p2p.session import commands, news
    from p2p.session.players import Players
    from p2p.table.node import NodeConfig, run_once
    from scripts.bench.pile import make_pile

    told: list[object] = []
    if not args.game:
        GAMES["pile"] = make_pile(args.cards[0], args.rounds, args.deal)
    pressed, shown = dict[str, float](), dict[str, float]()
    closed = note_closings() if args.game else []
    began, ends, paths = list[float](), list[float](), list[Path]()

    async def decide(turn: Any) -> Action:
        await trio.sleep(args.pause)
        if args.game:
            actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
            return actions[turn.seed % len(actions)]
        pressed[turn.event_count] = time.monotonic()
        return Action("go")

    def see(item: object) -> None:
        match item:
            case news.Gathering(table=table) if not (address or told):
                print(json.dumps({"address": f"127.0.0.1:{table.port}"}), flush=True)
                told.append(table)
            case news.TableChanged(event_count=entry, view=view, path=path):
                ends.append(time.monotonic())
                paths[:] = [path] if path else []
                if view.to_act:
                    began.append(time.process_time())
                    shown.setdefault(str(entry), time.monotonic())
            case news.Notice(text=text):  # On a busy machine somebody may come too late.
                print(text, file=sys.stderr)
            case news.Accused():
                raise SystemExit(f"the bench went wrong: {item}")

    config = NodeConfig(home, Identity.load(home), f"Peer {home.name}", Players(decide))
    game = args.game or "pile"
    opening = commands.OpenTable(game, args.seats, is_local=True)
    trio.run(run_once, commands.JoinTable(address[0]) if address else opening, see, config)
    report = {"pressed": pressed, "shown": shown, "busy": time.process_time() - began[0]}
    report |= {"closed": closed, "memory_mb": _peak_mb()}
    print(json.dumps({**report, "path": str(paths[0]), "took": ends[-1] - ends[0]}))


def _peak_mb() -> float:
    """The most memory that this process has had so far."""
    if sys.platform == "win32":  # Which does not say.
        return math.nan
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1000 if _IN_KB else 1_000_000)
