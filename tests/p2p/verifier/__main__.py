"""Check a game file: what opened, and whether every check holds."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.p2p.verifier.rulebook import audit
from tests.p2p.verifier.values import Refused


def main(path: str) -> int:
    """Tell it in lines; 0 if every check holds, else 1."""
    try:
        found = audit(Path(path).read_bytes())
    except Refused as wrong:
        print(f"{path}: {wrong}")
        return 1
    print("\n".join(found.lines()))
    return 1 if found.reading.convicted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
