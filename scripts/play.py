#!/usr/bin/env python3
"""Play from a clone.  Needs Python 3.11 or newer with pip, and nothing else.

    git clone <url of this repository> hostless
    python3 hostless/scripts/play.py

The first start makes a private environment in ``.venv`` inside the clone and installs the libraries
there; later starts are immediate.  Nothing outside the clone is written.  Where a C compiler is at
hand, rules and search are compiled in the background while the program runs, and later starts use
that as long as it fits the source; HOSTLESS_PLAIN=1 keeps to the plain source.  These options are
for this script; everything else goes to the program:

    --fresh             make the environment again
    --wheels DIR        install from a folder, for a table without internet
    --save-wheels DIR   fill that folder, on a machine with internet

This file keeps to words that Python 2.7 can read, so that an old one gets a sentence and not a
traceback.
"""

from __future__ import print_function

import os
import sys

if sys.version_info < (3, 11):
    sys.exit(
        "hostless needs Python 3.11 or newer, and this is Python %s. "
        "Start it with a newer one, for example: python3.11 %s"
        % (sys.version.split()[0], " ".join(sys.argv))
    )

# The folder of a script is not searched when PYTHONSAFEPATH is set.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import argparse
from pathlib import Path

import environment


def read_arguments(arguments):
    """What is for this script, and the rest, which is for the program."""
    parser = argparse.ArgumentParser("play.py", add_help=False, allow_abbrev=False)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--save-wheels", type=Path)
    return parser.parse_known_args(arguments)


def main(arguments):
    """Prepare when needed, then become the program."""
    mine, rest = read_arguments(arguments)
    try:
        groups = ("serve",) if "serve" in rest else ()
        environment.prepare(groups, wheels=mine.wheels, fresh=mine.fresh)
        if mine.save_wheels:
            environment.download(mine.save_wheels)
            return 0
        environment.compile_later()
    except environment.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return environment.become(["-m", "ui"] + rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
