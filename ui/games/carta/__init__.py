"""Carta Impera Victoria on the screen: six domains, their counts and what lies on them.

board.py        the whole table; race.py: who leads; effects.py: what mine do
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from core.requests import Player
from core.table import OptionValue
from core.view import View
from ui.language.text import Words
from ui.look import FaceLook, Inked, Look, PileNote

if TYPE_CHECKING:
    from p2p.session.news import SeatState

FACES: Final = (
    FaceLook("military", "M", "bright_red"),
    FaceLook("religion", "R", "bright_magenta"),
    FaceLook("economy", "E", "bright_green"),
    FaceLook("science", "S", "bright_blue"),
    FaceLook("culture", "C", "bright_cyan"),
    FaceLook("utopia", "U", ""),
)


EFFECT_LETTERS: Final = {  # By the key of an effect: its letter, the same all game long.
    "military.1": "a", "military.2": "b", "military.x": "c",
    "religion.1": "", "religion.2": "", "religion.x": "d",
    "economy.1": "g", "economy.2": "i", "economy.x": "j",
    "science.1": "k", "science.2": "m", "science.x": "n",
    "culture.0": "o",
    "utopia.1": "v", "utopia.2": "w", "utopia.x": "x",
}  # fmt: skip


def note(view: View, seat: Player, face: str) -> PileNote:
    """Target (6.1), level (4.1) and markers (5.3, 5.5, 5.6) of a domain of a seat."""
    count = len(view.zones.get(f"seat{seat}.{face}", ()))
    democracies = view.counters.get(f"seat{seat}.democracy.{face}", 0)
    first, second = (2, 4) if view.players == 4 else (3, 5)
    has_level = face != "culture"
    return PileNote(
        target=(8 if view.players == 2 else 7) + democracies,
        level=(count >= first) + (count >= second) if has_level else 0,
        embargoes=view.counters.get(f"seat{seat}.embargo.{face}", 0),
        democracies=democracies,
        has_coin=_coin_lies_on(view, seat, face),
    )


def _coin_lies_on(view: View, seat: Player, face: str) -> bool:
    """Whether the culture coin marks this domain; before anything is copied it marks culture."""
    if view.counters.get("coin.holder", -1) != seat:
        return False
    domain = view.counters.get("coin.domain", -1)
    return face == (FACES[domain].key if domain >= 0 else "culture")


def why_not(view: View, face: str) -> str:
    """Why a card of this domain cannot be chosen from the hand now."""
    if view.counters.get(f"seat{view.seat}.embargo.{face}", 0):
        return "why.embargo"
    verbs = {offer.action.verb for offer in view.offers}
    return "why.played" if verbs & {"use", "end"} else ""


def chapter(view: View) -> str:
    """The chapter of the rules that matters now: set-up, a turn, the effects, or the end."""
    if view.is_over:
        return "6"
    verbs = {offer.action.verb for offer in view.offers}
    if verbs & {"keep"} or view.phase == "middle":
        return "2"
    return "3" if not verbs or verbs & {"play", "skip"} else "5"


def left(view: View) -> int:
    """How many cards the running effect still asks for: to discard, return, take, give or play."""
    if view.phase == "play more":
        return view.counters.get("plays", 0)
    counted = ("discard hand", "discard area", "return", "give", "take")
    return view.counters.get("need", 0) if view.phase in counted else 0


def texts(options: Mapping[str, OptionValue], face: str) -> tuple[str, ...]:
    """What the effects of a domain do (4.2, 5), by their numbers."""
    numbers = ("0",) if face == "culture" else ("1", "2", "x")
    return tuple(f"explain.{face}.{number}" for number in numbers)


def labels(view: View) -> dict[str, str]:
    """Effects keep their letters."""
    return {f"use {effect}": letter for effect, letter in EFFECT_LETTERS.items() if letter}


def say(words: Words, seats: Sequence[SeatState], notation: str) -> Mapping[str, str]:
    """A domain that is aimed at is that of a seat: `grace's Military`."""
    from ui.model.sentences import things  # That module asks for looks as well.

    verb, *rest = notation.split()
    if verb == "target" and len(rest) > 1:
        name, what = (things(words, seats, [word]) for word in rest)
        return {"what": words("carta.of_seat", name=name, what=what)}
    return {"what": things(words, seats, rest)}


EMBLEM: Final = (
    (Inked("■■■ ■■ □·", "$c-red"),),
    (Inked("■■· ·· ··", "$c-violet"),),
    (Inked("■·· ·· ··", "$c-green"),),
)


# The one roll of a game says who begins (2.2).
LOOK: Final = Look(
    FACES,
    note,
    chapter,
    why_not,
    left=left,
    roll=lambda line: "line.begins",
    texts=texts,
    labels=labels,
    board=f"{__name__}.board",
    say=say,
    deeds=("play", "use"),
    emblem=EMBLEM,
)
