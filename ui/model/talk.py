"""What people say at the table, for any front end: the newest lines, and whom I do not hear.

Muting happens here and tells nobody: whoever is muted goes on talking to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from core.requests import Player
from p2p.base.limits import SAID_LETTERS_MAX
from p2p.session.commands import CLOCK_SIGNS, Reaction, SayLine
from p2p.session.news import SaidLine, SeatState, TableChanged
from ui.language.text import Words
from ui.model.pause import GO_ON, PAUSE, why_no_sign

TALK_LINES_MAX: Final = 50  # That are kept to be read again.
# How a typed line begins that is talk.
TALKING: Final = ("/", "say ", "react", "mute", "hear ", PAUSE, GO_ON)


class Hearer(NamedTuple):
    """A person at the table, who is not me."""

    seat: Player
    name: str
    words: str  # Who it is, at whatever table and seat.


class TalkHeard:
    """The talk of one table, as one person hears it, and whom that person does not hear."""

    def __init__(self) -> None:
        self.lines: list[SaidLine] = []
        self._muted: set[str] = set()  # By their words: whoever plays again may sit elsewhere.

    def hear(self, said: SaidLine, seats: Sequence[SeatState]) -> bool:
        """Keep a line; whether the person wants to read it."""
        is_muted = self.is_seat_muted(said.seat, seats)
        if is_muted and said.reaction not in CLOCK_SIGNS:  # Those stop my clock as well.
            return False
        self.lines = [*self.lines, said][-TALK_LINES_MAX:]
        return True

    def is_muted(self, hearer: Hearer) -> bool:
        """Whether somebody is not heard."""
        return hearer.words in self._muted

    def is_seat_muted(self, seat: Player, seats: Sequence[SeatState]) -> bool:
        """Whether whoever sits there is not heard."""
        return seat < len(seats) and seats[seat].words in self._muted

    def turn(self, hearer: Hearer) -> bool:
        """Mute somebody, or hear them again; whether they are muted now."""
        self._muted ^= {hearer.words}
        if self.is_muted(hearer):
            self.lines = [line for line in self.lines if line.seat != hearer.seat]
        return self.is_muted(hearer)

    def forget(self) -> None:
        """Another table: nothing was said there yet.  Whoever was muted stays so."""
        self.lines = []


def listeners(news: TableChanged | None) -> list[Hearer]:
    """The other persons at my table; nobody for who looks on."""
    if news is None or news.view.seat is None:
        return []
    return [
        Hearer(seat, state.name, state.words)
        for seat, state in enumerate(news.seats)
        if state.name and not state.is_bot and state.link != "me"
    ]


def why_nobody_hears(words: Words, news: TableChanged | None) -> str:
    """Why it is of no use to say something here; empty where it is."""
    if news is None or news.view.seat is None:
        return words("talk.look_on")
    heard = listeners(news)
    if heard and news.view.is_over and all(news.seats[each.seat].link == "away" for each in heard):
        return words("talk.gone")
    return "" if heard else words("talk.nobody")


def reactions(words: Words) -> list[tuple[Reaction, str]]:
    """Every reaction with what it says, but those for the clocks, which have a key of their own."""
    return [(each, _reaction_text(words, each)) for each in Reaction if each not in CLOCK_SIGNS]


def _reaction_text(words: Words, reaction: Reaction) -> str:
    return words(f"talk.reaction_{reaction.name.lower()}")


def said_text(words: Words, said: SaidLine) -> str:
    """What was said, in the language of whoever reads it."""
    return said.text if said.reaction is None else _reaction_text(words, said.reaction)


def said_sentence(words: Words, said: SaidLine) -> str:
    """Who said what."""
    who = words("board.you") if said.is_mine else said.name
    return words("talk.line", name=who, text=said_text(words, said))


def trimmed(text: str) -> str:
    """What a person has typed, as it can be said."""
    return text.strip()[:SAID_LETTERS_MAX]


def typed_talk(
    talk: TalkHeard, words: Words, news: TableChanged, line: str
) -> tuple[Sequence[str], SayLine | None]:
    """What a typed line leads to that begins with one of `TALKING`: lines to print, a command."""
    if line in (PAUSE, GO_ON):
        sign = Reaction.PAUSE if line == PAUSE else Reaction.GO_ON
        why = why_no_sign(words, news, sign)
        return ([why], None) if why else ([], SayLine(sign))
    if nobody := why_nobody_hears(words, news):
        return [nobody], None
    verb, _, rest = ("say", "", line[1:]) if line.startswith("/") else line.partition(" ")
    if verb == "say":
        return ([], SayLine(trimmed(rest))) if trimmed(rest) else ([words("talk.typed")], None)
    if verb == "react":
        found = [each for each, _ in reactions(words) if rest == str(int(each))]
        shown = [f"  {int(each)}  {text}" for each, text in reactions(words)]
        return ([], SayLine(found[0])) if found else ([words("talk.typed"), *shown], None)
    return _typed_mute(talk, words, news, verb, rest), None


def _typed_mute(
    talk: TalkHeard, words: Words, news: TableChanged, verb: str, name: str
) -> Sequence[str]:
    """Mute somebody by name, or hear them again."""
    for each in listeners(news):
        if each.name == name and talk.is_muted(each) == (verb == "hear"):
            return [mute_sentence(words, each.name, is_muted=talk.turn(each))]
    names = words.listed(each.name for each in listeners(news))
    return [words("talk.typed_mute", names=names)]


def mute_sentence(words: Words, name: str, *, is_muted: bool) -> str:
    """What has just changed."""
    return words("talk.muted" if is_muted else "talk.heard", name=name)
