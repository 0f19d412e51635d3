"""What the first paint waits for: the lobby, and nothing that only a table needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LATER = (
    *("zeroconf", "ifaddr", "rbcl", "cbor2", "cryptography.x509", "p2p.table.node"),
    *("p2p.log.replica", "ui.screens.table", "ui.plain", "markdown_it"),
)


def test_the_lobby_loads_nothing_that_only_a_table_needs() -> None:
    code = (
        "import sys, ui.commands.screen, ui.app, ui.bridge, p2p.base.identity; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "ui.screens.lobby" in loaded
    assert [name for name in LATER if name in loaded] == []
