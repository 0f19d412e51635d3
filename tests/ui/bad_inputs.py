"""Bad input to the command line: what is typed, what is said, and the exit code.

    python -m tests.ui.bad_inputs     prints the table of docs/lab/bad-input.md

Everything is tried in one process, in a folder with these files, on a machine with loopback alone.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final
from unittest import mock

from p2p.log.game_file import MAGIC
from p2p.table import finding
from ui.__main__ import main

HEAD: Final = """# What bad input is answered with

Every line is one sentence on standard error, without a traceback. Exit code 1: it could not be
done; 2: the command line was wrong. `python -m tests.ui.bad_inputs` prints this table, and
`tests/ui/test_bad_input.py` holds the program to it. The machine is on no network here.

| typed after `hostless` | exit code | what is said |
|---|---|---|
"""
FILES: Final = {
    "empty.hostless": b"",
    "rubbish.hostless": b"rubbish",
    "zeros.hostless": bytes(30),
    "newer.hostless": b"hostless game 14\nand so on",
    "headless.hostless": MAGIC,
    "torn.hostless": MAGIC + b"\x00\x00\x10",
    "file": b"in the way",
}
FOLDERS: Final = ("folder.hostless", "damaged")

# What is typed, the exit code, and a part of what has to be said.
CASES: Final[tuple[tuple[str, int, str], ...]] = (
    # the command and its options
    ("dance", 2, "COMMAND is one of play, learn, open"),
    ("plya carta", 2, "did you mean play?"),
    ("--frobnicate", 2, "unrecognized arguments: --frobnicate"),
    ("play carta --levl sharp", 2, "did you mean --level?"),
    ("play carta chess", 2, "unrecognized arguments: chess"),
    ("play carta --se 3", 2, "--se could match"),
    ("--lang", 2, "argument --lang: expected one argument"),
    ("--lang fr", 2, "--lang is one of en, ko, ja, not 'fr'"),
    ("--lang ko play", 2, "빠진 인자가 있습니다: GAME"),
    ("--lang ja play crta", 2, "もしかして carta?"),
    ("--log-level loud", 2, "--log-level is one of debug, info, warning, error"),
    ("--plain=yes", 2, "argument --plain: ignored explicit argument 'yes'"),
    # names and homes
    ("--as '' play carta", 2, "a name needs at least one printable character"),
    ("--as $'\\x01\\x02' play carta", 2, "a name needs at least one printable character"),
    (f"--as {'x' * 40} play carta", 2, "a name may have 32 characters, this one has 40"),
    ("--plain --home file play carta", 1, "cannot use file/profile.json: Not a directory"),
    ("--plain --home file/x play carta", 1, "choose another place with --home DIR"),
    ("--plain --home ~nobody-at-all play carta", 1, "nobody here has the home ~nobody-at-all"),
    ("--plain --home damaged play carta", 1, "damaged/identity.pem is damaged; put a copy back"),
    # games, seats, options
    ("play", 2, "the following arguments are required: GAME"),
    ("play chess", 2, "choose one of: carta, dominion, renaissance, civilization"),
    ("play crta", 2, "did you mean carta?"),
    ("play carta --seats 9", 2, "carta is for 2 to 4 seats, not 9"),
    ("play carta --seats two", 2, "a whole number of 1 to 7 digits is expected here, not 'two'"),
    ("play carta --seats -1", 2, "not '-1'"),
    ("play carta --level hard", 2, "--level is one of gentle, steady, sharp, strongest"),
    ("play carta --iterations many", 2, "a number of iterations is 0 to 1000000, not 'many'"),
    ("play carta --iterations 2000000", 2, "a number of iterations is 0 to 1000000"),
    ("play carta --option deal", 2, "an option is KEY=VALUE, not 'deal'"),
    ("play carta --option dael=draft", 2, "did you mean deal?"),
    ("play carta --option deal=poker", 2, "option deal takes one of basic, draft, not 'poker'"),
    ("play carta --option team=true", 2, "option team needs 4 seats, not 3"),
    ("referee chess", 2, "no game is called 'chess'"),
    # opening
    ("open carta --bots 7", 2, "3 seats leave room for 0 to 2 bots, not 7"),
    ("open carta --bots some", 2, "a whole number"),
    ("open carta --grace abc", 2, "a time to wait is 5 to 86400 whole seconds, not 'abc'"),
    ("open carta --grace 1", 2, "a time to wait is 5 to 86400 whole seconds, not '1'"),
    ("open carta --name ' '", 2, "argument --name: a name needs at least one printable"),
    ("open carta --port 99999", 2, "a port is a number from 1 to 65535, not '99999'"),
    ("open carta --password secret", 2, "unrecognized arguments: secret"),
    ("open carta --password", 1, "there is no terminal to type a password; set HOSTLESS_PASSWORD"),
    ("open carta", 1, "this is no terminal; use --plain for lines of text"),
    # finding and joining
    ("join :4000", 2, "':4000' is not an address; write HOST:PORT"),
    ("join 10.0.0.1:99999", 2, "'10.0.0.1:99999' is not an address"),
    ("join [::1:4000", 2, "'[::1:4000' is not an address"),
    ("--plain join den", 1, "No table called 'den' was seen: this machine is on no network"),
    ("--plain join", 1, "No table was seen: this machine is on no network; plug in a cable"),
    ("--plain join 127.0.0.1:9", 1, "the machine is there, but nothing listens at that port"),
    ("--plain join den.invalid:4000", 1, "no machine of that name is known here"),
    ("--plain watch den", 1, "this machine is on no network"),
    ("bot 127.0.0.1:9", 1, "nobody answers at 127.0.0.1:9"),
    ("--lang ko bot 127.0.0.1:9", 1, "127.0.0.1:9에서 응답이 없습니다"),
    ("bot --command /no/such/program", 1, "cannot start '/no/such/program'"),
    ("tables --wait soon", 2, "a time is a number of seconds, not 'soon'"),
    ("tables --wait nan", 2, "a time is a number of seconds, not 'nan'"),
    # files
    ("--plain --home empty resume", 1, "no game is kept in empty; name a file, or play one"),
    ("--plain resume none.hostless", 1, "Cannot read none.hostless: No such file"),
    ("--plain resume newer.hostless", 1, "was written in version 14 of the game file"),
    ("audit", 2, "the following arguments are required: FILE"),
    ("audit none.hostless", 1, "cannot read none.hostless: No such file"),
    ("audit folder.hostless", 1, "cannot read folder.hostless: Is a directory"),
    ("audit empty.hostless", 1, "is not a game file: it is empty"),
    ("audit rubbish.hostless", 1, "is not a game file: byte 0 is another"),
    ("audit zeros.hostless", 1, "is not a game file: byte 0 is another"),
    ("audit newer.hostless", 1, "was written in version 14 of the game file, and this program"),
    ("audit headless.hostless", 1, "the file does not begin with a roster"),
    ("audit torn.hostless", 1, "the file does not begin with a roster"),
    ("--lang ja audit none.hostless", 1, "none.hostless を読めません"),
    ("audit file --bots 200", 2, "a share is 0 to 100 percent, not '200'"),
    ("replay rubbish.hostless", 1, "is not a game file"),
    # tournaments
    ("arena carta --games 1", 2, "the following arguments are required: --players"),
    ("arena carta --players a,b --games 1", 2, "no player is called 'a'; there are random"),
    ("arena carta --players 'gentle steady' --games 1", 2, "who plays is said with commas"),
    ("arena carta --players gentle,steady --games 0", 2, "the number of games is 1 to 1000000"),
    ("arena carta --players gentle,steady --games 1 --seed x", 2, "a seed is a whole number"),
    ("arena carta --players gentle,steady --games 1 --workers 0", 2, "the number of workers is 1"),
    ("arena carta --players gentle,steady --games 1 --elo1 nan", 2, "a number is expected here"),
    ("arena carta --players gentle,steady --games 1 --results no/x", 1, "choose another name"),
)


def typed(line: str) -> list[str]:
    """The words of a line, as a shell hands them over."""
    return [word.removeprefix("$").encode().decode("unicode_escape") if word.startswith("$")
            else word for word in shlex.split(line)]  # fmt: skip


def try_out(line: str) -> tuple[int, str]:
    """The exit code, and everything that is said."""
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        redirect_stderr(said),
        redirect_stdout(said),
        mock.patch.object(sys, "stdin", io.StringIO("")),
        mock.patch.object(finding, "FIND_TABLE_S", 0.2),
    ):
        code = main(typed(line))
    said.seek(0)
    return code, said.read()


def lay_out(folder: Path) -> None:
    """Make the files that the cases name."""
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    for name in FOLDERS:
        (folder / name).mkdir()
    (folder / "damaged" / "identity.pem").write_text("no key\n")


def table() -> str:
    """All cases as a page."""
    rows = [HEAD]
    for line, _, _ in CASES:
        code, said = try_out(line)
        shown = " / ".join(said.splitlines()).replace("|", "\\|")
        rows.append(f"| `{line}` | {code} | {shown} |\n")
    return "".join(rows)


if __name__ == "__main__":
    os.environ |= {"HOSTLESS_INTERFACES": "lo", "LANG": "C.UTF-8", "LC_ALL": "", "TERM": "xterm"}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.environ["XDG_DATA_HOME"] = str(Path(folder) / "home")
        lay_out(Path(folder))
        print(table(), end="")
