"""Offers and log lines as sentences, made from the stable English notation of an action.

The notation is `verb word word ...`; a word is a face, an effect such as `economy.2`, a seat such
as `seat1`, or something we have no name for, which then stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from core.narrate import Line
from core.requests import Player
from p2p.session.news import SeatState
from ui.look import PLAIN, Look
from ui.text import Words

SEAT_WORD = re.compile(r"seat(\d)$")


def seat_name(words: Words, seats: Sequence[SeatState], seat: Player | None) -> str:
    """The name of the person or bot on a seat."""
    if seat is None:
        return words("term.everybody")
    if seat < len(seats) and seats[seat].name:
        return seats[seat].name
    return words("term.seat", number=seat + 1)


def word_name(words: Words, seats: Sequence[SeatState], word: str) -> str:
    """One word of the notation in the person's language."""
    seat = SEAT_WORD.match(word)
    if seat:
        return seat_name(words, seats, int(seat[1]))
    if word == "?":
        return words("term.hidden_card")
    kind = "effect" if words.has(f"effect.{word}") else "face"
    return words.name(kind, word)


def things(words: Words, seats: Sequence[SeatState], notation: Sequence[str]) -> str:
    """Words of the notation as a person reads them; equal ones that follow each other once."""
    groups = [(word, len(list(like))) for word, like in groupby(notation)]
    names = [(word_name(words, seats, word), count) for word, count in groups]
    return " ".join(f"{name}×{count}" if count > 1 else name for name, count in names)


def offer_sentence(words: Words, seats: Sequence[SeatState], notation: str) -> str:
    """What choosing this would do, as in `play Military`."""
    verb, *rest = notation.split()
    if not words.has(f"offer.{verb}"):
        return notation
    return words(f"offer.{verb}", what=things(words, seats, rest)).strip()


def told(lines: Sequence[Line]) -> list[Line]:
    """The lines worth telling: a hand that changes sides was taken and given, not drawn.

    Each line is judged by the one before it alone, so a longer log tells its beginning the same.
    """
    kept: list[Line] = []
    before = Line(0, "")
    for line in lines:
        verb = before.action.verb if before.action else ""
        if line.kind == "drawn" and verb == "target" and line.seat == before.seat:
            kept.append(replace(line, kind="taken"))
        elif not (line.kind == "drawn" and verb == "give" and line.seat != before.seat):
            kept.append(line)
        before = line
    return kept


def line_sentence(words: Words, seats: Sequence[SeatState], line: Line, look: Look = PLAIN) -> str:
    """One line of the log, as in `ada plays Military`; `look` knows what a roll is for."""
    name = seat_name(words, seats, line.seat)
    if line.kind != "chosen":
        if line.kind in ("drawn", "taken"):
            return words.count(f"line.{line.kind}", line.number, name=name)
        if line.kind == "looked":
            return words("line.looked", name=name)
        if line.kind == "shuffled" and line.seat is None:
            return words("line.shuffled", number=line.number)
        if line.kind == "shuffled":
            return words("line.mixed", name=name, number=line.number)
        drawn = seat_name(words, seats, line.number)
        return words(look.roll(line), number=line.number + 1, name=drawn)
    return move_sentence(words, seats, line.seat, line.text)


def move_sentence(
    words: Words, seats: Sequence[SeatState], seat: Player | None, notation: str
) -> str:
    """What somebody does, from its notation, as in `ada plays Military`."""
    name = seat_name(words, seats, seat)
    verb, *rest = notation.split()
    if not words.has(f"line.{verb}"):
        return words("line.other", name=name, what=notation)
    return words(f"line.{verb}", name=name, what=things(words, seats, rest)).strip()
