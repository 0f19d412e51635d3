"""One hand of gin rummy for two, as somebody outside would write it: the rules and nothing else.

Bots know nothing of it, so it is what a bot for any game is measured with.  Draw a card, from the
deck or the last one discarded, and discard one.  Cards in no set or run are deadwood.  Whoever has
at most 10 of it may knock, which ends the hand; when two cards are left it ends without a knock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from core.game import Game, highest
from core.requests import Action, Choice, Face, Over, Player, Request, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

SUITS, RANKS = "shdc", 13
FACES = tuple(f"{suit}{rank}" for rank in range(1, RANKS + 1) for suit in SUITS)
DECK, DISCARDS = range(2)  # Zones; the hands follow.
STAGE, TURN, KNOCKER = range(3)  # Counters; KNOCKER is one more than the seat.
SHUFFLE, DEAL, TURN_UP, DRAW, MIX, DISCARD, CHECK, SHOW, OVER = range(9)
HAND_CARDS, DECK_CARDS_LEFT = 10, 2
KNOCKING, BONUS = 10, 25


def hand(player: Player) -> int:
    return 2 + player


def value(face: Face) -> int:
    return min(face // len(SUITS) + 1, 10)


def deadwood(faces: Iterable[Face]) -> int:
    """What is left of a hand when its cards are laid out as well as they can be."""
    return _least(tuple(sorted(faces)))


@lru_cache(1 << 17)  # Search asks about millions of hands.
def _least(faces: tuple[Face, ...]) -> int:
    if len(faces) < 3:
        return sum(map(value, faces))
    least = value(faces[0]) + _least(faces[1:])
    for meld in _melds(faces):
        least = min(least, _least(tuple(face for face in faces if face not in meld)))
    return least


def _melds(faces: tuple[Face, ...]) -> list[tuple[Face, ...]]:
    """The sets and runs with the lowest card, which comes first."""
    first, held = faces[0], set(faces)
    equals = [face for face in faces if face // len(SUITS) == first // len(SUITS)]
    melds = [tuple(equals)] if len(equals) > 2 else []
    if len(equals) == 4:
        melds += [tuple(equals[:place] + equals[place + 1 :]) for place in range(1, 4)]
    run = [first]
    while run[-1] + len(SUITS) in held:
        run.append(run[-1] + len(SUITS))
        if len(run) > 2:
            melds.append(tuple(run))
    return melds


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    places = [Place("deck", Sight.NOBODY), Place("discards", Sight.EVERYONE)]
    places += [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(players)]
    table = Table(Layout(players, FACES, places, ("stage", "_turn", "_knocker"), options))
    table.lay_out(DECK, range(len(FACES)))
    return table


def advance(table: Table) -> Request | None:
    counters, zones = table.counters, table.zones
    match counters[STAGE]:
        case 0:  # SHUFFLE
            counters[STAGE] = DEAL
            return Shuffle((tuple(zones[DECK]),))
        case 1:  # DEAL
            counters[STAGE] = TURN_UP
            for seat in range(2):
                table.draw(HAND_CARDS, DECK, hand(seat))
            return None
        case 2:  # TURN_UP
            counters[STAGE] = DRAW
            table.draw(1, DECK, DISCARDS)
            table.tell("turn", counters[TURN])
            return None
        case 4:  # MIX
            counters[STAGE] = DISCARD
            return table.mix_hand(hand(counters[TURN]))
        case 6:  # CHECK: the card is discarded and both hands are shown.
            counters[STAGE] = SHOW
            for seat in range(2):
                table.owe(tuple(zones[hand(seat)]), None)
                table.tell("revealed", seat, tuple(zones[hand(seat)]))
            return None
        case 7:  # SHOW
            counters[STAGE] = OVER
            if counters[KNOCKER] and _deadwood_of(table, counters[KNOCKER] - 1) > KNOCKING:
                raise RulesError("a seat knocked with too much deadwood")
    return Over() if counters[STAGE] == OVER else Choice(counters[TURN])


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    if table.counters[STAGE] == DRAW:
        return [Action("draw"), *([Action("take")] if table.zones[DISCARDS] else [])]
    cards = sorted(table.zones[hand(player)], key=lambda card: observation[card])
    knocks = [
        Action("knock", (card,))
        for card in cards
        if deadwood(observation[each] for each in cards if each != card) <= KNOCKING
    ]
    return [*(Action("discard", (card,)) for card in cards), *knocks]


def apply(table: Table, player: Player, action: Action) -> None:
    counters, zones, mine = table.counters, table.zones, hand(player)
    if player != counters[TURN]:
        raise RulesError(f"it is the turn of seat {counters[TURN]}")
    if counters[STAGE] == DRAW:
        source = {"draw": DECK, "take": DISCARDS}.get(action.verb)
        if source is None or action.cards or action.number or not zones[source]:
            raise RulesError("a turn begins with draw or take")
        table.draw(1, source, mine)
        counters[STAGE] = MIX
        return
    if action.verb not in ("discard", "knock") or len(action.cards) != 1 or action.number:
        raise RulesError("a turn ends with one card, discarded or to knock")
    table.move(action.cards[0], mine, DISCARDS)
    if action.verb == "knock":
        counters[KNOCKER] = player + 1
    ends = action.verb == "knock" or len(zones[DECK]) <= DECK_CARDS_LEFT
    counters[STAGE] = CHECK if ends else DRAW
    if not ends:
        counters[TURN] = 1 - player
        table.tell("turn", counters[TURN])


def _deadwood_of(table: Table, seat: Player) -> int:
    return deadwood(table.public_face(card) for card in table.zones[hand(seat)])


def scores(table: Table) -> tuple[int, ...]:
    """The points of the hand; without a knock, whoever has less deadwood has lost less."""
    left = [_deadwood_of(table, seat) for seat in range(2)]
    knocker = table.counters[KNOCKER] - 1
    if knocker < 0:
        return -left[0], -left[1]
    mine, theirs = left[knocker], left[1 - knocker]
    points = [0, 0]
    if mine and mine >= theirs:
        points[1 - knocker] = mine - theirs + BONUS
    else:
        points[knocker] = theirs - mine + (0 if mine else BONUS)
    return tuple(points)


GIN_RUMMY = Game(
    slug="gin_rummy",
    players=range(2, 3),
    faces=FACES,
    rules="1. Draw, discard. 2. With 10 deadwood or less you may knock. 3. Less deadwood wins.",
    setup=setup,
    advance=advance,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    winners=lambda table: highest(scores(table)),
    tells={
        "turn": ("_turn", "discards"), "discard": ("_turn",), "revealed": (), "take": ("discards",),
        "knock": ("_knocker",),
    },
    steering=("stage",),
)  # fmt: skip


def greedy(table: Table, observation: Observation, player: Player, seed: int) -> Action:
    """Twenty lines of greed: as little deadwood as possible at once, and a knock when it can be."""
    held = [observation[card] for card in table.zones[hand(player)]]
    if table.counters[STAGE] == DRAW:
        top = table.public_face(table.zones[DISCARDS][-1])
        left = min(deadwood([*held[:i], *held[i + 1 :], top]) for i in range(len(held)))
        return Action("take" if left < deadwood(held) else "draw")
    knocks = []
    worth = []
    for place, action in enumerate(legal_actions(table, player, observation)):
        rest = [observation[card] for card in table.zones[hand(player)] if card not in action.cards]
        worth.append((deadwood(rest), -value(observation[action.cards[0]]), place, action))
        if action.verb == "knock":
            knocks.append(worth[-1])
    return min(knocks or worth)[-1]
