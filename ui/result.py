"""Who won and why: points by source, and what decided, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.game import POINTS_CRITERION, Account, Source
from core.requests import Player
from ui.clocks import time_result
from ui.picture import Picture, SeatPicture, how_won, result
from ui.text import Words

NONE: Final = "·"  # Nothing of a source.
MOST: Final = "▲"  # It gives points, which do not follow from the number alone.


def ranked(picture: Picture) -> list[SeatPicture]:
    """The seats, the winners first, then by what decides."""
    account = picture.view.account

    def rank(seat: SeatPicture) -> tuple[object, ...]:
        values = [-each for each in _values(account, seat.seat)] if account is not None else []
        return (not seat.has_won, *values, -(seat.score or 0))

    return sorted(picture.seats, key=rank)


def reason(picture: Picture) -> str:
    """What the winners were better in than the next; empty where the game gives no account."""
    account, words = picture.view.account, picture.words
    seats = ranked(picture)
    losers = [seat for seat in seats if not seat.has_won]
    if account is None or not losers:
        return "" if account is None else words("reason.equal")
    winner, loser = seats[0], losers[0]
    for key, values in account.criteria:
        mine, theirs = values[winner.seat], values[loser.seat]
        if mine != theirs:
            if key == POINTS_CRITERION:
                return _by_points(picture, winner, loser)
            own = f"reason.{picture.view.game}.{key}"
            return words(
                own if words.has(own) else "reason.tie", name=winner.name, other=loser.name,
                what=words.name("face", key), mine=abs(mine), theirs=abs(theirs),
            )  # fmt: skip
    raise AssertionError("a winner is better than a loser in something")


def _by_points(picture: Picture, winner: SeatPicture, loser: SeatPicture) -> str:
    words, account = picture.words, picture.view.account
    assert account is not None, "somebody asked for the account"
    lead = (winner.score or 0) - (loser.score or 0)
    key = own_key(picture, "reason.points")
    said = words.count(key, lead, name=winner.name, other=loser.name)
    theirs = {each.key: each for each in account.sources[loser.seat]}
    best, more = None, 0
    for mine in account.sources[winner.seat]:
        gain = mine.points - (theirs[mine.key].points if mine.key in theirs else 0)
        if gain > more:
            best, more = mine, gain
    if best is None:
        return said
    other = theirs.get(best.key, Source(best.key, 0, 0))
    what = words.name("value" if words.has(f"value.{best.key}") else "face", best.key)
    by = words("reason.source", what=what, mine=best.number, theirs=other.number)
    return words.in_a_row([said, by])


def own_key(picture: Picture, key: str) -> str:
    """The key of what a game says in its own way, as of stones in place of points."""
    own = key.replace(".", f".{picture.view.game}.", 1)
    return own if picture.words.has(own) or picture.words.has(f"{own}_many") else key


def columns(account: Account) -> list[str]:
    """The sources of which somebody has something, in their order."""
    every = [each for seat in account.sources for each in seat]
    some = {each.key for each in every if each.number}
    return [key for key in dict.fromkeys(each.key for each in every) if key in some]


def headings(words: Words, keys: Sequence[str]) -> list[str]:
    """What the sources are called."""
    return [words.name("value" if words.has(f"value.{key}") else "face", key) for key in keys]


def tie_breaks(words: Words, account: Account) -> list[tuple[str, tuple[str, ...]]]:
    """What else decides and is no source: what it is called, and what each seat has of it."""
    return [
        (words(f"term.{key}"), tuple(str(abs(value)) for value in values))
        for key, values in account.criteria
        if words.has(f"term.{key}")
    ]


def cells(account: Account, seat: Player, keys: Sequence[str]) -> list[str]:
    """What a seat has of each source, as in `5×6=30`, or `4 ▲` where the most give a point."""
    mine = {each.key: each for each in account.sources[seat]}
    return [_cell(mine[key]) if key in mine else NONE for key in keys]


def _cell(source: Source) -> str:
    if not source.number:
        return NONE
    if source.each == 1:
        return str(source.number)
    if source.each:
        return f"{source.number}×{source.each}={source.points}"
    return f"{source.number} {MOST}" if source.points else str(source.number)


def _values(account: Account, seat: Player) -> list[int]:
    return [values[seat] for _, values in account.criteria]


def is_scored(picture: Picture) -> bool:
    """Whether points say how a game went; else what each seat has reached does."""
    return picture.view.account is not None or not picture.look.reached(picture.words, picture.view)


def result_lines(picture: Picture) -> list[str]:
    """A line for each seat, the best first: points and where they come from, or what it reached."""
    words, account, lines = picture.words, picture.view.account, list[str]()
    keys = columns(account) if account is not None else []
    names = headings(words, keys)
    for seat in ranked(picture):
        if not is_scored(picture):
            lines.append(f"{seat.name}: {_reached(picture, seat.seat)}")
            continue
        line = f"{seat.name}: {words.count(own_key(picture, 'end.points'), seat.score or 0)}"
        if account is not None:
            pairs = zip(names, cells(account, seat.seat, keys), strict=True)
            parts = [f"{name} {cell}" for name, cell in pairs if cell != NONE]
            parts += [f"{name} {of[seat.seat]}" for name, of in tie_breaks(words, account)]
            line += f" ({words.listed(parts)})" if parts else ""
        lines.append(line)
    return lines


def _reached(picture: Picture, seat: Player) -> str:
    every = picture.look.reached(picture.words, picture.view)
    return picture.words.listed(f"{each.heading} {each.texts[seat]}" for each in every)


def column_width(texts: Sequence[str]) -> int:
    """The cells that the longest of some texts takes."""
    return max((cell_len(text) for text in texts), default=0)


def end_lines(picture: Picture) -> list[str]:
    """Who won and why, and what is kept of the game."""
    words = picture.words
    lines = [result(picture), *filter(None, [how_won(picture), reason(picture)])]
    lines += [*result_lines(picture), *time_result(words, picture.news)]
    return [*lines, *certain_texts(picture)]


def certain_texts(picture: Picture) -> list[str]:
    """Who has still to sign, what was proven, and where the game is kept.

    Of a practice game nothing is kept, and nothing was proven.
    """
    words, news, texts = picture.words, picture.news, list[str]()
    if news.unsigned:
        names = words.listed(news.seats[seat].name for seat in news.unsigned)
        texts.append(words("end.unsigned", names=names))
    if news.path is None:
        return texts
    is_proven = news.is_finished and not news.fairness.pending
    texts += [words("end.audited")] if is_proven else []
    return [*texts, words("end.file", path=news.path)]
