"""Any position of Dominion, set up by hand and played in the notation."""

from __future__ import annotations

from collections.abc import Sequence

from core.chance import Chance
from core.engine import Pending, run_until_choice, start
from core.games.dominion import GAME
from core.games.dominion.cards import (
    BASIC_KINDS,
    BEGINNING,
    BOX,
    DECK,
    DISCARD,
    HAND,
    KEYS,
    PHASE,
    TURN,
)
from core.games.dominion.kingdoms import named_kingdom
from core.games.dominion.turn import lay_kingdom
from core.requests import Action
from core.table import HIDDEN, OptionValue, RulesError
from tests.core.games.carta.stage import words
from tests.core.games.stage import GameStage

FILL = "village smithy market festival laboratory cellar chapel workshop witch militia mine"


def faces(text: str) -> list[int]:
    """`copper*3 moat` as faces."""
    return [KEYS.index(word) for word in words(text)]


def kingdom_with(*texts: str) -> str:
    """A kingdom that has every kingdom card named in `texts`."""
    named = [KEYS[face] for text in texts for face in faces(text) if face >= BASIC_KINDS]
    return ",".join(list(dict.fromkeys([*named, *FILL.split()]))[:10])


class Stage(GameStage):
    """A game in the middle of it; the turn of seat `turn` is about to begin.

    Hands and decks (top card first) are given as words, discard piles from the bottom up; a seat
    that is left out has none.  The supply is full but for the piles in `gone`.
    """

    game = GAME

    def __init__(
        self,
        *hands: str,
        decks: Sequence[str] = (),
        discards: Sequence[str] = (),
        kingdom: str = "",
        gone: str = "",
        turn: int = 0,
        edition: int = 2,
    ) -> None:
        kinds = kingdom_with(kingdom, *hands, *decks, *discards)
        options: dict[str, OptionValue] = {"edition": edition, "kingdom": kinds}
        self.table = table = start(GAME, len(hands), options)
        lay_kingdom(table, named_kingdom(options))
        self.chance = Chance(5)
        hidden_faces: dict[int, int] = {}
        for face in faces(gone):
            table.zones[BOX] += table.zones[face]
            table.zones[face] = []
        for seat, hand in enumerate(hands):
            table.zones[BOX] += table.zones[DECK[seat]]
            table.zones[DECK[seat]] = []
            deck = faces(decks[seat])[::-1] if seat < len(decks) else []
            hidden = (*table.lay_out(HAND[seat], faces(hand)), *table.lay_out(DECK[seat], deck))
            table.lay_out(DISCARD[seat], faces(discards[seat]) if seat < len(discards) else [])
            hidden_faces.update({card: table.face[card] for card in hidden})
            if hidden:
                table.mix(hidden, None)
            for card in table.zones[HAND[seat]]:
                table.seen[card] = 1 << seat
        self.deal = [hidden_faces.get(card, face) for card, face in enumerate(table.face)]
        table.counters[PHASE], table.counters[TURN] = BEGINNING, turn
        self.pending: Pending = run_until_choice(GAME, table, self.deal, self.chance)

    # ---- playing ----

    def refuses(self, action: Action) -> bool:
        """Whether everybody sees that the action is illegal, at once or when a card is shown."""
        try:
            twin = self.table.copy()
            GAME.apply(twin, self.chooser, action)
            run_until_choice(GAME, twin, self.deal[:], Chance(1))
        except RulesError:
            return True
        return False

    def end_turn(self) -> Stage:
        """Leave everything at that, until another seat's turn has begun."""
        turn = self.counter("turn")
        while self.counter("turn") == turn and not self.is_over:
            done = [text for text in ("end", "stop", "pass") if text in self.legal]
            self.do((done or self.legal)[0])
        return self

    # ---- looking ----

    def pile(self, zone: str) -> str:
        """The true faces in a zone, top card first."""
        return " ".join(KEYS[self.deal_of(card)] for card in self.cards(zone)[::-1])

    def zone(self, zone: str) -> str:
        """The true faces in a zone, in the order of the faces."""
        return " ".join(KEYS[face] for face in sorted(map(self.deal_of, self.cards(zone))))

    def deal_of(self, card: int) -> int:
        """The true face of a card."""
        public = self.table.face[card]
        return public if public != HIDDEN else self.deal[card]

    def hand(self, seat: int) -> str:
        """The true faces of a hand."""
        return self.zone(f"seat{seat}.hand")

    def discard(self, seat: int) -> str:
        """The true faces of a discard pile, sorted."""
        return self.zone(f"seat{seat}.discard")

    def deck(self, seat: int) -> str:
        """The true faces of a deck, top card first."""
        return self.pile(f"seat{seat}.deck")

    @property
    def trash(self) -> str:
        """What has been trashed, sorted."""
        return self.zone("trash")

    def left(self, key: str) -> int:
        """How many cards a pile of the supply has."""
        return len(self.cards(f"supply.{key}"))

    def seen(self, zone: str, by: int | None) -> list[str | None]:
        """What a seat, or a spectator, sees in a zone, bottom first."""
        observation = self.observation(by)
        return [
            KEYS[observation[card]] if observation[card] != HIDDEN else None
            for card in self.cards(zone)
        ]

    @property
    def purse(self) -> tuple[int, int, int]:
        """Actions, Buys and coins left."""
        return self.counter("actions"), self.counter("buys"), self.counter("coins")

    @property
    def phase(self) -> str:
        """What is going on."""
        return GAME.phase(self.table)
