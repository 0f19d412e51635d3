"""The installed front door.

The repository's packages are called core, p2p, ai and ui: good names here, rude names in somebody's
site-packages.  The wheel keeps them in ``hostless/_app``, and this file puts that one folder first
on the path of this one process; what other programs import stays theirs.  In a clone there is no
``_app`` and nothing happens.

    import hostless   # from here on, in this process,
    import core       # these are ours.
"""

import sys
from pathlib import Path

_APP = Path(__file__).resolve().parent / "_app"
if _APP.is_dir() and str(_APP) not in sys.path:
    sys.path.insert(0, str(_APP))


def main() -> int:
    """Start the program; returns its exit code."""
    from ui.__main__ import main as run

    return run()
