"""What an audit shares with the code that plays is a short list; each new file is decided on."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
JUDGED_WITH: Final = {  # As the docstring of `p2p.audit` says, with what these need themselves.
    "p2p.game.equivalents", "p2p.game.hurry",
    "p2p.log.claim", "p2p.log.files", "p2p.log.game_file", "p2p.log.membership_change",
    "p2p.log.notes", "p2p.log.objection",
    "p2p.log.membership.evidence", "p2p.log.membership.log", "p2p.log.membership.messages",
}  # fmt: skip


def test_every_file_of_the_players_side_is_forbidden_to_an_audit_or_named_as_shared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (audit,) = [each for each in contracts if each.get("source_modules") == ["p2p.audit"]]
    forbidden = set(audit["forbidden_modules"])
    folders = [ROOT / "p2p" / name for name in ("game", "log")]
    paths = [path.relative_to(ROOT) for folder in folders for path in folder.rglob("*.py")]
    modules = {".".join(path.with_suffix("").parts) for path in paths if path.stem != "__init__"}
    assert modules - forbidden == JUDGED_WITH
