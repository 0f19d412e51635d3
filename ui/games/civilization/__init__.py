"""Civilization on the screen: the map, cities, technologies, battles and deals.

board.py        the whole table: map.py, and what the moment needs beside it:
                cities.py, pyramid.py, battle.py, deal.py, window.py, standings.py
position.py     a view as a table, for the rules to say what follows
labels.py       what picks a square, a city, a good
asking.py       the question; offered.py, meaning.py, replacing.py: what a choice does
squares.py      what a square is; why.py: why it cannot be chosen
words.py        the notation in words; lines.py: lines of text; rules.py: the rules
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from core.games.civilization.course import IN_RESEARCH, IN_SETUP
from core.games.civilization.faces import (
    CIV_KEYS,
    EVENT_KEYS,
    FACES,
    IS_GIFT,
    PERSON_KEYS,
    TECH_KEYS,
    WONDER_KEYS,
)
from core.games.civilization.layout import CITIES, HOW, TARGET_CITY, WINNER
from core.games.civilization.natives import natives_action
from core.games.civilization.printed import EVENT_KINDS, GOVERNMENTS
from core.narrate import Line
from core.requests import Player
from core.table import OptionValue
from core.view import Offer, View
from ui.games.civilization.asking import ask, left, ways
from ui.games.civilization.labels import labels
from ui.games.civilization.offered import offered
from ui.games.civilization.words import say
from ui.look import FaceLook, Inked, Look, Pile, PileNote, Reached, only_offer

if TYPE_CHECKING:
    from ui.language.text import Words

_UNIT_COLORS: Final = {"infantry": "bright_red", "mounted": "bright_blue",
                       "artillery": "bright_yellow", "aircraft": "bright_magenta"}  # fmt: skip
_BATTLE: Final = ("fight", "front", "wound", "heal", "natives", "rescue")
_TEXTS: Final = frozenset((*EVENT_KEYS, *WONDER_KEYS, *PERSON_KEYS))
_NAMED: Final = ("tech", "gov", "civ")  # Whose texts and names stand under their kind.
READABLE: Final = (
    *EVENT_KEYS, *WONDER_KEYS, *PERSON_KEYS, *(f"tech.{key}" for key in TECH_KEYS),
    *(f"gov.{key}" for key in GOVERNMENTS), *(f"civ.{key}" for key in CIV_KEYS),
)  # fmt: skip
_CHAPTERS: Final = {
    **dict.fromkeys(("window", "guarding", "consent"), "7 "),
    **dict.fromkeys((*_BATTLE, "loot", "village"), "6 "),
}


def _face(key: str) -> FaceLook:
    """Units by their type, events green, wonders violet, people yellow, markers plain."""
    kind = key.partition(".")[0]
    if kind in _UNIT_COLORS:
        return FaceLook(key, key.partition(".")[2], _UNIT_COLORS[kind])
    if key in EVENT_KEYS:
        return FaceLook(key, "E", "bright_green")
    if key in WONDER_KEYS:
        return FaceLook(key, "!", "bright_magenta")
    if key in PERSON_KEYS:
        return FaceLook(key, "@", "bright_yellow")
    return FaceLook(key, key[:1], "bright_cyan")


def hand(view: View) -> tuple[str, ...]:
    """What I hold: my units in a battle, else my event cards and markers.

    Natives are in my hand only while I choose for them.
    """
    in_battle = view.phase in _BATTLE or bool(view.counters["battle"])
    is_mine = view.seat is not None and bool(view.zones[f"seat{view.seat}.battle"])
    is_theirs = view.counters["battle.natives"] and view.counters["battle.defender"] == view.seat
    is_shown = in_battle and is_mine and (bool(view.offers) or not is_theirs)
    return ("battle",) if is_shown else ("events", "tokens", "found")


def texts(options: Mapping[str, OptionValue], face: str) -> tuple[str, ...]:
    """What a card says: an event, a wonder, a great person, a technology."""
    if face in _TEXTS or face.partition(".")[0] in _NAMED:
        return (f"text.civilization.{face}",)
    return ()


def named(words: Words, face: str) -> str:
    """What a card, a technology, a government or a civilization is called."""
    kind = "civilization" if face.partition(".")[0] in _NAMED else "face"
    return words.name(kind, face)


def why_not(view: View, face: str) -> str:
    """Why a card that I hold cannot be used now."""
    key = "civilization.why."
    if face.partition(".")[0] in _UNIT_COLORS:
        return key + "unit"
    if face not in EVENT_KEYS:
        return key + "marker"
    if IS_GIFT[FACES.index(face)]:
        return key + "gift"
    phase = EVENT_KINDS[EVENT_KEYS.index(face)].phase
    return key + ("no_target" if phase == view.phase else phase)


def roll(line: Line) -> str:
    """The first roll says who begins; of later ones a fact says what for, but of civilizations."""
    return "line.civilization.rolled" if line.entry else "line.begins"


def ending(words: Words, view: View, names: Sequence[str]) -> str:
    """C171 to C178: who won it and how, whose capital was taken, or that nobody has won."""
    from ui.games.civilization.position import table_of

    counters = table_of(view).counters
    winner, fallen = counters[WINNER], (counters[TARGET_CITY] - 1) // CITIES
    who, whose = (names[seat] if seat >= 0 else "" for seat in (winner, fallen))
    return words(f"end.civilization.{counters[HOW]}", name=who, other=whose)


def whose_turn(view: View) -> Player | None:
    """Whose part of a phase it is; nobody's where each acts for itself: set-up and research."""
    counters = view.counters
    is_in_turn = IN_SETUP < counters["phase"] < IN_RESEARCH and counters["order"] > 0
    return counters["active"] if is_in_turn else None


def chapter(view: View) -> str:
    """The chapter of the rules that matters now."""
    return _CHAPTERS.get(view.phase, f"{min(view.counters['phase'], 5)} ")


def piles(view: View, seat: Player) -> tuple[Pile, ...]:
    """Wonders and great people of a seat, which everybody sees."""
    zones = (f"seat{seat}.{key}" for key in ("wonders", "sheet"))
    return tuple(
        Pile(card.face, zone, 1, (card,))
        for zone in zones for card in view.zones[zone] if card.face
    )  # fmt: skip


def typed(view: View, line: str) -> tuple[str, ...]:
    """A deal in one line."""
    from ui.games.civilization.lines import typed as parts

    return parts(view, line)


def reached(words: Words, view: View) -> tuple[Reached, ...]:
    """How near each seat was to each of the four victories."""
    from ui.games.civilization.position import table_of
    from ui.games.civilization.standings import distances

    return distances(words, table_of(view))


def must_pick(view: View) -> bool:
    """A deal is proposed by whoever puts it together, also where nothing more can be added.

    And what takes the place of something of one's own, which goes for good, is meant (C68).
    """
    from ui.games.civilization.replacing import is_loss

    return view.phase == "deal" or is_loss(view)


def reflex(view: View) -> Offer | None:
    """An only choice, and natives: nobody is called to the table for somebody else's hut (D10)."""
    if must_pick(view):
        return None
    if not view.offers or view.seat is None or not view.counters["battle.natives"]:
        return only_offer(view)
    from ui.games.civilization.position import table_of

    table = table_of(view)
    action = natives_action(table, view.seat, table.face)
    played = (offer for offer in view.offers if offer.action == action)
    return next(played, None) or only_offer(view)


def stands_in(view: View) -> str:
    """D10: natives are played by the program of the left neighbour, who need not think."""
    is_mine = view.counters["battle.defender"] == view.seat
    is_theirs = view.counters["battle.natives"] and (is_mine or view.phase == "natives")
    return "civilization.natives_played" if is_theirs else ""


def rules(words: Words) -> str:
    """The rules in the person's language."""
    from ui.games.civilization.rules import rules as told

    return told(words)


EMBLEM: Final = (
    (Inked("^ ^ ", "$muted"), Inked("% . . ", "$c-green"), Inked("~ ~ ~", "$c-blue")),
    (Inked(": : ", "$c-yellow"), Inked("*b ", "bold $c-red"), Inked(". ", "$c-green"),
     Inked("2b ", "bold $c-red"), Inked("~ ~", "$c-blue")),
    (Inked("^ : ", "$c-yellow"), Inked("% % . . ", "$c-green"), Inked("~ ~", "$c-blue")),
)  # fmt: skip


LOOK: Final = Look(
    faces=tuple(map(_face, FACES)),
    note=lambda view, seat, face: PileNote(),
    why_not=why_not,
    chapter=chapter,
    whose_turn=whose_turn,
    ask=ask,
    left=left,
    ways=ways,
    roll=roll,
    ending=ending,
    texts=texts,
    readable=READABLE,
    named=named,
    piles=piles,
    open_pile="dead.infantry",
    labels=labels,
    offered=offered,
    board=f"{__name__}.board",
    emblem=EMBLEM,
    has_rounds=True,
    say=say,
    hand=hand,
    lines=f"{__name__}.lines",
    typed=typed,
    rules=rules,
    reflex=reflex,
    must_pick=must_pick,
    stands_in=stands_in,
    has_winner=lambda view: view.counters["winner"] >= 0,
    reached=reached,
    told_by={
        "place": ("figure", "built"),
        "sheet": ("aside",),
        "rescue": ("back",),
        "discard": ("discarded",),
        **dict.fromkeys(("government", "anarchy"), ("governed",)),
        "site": ("figure", "built"),
        "great": ("built",),
        "discover": ("discovered",),
        "rolled": ("mustered", "doomed"),
        "learn": ("learned",),
        "advance": ("advanced",),
        **dict.fromkeys(("move", "via", "go", "stop"), ("moved",)),
    },
    goes_on=("via", "go", "stop", "discover", "pass", "guard", "learn", "none"),
    asides=("guard",),
    implied=("peace", "founded"),  # Who has won, C123, or who has founded a city, says it.
    harmless=("proposed",),
    looked_at=("cleared", "seize"),  # A marker of a hut or a village (C102, C103).
    names_drawn=True,  # Hands are mixed at once: nobody would find it among the others.
    whole=(("battle", "siege"), "peace"),
    deeds=("battle", "siege", "victory", "defeat", "fell", "gone", "event"),
    # Who has won says more.
    routine=("play", "front", "new", "pass", "mustered", "ranked", "back", "discarded"),
)
