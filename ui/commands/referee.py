"""`referee GAME`: the rules over JSON lines, on standard input and output."""

from __future__ import annotations

import argparse
import json
import sys

from ai.advice.explain import advise
from core.referee import serve
from ui.commands.person import words_of
from ui.plain.loop import print_complaint


def run(args: argparse.Namespace) -> int:
    """Answer line by line until `quit` or the end of the input; a person is told how to begin."""
    if sys.stdin.isatty():
        ask = {"do": "new", "game": args.game, "seats": 2}, {"do": "quit"}
        begin, end = (json.dumps(each) for each in ask)
        print_complaint(words_of(args)("referee.begin", begin=begin, end=end))

    def write(line: str) -> None:
        print(line, end="", flush=True)

    serve(sys.stdin.buffer, write, advise)
    return 0
