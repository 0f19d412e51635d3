"""Files that stay and files that take another's place, as each system wants it asked for."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from p2p.base import disk
from p2p.base.disk import REPLACE_TRIES, open_binary, replace, sync, sync_data
from p2p.log.files import GameFileError
from p2p.log.game_file import GameFile, read_game
from tests.p2p.room import Room


class System:
    """The calls of another system: what was asked for, in order, and what fails."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str) -> None:
        self.calls: list[str] = []
        self.failures: list[OSError] = []  # Of the next calls.
        self.slept_s = 0.0
        patch.setattr(disk, "sys", SimpleNamespace(platform=name))
        calls = {"fsync": self._call("fsync"), "replace": self._call("replace")}
        if name == "linux":
            calls["fdatasync"] = self._call("fdatasync")
        if name == "win32":
            calls["O_BINARY"] = 0x8000
            calls["open"] = lambda path, flags, mode: self.calls.append(f"open {flags:#x}")
        patch.setattr(disk, "os", SimpleNamespace(**calls))
        patch.setattr(disk, "time", SimpleNamespace(sleep=self._sleep))
        full = SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda _, what: self._call(f"fcntl {what}")())
        patch.setitem(sys.modules, "fcntl", full)

    def _call(self, name: str) -> Callable[..., None]:
        def call(*_: object) -> None:
            self.calls.append(name)
            if self.failures:
                raise self.failures.pop(0)

        return call

    def _sleep(self, seconds: float) -> None:
        self.slept_s += seconds


def test_on_linux_the_times_of_a_file_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, "linux")
    sync(3)
    sync_data(3)
    assert system.calls == ["fsync", "fdatasync"]


def test_on_a_mac_the_drive_is_asked_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, "darwin")
    sync(3)
    sync_data(3)
    assert system.calls == ["fcntl 51", "fcntl 51"]


def test_a_share_that_does_not_know_the_drive_is_asked_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = System(monkeypatch, "darwin")
    system.failures = [OSError(errno.ENOTSUP, "not here")]
    sync(3)
    assert system.calls == ["fcntl 51", "fsync"]


def test_a_disk_that_is_broken_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, "darwin")
    system.failures = [OSError(errno.EIO, "broken"), OSError(errno.EIO, "broken")]
    with pytest.raises(OSError, match="broken"):
        sync(3)


def test_on_windows_everything_is_waited_for_and_no_byte_is_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = System(monkeypatch, "win32")
    sync(3)
    sync_data(3)
    open_binary(Path("game"), os.O_RDWR, 0o600)
    assert system.calls == ["fsync", "fsync", f"open {os.O_RDWR | 0x8000:#x}"]


def test_a_file_that_a_scanner_looks_at_is_replaced_a_moment_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = System(monkeypatch, "win32")
    system.failures = [PermissionError(errno.EACCES, "used by another process")] * 3
    replace(Path("new"), Path("old"))
    assert system.calls == ["replace"] * 4
    assert 0.1 < system.slept_s < 1


def test_a_file_that_stays_open_elsewhere_is_given_up_after_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = System(monkeypatch, "win32")
    system.failures = [PermissionError(errno.EACCES, "used by another process")] * 99
    with pytest.raises(PermissionError):
        replace(Path("new"), Path("old"))
    assert system.calls == ["replace"] * REPLACE_TRIES
    assert system.slept_s == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("name", ["linux", "darwin"])
def test_elsewhere_a_refusal_is_one(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    system = System(monkeypatch, name)
    system.failures = [PermissionError(errno.EACCES, "not yours")]
    with pytest.raises(PermissionError):
        replace(Path("new"), Path("old"))
    assert system.calls == ["replace"]


def test_a_log_is_cut_where_open_files_cannot_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_file = make_ledger(tmp_path)
    opened = os.fstat(game_file._file)

    def refusing(new: Path, old: Path) -> None:
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(game_file._file)
        assert not any(is_open(path, opened) for path in Path("/proc/self/fd").glob("*"))
        os.replace(new, old)

    monkeypatch.setattr("p2p.log.game_file.replace", refusing)
    game_file.cut(1)
    game_file.append(b"another")
    game_file.close()
    assert [raw for _, raw in read_game(game_file.path).entries] == [b"one", b"another"]


def test_a_log_that_cannot_be_cut_is_said_and_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_file = make_ledger(tmp_path)

    def refusing(*_: object) -> None:
        raise PermissionError(errno.EACCES, "used by another process")

    monkeypatch.setattr("p2p.log.game_file.replace", refusing)
    with pytest.raises(GameFileError, match="used by another process"):
        game_file.cut(1)
    game_file.close()
    assert [raw for _, raw in read_game(game_file.path).entries] == [b"one", b"two"]


def is_open(path: Path, stat: os.stat_result) -> bool:
    """Whether this process has the file open there."""
    try:
        return os.path.samestat(path.stat(), stat)
    except OSError:
        return False


def make_ledger(folder: Path) -> GameFile:
    """A log of two entries."""
    game_file = GameFile.create(folder / "game.hostless", Room().roster)
    game_file.append(b"one")
    game_file.append(b"two")
    return game_file


def test_the_real_calls_do_what_they_should(tmp_path: Path) -> None:
    file = open_binary(tmp_path / "new", os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(file, b"a\nb")
    sync(file)
    sync_data(file)
    os.close(file)
    (tmp_path / "old").write_bytes(b"old")
    replace(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_bytes() == b"a\nb"
