"""The table of Civilization in lines of text, choices grouped, deals typed in one line."""

from __future__ import annotations

import re
from typing import Final

from core.games.civilization.course import PHASES
from core.games.civilization.faces import CIV_KEYS, FIRST_WONDER, TECH_KEYS, WONDER_KEYS
from core.games.civilization.layout import (
    CIV,
    FIRST,
    GOVERNMENT,
    GUARD,
    MARKET,
    PHASE,
    TURN,
    WONDER_MARKET,
)
from core.games.civilization.notation import GUARD_KEYS
from core.games.civilization.printed import GOVERNMENTS, RESOURCES, TECHNOLOGIES
from core.games.civilization.wealth import known
from core.table import Table
from core.view import Offer, View
from ui.draw.scene import Scene
from ui.games.civilization import battle, deal
from ui.games.civilization.cities import city_rows, what_is_offered
from ui.games.civilization.labels import labels, squares_of
from ui.games.civilization.map import SIZES, draw_map
from ui.games.civilization.offered import trade_kept
from ui.games.civilization.position import map_size, square_name, table_of
from ui.games.civilization.squares import square_text
from ui.games.civilization.standings import (
    first_name,
    forces_text,
    numbers,
    tokens_text,
    track_text,
)
from ui.games.civilization.window import now_rows
from ui.games.civilization.words import city_name, name, tech_name
from ui.model.sentences import bot_marks
from ui.model.view_model import ViewModel
from ui.plain.table_lines import GameLines
from ui.terminal.spans import to_text

_WIDE: Final = 400  # Lines of text are not cut.
_PART: Final = re.compile(r"(give|ask)\s+([a-z.]+)\s+(\d+)$")
# Verbs of which many are offered at once: told under one heading.
GROUPED: Final = (
    "make", "free", "split", "also", "harvest", "reap", "go", "via", "move", "learn", "liberty",
    "guard", "give", "ask", "target", "site", "place", "found", "settle", "shift", "great",
    "capital", "direct", "government", "civ", "infiltrate",
)  # fmt: skip
_BY_CITY: Final = ("make", "free", "split", "harvest", "reap")


def question(model: ViewModel) -> list[str]:
    """What is under way, and what is mine: the map is told when `table` is typed."""
    table = table_of(model.view)
    scene = Scene(model, (), "", _WIDE, 60)
    seat = scene.view.seat
    found = [_status(model, table), *_going_on(scene, table), *_mine(scene, table)]
    mine = [] if seat is None else [_seat(model, table, seat)]
    return [line for line in [found[0], *mine, *found[1:]] if line]


def lines(model: ViewModel) -> list[str]:
    """A line for each seat, the map, and what is mine or under way."""
    table, words = table_of(model.view), model.words
    scene = Scene(model, (), "", _WIDE, 60)
    found = [_status(model, table), *(_seat(model, table, each.seat) for each in model.seats)]
    found.append(words("civilization.plain_map", signs=words("civilization.plain_signs")))
    rows = map_size(model.view)[1]
    found += to_text(draw_map(scene, table, SIZES[1], rows + 1)).splitlines()
    return [line for line in [*found, *_going_on(scene, table), *_mine(scene, table),
                              _market(model, table)] if line]  # fmt: skip


def _going_on(scene: Scene, table: Table) -> list[str]:
    """A move, a play that may be interrupted, a battle, a deal."""
    found = to_text(now_rows(scene, table, _WIDE)).splitlines()
    if battle.is_fought(table):
        found.append(battle.title(scene, table))
        found += to_text(battle.battle_rows(scene, table, 60)).splitlines()
    if deal.parties(table) is not None:
        found.append(deal.title(scene, table))
        found += to_text(deal.deal_rows(scene, table, 60)[: _deal_rows(table)]).splitlines()
    return found


def _deal_rows(table: Table) -> int:
    """The two scales without the keys of amounts, which are typed in words here."""
    from core.games.civilization.layout import ASKED, DEAL_KINDS, GIVEN

    counts = [sum(1 for each in table.counters[block : block + DEAL_KINDS] if each)
              for block in (GIVEN, ASKED)]  # fmt: skip
    return 1 + max(*counts, 1)


def _status(model: ViewModel, table: Table) -> str:
    words, counters = model.words, table.counters
    phase = words(f"civilization.phase.{PHASES[counters[PHASE]]}")
    name = first_name(model, counters[FIRST])
    return words("civilization.status", turn=max(counters[TURN], 1), phase=phase, name=name)


def _seat(model: ViewModel, table: Table, seat: int) -> str:
    words, counters, each = model.words, table.counters, model.seats[seat]
    civ = counters[CIV[seat]]
    marks = [words("term.me")] * each.is_me + bot_marks(words, each.state)
    marks += [words("plain.to_act")] * each.is_to_act
    found = numbers(table, seat)
    return words(
        "civilization.seat_line", name=each.name,
        marks=f" ({words.listed(marks)})" if marks else "",
        civ=name(words, f"civ.{CIV_KEYS[civ]}") if civ >= 0 else "-",
        gov=name(words, f"gov.{GOVERNMENTS[counters[GOVERNMENT[seat]]]}"),
        trade=found["trade"], culture=found["culture_have"], coins=found["coins"],
        track=found["culture"], techs=found["techs"], level=found["level"],
        cities=found["cities"], units=found["units"], events=found["events"],
        tokens=found["tokens"],
    )  # fmt: skip


def _mine(scene: Scene, table: Table) -> list[str]:
    seat, words, model = scene.view.seat, scene.words, scene.model
    if seat is None or table.counters[CIV[seat]] < 0:
        return []
    techs = words.listed(tech_name(words, TECH_KEYS[at]) for at in known(table, seat))
    cities = [line for line in to_text(city_rows(scene, table, _WIDE)).splitlines()
              if not line.startswith("  ")]  # fmt: skip
    held = words.listed(words.name("face", held.card.face or "?") for held in model.hand)
    return [
        *cities,
        words("civilization.plain_techs", what=techs or words("civilization.known_none")),
        words("civilization.plain_forces", what=forces_text(scene, table, seat)),
        words("civilization.plain_hand", what=words.listed(
            filter(None, [held, tokens_text(scene, table, seat)])) or "-"),
        track_text(scene, table),
    ]  # fmt: skip


def _market(model: ViewModel, table: Table) -> str:
    words, counters = model.words, table.counters
    goods = words.listed(f"{name(words, f'resource.{RESOURCES[kind]}')} {counters[MARKET + kind]}"
                      for kind in range(4))  # fmt: skip
    faces = [table.face[card] - FIRST_WONDER for card in table.zones[WONDER_MARKET]]
    wonders = words.listed(words.name("face", WONDER_KEYS[at]) for at in faces if at >= 0)
    return words("civilization.plain_market", what=goods, more=wonders or "-")


# ---- choices ----


def group(model: ViewModel, offer: Offer) -> str:
    """The heading under which an offer stands with its like."""
    verb, *rest = offer.text.split()
    if verb not in GROUPED:
        return ""
    words = model.words
    if verb in _BY_CITY:
        city = city_name(words, model.news.seats, rest[-1])
        return words(f"civilization.group.{verb}", city=city)
    if verb in ("give", "ask"):
        section = "back" if "." in rest[0] or rest[0] in ("hut", "village") else "good"
        section = section if words.has(f"civilization.{section}.{rest[0]}") else "resource"
        what = name(words, f"{section}.{rest[0]}")
        most = max(int(each.text.split()[2]) for each in model.view.offers
                   if each.text.startswith(f"{verb} {rest[0]} "))  # fmt: skip
        what = words(f"civilization.group.{verb}", what=what)
        return words("civilization.plain_amount", what=what, verb=verb, word=rest[0], number=most)
    if verb == "learn" and model.view.phase == "research":
        return _learning(model, rest[0])
    return words(f"civilization.group.{verb}")


def _learning(model: ViewModel, key: str) -> str:
    """The heading of what can be learned: what one keeps of one's trade belongs to it."""
    assert model.view.seat is not None, "only a seat learns"
    trade, kept = trade_kept(table_of(model.view), model.view.seat, key)
    return model.words("civilization.group.learn_for", number=trade, more=kept)


def brief(model: ViewModel, offer: Offer) -> str:
    """A square with its ground and what is on it; what a city makes with its cost."""
    verb, *rest = offer.text.split()
    squares = squares_of(offer)
    table = table_of(model.view)
    if verb == "via":
        return square_name(squares[0])
    if verb in ("go", "found", "settle", "capital", "site", "place", "shift"):
        return square_text(model, table, squares[0])
    if verb in ("make", "free", "split", "harvest", "reap"):
        return what_is_offered(Scene(model), offer.text)
    if verb == "guard":
        return _guarded(model, table, rest[0])
    if verb == "also":  # What both items cost is known now.
        return next(pick.text for pick in model.picks if pick.offer.text == offer.text)
    if verb == "learn":
        technology = TECHNOLOGIES[TECH_KEYS.index(rest[0])]
        words = model.words
        return (
            f"{tech_name(words, rest[0])} ({words('civilization.level', number=technology.level)})"
        )
    return ""


def _guarded(model: ViewModel, table: Table, key: str) -> str:
    """Something that I may be asked about, and whether I am: a screen shows that by a sign."""
    assert model.view.seat is not None, "only a seat is asked"
    is_set = table.counters[GUARD[model.view.seat]] >> GUARD_KEYS.index(key) & 1
    what = name(model.words, f"guard.{key}")
    return model.words("civilization.guarded", what=what,
                         now=model.words("term.yes" if is_set else "term.no"))  # fmt: skip


def typed(view: View, line: str) -> tuple[str, ...]:
    """A key as on the screen, or a whole deal: `give trade 6, give silk 1, ask culture 3`."""
    keys = {label: text for text, label in labels(view).items()}
    if line in keys:
        return (keys[line],)
    parts = [part.strip() for part in line.replace("+", ",").split(",")]
    found = []
    for part in parts:
        if not _PART.match(part):
            return ()
        found.append(" ".join(part.split()))
    offered = {offer.text for offer in view.offers}
    return (*found, "done") if found and set(found) <= offered else ()


LINES: Final = GameLines(lines, question, brief, group, amounts=("give", "ask"))
