"""Whatever all can see is told, and each line of it is a sentence in every language.

    lab.py told                                      300 random games of each game
    lab.py told --game civilization --first-seed 100 --games 50

Every seat is a machine that knows its own cards alone.  At each choice what has changed in open
zones and counters has to stand in the story, which is the same on all machines.  Then each line is
said in every language.  The first seed that fails is printed and decides the exit code: 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable

from core.games import GAMES, find_game
from core.narrate import Line
from core.testing.telling import hear_out
from core.testing.worlds import BlindGame, any_setting
from tests.ui.fakes import some_seats
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.model.sentences import line_sentence

SHOWN_EVERY = 50  # Games, between two lines of figures.
NO_SENTENCE = "{name} does what has no sentence: {what}"


def languages(slug: str) -> list[Words]:
    """What the program says, and something else in place of what stands for a missing sentence."""
    own = (load(code).of(slug) for code in LANGUAGE_NAMES)
    return [Words(each.code, {**each.sentences, "line.other": NO_SENTENCE}) for each in own]


def unsaid(slug: str, lines: Iterable[Line], players: int, spoken: Iterable[Words]) -> list[str]:
    """What cannot be said in one of the languages."""
    seats, marks = some_seats(players), ("{", NO_SENTENCE.split("}")[1].split("{")[0])
    said = [(each, words, line_sentence(words, seats, each, slug))
            for each in lines for words in spoken]  # fmt: skip
    return [
        f"{words.code}: {sentence!r} for {each}"
        for each, words, sentence in said
        if not sentence or any(mark in sentence for mark in marks)
    ]


def listen(slug: str, seeds: range) -> None:
    """Play games of one kind, and say how much was told.

    Raises:
        AssertionError: something was not told, or not in every language.
    """
    spoken, kinds, lines, began = languages(slug), set[str](), 0, time.monotonic()
    for played, seed in enumerate(seeds, 1):
        players, options = any_setting(find_game(slug), seed)
        try:
            world = BlindGame(find_game(slug), players, options, seed)
            hear_out(world)
            story = world.peers[0].narrator.lines
            missing = unsaid(slug, story, players, spoken)
            assert not missing, missing[0]
        except AssertionError:
            print(f"FAILED: {slug}, seed {seed}, {players} seats, {options}", file=sys.stderr)
            raise
        lines += len(story)
        kinds |= {line.fact.kind.partition(" ")[0] for line in story if line.fact is not None}
        if played % SHOWN_EVERY == 0 or played == len(seeds):
            print(f"{slug}: {played} games from seed {seeds.start}, {lines:,} lines, {len(kinds)} "
                  f"kinds of facts, {time.monotonic() - began:.0f} s", flush=True)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Play and listen; 0 when everything was told."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", action="append", choices=tuple(GAMES), help="only this one")
    parser.add_argument("--games", type=int, default=300, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="S")
    chosen = parser.parse_args(arguments)
    for slug in chosen.game or GAMES:
        listen(slug, range(chosen.first_seed, chosen.first_seed + chosen.games))
    return 0
