"""Every card of Civilization, and how to make it do nothing; for `lab.py mutate_cards`.

A step is one statement of what cards do: it is left out, and a condition holds never or always.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeGuard

from core.games import civilization
from core.games.civilization import effects, faces, powers, wealth
from core.games.civilization.printed import BUILDINGS, EVENT_KINDS, GOVERNMENTS
from scripts.lab.reached import ROOT, Change

TESTS: Final = tuple(
    f"test_{name}.py"
    for name in ("components", "start_of_turn", "trade", "cities", "movement", "battles",
                 "aftermath", "windows", "research", "setup", "defection", "effects", "plays",
                 "battle_turns", "answers", "city_actions", "targets", "groups",
                 "mustering", "course", "natives", "board", "notation")
)  # fmt: skip
NO_GOVERNMENT: Final = -5
_FORMS: Final = {
    "republic": "REPUBLIC", "democracy": "IS_DEMOCRACY", "communism": "IS_COMMUNISM",
    "feudalism": "FEUDALISM", "monarchy": "IS_MONARCHY", "fundamentalism": "FUNDAMENTALISM",
    "anarchy": "ANARCHY",
}  # fmt: skip
# Where it stands what events, abilities, technologies, wonders and governments do.
STEPS_IN: Final = (
    "effects", "learning", "research", "start_of_turn", "culture", "powers", "wealth", "plays",
    "windows", "answers", "cities", "battle_turns", "aftermath", "targets", "payments", "figures",
    "movement", "trade", "battles", "ways", "items", "course", "turn", "natives", "setup", "board",
    "notation",
)  # fmt: skip


def modules() -> list[ModuleType]:
    """All modules of the game."""
    names = [each.name for each in pkgutil.iter_modules(civilization.__path__)]
    return [importlib.import_module(f"core.games.civilization.{name}") for name in names]


def replace(name: str, value: Any) -> None:
    """Put another value in the place of a name, wherever it has been imported."""
    for module in modules():
        if hasattr(module, name):
            setattr(module, name, value)


def mutations() -> Iterator[Change]:
    """Every card, and how to make it do nothing."""
    for number, event in enumerate(EVENT_KINDS):
        yield Change(f"event/{event.key}", partial(_no_event, number))
    for number, power in enumerate(powers.POWERS):
        yield Change(f"power/{power.key}", partial(_no_power, number))
    for number, key in enumerate(faces.TECH_KEYS):
        yield Change(f"technology/{key}", partial(_no_technology, number))
    for number, key in enumerate(faces.WONDER_KEYS):
        yield Change(f"wonder/{key}", partial(_no_wonder, number))
    for form in GOVERNMENTS[1:]:
        yield Change(f"government/{form}", partial(replace, _FORMS[form], NO_GOVERNMENT))
    for key in faces.CIV_KEYS:
        yield Change(f"civilization/{key}", partial(replace, key.upper(), NO_GOVERNMENT))
    for number, building in enumerate(BUILDINGS):
        yield Change(f"building/{building.key}", partial(_no_building, number))
    for name in STEPS_IN:
        yield from steps(importlib.import_module(f"core.games.civilization.{name}"))


def _nothing(*arguments: object) -> None:
    """What a card does that does nothing."""


def _no_event(number: int) -> None:
    key, face = EVENT_KINDS[number].key, faces.FIRST_EVENT + number
    if number in effects._EVENTS:
        effects._EVENTS[number] = _nothing
    elif faces.IS_GIFT[face]:
        pays = list(faces.PAYS)
        pays[face] = 0
        replace("PAYS", tuple(pays))
    else:
        names = {"bread_and_circuses": "BREAD", "jousting_tourney": "JOUSTING"}
        replace(names.get(key, "PRIMETIME"), NO_GOVERNMENT)


def _no_power(number: int) -> None:
    if number in effects._POWERS:
        effects._POWERS[number] = _nothing
    else:  # In battles: nobody can use it.
        known = wealth.is_used
        replace("is_used", lambda table, seat, at: at == number or known(table, seat, at))


def _no_technology(number: int) -> None:
    if number == wealth.SPACE_FLIGHT:  # It does nothing but win.
        replace("_check_space_flight", _nothing)
    knows, techs = wealth.knows, wealth.techs
    replace("knows", lambda table, seat, at: at != number and knows(table, seat, at))
    replace("techs", lambda table, seat: techs(table, seat) & ~(1 << number))


def _no_wonder(number: int) -> None:
    has = wealth.has_wonder
    replace("has_wonder", lambda table, seat, at: at != number and has(table, seat, at))


def _no_building(number: int) -> None:
    board = importlib.import_module("core.games.civilization.board")
    icons, coins = list(board.MARK_ICONS), list(board._COIN_MARKS)
    icons[3 + number], coins[3 + number] = (0, 0, 0, 0), False
    replace("MARK_ICONS", tuple(icons))
    replace("_COIN_MARKS", tuple(coins))


# ---- steps ----


def steps(module: ModuleType) -> Iterator[Change]:
    """Every step of the functions of a module, as `effects/make_obsolete:12`."""
    source = Path(inspect.getfile(module)).read_text("utf-8")
    path = Path(inspect.getfile(module)).relative_to(ROOT).as_posix()
    for place, step in enumerate(ast.walk(ast.parse(source))):
        if isinstance(step, ast.FunctionDef) and step.name in vars(module):
            file = module.__name__.rpartition(".")[2]
            for line, end, holds in _lines_to_leave_out(step):
                name = f"{file}/{step.name}:{line}{' always' if holds else ''}"
                leave_out = partial(_without, module, source, place, _Leaver(line, holds))
                yield Change(name, leave_out, path, line, end)


def _lines_to_leave_out(function: ast.FunctionDef) -> list[tuple[int, int, bool]]:
    """The first and the last line of each step, and whether it is a condition that holds."""
    found = [step for step in ast.walk(function) if _is_step(step)]
    left_out = [(step.lineno, _end(step), False) for step in found]
    holding = [(step.lineno, _end(step), True) for step in found if isinstance(step, ast.If)]
    return sorted({*left_out, *holding})


def _end(step: ast.stmt) -> int:
    return (step.test if isinstance(step, ast.If) else step).end_lineno or step.lineno


def _is_step(step: ast.AST) -> TypeGuard[ast.stmt]:
    """What does something, or decides; not what gives an answer, or a name to a value."""
    if isinstance(step, ast.Assign):
        return not all(isinstance(target, ast.Name) for target in step.targets)
    if isinstance(step, ast.Expr):
        return isinstance(step.value, ast.Call)
    return isinstance(step, ast.AugAssign | ast.If)


def _without(module: ModuleType, source: str, place: int, leaver: _Leaver) -> None:
    """Leave something out of a function, wherever that function is used."""
    tree = ast.parse(source)
    function = list(ast.walk(tree))[place]
    assert isinstance(function, ast.FunctionDef), "the same source has the same tree"
    leaver.visit(function)
    code = compile(ast.fix_missing_locations(tree), inspect.getfile(module), "exec")
    own = [each for each in code.co_consts if isinstance(each, CodeType)]
    whole = vars(module)[function.name]
    assert isinstance(whole, FunctionType), "functions of the game have no decorators"
    whole.__code__ = next(each for each in own if each.co_name == function.name)


class _Leaver(ast.NodeTransformer):
    """Puts nothing in the place of the step in a line; a condition then holds always or never."""

    def __init__(self, line: int, holds: bool) -> None:
        self._line, self._holds = line, holds

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Look at a step, and at what is in it."""
        super().generic_visit(node)
        if not _is_step(node) or getattr(node, "lineno", 0) != self._line:
            return node
        if isinstance(node, ast.If):
            node.test = ast.Constant(value=self._holds)
            return node
        return ast.Pass()
