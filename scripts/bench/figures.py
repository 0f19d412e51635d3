"""Every figure that we quote, measured in one run; what is meant where none of these is named.

shuffle   104 cards: permute and re-mask, prove, verify; bytes of the proof
strike    a hand of seven comes off the list of 52 cards, and its rows are blinded
share     key shares of three cards: make and prove, verify, open
table     four seats in four processes: all cards dealt and verified, key press to view on
          all four screens with and without a deal, processor time for that, longest step of
          the event loop, memory of a peer
joint     the whole deck shuffled by those four again and again, until its top card is seen by all
games     random games of Carta per second, by the rules alone: plain, and compiled where there is
          a compiler (made first, which takes a minute)
search    iterations of information-set search per second, at the start of a game; the same
openspiel the time for a move beside OpenSpiel's search on hearts and gin rummy, as ratios
paint     the first picture on a terminal, from the start of the program
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from scripts import environment

ROOT: Final = environment.ROOT
HERE: Final = Path(__file__).resolve().parent
CARDS: Final = 104
SEATS: Final = 4
ROUNDS: Final = 15
PAINT_DEADLINE_S: Final = 20.0

Figure = tuple[str, float, str]
Report = dict[str, list[list[float]]]  # What a peer saw: [entries, seconds], by name.


def timed(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median time of some work in milliseconds, after one round that does not count."""
    work()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


def shuffle_figures() -> Iterator[Figure]:
    """The mathematics of one shuffle of the whole deck."""
    from p2p.crypto.group import hash_to_point
    from p2p.crypto.keys import make_key
    from p2p.crypto.masking import fresh_hint, open_form
    from p2p.crypto.shuffle_proof import prove_shuffle, shuffle, verify_shuffle

    _, key = make_key()
    deck = [open_form(hash_to_point("bench", bytes([card % 6])), key) for card in range(CARDS)]
    seed = fresh_hint()
    outputs, witness = shuffle(key, deck, seed)
    proof = prove_shuffle(key, deck, outputs, witness, b"bench")
    yield "104 cards: permute and re-mask", timed(lambda: shuffle(key, deck, seed)), "ms"
    prove = timed(lambda: prove_shuffle(key, deck, outputs, witness, b"bench"))
    yield "104 cards: prove the shuffle", prove, "ms"
    verify = timed(lambda: verify_shuffle(key, deck, outputs, proof, b"bench"))
    yield "104 cards: verify it", verify, "ms"
    yield "104 cards: size of the proof", len(proof) / 1000, "kB"


def strike_figures() -> Iterator[Figure]:
    """What a seat makes, and what the others check, when cards are dealt anew."""
    from p2p.crypto.group import hash_to_point
    from p2p.crypto.keys import make_key
    from p2p.crypto.masking import open_form
    from p2p.crypto.plaintext_equality import check_pet_share, pet_share
    from p2p.crypto.tally import check_subtraction, full_tally, subtract_hand

    (secret, public), (_, joint) = make_key(), make_key()
    faces = [hash_to_point("bench", bytes([face])) for face in range(13)]
    tally = full_tally(joint, [(face, 4) for face in faces])
    hand = [open_form(face, public) for face in faces[:7]]
    said = subtract_hand(secret, tally, hand, b"bench")
    left = check_subtraction(public, tally, hand, said, b"bench").cards
    raised = pet_share(left, b"bench")
    yield "7 of 52 cards: strike", timed(lambda: subtract_hand(secret, tally, hand, b"bench")), "ms"
    check = timed(lambda: check_subtraction(public, tally, hand, said, b"bench"))
    yield "7 of 52 cards: check it", check, "ms"
    yield "52 rows: blind them", timed(lambda: pet_share(left, b"bench")), "ms"
    yield "52 rows: check it", timed(lambda: check_pet_share(left, raised, b"bench")), "ms"


def share_figures() -> Iterator[Figure]:
    """Dealing three cards to one seat, and opening one."""
    from p2p.crypto.group import hash_to_point
    from p2p.crypto.keys import make_key
    from p2p.crypto.masking import (
        make_shares,
        message,
        open_form,
        prove_shares,
        verify_shares,
    )

    secret, public = make_key()
    hand = [open_form(hash_to_point("bench", bytes([card])), public) for card in range(3)]
    shares = make_shares(secret, hand)
    proof = prove_shares(secret, public, hand, shares, b"bench")

    def make() -> None:
        prove_shares(secret, public, hand, make_shares(secret, hand), b"bench")

    def verify() -> None:
        verify_shares(public, hand, shares, proof, b"bench")

    def read_one() -> None:
        message(hand[0], make_shares(secret, hand[:1])[0])

    yield "3 cards: key shares with their proof", timed(make, 100), "ms"
    yield "3 cards: verify them", timed(verify, 100), "ms"
    yield "1 card: read it", timed(read_one, 100), "ms"


def rules_figures(bench: str) -> Iterator[Figure]:
    """A bench of rules and search: from plain source, and compiled if that can be had."""
    from scripts import compile as compiling
    from scripts import environment

    builds = {"plain": str(ROOT)}
    try:
        builds["compiled"] = str(compiling.compile_all())
    except (compiling.CompileError, environment.SetupError) as error:
        print(f"Only the plain source is measured: {error}", file=sys.stderr)
    yield from _measure(bench, builds)


def _measure(bench: str, builds: Mapping[str, str]) -> Iterator[Figure]:
    for build, folders in builds.items():
        command = [sys.executable, "-P", str(HERE / "rules.py"), bench, folders]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        for line in done.stdout.splitlines():
            what, value, unit = json.loads(line)
            yield f"{what}, {build}", value, unit


def hearts_figures() -> Iterator[Figure]:
    """Hearts on our engine, plain, and compiled along with the rules if that can be had."""
    from scripts import compile as compiling
    from scripts import environment

    builds = {"plain": os.pathsep.join((str(HERE), str(ROOT)))}
    with tempfile.TemporaryDirectory() as workshop:
        build = Path(workshop) / "built"
        try:
            environment.prepare(("compile",))
            compiling.build(build, environment.PYTHON, beside=[HERE / "hearts.py"])
            builds["compiled"] = str(build)
        except (compiling.CompileError, environment.SetupError) as error:
            print(f"Only the plain source is measured: {error}", file=sys.stderr)
        yield from _measure("hearts", builds)


def game_figures() -> Iterator[Figure]:
    """Random games on the real rules, faces known, no network."""
    yield from rules_figures("games")


def search_figures() -> Iterator[Figure]:
    """Search at the first choice of a game, as a bot of any level does it."""
    yield from rules_figures("search")


def openspiel_figures() -> Iterator[Figure]:
    """Ours beside OpenSpiel's: random games, one move, and how many times as long theirs takes."""
    yield from rules_figures("games")
    yield from rules_figures("search")
    ours = [*rules_figures("move"), *hearts_figures()]
    yield from ours
    command = [sys.executable, "-P", str(HERE / "openspiel.py")]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    theirs = [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    yield from theirs
    for what, took_ms, _ in (each for each in theirs if each[2] == "ms"):
        for mine, mine_ms, _ in (each for each in ours if each[2] == "ms"):
            name = f"{what.split(':')[0]}{what[what.rindex(',') :]} / {mine.split(' ', 1)[1]}"
            yield name.replace(": 200 iterations", ""), took_ms / mine_ms, "times"


def table_figures() -> Iterator[Figure]:
    """Four peers in four processes on this machine, linked as on a LAN; and once more for steps.

    To note how long each step takes makes a press slower, so that has a game of its own.
    """
    yield from _table_report(_play_table())
    longest = max(took for report in _play_table("--steps") for took in report["steps"][0])
    yield "longest step on the loop of any peer", 1000 * longest, "ms"


def _play_table(*flags: str) -> list[Report]:
    with tempfile.TemporaryDirectory() as folder:
        peers = [_start_peer(Path(folder), 0, "", *flags)]
        line = peers[0].stdout.readline() if peers[0].stdout else ""
        address = json.loads(line)["address"]
        peers += [_start_peer(Path(folder), seat, address, *flags) for seat in range(1, SEATS)]
        return [json.loads(peer.communicate(timeout=300)[0].splitlines()[-1]) for peer in peers]


def _start_peer(folder: Path, seat: int, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "peer.py"), str(folder / str(seat)), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def _table_report(reports: list[Report]) -> Iterator[Figure]:
    """Join what the four peers saw: a key press counts until the last of them shows it."""
    dealt = max(report["dealt"][0][0] for report in reports) - min(
        report["begun"][0][0] for report in reports
    )
    yield "4 seats, 104 cards: keys, shuffles, hands, all verified", 1000 * dealt, "ms"
    shown: dict[int, float] = {}
    for report in reports:
        for entry, at in report["shown"]:
            shown[int(entry)] = max(shown.get(int(entry), 0.0), at)
    presses = sorted((int(press[0]), press[1]) for report in reports for press in report["pressed"])
    plain, dealing = [], []
    kinds = {int(entry): int(cards) for entry, cards in reports[0]["drawn"]}
    for (entry, at), following in zip(presses, [*presses[1:], (0, 0.0)], strict=True):
        seen = shown.get(following[0])
        if seen is None:
            continue
        drawn = sum(cards for at_entry, cards in kinds.items() if entry < at_entry <= following[0])
        latency = 1000 * (seen - at)
        plain += [latency] if drawn == 0 else []
        dealing += [latency] if drawn == 3 else []
    for name, times in (("without a deal", plain), ("with a deal of three cards", dealing)):
        if times:
            times.sort()
            yield f"key press to view on all 4, {name}: median", statistics.median(times), "ms"
            yield f"  p99 ({len(times)} presses)", times[int(len(times) * 0.99)], "ms"
    busy_s = sum(report["busy"][-1][0] - report["busy"][0][0] for report in reports)
    yield "  processor of all 4 for a press, deals among them", 1000 * busy_s / len(presses), "ms"
    yield "memory of a peer, at most", max(r["memory"][0][0] for r in reports), "MB"


def joint_figures() -> Iterator[Figure]:
    """The same, where nothing but shuffles takes long."""
    from scripts.bench.joint_shuffle import measure

    seen = measure(CARDS, ROUNDS)
    yield "4 seats, 104 cards: shuffle by all, median", seen.median_ms, "ms"
    yield "  processor of all 4 in a round", seen.busy_ms, "ms"


def paint_figures() -> Iterator[Figure]:
    """The program in a real pseudo-terminal, second start: until the lobby can be read."""
    with tempfile.TemporaryDirectory() as home:
        times = [_first_paint(Path(home)) for _ in range(4)][1:]
    yield "first paint after the start", 1000 * statistics.median(times), "ms"


def _first_paint(home: Path) -> float:
    import pty  # Windows has none; everything else is measured there, too.

    command = [sys.executable, "-P", "-m", "ui", "--home", str(home), "--as", "Bench"]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    variables |= {"COLUMNS": "80", "LINES": "24"}
    # As at people's, what was compiled at the first start is there at the second.
    variables |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(home / "compiled")}
    started = time.perf_counter()
    process, screen = pty.fork()
    if process == 0:
        os.execve(sys.executable, command, variables)
    seen = b""
    while b"hostless" not in seen.lower() and time.perf_counter() - started < PAINT_DEADLINE_S:
        if select.select([screen], [], [], 0.05)[0]:
            seen += os.read(screen, 1 << 16)
    took = time.perf_counter() - started
    os.kill(process, 15)
    _drain(screen)
    os.waitpid(process, 0)
    return took


def _drain(screen: int) -> None:
    """Read until the program has gone, so that it is not stuck writing its goodbye."""
    try:
        while os.read(screen, 1 << 16):
            pass
    except OSError:
        os.close(screen)


BENCHES: Final[dict[str, Callable[[], Iterator[Figure]]]] = {
    "shuffle": shuffle_figures,
    "strike": strike_figures,
    "share": share_figures,
    "games": game_figures,
    "search": search_figures,
    "openspiel": openspiel_figures,
    "table": table_figures,
    "joint": joint_figures,
    "paint": paint_figures,
}


def main(arguments: list[str]) -> int:
    """Measure what is asked for, or everything."""
    parser = argparse.ArgumentParser(description="Figures of hostless on this machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--json", action="store_true", help="one JSON object per figure")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in BENCHES]
    if unknown:
        parser.error(f"no bench is called {unknown[0]}; there are {', '.join(BENCHES)}")
    for name in chosen.names or BENCHES:
        for what, value, unit in BENCHES[name]():
            if chosen.json:
                print(
                    json.dumps({"bench": name, "what": what.strip(), "value": value, "unit": unit})
                )
            else:
                print(f"{what:58}{value:12,.2f} {unit}", flush=True)
    return 0
