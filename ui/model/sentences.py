"""Offers and log lines as sentences, made from the stable English notation of an action.

The notation is `verb word word ...`; a word is a face, an effect such as `economy.2`, a seat such
as `seat1`, or something we have no name for, which then stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from core.bot_levels import level_and_style
from core.narrate import Line
from core.requests import Player
from p2p.session.news import SeatState
from ui.games import look_of
from ui.language.text import Words

SEAT_WORD = re.compile(r"seat(\d)$")


def seat_name(words: Words, seats: Sequence[SeatState], seat: Player | None) -> str:
    """The name of the person or bot on a seat."""
    if seat is None:
        return words("term.everybody")
    if seat < len(seats) and seats[seat].name:
        return seats[seat].name
    return words("term.seat", number=seat + 1)


def bot_level_name(words: Words, bot_level: str) -> str:
    """The level of a bot, and its style if it has one.

    >>> from ui.language.text import load
    >>> bot_level_name(load("en"), "steady+builder"), bot_level_name(load("en"), "steady")
    ('steady, builder', 'steady')
    """
    level, style = level_and_style(bot_level)
    names = [words.name("level", level), *[words.name("style", style)] * bool(style)]
    return words.listed(names)


def with_bot(words: Words, name: str, state: SeatState) -> str:
    """A name, and that it is a bot's: it thinks, and nobody has to call it."""
    return f"{name} ({words('term.bot')})" if state.is_bot else name


def bot_marks(words: Words, state: SeatState) -> list[str]:
    """What is said of a bot behind its name, and of a person not."""
    if not state.is_bot:
        return []
    _, style = level_and_style(state.level)
    return [words("term.bot"), *[words.name("style", style)] * bool(style)]


def word_name(words: Words, seats: Sequence[SeatState], word: str) -> str:
    """One word of the notation in the person's language."""
    seat = SEAT_WORD.match(word)
    if seat:
        return seat_name(words, seats, int(seat[1]))
    if word == "?":
        return words("term.hidden_card")
    known = ("effect", "face") if word.isdigit() else ("effect", "face", "value")
    kinds = (kind for kind in known if words.has(f"{kind}.{word}"))
    return words.name(next(kinds, "face"), word)


def things(words: Words, seats: Sequence[SeatState], notation: Sequence[str]) -> str:
    """Words of the notation as a person reads them; equal ones that follow each other once.

    Without a comma `은`, Silver, is a particle in Korean.
    """
    groups = [(word, len(list(like))) for word, like in groupby(notation)]
    names = [(word_name(words, seats, word), count) for word, count in groups]
    told = [f"{name}×{count}" if count > 1 else name for name, count in names]
    if notation and SEAT_WORD.match(notation[0]):
        return " ".join(told)
    return words.listed(told)


def gaps(
    words: Words, seats: Sequence[SeatState], notation: str, game: str = ""
) -> Mapping[str, str]:
    """What stands in the gaps of a sentence about a notation: what the game says, or its words."""
    say = look_of(game).say if game else None
    if say is not None:
        return say(words, seats, notation)
    return {"what": things(words, seats, notation.split()[1:])}


def verb_key(words: Words, section: str, notation: str, game: str = "", phase: str = "") -> str:
    """The key of the sentence for a verb: the game's own, where it has one.

    One verb may mean something else in one phase, or done by others than seats, which then has a
    sentence of its own.
    """
    verb = notation.split()[0]
    own = f"{section}.{game}.{verb}"
    keys = (f"{own}_{phase}", own) if phase else (own,)
    return next(filter(words.has, keys), f"{section}.{verb}")


def offer_sentence(
    words: Words, seats: Sequence[SeatState], notation: str, game: str = "", phase: str = ""
) -> str:
    """What choosing this would do, as in `play Military`, in the words of the game."""
    key = verb_key(words, "offer", notation, game, phase)
    if not words.has(key):
        return notation
    return words(key, **gaps(words, seats, notation, game)).strip()


def line_sentence(words: Words, seats: Sequence[SeatState], line: Line, game: str = "") -> str:
    """One line of the log, as in `ada plays Military`, in the words of the game."""
    name = seat_name(words, seats, line.seat)
    if line.fact is not None:
        return fact_sentence(words, seats, line, game)
    if line.kind == "chosen":
        return _choice_sentence(words, seats, line, game)
    if line.acts_as:
        return words.count(f"line.{game}.{line.kind}_{line.acts_as}", line.number, name=name)
    if line.kind == "drawn" and line.faces and game and look_of(game).names_drawn:
        return drawn_sentence(words, seats, line.faces)
    if line.kind == "drawn":
        return words.count("line.drawn", line.number, name=name)
    if line.kind == "looked":
        return words("line.looked", name=name)
    if line.kind == "shuffled" and line.seat is None:
        return words("line.shuffled", number=line.number)
    if line.kind == "shuffled":
        return words("line.mixed", name=name, number=line.number)
    drawn = seat_name(words, seats, line.number)
    key = look_of(game).roll(line) if game else "line.rolled"
    return words(key, number=line.number + 1, name=drawn)


def drawn_sentence(words: Words, seats: Sequence[SeatState], faces: Iterable[str | None]) -> str:
    """Which cards have come to me, as in `You now hold: Silk`."""
    return words("line.drawn_these", what=things(words, seats, [face or "?" for face in faces]))


def fact_sentence(words: Words, seats: Sequence[SeatState], line: Line, game: str = "") -> str:
    """What followed, as in `grace loses Science to ada`."""
    fact = line.fact
    assert fact is not None, "the line tells a fact"
    kind = fact.kind.split()[0]
    own = f"fact.{game}.{kind}"
    key = own if any(words.has(f"{own}{end}") for end in ("", "_by", "_many")) else f"fact.{kind}"
    if fact.other not in (-1, fact.seat) and words.has(f"{key}_by"):
        key += "_by"
    if fact.seat >= 0 and words.has(f"{key}_of"):  # The same of something that is nobody's.
        key += "_of"
    counted = f"{key}_one" if fact.number == 1 else f"{key}_many"
    if words.has(counted) and (fact.number or not words.has(key)):
        key = counted
    name = seat_name(words, seats, line.seat)
    what = things(words, seats, [face or "?" for face in line.faces])
    values = gaps(words, seats, fact.kind, game)
    word = " ".join(filter(None, (values["what"], values.get("where", ""))))
    if not words.has(key):
        parts = [kind, word, what, str(fact.number or "")]
        return words("line.other", name=name, what=" ".join(filter(None, parts)))
    other = seat_name(words, seats, fact.other)
    said = {"name": name, "what": what, "word": word, "number": fact.number, "other": other}
    return words(key, **{**values, **said})


def move_sentence(
    words: Words, seats: Sequence[SeatState], seat: Player | None, notation: str, game: str = ""
) -> str:
    """What somebody does, from its notation, as in `ada plays Military`."""
    return _choice_sentence(words, seats, Line(0, "chosen", seat, text=notation), game)


def _choice_sentence(words: Words, seats: Sequence[SeatState], line: Line, game: str) -> str:
    """The same of a line, as in `The natives play Artillery 1` where a seat acts for others."""
    name, notation = seat_name(words, seats, line.seat), line.text
    key = verb_key(words, "line", notation, game, line.acts_as or line.phase)
    if not words.has(key):
        return words("line.other", name=name, what=notation)
    return words(key, name=name, **gaps(words, seats, notation, game)).strip()
