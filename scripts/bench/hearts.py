"""One hand of hearts for four, as OpenSpiel has it, on our engine: the same game on both sides.

A yardstick is fair where both play the same game, and OpenSpiel's search in C++ has hearts.  So
these are its rules with its usual options: three cards are passed to the left, across, to the right
or not at all, by lot; the two of clubs leads; no points in the first trick; hearts are led once a
heart or the Queen of Spades has been played; who takes all 26 points has none, and the others
have 26 each.  `lab.py openspiel_games` plays both at once.  Used by `figures.py`, which has it
compiled along with the rules.

Nobody sees whether a hand could have followed suit, so who plays another one says so, and proves it
of the whole hand: see `claim`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, Mechanics, highest
from core.native import i64
from core.requests import Action, Choice, Claim, Over, Player, Request, Roll, Shuffle
from core.table import HIDDEN, Layout, Observation, OptionValue, Place, RulesError, Sight, Table

SUITS: Final = "cdhs"
FACES: Final = tuple([f"{suit}{rank}" for rank in range(2, 15) for suit in SUITS])
SEATS: Final = 4
HEARTS: Final = 2
TWO_OF_CLUBS: Final = 0
QUEEN_OF_SPADES: Final = 43
HAND_CARDS: Final = 13
PASSED_CARDS: Final = 3
QUEEN_POINTS: Final = 13
ALL_POINTS: Final = 26

# Zones.
DECK: Final = 0
PLAYED: Final = 1  # Trick upon trick.
HAND: Final = 2  # Of seat 0; those of the others follow, and then what each has passed.
PASSED: Final = 6

# Counters.
STAGE: Final = 0
TURN: Final = 1
DIRECTION: Final = 2  # So many seats on goes what is passed.
LED: Final = 3  # The suit that was led and one more; 0 before a trick.
BEST: Final = 4  # The face that wins the trick so far, ...
WINNER: Final = 5  # ... and whose it is.
WORTH: Final = 6  # The points in the trick.
BROKEN: Final = 7  # Whether hearts may be led.
POINTS: Final = 8  # Of seat 0; those of the others follow.

# Stages.  In the last six a card has been played, with these words.
SHUFFLE: Final = 0
ROLL: Final = 1
DEAL: Final = 2
PASS: Final = 3
MIX: Final = 4  # And a stage more for each seat that has mixed its hand.
OPEN: Final = 8  # Who has the two of clubs?
PLAY: Final = 9
OVER: Final = 10
FOLLOWED: Final = 11
DISCARDED: Final = 12
ONLY_POINTS: Final = 13
LED_ANY: Final = 14
ONLY_HEARTS: Final = 15
OPENED: Final = 16
_SAYS: Final = {
    "follow": FOLLOWED,
    "discard": DISCARDED,
    "only_points": ONLY_POINTS,
    "lead": LED_ANY,
    "only_hearts": ONLY_HEARTS,
    "open": OPENED,
}

_CARDS: Final = range(len(FACES))


def _with_each_card(verb: str) -> tuple[Action, ...]:
    return tuple([Action(verb, (card,)) for card in _CARDS])


_PASS: Final = _with_each_card("pass")
_OPEN: Final = _with_each_card("open")
_LEAD: Final = _with_each_card("lead")
_ONLY_HEARTS: Final = _with_each_card("only_hearts")
_FOLLOW: Final = _with_each_card("follow")
_DISCARD: Final = _with_each_card("discard")
_ONLY_POINTS: Final = _with_each_card("only_points")
_WITHOUT: Final = Action("without")
_CHOICES: Final = tuple([Choice(seat) for seat in range(SEATS)])
_OVER: Final = Over()
_POINT_FACES: Final = tuple(
    [face for face in _CARDS if face % 4 == HEARTS or face == QUEEN_OF_SPADES]
)


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    """A deck in order."""
    seats = range(players)
    places = [
        Place("deck", Sight.NOBODY),
        Place("played", Sight.EVERYONE),
        *[Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in seats],
        *[Place(f"seat{seat}.passed", Sight.OWNER, seat) for seat in seats],
    ]
    counters = (
        "stage", "turn", "direction", "led", "best", "winner", "worth", "broken",
        *[f"seat{seat}.points" for seat in seats],
    )  # fmt: skip
    table = Table(Layout(players, FACES, places, counters, options))
    table.lay_out(DECK, range(len(FACES)))
    return table


class _Mechanics(Mechanics):
    """How hearts is played: see `Game`."""

    def advance(self, table: Table) -> Request | None:
        counters = table.counters
        stage: i64 = counters[STAGE]
        if stage > OVER:
            _judge(table, stage)
            stage = counters[STAGE]
        if stage in (PLAY, PASS, OPEN):
            return _CHOICES[counters[TURN]]
        return _OVER if stage == OVER else _prepare(table, stage)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        counters, hand = table.counters, table.zones[HAND + player]
        stage: i64 = counters[STAGE]
        if stage == PASS:
            return [_PASS[card] for card in hand]
        if stage == OPEN:
            return [_OPEN[card] for card in hand if observation[card] == TWO_OF_CLUBS] or [_WITHOUT]
        led: i64 = counters[LED]
        if not led:
            return _leads(hand, observation, counters[BROKEN] != 0)
        led -= 1
        found: list[Action] = []
        for card in hand:
            face: i64 = observation[card]
            if face & 3 == led:
                found.append(_FOLLOW[card])
        return found or _discards(hand, observation, len(table.zones[PLAYED]) < SEATS)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        counters = table.counters
        if table.checks_offers():
            _refuse(table, player, action)
        stage: i64 = counters[STAGE]
        if stage == PASS:
            table.move(action.cards[0], HAND + player, PASSED + player)
            if len(table.zones[PASSED + player]) == PASSED_CARDS:
                counters[TURN] = (player + 1) % SEATS
                counters[STAGE] = MIX if player == SEATS - 1 else PASS
        elif action.cards:
            table.move(action.cards[0], HAND + player, PLAYED)
            verb = action.verb  # Mostly a seat follows.
            counters[STAGE] = FOLLOWED if verb == "follow" else _SAYS[verb]
        else:
            counters[TURN] = (player + 1) % SEATS


def _refuse(table: Table, player: Player, action: Action) -> None:
    """What everybody sees is wrong before the card is turned up."""
    counters = table.counters
    stage: i64 = counters[STAGE]
    if player != counters[TURN]:
        raise RulesError(f"it is the turn of seat {counters[TURN]}")
    if stage == PASS:
        verbs = ["pass"]
    elif stage == OPEN:
        verbs = ["open", "without"]
    elif not counters[LED]:
        verbs = ["lead"] if counters[BROKEN] else ["lead", "only_hearts"]
    else:
        is_first = len(table.zones[PLAYED]) < SEATS
        verbs = ["follow", "discard", "only_points"] if is_first else ["follow", "discard"]
    cards = 0 if action.verb == "without" else 1
    if action.verb not in verbs or len(action.cards) != cards or action.number:
        raise RulesError(f"now {' or '.join(verbs)} is due, with a card")


def _leads(hand: list[int], observation: Observation, is_broken: bool) -> list[Action]:
    """What a trick may begin with."""
    found = [_LEAD[card] for card in hand if is_broken or observation[card] & 3 != HEARTS]
    return found or [_ONLY_HEARTS[card] for card in hand]


def _discards(hand: list[int], observation: Observation, is_first_trick: bool) -> list[Action]:
    """What may be played by who cannot follow."""
    if not is_first_trick:
        return [_DISCARD[card] for card in hand]
    found = [_DISCARD[card] for card in hand if observation[card] not in _POINT_FACES]
    return found or [_ONLY_POINTS[card] for card in hand]


def _prepare(table: Table, stage: i64) -> Request | None:
    """Until the first card is due, step by step."""
    counters = table.counters
    counters[STAGE] = stage + 1
    if stage == SHUFFLE:
        return Shuffle((tuple(table.zones[DECK]),))
    if stage == ROLL:
        return Roll(SEATS)
    if stage == DEAL:
        counters[DIRECTION] = table.rolled
        table.tell("direction", number=table.rolled)
        for seat in range(SEATS):
            table.draw(HAND_CARDS, DECK, HAND + seat)
        if not table.rolled:
            counters[STAGE] = OPEN
        return None
    if stage == MIX:
        for seat in range(SEATS):
            passed = tuple(table.zones[PASSED + seat])
            table.move_all(passed, PASSED + seat, HAND + (seat + counters[DIRECTION]) % SEATS)
        if table.owed:  # They have to be seen before they are mixed.
            counters[STAGE] = MIX
            return None
    return table.mix_hand(HAND + stage - MIX)


def _judge(table: Table, said: i64) -> None:
    """A card has been turned up: whether it is what was said, and whose the trick is."""
    counters, played = table.counters, table.zones[PLAYED]
    seat: i64 = counters[TURN]
    face: i64 = table.face[played[-1]]
    assert face != HIDDEN, "whatever is played is seen before anything else"
    suit = face & 3
    led: i64 = counters[LED] - 1
    has_points = suit == HEARTS or face == QUEEN_OF_SPADES
    if said == FOLLOWED:
        if suit != led:
            raise RulesError("a card of another suit does not follow")
        if face > counters[BEST]:
            counters[BEST], counters[WINNER] = face, seat
    elif said <= ONLY_POINTS:
        if suit == led or (said == DISCARDED and has_points and len(played) <= SEATS):
            raise RulesError("a discard is of another suit, in the first trick without points")
    else:
        if said == OPENED and face != TWO_OF_CLUBS:
            raise RulesError("the two of clubs leads to the first trick")
        if said == LED_ANY and suit == HEARTS and not counters[BROKEN]:
            raise RulesError("hearts are not led before they are broken")
        counters[LED], counters[BEST], counters[WINNER] = suit + 1, face, seat
    if has_points:
        counters[BROKEN] = 1
        worth: i64 = 1 if suit == HEARTS else QUEEN_POINTS
        counters[WORTH] = counters[WORTH] + worth
    counters[STAGE] = PLAY
    if len(played) & 3:
        counters[TURN] = (seat + 1) & 3
    else:
        _take(table)


def _take(table: Table) -> None:
    """The trick goes to who has the best card of the suit that was led."""
    counters = table.counters
    winner: i64 = counters[WINNER]
    worth: i64 = counters[WORTH]
    table.tell("taken", winner, number=worth)
    if worth:
        counters[POINTS + winner] = counters[POINTS + winner] + worth
        counters[WORTH] = 0
    counters[LED], counters[TURN] = 0, winner
    if len(table.zones[PLAYED]) == len(FACES):
        counters[STAGE] = OVER


def claim(table: Table, player: Player, action: Action) -> Claim | None:
    """That the whole hand cannot follow, is points or hearts, or is without the two of clubs."""
    said = _SAYS.get(action.verb, OPEN if action.verb == "without" else FOLLOWED)
    if said == OPEN:
        faces = [face for face in _CARDS if face != TWO_OF_CLUBS]
    elif said == DISCARDED:
        faces = [face for face in _CARDS if face % 4 != table.counters[LED] - 1]
    elif said == ONLY_POINTS:
        faces = list(_POINT_FACES)
    elif said == ONLY_HEARTS:
        faces = [face for face in _CARDS if face % 4 == HEARTS]
    else:
        return None
    return Claim(tuple(table.zones[HAND + player]), tuple(faces))


def scores(table: Table) -> tuple[int, ...]:
    """What each seat has below nothing; the fewer points, the better."""
    points = table.counters[POINTS : POINTS + SEATS]
    if ALL_POINTS in points:
        points = [ALL_POINTS - each for each in points]
    return tuple([-each for each in points])


def winners(table: Table) -> tuple[Player, ...]:
    """Who has the fewest points."""
    return highest(scores(table))


_MECHANICS: Final = _Mechanics()
GAME: Final = Game(
    slug="hearts",
    players=range(SEATS, SEATS + 1),
    faces=FACES,
    rules="1. Pass three cards. 2. Follow suit. 3. Avoid hearts and the Queen of Spades.",
    setup=setup,
    advance=_MECHANICS.advance,
    legal_actions=_MECHANICS.legal_actions,
    apply=_MECHANICS.apply,
    scores=scores,
    winners=winners,
    claim=claim,
    tells={
        "direction": ("direction",),
        "taken": ("seat*.points",),
        "pass": (),
        "without": (),
        **dict.fromkeys(_SAYS, ("played", "broken")),
    },
    steering=("stage", "turn", "led", "best", "winner", "worth"),
)
