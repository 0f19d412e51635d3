"""Games of Dominion per second, by our rules and by pyminion's, measured turn and turn about.

    bench.py dominion --pyminion /tmp/pyminion/bin/python

Ours are played with everything that hides faces: what is drawn, shown and shuffled is asked for and
answered one by one, as on a table between machines; plain, and compiled where there is a compiler:
the rules with the strategies (`money.py`), and the rules only.  pyminion (0.4.0, in a Python of its
own) plays its own strategies, with its log switched off.  Times are of the processor; rounds
alternate, because the machine may be busy, and the median counts.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = ROOT / "scripts" / "bench"
STRATEGIES: Final = HERE / "money.py"
ROUNDS: Final = 5
GAMES: Final = 500
PAIRINGS: Final = (
    ("money", "money"), ("smithy", "smithy"), ("smithy", "money"), ("ultimate", "smithy"),
)  # fmt: skip
THEIR_BOTS: Final = {
    "money": "BigMoney", "smithy": "BigMoneySmithy", "ultimate": "BigMoneyUltimate",
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Measure, and print games per second and their ratios."""
    parser = argparse.ArgumentParser(description="Dominion beside pyminion.")
    parser.add_argument("--pyminion", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--compiled", type=Path, metavar="DIR",
                        help="keep the build here, or take the one that is there")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="in a round")
    parser.add_argument("--worker", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.worker:
        return work(args.games, *args.worker)
    with tempfile.TemporaryDirectory() as workshop:
        runs = engines(args.pyminion, (args.compiled or Path(workshop) / "built").resolve())
        for pairing in PAIRINGS:
            rates = {name: list[float]() for name in runs}
            for _ in range(args.rounds):
                for name, command in runs.items():
                    rates[name].append(_rate([*command, *pairing, "--games", str(args.games)]))
            _report(" against ".join(pairing), {n: statistics.median(r) for n, r in rates.items()})
    return 0


def engines(their_python: str, build: Path) -> dict[str, list[str]]:
    """The command that measures each engine that is here; what is missing is said."""
    me = [str(ROOT / "scripts" / "bench.py"), "dominion", "--worker"]
    worker = [sys.executable, "-P", *me]
    runs = {"plain": [*worker, os.pathsep.join((str(HERE), str(ROOT)))]}
    from scripts import compile as compiling
    from scripts import environment

    try:
        if not build.exists():
            environment.prepare(("compile",))
            compiling.build(build, environment.PYTHON, beside=[STRATEGIES])
        runs["compiled"] = [*worker, str(build)]
        runs["only the rules"] = [*worker, os.pathsep.join((str(HERE), str(build)))]
    except (compiling.CompileError, environment.SetupError) as error:
        print(f"Only the plain source is measured: {error}", file=sys.stderr)
    probe = subprocess.run(
        [their_python, "-c", "import pyminion"], capture_output=True, check=False
    )
    if probe.returncode:
        print(
            "pyminion is not here: pip install pyminion==0.4.0 in some Python, and name that "
            "with --pyminion",
            file=sys.stderr,
        )
    else:
        runs["pyminion"] = [their_python, "-P", *me, "pyminion"]
    return runs


def _rate(command: list[str]) -> float:
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return float(json.loads(done.stdout))


def _report(pairing: str, rates: dict[str, float]) -> None:
    theirs = rates.get("pyminion")
    for name, rate in rates.items():
        ratio = f"   {rate / theirs:6.2f} times pyminion" if theirs and name != "pyminion" else ""
        print(f"{pairing:24} {name:14} {rate:10,.0f} games/s{ratio}", flush=True)


def work(games: int, folders: str, *pairing: str) -> int:
    """Play so many games in this process, and print how many a second that were."""
    play = _theirs(pairing) if folders == "pyminion" else _ours(folders, pairing)
    play(-1)  # Imports and caches do not count.
    began = time.process_time()
    for seed in range(games):
        play(seed)
    print(json.dumps(games / (time.process_time() - began)))
    return 0


def _ours(folders: str, pairing: tuple[str, ...]) -> Callable[[int], object]:
    sys.path[:0] = folders.split(os.pathsep)
    import money

    return money.Ours(tuple(money.STRATEGIES[name] for name in pairing)).play


def _theirs(pairing: tuple[str, ...]) -> Callable[[int], object]:
    from pyminion.bots import examples
    from pyminion.expansions import base
    from pyminion.game import Game

    logging.disable(logging.CRITICAL)
    bots: list[Any] = [
        getattr(examples, THEIR_BOTS[name])(f"{name} {place}") for place, name in enumerate(pairing)
    ]
    cards = [base.smithy, base.village, base.market, base.laboratory, base.witch, base.militia,
             base.cellar, base.chapel, base.workshop, base.gardens]  # fmt: skip
    game = Game(bots, [base.base_set], cards, log_stdout=False)
    return lambda seed: game.play()
