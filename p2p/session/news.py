"""What a node tells a screen; what a screen may ask is in `p2p.session.commands`.  No more crosses.

News comes out through one function, to every front end alike: the screen, lines of text, a bot, a
test.

All notices of a node pass through `Paced`, because a peer can do the same wrong thing a thousand
times a second: the same notice is said only once in a while.  What has just changed at the table,
and what answers the person, is always said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

import trio

from core.narrate import Line
from core.requests import Player
from core.view import View
from p2p.base.identity import words
from p2p.base.limits import (
    NOTICE_AGAIN_S,
    NOTICES_BURST_MAX,
    NOTICES_KEPT_MAX,
    NOTICES_PER_S_MAX,
)
from p2p.game.steps import Fairness as Fairness  # Part of what a screen is told.
from p2p.net.announcements import TableAd
from p2p.net.people import Neighbor
from p2p.session.commands import AgreeBack, Reaction

if TYPE_CHECKING:  # A screen that only shows needs none of what a turn is made of.
    from p2p.base.roster import DecisionPoint, Seat

@dataclass(frozen=True, slots=True)
class SeatState:
    """Who sits on a seat and how they are."""

    name: str  # Empty while the seat is free.
    words: str  # Four words of the identity.
    link: str  # "up", "away", "me" or "free".
    is_bot: bool = False
    sponsor: str = ""  # For a bot: the name of the peer whose machine runs it.
    level: str = ""  # Of a bot of ours; empty for a program that nobody else can run,
    iterations: int = 0  # and how far it thinks about every choice.
    is_open: bool = False  # Nobody runs the bot: every machine computes it, and all see its hand.


def seat_state(seat: Seat, link: str, names: Mapping[bytes, str]) -> SeatState:
    """A seat for the screen; `names`, as shown, are those of everybody who may run its bot."""
    shown, bot_terms = words(seat.identity) if seat.identity else "", seat.bot_terms
    if bot_terms is None:
        return SeatState(seat.shown_name, shown, link)
    sponsor = "" if seat.is_own_sponsor else names.get(seat.sponsor, "")
    terms = (bot_terms.level, bot_terms.iterations, seat.is_own_sponsor)
    return SeatState(seat.shown_name, shown, link, True, sponsor, *terms)


@dataclass(frozen=True, slots=True)
class TablesSeen:
    """The open tables on the LAN, as announced; hints, not facts."""

    tables: tuple[TableAd, ...]


@dataclass(frozen=True, slots=True)
class PeopleSeen:
    """Who else says that they are on this network, and where they sit; hints, not facts."""

    people: tuple[Neighbor, ...]


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of mine that is not over, or at which others are."""

    path: Path
    game: str  # The slug.
    table_id: str  # Of its table, while that is announced as well.
    others: tuple[str, ...]  # Who else sits there,
    here: tuple[str, ...] = ()  # and who of them announces it now.
    last_at: float = 0.0  # When it was played last, in seconds since 1970; 0: unknown.
    to_act: tuple[str, ...] = ()  # Whose turn it was then, of the others,
    is_my_turn: bool = False  # or whether it was mine.
    am_i_there: bool = False  # By another program of mine.
    has_people: bool = False  # Whether somebody but me and bots sits there.


@dataclass(frozen=True, slots=True)
class OwnGames:
    """My games that are not over, those first at which others are now; hints, not facts."""

    games: tuple[OwnGame, ...]


@dataclass(frozen=True, slots=True)
class Gathering:
    """I sit at a table whose seats are not all taken yet."""

    table: TableAd
    me: Player
    seats: tuple[SeatState, ...]
    missing: tuple[str, ...] = ()  # Who has not come, where seats are kept for those who played.

    @property
    def may_fill(self) -> bool:
        """Whether I opened it, and can let bots have the seats of who is missing."""
        others = (seat for seat in self.seats if seat.link not in ("free", "me"))
        return self.me == 0 and bool(self.missing) and any(not seat.is_bot for seat in others)


@dataclass(frozen=True, slots=True)
class Silence:
    """None of the others answers, for longer than the table has agreed to wait."""

    names: tuple[str, ...]  # Of the others, without bots that are away with their owner.


class AwayNext(StrEnum):
    """What comes next for a seat that is away."""

    REPLACED = "replaced"  # A bot plays on, once the time of grace is over.
    FEWER = "fewer"  # It can be replaced only when fewer are away.
    NOBODY = "nobody"  # Nobody can play on for it.
    LEFT = "left"  # I am left; after the time of grace I may practise, or claim the win.
    CUT_OFF = "cut_off"  # I am away: this machine is on no network, and they are elsewhere.
    AT_ONCE = "at_once"  # The same, it seems: all other persons fell silent at one moment.
    PLAYED = "played"  # A bot plays on now, and the owner can have the seat back.
    STARTED = "started"  # It comes: a bot of this machine, whose program is being started.


def _now() -> float:
    """The clock by which a screen counts; a test stops it by its name here."""
    return monotonic()


@dataclass(frozen=True, slots=True)
class Away:
    """A seat whose owner is out of reach, and what comes next.

    `until` is on the clock of the node and tells two of them apart; a screen counts `seconds`.
    """

    seat: Player
    name: str
    then: AwayNext
    until: float | None = None
    left_s: float | None = field(default=None, compare=False)  # When this was said.
    said_at: float = field(default_factory=_now, compare=False)

    def seconds(self) -> int | None:
        """How long it is from now until what comes next, if that has a time."""
        if self.left_s is None:
            return None
        return max(0, ceil(self.left_s - (_now() - self.said_at)))


LOW_S: Final = (10, 30)  # So much is left when a person is warned.


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of a person, as its owner said last; a screen counts on from it."""

    seat: Player
    is_limited: bool
    is_running: bool
    left_s: float = field(compare=False)  # Below 0 where there is no limit: what was used.
    said_at: float = field(default_factory=_now, compare=False)
    has_paused: bool = False  # That person has asked for the pause that holds now.
    is_about: bool = False  # As this machine counted: the owner has not said it on this link.
    is_up: bool = False  # It was used up, and there is hardly more than an increment.
    shows_more: bool = False  # The owner says that it shows more than this machine counted.
    increment_s: int = 0  # More after each choice.

    def low_s(self) -> int:
        """The lowest of `LOW_S` below which a limited time is; 0: none."""
        return next((each for each in LOW_S if self.is_limited and self.seconds() <= each), 0)

    def seconds(self) -> int:
        """What is left by now, or was used where there is no limit; in whole seconds."""
        left_s = self.left_s - (_now() - self.said_at if self.is_running else 0.0)
        return max(0, ceil(left_s)) if self.is_limited else int(-left_s)


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A seat asks the table to take back its choice after so many events."""

    seat: Player
    name: str
    height: int  # Of the log: the same is asked only once at a time.
    events: int
    missing: tuple[Player, ...]  # Whose word is missing.


class WhyNotBack(StrEnum):
    """Why the table cannot be asked to take my last choice back, by the key of its sentence."""

    NO_CHOICE = "none"  # I have made none, too long ago, or somebody has gone since.
    NOBODY_CHOOSES = "dealing"
    BOT_CHOOSES = "bot"
    SPOKEN = "spoken"  # In this step I have asked, or said a word.


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The newest snapshot of the table; an older one still in a queue may be dropped."""

    event_count: int  # Engine events so far; goes back in `Choose`.
    view: View
    seats: tuple[SeatState, ...]
    lines: tuple[Line, ...]
    fairness: Fairness
    by_bots: frozenset[tuple[int, Player]] = frozenset()  # Lines that are a bot's: (entry, seat).
    # The same of bots that chose since a person's time was used up.
    hastened: frozenset[tuple[int, Player]] = frozenset()
    doing: str = ""  # The kind of the current step: "key", "shuffle", "share", "choose", ...
    path: Path | None = None  # The game file.
    pairing: str = ""  # Four words, the same at every seat; empty until there are keys.
    strangers: tuple[str, ...] = ()  # Persons here with whom I have never compared such words.
    is_finished: bool = False  # The result is signed by every seat; the file is complete.
    unsigned: tuple[Player, ...] = ()  # All is played, and these have not signed the result.
    away: tuple[Away, ...] = ()  # Seats whose owners are out of reach.
    silence: Silence | None = None  # The table waits for all others, none of whom answers.
    clocks: tuple[SeatClock, ...] = ()  # Of the persons, where the table has agreed on a clock.
    turn: DecisionPoint | None = field(default=None, repr=False, compare=False)  # My choice.
    asked_back: AskedBack | None = None  # Somebody asks to take a choice back,
    may_ask_back: AgreeBack | None = None  # and by this I would, for my last choice that was free.
    why_not_back: WhyNotBack | None = None  # Why I would not be heard.
    chosen: tuple[Player, ...] = ()  # Of several who are asked at once, those who have answered.
    is_past: bool = False  # Somebody looks on, and what was played before still comes in.


@dataclass(frozen=True, slots=True)
class Accused:
    """A peer misbehaved; the evidence is in the game file."""

    seat: Player | None
    name: str
    sentence: str
    is_replaced: bool = False  # A bot plays on for it; otherwise the table has stopped.


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for the person, with what to do; nothing was lost."""

    text: str
    hint: str = ""
    is_news: bool = False  # It is so since now, or answers the person: said each time.
    asks_again: bool = False  # What the person chose last was not taken.
    ends_table: bool = False  # What the person asked for is over by it: nobody sits anywhere.


class BotNext(StrEnum):
    """What becomes of the seat of a bot that has ended before its time."""

    AGAIN = "again"  # The bot is started again.
    FREE = "free"  # Its seat is free, for anybody.
    OPEN = "open"  # Only a new table helps.
    RESUME = "resume"  # The game can be left, and resumed with bots that are started anew.


@dataclass(frozen=True, slots=True)
class BotEnded:
    """A bot that this program runs has ended before its time."""

    name: str
    reason: str  # Its last words, or what the system says.
    then: BotNext


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The others hear a program on another machine on my seat: is it to stop, and I go on here?"""

    name: str  # Mine.
    host: str  # Where that machine is, as they see it.


@dataclass(frozen=True, slots=True)
class SaidLine:
    """Somebody at the table, or I, said something."""

    seat: Player
    name: str
    text: str  # With nothing in it that a screen should not show; empty for a reaction.
    reaction: Reaction | None = None
    is_mine: bool = False


News: TypeAlias = (
    TablesSeen | PeopleSeen | OwnGames | Gathering | TableChanged | Accused | Notice | BotEnded
    | Elsewhere | SaidLine
)  # fmt: skip


class Paced:
    """Publishes news, but not one notice again and again."""

    def __init__(self, publish: Callable[[News], object]) -> None:
        self._publish = publish
        self._said: dict[tuple[str, str], float] = {}  # When each was said last.
        self._left, self._at_s = float(NOTICES_BURST_MAX), 0.0
        self._later = list[Notice]()

    def __call__(self, news: News) -> None:
        """Publish it now, or drop it: a notice that was just said, or one too many."""
        if not isinstance(news, Notice) or news.is_news or self._is_due(news):
            self._publish(news)
        if isinstance(news, TableChanged):
            later, self._later = self._later, []
            for notice in later:
                self._publish(notice)

    def say_at_table(self, notice: Notice) -> None:
        """Publish it once a table is shown: before that, a notice says that there is none."""
        self._later.append(notice)

    def _is_due(self, notice: Notice) -> bool:
        now, text = trio.current_time(), (notice.text, notice.hint)
        said = self._said.pop(text, None)
        if said is not None and now - said < NOTICE_AGAIN_S:
            self._said[text] = said
            return False
        self._left = min(NOTICES_BURST_MAX, self._left + (now - self._at_s) * NOTICES_PER_S_MAX)
        self._at_s = now
        if self._left < 1:
            return False
        self._left -= 1
        self._said[text] = now
        if len(self._said) > NOTICES_KEPT_MAX:
            del self._said[next(iter(self._said))]
        return True
