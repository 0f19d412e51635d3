"""The private environment of a clone: ``.venv``, made once, shared by play.py and check.py.

Standard library only, and no pip is needed inside it: Debian has venv without ensurepip, so the
environment is made empty and filled from outside with ``pip --python`` (pip 22.3 and newer), which
the "externally managed" rule of PEP 668 allows.  Only wheels are installed; nothing is built.

Where the clone cannot be written to, or no library may be loaded from its disk, the environment is
made in a folder of the person's own.

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
PLACE: Final = "HOSTLESS_VENV"  # Another folder for the environment, where it is set.
LIBRARIES: Final = ""  # The name of the group that is always there: what the program itself needs.
LOCK_WAIT_S: Final = 600.0
LOCK_POLL_S: Final = 0.1
EDITING_S: Final = 3600.0  # For so long after its last change source counts as being edited,
TOGETHER_S: Final = 300.0  # unless all of it was written within so long, as by a fresh clone.

PLAIN: Final = "HOSTLESS_PLAIN"  # Set to 1, the program runs from its plain source.
_COMPILER: Final = ROOT / "scripts" / "compile.py"
_held: Final[list[subprocess.Popen[bytes]]] = []  # Whose standard input stays open.

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
    if not fresh and all(_is_ready(group, HOME) for group in wanted):
        return
    try:
        HOME.parent.mkdir(parents=True, exist_ok=True)
        with _alone():
            if fresh or not _is_ready(LIBRARIES, HOME):
                _remake(wheels)
            for group in groups:
                if not _is_ready(group, HOME):
                    _say(f"Preparing .venv: the {group} tools, once ...")
                    _install(requirements(group), wheels)
                    _stamp(group, HOME).write_text(_made_from(group), "utf-8")
    except (OSError, ValueError) as error:
        raise SetupError(
            f"hostless cannot prepare {HOME}: {error}. Make room there, or name another folder: "
            f"{PLACE}=DIR."
        ) from error


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
    try:
        if os.name != "nt":  # An exec on Windows would let go of the console.
            os.execve(PYTHON, command, variables)
        program = subprocess.Popen(command, env=variables)
    except OSError as error:
        sys.exit(f"hostless cannot start {PYTHON}: {error}. Start it again with --fresh.")
    return outlast(program)


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
    """Have rules and search compiled while the program runs, and say so.

    Only at a terminal, where a person plays; only until a state of the source is compiled; and
    only with a compiler and Python's headers at hand.  It gives way to everything else, and ends
    with the program: that holds the other end of its standard input, whatever becomes of it.
    """
    is_tried = (COMPILED / source_stamp()).exists()
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if is_tried or not is_terminal or not _COMPILER.exists() or not has_compiler():
        return
    if _is_being_edited():
        _say(
            "Rules or bots were edited within the hour, so they are not compiled now; bots think "
            "slower. `python3 scripts/compile.py` compiles them, new games included."
        )
        return
    _say(
        "Compiling rules and search while you play, once, at low priority: bots then think ten "
        f"times as fast from the next start on. ({PLAIN}=1 leaves it out.)"
    )
    compiling = subprocess.Popen(
        [*_gently(), sys.executable, "-P", str(_COMPILER), "--later"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C at the terminal is not meant for it.
        creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
    )
    assert compiling.stdin is not None, "we asked for a pipe"
    os.set_inheritable(compiling.stdin.fileno(), True)  # By the program that we turn into.
    _held.append(compiling)


def _is_being_edited() -> bool:
    """Whether a file of rules or bots was written within the hour, and not with all the others.

    Who works on one would otherwise start a compiler with every state that is tried.
    """
    written = sorted(path.stat().st_mtime for path in compiled_source())
    is_fresh = bool(written) and time.time() - written[-1] < EDITING_S
    return is_fresh and written[-1] - written[len(written) // 2] > TOGETHER_S


def _gently() -> list[str]:
    """The start of a command that reads and writes only when nobody else does, if there is one."""
    for command in (["ionice", "-c", "3"], ["taskpolicy", "-b"]):  # Of Linux, of macOS.
        if shutil.which(command[0]):
            return command
    return []


def has_compiler() -> bool:
    """Whether this machine can build Python extensions, and nobody has asked for plain source."""
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    command = (sysconfig.get_config_var("CC") or "").split()
    found = bool(command) and shutil.which(command[0]) is not None
    found = found and sys.implementation.name == "cpython"  # The only one that mypyc knows.
    return found and headers.exists() and os.environ.get(PLAIN, "0") in ("", "0")


def requirements(group: str) -> list[str]:
    """What pyproject.toml asks for: the libraries, or the extra or dependency group of a name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = {**project["project"].get("optional-dependencies", {}), **project["dependency-groups"]}
    chosen = groups[group] if group else project["project"]["dependencies"]
    assert all(isinstance(line, str) for line in chosen), "Nested groups are not for scripts."
    return list(chosen)


def _made_from(group: str) -> str:
    """This place, this Python, these libraries: a change of any of them means: make it again."""
    parts = [str(ROOT), sys.version, sys.base_prefix, *requirements(LIBRARIES)]
    if group:
        parts += [group, *requirements(group)]
    return "\n".join(parts) + "\n"


def _stamp(group: str, home: Path) -> Path:
    return home / f"made-from-{group or 'libraries'}"


def _python_of(home: Path) -> Path:
    return home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _is_ready(group: str, home: Path) -> bool:
    try:
        made_from = _stamp(group, home).read_text("utf-8")
        return _python_of(home).exists() and made_from == _made_from(group)
    except (OSError, ValueError):  # Not there, half made, or somebody else's.
        return False


def _find_home() -> Path:
    """Where the environment is: in the clone, or where that cannot be, in a folder of one's own."""
    if os.environ.get(PLACE):
        return Path(os.environ[PLACE]).absolute()
    inside = ROOT / ".venv"
    if not _is_noexec(ROOT) and (os.access(ROOT, os.W_OK) or _is_ready(LIBRARIES, inside)):
        return inside
    told = hashlib.sha256(str(ROOT).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return _caches() / "hostless" / f"venv-{told}"


def _is_noexec(folder: Path) -> bool:
    """Whether no library may be loaded from there, as from some sticks and shares."""
    flag: int = getattr(os, "ST_NOEXEC", 0)
    return bool(flag) and bool(os.statvfs(folder).f_flag & flag)


def _caches() -> Path:
    """Where this system keeps what a program of this person can make again."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _remake(wheels: Path | None) -> None:
    """Make ``.venv`` from nothing, or leave what was there before."""
    _say("Preparing .venv: the libraries, once ...")
    _remove(_BEFORE)
    if os.path.lexists(HOME):
        HOME.rename(_BEFORE)
    try:
        venv.create(HOME, with_pip=False, symlinks=os.name != "nt")
        _install(requirements(LIBRARIES), wheels)
        _link_clone()
        _stamp(LIBRARIES, HOME).write_text(_made_from(LIBRARIES), "utf-8")
    except BaseException:
        shutil.rmtree(HOME, ignore_errors=True)
        if os.path.lexists(_BEFORE):
            _BEFORE.rename(HOME)
        raise
    _remove(_BEFORE)


def _remove(home: Path) -> None:
    """Remove an environment, or the file or link that stands in the place of one."""
    if home.is_dir() and not home.is_symlink():
        shutil.rmtree(home, ignore_errors=True)
    else:
        home.unlink(missing_ok=True)


def _link_clone() -> None:
    """Let the environment import the clone.

    Python 3.11 reads .pth files in whatever encoding the machine has, and clones lie in folders
    with any name: the line is plain ASCII, and in a clone relative, so that both move together.
    """
    place = {"base": str(HOME), "platbase": str(HOME)}
    folder = Path(sysconfig.get_path("purelib", "venv", place))
    line = os.path.relpath(ROOT, folder)
    if HOME.parent != ROOT:
        line = f"import sys; sys.path.append({str(ROOT)!a})"
    (folder / "hostless-clone.pth").write_text(f"{line}\n", "ascii")


def _install(chosen: Sequence[str], wheels: Path | None) -> None:
    offline = ["--no-index", "--find-links", str(wheels.resolve())] if wheels else []
    _run_pip("install", [*offline, *chosen])


def _run_pip(verb: str, arguments: Sequence[str]) -> None:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    command = [*_find_pip(), verb, *quiet, "--only-binary", ":all:", *arguments]
    done = _run(command, environ())  # Or pip takes what lies in foreign folders for installed.
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


def _run(
    command: Sequence[str], variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
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


HOME: Final = _find_home()
PYTHON: Final = _python_of(HOME)
COMPILED: Final = HOME / "compiled"
_LOCK: Final = HOME.with_name(f"{HOME.name}.lock")
_BEFORE: Final = HOME.with_name(f"{HOME.name}.before")
