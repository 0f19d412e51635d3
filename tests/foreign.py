"""Small foreign programs for the tests: each plays a seat of any game."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Final

FIRST: Final = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"text": json.loads(line)["actions"][0]["text"]}), flush=True)
"""
AT_RANDOM: Final = """
import json, os, random, sys
luck = random.Random(os.environ["HOSTLESS_SEED"])
for line in sys.stdin:
    print(json.dumps({"text": luck.choice(json.loads(line)["actions"])["text"]}), flush=True)
"""
BY_HINT: Final = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "hint" in told:
        best = [action for action in told["hint"]["actions"] if action["best"]]
        print(json.dumps({"text": best[0]["text"]}), flush=True)
    else:
        print(json.dumps({"hint": "gentle"}), flush=True)
"""


def program(folder: Path, source: str) -> str:
    """The command that starts a program with this source, which is kept in the folder."""
    path = folder / "program.py"
    path.write_text(source)
    return shlex.join([sys.executable, str(path)])
