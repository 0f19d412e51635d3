"""A small deck-builder, for tests of the engine: buy from face-up piles, most land wins.

Deck-builders are the hard case for hidden cards: every seat's own deck is reshuffled many times, in
the middle of drawing, and everybody knows what is in it but not where.  Here are reshuffles of
hidden and face-up cards together, families that merge, cards that are looked at and put back, and
a score that needs no hidden card opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.game import Game, Option, highest
from core.requests import Action, Card, Choice, Over, Player, Request, Shuffle
from core.table import HIDDEN, Layout, Observation, OptionValue, Place, RulesError, Sight, Table


class Kind(NamedTuple):
    """One pile of the supply."""

    name: str
    cost: int
    coins: int
    points: int
    count: int


KINDS = (
    Kind("copper", 0, 1, 0, 20),
    Kind("silver", 3, 2, 0, 10),
    Kind("gold", 6, 3, 0, 6),
    Kind("estate", 2, 0, 1, 6),
    Kind("province", 8, 0, 6, 4),
    Kind("cellar", 2, 0, 0, 5),  # Discard any number, draw as many.
    Kind("smithy", 4, 0, 0, 5),  # Draw three.
    Kind("militia", 4, 2, 0, 5),  # The others discard down to three.
    Kind("village", 3, 0, 0, 5),  # Draw one, two more actions.
    Kind("scout", 3, 0, 0, 5),  # Look at two, put them back in any order; one more action.
)
NAMES = tuple(kind.name for kind in KINDS)
COPPER, SILVER, GOLD, ESTATE, PROVINCE, CELLAR, SMITHY, MILITIA, VILLAGE, SCOUT = range(len(KINDS))
SUPPLY = len(KINDS)  # Zones 0 to 9 are the supply; the seats' zones follow.
DECK, HAND, PLAY, DISCARD, LOOK = range(5)
COUNTERS = ("phase", "turn", "turns", "actions", "buys", "coins", "cellar")
PHASE, TURN, TURNS, ACTIONS, BUYS, COINS, CELLARED = range(len(COUNTERS))
DRAWS = len(COUNTERS)  # One counter per seat.
PHASES = ("begin", "buy", "played", "cellar", "militia", "scout", "over")
BEGIN, BUY, PLAYED, CELLARING, ROBBED, SCOUTING, OVER = range(len(PHASES))


def zone(seat: Player, place: int) -> int:
    return SUPPLY + 5 * seat + place


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    places = [Place(f"supply.{name}", Sight.EVERYONE) for name in NAMES]
    for seat in range(players):
        places += [
            Place(f"seat{seat}.deck", Sight.NOBODY, seat),
            Place(f"seat{seat}.hand", Sight.OWNER, seat),
            Place(f"seat{seat}.play", Sight.EVERYONE, seat),
            Place(f"seat{seat}.discard", Sight.OWNER, seat),
            Place(f"seat{seat}.look", Sight.OWNER, seat),
        ]
    draws = [f"seat{seat}.draws" for seat in range(players)]
    table = Table(Layout(players, NAMES, places, [*COUNTERS, *draws], options))
    for face, kind in enumerate(KINDS):
        table.lay_out(face, [face] * kind.count)
    for seat in range(players):
        table.lay_out(zone(seat, DISCARD), [COPPER] * 7 + [ESTATE] * 3)
        table.counters[DRAWS + seat] = 5
    return table


def advance(table: Table) -> Request:
    counters = table.counters
    while True:
        for seat in range(table.layout.players):
            request = _draw(table, seat)
            if request is not None:
                return request
        match counters[PHASE]:
            case 0:  # BEGIN
                counters[ACTIONS] = counters[BUYS] = 1
                counters[COINS], counters[PHASE] = 0, BUY
                counters[TURNS] += 1
                table.tell("turn", counters[TURN])
            case 2:  # PLAYED
                _effect(table)
            case 4:  # ROBBED
                victims = [p for p in range(table.layout.players) if _is_robbed(table, p)]
                if victims:
                    return Choice(victims[0])
                counters[PHASE] = BUY
            case 6:  # OVER
                return Over()
            case _:
                return Choice(counters[TURN])


def _draw(table: Table, seat: Player) -> Request | None:
    """Draw what is owed, reshuffling on the way when the deck runs out."""
    deck, discard = zone(seat, DECK), zone(seat, DISCARD)
    while table.counters[DRAWS + seat] and table.zones[deck]:
        table.move(table.zones[deck][-1], deck, zone(seat, HAND))
        table.counters[DRAWS + seat] -= 1
    if table.owed:
        return table.owed[0]
    if not table.counters[DRAWS + seat]:
        return None
    if not table.zones[discard]:
        table.counters[DRAWS + seat] = 0
        return None
    for card in table.zones[discard][:]:
        table.move(card, discard, deck)
    return Shuffle((tuple(table.zones[deck]),))


def _is_robbed(table: Table, seat: Player) -> bool:
    return seat != table.counters[TURN] and len(table.zones[zone(seat, HAND)]) > 3


def _effect(table: Table) -> None:
    """The played card is face up."""
    counters = table.counters
    me = counters[TURN]
    face = table.public_face(table.zones[zone(me, PLAY)][-1])
    counters[COINS] += KINDS[face].coins
    counters[PHASE] = BUY
    if face >= CELLAR:
        if not counters[ACTIONS]:
            raise RulesError(f"seat {me} played {NAMES[face]} without an action left")
        counters[ACTIONS] -= 1
    elif face in (ESTATE, PROVINCE):
        raise RulesError(f"seat {me} played {NAMES[face]}, which does nothing")
    if face == SMITHY:
        counters[DRAWS + me] += 3
    elif face == VILLAGE:
        counters[DRAWS + me] += 1
        counters[ACTIONS] += 2
    elif face == CELLAR:
        counters[ACTIONS] += 1
        counters[CELLARED], counters[PHASE] = 0, CELLARING
    elif face == MILITIA:
        counters[PHASE] = ROBBED
    elif face == SCOUT:
        counters[ACTIONS] += 1
        _look(table, me)


def _look(table: Table, seat: Player) -> None:
    deck = table.zones[zone(seat, DECK)]
    for card in deck[-2:]:
        table.move(card, zone(seat, DECK), zone(seat, LOOK))
        table.counters[PHASE] = SCOUTING


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    counters = table.counters
    hand = table.zones[zone(player, HAND)]
    match counters[PHASE]:
        case 4:  # ROBBED
            return _each("discard", hand, observation)
        case 3:  # CELLARING
            return [*_each("discard", hand, observation), Action("end")]
        case 5:  # SCOUTING
            return _each("put", table.zones[zone(player, LOOK)], observation)
    useful = [card for card in hand if observation[card] not in (ESTATE, PROVINCE)]
    playable = [card for card in useful if counters[ACTIONS] or observation[card] < CELLAR]
    buys = [Action("buy", (), face) for face in range(SUPPLY) if _can_buy(table, face)]
    return [*_each("play", playable, observation), *buys, Action("end")]


def _can_buy(table: Table, face: int) -> bool:
    counters = table.counters
    return (
        face < SUPPLY
        and bool(table.zones[face])
        and counters[BUYS] > 0
        and KINDS[face].cost <= counters[COINS]
    )


def apply(table: Table, player: Player, action: Action) -> None:
    counters = table.counters
    phase, verb = counters[PHASE], action.verb
    me = player
    if phase == ROBBED and not _is_robbed(table, player):
        raise RulesError(f"seat {player} has nothing to discard")
    if phase != ROBBED and player != counters[TURN]:
        raise RulesError(f"it is not the turn of seat {player}")
    if verb in ("play", "discard", "put") and (len(action.cards) != 1 or action.number):
        raise RulesError(f"{verb} names one card")
    if verb in ("buy", "end") and (action.cards or (verb == "end" and action.number)):
        raise RulesError(f"{verb} names no card")
    match PHASES[phase], verb:
        case "buy", "play":
            card = action.cards[0]
            _check_held(table, card, zone(me, HAND))
            _check_playable(table, card)
            table.move(card, zone(me, HAND), zone(me, PLAY))
            counters[PHASE] = PLAYED
        case "buy", "buy" if _can_buy(table, action.number):
            face = action.number
            table.move(table.zones[face][-1], face, zone(me, DISCARD))
            counters[COINS] -= KINDS[face].cost
            counters[BUYS] -= 1
        case "buy", "end":
            _clean_up(table, me)
        case (("militia" | "cellar"), "discard"):
            table.move(action.cards[0], zone(me, HAND), zone(me, DISCARD))
            counters[CELLARED] += phase == CELLARING
        case "cellar", "end":
            counters[DRAWS + me] += counters[CELLARED]
            counters[CELLARED], counters[PHASE] = 0, BUY
        case "scout", "put":
            table.move(action.cards[0], zone(me, LOOK), zone(me, DECK))
            if not table.zones[zone(me, LOOK)]:
                counters[PHASE] = BUY
        case _:
            raise RulesError(f"seat {player} cannot {verb} now: the phase is {PHASES[phase]}")


def _check_playable(table: Table, card: Card) -> None:
    """What everybody can see before the card is turned up."""
    face = table.face[card]
    if face in (ESTATE, PROVINCE) or (face >= CELLAR and not table.counters[ACTIONS]):
        raise RulesError(f"{NAMES[face]} cannot be played now")


def _clean_up(table: Table, me: Player) -> None:
    counters = table.counters
    for place in (HAND, PLAY):
        for card in table.zones[zone(me, place)][:]:
            table.move(card, zone(me, place), zone(me, DISCARD))
    counters[DRAWS + me] = 5
    players = table.layout.players
    empty = sum(not table.zones[face] for face in range(SUPPLY))
    turns_max = int(table.layout.options["turns"]) * players
    is_over = not table.zones[PROVINCE] or empty >= 3 or counters[TURNS] >= turns_max
    counters[PHASE], counters[TURN] = OVER if is_over else BEGIN, (me + 1) % players


def describe(table: Table, action: Action, observation: Observation) -> str:
    if action.cards:
        card = action.cards[0]
        face = observation[card] if card < len(observation) else HIDDEN
        return f"{action.verb} {NAMES[face] if face != HIDDEN else '?'}"
    if action.verb == "buy" and action.number < len(NAMES):
        return f"buy {NAMES[action.number]}"
    return action.verb


def scores(table: Table) -> tuple[int, ...]:
    """Needs no reveal: what each seat owns came to it in the open."""
    return tuple(_points(table, seat) for seat in range(table.layout.players))


def _points(table: Table, seat: Player) -> int:
    own = [card for place in range(5) for card in table.zones[zone(seat, place)]]
    families = {table.family_of[card] for card in own if table.face[card] == HIDDEN}
    points = sum(KINDS[table.face[card]].points for card in own if table.face[card] != HIDDEN)
    for family in families:
        counts = enumerate(table.family_counts[family])
        points += sum(KINDS[face].points * count for face, count in counts)
    return points


def winners(table: Table) -> tuple[Player, ...]:
    return highest(scores(table))


def phase(table: Table) -> str:
    return PHASES[table.counters[PHASE]]


REALM = Game(
    slug="realm",
    players=range(2, 5),
    faces=NAMES,
    options=(Option("turns", (12, 4)),),
    rules="Buy cards, play cards, own land.",
    setup=setup,
    advance=advance,
    legal_actions=legal_actions,
    apply=apply,
    describe=describe,
    scores=scores,
    winners=winners,
    phase=phase,
    tells={
        "turn": ("turn", "turns", "actions", "buys", "coins", "seat*.play"),
        "play": ("actions", "coins"),
        "buy": ("supply.*", "buys", "coins"),
        "end": ("turn", "seat*.play"),
    },
    steering=("phase", "cellar", "seat*.draws"),
)


def _check_held(table: Table, card: Card, hand: int) -> None:
    if card not in table.zones[hand]:
        raise RulesError(f"card {card} is not in {table.layout.places[hand].name}")


def _each(verb: str, cards: list[Card], observation: Observation) -> list[Action]:
    """One action for every distinct face."""
    by_face = {observation[card]: card for card in reversed(cards)}
    return [Action(verb, (card,)) for _, card in sorted(by_face.items())]
