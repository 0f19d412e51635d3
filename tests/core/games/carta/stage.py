"""Any position of Carta, set up by hand and played in the notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.chance import Chance
from core.engine import Pending, run_until_choice, start
from core.games.carta import GAME
from core.games.carta.cards import (
    AREA,
    BACKS,
    BOX,
    DECK,
    DISCARD,
    DOMAINS,
    HAND,
    PHASE,
    PILES,
    PLAYING_CARD,
    START,
    TURN,
)
from core.games.carta.effects import settle_coin
from core.requests import Action, Reveal
from core.table import HIDDEN, OptionValue, RulesError
from tests.core.games.stage import GameStage


def words(text: str) -> list[str]:
    """`military*2 science` is military, military, science."""
    found = []
    for word in text.split():
        name, _, count = word.partition("*")
        found += [name] * int(count or 1)
    return found


class Stage(GameStage):
    """A game of Carta in the middle of it, step 1 of `turn` about to begin.

    Areas, hands, `known` (hand cards that everybody has seen), the discard pile and the deck (top
    first) are given as words.  Without `deck` all other cards stay in it; with it they are out of
    the game.
    """

    game = GAME

    def __init__(
        self,
        areas: Sequence[str],
        hands: Sequence[str] = (),
        *,
        turn: int = 0,
        begin: int = 0,
        deck: str | None = None,
        discard: str = "",
        known: Sequence[str] = (),
        ages: str = "I II III",
        **options: OptionValue,
    ) -> None:
        self.table = start(GAME, len(areas), options)
        self.deal = self.table.face[:]
        self.chance = Chance(5)
        self._ages = ages.split()  # From which cards are taken, the first that has one.
        for pile in PILES:
            self.table.mix(pile, None)
        for seat, area in enumerate(areas):
            for name in words(area):
                self._place(name, AREA[seat] + DOMAINS.index(name))
        for seat, hand in enumerate(known):
            for name in words(hand):
                card = self._place(name, DISCARD)
                self.table.move(card, DISCARD, HAND[seat])
        for seat, hand in enumerate(hands):
            for name in words(hand):
                self._place(name, HAND[seat])
        for name in words(discard):
            self._place(name, DISCARD)
        if deck is not None:
            self._stack(words(deck))
        counters = self.table.counters
        counters[PHASE], counters[TURN], counters[START] = PLAYING_CARD, turn, begin
        settle_coin(self.table)
        self.pending: Pending = run_until_choice(GAME, self.table, self.deal, self.chance)

    def _place(self, name: str, zone: int) -> int:
        card = self._find(name, self.table.zones[DECK])
        self.table.move(card, DECK, zone)
        self._pay()
        return card

    def _find(self, name: str, cards: Iterable[int]) -> int:
        face = DOMAINS.index(name)
        having = [card for card in cards if self.deal[card] == face]
        return next(card for age in self._ages for card in having if BACKS[card] == age)

    def _pay(self) -> None:
        while self.table.owed:
            request: Reveal = self.table.owed.pop(0)
            for card in request.cards:
                if request.player is None:
                    self.table.turn_up((card,), [self.deal[card]])
                else:
                    self.table.seen[card] |= 1 << request.player

    def _stack(self, names: list[str]) -> None:
        wanted = []
        for name in names:
            left = [card for card in self.table.zones[DECK] if card not in wanted]
            wanted.append(self._find(name, left))
        for card in self.table.zones[DECK][:]:
            if card not in wanted:
                self.table.move(card, DECK, BOX)
        self.table.zones[DECK] = wanted[::-1]

    # ---- playing ----

    def refuses(self, action: Action) -> bool:
        """Whether everybody can see at once that the action is illegal."""
        try:
            GAME.apply(self.table.copy(), self.chooser, action)
        except RulesError:
            return True
        return False

    # ---- looking ----

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won."""
        assert self.is_over, self.pending
        return GAME.winners(self.table)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points at the end."""
        assert self.is_over, self.pending
        return GAME.scores(self.table)

    def zone(self, zone: str) -> str:
        """The true faces in a zone, in the order of the domains, as words."""
        names = sorted(self.deal[card] for card in self.cards(zone))
        return " ".join(DOMAINS[face] for face in names)

    def hand(self, seat: int) -> str:
        """The true faces of a hand."""
        return self.zone(f"seat{seat}.hand")

    def area(self, seat: int) -> str:
        """The faces in an area."""
        return " ".join(filter(None, (self.zone(f"seat{seat}.{domain}") for domain in DOMAINS)))

    def seen(self, zone: str, by: int | None) -> list[str | None]:
        """What a seat, or a spectator, sees in a zone."""
        observation = self.observation(by)
        return [
            DOMAINS[observation[card]] if observation[card] != HIDDEN else None
            for card in self.cards(zone)
        ]

    @property
    def coin(self) -> tuple[int, int]:
        """Whose coin it is, and on which domain it lies; -1 for nobody's and none."""
        return self.counter("coin.holder"), self.counter("coin.domain")
