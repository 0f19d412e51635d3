"""Bots for the seats of a table that I open: each a process and a peer of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio

from ui.commands.passwords import PASSWORD_VARIABLE

if TYPE_CHECKING:
    from p2p.node import LaunchBot

NAMES: Final = ("Mistral", "Sirocco", "Zephyr", "Bora", "Föhn", "Monsoon")
LOG_NAME: Final = "bot.log"


def launcher(home: Path, sponsor: bytes) -> LaunchBot:
    """Runs bots under `home`; cancelling one ends its process."""

    async def launch(number: int, errand: list[str], password: str) -> None:
        folder = home / "bots" / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-P", "-m", "ui", "bot", *errand, "--home", str(folder),
                   "--as", NAMES[number % len(NAMES)], "--sponsor", sponsor.hex()]  # fmt: skip
        environment = {
            **os.environ,
            # A bot finds our packages, compiled or not, wherever this process has found them.
            "PYTHONPATH": os.pathsep.join(each for each in sys.path if each),
            PASSWORD_VARIABLE: password,  # Where no list of processes shows it.
        }
        with (folder / LOG_NAME).open("ab") as log:
            await trio.run_process(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                check=False, env=environment,
            )  # fmt: skip

    return launch
