"""The table of Carta: the race above, my hand below, then the effects and how near others are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.view import CardView
from ui.draw.cards import CARD_CELLS_MAX, CARD_CELLS_MIN, draw_cards, flow_cells
from ui.draw.choices import draw_choices, explain
from ui.draw.marks import FAINT, GOOD, LIT, MUTED, UNSEEN, color_of
from ui.draw.panels import CardPicture, Light, fit, panel, ruled, wrapped
from ui.draw.scene import Column, GameBoard, Scene
from ui.draw.story import story_rows
from ui.draw.zones import hand_card
from ui.games.carta import EFFECT_LETTERS
from ui.games.carta.effects import about, draw_effects, explained, short_effects
from ui.games.carta.race import (
    DOMAIN_KEYS,
    bar,
    draw_race,
    held,
    is_on_race,
    levels_at,
    near_rows,
)
from ui.model.picks import HandStack
from ui.model.view_model import ViewModel, backs_text
from ui.terminal.spans import Row, Span, beside, pad, row_width, wrap

HAND_ROWS: Final = 7
_DOMAIN_CELLS: Final = 12
_CHOICE_ROWS: Final = 2  # More of choices whose keys stand in the race say it a second time.
NAMED_CELLS: Final = 20  # A card so wide has room for the letter of its domain.


def column(scene: Scene, width: int, height: int) -> Column:
    """The race, and what may be done; what happened last where no column tells it."""
    below = [*_hand(scene, width), *_choices(scene, width, height)]
    is_live = scene.model.is_my_turn
    title = scene.words("carta.race", number=8 if scene.view.players == 2 else 7)
    room = height - len(below)
    if scene.has_side:
        near = len(scene.model.others) + 2
        race = draw_race(scene, width - 4, room - near - 2)
        above = panel(title, race, width, is_live=is_live)
        left = room - len(above)
        return Column([*above, *(_facts(scene, width, left) if left >= near else [])], below)
    above = ruled(title, draw_race(scene, width - 1, room - 1), width, is_live=is_live)
    return Column([*above, *story_rows(scene, width, room - len(above))], below)


def _facts(scene: Scene, width: int, height: int) -> list[Row]:
    """How near the others are; beside it, where there is room for both, what effects do."""
    near = width // 3 if scene.is_broad else width
    rows = panel(scene.words("carta.near"), near_rows(scene), near, height)
    if not scene.is_broad:
        return rows
    is_asked = _is_asked(scene)
    told = set() if is_asked else explained(scene)
    keys = [key for key in EFFECT_LETTERS if key not in told]
    title = scene.words("carta.other_effects" if told else "carta.effects")
    domains = _domains(scene, keys, width - near - 4)
    return beside([rows, panel(title, domains, width - near, height)])


def _domains(scene: Scene, keys: Sequence[str], width: int) -> list[Row]:
    """What effects do, whoever has them."""
    words, rows = scene.words, list[Row]()
    names = [words.name("effect", key) for key in keys]
    most = max(map(cell_len, names), default=0) + 2
    domains: set[str] = set()
    for key, name in zip(keys, names, strict=True):
        domain, _, number = key.partition(".")
        face = scene.model.look.face(domain)
        title = pad("" if domain in domains else words.name("face", domain), _DOMAIN_CELLS)
        domains.add(domain)
        level = {"1": "I", "2": "II"}.get(number, "")
        rows.append(fit([
            Span(title, f"bold {color_of(face)}".strip()), Span(pad(level, 4), MUTED),
            Span(pad(name, most)), Span(words.name("explain", key), MUTED),
        ], width))  # fmt: skip
    return rows


def _is_asked(scene: Scene) -> bool:
    """Whether an effect asks something, in whose place no effects can be used."""
    return scene.model.is_my_turn and scene.view.phase not in ("play", "effects")


def _choices(scene: Scene, width: int, height: int) -> list[Row]:
    """The effects while they may be used; whatever else is asked in its place."""
    if _is_asked(scene):
        picks = [pick for pick in scene.model.picks if not pick.label.isdigit()]
        rows = draw_choices(scene, picks, width - 4, max(height // 4, 2))
        if not scene.has_side and len(rows) > _CHOICE_ROWS and is_on_race(picks):
            return []  # The rows are worth more to what happened.
        if not scene.has_side or not rows:
            return rows
        return panel(scene.words("carta.choose"), rows, width, is_live=True)
    if scene.has_side:
        effects = draw_effects(scene, width - 4, max(height // 3, 4))
        return panel(scene.words("carta.then"), effects, width) if effects else []
    rows = flow_cells(short_effects(scene), width - 2)
    shown = [[Span(" "), *row] for row in rows if row]
    picked = [pick for pick in scene.model.picks if pick.label == scene.cursor]
    told = explain(scene, picked[0]) if picked and not scene.is_tiny else ""
    return [*shown, *([Span(f" {line}", MUTED)] for line in wrap(told, width - 2)[: bool(told)])]


# ---- my hand ----


def _hand(scene: Scene, width: int) -> list[Row]:
    """My cards; equal ones are one card with a count, which any of their numbers picks."""
    groups: list[tuple[list[int], HandStack]] = []
    for number, each in enumerate(scene.model.hand, 1):
        if groups and _is_like(groups[-1][1], each):
            groups[-1][0].append(number)
        else:
            groups.append(([number], each))
    if not groups and scene.view.seat is None:
        return []
    if not groups:
        return [[Span(f" {scene.words('carta.no_hand')}", MUTED)]]
    cells = min(width // len(groups), CARD_CELLS_MAX)
    height = 3 if scene.is_tiny else HAND_ROWS if scene.is_roomy else 6
    cards = [_card(scene, numbers, each, (cells, height)) for numbers, each in groups]
    return draw_cards(cards, width, height)


def _is_like(one: HandStack, other: HandStack) -> bool:
    cards = (one.card, other.card)
    first, second = ((card.face, card.back, card.is_public) for card in cards)
    return first == second


def _card(scene: Scene, numbers: list[int], each: HandStack, size: tuple[int, int]) -> CardPicture:
    """One card or several like it, as wide and high as `size` if it is drawn as a card."""
    cells, _ = size
    words, seat, domain = scene.words, scene.view.seat, each.card.face
    if domain is None:
        return hand_card(scene, numbers[0], each)
    assert seat is not None, "only a seat has a hand"
    labels = [str(number) for number in numbers]
    label = next((label for label in labels if label in scene.picked), labels[0])
    light, face = scene.light_of(label), scene.model.look.face(domain)
    pip = held(scene.view, seat, domain)
    rises = Span(f"{pip.size} → {pip.size + 1}  ", LIT)
    row = [rises, *bar(scene, domain, pip, 1)]
    rows: list[Row] = [row if row_width(row) + 4 <= cells else [rises], _gain(scene, domain)]
    if domain != "culture":
        rows += _gives_up(scene, domain, rows, size)
    key = label if light in (Light.LEGAL, Light.CHOSEN) else ""
    seen = f"{words('board.seen')} · " if each.card.is_public else ""
    name = _called(scene, each, face.letter if cells >= NAMED_CELLS else "")
    name += f" ×{len(numbers)}" if len(numbers) > 1 else ""
    corner = f"{seen}{words('carta.age', age=each.card.back)}"
    return CardPicture(key, name, color_of(face), rows, corner, light, ",".join(labels))


def _called(scene: Scene, each: HandStack, letter: str) -> str:
    """The domain of a card; without a corner its age, where it tells two cards apart."""
    domain = scene.words.name("face", each.card.face or UNSEEN)
    alike = (held.card for held in scene.model.hand if held.card.face == each.card.face)
    if scene.is_tiny and len({card.back for card in alike}) > 1:
        return f"{domain} · {scene.words('carta.age', age=each.card.back)}"
    return f"{domain} {letter}".strip()


def _gives_up(scene: Scene, domain: str, above: Sequence[Row], size: tuple[int, int]) -> list[Row]:
    """The effect that gives such a card up, where a card has room for all of it."""
    name = scene.words.name("effect", f"{domain}.x")
    row = [Span(scene.words("carta.give_up", what=name), MUTED)]
    cells, height = size
    lines = sum(len(wrapped(each, cells - 4)) for each in (*above, row))
    has_room = cell_len(name) < cells - 4 and lines <= height - 2
    return [row] if has_room or scene.is_tiny or cells < CARD_CELLS_MIN else []


def _gain(scene: Scene, domain: str) -> Row:
    """What one card more would be good for."""
    words, view, seat = scene.words, scene.view, scene.view.seat
    assert seat is not None, "only a seat has a hand"
    pip, (first, second) = held(view, seat, domain), levels_at(view)
    if view.counters.get(f"seat{seat}.embargo.{domain}"):
        return [Span(f"! {words('term.embargo')}", "bold $error")]
    count = pip.size + 1
    if count >= pip.note.target:
        return [Span(words("carta.wins"), GOOD)]
    if domain == "culture":
        most = max(held(view, other.seat, domain).size for other in scene.model.others)
        if count > most:
            return [Span(words("carta.most_of"), GOOD)]
        return [Span(words("carta.more_for_most", number=most + 1 - count))]
    if count in (first, second):
        level = 1 if count == first else 2
        name = words.name("effect", f"{domain}.{level}")
        return [Span(words("carta.opens", level="I" * level, what=name), GOOD)]
    if count < second:
        steps = "I" if count < first else "II"
        left = (first if count < first else second) - count
        return [Span(words("carta.more_for", number=left, level=steps))]
    return [Span(words("carta.more_to_win", number=pip.note.target - count))]


# ---- beside it ----


def side(scene: Scene, width: int) -> list[Row]:
    """What is left of the deck, and what lies open."""
    zones = scene.view.zones
    rows = [
        _pile(scene, "deck", zones.get("deck", ())),
        _pile(scene, "box", zones.get("box", ())),
    ]
    rows += _open_pile(scene, width - 4)
    return panel(scene.words("carta.deck"), [row for row in rows if row], width)


def _pile(scene: Scene, zone: str, cards: tuple[CardView, ...]) -> Row:
    if not cards:
        return [Span(pad(scene.words.name("term", zone), 10), MUTED), Span("0", FAINT)]
    count = Span(f"{len(cards):<4}", LIT)
    return [Span(pad(scene.words.name("term", zone), 10), MUTED), count, Span(backs_text(cards))]


def _open_pile(scene: Scene, width: int) -> list[Row]:
    """The discard pile by domains; a click shows it card by card."""
    cards = scene.view.zones.get("discard", ())
    title = Span(f"{scene.words.name('term', 'discard')} {len(cards)}", MUTED, "pile")
    counts = Counter(card.face for card in cards)
    cells: list[Row] = [[title]]
    for domain in DOMAIN_KEYS:
        if counts[domain]:
            face = scene.model.look.face(domain)
            cells.append([Span(f"{face.letter}{counts[domain]}", color_of(face) or LIT, "pile")])
    return flow_cells(cells, width)


def status(model: ViewModel) -> str:
    """How many cards are left, and of which age the next one is."""
    deck = model.view.zones.get("deck", ())
    if not deck:
        return model.words("carta.last_round")
    return model.words("carta.status", number=len(deck), age=deck[-1].back)


def legend(model: ViewModel) -> list[Row]:
    """Every sign of the board."""
    signs = ("■ □ ·", "I II", "▲ =", "©", "!", "6/7")
    texts = model.words("carta.signs").strip().splitlines()
    return [
        [Span(f" {pad(sign, 9)}", LIT), Span(text)] for sign, text in zip(signs, texts, strict=True)
    ]


BOARD: Final = GameBoard(column, side, status, legend, about)
