"""The rules over JSON lines: for tests, for other languages and for foreign bots.

One JSON object per line in, one out.  The referee shuffles, rolls and reveals by itself.

    {"do": "new", "game": G, "seats": N, "options": {...}, "seed": S, "fix": [...]}
    {"do": "legal", "seat": P}      -> {"ok": true, "actions": [ACTION, ...]}
    {"do": "act", "seat": P, "text": T}   or   {"do": "act", "seat": P, "action": ACTION}
    {"do": "view", "seat": P}       P is a seat, null for a spectator, "all" for every face
    {"do": "undo"}                  goes back by one act, whatever has been shown since
    {"do": "games"}                 {"do": "quit"}

A view has `zones` (face keys by zone, bottom first, null for what the seat does not see), `cards`
and `backs` (the same for the numbers and the backs of the cards), `counters`, `options`, `phase`,
`to_act`, and at the end `scores` and `winners`.

`options`, `seed` and `fix` may be left out; an ACTION is `{"verb", "cards", "number"}`, shown with
its `text`.  Answers to new, act and undo carry `request`, one of

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

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from core.chance import Chance
from core.engine import feed, next_request, shuffle_deal, start
from core.game import Game
from core.games import GAMES, find_game
from core.imagine import blindfold
from core.plain import parse_action
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Face,
    Opened,
    Over,
    Player,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import HIDDEN, Eyes, RulesError, Table
from core.view import offers

Json: TypeAlias = dict[str, Any]
LINE_CHARS_MAX: Final = 1 << 20
MESSAGE_CHARS_MAX: Final = 400
SEED_CHARS_MAX: Final = 1000
FIX_ENTRIES_MAX: Final = 10_000
UNDO_ACTS_MAX: Final = 10_000
_KEYS: Final[dict[str, tuple[set[str], set[str]]]] = {  # What a line must have, and may have.
    "new": ({"game", "seats"}, {"options", "seed", "fix"}),
    "legal": ({"seat"}, set()),
    "act": ({"seat"}, {"text", "action"}),
    "view": ({"seat"}, set()),
    "undo": (set(), set()),
    "games": (set(), set()),
    "quit": (set(), set()),
}


class _RefusedError(Exception):
    """A line that cannot be done: the key of the error, and a sentence."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(message)
        self.error = error


def _refuse(message: str, error: str = "bad_request") -> NoReturn:
    raise _RefusedError(error, message)


@dataclass
class _Match:
    """One game under way, with every face known."""

    game: Game
    table: Table
    deal: list[Face]
    chance: Chance
    fix: tuple[object, ...]
    request: Request
    fixed_count: int = 0  # Entries of `fix` that have been used.
    secrets: dict[Player, Action] = field(default_factory=dict)

    def copy(self) -> _Match:
        """An independent game, to act on; the original stays for undo."""
        return _Match(
            self.game, self.table.copy(), self.deal[:], Chance(self.chance.state), self.fix,
            self.request, self.fixed_count, dict(self.secrets),
        )  # fmt: skip

    # ---- the world: shuffles, rolls, reveals ----

    def settle(self) -> list[Json]:
        """Answer everything but choices; gives what everybody saw."""
        seen: list[Json] = []
        while not isinstance(self.request, Choice | Secret | Over):
            event, shown = self._answer(self.request)
            self.feed(event)
            seen.append(shown)
        return seen

    def feed(self, event: Event) -> None:
        """One event of the game."""
        self.request = feed(self.game, self.table, self.request, event)

    def _answer(self, request: Shuffle | Reveal | Roll) -> tuple[Event, Json]:
        names = self.table.layout.faces
        match request:
            case Shuffle(piles, player):
                for pile in piles:
                    self._shuffle(pile)
                shown: Json = {"seat": player, "piles": [list(pile) for pile in piles]}
                return Shuffled(), {"shuffled": shown}
            case Roll(sides):
                number = self._roll(sides)
                return Rolled(number), {"rolled": {"sides": sides, "number": number}}
            case Reveal(cards, None):
                faces = tuple(self.deal[card] for card in cards)
                shown = {"cards": list(cards), "faces": [names[face] for face in faces]}
                return Revealed(faces), {"revealed": shown}
            case Reveal(cards, player):
                return Revealed(), {"shown": {"seat": player, "cards": list(cards)}}

    def _shuffle(self, pile: tuple[int, ...]) -> None:
        names = self._next_fix("shuffle")
        if names is None:
            shuffle_deal(self.table, self.deal, pile, self.chance)
            return
        keys = list(self.table.layout.faces)
        if not isinstance(names, list) or not all(name in keys for name in names):
            _refuse(f"a fixed shuffle lists face keys, of {', '.join(keys)}")
        faces = [keys.index(name) for name in reversed(names)]
        known = self.table.face
        true = [known[card] if known[card] != HIDDEN else self.deal[card] for card in pile]
        if sorted(faces) != sorted(true):
            counts = ", ".join(f"{true.count(face)} {keys[face]}" for face in sorted(set(true)))
            _refuse(f"the fixed shuffle {self.fixed_count} has to be of {counts}")
        for card, face in zip(pile, faces, strict=True):
            self.deal[card] = face

    def _roll(self, sides: int) -> int:
        number = self._next_fix("roll")
        if number is None:
            return self.chance.below(sides)
        if type(number) is not int or not 0 <= number < sides:
            _refuse(f"the fixed roll {self.fixed_count} has to be from 0 to {sides - 1}")
        return number

    def _next_fix(self, kind: str) -> object:
        if self.fixed_count == len(self.fix):
            return None
        entry = self.fix[self.fixed_count]
        self.fixed_count += 1
        if not isinstance(entry, dict) or list(entry) != [kind]:
            _refuse(f'entry {self.fixed_count} of fix has to be {{"{kind}": ...}}')
        return entry[kind]

    # ---- choices ----

    def to_act(self) -> tuple[Player, ...]:
        """The seats that have to choose and have not."""
        match self.request:
            case Choice(player):
                return (player,)
            case Secret(players):
                return tuple(player for player in players if player not in self.secrets)
        return ()

    def act(self, seat: Player, action: Action) -> list[Json]:
        """Let `seat` do `action`; gives what everybody saw of it and of what follows."""
        if isinstance(self.request, Secret):
            self.secrets[seat] = action
            if self.to_act():
                return []
            seats = self.request.players
            actions = tuple(self.secrets[player] for player in seats)
            told = [self.public_action(each) for each in actions]
            self.secrets = {}
            self.feed(Opened(actions))
            return [{"opened": {"seats": list(seats), "actions": told}}, *self.settle()]
        told_action = self.public_action(action)
        self.feed(Chosen(action))
        return [{"chosen": {"seat": seat, "action": told_action}}, *self.settle()]

    def public_action(self, action: Action) -> Json:
        """An action as everybody sees it."""
        return _action_json(action, self.game.describe(self.table, action, self.table.face))

    def eyes(self, seat: Player | None) -> list[Face]:
        """What `seat` knows; None for a spectator."""
        return blindfold(self.table, self.deal, seat)

    def request_json(self) -> Json:
        """The open request."""
        match self.request:
            case Choice(player):
                return {"choice": {"seat": player}}
            case Secret():
                return {"secret": {"seats": list(self.to_act())}}
        scores, winners = self.game.scores(self.table), self.game.winners(self.table)
        return {"over": {"scores": list(scores), "winners": list(winners)}}

    def view_json(self, seat: Player | None, eyes: Eyes) -> Json:
        """The picture of one seat."""
        table, names = self.table, self.table.layout.faces
        zones = {
            place.name: cards for place, cards in zip(table.layout.places, table.zones, strict=True)
        }
        return {
            "game": self.game.slug,
            "seats": table.layout.players,
            "seat": seat,
            "options": dict(table.layout.options),
            "zones": {
                name: [names[eyes[card]] if eyes[card] != HIDDEN else None for card in cards]
                for name, cards in zones.items()
            },
            "cards": {name: list(cards) for name, cards in zones.items()},
            "backs": {
                name: [self.game.back(table, card) for card in cards]
                for name, cards in zones.items()
            },
            "counters": dict(zip(table.layout.counters, table.counters, strict=True)),
            "phase": self.game.phase(table),
            "to_act": list(self.to_act()),
            **(self.request_json()["over"] if isinstance(self.request, Over) else {}),
        }


class Referee:
    """Answers one line at a time; keeps one game.

    >>> Referee().answer('{"do": "games"}')
    '{"ok": true, "games": ["carta"]}'
    """

    def __init__(self) -> None:
        self.has_quit = False
        self._match: _Match | None = None
        self._past: deque[_Match] = deque(maxlen=UNDO_ACTS_MAX)
        self._commands: dict[str, Callable[[Json], Json]] = {
            "new": self._new,
            "legal": self._legal,
            "act": self._act,
            "view": self._view,
            "undo": self._undo,
            "games": lambda _: {"games": list(GAMES)},
            "quit": self._quit,
        }

    def answer(self, line: str | bytes) -> str:
        """The answer to one line, without a line feed.  Never raises for anything in the line."""
        try:
            asked = _parse(line)
            answer = {"ok": True, **self._commands[asked["do"]](asked)}
        except _RefusedError as refused:
            message = str(refused)[:MESSAGE_CHARS_MAX]
            answer = {"ok": False, "error": refused.error, "message": message}
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
        match = _begin(game, seats, options, seed, fix)
        events = match.settle()
        self._match = match
        self._past.clear()
        return {"request": match.request_json(), "events": events}

    def _legal(self, asked: Json) -> Json:
        match = self._game()
        seat = _seat(match, asked["seat"])
        if seat not in match.to_act():
            return {"actions": []}
        choices = offers(match.game, match.table, match.eyes(seat), seat)
        return {"actions": [_action_json(offer.action, offer.text) for offer in choices]}

    def _act(self, asked: Json) -> Json:
        before = self._game()
        seat = _seat(before, asked["seat"])
        if ("text" in asked) == ("action" in asked):
            _refuse("act takes either text or action")
        if seat not in before.to_act():
            _refuse(f"seat {seat} has nothing to choose now", "not_your_turn")
        match = before.copy()
        try:
            events = match.act(seat, _chosen(match, seat, asked))
        except RulesError as error:
            _refuse(str(error), "illegal_action")
        self._match = match
        self._past.append(before)
        return {"request": match.request_json(), "events": events}

    def _view(self, asked: Json) -> Json:
        match, seat = self._game(), asked["seat"]
        if seat == "all":
            return {**match.view_json(None, match.deal), "seat": "all"}
        seat = None if seat is None else _seat(match, seat)
        return match.view_json(seat, match.eyes(seat))

    def _undo(self, _: Json) -> Json:
        self._game()
        if not self._past:
            _refuse("there is nothing to undo")
        self._match = self._past.pop()
        return {"request": self._match.request_json(), "events": []}

    def _quit(self, _: Json) -> Json:
        self.has_quit = True
        return {}

    def _game(self) -> _Match:
        if self._match is None:
            _refuse('no game has begun; begin with {"do": "new", "game": "carta", "seats": 2}')
        return self._match


def serve(lines: Iterable[str | bytes], write: Callable[[str], object]) -> None:
    """Answer line after line until there are no more, or until `quit`."""
    referee = Referee()
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


def _seat(match: _Match, value: object) -> Player:
    players = match.table.layout.players
    if type(value) is not int or not 0 <= value < players:
        _refuse(f"seat is a number from 0 to {players - 1}")
    return value


def _begin(game: Game, seats: int, options: Mapping[str, Any], seed: str, fix: list[Any]) -> _Match:
    try:
        table = start(game, seats, options)
        request = next_request(game, table)
    except RulesError as error:
        _refuse(str(error), "bad_option")
    number = int.from_bytes(hashlib.sha256(seed.encode(errors="surrogatepass")).digest()[:8], "big")
    return _Match(game, table, table.face[:], Chance(number), tuple(fix), request)


def _chosen(match: _Match, seat: Player, asked: Json) -> Action:
    """The action that a line names: by notation, or card by card."""
    choices = offers(match.game, match.table, match.eyes(seat), seat)
    if "text" in asked:
        if not isinstance(asked["text"], str):
            _refuse("text is the notation of an action")
        for offer in choices:
            if offer.text == asked["text"]:
                return offer.action
        _refuse(f"{asked['text'][:40]!r} is not legal; {_list(choices)}", "illegal_action")
    action = _action(asked["action"])
    text = match.game.describe(match.table, action, match.eyes(seat))
    # One action stands for all that are equal to the seat: another card of the same face will do.
    if not any(text == offer.text and action.verb == offer.action.verb for offer in choices):
        _refuse(f"{text[:40]!r} is not legal; {_list(choices)}", "illegal_action")
    match.game.apply(match.table.copy(), seat, action)  # A secret is carried out only later.
    return action


def _list(choices: Iterable[Any]) -> str:
    return "there are " + ", ".join(offer.text for offer in choices)


def _action(value: object) -> Action:
    if not isinstance(value, dict) or not value.keys() <= {"verb", "cards", "number", "text"}:
        _refuse('an action is {"verb": TEXT, "cards": [NUMBER, ...], "number": NUMBER}')
    try:
        return parse_action([value.get("verb"), value.get("cards", []), value.get("number", 0)])
    except RulesError as error:
        _refuse(str(error))


def _action_json(action: Action, text: str) -> Json:
    verb, cards, number = action
    return {"verb": verb, "cards": list(cards), "number": number, "text": text}
