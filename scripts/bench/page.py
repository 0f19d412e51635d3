"""Today's figures as a page: what `scripts/bench.py --json` prints, in docs/figures.md.

    bench.py page                    measures everything and writes the page anew
    bench.py page shuffle share      measures these; what was measured before stays
    chrt -r 1 python3 scripts/bench.py page    before all other programs of a busy machine

Each part of the page names its command, its day and the machine.  A test holds the page against
this script, so a figure cannot be changed by hand without changing what was said of it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "figures.md"
HEAD: Final = """# Figures

What `python3 scripts/bench.py` measured last; `python3 scripts/bench.py page` writes it. Four peers
are four processes of one machine; on a LAN each has its own. What these figures consist of, and
how they came to be, is in the lab: [shuffles, audits, key presses](lab/figures.md),
[rules and search](lab/speed.md).
"""
_ROW: Final = re.compile(r"^\| (.+) \| ([\d,]+\.\d\d) \| (\S+) \|$", re.MULTILINE)
_PART: Final = re.compile(r"^## (\S+)\n\n(.+)\n\n", re.MULTILINE)


class Part(NamedTuple):
    """One bench of the page: when and where it was measured, and its figures."""

    said: str
    figures: tuple[tuple[str, float, str], ...]


def render(parts: Mapping[str, Part]) -> str:
    """The whole page."""
    pieces = [HEAD]
    for name, part in parts.items():
        rows = [f"| {what} | {value:,.2f} | {unit} |" for what, value, unit in part.figures]
        table = "\n".join(["| figure | | |", "|---|---:|---|", *rows])
        pieces.append(f"## {name}\n\n{part.said}\n\n{table}\n")
    return "\n".join(pieces)


def read(page: str) -> dict[str, Part]:
    """The parts of a page, by bench.

    >>> read(render({"share": Part("Today.", (("3 cards", 0.5, "ms"),))}))
    {'share': Part(said='Today.', figures=(('3 cards', 0.5, 'ms'),))}
    """
    parts = {}
    for found in _PART.finditer(page):
        following = _PART.search(page, found.end())
        text = page[found.end() : following.start() if following else len(page)]
        rows = [
            (what, float(value.replace(",", "")), unit) for what, value, unit in _ROW.findall(text)
        ]
        parts[found[1]] = Part(found[2], tuple(rows))
    return parts


def measure(names: Iterable[str]) -> dict[str, Part]:
    """What the benches give now; with no names all of them."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    command = [sys.executable, str(ROOT / "scripts" / "bench.py"), "--json", *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    rows: dict[str, list[tuple[str, float, str]]] = {}
    for line in done.stdout.splitlines():
        figure = json.loads(line)
        place = rows.setdefault(figure["bench"], [])
        place.append((figure["what"], round(figure["value"], 2), figure["unit"]))
    day = datetime.now(UTC).date().isoformat()
    return {name: Part(_said(name, day, load), tuple(found)) for name, found in rows.items()}


def _said(name: str, day: str, load: float) -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()}, {os.cpu_count()} cores, {python}, load {load:.1f} before"
    return f"`{_first()}python3 scripts/bench.py {name}`, {day}, {machine}."


def _first() -> str:
    """What lets this program come before others, if it does."""
    can_say = hasattr(os, "sched_getscheduler")
    return "chrt -r 1 " if can_say and os.sched_getscheduler(0) == os.SCHED_RR else ""


def main(arguments: list[str]) -> int:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description="Write docs/figures.md anew.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="benches, as in bench.py")
    names = parser.parse_args(arguments).names
    known = read(PAGE.read_text("utf-8")) if PAGE.exists() else {}
    PAGE.write_text(render(known | measure(names)), "utf-8")
    print(f"{PAGE.relative_to(ROOT)} is written.")
    return 0
