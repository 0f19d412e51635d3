"""Every effect of mine with its key, what it does, or why it cannot be used now."""

from __future__ import annotations

from typing import Final, NamedTuple

from rich.cells import cell_len

from core.view import View
from ui.draw.marks import CAP, FAINT, GOOD, LIT, MUTED
from ui.draw.panels import ABOUT, fit
from ui.draw.scene import Scene
from ui.games.carta import EFFECT_LETTERS
from ui.games.carta.race import DOMAIN_KEYS, held, leaders, levels_at
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, pad

_NAME_CELLS: Final = (15, 20)  # At least, and at most.
_DISCARD: Final = "x"
_COPIED: Final = "0"


class Effect(NamedTuple):
    """An effect on my list."""

    key: str  # As in `military.1`.
    label: str
    reason: str  # Why not; empty: it can be used.
    is_by_itself: bool = False


def effects_of(scene: Scene) -> list[Effect]:
    """Those that can be used, then those of domains that I have; mine alone."""
    seat = scene.view.seat
    if seat is None:
        return []
    found = []
    for key, label in EFFECT_LETTERS.items():
        domain, _, level = key.partition(".")
        pip = held(scene.view, seat, domain)
        if not pip.size or (level == "2" and pip.note.level < 2):
            continue
        if domain == "religion" and level != _DISCARD:
            if pip.note.level and level == str(pip.note.level):
                found.append(Effect(key, "", "", is_by_itself=True))
            continue
        found.append(Effect(key, label, _reason(scene, key)))
    return sorted(found, key=lambda effect: bool(effect.reason))


def _reason(scene: Scene, key: str) -> str:
    """Why an effect cannot be used; empty where it can."""
    words, view, seat = scene.words, scene.view, scene.view.seat
    assert seat is not None, "only a seat has effects"
    if scene.pick_of(f"use {key}"):
        return ""
    domain, _, level = key.partition(".")
    pip = held(view, seat, domain)
    if level == "1" and not pip.note.level:
        missing = levels_at(view)[0] - pip.size
        return words("carta.need", number=missing, what=words.name("face", domain))
    if level == _COPIED and leaders(view, domain) != [seat]:
        return words("carta.need_most", what=words.name("face", domain))
    if scene.model.is_my_turn and view.phase == "play":
        return words("carta.play_first")
    if not scene.model.is_my_turn or view.phase != "effects":
        return words("carta.later")
    if _is_used(view, domain, level):
        return words("carta.used")
    return words("carta.not_now")


def _is_used(view: View, domain: str, level: str) -> bool:
    name = "used.discard" if level == _DISCARD else "used.permanent"
    return bool(view.counters[name] >> DOMAIN_KEYS.index(domain) & 1)


def draw_effects(scene: Scene, width: int, height: int) -> list[Row]:
    """A line each, and the end of the turn; the ones in use first."""
    effects = effects_of(scene)
    names = [cell_len(scene.words.name("effect", effect.key)) for effect in effects]
    least, most = _NAME_CELLS
    cells = min(max(least, *names), most) if names else least
    rows = [_line(scene, effect, cells, width) for effect in effects]
    end = scene.pick_of("end")
    is_mine = scene.model.is_my_turn and scene.view.phase == "play"
    last = [_end_line(scene, cells, width)] if end or is_mine else []
    return [*rows[: max(height - len(last), 0)], *last]


def explained(scene: Scene) -> set[str]:
    """The effects of which my list says what they do, and not why they are impossible."""
    later = scene.words("carta.play_first")
    return {effect.key for effect in effects_of(scene) if effect.reason in ("", later)}


def about(model: ViewModel, place: str) -> str:
    """What an effect of mine does and why it cannot be used, by its key or its letter."""
    scene = Scene(model, (), "", 0, 0)
    for effect in effects_of(scene):
        if effect.reason and place in (effect.key, effect.label):
            name, text = (scene.words.name(kind, effect.key) for kind in ("effect", "explain"))
            return scene.words("carta.about", name=name, text=text, why=effect.reason)
    return ""


def _line(scene: Scene, effect: Effect, cells: int, width: int) -> Row:
    words = scene.words
    name, text = words.name("effect", effect.key), words.name("explain", effect.key)
    if effect.reason == words("carta.play_first"):  # Mine, but later in this turn.
        sign, style, rest = Span(f" {effect.label} ", MUTED), MUTED, text
    elif effect.is_by_itself:
        sign, style, rest = Span(" ✓ ", GOOD), LIT, words("carta.by_itself", what=text)
    elif effect.reason:
        sign, style, rest = Span(f" {effect.label} ", FAINT), FAINT, effect.reason
    else:
        sign, style, rest = Span(f" {effect.label} ", CAP), LIT, text
    is_picked = bool(effect.label) and effect.label == scene.cursor
    mark = "▶" if is_picked else " "
    hot = f"{ABOUT}{effect.key}" if effect.reason else effect.label
    title = Span(f"{mark}{pad(name, cells)} ", style)
    row = [sign, title, Span(rest, FAINT if style == FAINT else MUTED)]
    return [span._replace(hot=hot) for span in fit(row, width)]


def _end_line(scene: Scene, cells: int, width: int) -> Row:
    pick = scene.pick_of("end")
    name = scene.words("offer.end")
    mark = "▶" if pick and pick.label == scene.cursor else " "
    if pick is None:
        text = f" {pad(name, cells)} {scene.words('carta.play_first')}"
        return fit([Span(" e ", FAINT), Span(text, FAINT)], width)
    row = [Span(" e ", CAP), Span(f"{mark}{name}", LIT)]
    return [span._replace(hot=pick.label) for span in fit(row, width)]


def short_effects(scene: Scene) -> list[Row]:
    """The same in a few words each, where rows are dear; those that are not possible stay out."""
    cells: list[Row] = []
    for effect in effects_of(scene):
        if effect.is_by_itself:
            cells.append([Span("✓ ", GOOD), Span(scene.words.name("effect", effect.key))])
        elif not effect.reason:
            name = scene.words.name("effect", effect.key)
            mark = "▶" if effect.label == scene.cursor else " "
            label = effect.label
            cells.append([Span(f" {label} ", CAP, label), Span(f"{mark}{name}", LIT, label)])
    end = scene.pick_of("end")
    if end:
        mark = "▶" if end.label == scene.cursor else " "
        name = scene.words("offer.end")
        cells.append([Span(" e ", CAP, "e"), Span(f"{mark}{name}", LIT, "e")])
    return cells
