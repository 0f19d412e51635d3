"""Check a game file: what opened, and whether every check holds."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.p2p.verifier.rulebook import audit
from tests.p2p.verifier.values import Refused

if __name__ == "__main__":
    try:
        found = audit(Path(sys.argv[1]).read_bytes())
    except Refused as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
    print("\n".join(found.lines()))
    sys.exit(1 if found.reading.convicted else 0)
