"""A game of tricks with secret bids, as somebody outside would write it: the rules and no more.

Bots know nothing of it, and its score says nothing but at the end of a round.  Three seats have six
of 24 cards each, and say at once how many tricks they will take.  One follows suit; spades beat the
other suits.  Whoever has taken as many as was said has five points and one for each; others lose
one for each too many or too few.  Three rounds are played.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.game import Game, highest
from core.requests import Action, Choice, Claim, Face, Over, Player, Request, Secret, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

SUITS, RANKS, SEATS, ROUNDS = "shdc", 6, 3, 3
FACES = tuple(f"{suit}{rank}" for suit in SUITS for rank in range(1, RANKS + 1))
HAND_CARDS, EXACT = 6, 5
DECK, PLAYED, HAND = range(3)  # Zones; the hands of the others follow.
STAGE, TURN, ROUND, LED, BEST, WINNER, SEATED = range(7)  # LED is the suit and one more.
BID, TRICKS, POINTS = SEATED, SEATED + SEATS, SEATED + 2 * SEATS  # Of seat 0; a bid and one more.
SHUFFLE, DEAL, BIDDING, PLAY, OVER, LEADS, FOLLOWS, DISCARDS = range(8)
SAYS = {"lead": LEADS, "follow": FOLLOWS, "discard": DISCARDS}


def suit(face: Face) -> int:
    return face // RANKS


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    seats = range(players)
    places = [Place("deck", Sight.NOBODY), Place("played", Sight.EVERYONE)]
    places += [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in seats]
    counters = ["stage", "turn", "round", "led", "best", "winner"]
    counters += [f"seat{seat}.{name}" for name in ("bid", "tricks", "points") for seat in seats]
    table = Table(Layout(players, FACES, places, counters, options))
    table.lay_out(DECK, range(len(FACES)))
    return table


def advance(table: Table) -> Request | None:
    counters, zones = table.counters, table.zones
    match counters[STAGE]:
        case 0:  # SHUFFLE
            counters[STAGE] = DEAL
            return Shuffle((tuple(zones[DECK]),))
        case 1:  # DEAL
            counters[STAGE] = BIDDING
            for seat in range(SEATS):
                table.draw(HAND_CARDS, DECK, HAND + seat)
            return None
        case 2:  # BIDDING
            if not all(counters[BID : BID + SEATS]):
                return Secret(tuple(range(SEATS)))
            counters[STAGE], counters[TURN] = PLAY, counters[ROUND]
        case 5 | 6 | 7:  # A card has been turned up, with these words.
            _judge(table, counters[STAGE], table.public_face(zones[PLAYED][-1]))
            if counters[STAGE] == SHUFFLE:
                return None
    return Over() if counters[STAGE] == OVER else Choice(counters[TURN])


def _judge(table: Table, said: int, face: Face) -> None:
    counters, seat = table.counters, table.counters[TURN]
    if said != LEADS and (suit(face) + 1 == counters[LED]) != (said == FOLLOWS):
        raise RulesError("who follows plays the suit that was led, and who discards another")
    if said == LEADS:
        counters[LED] = suit(face) + 1
    if said == LEADS or beats(face, counters[BEST]):
        counters[BEST], counters[WINNER] = face, seat
    counters[STAGE], counters[TURN] = PLAY, (seat + 1) % SEATS
    if len(table.zones[PLAYED]) % SEATS == 0:
        counters[LED], counters[TURN] = 0, counters[WINNER]
        counters[TRICKS + counters[WINNER]] += 1
        table.tell("taken", counters[WINNER])
    if len(table.zones[PLAYED]) == SEATS * HAND_CARDS:
        _count(table)


def _count(table: Table) -> None:
    counters = table.counters
    for seat in range(SEATS):
        bid, tricks = counters[BID + seat] - 1, counters[TRICKS + seat]
        won = EXACT + bid if bid == tricks else -abs(bid - tricks)
        counters[POINTS + seat] += won
        counters[BID + seat] = counters[TRICKS + seat] = 0
        table.tell("counted", seat, number=won)
    counters[ROUND] += 1
    counters[STAGE] = OVER if counters[ROUND] == ROUNDS else SHUFFLE
    table.move_all(tuple(table.zones[PLAYED]), PLAYED, DECK)


def beats(face: Face, best: Face) -> bool:
    """Whether a card takes the trick from the best one before it."""
    return face > best if suit(face) == suit(best) else suit(face) == 0


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    if table.counters[STAGE] == BIDDING:
        return [Action("bid", number=number) for number in range(HAND_CARDS + 1)]
    led = table.counters[LED] - 1
    held = sorted(table.zones[HAND + player], key=lambda card: observation[card])
    if led < 0:
        return [Action("lead", (card,)) for card in held]
    follows = [Action("follow", (card,)) for card in held if suit(observation[card]) == led]
    return follows or [Action("discard", (card,)) for card in held]


def apply(table: Table, player: Player, action: Action) -> None:
    counters = table.counters
    if counters[STAGE] == BIDDING:
        if action.verb != "bid" or action.cards or not 0 <= action.number <= HAND_CARDS:
            raise RulesError("a bid is a number of tricks")
        counters[BID + player] = action.number + 1
        return
    if player != counters[TURN]:
        raise RulesError(f"it is the turn of seat {counters[TURN]}")
    verbs = ("follow", "discard") if counters[LED] else ("lead",)
    if action.verb not in verbs or len(action.cards) != 1 or action.number:
        raise RulesError(f"now {' or '.join(verbs)} is due, with a card")
    table.move(action.cards[0], HAND + player, PLAYED)
    counters[STAGE] = SAYS[action.verb]


def claim(table: Table, player: Player, action: Action) -> Claim | None:
    """Whoever discards has no card of the suit that was led."""
    if action.verb != "discard":
        return None
    others = [face for face in range(len(FACES)) if suit(face) != table.counters[LED] - 1]
    return Claim(tuple(table.zones[HAND + player]), tuple(others))


def scores(table: Table) -> tuple[int, ...]:
    return tuple(table.counters[POINTS : POINTS + SEATS])


TRICK_BIDS = Game(
    slug="trick_bids", players=range(SEATS, SEATS + 1), faces=FACES, setup=setup, advance=advance,
    rules="1. Bid. 2. Follow suit. 3. As many tricks as were bid: five points and one for each.",
    legal_actions=legal_actions, apply=apply, claim=claim, scores=scores,
    winners=lambda table: highest(scores(table)),
    tells={
        "bid": ("seat*.bid",), "taken": ("seat*.tricks",),
        "counted": ("seat*.points", "seat*.bid", "seat*.tricks", "round", "played"),
        "lead": ("played",), "follow": ("played",), "discard": ("played",),
    },
    steering=("stage", "turn", "led", "best", "winner"),
)  # fmt: skip


def sensible(table: Table, observation: Observation, player: Player, seed: int) -> Action:
    """Bids its high cards; then takes tricks as cheaply as it can until it has what it bid."""
    counters = table.counters
    actions = legal_actions(table, player, observation)
    if counters[STAGE] == BIDDING:
        held = [observation[card] for card in table.zones[HAND + player]]
        halves = sum(2 if face % RANKS == RANKS - 1 else face % RANKS == RANKS - 2
                     for face in held if suit(face))  # fmt: skip
        halves += sum(2 if face % RANKS > 2 else 1 for face in held if not suit(face))
        return actions[halves // 2]
    ranked = sorted(actions, key=lambda each: (observation[each.cards[0]] % RANKS,
                                               not suit(observation[each.cards[0]])))  # fmt: skip
    wants = counters[TRICKS + player] < counters[BID + player] - 1
    if not counters[LED]:
        return ranked[-1 if wants else 0]
    wins = [each for each in ranked if beats(observation[each.cards[0]], counters[BEST])]
    if wants:
        return (wins or ranked)[0]
    return ([each for each in ranked if each not in wins] or ranked)[-1]
