"""Bad input is answered with one true sentence and the right exit code, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.bad_inputs import CASES, FOLDERS, lay_out, try_out

PAGE = Path(__file__).parents[2] / "docs" / "lab" / "bad-input.md"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files of the cases lie, at a terminal that asks for English."""
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, value in (("LC_ALL", ""), ("LANG", "C.UTF-8"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("HOSTLESS_PASSWORD", raising=False)
    monkeypatch.delenv("PYTHONUTF8", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(("line", "code", "part"), CASES, ids=[line for line, _, _ in CASES])
def test_bad_input_is_one_sentence_and_the_right_exit_code(line: str, code: int, part: str) -> None:
    was, said = try_out(line)
    assert part in said
    assert was == code
    said_lines = said.splitlines()
    assert len(said_lines) == 1 + said.count("This machine is on no network: only"), said
    assert all(each.startswith("hostless") for each in said_lines)


def test_the_page_shows_every_case_and_what_it_prints() -> None:
    """`python -m tests.ui.bad_inputs > docs/lab/bad-input.md` writes it anew."""
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == [line for line, _, _ in CASES]
    for row, (_, code, part) in zip(rows, CASES, strict=True):
        assert f"| {code} |" in row and part in row.replace("\\|", "|")


def test_nothing_is_made_of_what_cannot_be_done(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    for line, code, _ in CASES[:12]:
        assert try_out(line)[0] == code
    assert sorted(path.name for path in folder.iterdir()) == before
    assert set(FOLDERS) <= set(before)
