"""The rules over JSON lines: for tests, for other languages and for foreign bots.

One JSON object per line in, one out.  The referee shuffles, rolls and reveals by itself.

    {"do": "new", "game": G, "seats": N, "options": {...}, "seed": S, "fix": [...]}
    {"do": "legal", "seat": P}      -> {"ok": true, "actions": [ACTION, ...]}
    {"do": "act", "seat": P, "text": T}   or   {"do": "act", "seat": P, "action": ACTION}
    {"do": "acts", "acts": [{"seat": P, "text": T}, ...]}   all in turn, or none if one is refused
    {"do": "view", "seat": P}       P is a seat, null for a spectator, "all" for every face
    {"do": "hint", "seat": P, "level": L}           -> {"ok": true, "hint": HINT}
    {"do": "undo"}                  goes back by one line that acted, whatever has been shown since
    {"do": "games"}                 {"do": "quit"}

A view has `zones` (face keys by zone, bottom first, null for what the seat does not see), `cards`
and `backs` (the same for the numbers and the backs of the cards), `counters`, `options`, `phase`,
`to_act`, and at the end `scores` and `winners`.

A HINT is what search thinks of the open choice of a seat, from what that seat sees: `iterations`,
the legal `actions` with `visits`, `win` (from 0 to 1, null if it was not tried) and which is
`best`, and the expected `line` of `{"seat", "text"}`.  `level` says how long it may think; the same
position and level give the same hint.

`options`, `seed`, `fix` and `level` may be left out; an ACTION is `{"verb", "cards", "number"}`,
shown with its `text`.  Answers to new, act, acts and undo carry `request`, one of

    {"choice": {"seat": P}}
    {"secret": {"seats": [P, ...]}}                  the seats that have not answered yet
    {"over": {"scores": [...], "winners": [...]}}

and `events`, what everybody saw since the line before (after undo: nothing):

    {"chosen": {"seat": P, "action": ACTION}}        the text has ? for a card nobody else sees
    {"opened": {"seats": [P, ...], "actions": [ACTION, ...]}}
    {"revealed": {"cards": [C, ...], "faces": [KEY, ...]}}
    {"shown": {"seat": P, "cards": [C, ...]}}        only that seat saw them
    {"shuffled": {"seat": P or null, "piles": [[C, ...], ...]}}
    {"rolled": {"sides": K, "number": R}}

`fix` prepares the first shuffles and rolls, in the order in which the rules ask for them: a roll
is `{"roll": R}`, a shuffle is one `{"shuffle": [KEY, ...]}` for each of its piles, in the order of
the piles, top card first.  The shuffles of a hand by its owner count like any other.  A list must
be the right multiset, and `null` in place of it leaves that roll or pile to the seed.  So any
position of a rulebook can be set up.

Bad input is answered by `{"ok": false, "error": KEY, "message": SENTENCE}`, and the game stands as
it was: `bad_request`, `illegal_action`, `unknown_game`, `not_your_turn`, `bad_option`.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, NoReturn, TypeAlias

from core.game import Game
from core.games import GAMES, find_game
from core.known_table import BadFixError, Json, KnownTable
from core.plain import parse_action
from core.requests import Action, Player
from core.table import Observation, RulesError, Table
from core.view import action_json

LINE_CHARS_MAX: Final = 1 << 20
MESSAGE_CHARS_MAX: Final = 400
SEED_CHARS_MAX: Final = 1000
FIX_ENTRIES_MAX: Final = 10_000
UNDO_LINES_MAX: Final = 10_000
ACTS_MAX: Final = 1000  # Of one line.
_KEYS: Final[dict[str, tuple[set[str], set[str]]]] = {  # What a line must have, and may have.
    "new": ({"game", "seats"}, {"options", "seed", "fix"}),
    "legal": ({"seat"}, set()),
    "act": ({"seat"}, {"text", "action"}),
    "acts": ({"acts"}, set()),
    "view": ({"seat"}, set()),
    "hint": ({"seat"}, {"level"}),
    "undo": (set(), set()),
    "games": (set(), set()),
    "quit": (set(), set()),
}
_ACT_KEYS: Final = {"seat", "text", "action"}

Advise: TypeAlias = Callable[[Game, Table, Observation, Player, str], Json]
"""What thinks of a choice, from a seat's observation, at a level or "" for the usual one.

Raises a RulesError when there is no such level."""


class _RefusedError(Exception):
    """A line that cannot be done: the key of the error, and a sentence."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(message)
        self.error = error


def _refuse(message: str, error: str = "bad_request") -> NoReturn:
    raise _RefusedError(error, message)


class Referee:
    """Answers one line at a time; keeps one game.

    >>> Referee().answer('{"do": "games"}')
    '{"ok": true, "games": ["carta", "dominion", "renaissance", "civilization"]}'
    """

    def __init__(self, advise: Advise | None = None) -> None:
        """`advise` thinks; without it there are no hints."""
        self.has_quit = False
        self._advise = advise
        self._running: KnownTable | None = None
        self._past: deque[KnownTable] = deque(maxlen=UNDO_LINES_MAX)
        self._commands: dict[str, Callable[[Json], Json]] = {
            "new": self._new,
            "legal": self._legal,
            "act": self._act,
            "acts": self._acts,
            "view": self._view,
            "hint": self._hint,
            "undo": self._undo,
            "games": lambda _: {"games": list(GAMES)},
            "quit": self._quit,
        }

    def answer(self, line: str | bytes) -> str:
        """The answer to one line, without a line feed.  Never raises for anything in the line."""
        try:
            asked = _parse(line)
            answer = {"ok": True, **self._commands[asked["do"]](asked)}
        except (_RefusedError, BadFixError) as refused:
            error = refused.error if isinstance(refused, _RefusedError) else "bad_request"
            message = str(refused)[:MESSAGE_CHARS_MAX]
            answer = {"ok": False, "error": error, "message": message}
        return json.dumps(answer)

    def _new(self, asked: Json) -> Json:
        options, seed = asked.get("options", {}), asked.get("seed", "")
        slug, seats, fix = asked["game"], asked["seats"], asked.get("fix", [])
        if not isinstance(slug, str) or type(seats) is not int or not isinstance(options, dict):
            _refuse("new takes game (a text), seats (a number) and options (an object)")
        if any(not isinstance(value, str | int) for value in options.values()):
            _refuse("the value of an option is a text, a number, true or false")
        if not isinstance(seed, str) or len(seed) > SEED_CHARS_MAX:
            _refuse(f"seed is a text of up to {SEED_CHARS_MAX} letters")
        if not isinstance(fix, list) or len(fix) > FIX_ENTRIES_MAX:
            _refuse(f"fix is a list of up to {FIX_ENTRIES_MAX} shuffles and rolls")
        try:
            game = find_game(slug)
        except RulesError as error:
            _refuse(str(error), "unknown_game")
        try:
            running = KnownTable.begin(game, seats, options, seed, tuple(fix))
        except RulesError as error:
            _refuse(str(error), "bad_option")
        events = [each.told for each in running.run_until_choice()]
        self._running = running
        self._past.clear()
        return {"request": running.request_json(), "events": events}

    def _legal(self, asked: Json) -> Json:
        running = self._game()
        seat = _seat(running, asked["seat"])
        choices = running.offers(seat)
        return {"actions": [action_json(offer.action, offer.text) for offer in choices]}

    def _act(self, asked: Json) -> Json:
        return self._play([asked])

    def _acts(self, asked: Json) -> Json:
        acts = asked["acts"]
        if not isinstance(acts, list) or not 0 < len(acts) <= ACTS_MAX:
            _refuse(f"acts is a list of up to {ACTS_MAX} acts, and not empty")
        for number, act in enumerate(acts, 1):
            if not isinstance(act, dict) or not {"seat"} <= act.keys() <= _ACT_KEYS:
                _refuse(f"act {number} is not a seat with a text or an action")
        return self._play(acts)

    def _play(self, acts: list[Json]) -> Json:
        """Do all of them, or none and refuse."""
        before = self._game()
        running, events = before.copy(), list[Json]()
        for number, act in enumerate(acts, 1):
            try:
                events += _played(running, act)
            except _RefusedError as refused:
                _refuse(f"act {number}: {refused}" if len(acts) > 1 else str(refused),
                        refused.error)  # fmt: skip
        self._running = running
        self._past.append(before)
        return {"request": running.request_json(), "events": events}

    def _view(self, asked: Json) -> Json:
        running, seat = self._game(), asked["seat"]
        if seat == "all":
            return {**running.view_json(None, running.deal), "seat": "all"}
        seat = None if seat is None else _seat(running, seat)
        return running.view_json(seat, running.observation(seat))

    def _hint(self, asked: Json) -> Json:
        running, level = self._game(), asked.get("level", "")
        seat = _seat(running, asked["seat"])
        if self._advise is None or not isinstance(level, str):
            _refuse("nobody thinks here" if self._advise is None else "level is a text")
        if seat not in running.to_act():
            _refuse(f"seat {seat} has nothing to choose now", "not_your_turn")
        try:
            hint = self._advise(running.game, running.table, running.observation(seat), seat, level)
        except RulesError as error:
            _refuse(str(error))
        return {"hint": hint}

    def _undo(self, _: Json) -> Json:
        self._game()
        if not self._past:
            _refuse("there is nothing to undo")
        self._running = self._past.pop()
        return {"request": self._running.request_json(), "events": []}

    def _quit(self, _: Json) -> Json:
        self.has_quit = True
        return {}

    def _game(self) -> KnownTable:
        if self._running is None:
            _refuse('no game has begun; begin with {"do": "new", "game": "carta", "seats": 2}')
        return self._running


def serve(
    lines: Iterable[str | bytes], write: Callable[[str], object], advise: Advise | None = None
) -> None:
    """Answer line after line until there are no more, or until `quit`."""
    referee = Referee(advise)
    for line in lines:
        write(referee.answer(line) + "\n")
        if referee.has_quit:
            return


# ---- reading lines ----


def _parse(line: str | bytes) -> Json:
    if len(line) > LINE_CHARS_MAX:
        _refuse(f"a line has up to {LINE_CHARS_MAX} letters")
    try:
        asked = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:  # ValueError: also bad UTF-8, huge numbers.
        _refuse(f"a line is one JSON object: {error}")
    if not isinstance(asked, dict) or not isinstance(asked.get("do"), str):
        _refuse('a line is one JSON object with "do"')
    do = asked["do"]
    if do not in _KEYS:
        _refuse(f"there is nothing to do called {do[:40]!r}; there are {', '.join(_KEYS)}")
    needed, allowed = _KEYS[do]
    if missing := sorted(needed - asked.keys()):
        _refuse(f"{do} needs {', '.join(missing)}")
    if unknown := sorted(asked.keys() - needed - allowed - {"do"}):
        _refuse(f"{do} knows no {unknown[0][:40]!r}")
    return asked


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _seat(running: KnownTable, value: object) -> Player:
    players = running.table.layout.players
    if type(value) is not int or not 0 <= value < players:
        _refuse(f"seat is a number from 0 to {players - 1}")
    return value


def _played(running: KnownTable, act: Json) -> list[Json]:
    """Let a seat act; gives what everybody saw."""
    seat = _seat(running, act["seat"])
    if ("text" in act) == ("action" in act):
        _refuse("act takes either text or action")
    if seat not in running.to_act():
        _refuse(f"seat {seat} has nothing to choose now", "not_your_turn")
    try:
        action = running.chosen(seat, _named_action(act))
        return [each.told for each in running.act(seat, action)]
    except RulesError as error:
        _refuse(str(error), "illegal_action")


def _named_action(asked: Json) -> Action | str:
    """What a line says to do: the notation of an action, or all of it."""
    if "text" not in asked:
        return _action(asked["action"])
    if not isinstance(asked["text"], str):
        _refuse("text is the notation of an action")
    return str(asked["text"])


def _action(value: object) -> Action:
    if not isinstance(value, dict) or not value.keys() <= {"verb", "cards", "number", "text"}:
        _refuse('an action is {"verb": TEXT, "cards": [NUMBER, ...], "number": NUMBER}')
    try:
        return parse_action([value.get("verb"), value.get("cards", []), value.get("number", 0)])
    except RulesError as error:
        _refuse(str(error))
