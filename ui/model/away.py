"""Silence in words: who is away, what happens next, and the keys that help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p.session.news import Away, AwayNext, TableChanged
from ui.language.text import Words

COUNTED: Final = (AwayNext.REPLACED, AwayNext.LEFT)  # Known to come at a certain time.
CUT_OFF: Final = (AwayNext.CUT_OFF, AwayNext.AT_ONCE)  # It may be this machine that is away.
EXPECTED: Final = (AwayNext.PLAYED, AwayNext.STARTED)  # Nobody has to wait for the owner.


class KeyPresses(NamedTuple):
    """How a person says what helps: by keys, or by words."""

    adjourn: str
    claim: str
    practise: str


PRESSED: Final = KeyPresses("q", "C", "B")
TYPED: Final = KeyPresses("quit", "claim win", "practise")


def away_sentences(words: Words, news: TableChanged, keys: KeyPresses) -> list[str]:
    """What is to be said of those who are silent, and of seats for which a bot plays on."""
    silent = [away for away in news.away if away.then not in EXPECTED]
    played = [words("silence.played", name=each.name) for each in news.away
              if each.then is AwayNext.PLAYED]  # fmt: skip
    told = [_sentence(words, news, silent, keys)] if silent else []
    return [*told, *_started(words, news), *played]


class AwayHeard:
    """What a person has been told in lines of text: of those who are away, or do not answer."""

    def __init__(self) -> None:
        self._away: tuple[Away, ...] = ()  # Whose seats are empty, as was said.
        self.silent: tuple[str, ...] = ()  # Of whom it was said that they do not answer.
        self.is_somebody_back = False  # By what was heard last.

    def forget(self) -> None:
        """Another game is shown."""
        self._away = ()

    def hear(self, words: Words, news: TableChanged) -> list[str]:
        """Who is away and what comes next, when that changes; who is back; what can be done."""
        before, self._away = self._away, (*news.away, *missed_still(self._away, news))
        lines = back_sentences(words, before, news)
        self.is_somebody_back = bool(lines)
        if [(each.seat, each.then) for each in before] != [(a.seat, a.then) for a in self._away]:
            lines += away_sentences(words, news, TYPED)
        names = () if news.silence is None else news.silence.names
        is_told, self.silent = names in ((), self.silent), names
        return lines if is_told else [*lines, *silence_sentences(words, news, TYPED)]


def missed_still(before: Sequence[Away], news: TableChanged) -> list[Away]:
    """Who was away and will be said to be back as soon as this machine can reach them.

    All agree that an owner is back before each of them need have a link with it.
    """
    return [each for each in _returned(before, news) if news.seats[each.seat].link == "away"]


def back_sentences(words: Words, before: Sequence[Away], news: TableChanged) -> list[str]:
    """Who was away and is back.  Somebody who had to go is neither: a bot of the table plays."""
    states = [(each, news.seats[each.seat]) for each in _returned(before, news)]
    return [
        words("silence.back", name=each.name)
        for each, state in states
        if state.link == "up" and state.sponsor != each.name
    ]


def _returned(before: Sequence[Away], news: TableChanged) -> list[Away]:
    """Those who are not said to be away any more; nobody waited for a bot that was starting."""
    away = {each.seat for each in news.away}
    return [each for each in before if each.seat not in away and each.then is not AwayNext.STARTED]


def is_cut_off(news: TableChanged) -> bool:
    """Whether this machine is the one that is away: then nothing is said of the others."""
    return any(away.then is AwayNext.CUT_OFF for away in news.away)


def silence_sentences(words: Words, news: TableChanged, keys: KeyPresses) -> list[str]:
    """What can be done where nobody else answers for too long; first, that it may be me."""
    names = words.listed(() if news.silence is None else news.silence.names)
    first = [each for each in news.away if each.then in CUT_OFF]
    told = [_sentence(words, news, first, keys)] if first else []
    if is_cut_off(news):
        return told
    if keys is PRESSED:
        return [*told, words("table.left", names=names)]
    return [*told, words("table.silent", names=names), words("plain.left")]


def waiting_text(words: Words, news: TableChanged) -> str:
    """What the bar says while somebody is silent; empty when nobody is."""
    silent = [away for away in news.away if away.then not in EXPECTED]
    return _sentence(words, news, silent, PRESSED) if silent else "".join(_started(words, news))


def _started(words: Words, news: TableChanged) -> list[str]:
    """One sentence for all bots of mine that are being started; nothing where none is."""
    names = words.listed(each.name for each in news.away if each.then is AwayNext.STARTED)
    return [words("silence.started", names=names)] if names else []


def _sentence(
    words: Words, news: TableChanged, silent: Sequence[Away], keys: KeyPresses
) -> str:
    """One sentence for all who are silent: what comes next is the same for each.

    A bot whose owner is silent as well is not named: it comes back with its owner's machine.
    """
    then, seconds = silent[0].then, silent[0].seconds()
    if then is AwayNext.REPLACED and not seconds:
        return words("silence.due", name=silent[0].name)
    if then in COUNTED and not seconds:
        then = AwayNext.NOBODY
    joint = words("silence.or" if then is AwayNext.FEWER else "silence.and")
    silent_names = {away.name for away in silent}
    named = [away for away in silent if news.seats[away.seat].sponsor not in silent_names]
    *first, last = [away.name for away in named or silent]
    names = joint.join([words.listed(first), last] if first else [last])
    if news.view.seat is None and then not in (AwayNext.REPLACED, AwayNext.LEFT):
        return words("silence.seen", names=names)  # Who looks on has no key for it.
    number = "one" if len(named or silent) == 1 else "many"
    return words(
        f"silence.{then}_{number}" if then in (AwayNext.LEFT, AwayNext.NOBODY)
        else f"silence.{then}",
        name=silent[0].name, names=names, number=len(silent), seconds=seconds, **keys._asdict(),
    )  # fmt: skip


def seat_note(words: Words, news: TableChanged, seat: int) -> str:
    """What a seat's box says: away and for how much longer, or that a bot plays; mostly empty."""
    away = next((each for each in news.away if each.seat == seat), None)
    if away is None:
        is_away = news.seats[seat].link == "away" if seat < len(news.seats) else False
        return words("term.away") if is_away else ""
    if away.then in EXPECTED:
        return words(f"silence.note_{away.then}")
    if away.then is AwayNext.REPLACED and away.seconds():
        return words("silence.note_seconds", seconds=away.seconds())
    return words("term.away")


def is_played(news: TableChanged, seat: int) -> bool:
    """Whether a bot plays on for a seat."""
    return any(each.seat == seat and each.then is AwayNext.PLAYED for each in news.away)


def is_counting(news: TableChanged) -> bool:
    """Whether something is shown whose seconds go on."""
    return any(away.seconds() for away in news.away) or any(at.is_running for at in news.clocks)
