"""The private environment of a clone: ``.venv``, made once, shared by play.py and check.py.

Standard library only, and no pip is needed inside it: Debian has venv without ensurepip, so the
environment is made empty and filled from outside with ``pip --python`` (pip 22.3 and newer), which
the "externally managed" rule of PEP 668 allows.  Only wheels are installed; nothing is built.

Two starts at once are the normal case at a LAN party with one shared folder.  One of them holds
the lock and prepares, the others wait and find the work done.  A stamp, written last, says what the
environment was made from; without a fitting stamp it is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Final

ROOT: Final = Path(__file__).resolve().parents[1]
HOME: Final = ROOT / ".venv"
PYTHON: Final = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LIBRARIES: Final = ""  # The name of the group that is always there: what the program itself needs.
LOCK_WAIT_S: Final = 600.0
LOCK_POLL_S: Final = 0.1

COMPILED: Final = HOME / "compiled"
PLAIN: Final = "HOSTLESS_PLAIN"  # Set to 1, the program runs from its plain source.
_COMPILER: Final = ROOT / "scripts" / "compile.py"

_LOCK: Final = ROOT / ".venv.lock"
_BEFORE: Final = ROOT / ".venv.before"
# A foreign PYTHONPATH could hold a `core` of its own, and it would win.
_FOREIGN: Final = ("PYTHONPATH", "PYTHONHOME")
_NO_NETWORK: Final = ("NewConnectionError", "NameResolutionError", "TimeoutError", "ProxyError")


class SetupError(Exception):
    """The environment cannot be made; the text is one line that says what to do."""


def prepare(groups: Sequence[str] = (), wheels: Path | None = None, fresh: bool = False) -> None:
    """Make ``.venv`` hold the libraries and the dependency groups, unless it does already.

    Raises:
        SetupError: it could not; what was there before is there still.
    """
    wanted = (LIBRARIES, *groups)
    if not fresh and all(_is_ready(group) for group in wanted):
        return
    try:
        with _alone():
            if fresh or not _is_ready(LIBRARIES):
                _remake(wheels)
            for group in groups:
                if not _is_ready(group):
                    _say(f"Preparing .venv: the {group} tools, once ...")
                    _install(requirements(group), wheels)
                    _stamp(group).write_text(_made_from(group), "utf-8")
    except (OSError, ValueError) as error:
        raise SetupError(f"hostless cannot prepare {HOME}: {error}.") from error


def download(folder: Path) -> None:
    """Put the wheels of all libraries into `folder`, for machines without internet.

    Raises:
        SetupError: a wheel could not be fetched.
    """
    prepare()
    folder.mkdir(parents=True, exist_ok=True)
    _run_pip("download", ["--dest", str(folder), *requirements(LIBRARIES)])


def environ() -> dict[str, str]:
    """The environment variables for a program in ``.venv``, without foreign import paths."""
    return {name: value for name, value in os.environ.items() if name not in _FOREIGN}


def become(arguments: Sequence[str]) -> int:
    """Turn this process into the environment's Python; returns only on Windows.

    ``-P`` keeps the current folder, which may hold a `core` of its own, out of the search.  Rules
    and search that have been compiled from the very source of this clone are found first.
    """
    command = [str(PYTHON), "-P", *arguments]
    variables = environ()
    compiled = find_compiled()
    if compiled:
        variables["PYTHONPATH"] = str(compiled)
    if os.name != "nt":  # An exec on Windows would let go of the console.
        os.execve(PYTHON, command, variables)
    return outlast(subprocess.Popen(command, env=variables))


def outlast(program: subprocess.Popen[bytes]) -> int:
    """The exit code of a program, for which Ctrl-C is meant: it says goodbye, and then we end."""
    while True:
        with contextlib.suppress(KeyboardInterrupt):
            return program.wait()


def enter(groups: Sequence[str] = ()) -> None:
    """Go on as the environment's Python, unless this one is of an environment of somebody's own."""
    if sys.prefix != sys.base_prefix:
        return
    try:
        prepare(groups)
    except SetupError as error:
        sys.exit(str(error))
    sys.exit(become(sys.argv))


def find_compiled() -> Path | None:
    """The folder with rules and search compiled from the source as it is now, if there is one."""
    folder = COMPILED / source_stamp()
    is_wanted = os.environ.get(PLAIN, "0") in ("", "0")
    return folder if is_wanted and (folder / "ready").exists() else None


def source_stamp() -> str:
    """16 hex digits of everything that a compiled build depends on, this machine included."""
    told = hashlib.sha256("\n".join((sys.version, platform.platform(), str(ROOT))).encode())
    for path in (*compiled_source(), _COMPILER):
        if path.exists():
            told.update(f"\n{path.relative_to(ROOT).as_posix()}\n".encode() + path.read_bytes())
    return told.hexdigest()[:16]


def compiled_source() -> list[Path]:
    """The files of the packages of which some modules are compiled."""
    return sorted(path for name in ("core", "ai") for path in (ROOT / name).rglob("*.py"))


def compile_later() -> None:
    """Have rules and search compiled while the program runs, where that asks nobody for anything.

    Only at a terminal, where a person plays; only once for a state of the source; and only with a
    compiler and Python's headers at hand.
    """
    is_tried = (COMPILED / source_stamp()).exists()
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if is_tried or not is_terminal or not _COMPILER.exists() or not has_compiler():
        return
    subprocess.Popen(
        [sys.executable, "-P", str(_COMPILER), "--later"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # The program may end, or its terminal close, before this does.
    )


def has_compiler() -> bool:
    """Whether this machine can build Python extensions, and nobody has asked for plain source."""
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    command = (sysconfig.get_config_var("CC") or "").split()
    found = bool(command) and shutil.which(command[0]) is not None
    found = found and sys.implementation.name == "cpython"  # The only one that mypyc knows.
    return found and headers.exists() and os.environ.get(PLAIN, "0") in ("", "0")


def requirements(group: str) -> list[str]:
    """What pyproject.toml asks for: the libraries, or the dependency group of that name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    chosen = project["dependency-groups"][group] if group else project["project"]["dependencies"]
    assert all(isinstance(line, str) for line in chosen), "Nested groups are not for scripts."
    return list(chosen)


def _made_from(group: str) -> str:
    """This place, this Python, these libraries: a change of any of them means: make it again."""
    parts = [str(ROOT), sys.version, sys.base_prefix, *requirements(LIBRARIES)]
    if group:
        parts += [group, *requirements(group)]
    return "\n".join(parts) + "\n"


def _stamp(group: str) -> Path:
    return HOME / f"made-from-{group or 'libraries'}"


def _is_ready(group: str) -> bool:
    stamp = _stamp(group)
    return PYTHON.exists() and stamp.exists() and stamp.read_text("utf-8") == _made_from(group)


def _remake(wheels: Path | None) -> None:
    """Make ``.venv`` from nothing, or leave what was there before."""
    _say("Preparing .venv: the libraries, once ...")
    shutil.rmtree(_BEFORE, ignore_errors=True)
    if HOME.exists():
        HOME.rename(_BEFORE)
    try:
        venv.create(HOME, with_pip=False, symlinks=os.name != "nt")
        _install(requirements(LIBRARIES), wheels)
        _link_clone()
        _stamp(LIBRARIES).write_text(_made_from(LIBRARIES), "utf-8")
    except BaseException:
        shutil.rmtree(HOME, ignore_errors=True)
        if _BEFORE.exists():
            _BEFORE.rename(HOME)
        raise
    shutil.rmtree(_BEFORE, ignore_errors=True)


def _link_clone() -> None:
    """Let the environment import the clone.

    The line is relative and so plain ASCII: Python 3.11 reads .pth files in whatever encoding the
    machine has, and clones lie in folders with any name.
    """
    place = {"base": str(HOME), "platbase": str(HOME)}
    folder = Path(sysconfig.get_path("purelib", "venv", place))
    (folder / "hostless-clone.pth").write_text(os.path.relpath(ROOT, folder) + "\n", "ascii")


def _install(chosen: Sequence[str], wheels: Path | None) -> None:
    offline = ["--no-index", "--find-links", str(wheels.resolve())] if wheels else []
    _run_pip("install", [*offline, *chosen])


def _run_pip(verb: str, arguments: Sequence[str]) -> None:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    command = [*_find_pip(), verb, *quiet, "--only-binary", ":all:", *arguments]
    done = _run(command)
    if done.returncode:
        raise SetupError(
            f"hostless could not {verb} its libraries: {_reason(done.stderr)}. Connect to the "
            "internet and start again, or install from a folder with --wheels DIR."
        )


def _find_pip() -> list[str]:
    """A command that runs some pip on ``.venv``: this Python's, its base's, or a bundled one."""
    for python in (sys.executable, getattr(sys, "_base_executable", sys.executable)):
        command = [python, "-P", "-m", "pip", "--python", str(PYTHON)]
        if _run([*command, "--version"]).returncode == 0:
            return command
    if _run([str(PYTHON), "-P", "-m", "ensurepip"]).returncode == 0:
        return [str(PYTHON), "-P", "-m", "pip"]
    raise SetupError(
        "hostless needs pip for its first start, and this Python has none. Install it "
        "(on Debian and Ubuntu: sudo apt install python3-pip) and start again."
    )


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False
    )


def _reason(stderr: str) -> str:
    """The part of pip's complaint that a person can use, without its full stop."""
    if any(name in stderr for name in _NO_NETWORK):
        return "the package index cannot be reached"
    complaints = [line for line in stderr.splitlines() if line.startswith("ERROR:")]
    return complaints[-1].removeprefix("ERROR:").strip().rstrip(".") if complaints else "pip failed"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Only one start prepares at a time.  The system lets go of the lock when a process dies."""
    lock = _wait_for_lock()
    try:
        yield
    finally:
        if os.name == "nt":  # Windows cannot remove an open file, nor one that a waiter has open.
            lock.close()
            with contextlib.suppress(PermissionError):
                _LOCK.unlink(missing_ok=True)
        else:
            _LOCK.unlink(missing_ok=True)
            lock.close()


def _wait_for_lock() -> IO[bytes]:
    started = time.monotonic()
    said = False
    while time.monotonic() - started < LOCK_WAIT_S:
        lock = _LOCK.open("ab")
        if _try_lock(lock) and _is_same_file(lock):
            return lock
        lock.close()
        if not said:
            _say("Another start is preparing .venv; waiting for it ...")
            said = True
        time.sleep(LOCK_POLL_S)
    raise SetupError(f"Another start has been preparing {HOME} for too long; end it and try again.")


def _try_lock(lock: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # Linux and Windows say "taken" in different words.
        return False
    return True


def _is_same_file(lock: IO[bytes]) -> bool:
    """Whether the file just locked still is the lock: its last holder may have removed it."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), _LOCK.stat())
    except FileNotFoundError:
        return False


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
