"""What a square is, in one sentence: its ground, what it yields, who and what is there."""

from __future__ import annotations

from core.games.civilization.board import (
    CITY_MARK,
    FIRST_BUILDING,
    HUT,
    PERSON_MARK,
    RESOURCE_OF,
    TERRAIN_OF,
    VILLAGE_MARK,
    WONDER_MARK,
    icons_at,
    is_unexplored,
)
from core.games.civilization.faces import BUILDING_KEYS, PERSON_KEYS, WONDER_KEYS
from core.games.civilization.figures import put_city
from core.games.civilization.layout import CITIES, GROUND, MARK, MOVER, OBSOLETE, SQUARES, WALLS
from core.games.civilization.printed import RESOURCES, SYMBOLS, TERRAINS
from core.games.civilization.wealth import is_enemy_at, owner_at, resting
from core.requests import Player
from core.table import Table
from ui.games.civilization.cities import city_text
from ui.games.civilization.labels import squares_of
from ui.games.civilization.map import is_frozen_square
from ui.games.civilization.meaning import tech_line
from ui.games.civilization.position import figures_on, square_name, table_of
from ui.games.civilization.why import why_no_square
from ui.games.civilization.words import amount_of, group_name, item_name, name, say
from ui.language.text import Words
from ui.model.picks import OfferPick
from ui.model.view_model import ViewModel

GOODS = ("trade", "production", "culture", "coin")
_GROUPS_MIN = 2
_GROUPS_IN_WORDS = 3  # More of them are numbers, so that all are in one row.
_OF_FIGURES = ("move", "target")  # Verbs that may mean several figures of a square.
_CITY_VERBS = {"capital", "found", "settle"}
_PLACES = {place: at for at in range(SQUARES) for place in (str(at), square_name(at))}


def about(model: ViewModel, place: str) -> str:
    """A square by its number or name, a technology by its key, as a click names them."""
    if place.startswith("tech."):
        return tech_line(model.words, place.removeprefix("tech."))
    square = _PLACES.get(place)
    if square is None:
        return ""
    table = table_of(model.view)
    why = why_no_square(model, table, square)
    return " · ".join(filter(None, [square_text(model, table, square), why]))


def square_text(model: ViewModel, table: Table, square: int) -> str:
    """The whole sentence."""
    words = model.words
    parts = [_ground(model, table, square), *_marks(model, table, square)]
    owner = owner_at(table, square)
    if owner >= 0:
        key = "civilization.outskirts_of" + ("_me" if model.seats[owner].is_me else "")
        parts.append(words(key, name=model.seats[owner].name))
        if is_enemy_at(table, square, owner):
            parts.append(words("civilization.blockaded"))
    for seat, armies, scouts in figures_on(table, square):
        group = group_name(words, armies, scouts)
        parts.append(words("civilization.figures_of", name=model.seats[seat].name, what=group))
    icons = yield_text(model, icons_at(table, square))
    parts += [words("civilization.yields", what=icons)] if icons else []
    parts += _covered(words, table, square)
    parts += [words("civilization.frozen")] if is_frozen_square(table, square) else []
    text = words("civilization.square", where=square_name(square), what=words.listed(parts))
    more = (groups_here(model, square), city_here(model, square),
            met_here(model, table, square))  # fmt: skip
    return " · ".join(filter(None, (text, *more)))


def groups_here(model: ViewModel, square: int, cursor: str = "") -> str:
    """The figures on a square that can be chosen apart, each with its key: arrows go to all.

    Many groups begin with the one at the cursor: what is cut off is reached by the arrows.
    """
    picks = [pick for pick in model.picks if pick.offer.action.verb in _OF_FIGURES]
    picks = [pick for pick in picks if square in squares_of(pick.offer)]
    if len(picks) < _GROUPS_MIN:
        return ""
    if len(picks) <= _GROUPS_IN_WORDS:
        return " · ".join(f"{pick.label}: {_group(model, pick)}" for pick in picks)
    first = next((at for at, pick in enumerate(picks) if pick.label == cursor), 0)
    picks = picks[first:] + picks[:first]
    shown = (f"{pick.label} {pick.offer.text.split()[-1]}" for pick in picks)
    return f"{model.words('civilization.groups')}: {'  '.join(shown)}"


def _group(model: ViewModel, pick: OfferPick) -> str:
    """Who would move: the square is said before, and two rows have room for little else."""
    return say(model.words, model.news.seats, pick.offer.text)["what"]


def city_here(model: ViewModel, square: int) -> str:
    """What a city would yield on a square on which one can be put now."""
    verbs = {each.action.verb for each in model.view.offers if square in squares_of(each)[:1]}
    seat, table = model.view.seat, table_of(model.view)
    if seat is None or not verbs & _CITY_VERBS:
        return ""
    return city_text(model.words, table, seat, put_city(table, seat, square))


def met_here(model: ViewModel, table: Table, square: int) -> str:
    """What begins where my figures end their move: a battle, a hut, scouts that are lost."""
    goes = any(each.action.verb == "go" and square in squares_of(each)[:1]
               for each in model.view.offers)  # fmt: skip
    key, _ = met_at(table, square) if goes else ("", -1)
    return model.words(f"civilization.met.{key}") if key else ""


def met_at(table: Table, square: int) -> tuple[str, Player]:
    """What those who move meet where they end, as the key of a sentence, and whose it is."""
    mark, mover = table.counters[MARK + square], table.counters[MOVER] - 1
    if mark in (HUT, VILLAGE_MARK):
        return ("hut" if mark == HUT else "village"), -1
    whose, city = divmod(mark - CITY_MARK, CITIES)
    if mark >= CITY_MARK and whose != mover:
        return ("city" if city else "capital"), whose
    owner, armies, _ = resting(table, square)
    if owner in (-1, mover):
        return "", -1
    return ("armies" if armies else "scouts"), owner


def yield_text(model: ViewModel, icons: tuple[int, ...]) -> str:
    """Icons as a person reads them, as in `2 trade, 1 culture`."""
    words, pairs = model.words, zip(icons, GOODS, strict=True)
    return words.listed(amount_of(words, amount, name(words, f"good.{good}"))
                        for amount, good in pairs if amount)  # fmt: skip


def _ground(model: ViewModel, table: Table, square: int) -> str:
    ground, words = table.counters[GROUND + square], model.words
    if not ground:
        key = "unexplored" if is_unexplored(table, square) else "none"
        return name(words, f"terrain.{key}")
    terrain = name(words, f"terrain.{TERRAINS[TERRAIN_OF[ground]]}")
    return words.listed([terrain, *([] if _is_covered(table, square) else _symbols(words, ground))])


def _is_covered(table: Table, square: int) -> bool:
    """C52, C81: only what lies on a square counts, where something does."""
    return table.counters[MARK + square] >= FIRST_BUILDING


def _symbols(words: Words, ground: int) -> list[str]:
    """The resource and the symbol that are printed on a square."""
    kind = RESOURCE_OF[ground]
    texts = [name(words, f"resource.{RESOURCES[kind]}")] if kind >= 0 else []
    sign = {"*": "natural", "$": "gold", "x": "disaster"}.get(SYMBOLS[(ground - 1) // 5])
    return [*texts, *([name(words, f"symbol.{sign}")] if sign else [])]


def _covered(words: Words, table: Table, square: int) -> list[str]:
    """What is printed below a city, a building, a wonder or a great person."""
    found = _symbols(words, table.counters[GROUND + square]) if _is_covered(table, square) else []
    return [words("civilization.covered", what=words.listed(found))] if found else []


def _marks(model: ViewModel, table: Table, square: int) -> list[str]:
    mark, words = table.counters[MARK + square], model.words
    if mark >= CITY_MARK:
        seat, city = divmod(mark - CITY_MARK, 3)
        key = "civilization.city_of" if city else "civilization.capital_of"
        walls = table.counters[WALLS[seat] + city]
        found = [words(key, name=model.seats[seat].name)]
        return [*found, *([words("civilization.with_walls")] if walls else [])]
    if mark >= PERSON_MARK:
        return [words.name("face", PERSON_KEYS[mark - PERSON_MARK])]
    if mark >= WONDER_MARK:
        number = mark - WONDER_MARK
        old = table.counters[OBSOLETE] >> number & 1
        text = words.name("face", WONDER_KEYS[number])
        return [text, words("civilization.obsolete")] if old else [text]
    if mark >= FIRST_BUILDING:
        return [item_name(words, BUILDING_KEYS[mark - FIRST_BUILDING])]
    signs = {HUT: "hut", VILLAGE_MARK: "village"}
    return [name(words, signs[mark])] if mark in signs else []
