"""First starts where something is in the way, and compiling that is said and that ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pexpect
import pytest

from scripts import compile as compiling
from scripts import environment
from tests.clones import PYTHON, Clone, make_clone, make_wheel

LIMIT_S = 120
# Stands in for the compiler: says how it was started, and waits as the real one does.
COMPILER = """
import os, sys, pathlib
place = pathlib.Path(__file__).with_name("compiling")
place.write_text(f"{sys.argv[1:]} {os.nice(0)} {os.getpgrp() == os.getpid()}")
os.read(0, 1)
place.with_name("ended").write_text("")
"""
WITH_A_COMPILER = """
import sys
sys.path.insert(0, {folder!r})
import environment, play
environment.has_compiler = lambda: True
sys.exit(play.main(sys.argv[1:]))
"""
ASKING = "import pebble\nprint('playing')\ninput()\nprint('goodbye')\n"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """A clone that has never been started."""
    return make_clone(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A clone that has been started once; its tests leave its environment in working order."""
    clone = make_clone(tmp_path_factory.mktemp("shared"))
    assert clone.play().returncode == 0
    return clone


@pytest.fixture
def started(shared: Clone, tmp_path: Path) -> Iterator[Clone]:
    """The same, with its own scripts and program again for whoever comes next."""
    kept = [shutil.copytree(shared.root / name, tmp_path / name) for name in ("scripts", "ui")]
    yield shared
    for folder in kept:
        shutil.rmtree(shared.root / folder.name)
        folder.rename(shared.root / folder.name)


# ---- compiling behind somebody's back ----


@pytest.fixture
def beside_a_compiler(started: Clone) -> Iterator[tuple[pexpect.spawn, Path]]:
    """A program at a terminal, on a machine with a compiler; and where that leaves its notes."""
    scripts = started.root / "scripts"
    (scripts / "compile.py").write_text(COMPILER, "utf-8")
    (scripts / "start.py").write_text(WITH_A_COMPILER.format(folder=str(scripts)), "utf-8")
    (started.root / "ui" / "__main__.py").write_text(ASKING, "utf-8")
    program = pexpect.spawn(PYTHON, [str(scripts / "start.py")], encoding="utf-8", timeout=LIMIT_S)
    yield program, scripts
    program.close(force=True)


def until_there(path: Path) -> str:
    """What a file says as soon as it has been written."""
    waiting = "import os, sys, time\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.01)"
    subprocess.run([PYTHON, "-c", waiting, str(path)], timeout=LIMIT_S, check=True)
    return path.read_text("utf-8")


@pytest.mark.parametrize("end", ["goodbye", "kill"])
def test_compiling_is_said_before_the_program_begins_and_ends_with_it(
    beside_a_compiler: tuple[pexpect.spawn, Path], end: str
) -> None:
    program, scripts = beside_a_compiler
    program.expect("Compiling rules and search while you play, once, at low priority: .*\n")
    program.expect("playing")
    said = until_there(scripts / "compiling")
    assert said.startswith("['--later']") and said.endswith("True"), "with a group of its own"
    assert not (scripts / "ended").exists()
    if end == "kill":
        program.kill(9)
    else:
        program.sendline("")
        program.expect("goodbye")
    assert until_there(scripts / "ended") == ""


def test_whoever_wants_plain_source_is_told_nothing(started: Clone) -> None:
    (started.root / "scripts" / "compile.py").write_text(COMPILER, "utf-8")
    variables = {**os.environ, "HOSTLESS_PLAIN": "1"}
    command = [str(started.root / "scripts" / "play.py")]
    said, code = pexpect.run(
        PYTHON + " " + " ".join(f'"{each}"' for each in command),
        env=variables, withexitstatus=True, timeout=LIMIT_S,
    )  # fmt: skip
    assert (code, b"Compiling" in said) == (0, False), said
    assert not (started.root / "scripts" / "compiling").exists()


def test_a_compiler_whose_program_ends_is_ended_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = compiling.Program()
    reading, writing = os.pipe()

    def build(target: Path, python: Path) -> None:
        os.close(writing)  # The program ends while this is under way.
        compiling._run([str(python), "-c", "import time; time.sleep(9999)"], tmp_path, {})

    monkeypatch.setattr(compiling, "_program", program)
    monkeypatch.setattr(compiling, "build", build)
    monkeypatch.setattr(compiling, "DELAY_S", 0.0)
    monkeypatch.setattr(compiling.environment, "COMPILED", tmp_path / "compiled")
    monkeypatch.setattr(compiling.environment, "has_compiler", lambda: True)
    program.wait_beside(reading)
    with pytest.raises(compiling.CompileError, match="has ended"):
        compiling.compile_all(Path(PYTHON))
    assert list((tmp_path / "compiled").iterdir()) == []
    os.close(reading)


def test_a_program_that_is_over_before_its_compiler_begins_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = compiling.Program()
    reading, writing = os.pipe()
    os.close(writing)
    monkeypatch.setattr(compiling, "DELAY_S", float(LIMIT_S))
    program.wait_beside(reading)
    assert program.has_ended.is_set()
    late = subprocess.Popen(
        [PYTHON, "-c", "import time; time.sleep(9999)"], text=True, stdout=subprocess.PIPE
    )
    program.take_along(late)
    late.communicate(timeout=LIMIT_S)
    assert late.returncode != 0
    os.close(reading)


# ---- environments that are no good ----


def half_made(home: Path) -> None:
    """The power failed while libraries were installed."""
    (home / "bin").mkdir(parents=True)


def torn(home: Path) -> None:
    """The disk has lost what it was made from."""
    half_made(home)
    (home / "made-from-libraries").write_bytes(bytes(range(256)))


def a_folder(home: Path) -> None:
    """Something that nobody would expect."""
    (home / "made-from-libraries").mkdir(parents=True)


def a_file(home: Path) -> None:
    """No environment at all."""
    home.write_text("", "utf-8")


def nowhere(home: Path) -> None:
    """A link whose target is gone."""
    home.symlink_to(home.with_name("gone"))


@pytest.mark.parametrize("spoil", [half_made, a_folder, a_file, nowhere])
def test_an_environment_that_is_none_is_made_again(clone: Clone, spoil: object) -> None:
    assert callable(spoil)
    spoil(clone.environment)
    done = clone.play()
    assert (done.returncode, done.stdout) == (0, "[] 1 True\n"), done.stderr
    assert "Traceback" not in done.stderr


def test_what_another_python_has_made_is_made_again(started: Clone) -> None:
    stamp = started.environment / "made-from-libraries"
    stamp.write_text(stamp.read_text("utf-8").replace("3.", "4."), "utf-8")
    done = started.play()
    assert (done.returncode, "Preparing" in done.stderr) == (0, True)


def test_an_environment_that_cannot_be_started_says_what_helps(started: Clone) -> None:
    python = started.environment / "bin" / "python"
    python.unlink()
    python.write_text("no program\n", "utf-8")
    done = started.play()
    assert done.returncode == 1
    assert done.stderr.endswith("Start it again with --fresh.\n")
    assert "Traceback" not in done.stderr
    assert started.play("--fresh").returncode == 0


def test_libraries_that_lie_elsewhere_are_not_taken_for_installed(clone: Clone) -> None:
    """The environment does not look there, and would then lack them."""
    elsewhere = clone.wheels.parent / "elsewhere"
    shutil.unpack_archive(clone.wheels / "pebble-1.0-py3-none-any.whl", elsewhere, "zip")
    arguments = ("--wheels", str(clone.wheels))
    done = clone.run("play.py", *arguments, variables={"PYTHONPATH": str(elsewhere)})
    assert (done.returncode, done.stdout) == (0, "[] 1 True\n"), done.stderr


# ---- where the environment is ----


def test_the_environment_may_be_elsewhere(clone: Clone, tmp_path: Path) -> None:
    home = tmp_path / "여기 있다"
    arguments = ("--wheels", str(clone.wheels), "carta")
    done = clone.run("play.py", *arguments, variables={"HOSTLESS_VENV": str(home)})
    assert done.stdout == "['carta'] 1 True\n", done.stderr
    assert (home / "made-from-libraries").exists()
    assert not clone.environment.exists()
    again = clone.run("play.py", variables={"HOSTLESS_VENV": str(home)})
    assert (again.stdout, again.stderr) == ("[] 1 True\n", "")


@pytest.mark.parametrize("why", ["read-only", "noexec"])
def test_a_clone_that_cannot_hold_libraries_has_them_in_a_folder_of_ones_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, why: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(environment, "ROOT", tmp_path / "clone")
    flags = SimpleNamespace(f_flag=8 * (why == "noexec"))
    monkeypatch.setattr(os, "ST_NOEXEC", 8, raising=False)
    monkeypatch.setattr(os, "statvfs", lambda folder: flags, raising=False)
    monkeypatch.setattr(os, "access", lambda *_: why == "noexec")
    home = environment._find_home()
    assert home.parent == tmp_path / "hostless"
    assert home.name.startswith("venv-")
    monkeypatch.setattr(environment, "ROOT", tmp_path / "another clone")
    assert environment._find_home() not in (home, environment.ROOT / ".venv")


def test_a_clone_that_can_is_left_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOSTLESS_VENV", raising=False)
    assert environment._find_home() == environment.ROOT / ".venv"


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("linux", ".cache"), ("darwin", "Library/Caches")],
)
def test_each_system_has_its_folder_for_what_can_be_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, folder: str
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert environment._caches() == tmp_path / folder


def test_many_first_starts_with_a_damaged_environment_are_one(clone: Clone) -> None:
    torn(clone.environment)
    make_wheel(clone.wheels, "pebble", "1.1", {"pebble.py": "WEIGHT = 1\n"})
    wheels = ("--wheels", str(clone.wheels))
    processes = [clone.start("play.py", *wheels) for _ in range(2)]
    told = [process.communicate(timeout=LIMIT_S) for process in processes]
    assert [out for out, _ in told] == ["[] 1 True\n"] * 2
    assert sum("the libraries, once" in err for _, err in told) == 1
