"""Which firewall this machine has, as far as that can be seen, and what lets a table through it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ui.doctor.finding import Finding, State

_ANSWER_S: Final = 5.0
MAC_TOOL: Final = "/usr/libexec/ApplicationFirewall/socketfilterfw"
UFW: Final = Path("/etc/ufw/ufw.conf")
FIREWALLD: Final = (Path("/run/firewalld"), Path("/run/firewalld.pid"))

_Run = Callable[[list[str]], str | None]


def run_tool(command: list[str]) -> str | None:
    """What a tool of the system prints; None where it is missing, refuses or takes too long."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_ANSWER_S,
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def firewalls(is_silent: bool, run: _Run = run_tool, system: str = sys.platform) -> list[Finding]:
    """What stands between this machine and others; it weighs more when probes did not come back."""
    state: State = "warning" if is_silent else "ok"
    look = {"win32": _windows, "darwin": _mac}.get(system, _linux)
    found = [Finding("firewall", state, says, {"program": sys.executable}, advice)
             for says, advice in look(run)]  # fmt: skip
    return found or [Finding("firewall", "ok", "no_firewall")]


def _windows(run: _Run) -> Iterator[tuple[str, str]]:
    yield "firewall_windows", "allow_windows"


def _mac(run: _Run) -> Iterator[tuple[str, str]]:
    answer = run([MAC_TOOL, "--getglobalstate"])
    if answer is None or "disabled" not in answer:
        yield "firewall_mac", "allow_mac"


def _linux(run: _Run) -> Iterator[tuple[str, str]]:
    if _is_ufw_on():
        yield "firewall_ufw", "allow_ufw"
    elif any(path.exists() for path in FIREWALLD):
        yield "firewall_firewalld", "allow_firewalld"
    else:
        yield from _tables(run)


def _is_ufw_on() -> bool:
    try:
        return "ENABLED=yes" in UFW.read_text("utf-8", errors="replace")
    except OSError:
        return False


def _tables(run: _Run) -> Iterator[tuple[str, str]]:
    """The rules themselves, which only root may read."""
    rules = run(["nft", "list", "ruleset"])
    if rules is not None and "hook input" in rules:
        yield "firewall_nft", "allow_nft"
    elif rules is None and shutil.which("nft") and sys.platform != "win32" and os.geteuid() != 0:
        yield "firewall_unseen", "read_nft"
