"""What is said while a table fills, on the screen and in lines of text: terms, and what to do."""

from __future__ import annotations

from typing import Final, NamedTuple

from core.games import GAMES
from p2p.base.identity import words as four_words
from p2p.base.limits import OPTIONS_LETTERS_MAX
from p2p.session.news import Gathering
from ui.language.text import Words

HERE: Final = "127.0.0.1"  # Where a table is that only this machine sees.


class Ways(NamedTuple):
    """What is pressed or typed at a rematch without those who have not come."""

    fill: str  # Lets bots have their seats.
    leave: str
    open: str  # A table of one's own, behind that.


def gathering_advice(words: Words, news: Gathering, ways: Ways) -> list[str]:
    """What whoever waits at a table can do: nothing where no other machine hears of it."""
    table = news.table
    kept = [words("gathering.kept", names=words.listed(news.missing))] if news.missing else []
    if kept:
        kept.append(words(f"gathering.{_way_without(news)}", **ways._asdict()))
    if news.me == 0 and table.host == HERE:
        return [*kept, words("gathering.local")]
    is_open = table.port and not table.kept and any(seat.link == "free" for seat in news.seats)
    where = words("gathering.address", words=four_words(table.opener).replace(" ", "-"),
                  host=table.shown_host, port=table.port)  # fmt: skip
    return [*kept, words("gathering.words"), *([where] if is_open else [])]


def _way_without(news: Gathering) -> str:
    """How a rematch comes about without those who have not come, as the key of a sentence."""
    if news.may_fill:
        return "fill"
    if news.me:
        return "without"
    return "fill_later" if len(news.missing) > 1 else "leave"


def told_terms(words: Words, game: str, announced: str) -> list[str]:
    """What is agreed at a table and is not as usual, in words; `announced` is KEY=VALUE ...

    >>> from ui.language.text import load
    >>> told_terms(load("en"), "carta", "deal=draft coin=kr grace=20")
    ['Deal: draft', 'whoever is silent is waited for 20 s']
    """
    words, options = words.of(game), GAMES[game].options if game in GAMES else ()
    usual = {option.key: str(option.values[0]) for option in options}
    told, said = [], announced.split()
    if len(announced) >= OPTIONS_LETTERS_MAX:
        said = said[:-1]  # It goes no further, and may end within a word.
    for each in said:
        key, _, value = each.partition("=")
        keys = (f"agreed.{key}_{value}", f"agreed.{key}")
        if own := next(filter(words.has, keys), ""):
            told.append(words(own, value=value))
        elif usual.get(key) != value:
            told.append(f"{words.name('option', key)}: {_value(words, value)}")
    return told


def _value(words: Words, value: str) -> str:
    """A value of an option; one that names cards is a list, in the order of their piles."""
    faces = value.split(",")
    if len(faces) == 1:
        return words.name("value", value.lower())
    return words.listed(words.name("face", face) for face in faces)
