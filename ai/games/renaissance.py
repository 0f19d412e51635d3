"""What a bot is told about Renaissance: gather what the events ask for, and fill them when ahead.

The policy places where the scoring that follows is worth most to it, and not where it would leave
the last space of a color to somebody who is ahead there.  Between placings it takes and lays down
the symbols that the open events show, and hides characters.  Imagined games follow it three times
out of four and are evaluated after some rounds by stones, rows and characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import core.games.renaissance.cards as c
from ai.search.knowledge import Knowledge, best_place
from ai.search.softmax import softmax
from ai.search.styles import ATTACKER_STYLE, BUILDER_STYLE, FULL, OPPORTUNIST_STYLE
from core.games.renaissance.cards import side_of
from core.games.renaissance.hands import person_total
from core.games.renaissance.printed import SYMBOLS
from core.games.renaissance.rows import symbol_count, symbols_in
from core.games.renaissance.scoring import duel_total
from core.games.renaissance.stones import (
    event_at,
    piece_owner,
    spots_of,
    stake_at,
    stone_count,
)
from core.native import i64
from core.requests import Action, Card, Player
from core.table import HIDDEN, Observation, Table

_SYMBOLS: Final = len(SYMBOLS)
_UNKNOWN_PERSON: Final = 2  # What an unseen card of a pile counts in a duel, with its pair.
_SCORE: Final = 16  # What the difference of one stone is worth to the policy.
_GIFT: Final = 6  # What it costs to leave a scoring of one stone to somebody else.
_MARKER: Final = 3  # A genius marker is kept for when it brings cards.
_UNKNOWN: Final = -(1 << 30)  # Not worked out yet.
SCORINGS_EXPECTED: Final = (0, 0, 11, 13, 15)  # 13.3
# By the number of seats what each of `features` is worth, in 64ths of a doubling of the odds:
# `lab.py learn_evaluation renaissance` has learned it.
_WEIGHTS: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (),
    (6, 33, 3, 8, 21, 8, 32),
    (13, 40, 9, 7, 21, 10, 31),
    (17, 50, 11, 8, 22, 13, 36),
)


_PLACING: Final = ("place", "genius")
# What styles like: rows of one's own, characters for duels and others' stones, new cards.
_LIKED: Final = {
    BUILDER_STYLE: ("lay", "rotate", "join"),
    ATTACKER_STYLE: ("hide", "swap", "call", "uncover"),
    OPPORTUNIST_STYLE: ("draw",),
}


class RenaissanceKnowledge(Knowledge):
    """Gather what the events ask for, and fill them when ahead."""

    rollout_choices_max = 24  # By what was learned, sooner is better than deeper.
    exploration_percent = 40
    random_once_in = 4
    speed = 1200
    compiled_speed = 8000
    strategies: Mapping[str, str] = {"gather": "gather", "plan": "policy"}

    def policy(self, table: Table, player: Player, observation: Observation) -> Action:
        """The action that looks best at once."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) == 1:
            return actions[0]
        return actions[best_place(self.prior(table, player, actions, observation))]

    def gather(self, table: Table, player: Player, observation: Observation) -> Action:
        """The same cards, but stones on the first space there is: it does not look who is ahead."""
        if table.counters[c.PHASE] == c.PLACING:
            return self.game.mechanics.legal_actions(table, player, observation)[-1]
        return self.policy(table, player, observation)

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], observation: Observation
    ) -> list[int]:
        """What each action looks to be worth, in no particular unit."""
        if len(actions) == 1:
            return [0]
        phase = table.counters[c.PHASE]
        if phase == c.PLACING:
            return _placing(table, player, actions, observation)
        if phase in (c.ACTING, c.TAKING_BONUS):
            needs = _needs(table, player)
            return [_card_action(action, needs, observation) for action in actions]
        if phase == c.DUELING:
            return _dueling(table, player, actions, observation)
        if phase == c.KEEPING:
            return [_keeping(observation[action.cards[0]]) for action in actions]
        if phase == c.NAMING:
            return [symbol_count(table, player, action.number) for action in actions]
        return [0] * len(actions)

    def lean(
        self, style: str, table: Table, player: Player, action: Action, observation: Observation
    ) -> int:
        """By verbs, by what one takes, and by where pieces are placed."""
        verb, cards, number = action
        if verb in _PLACING:
            place = number // c.SPACES_MAX, number % c.SPACES_MAX
            return FULL if _is_liked_place(style, table, player, *place) else 0
        if verb != "take":
            return FULL if verb in _LIKED[style] else 0
        face = observation[cards[0]]
        if face >= c.FIRST_PERSON:
            return FULL if style == ATTACKER_STYLE else 0
        is_liked = style == BUILDER_STYLE or (style == OPPORTUNIST_STYLE and c.IS_DOUBLE[face])
        return FULL if is_liked else 0

    def evaluate(self, table: Table) -> list[int]:
        """Shares by what each side has: stones, rows, cards, characters, and whose turn it is."""
        players = table.layout.players
        sides = [side_of(table, seat) for seat in range(players)]
        points = [0] * (max(sides) + 1)
        for seat, side in enumerate(sides):
            points[side] += _seat_points(table, seat)
        shares = softmax(points)
        return [shares[side] for side in sides]


KNOWLEDGE: Final = RenaissanceKnowledge


def features(table: Table, seat: int) -> list[int]:
    """The features of a seat: what it has in an imagined game, whose cards are all known.

    A stone, and what it is worth more by the end; the values of characters in hand, culture cards
    there, cards in rows, what hidden characters count in a duel, and at the end to be in turn.  All
    is multiplied by the scorings of a game, of which so many are done.
    """
    faces, end = table.counted(), SCORINGS_EXPECTED[table.layout.players]
    done = min(table.counters[c.SCORINGS], end)
    stones = stone_count(table, seat) + len(spots_of(table, seat, with_marker=False))
    persons = cultures = laid = 0
    for card in table.zones[c.HAND[seat]]:
        value = c.VALUE[faces[card]]
        if value:
            persons += value
        else:
            cultures += 1
    for row in table.zones[c.ROW[seat] : c.ROW[seat] + c.ROWS]:
        laid += len(row)
    hidden = person_total([faces[card] for card in table.zones[c.PILE[seat]]])
    turn = done if table.counters[c.TURN] == seat else 0
    return [
        stones * end,
        stones * done,
        persons * end,
        cultures * end,
        laid * end,
        hidden * end,
        turn,
    ]


def _seat_points(table: Table, seat: int) -> int:
    learned, worth = _WEIGHTS[table.layout.players], 0
    for place, count in enumerate(features(table, seat)):
        worth += learned[place] * count
    return worth // SCORINGS_EXPECTED[table.layout.players]


# ---- placing ----


def _placing(
    table: Table, player: int, actions: Sequence[Action], observation: Observation
) -> list[int]:
    """What the scoring that a piece brings about, or leaves to others, is worth."""
    known = [_UNKNOWN] * (2 * c.LOCATIONS[table.layout.players])  # By location and color.
    worth: list[int] = []
    last, blue = c.NOBODY, 0  # The last location, and its blue spaces: mostly the next has it, too.
    for action in actions:
        verb = action.verb
        if verb not in ("place", "genius"):
            worth.append(-1)  # Swapping and moving are for when there is nothing better.
            continue
        at = action.number // c.SPACES_MAX
        if at != last:
            last, blue = at, c.COLOR_SPACES[c.BLUE][event_at(table, at)]
        color = c.BLUE if blue >> action.number % c.SPACES_MAX & 1 else c.RED
        if known[2 * at + color] == _UNKNOWN:
            known[2 * at + color] = _worth_of(table, player, at, color, observation)
        worth.append(known[2 * at + color] - (_MARKER if verb == "genius" else 0))
    return worth


def _worth_of(table: Table, player: int, at: int, color: int, observation: Observation) -> int:
    """A piece on one of the free spaces of a color."""
    counters, first = table.counters, c.SPACES_AT[table.layout.players] + c.SPACES_MAX * at
    spaces: i64 = c.COLOR_SPACES[color][event_at(table, at)]
    left: i64 = 0  # The free spaces of the color.
    other: i64 = c.NOBODY  # Who else is there, the lowest seat.
    me: i64 = player
    space: i64
    for space in range(c.SPACES_MAX):
        piece: i64 = counters[first + space]
        if not piece:
            left += spaces >> space & 1
            continue
        owner = piece - c.STONE & 3
        if owner != me and (other == c.NOBODY or owner < other):
            other = owner
    if color == c.BLUE:
        gain = _culture(table, player, at) - (
            _culture(table, other, at) if other != c.NOBODY else 0
        )
    else:
        gain = _duel_gain(table, player, other, at, observation)
    if left == 1:
        return _SCORE * gain
    if left == 2:  # The next to place there may fill it.
        return _SCORE // 8 * gain - _GIFT * max(0, -gain)
    return _SCORE // 8 * gain


def _duel_gain(table: Table, player: int, other: int, at: int, observation: Observation) -> int:
    """The stones that a duel would bring a seat, as far as it can tell."""
    stake, mine = stake_at(table, at), _fighters(table, player, at, observation)
    theirs = _fighters(table, other, at, observation) if other != c.NOBODY else 0
    if mine >= stake and mine > theirs:
        return stake
    return -stake if theirs >= stake and theirs > mine else 0


def _culture(table: Table, seat: int, at: int) -> int:
    """The most symbols that a seat can name."""
    bits = c.SYMBOL_BITS[c.FIRST_EVENT + event_at(table, at)]
    most = 0
    for row in range(c.ROWS):
        if table.counters[c.ROW_SYMBOLS[seat] + row] & bits:
            most = max(most, symbols_in(table, seat, row))
    return most


def _fighters(table: Table, seat: int, at: int, observation: Observation) -> int:
    """What the characters of a seat that are known count in a duel, and a guess at the others."""
    bits = c.SYMBOL_BITS[c.FIRST_EVENT + event_at(table, at)]
    faces, unknown = list[int](), 0
    for card in table.zones[c.PILE[seat]]:
        if observation[card] == HIDDEN:
            unknown += 1
        else:
            faces.append(observation[card])
    for card in table.zones[c.HAND[seat]]:
        face = observation[card]
        if face >= c.FIRST_PERSON and c.SYMBOL_BITS[face] & bits:
            faces.append(face)
    return person_total(faces) + _UNKNOWN_PERSON * unknown


def _is_liked_place(style: str, table: Table, player: Player, at: int, space: int) -> bool:
    """Attackers like to be where others are, opportunists to score at once."""
    counters, first = table.counters, c.SPACES_AT[table.layout.players] + c.SPACES_MAX * at
    pieces = counters[first : first + c.SPACES_MAX]
    if style == ATTACKER_STYLE:
        return len([piece for piece in pieces if piece and piece_owner(piece) != player]) > 0
    event = event_at(table, at)
    color = c.BLUE if c.COLOR_SPACES[c.BLUE][event] >> space & 1 else 1 - c.BLUE
    spaces = c.COLOR_SPACES[color][event]
    left = [each for each, piece in enumerate(pieces) if not piece and spaces >> each & 1]
    return style == OPPORTUNIST_STYLE and len(left) == 1


# ---- cards ----


def _needs(table: Table, player: int) -> list[int]:
    """How much a symbol is wanted: by the events one can reach, and what one has of it."""
    needs = [0] * _SYMBOLS
    for row in range(c.ROWS):
        bits = table.counters[c.ROW_SYMBOLS[player] + row]
        for symbol in c.SYMBOLS_IN[bits]:
            needs[symbol] = symbols_in(table, player, row)
    for at in range(c.LOCATIONS[table.layout.players]):
        event = event_at(table, at)
        if event != c.NOBODY:
            for symbol in c.SYMBOLS_IN[c.SYMBOL_BITS[c.FIRST_EVENT + event]]:
                needs[symbol] = needs[symbol] + 1  # Faster than += when compiled.
    return needs


def _card_action(action: Action, needs: list[int], observation: Observation) -> int:
    """What a card action brings; laying down what one has comes before taking more."""
    verb = action.verb
    if action.cards:
        worth = _card_worth(observation[action.cards[0]], needs)
        return worth if verb == "take" else worth + 4
    if verb == "rotate":
        return 4 * needs[action.number] + 6
    return 9 if verb == "draw" else 0


def _card_worth(face: int, needs: list[int]) -> int:
    if face >= c.FIRST_PERSON:
        return 4 + 3 * c.VALUE[face]
    symbols, best = c.SYMBOLS_IN[c.SYMBOL_BITS[face]], 0
    for symbol in symbols:
        best = max(best, needs[symbol])
    return 4 * best + (3 if c.IS_DOUBLE[face] else 0) + (1 if len(symbols) > 1 else 0)


def _keeping(face: int) -> int:
    return (
        c.VALUE[face]
        if face >= c.FIRST_PERSON
        else c.IS_DOUBLE[face] + c.SYMBOL_BITS[face].bit_count()
    )


# ---- duels ----


def _dueling(
    table: Table, player: int, actions: Sequence[Action], observation: Observation
) -> list[int]:
    """Call what is needed to be ahead, the smallest that does; stop when ahead or hopeless."""
    counters = table.counters
    other = counters[c.OTHER] if player == counters[c.TURN] else counters[c.TURN]
    goal = stake_at(table, counters[c.SCORED])
    if other != c.NOBODY:
        goal = max(goal, duel_total(table, other) + 1)
    duel = _duel_zone(table, player)
    mine = person_total(duel)
    if mine >= goal:
        return [1 if action.verb == "pass" else 0 for action in actions]
    reach = _fighters(table, player, counters[c.SCORED], observation) + mine
    if reach < goal:
        return [1 if action.verb == "pass" else 0 for action in actions]
    return [
        0
        if action.verb == "pass"
        else _call(_called(table, player, action, observation), duel, goal)
        for action in actions
    ]


def _called(table: Table, player: int, action: Action, observation: Observation) -> int:
    """The face that an action of a duel shows, as far as its player knows."""
    card: Card = action.cards[0] if action.cards else table.zones[c.PILE[player]][-1]
    return observation[card]


def _call(face: int, duel: list[int], goal: int) -> int:
    if face == HIDDEN:
        return 1
    total = person_total([*duel, face])
    return 100 - c.VALUE[face] if total >= goal else 10 + total


def _duel_zone(table: Table, player: int) -> list[int]:
    return [table.public_face(card) for card in table.zones[c.DUEL[player]]]
