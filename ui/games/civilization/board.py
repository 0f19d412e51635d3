"""The table of Civilization: the map, beside it what the moment needs, my cards below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from core.games.civilization.course import PHASES
from core.games.civilization.layout import FIRST, PHASE, TURN
from core.requests import Player
from core.table import Table
from ui.draw.cards import draw_cards
from ui.draw.choices import choices_left, draw_choices, labels_in
from ui.draw.marks import CAP, FAINT, LIT, MUTED
from ui.draw.panels import CardPicture, cut, fill, panel, ruled, window, wrapped
from ui.draw.scene import Column, GameBoard, Scene
from ui.draw.story import draw_story, fitting, newest
from ui.draw.zones import hand_card
from ui.games.civilization import battle, deal
from ui.games.civilization.cities import city_rows
from ui.games.civilization.map import (
    cursor_of,
    draw_map,
    few_sign_rows,
    is_square,
    map_width,
    sign_rows,
    size_for,
    spots_of,
)
from ui.games.civilization.meaning import choice_text
from ui.games.civilization.position import answered_at, square_name, table_of
from ui.games.civilization.pyramid import name_rows, pyramid_rows
from ui.games.civilization.replacing import over_text
from ui.games.civilization.squares import (
    about,
    city_here,
    groups_here,
    met_here,
    square_text,
)
from ui.games.civilization.standings import (
    both_rows,
    cut_table,
    distance_rows,
    first_name,
    forces_text,
    goods_rows,
    limits_rows,
    market_rows,
    stock_text,
    tokens_text,
    track_text,
)
from ui.games.civilization.window import GUARD_ROWS, guard_rows, now_rows
from ui.games.civilization.words import name
from ui.model.picks import HandStack, OfferPick
from ui.model.story import since_my_choice, whole_so_far
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, beside, to_text

_GAP: Final = 1
_MAP_ROWS: Final = 17  # Of the smallest map that is whole, with the letters above it.
_CHOICES_MIN: Final = 4  # Rows of choices that stand nowhere else, under what the moment needs.
_BLOCK_ROWS_MIN: Final = 2  # Below its title, or it says nothing.
_SINCE_ROWS: Final = 4
_FOUGHT_ROWS: Final = 6  # Where a battle is among what is new.
_CARD_ROWS_MAX: Final = 3  # Of the names of what I hold, on a small screen.
_CITY_PHASES: Final = ("city", "item")
_RIGHT_MIN: Final = 22  # Beside the smallest map; more where there is room for more.
_RIGHT_USUAL: Final = 40
_RIGHT_BESIDE_SIDE: Final = 30


def column(scene: Scene, width: int, height: int) -> Column:
    """The map and the panels beside it, then the square under the cursor and my cards."""
    table = table_of(scene.view)
    below = _below(scene, table, width, height)
    rows = max(height - len(below), 4)
    if _is_map_in_the_way(scene, table, rows, below):
        if _rows_of_focus(scene, table, width, below) > rows:
            below = _below(scene, table, width, height, is_short=True)
            rows = max(height - len(below), 4)
        return Column(_right(scene, table, _Room(width, rows), below), below)
    size = size_for(scene, width - _right_min(scene, width), rows)
    left_width = min(map_width(scene, size), width - _RIGHT_MIN)
    ground = draw_map(scene, table, size, rows)
    mine = _under_map(scene, table, left_width, rows - len(ground))
    room = _Room(width - left_width - _GAP, rows, has_mine=not mine)
    right = _right(scene, table, room, [*ground, *below])
    left = fill([*ground, *mine], left_width, rows)
    return Column(beside([left, fill(right, room.width, rows)], _GAP), below)


def _is_map_in_the_way(scene: Scene, table: Table, height: int, drawn: Sequence[Row]) -> bool:
    """Whether a small screen has no room for what is asked beside a map that it is not about."""
    if not scene.is_tiny or spots_of(scene):
        return False
    if scene.view.seat in (*battle.sides(table), *(deal.parties(table) or ())):
        return True  # Two sides with the names of what they have need more cells, at any length.
    if not scene.model.is_my_turn:
        return False
    return _rows_of_focus(scene, table, _RIGHT_MIN, drawn) > height


def _rows_of_focus(scene: Scene, table: Table, width: int, drawn: Sequence[Row]) -> int:
    """How many rows what the moment needs takes, with the choices; 0 where it needs nothing."""
    focus = [each.rows for each in _blocks(scene, table, width) if each.is_focus]
    picks = _to_list(scene, [*drawn, *(row for inside in focus for row in inside)])
    needed = sum(len(inside) + 1 for inside in focus) + len(picks) + (len(picks) > 1)
    return needed if focus else 0


def _right_min(scene: Scene, width: int) -> int:
    """How many cells the panels beside the map need."""
    if scene.has_side:
        return _RIGHT_BESIDE_SIDE
    return _RIGHT_USUAL if width >= 2 * _RIGHT_USUAL - 2 else _RIGHT_MIN


def _under_map(scene: Scene, table: Table, width: int, height: int) -> list[Row]:
    """Where the map leaves rows: what I am, if all of it has room there."""
    rows = limits_rows(scene, table, width - 4) if scene.is_roomy else []
    if not rows or len(rows) > height - 2:
        return []
    return panel(scene.words("civilization.you"), rows, width, height)


# ---- beside the map ----


class _Room(NamedTuple):
    """The cells and rows beside the map, and whether what I am stands there."""

    width: int
    height: int
    has_mine: bool = True


def _right(scene: Scene, table: Table, room_there: _Room, drawn: Sequence[Row]) -> list[Row]:
    """What the moment needs first, then what is worth knowing, then all other choices."""
    width, height, has_mine = room_there
    draw = panel if height >= 22 and width >= 40 else ruled
    inner = width - (4 if draw is panel else 1)
    frame = 2 if draw is panel else 1
    rows: list[Row] = []
    blocks = _blocks(scene, table, inner, has_mine=has_mine)
    focus = [block for block in blocks if block.is_focus]
    inside_all = [row for block in focus for row in block.rows]
    picks = _to_list(scene, [*drawn, *inside_all])  # A list that scrolls shows its own.
    spare = max(frame + min(len(picks), _CHOICES_MIN), 3) if picks else 0
    if focus and draw is ruled and len(picks) == 1:
        spare = len(draw_choices(scene, picks, inner, 2))
        spare += spare > 1  # In one row it has no title, see below.
    for block in focus:
        room = max(height - len(rows) - frame - spare, 3)
        shown = window(block.rows, room, _at(scene, block.rows), inner)
        rows += draw(block.title, shown, width,
                     is_live=scene.model.is_my_turn)  # fmt: skip
    room = height - len(rows)
    high = max(min(room - frame, 2 * len(picks)), 2)
    menu = draw_choices(scene, picks, inner, high) if picks else []
    if len(menu) == 1 and focus and draw is ruled:  # Its title would cost somebody's standings.
        rows += fill([[Span(" "), *menu[0]]], width, 1)
    elif menu:
        rows += draw(scene.words("civilization.choices"), menu, width, is_live=True)
    for block in blocks:
        left = height - len(rows) - frame
        shown = [] if block.is_focus or left < _BLOCK_ROWS_MIN else _within(block, inner, left)
        rows += draw(block.title, shown, width) if shown else []
    return rows


def _to_list(scene: Scene, drawn: Sequence[Row]) -> list[OfferPick]:
    """The choices that a list has to say: of an answer to a move the map only shows where."""
    left = choices_left(scene, drawn)
    return [pick for pick in scene.model.picks
            if pick in left or answered_at(scene.view, pick.offer)]  # fmt: skip


def _within(block: _Block, width: int, height: int) -> list[Row]:
    if len(block.rows) > height and block.shorter is not None:
        return block.shorter(height)
    return cut(block.rows, width, height)


def _at(scene: Scene, rows: Sequence[Row]) -> int:
    return next((y for y, row in enumerate(rows) if scene.cursor in labels_in([row])), 0)


class _Block(NamedTuple):
    """A panel: whether the moment needs it, its title and rows; what it says in fewer."""

    is_focus: bool
    title: str
    rows: list[Row]
    shorter: Callable[[int], list[Row]] | None = None


def _blocks(scene: Scene, table: Table, width: int, *, has_mine: bool = False) -> list[_Block]:
    words, phase, me = scene.words, scene.view.phase, scene.view.seat
    blocks: list[_Block] = []
    now = now_rows(scene, table, width)
    if now:
        blocks.append(_Block(True, words("civilization.window"), now))
    if battle.is_fought(table):
        title = battle.title(scene, table)
        blocks.append(_Block(True, title, battle.battle_rows(scene, table, width)))
    if deal.parties(table) is not None:
        rows = deal.deal_rows(scene, table, width)
        blocks.append(_Block(True, deal.title(scene, table, width - 1), rows))
    is_mine = scene.model.is_my_turn
    if not scene.has_side:
        blocks += _told_blocks(scene, table, width)
    signs = _Block(False, words("civilization.signs_title"), sign_rows(scene, width),
                   partial(few_sign_rows, scene, table, width))  # fmt: skip
    if me is None:
        return [*blocks, *_pyramids_of_others(scene, table, width), signs]
    verbs = {pick.offer.action.verb for pick in scene.model.picks}
    is_city, is_tech = is_mine and phase in _CITY_PHASES, bool(verbs & {"learn", "liberty"})
    cities = city_rows(scene, table, width, is_full=scene.is_roomy)
    blocks.append(_Block(is_city, words("civilization.my_cities"), cities))
    techs = pyramid_rows(scene, table, width, me)
    by_name = partial(name_rows, scene, table, width)
    blocks.append(_Block(is_tech, words("civilization.pyramid"), techs, by_name))
    if has_mine:  # Elsewhere it is below the map.
        mine = limits_rows(scene, table, width)
        if _text_below(scene, table):  # Else they stand there.
            mine = [*wrapped([Span(_forces(scene, table, me))], width, "  "), *mine]
        blocks.append(_Block(False, words("civilization.you"), mine))
    return [*blocks, *_pyramids_of_others(scene, table, width), signs]


def _told_blocks(scene: Scene, table: Table, width: int) -> list[_Block]:
    """What a column of facts says elsewhere: how near each is, what is new; of a battle all of it.

    Of that the blows come before how near each is, and the newest before all others.
    """
    words, both = scene.words, both_rows(scene, table, width)
    near = _Block(False, words("civilization.standings"), both, partial(cut_table, both))
    fought = whole_so_far(scene.model)
    if fought:
        blows = draw_story(fought, width)
        return [_Block(False, words("board.log"), blows, partial(newest, fought, width)), near]
    since = since_my_choice(scene.model)
    most = _FOUGHT_ROWS if any(each.is_deed for each in since) else _SINCE_ROWS
    new = fitting(since, width, most)
    return [near, _Block(False, words("board.since_choice"), new, partial(fitting, since, width))]


def _pyramids_of_others(scene: Scene, table: Table, width: int) -> list[_Block]:
    """What everybody else knows: where there is room for it, a spectator sees it too."""
    others = scene.model.others if scene.is_broad else ()
    return [
        _Block(False, scene.words("civilization.pyramid_of", name=scene.name_of(each.seat)),
               pyramid_rows(scene, table, width, each.seat))
        for each in others
    ]  # fmt: skip


# ---- below the map ----


def _below(
    scene: Scene, table: Table, width: int, height: int, *, is_short: bool = False
) -> list[Row]:
    """The square or the choice under the cursor, my cards, and what I am asked about."""
    spots = spots_of(scene)
    square = cursor_of(scene, spots)
    rows = _said_below(scene, table, width, 1 if _is_cramped(scene) else 2)
    under = _cards_and_guards(scene, table, width, len(rows))
    is_cramped = scene.model.hand and len(rows) + len(under) + _MAP_ROWS > height
    has_map = bool(spots) or not scene.is_tiny  # There it is whole, or it is what is asked about.
    if is_short or (has_map and is_cramped):
        rows = _said_below(scene, table, width, 1)  # What is asked is worth more than a line.
        here = city_here(scene.model, square) or met_here(scene.model, table, square)
        here = f"{square_name(square)} · {here}" if here else ""
        here = here or groups_here(scene.model, square, scene.cursor)
        rows = cut([[Span(f" {here}", LIT)]], width, 1) if here else rows
    if not scene.is_tiny and len(rows) + len(under) + _MAP_ROWS > height:
        under = _cards_and_guards(scene, table, width, len(rows), is_short=True)
    return [*rows, *under]


def _text_below(scene: Scene, table: Table) -> str:
    """What the square or the choice under the cursor is; empty where there is none."""
    square = cursor_of(scene, spots_of(scene))
    return square_text(scene.model, table, square) if square >= 0 else _choice_text(scene)


def _said_below(scene: Scene, table: Table, width: int, height: int) -> list[Row]:
    """That in so many rows, or my forces and tokens: as much of these as fits whole."""
    text = _text_below(scene, table)
    if text:
        rows: list[Row] = cut(wrapped([Span(f" {text}", LIT)], width, " "), width, 2)
        return cut(rows, width, height)
    parts = _mine(scene, table)
    drawn = [wrapped([Span(" " + " · ".join(parts[:count]), MUTED)], width, "   ")
             for count in range(len(parts), 0, -1)] or [[[Span("")]]]  # fmt: skip
    return cut(next((rows for rows in drawn if len(rows) <= height), drawn[-1]), width, height)


def _choice_text(scene: Scene) -> str:
    """What the choice under the cursor gives or does, and what has to go for it."""
    pick = scene.model.pick(scene.cursor) if scene.cursor else None
    if pick is None:
        return ""
    words, notation = scene.words, pick.offer.text
    over = over_text(words, scene.view, table_of(scene.view), notation, "civilization.replaces")
    text = choice_text(words, notation, is_card=scene.is_tiny)
    return " · ".join(filter(None, (over, text)))


def _is_cramped(scene: Scene) -> bool:
    """Whether an explanation needs rows that the map would otherwise lose."""
    return bool(scene.lesson) and not scene.is_roomy


def _cards_and_guards(
    scene: Scene, table: Table, width: int, above: int, *, is_short: bool = False
) -> list[Row]:
    rows: list[Row] = []
    cards = [_card(scene, table, number, held) for number, held in enumerate(scene.model.hand, 1)]
    high = 2
    if scene.is_roomy and cards:
        high = 6 if any(card.rows for card in cards) else 4
    is_small = scene.is_tiny or not (scene.is_roomy or any(card.rows for card in cards))
    shown = [] if is_small else draw_cards(cards, width, high)
    if not all(card.name in to_text(shown) for card in cards):  # A unit's number is its strength.
        shown = small_cards(cards, width)
    has_room = scene.is_roomy or (above < 2 and not _is_cramped(scene))
    if not cards and scene.view.seat is not None and has_room:
        shown = [[Span(f" {scene.words('civilization.no_cards')}", FAINT)]]
    rows += shown
    if any(pick.offer.action.verb == "guard" for pick in scene.model.picks):
        is_short = is_short or (not scene.is_roomy and (scene.is_tiny or _is_cramped(scene)))
        most = (GUARD_ROWS if scene.is_roomy else 2) - is_short
        rows += [[Span(" "), *row] for row in guard_rows(scene, table, width - 2, most)]
    return rows


def small_cards(cards: Sequence[CardPicture], width: int) -> list[Row]:
    """The cards in one row; in two or three where not all of their names are in one."""
    shown: list[Row] = []
    for high in range(1, _CARD_ROWS_MAX + 1):
        shown = draw_cards(cards, width, high)
        if {card.hot for card in cards} <= labels_in(shown):
            break
    return shown


def _card(scene: Scene, table: Table, number: int, held: HandStack) -> CardPicture:
    """A card of my hand; in its corner the era of an event, in a battle how strong a unit is."""
    back, seat = held.card.back, scene.view.seat
    corner = name(scene.words, f"back.{back}") if back else ""
    card = hand_card(scene, number, held)
    strong = battle.strength_now(table, seat, held.card.card) if seat is not None else 0
    if not strong:
        return card._replace(corner=corner)
    corner = scene.words("civilization.strength_of", number=strong)
    is_raised = held.card.face and not held.card.face.endswith(f".{strong}")
    return card._replace(corner=corner, short=[Span(corner, MUTED)] if is_raised else [])


def _mine(scene: Scene, table: Table) -> list[str]:
    """My forces, tokens and stock: what stands nowhere else first."""
    seat = scene.view.seat
    if seat is None:
        return []
    parts = [_forces(scene, table, seat), tokens_text(scene, table, seat)]
    parts += [stock_text(scene, table, seat)] if scene.is_tiny else []
    parts += [] if scene.is_tiny or scene.has_side else [track_text(scene, table)]
    return list(filter(None, parts))


def _forces(scene: Scene, table: Table, seat: Player) -> str:
    return scene.words("civilization.units", what=forces_text(scene, table, seat))


# ---- the column of facts, the first line, the legend ----


def side(scene: Scene, width: int) -> list[Row]:
    """How near everybody is, what everybody has, the market."""
    table, words = table_of(scene.view), scene.words
    rows = panel(words("civilization.standings"), distance_rows(scene, table, width - 4), width)
    goods = [*goods_rows(scene, table, width - 4), *market_rows(scene, table, width - 4)]
    return [*rows, *panel(words("civilization.market"), goods, width)]


def status(model: ViewModel) -> str:
    """The turn, the phase, and who is first in it."""
    words, counters = model.words, list(model.view.counters.values())
    phase = words(f"civilization.phase.{PHASES[counters[PHASE]]}")
    name = first_name(model, counters[FIRST])
    return words("civilization.status", turn=max(counters[TURN], 1), phase=phase, name=name)


def legend(model: ViewModel) -> list[Row]:
    """Every sign of the map, of the technologies and of what one is asked about."""
    signs: list[Row] = [
        [Span(". % ^ : ~ ?", LIT)],
        [Span("1-7  a-d  A-D", LIT)],
        [Span("o  O", LIT)],
        [Span("h v  i s n w", LIT)],
        [Span("+  $", LIT)],
        [Span("*  #  #]", LIT)],
        [Span("!  @", LIT)],
        [Span(" . ", "reverse"), Span(" "), Span(" . ", CAP)],
        [Span("2 ■ · 11", LIT)],
        [Span("G1✓ G2·", LIT)],
    ]
    texts = model.words("civilization.signs").strip().splitlines()
    return [
        [Span(" "), *sign, Span(" " * (14 - sum(len(span.text) for span in sign))), Span(text)]
        for sign, text in zip(signs, texts, strict=True)
    ]


BOARD: Final = GameBoard(column, side, status, legend, about, is_square)
