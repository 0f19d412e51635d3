"""Bend whatever comes from outside, by the million, guided by the code that it reaches.

    lab.py fuzz                           every target for a while
    lab.py fuzz frames roster --inputs 1000000
    lab.py fuzz --factor 10               ten times as many of each
    lab.py fuzz --blind                   without a guide, and ten times as fast
    lab.py fuzz --hostile                 every field with every hostile value, one at a time;
                                          then whole conversations, in any order
    lab.py fuzz --keep                    put what is worth keeping into tests/corpus

The targets are in `tests/fuzz/`.  A target fails when anything comes out of it but the refusals it
documents, when one input takes more than a second, or when the process grows by more than 64 MB.
What fails, and what found new code, stays in the folder of `--work`.  `docs/lab/reliability.md` has
the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from scripts import environment

ROOT: Final = environment.ROOT
LAB: Final = ROOT / "scripts" / "lab.py"
OURS: Final = ("core", "p2p", "ai", "ui")  # Whose branches guide.
SECONDS_MAX: Final = 1.0  # Of CPU, for one input.
GROWTH_MB_MAX: Final = 64.0
WARM_SHARE: Final = 0.1  # Of the inputs, after which a process has all it needs.
BYTES_MAX: Final = 1 << 16
PLAIN_SHARE: Final = 0.4  # Of the inputs that libFuzzer bends by itself, as bytes.
INPUTS: Final = {  # As many as take about the same time.
    "payload": 200_000, "frames": 150_000, "link": 12_000, "beacon": 20_000, "dns-sd": 60_000,
    "certificate": 60_000, "hello-to-a-listener": 60_000, "hello-to-a-dialler": 60_000,
    "door": 15_000, "door-with-password": 15_000, "opener": 15_000, "opener-to-a-bot": 15_000,
    "door-to-the-end": 15_000, "door-of-a-game": 10_000, "spectator": 5_000, "cpace": 40_000,
    "entry": 100_000, "roster": 50_000, "body": 100_000, "messages": 12_000, "cheater": 6_000,
    "game-file": 1_500, "secret-file": 40_000, "key-file": 20_000, "profile": 50_000,
    "settings": 30_000, "known-file": 20_000, "address": 60_000, "typed": 50_000,
    "referee": 10_000, "foreign-bot": 60_000,
}  # fmt: skip

CONVERSATIONS: Final = 5_000  # Of messages in any order, by `--hostile`.
HOSTILE: Final = (  # Where strangers and seats say what somebody else has not signed.
    *("beacon", "dns-sd", "door", "door-with-password", "door-to-the-end", "door-of-a-game"),
    *("opener", "opener-to-a-bot", "spectator", "roster", "messages"),
)


class Ran(NamedTuple):
    """How one target went."""

    inputs: int = 0
    accepted: int = 0
    seconds: float = 0.0
    growth_mb: float = 0.0
    slowest_s: float = 0.0


# ---- one target, in a process of its own ----


def fuzz(name: str, count: int, seed: int, work: Path) -> None:
    """Read so many inputs, and say how it went in the last line."""
    import atheris

    with atheris.instrument_imports(include=list(OURS)):
        from tests.fuzz import TARGETS
    from tests.fuzz.bend import bend
    from tests.fuzz.worlds import same_world

    corpus = work / name
    corpus.mkdir(parents=True, exist_ok=True)
    with same_world():
        target = TARGETS[name]()
        for number, sample in enumerate(target.samples):
            (corpus / f"sample-{number}").write_bytes(sample)
        watch = Watch(target.read, count)

        def mutate(said: bytes, bytes_max: int, number: int) -> bytes:
            rng = random.Random(number)
            if rng.random() < PLAIN_SHARE:
                return bytes(atheris.Mutate(said, bytes_max))
            return bend(said, target.shape, rng)[:bytes_max]

        options = [f"-seed={seed}", f"-max_len={BYTES_MAX}", "-len_control=0", "-timeout=120"]
        options += [f"-artifact_prefix={work}/{name}-", "-rss_limit_mb=4096", "-verbosity=1"]
        atheris.Setup([sys.argv[0], str(corpus), *options], watch.read, custom_mutator=mutate)
        atheris.Fuzz()


def fuzz_blindly(name: str, count: int, seed: int, work: Path) -> None:
    """The same without a guide: samples, and what was found with one, bent by chance."""
    from tests.fuzz import TARGETS, corpus
    from tests.fuzz.bend import bend
    from tests.fuzz.worlds import same_world

    rng = random.Random(f"{seed} {name}")
    work.mkdir(parents=True, exist_ok=True)  # For what fails.
    with same_world():
        target = TARGETS[name]()
        found = [path.read_bytes() for path in sorted((work / name).glob("*"))]
        samples = [*target.samples, *corpus.read(name), *found]
        watch = Watch(target.read, count)
        while True:
            shape = "bytes" if rng.random() < PLAIN_SHARE else target.shape
            said = bend(rng.choice(samples), shape, rng)
            try:
                watch.read(said)
            except Exception:
                (work / f"{name}-crash").write_bytes(said)
                raise


def fuzz_hostilely(name: str, seed: int) -> None:
    """Read every sample with every hostile value in every field (`tests/fuzz/hostile.py`).

    Then conversations of such messages in any order (`tests/fuzz/conversations.py`).
    """
    from tests.fuzz import TARGETS, hostile
    from tests.fuzz.conversations import SPOKEN, conversations, messages_of
    from tests.fuzz.worlds import same_world

    with same_world():
        target = TARGETS[name]()
        inputs = list(hostile.hostile_inputs(target.samples))
        if name in SPOKEN:
            messages = messages_of([TARGETS[each] for each in SPOKEN])
            spoken = conversations(target.samples, messages, random.Random(seed))
            inputs += islice(spoken, CONVERSATIONS)
        watch = Watch(target.read, len(inputs))
        for said in inputs:
            watch.read(said)


class Watch:
    """Reads input after input, and measures each."""

    def __init__(self, read: object, count: int) -> None:
        assert callable(read), "a target reads"
        self._read, self._count = read, count
        self._began, self._warm_mb = time.monotonic(), 0.0
        self._inputs = self._accepted = 0
        self._slowest_s = 0.0

    def read(self, said: bytes) -> None:
        """Read one input; the last one ends the process."""
        began = time.thread_time()
        self._accepted += self._read(said)
        took = time.thread_time() - began
        assert took <= SECONDS_MAX, f"one input took {took:.2f} s"
        self._slowest_s = max(self._slowest_s, took)
        self._inputs += 1
        if self._inputs == int(WARM_SHARE * self._count):
            self._warm_mb = resident_mb()
        if self._inputs == self._count:
            self._end()

    def _end(self) -> None:
        grown = resident_mb() - self._warm_mb
        seconds = time.monotonic() - self._began
        ran = Ran(self._inputs, self._accepted, seconds, grown, self._slowest_s)
        print("\n" + json.dumps(ran._asdict()), flush=True)
        os._exit(0)  # libFuzzer has no other end that leaves its caller alone.


def resident_mb() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


# ---- all of them ----


def run(name: str, count: int, args: argparse.Namespace) -> bool:
    """One target; whether it held."""
    command = [sys.executable, "-P", str(LAB), "fuzz", name, "--inputs", str(count)]
    command += ["--seed", str(args.seed), "--work", str(args.work), "--child"]
    command += ["--blind"] * args.blind + ["--hostile"] * args.hostile
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *_, last = done.stdout.splitlines() or [""]
    covered = re.findall(r"cov: (\d+) ft: (\d+)", done.stderr)
    if done.returncode or not last.startswith("{"):
        print(f"{name}: FAILED\n{(done.stdout + done.stderr)[-4000:]}", flush=True)
        return False
    ran, found = Ran(**json.loads(last)), covered[-1] if covered else ("?", "?")
    held = ran.growth_mb <= GROWTH_MB_MAX
    print(
        f"{name}: {ran.inputs} inputs in {ran.seconds:.0f} s, {ran.accepted} accepted, "
        f"{found[0]} branches reached, grew {ran.growth_mb:.1f} MB, "
        f"slowest {1000 * ran.slowest_s:.0f} ms" + ("" if held else " FAILED"),
        flush=True,
    )
    return held


def keep(names: list[str], work: Path) -> None:
    """Put the smallest inputs that together reach as much as all do into the corpus."""
    from tests.fuzz import TARGETS
    from tests.fuzz.corpus import smallest, write
    from tests.fuzz.worlds import same_world

    with same_world():
        for name in names:
            found = [path.read_bytes() for path in sorted((work / name).glob("*"))]
            inputs = [*found, *TARGETS[name]().samples]
            kept = smallest(TARGETS[name](), inputs)
            write(name, kept)
            print(f"{name}: {len(kept)} of {len(inputs)}, {sum(map(len, kept))} bytes", flush=True)


def main(arguments: list[str]) -> int:
    """Bend; 0 when every target held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", choices=[*INPUTS, []], metavar="TARGET")
    parser.add_argument("--inputs", type=int, default=0, help="of each target")
    parser.add_argument("--factor", type=float, default=1.0, help="of the usual number of inputs")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 1 << 31))
    parser.add_argument("--work", type=Path, default=Path("/tmp/hostless-fuzz"))
    parser.add_argument("--keep", action="store_true", help="reduce the corpus of the work folder")
    parser.add_argument("--blind", action="store_true", help="without atheris")
    parser.add_argument("--hostile", action="store_true", help="by plan and not by chance")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    names = args.targets or list(HOSTILE if args.hostile else INPUTS)
    if not (args.blind or args.hostile) and Path(sys.prefix) == environment.HOME:
        environment.prepare(("fuzz",))
    if args.child and args.hostile:
        fuzz_hostilely(names[0], args.seed)
    if args.child:
        (fuzz_blindly if args.blind else fuzz)(names[0], args.inputs, args.seed, args.work)
    if args.keep:
        keep(names, args.work)
        return 0
    print(f"seed {args.seed}", flush=True)
    counts = {name: args.inputs or int(args.factor * INPUTS[name]) for name in names}
    held = [run(name, count, args) for name, count in counts.items()]
    asked = "all" if args.hostile else sum(counts.values())
    print(f"{asked} inputs asked for, {held.count(False)} of {len(held)} failed")
    return 0 if all(held) else 1
