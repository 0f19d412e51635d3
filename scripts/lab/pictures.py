"""Every screen of the program as a picture, in every size, language and look.

    lab.py pictures DIR                              all of them, as SVG and as text
    lab.py pictures DIR carta end --size 80x24       scenes with these words in their names
    lab.py pictures DIR table --language ko --look light --png     as PNG too, by chromium
    lab.py pictures -                                none is kept: only what is found is printed

Each picture is told what a node would tell; nothing is played on a network.  What can be found
without looking is printed: rows wider than their part of the screen, codes in place of words,
letters that do not stand out from their ground, and where a look changes more than colours.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.ui.browsing import CHROMIUM
from tests.ui.driving import CELL_WIDTH, QUIET, settled, svg_of, whole_text
from tests.ui.looks import LOOKS, changed, wear
from tests.ui.reading import complaints
from tests.ui.scenes import SIZES, app_for, scenes, show
from tests.ui.seeing import unreadable
from ui.app import HostlessApp
from ui.language.text import LANGUAGE_NAMES

MARGIN: Final = (20, 60)  # Of the frame in a picture, in which cells are twice as high as wide.


def size_of(text: str) -> tuple[int, int]:
    """The columns and rows of `80x24`."""
    columns, _, rows = text.partition("x")
    return int(columns), int(rows)


async def draw(
    name: str, language: str, size: tuple[int, int], args: argparse.Namespace
) -> list[str]:
    """One scene in every look that is asked for; gives what is wrong with it."""
    app = app_for(replace(QUIET, language=language))
    async with app.run_test(size=size, notifications=True) as pilot:
        await show(scenes()[name], pilot)
        await settled(pilot)
        title = f"{name}.{language}.{size[0]}x{size[1]}"
        found = [f"{title}: {each}" for each in complaints(app)]
        text = whole_text(app)
        for look in args.look:
            await wear(app, look, pilot)
            wrong = [*unreadable(app), *changed(text, whole_text(app))]
            found += [f"{title}, {look}: {each}" for each in wrong]
            if args.folder is not None:
                path = args.folder / f"{name}.{language}.{look}.{size[0]}x{size[1]}.svg"
                keep(app, path)
                if args.png:
                    photograph(path.resolve(), size)
    return found


def keep(app: HostlessApp, path: Path) -> None:
    """A picture, and its text beside it."""
    path.write_text(svg_of(app), encoding="utf-8")
    path.with_suffix(".txt").write_text(whole_text(app) + "\n", encoding="utf-8")


def photograph(path: Path, size: tuple[int, int]) -> None:
    """The PNG beside an SVG."""
    assert CHROMIUM is not None, "main has looked for it"
    columns, rows = size
    width, height = columns * CELL_WIDTH + MARGIN[0], rows * CELL_WIDTH * 2 + MARGIN[1]
    picture = path.with_suffix(".png")
    subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--window-size={width:.0f},{height:.0f}", f"--screenshot={picture}",
         path.as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip


def wanted(words: Sequence[str]) -> Iterator[str]:
    """The names of the scenes that have one of the words in them; without words, of all."""
    return (name for name in scenes() if not words or any(word in name for word in words))


def main(arguments: list[str]) -> int:
    """Draw; 0 when nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", metavar="DIR", help="where the pictures go; - for nowhere")
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the names of scenes")
    parser.add_argument("--size", type=size_of, action="append", metavar="80x24")
    parser.add_argument("--language", action="append", choices=tuple(LANGUAGE_NAMES))
    parser.add_argument("--look", action="append", choices=tuple(LOOKS))
    parser.add_argument("--png", action="store_true", help="by chromium, a second each")
    args = parser.parse_args(arguments)
    args.folder = None if args.folder == "-" else Path(args.folder)
    if args.png and CHROMIUM is None:
        print("There is no chromium here.", file=sys.stderr)
        return 1
    args.look = args.look or tuple(LOOKS)
    if args.folder is not None:
        args.folder.mkdir(parents=True, exist_ok=True)
    each = (wanted(args.words), args.language or LANGUAGE_NAMES, args.size or SIZES)
    drawn, found = 0, []
    for name, language, size in itertools.product(*each):
        wrong = asyncio.run(draw(name, language, size, args))
        print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
        found += wrong
        drawn += len(args.look)
    print(f"{drawn} pictures, {len(found)} complaints")
    return 1 if found else 0
