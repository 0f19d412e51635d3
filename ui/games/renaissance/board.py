"""The table of Renaissance: the events above, my hand and what I may do with it below."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from core.games.renaissance.cards import FIRST_PERSON, SYMBOL_BITS
from core.games.renaissance.printed import SERIES, SYMBOLS
from core.requests import Player
from ui.draw.cards import card_cells, draw_cards
from ui.draw.choices import choices_left, draw_choices
from ui.draw.marks import CAP, FAINT, GOOD, LIT, MUTED, color_of
from ui.draw.panels import CardPicture, Light, panel
from ui.draw.scene import Column, GameBoard, Scene
from ui.draw.zones import hand_card
from ui.games.renaissance.events import draw_events
from ui.games.renaissance.facts import card_row, display_rows, is_taking, kind_row, lines, side
from ui.games.renaissance.graph import CULTURE_COLOR, GENIUS_SIGN, PERSON_COLOR, stone
from ui.games.renaissance.position import NUMBERS, ROW_NUMBERS, can_turn, symbol_count
from ui.games.renaissance.why import about
from ui.ink import Row, Span
from ui.picks import Held
from ui.picture import Picture

_SCORINGS: Final = {2: 11, 3: 13, 4: 15}  # 13.3
HAND_ROWS: Final = 6
EVENTS_ROWS_MAX: Final = 28
EVENTS_ROWS_MIN: Final = 14  # With fewer, paths are left out.
_GROWS: Final = " 0 → 1"
_COUNTED: Final = (("▌", PERSON_COLOR), (GENIUS_SIGN, CULTURE_COLOR), (GENIUS_SIGN, PERSON_COLOR))


def column(scene: Scene, width: int, height: int) -> Column:
    """Events, a few lines of facts where there is no column for them, then my hand."""
    hand_rows = HAND_ROWS if scene.is_roomy else 2 if scene.is_tiny else 3
    hand = draw_cards(_cards(scene, width), width, hand_rows)
    facts = [] if scene.has_side else lines(scene, width, 1 if scene.is_tiny else 3)
    beside = display_rows(scene) if scene.has_side else facts
    spots = set(scene.picture.look.labels(scene.view).values())
    picks = [pick for pick in choices_left(scene, [*hand, *beside]) if pick.label not in spots]
    room = max(height // 4, 2)
    choices = draw_choices(scene, picks, width, min(room, len(picks) + 1))
    if height - len(hand) - len(choices) - len(facts) < EVENTS_ROWS_MIN and not is_taking(scene):
        facts = facts[:1]  # The display is not asked about; where a piece may go, is.
    rest = height - len(hand) - len(choices) - len(facts)
    above = [*draw_events(scene, width, min(rest, EVENTS_ROWS_MAX)), *facts]
    if rest - EVENTS_ROWS_MAX > 4:
        above += everybody(scene, width, rest - EVENTS_ROWS_MAX)
    return Column(above, [*hand, *choices])


def everybody(scene: Scene, width: int, height: int) -> list[Row]:
    """Every card of every row, where the screen is large."""
    rows: list[Row] = []
    for seat in range(scene.view.players):
        name = Span(f" {scene.name_of(seat)}: ", scene.style_of(seat))
        cards: Row = []
        for number in range(1, ROW_NUMBERS + 1):
            for card in scene.view.zones[f"seat{seat}.row{number}"]:
                cards += [Span(" · ", FAINT)] if cards else []
                cards += card_row(scene, card.face or "")
        cards = cards or [Span(scene.words("term.empty"), FAINT)]
        rows.append([Span(*stone(1 + seat)), name, *cards])
    return panel(scene.words("renaissance.everybody"), rows, width, height)


# ---- my hand ----


def _cards(scene: Scene, width: int) -> list[CardPicture]:
    hand = scene.picture.hand
    room = card_cells(len(hand), width) - 4
    return [_card(scene, number, held, room) for number, held in enumerate(hand, 1)]


def _card(scene: Scene, number: int, held: Held, room: int) -> CardPicture:
    label, face = str(number), held.card.face
    if face is None:
        return hand_card(scene, number, held)
    words, bits = scene.words, SYMBOL_BITS[NUMBERS[face]]
    symbols = [name for symbol, name in enumerate(SYMBOLS) if bits >> symbol & 1]
    kind = "face" if len(symbols) == 1 else "renaissance"
    name = "/".join(words.name(kind, symbol) for symbol in symbols)
    light = scene.light_of(label)
    color = color_of(scene.picture.look.face(symbols[0])) if len(symbols) == 1 else ""
    kinds = kind_row(scene, face)
    rows = [kinds or [Span(words("renaissance.culture_card"))], *_consequence(scene, face, room)]
    key = label if light in (Light.LEGAL, Light.CHOSEN) else ""
    later = words("renaissance.later") if scene.view.phase in ("place", "bonus") else ""
    name = name or words.name("face", face)
    return CardPicture(key, name, color, rows, later, light, label, kinds)


def _consequence(scene: Scene, face: str, room: int) -> list[Row]:
    """What laying it down would do to my rows, or to my pile, in `room` cells a line."""
    words, seat = scene.words, scene.view.seat
    if seat is None:
        return []
    if NUMBERS[face] >= FIRST_PERSON:
        count = len(scene.view.zones[f"seat{seat}.persons"])
        return [[Span(words("renaissance.to_pile", number=count, more=count + 1), MUTED)]]
    symbols = [at for at in range(len(SYMBOLS)) if SYMBOL_BITS[NUMBERS[face]] >> at & 1]
    if len(symbols) == 1:
        return [_row_grows(scene, seat, symbols[0], scene.words("renaissance.row"))]
    return [_row_grows(scene, seat, at, _symbol(scene, at, room)) for at in symbols]


def _symbol(scene: Scene, symbol: int, room: int) -> str:
    """The name of a symbol; its first letters where what follows would have no room."""
    name = scene.words.name("face", SYMBOLS[symbol])
    if 0 < room < cell_len(name) + len(_GROWS):
        return scene.words.name("renaissance", SYMBOLS[symbol])
    return name


def _row_grows(scene: Scene, seat: Player, symbol: int, name: str) -> Row:
    words, count = scene.words, symbol_count(scene.view, seat, symbol)
    others = [each for each in range(scene.view.players) if each != seat]
    most = max(symbol_count(scene.view, each, symbol) for each in others)
    row: Row = [Span(f"{name} {count} → {count + 1}", LIT)]
    if count + 1 > most >= count:
        row.append(Span(f"  {words('renaissance.most')}", GOOD))
    if can_turn(scene.view, seat, symbol):
        row.append(Span(f"  {words('renaissance.covers')}", MUTED))
    return row


# ---- words about it ----


def status(picture: Picture) -> str:
    """How far the game is, and whose series is in it for certain."""
    words, view = picture.words, picture.view
    series = view.counters["series"]
    return words(
        "renaissance.status", number=view.counters["scorings"],
        all=_SCORINGS.get(view.players, 0), left=len(view.zones["events"]),
        series=words.name("value", SERIES[series]) if series >= 0 else "-",
    )  # fmt: skip


def legend(picture: Picture) -> list[Row]:
    """Every sign of the board."""
    words = picture.words
    signs: list[Row] = [
        [Span("( 1 )", f"bold {CULTURE_COLOR}")],
        [Span("[ 1 ]", f"bold {PERSON_COLOR}")],
        [Span(*stone(1)), Span(" "), Span(*stone(5))],
        [Span(" 1 ", CAP)],
        [Span(f"g {GENIUS_SIGN}", LIT)],
        [Span("▲  +", LIT)],
        [*(Span(f"{sign} ", color) for sign, color in _COUNTED)],
        [Span("6+2", LIT)],
    ]  # fmt: skip
    texts = words("renaissance.signs").strip().splitlines()
    return [
        [Span(" "), *sign, Span(" " * (9 - sum(len(span.text) for span in sign))), Span(text)]
        for sign, text in zip(signs, texts, strict=True)
    ]


BOARD: Final = GameBoard(column, side, status, legend, about)
