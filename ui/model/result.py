"""Who won and why: points by source, and what decided, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.game import POINTS_CRITERION, Account, Source
from core.requests import Player
from ui.language.text import Words
from ui.model.clocks import time_result
from ui.model.view_model import SeatModel, ViewModel

NONE: Final = "·"  # Nothing of a source.
MOST: Final = "▲"  # It gives points, which do not follow from the number alone.


def ranked(model: ViewModel) -> list[SeatModel]:
    """The seats, the winners first, then by what decides."""
    account = model.view.account

    def rank(seat: SeatModel) -> tuple[object, ...]:
        values = [-each for each in _values(account, seat.seat)] if account is not None else []
        return (not seat.has_won, *values, -(seat.score or 0))

    return sorted(model.seats, key=rank)


def reason(model: ViewModel) -> str:
    """What the winners were better in than the next; empty where the game gives no account."""
    account, words = model.view.account, model.words
    seats = ranked(model)
    losers = [seat for seat in seats if not seat.has_won]
    if account is None or not losers:
        return "" if account is None else words("reason.equal")
    winner, loser = seats[0], losers[0]
    for key, values in account.criteria:
        mine, theirs = values[winner.seat], values[loser.seat]
        if mine != theirs:
            if key == POINTS_CRITERION:
                return _by_points(model, winner, loser)
            own = f"reason.{model.view.game}.{key}"
            return words(
                own if words.has(own) else "reason.tie", name=winner.name, other=loser.name,
                what=words.name("face", key), mine=abs(mine), theirs=abs(theirs),
            )  # fmt: skip
    raise AssertionError("a winner is better than a loser in something")


def _by_points(model: ViewModel, winner: SeatModel, loser: SeatModel) -> str:
    words, account = model.words, model.view.account
    assert account is not None, "somebody asked for the account"
    lead = (winner.score or 0) - (loser.score or 0)
    key = own_key(model, "reason.points")
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


def own_key(model: ViewModel, key: str) -> str:
    """The key of what a game says in its own way, as of stones in place of points."""
    own = key.replace(".", f".{model.view.game}.", 1)
    return own if model.words.has(own) or model.words.has(f"{own}_many") else key


def columns(account: Account) -> list[str]:
    """The sources of which somebody has something, in their order: no seat has to have all."""
    found = list[str]()
    for seat in account.sources:
        at = 0
        for each in (source for source in seat if source.number):
            if each.key not in found[at:]:
                found.insert(at, each.key)
            at = found.index(each.key) + 1
    return found


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


def is_scored(model: ViewModel) -> bool:
    """Whether points say how a game went; else what each seat has reached does."""
    return model.view.account is not None or not model.look.reached(model.words, model.view)


def result_lines(model: ViewModel) -> list[str]:
    """A line for each seat, the best first: points and where they come from, or what it reached."""
    words, account, lines = model.words, model.view.account, list[str]()
    keys = columns(account) if account is not None else []
    names = headings(words, keys)
    for seat in ranked(model):
        if not is_scored(model):
            lines.append(f"{seat.name}: {_reached(model, seat.seat)}")
            continue
        line = f"{seat.name}: {words.count(own_key(model, 'end.points'), seat.score or 0)}"
        if account is not None:
            pairs = zip(names, cells(account, seat.seat, keys), strict=True)
            parts = [f"{name} {cell}" for name, cell in pairs if cell != NONE]
            parts += [f"{name} {of[seat.seat]}" for name, of in tie_breaks(words, account)]
            line += f" ({words.listed(parts)})" if parts else ""
        lines.append(line)
    return lines


def _reached(model: ViewModel, seat: Player) -> str:
    every = model.look.reached(model.words, model.view)
    return model.words.listed(f"{each.heading} {each.texts[seat]}" for each in every)


def column_width(texts: Sequence[str]) -> int:
    """The cells that the longest of some texts takes."""
    return max((cell_len(text) for text in texts), default=0)


def end_lines(model: ViewModel) -> list[str]:
    """Who won and why, and what is kept of the game."""
    words = model.words
    lines = [result(model), *filter(None, [how_won(model), reason(model)])]
    lines += [*result_lines(model), *time_result(words, model.news)]
    return [*lines, *certain_texts(model)]


def certain_texts(model: ViewModel) -> list[str]:
    """Who has still to sign, what was proven, and where the game is kept.

    Of a practice game nothing is kept, and nothing was proven.
    """
    words, news, texts = model.words, model.news, list[str]()
    if news.unsigned:
        names = words.listed(news.seats[seat].name for seat in news.unsigned)
        texts.append(words("end.unsigned", names=names))
    if news.path is None:
        return texts
    is_proven = news.is_finished and not news.fairness.pending
    texts += [words("end.audited")] if is_proven else []
    return [*texts, words("end.file", path=news.path)]


def result(model: ViewModel) -> str:
    """Who won, in one sentence."""
    words = model.words
    if not model.look.has_winner(model.view):
        return words("end.nobody")
    winners = [seat for seat in model.seats if seat.has_won]
    if any(seat.is_me and not _is_played_for(model, seat) for seat in winners):
        return words("end.you_win" if len(winners) == 1 else "end.you_share")
    bot = words("term.bot")
    names = words.listed(
        f"{seat.name} ({bot})" if _is_played_for(model, seat) else seat.name for seat in winners
    )
    return words("end.wins" if len(winners) == 1 else "end.share", names=names)


def _is_played_for(model: ViewModel, seat: SeatModel) -> bool:
    """Whether a bot made the last choice of a person's seat."""
    chosen = (each for each in reversed(model.news.lines)
              if each.kind == "chosen" and each.seat == seat.seat)  # fmt: skip
    last = next(chosen, None)
    is_bots = last is not None and (last.entry, seat.seat) in model.news.by_bots
    return is_bots and not seat.state.is_bot


def how_won(model: ViewModel) -> str:
    """What decided the game, where the piles tell: a pile that reached its target, or points."""
    words, names = model.words, [seat.name for seat in model.seats]
    ending = model.look.ending(words, model.view, names) if model.view.is_over else ""
    if ending:
        return ending
    won = [pile for seat in model.seats if seat.has_won for pile in seat.piles]
    if not any(pile.note.target for pile in won):
        return ""
    for pile in won:
        if pile.count >= pile.note.target:
            face = words.name("face", pile.face)
            more = pile.note.democracies
            key = "end.hegemony_more" if more else "end.hegemony"
            return words(key, face=face, count=pile.count, target=pile.note.target, more=more)
    losing = [seat.score for seat in model.seats if not seat.has_won]
    winning = [seat.score for seat in model.seats if seat.has_won]
    return words("end.tie" if set(losing) & set(winning) else "end.majority")
