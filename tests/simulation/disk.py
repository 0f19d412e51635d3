"""A disk that forgets what was not synced, in place of `os` and `p2p.base.disk` in the files.

Files are real files in a folder of the simulation.  What was written since the last `fsync` is
kept, lost, or cut anywhere when the plug of its machine is pulled, as the seed says.
"""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path
from typing import Any

from p2p.base.wire import FRAME_HEADER_BYTES, encode
from p2p.log.game_file import MAGIC, SUFFIX
from p2p.log.secrets_file import SECRET_SUFFIX
from tests.simulation.here import PulledPlugError, here
from tests.simulation.machine import Run

CUT_SHARE = 0.5  # Of what is damaged; a byte is wrong in the rest.
_ENTRY = encode(["entry", b""])[:-1]  # How the record of an entry begins.


class Disk:
    """The disks of all machines; whatever it does not do itself, the real `os` does."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._open: dict[int, tuple[Run, Path]] = {}
        self._synced: dict[Path, int] = {}
        self.trace = hashlib.sha256()

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Path, flags: int, mode: int) -> int:
        """Open a file of the machine that asks."""
        run = here()
        if run.is_dead:
            raise PulledPlugError
        file = os.open(path, flags, mode)
        self._open[file] = run, path
        size = os.fstat(file).st_size
        self._synced[path] = min(size, self._synced.get(path, size))
        return file

    def write(self, file: int, content: bytes | memoryview) -> int:
        """Append, perhaps a part only before the lights go out."""
        run, path = self._open[file]
        if run.is_dead:
            return len(content)
        self.trace.update(f"{run.number} {path.name} ".encode() + content)
        if run.is_torn_now():
            os.write(file, content[: self._rng.randint(0, len(content))])
            run.pull_plug()
            raise PulledPlugError
        return os.write(file, content)

    def fsync(self, file: int) -> None:
        """From now on what was written stays."""
        run, path = self._open[file]
        if run.is_dead:
            return
        if run.is_torn_now():
            run.pull_plug()
            raise PulledPlugError
        self._synced[path] = os.fstat(file).st_size

    def ftruncate(self, file: int, size: int) -> None:
        """Cut a file."""
        run, path = self._open[file]
        if not run.is_dead:
            os.ftruncate(file, size)
            self._synced[path] = min(size, self._synced[path])

    def replace(self, old: Path, new: Path) -> None:
        """Let a file take the place of another: at once, or not at all."""
        if not here().is_dead:
            os.replace(old, new)
            self._synced[new] = self._synced.pop(old)

    def close(self, file: int) -> None:
        """Let go of a file."""
        del self._open[file]
        os.close(file)

    def entries_on_disk(self, home: Path) -> int:
        """How many entries of its game a machine would find again."""
        counts = [0]
        for path, synced in self._synced.items():
            if home in path.parents and path.suffix == SUFFIX:
                content, offset, count = path.read_bytes()[:synced], len(MAGIC), 0
                while offset < len(content):
                    body = offset + FRAME_HEADER_BYTES
                    offset = body + int.from_bytes(content[offset:body])
                    count += content.startswith(_ENTRY, body) and offset <= len(content)
                counts.append(count)
        return max(counts)

    def is_on_disk(self, home: Path, content: bytes) -> bool:
        """Whether a machine would find this again, in any of its files."""
        return any(
            home in path.parents and content in path.read_bytes()[:synced]
            for path, synced in self._synced.items()
        )

    def damage(self, run: Run, *, loses_secrets: bool) -> None:
        """Cut a file of a game somewhere, or change a bit of it: it was on the disk for long.

        Or lose the secrets file as a whole.
        """
        files = sorted(each for each in self._synced if run.home in each.parents
                       and each.suffix in (SUFFIX, SECRET_SUFFIX))  # fmt: skip
        if loses_secrets:
            (path,) = (each for each in files if each.suffix == SECRET_SUFFIX)
            del self._synced[path]
            path.unlink()
            return
        path = self._rng.choice(files)
        content = bytearray(path.read_bytes())
        at = self._rng.randrange(len(content))
        if self._rng.random() < CUT_SHARE:
            del content[at:]
        else:
            content[at] ^= 1 << self._rng.randrange(8)
        path.write_bytes(content)
        self._synced[path] = len(content)

    def pull(self, run: Run) -> None:
        """Lose what a machine had not synced: all, nothing, or from some byte on."""
        for path, synced in self._synced.items():
            if run.home in path.parents:
                written = path.stat().st_size
                choices = (written, synced, self._rng.randint(synced, max(synced, written)))
                self._synced[path] = kept = self._rng.choice(choices)
                os.truncate(path, kept)
