"""Transitions of an imagined game: what happens between two choices, by a complete deal.

`fast_forward` is `core.engine.run_until_choice` for a table that nobody else will ever see, so it
keeps only what later moves can depend on: the faces that have been turned up and who has seen which
card.  Families of hidden cards are left as they were, and so are the cards that a player mixes in
the own hand: both exist to keep real players from knowing too much, and an imagined deal is known
anyway.  `Table.deal` is how rules are told.

Rollouts that are to be compared may have one `CommonShuffles` (common random numbers; Glasserman
and Yao 1992, "Some Guidelines and Guarantees for Common Random Numbers").
"""

from __future__ import annotations

from typing import Final

from core.chance import Chance
from core.engine import Pending, shuffle_deal
from core.game import Game
from core.native import i64
from core.requests import Card, Choice, Face, Over, Reveal, Roll, Secret, Shuffle
from core.table import HIDDEN, Table

_CHOICES_MAX: Final = 100_000  # A random game of any rules ends long before.
_FACE_BITS: Final = 10
_FACE_MASK: Final = (1 << _FACE_BITS) - 1
_WORD: Final = (1 << 32) - 1
_SPARE_BITS: Final = 12  # What is sorted has 30 bits then, which is one digit of Python's ints.
_SCATTER: Final = 0x45D9F3B  # Mueller's; products stay below 2**63.


class CommonShuffles:
    """What the shuffles of an imagined game come to, whatever the players do.

    At the n-th shuffle in a zone every copy of a face has a number of its own, by which the cards
    are ordered.  So hardly anything changes when one card is another or one is there more, and
    nothing at all in the zones of other seats.
    """

    __slots__ = ("counts", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counts: dict[int, int] = {}  # How often was shuffled in a zone.

    def shuffle(self, table: Table, deal: list[Face], pile: tuple[Card, ...]) -> None:
        """Shuffle the faces of `pile`, whose cards are in one zone, among its numbers."""
        zone = _zone_of(table, pile[0])
        count = self.counts.get(zone, 0)
        self.counts[zone] = count + 1
        start: i64 = Chance(self.seed + (zone << 16) + count).below(1 << 31)
        copies = [0] * len(table.layout.faces)
        order: list[int] = []
        for card in pile:
            face = deal[card]
            copies[face] = copy = copies[face] + 1
            rank = _scatter(start ^ copy << _FACE_BITS ^ face) >> _SPARE_BITS
            order.append(rank << _FACE_BITS | face)
        order.sort()
        for card, number in zip(pile, order):  # noqa: B905  (made of it just now; strict is slow)
            deal[card] = number & _FACE_MASK


def _zone_of(table: Table, card: Card) -> int:
    zones = table.zones
    for zone in range(len(zones) - 1, -1, -1):  # A supply comes first, and is never shuffled.
        if card in zones[zone]:
            return zone
    raise AssertionError("what is shuffled lies on the table")


def _scatter(number: i64) -> i64:
    """Every bit of 32 in every bit (a multiply-xorshift hash, one to one)."""
    number = (number ^ number >> 16) * _SCATTER & _WORD
    number = (number ^ number >> 16) * _SCATTER & _WORD
    return number ^ number >> 16


def fast_forward(
    game: Game,
    table: Table,
    deal: list[Face],
    chance: Chance,
    shuffles: CommonShuffles | None = None,
) -> Pending:
    """Go on until somebody must choose or the game is over.

    `chance` rolls, and shuffles unless there are `shuffles` in common with other games.
    """
    if table.deal is not deal:
        _begin(table, deal)
    mechanics = game.mechanics
    while True:
        request = mechanics.advance(table)
        if isinstance(request, Choice):  # The commonest first: search comes here all the time.
            return request
        if isinstance(request, Secret | Over):
            return request
        if request is not None:
            _answer(table, deal, request, chance, shuffles)


def play_at_random(game: Game, table: Table, deal: list[Face], chance: Chance) -> int:
    """Play to the end, choosing at random among what is legal; gives the number of choices."""
    mechanics, choices = game.mechanics, 0
    _begin(table, deal)
    while choices < _CHOICES_MAX:
        request = mechanics.advance(table)
        if isinstance(request, Choice):
            player = request.player
            actions = mechanics.legal_actions(table, player, deal)
            mechanics.apply(table, player, actions[chance.below(len(actions))])
            choices += 1
        elif isinstance(request, Secret):
            for player in request.players:
                actions = mechanics.legal_actions(table, player, deal)
                mechanics.apply(table, player, chance.pick(actions))
                choices += 1
        elif isinstance(request, Over):
            break
        elif request is not None:
            _answer(table, deal, request, chance)
    return choices


def _begin(table: Table, deal: list[Face]) -> None:
    """From here on, what comes into sight is seen at once."""
    table.deal = deal
    owed, table.owed = table.owed, []
    for reveal in owed:
        table.reveal(reveal.cards, reveal.player, deal)


def _answer(
    table: Table,
    deal: list[Face],
    request: Shuffle | Roll | Reveal,
    chance: Chance,
    shuffles: CommonShuffles | None = None,
) -> None:
    if isinstance(request, Shuffle):
        if request.player is None:
            _mix(table, deal, request, chance, shuffles)
    elif isinstance(request, Roll):
        table.rolled = chance.below(request.sides)
    else:  # The game asked by itself, and not by moving a card.
        table.reveal(request.cards, request.player, deal)


def _mix(
    table: Table,
    deal: list[Face],
    shuffle: Shuffle,
    chance: Chance,
    shuffles: CommonShuffles | None,
) -> None:
    face, seen = table.face, table.seen
    card: i64
    for pile in shuffle.piles:
        if shuffles is None:
            shuffle_deal(deal, pile, chance)
        else:
            shuffles.shuffle(table, deal, pile)
        for card in pile:
            face[card] = HIDDEN
            if seen[card]:
                seen[card] = 0
