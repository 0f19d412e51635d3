"""The table of Dominion: the supply, what is in play, what is left of the turn, my hand."""

from __future__ import annotations

from collections import Counter
from typing import Final

from core.requests import Player
from core.view import CardView
from ui.draw.cards import CARD_CELLS_MAX, card_cells, draw_cards, flow_cells
from ui.draw.choices import choices_left, draw_choices
from ui.draw.marks import CAP, FAINT, GOOD, LIT, MUTED, UNSEEN, color_of
from ui.draw.panels import CardPicture, Light, card_lines, cut, panel, wrapped
from ui.draw.scene import Column, GameBoard, Scene
from ui.draw.story import story_rows
from ui.games.dominion.owned import history, owned, points_of
from ui.games.dominion.supply import draw_supply, ending, kinds_of, text_of
from ui.look import Ware
from ui.model.picks import HandStack, OfferPick
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, pad, right

LAID_OUT: Final = ("shown", "look", "play")
OF_SHOWN: Final = ("spy", "thief", "bandit")  # The phases that ask about cards of one who shows.
HAND_ROWS: Final = 7
HAND_ROWS_LOW: Final = 6
HAND_ROWS_MORE: Final = 2
HISTORY_ROWS_MIN: Final = 5
_NAME_CELLS: Final = 10
PLAY_ROWS: Final = 2
PLAY_ROWS_MAX: Final = 3  # All that nearly every card says, and what is picked has to be known.
INLINE_MAX: Final = 4  # More choices than these get lines of their own.


def column(scene: Scene, width: int, height: int) -> Column:
    """The supply first; the hand and the turn are never left out."""
    hand = _hand(scene, width)
    turn = _turn(scene, width, height)
    room = height - len(hand) - len(turn)
    play = _in_play(scene, width)
    supply = draw_supply(scene, width, room - len(play))
    above = [*supply, *play[: max(room - len(supply), 0)]]
    left = room - len(above)
    if scene.is_broad and left >= HISTORY_ROWS_MIN:
        above += _history(scene, width, left)
    elif not scene.has_side:
        above = [*supply, *story_rows(scene, width, left), *play][:room]
    return Column(above, [*turn, *hand])


# ---- what is in play ----


def _in_play(scene: Scene, width: int) -> list[Row]:
    """What lies before the seats; for the card under the cursor, what it says."""
    about = _about(scene, width)
    rows = about or [row for seat in _in_order(scene) for row in _laid_out(scene, seat, width)]
    most = PLAY_ROWS_MAX if about or scene.is_roomy else PLAY_ROWS
    nothing = [] if scene.is_low else [[Span(f" {scene.words('dominion.nothing')}", MUTED)]]
    return cut(rows, width - 1, most) or nothing


def _in_order(scene: Scene) -> list[Player]:
    """From whose turn it is on; first of all whose cards the question is about."""
    view = scene.view
    turn = max(view.counters["turn"], 0)
    seats = [(turn + step) % view.players for step in range(view.players)]
    whose = view.counters["whose"] if view.phase in OF_SHOWN else turn
    return sorted(seats, key=lambda seat: seat != whose)


def _laid_out(scene: Scene, seat: Player, width: int) -> list[Row]:
    rows: list[Row] = []
    for zone in LAID_OUT:
        cards = scene.view.zones[f"seat{seat}.{zone}"]
        if cards:
            row: Row = [Span(f" {scene.name_of(seat)} ", scene.style_of(seat)),
                        Span(f"· {scene.words.name('face', zone)}: ", MUTED)]  # fmt: skip
            rows += wrapped([*row, *_names(scene, cards)], width - 1, "   ")
    return rows


def _names(scene: Scene, cards: tuple[CardView, ...]) -> Row:
    row: Row = []
    for face, count in Counter(card.face or "?" for card in cards).items():
        times = f" ×{count}" if count > 1 else ""
        style = f"bold {color_of(scene.model.look.face(face))}".strip()
        row.append(Span(f"{scene.words.name('face', face)}{times}   ", style))
    return row


def _about(scene: Scene, width: int) -> list[Row]:
    """Name, cost and text of the pile under the cursor, or of a card that is too small for it."""
    pick = scene.model.pick(scene.cursor) if scene.cursor else None
    wares = scene.model.look.wares(scene.view)
    word = pick.offer.text.split()[-1] if pick else ""
    found: Ware | None = next((ware for ware in wares if ware.face == word), None)
    if found is None or (pick and pick.label.isdigit() and _is_hand_whole(scene, width)):
        return []
    color = color_of(scene.model.look.face(found.face))
    name = Span(f" {scene.words.name('face', found.face)} ", f"bold {color}".strip())
    text = Span(text_of(scene, found))
    return wrapped([name, Span(f"({found.cost}) ", MUTED), text], width - 1, " ")


def _is_hand_whole(scene: Scene, width: int) -> bool:
    """Whether every card of my hand has room for all that it says."""
    held = scene.model.hand
    cells = card_cells(len(held), width)
    cards = [_card(scene, number, each, cells) for number, each in enumerate(held, 1)]
    room = _hand_rows(scene, cards, cells) - 2
    return bool(cells) and all(len(card_lines(it, cells)) <= room for it in cards)


# ---- the turn ----


def _turn(scene: Scene, width: int, height: int) -> list[Row]:
    """What is left of the turn, and every choice that is neither a card nor a pile."""
    zones = {ware.zone for ware in scene.model.look.wares(scene.view)}
    picks = [
        pick for pick in choices_left(scene, [])
        if not pick.label.isdigit() and pick.place not in zones
    ]  # fmt: skip
    counts = _tally(scene)
    if len(picks) > INLINE_MAX:
        return [*([[Span(" "), *counts]] if counts else []),
                *_choices(scene, picks, width, height // 2)]  # fmt: skip
    cells: list[Row] = [counts] if counts else []
    for pick in picks:
        is_picked = pick.label in scene.picked
        text = scene.words("dominion.all_treasures") if pick.label == "t" else pick.text
        cells.append([Span(f" {pick.label} ", CAP, pick.label),
                      Span(f"{'▶' if is_picked else ' '}{text}", LIT, pick.label)])  # fmt: skip
    if scene.model.look.several(scene.view) > 1 and scene.model.is_my_turn:
        cells.append([Span(scene.words("table.several"), MUTED)])
    return [[Span(" "), *row] for row in flow_cells(cells, width - 2)] if cells else []


def _choices(scene: Scene, picks: list[OfferPick], width: int, height: int) -> list[Row]:
    """Cards by their names alone where not all have room else: what is done to one, is asked."""
    if len(draw_choices(scene, picks, width, len(picks))) > height:
        picks = [_named(scene, pick) for pick in picks]
    return draw_choices(scene, picks, width, height)


def _named(scene: Scene, pick: OfferPick) -> OfferPick:
    _, _, face = pick.offer.text.partition(" ")
    return pick._replace(text=scene.words.name("face", face)) if face else pick


def _tally(scene: Scene) -> Row:
    """Actions, Buys and coins of whoever has the turn."""
    tally, words = scene.model.look.tally(scene.view), scene.words
    if tally is None:
        return []
    row: Row = []
    if tally.seat != scene.view.seat:
        row.append(Span(f"{scene.name_of(tally.seat)}: ", scene.style_of(tally.seat)))
    numbers = tally.numbers
    for key in ("actions", "buys", "coins"):
        row += [Span(f"{words(f'dominion.{key}')} ", MUTED), Span(f"{numbers[key]}", LIT)]
        more = numbers["more"] if key == "coins" and tally.seat == scene.view.seat else 0
        row.append(Span(f" +{more}  " if more else "  ", "bold $c-yellow"))
    return row


# ---- my hand ----


def _hand(scene: Scene, width: int) -> list[Row]:
    held = scene.model.hand
    cells = card_cells(len(held), width)
    cards = [_card(scene, number, each, cells) for number, each in enumerate(held, 1)]
    if not cards and scene.view.seat is not None:
        return [[Span(f" {scene.words('term.hand', number=0)}", MUTED)]]
    return draw_cards(cards, width, _hand_rows(scene, cards, cells))


def _hand_rows(scene: Scene, cards: list[CardPicture], cells: int) -> int:
    """A few more where all texts are whole then, and it costs only rows of what happened.

    On a low screen what happened would have none: there are as few as the texts need.
    """
    if scene.is_tiny:
        return 2
    rows = HAND_ROWS if scene.is_roomy else HAND_ROWS_LOW
    if not cells or (scene.has_side and not scene.is_broad):
        return rows
    needed = max((len(card_lines(it, cells)) + 2 for it in cards), default=0)
    if scene.is_low:
        return min(needed, rows)
    return needed if rows < needed <= rows + HAND_ROWS_MORE else rows


def _card(scene: Scene, number: int, each: HandStack, cells: int) -> CardPicture:
    label, face = str(number), each.card.face or ""
    words, look = scene.words, scene.model.look
    light = scene.light_of(label)
    picked = scene.picked.count(label)
    name = words.name("face", face or UNSEEN)
    if each.copies > 1:
        is_counted = picked and look.several(scene.view)
        name += f" {picked}/{each.copies}" if is_counted else f" ×{each.copies}"
    kinds = kinds_of(scene, face, cells - 4 if cells else CARD_CELLS_MAX)
    color = color_of(look.face(face))
    rows: list[Row] = [[Span(kinds, color if light is not Light.QUIET else MUTED)]]
    rows += [[Span(words(key))] for key in look.texts(scene.view.options, face)]
    key = label if light in (Light.LEGAL, Light.CHOSEN) else ""
    return CardPicture(key, name, color, rows, "", light, label)


# ---- beside it ----


def side(scene: Scene, width: int) -> list[Row]:
    """The end of the game, who has what, and my own cards."""
    if scene.view.phase == "draft":
        return []
    words, inner = scene.words, width - 4
    decks = owned(scene.model.news.lines, scene.view.players)
    rows = panel(words("dominion.ends_when"), _end_rows(scene), width)
    rows += panel(words("dominion.who"), _who(scene, decks), width)
    me = scene.view.seat
    if me is not None:
        title = words("dominion.mine", number=decks[me].total())
        rows += panel(title, _mine(scene, decks[me], me, inner), width)
    return rows


def _end_rows(scene: Scene) -> list[Row]:
    words, end = scene.words, ending(scene)
    left, all_of = end["left"], max(end["all"], end["left"])
    empty, piles = end["empty"], end["piles"]
    return [
        [Span(f"{words.name('face', 'province')} ", GOOD), Span("■" * left, "$c-green"),
         Span("·" * (all_of - left), FAINT), Span(f" {left}", LIT)],
        [Span(f"{words('dominion.or_piles')} ", MUTED), Span("■ " * empty, "$error"),
         Span("□ " * max(piles - empty, 0), MUTED),
         Span(words("dominion.piles", empty=empty, piles=piles), MUTED)],
    ]  # fmt: skip


def _who(scene: Scene, decks: list[Counter[str]]) -> list[Row]:
    """Points and cards, counted by what everybody has seen; then deck and hand."""
    words, zones = scene.words, scene.view.zones
    heads = [words(f"dominion.{key}") for key in ("points", "cards", "deck", "hand")]
    rows: list[Row] = [
        [Span(" " * _NAME_CELLS), Span("".join(right(head, 5) for head in heads), MUTED)]
    ]
    for seat in sorted(range(scene.view.players), key=lambda seat: -points_of(decks[seat])):
        mark = "▶" if scene.model.seats[seat].is_to_act else ""
        numbers = (
            decks[seat].total(), len(zones[f"seat{seat}.deck"]), len(zones[f"seat{seat}.hand"]),
        )  # fmt: skip
        rows.append([
            Span(pad(mark + scene.name_of(seat), _NAME_CELLS), scene.style_of(seat)),
            Span(right(str(points_of(decks[seat])), 5), LIT),
            Span("".join(right(str(number), 5) for number in numbers)),
        ])  # fmt: skip
    return rows


def _mine(scene: Scene, deck: Counter[str], me: Player, width: int) -> list[Row]:
    """Every card that I own, and where those are that are not in my hand."""
    words, look, zones = scene.words, scene.model.look, scene.view.zones
    cells: list[Row] = []
    for face in sorted(deck, key=look.order):
        style = color_of(look.face(face)) or "$foreground"
        cells.append([Span(f"{words.name('face', face)} {deck[face]}", style)])
    counted = [len(zones[f"seat{me}.{zone}"]) for zone in ("deck", "hand", "play", "shown", "look")]
    where = words("dominion.where", deck=counted[0], discards=deck.total() - sum(counted))
    trash = len(zones["trash"])
    return [
        *flow_cells(cells, width),
        [Span(where, MUTED), Span(f" · {words.name('term', 'trash')} {trash}", MUTED, "pile")],
    ]


def _history(scene: Scene, width: int, height: int) -> list[Row]:
    """What everybody bought in every turn, with the coins there were."""
    words, turns = scene.words, history(scene.model.news.lines, scene.view.players)
    cells = (width - 4 - 5) // scene.view.players
    rows: list[Row] = [[
        Span(" " * 5),
        *(Span(pad(scene.name_of(at), cells), scene.style_of(at)) for at in range(len(turns))),
    ]]  # fmt: skip
    last = max(map(len, turns))
    for number in range(max(last - height + 3, 0), last):
        row: Row = [Span(right(str(number + 1), 3) + "  ", MUTED)]
        for mine in turns:
            turn = mine[number] if number < len(mine) else None
            names = words.listed(words.name("face", face) for face in turn.faces) if turn else ""
            row.append(Span(pad(f"{turn.coins:>2}  {names}" if turn else "", cells)))
        rows.append(row)
    return panel(words("dominion.history"), rows, width, height)


def status(model: ViewModel) -> str:
    """Which turn this is of whoever has it, as the log counts; before the first one, that."""
    view = model.view
    seat = view.counters["turn"]
    if seat < 0 or view.phase == "draft":
        return ""
    return model.words("dominion.status", number=max(view.counters[f"seat{seat}.turns"], 1))


def legend(model: ViewModel) -> list[Row]:
    """Every sign of the board."""
    signs = ("(4)", "×9", "+t", "$3", "◆6", "+3", "■ □", "2/3")
    texts = model.words("dominion.signs").strip().splitlines()
    return [
        [Span(f" {pad(sign, 7)}", LIT), Span(text)] for sign, text in zip(signs, texts, strict=True)
    ]


BOARD: Final = GameBoard(column, side, status, legend)
