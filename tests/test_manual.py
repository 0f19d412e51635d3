"""The manual page and the completion of shells say what the parser knows."""

from __future__ import annotations

import argparse
import importlib
import shutil
import subprocess
from types import ModuleType

import pytest

from tests.clones import ROOT
from ui.__main__ import _DID_NOT_HOLD, _DONE, WRONG_USAGE, main
from ui.commandline import completion
from ui.commandline.surface import make_parser


@pytest.fixture
def manual(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("manual")


def options() -> set[str]:
    """Every long option that is not for our own programs alone."""
    return {
        name
        for action in completion._actions(make_parser())
        for name in action.option_strings
        if name.startswith("--") and action.help != argparse.SUPPRESS
    }


def test_the_manual_page_is_that_of_the_parser(manual: ModuleType) -> None:
    """`python3 scripts/manual.py` writes it anew."""
    page = (ROOT / "docs" / "guide" / "hostless.1").read_text("utf-8")
    assert page == manual.page()
    assert all(name.replace("-", r"\-") in page for name in options())


def test_text_cannot_be_taken_for_a_command_of_roff(manual: ModuleType) -> None:
    assert manual._plain(".SH x\n'y\na-b\\c") == "\\&.SH x\n\\&'y\na\\-b\\ec"


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_shell_completes_commands_and_options(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--print-completion", shell]) == _DONE
    said = capsys.readouterr().out
    assert "hostless" in said and "renaissance" in said
    assert shell == "tcsh" or all(name in said for name in options())


def test_bash_completes_what_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--print-completion", "bash"]) == _DONE
    ask = "COMP_WORDS=(hostless play ca); COMP_CWORD=2; _shtab_hostless; echo ${COMPREPLY[@]}"
    script = f"{capsys.readouterr().out}\n{ask}\n"
    bash = shutil.which("bash")
    answered = "carta" if bash is None else subprocess.run(
        [bash, "--norc"], input=script, capture_output=True, text=True, check=True
    ).stdout.strip()  # fmt: skip
    assert answered == "carta"


def test_what_completion_needs_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--print-completion", "fish"]) == WRONG_USAGE
    assert "one of bash, zsh, tcsh" in capsys.readouterr().err
    monkeypatch.setattr(completion, "find_spec", lambda name: None)
    assert main(["--print-completion", "bash"]) == _DID_NOT_HOLD
    assert capsys.readouterr().err.endswith("needs one more package: pip install shtab\n")
