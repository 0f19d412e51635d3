"""What of a game file is the log, and the same on all machines: by this, files are compared.

The rest is one machine's own knowledge: evidence, and a claim.  Two honest files of one game may
hold different parts of that, and in other places.
"""

from __future__ import annotations

from pathlib import Path

from p2p.base.wire import encode
from p2p.log.game_file import read_game


def log_in(path: Path) -> list[bytes]:
    """The roster, and the entries behind it.

    Raises:
        GameFileError: it is no game file.
    """
    record = read_game(path)
    return [encode(record.roster.plain()), *(raw for _, raw in record.entries)]
