"""What worker processes need before a screen takes the terminal, prepared in one place.

Python's multiprocessing keeps a small process that looks after all others (its resource tracker),
starts it with the first worker, and hands it the number of the standard error's file.  A screen
puts an object without a file in that place, and the start then fails with "bad value(s) in
fds_to_keep".  So whoever is about to open a screen, and whoever is about to start a worker, calls
`prepare` first.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stderr
from multiprocessing import resource_tracker


def prepare() -> None:
    """Start what looks after worker processes, if it is not running.

    Costs nothing when it is; may be called at any time, also while a screen is up, and starts it
    again where it has been killed.
    """
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()
