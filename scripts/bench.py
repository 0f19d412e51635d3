#!/usr/bin/env python3
"""What is fast and how fast: `python3 scripts/bench.py [NAME ...] [--json]`, or a longer one.

Names of figures, or nothing, measure what we quote of this machine (`scripts/bench/figures.py`).
The longer measurements have names and options of their own: `python3 scripts/bench.py NAME [...]`;
`--help` lists both.
"""

from __future__ import annotations

import os
import sys

# The folder of a script is not searched when PYTHONSAFEPATH is set.  A process that this one starts
# reads this file as well, and has our path already.
if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from scripts import runner

FIGURES = "figures"  # What is meant where no other is named.


def main(arguments: list[str]) -> int:
    """Measure the figures, or start what is named."""
    is_named = arguments[:1] and (arguments[0] in ("-h", *runner.commands("bench"))
                                  or arguments == ["--help"])  # fmt: skip
    return runner.run("bench", arguments if is_named else [FIGURES, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
