"""What a screen may ask of a node: commands go in through one bounded channel.

Every front end (the screen, lines of text, a bot, a test) uses exactly these, and hears what comes
of them by `p2p.session.news`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TypeAlias

from core.requests import Action
from core.table import OptionValue
from p2p.base.clock import TimeControl
from p2p.base.limits import GRACE_S


@dataclass(frozen=True, slots=True)
class Browse:
    """Listen for tables and people on the LAN, and tell about them until further notice."""


@dataclass(frozen=True, slots=True)
class BeSeen:
    """Say on this network who I am and at which table I sit, or do not; and tell of others."""

    is_seen: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table, take its first seat, and fill `bots` of the others with bots."""

    game: str
    seats: int
    bots: int = 0
    level: str = "steady"
    options: dict[str, OptionValue] = field(default_factory=dict)
    name: str = ""
    is_local: bool = False  # Only this machine sees the table.
    iterations: int = 0  # Of the bots for each choice; 0: their machine is measured.
    are_bots_open: bool = False  # Everybody computes them, and sees their hands.
    opens_hands: bool = False  # After the game everybody opens the own key, as bots always do.
    password: str = field(default="", repr=False)  # Of whoever sits down; empty: none is asked.
    is_escrowed: bool = False  # All others together can have a seat's key, to play on without it.
    grace_s: int = GRACE_S  # How long a silent seat is waited for before they do.
    clock: TimeControl | None = None  # Of the persons.
    keeps_seats: bool = False  # For those who played at this table before.
    is_filled: bool = False  # Then some of the bots sit for those of them who did not come.


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Take a seat at a table seen on the LAN (its id or name), or at HOST:PORT."""

    target: str
    is_local: bool = False  # Only this machine may reach us; for bots at a local table.
    password: str = field(default="", repr=False)  # If the table asks for one.


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer the current choice.  `event_count` is its `TableChanged`'s: late keys hit no other."""

    action: Action
    event_count: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Sit down again at an unfinished game."""

    path: Path
    at: tuple[str, ...] = ()  # HOST:PORT of others, where they are not found by themselves.
    is_taking_over: bool = False  # Also from a program of mine on another machine.


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play once more with everybody of a game that is over, at a table like its."""

    path: Path  # Of its file.


@dataclass(frozen=True, slots=True)
class FillWithBots:
    """Close the rematch that I opened, and open it with bots for all who have not come."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Look on at a table where a game is played: its id or name, HOST:PORT, or empty for any."""

    target: str


@dataclass(frozen=True, slots=True)
class Compared:
    """The words of this table were compared aloud and are the same for all."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Get up from the table; the game file stays, to go on later if all others wait."""

    is_for_good: bool = (
        False  # Give my cards to the others: a bot plays on with them, shown to all.
    )


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """Say in the game file that none of the others answers and I claim the win, and get up."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Sit on my seat here; a program on another machine that sits there has to stop."""


@dataclass(frozen=True, slots=True)
class AgreeBack:
    """Agree, or not, that the table goes back to where there were so many events.

    Whoever made the choice there asks by that to take it back.  It is about what the person saw: if
    somebody has chosen since, it counts for nothing.
    """

    height: int  # Of the log at the step that the person saw.
    events: int
    agrees: bool = True


class Reaction(IntEnum):
    """What people say most often; everybody reads it in their own language.

    The last two stop the clocks of a table, and let them run again (`p2p.session.talking`).
    """

    HELLO = 1
    WELL_PLAYED = 2
    THANKS = 3
    OOPS = 4
    MOMENT = 5
    YOUR_TURN = 6
    PAUSE = 7
    GO_ON = 8


CLOCK_SIGNS = (Reaction.PAUSE, Reaction.GO_ON)

Saying: TypeAlias = str | Reaction


@dataclass(frozen=True, slots=True)
class SayLine:
    """Say something to everybody at the table; it is no part of the game."""

    said: Saying


Command: TypeAlias = (
    Browse | BeSeen | OpenTable | JoinTable | Choose | Resume | Watch | Compared | Leave | ClaimWin
    | TakeOver | SayLine | Rematch | AgreeBack | FillWithBots
)  # fmt: skip
