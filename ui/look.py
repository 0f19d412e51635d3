"""What a screen can be told about a game: its faces, its piles, its words for a moment.

A game without a look of its own is shown all the same: by its zones, with their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.narrate import Line
from core.requests import Player
from core.table import OptionValue
from core.view import CardView, Offer, View

if TYPE_CHECKING:
    from p2p.session.news import SeatState
    from ui.language.text import Words


class FaceLook(NamedTuple):
    """The letter and colour of a face; never the colour alone."""

    key: str
    letter: str
    color: str  # A bright one of the sixteen colours; none: the colour of the text.


class PileNote(NamedTuple):
    """What is worth knowing about a seat's pile beyond its height."""

    target: int = 0  # How many cards win; 0: nothing to count towards.
    level: int = 0  # The permanent effect it gives now.
    embargoes: int = 0
    democracies: int = 0
    has_coin: bool = False


class Ware(NamedTuple):
    """An open pile that everybody can get cards from, in the order of the letters that pick it."""

    zone: str
    face: str
    cost: int
    height: int
    is_near: bool = False  # Within reach, once what I hold has been played.
    is_chosen: bool = False
    is_unwanted: bool = False  # Hardly ever taken on purpose: the others have letters before it.


class Reason(NamedTuple):
    """Why something cannot be chosen now: the key of a sentence, and its numbers."""

    key: str
    number: int = 0
    other: int = 0


class Tally(NamedTuple):
    """What the seat whose turn it is can still do; the numbers of the sentence `tally.GAME`."""

    seat: Player
    numbers: Mapping[str, int]


class Pile(NamedTuple):
    """An open pile of a seat."""

    face: str
    zone: str
    size: int
    cards: tuple[CardView, ...]


class Inked(NamedTuple):
    """Some text of an emblem, and its style."""

    text: str
    style: str = ""


class AheadPlace(NamedTuple):
    """A place of the board that can be chosen ahead: what is done there, and its name there."""

    notation: str
    place: str
    face: str = ""  # What lies there: once something else does, the choice was not meant for it.


class Reached(NamedTuple):
    """What is counted at the end beside points: what it is called, and what each seat has."""

    heading: str
    texts: tuple[str, ...]


def seat_of_turn(view: View) -> Player | None:
    """The seat whose turn it is, by the counter that games have for it; none before the first."""
    seat = view.counters["turn"]
    return seat if seat >= 0 else None


def only_offer(view: View) -> Offer | None:
    """The only thing that can be done, unless it ends the turn: that a person does."""
    is_alone = len(view.offers) == 1 and view.offers[0].action.verb != "end"
    return view.offers[0] if is_alone and not view.is_over else None


@dataclass(frozen=True, slots=True)
class Look:
    """What the screens know about one game."""

    faces: tuple[FaceLook, ...]
    note: Callable[[View, Player, str], PileNote]
    chapter: Callable[[View], str]  # How the heading of the rules for this moment begins.
    # The sentence key of why a hand card cannot be chosen; none: the question says it.
    why_not: Callable[[View, str], str] = lambda view, face: ""
    # Why nothing can be got from a pile; none: no pile is asked for.
    why_no_ware: Callable[[View, Ware], Reason | None] = lambda view, ware: None
    # How many choices of the kind that is open are still to come; none where nobody counts.
    left: Callable[[View], int] = lambda view: 0
    # How many cards the open question takes one after another: they may be picked together.
    several: Callable[[View], int] = lambda view: 0
    roll: Callable[[Line], str] = lambda line: "line.rolled"  # The sentence key of a roll.
    ask: Callable[[View], str] = lambda view: ""  # That of what to choose; none: by the verbs.
    ways: Callable[[View], str] = lambda view: ""  # That of which keys choose; none: as usual.
    # What ended the game, in a sentence with the names of seats; none: by the piles of who won.
    ending: Callable[[Words, View, Sequence[str]], str] = lambda words, view, names: ""
    # Those of what a card says, with the options that are played.
    texts: Callable[[Mapping[str, OptionValue], str], tuple[str, ...]] = lambda options, face: ()
    readable: tuple[str, ...] = ()  # Whatever says something; none: all faces.
    named: Callable[[Words, str], str] = lambda words, face: words.name("face", face)
    kinds: Callable[[str], tuple[str, ...]] = lambda face: ()  # Those of the types on a card.
    cost: Callable[[str], int | None] = lambda face: None  # What a card costs, where cards do.
    wares: Callable[[View], tuple[Ware, ...]] = lambda view: ()
    # Whose turn it is, where others may be asked in it; none: the headings of the log say it.
    whose_turn: Callable[[View], Player | None] | None = None
    tally: Callable[[View], Tally | None] = lambda view: None
    # A second letter for an offer, such as "all of them" where there is but one.
    also: Callable[[View], Mapping[str, Offer]] = lambda view: {}
    # What is answered without asking where a person wants that: time tells what could be chosen.
    reflex: Callable[[View], Offer | None] = only_offer
    # Whether the only choice there is has to be picked: it is not simply what goes on.
    must_pick: Callable[[View], bool] = lambda view: False
    # The key of what is said while one's program answers for another than oneself; mostly none.
    stands_in: Callable[[View], str] = lambda view: ""
    # The faces that a choice of options names, to be shown before a table is opened.
    preview: Callable[[Mapping[str, OptionValue]], tuple[str, ...]] = lambda options: ()
    # A seat owns a pack: its deck is counted, these zones are shown by their cards.
    pack: tuple[str, ...] = ()
    # The piles of a seat, where its zones are not what people count.
    piles: Callable[[View, Player], tuple[Pile, ...]] | None = None
    open_pile: str = "discard"  # The pile in the middle that may be looked through.
    # The label of a pick by its notation, where it is said on the board; begins with no digit.
    labels: Callable[[View], Mapping[str, str]] = lambda view: {}
    # By notation, the sentences of offers that say more than it does, as what one costs.
    offered: Callable[[Words, View, Sequence[SeatState]], Mapping[str, str]] = (
        lambda words, view, seats: {}
    )
    # The module whose BOARD draws it (`ui.draw.scene.GameBoard`); none: it is drawn by its zones.
    # Lines of text need no drawing, so it is imported only where there is a screen.
    board: str = ""
    # By label, what can be chosen ahead while others think: places of the board that are typed
    # alike, and asked for first, in every turn.
    ahead: Callable[[View], Mapping[str, AheadPlace]] = lambda view: {}
    # What stands in the gaps of a sentence about a notation; none: its words, one by one.
    say: Callable[[Words, Sequence[SeatState], str], Mapping[str, str]] | None = None
    hand: Callable[[View], tuple[str, ...]] = lambda view: ("hand",)  # My zones that I hold.
    # The module whose LINES tell it in text (`ui.plain.table_lines.GameLines`); none: by its zones.
    lines: str = ""
    # The notations that a typed line means, beyond those of the offers.
    typed: Callable[[View, str], tuple[str, ...]] = lambda view, line: ()
    # The rules in the person's language; none: the sentence `rules.GAME` (see `ui.model.rules`).
    rules: Callable[[Words], str] | None = None
    has_rounds: bool = False  # A turn is a round of all seats, who take phase after phase.
    # Verbs and facts that a turn is told by where there is room for little, and that are left out
    # before all others.
    deeds: tuple[str, ...] = ()
    routine: tuple[str, ...] = ()
    # By verb, or `verb_phase`, the facts that say what was chosen and more, and are told instead
    # of it: at once, or later, where until then nothing is chosen but what goes on with it or
    # lets it pass.
    told_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    goes_on: tuple[str, ...] = ()  # The verbs of that.
    # By verb, the facts of the same event that are told instead of it: nothing waits for them.
    told_with: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Facts and verbs by which a seat gets what it then looks at: that it does is no line.
    looked_at: tuple[str, ...] = ()
    names_drawn: bool = False  # Whether a seat is told which cards it draws.
    # The facts that begin what is told as a whole, and the one that ends it.
    whole: tuple[tuple[str, ...], str] = ((), "")
    asides: tuple[str, ...] = ()  # Verbs that do nothing to the table: of no use among what is new.
    added_up: tuple[str, ...] = ()  # Facts that are told once for a seat, with their sum.
    implied: tuple[str, ...] = ()  # Facts that another one has told before.
    harmless: tuple[str, ...] = ()  # Facts between two seats that do no harm to the first.
    first: tuple[tuple[str, OptionValue], ...] = ()  # The options of a game that is learned.
    has_winner: Callable[[View], bool] = lambda view: True  # Whether anybody has won at the end.
    # What one sees of the game in three rows of few cells (`ui.draw.starts`), for the lobby; none:
    # some of its cards.
    emblem: tuple[tuple[Inked, ...], ...] = ()
    # How far each seat had come at the end, where that is told by more than points.
    reached: Callable[[Words, View], tuple[Reached, ...]] = lambda words, view: ()

    def face(self, key: str | None) -> FaceLook:
        """The look of a face; a plain one for faces nobody has drawn yet."""
        for face in self.faces:
            if face.key == key:
                return face
        return FaceLook(key or "", (key or "?")[:1].upper(), "")

    def order(self, key: str | None) -> int:
        """Where a face stands among its like; unknown faces come last."""
        keys = [face.key for face in self.faces]
        return keys.index(key) if key in keys else len(keys)


PLAIN = Look(
    faces=(),
    note=lambda view, seat, face: PileNote(),
    chapter=lambda view: "",
)
