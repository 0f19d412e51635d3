"""Whether others can follow a hidden card through a hand.

Cards are numbers, and everybody sees which number moves where.  A card that has come into a hand
since its owner last mixed it has a past of its own: when it leaves, the others know that it was the
one just drawn, and when another leaves, that it was not.  Before a hidden card leaves a hand in
which several have different pasts, its owner therefore has to mix (`Table.mix_hand`).
"""

from __future__ import annotations

from core.game import Game
from core.requests import Card, Choice, Chosen, Opened, Player, Secret, Shuffle
from core.table import HIDDEN, Sight, Table
from core.testing.worlds import followed_game, worlds

_GAMES = 12


class Follower:
    """What the others can tell of the hidden cards in hands: when each came, since the last mix."""

    def __init__(self, game: Game, table: Table) -> None:
        self._game = game
        self._hands = [
            zone for zone, place in enumerate(table.layout.places) if place.sight is Sight.OWNER
        ]
        self._zone_of: dict[Card, int] = {}
        self._came: dict[Card, int] = {}
        self._time = 0

    def hidden(self, table: Table, zone: int) -> set[Card]:
        """The cards of a hand that not everybody has seen."""
        return {card for card in table.zones[zone] if table.face[card] == HIDDEN}

    def look(self, table: Table, *, is_chosen: bool) -> None:
        """Note which cards have come to a hand by the last event, which was a choice or was not.

        What comes without a choice in between comes together.
        """
        self._time += is_chosen
        now = {card: zone for zone in self._hands for card in self.hidden(table, zone)}
        for card, zone in now.items():
            if self._zone_of.get(card) != zone:
                self._came[card] = self._time
        self._zone_of = now

    def mix(self, cards: tuple[Card, ...]) -> None:
        """From here on nobody tells these apart."""
        self._time += 1
        for card in cards:
            self._came[card] = self._time

    def told_apart(self, before: Table, after: Table, cards: tuple[Card, ...]) -> str:
        """The hand from which a card has left that others can tell from one that stays."""
        for card in cards:
            zone = self._zone_of.get(card)
            if zone is None or card in after.zones[zone]:
                continue
            back = self._game.back(before, card)  # Another is told apart by it anyway.
            stays = self.hidden(before, zone) & set(after.zones[zone])
            alike = [other for other in stays if self._game.back(before, other) == back]
            if any(self._came[other] != self._came[card] for other in alike):
                return before.layout.places[zone].name
        return ""


def no_card_can_be_followed_through_a_hand(game: Game) -> None:
    """No hidden card that is chosen leaves a hand where its past tells it from another."""
    for world in worlds(game, _GAMES, followed_game):
        peer = world.peers[0]
        follower, before = Follower(game, peer.table), peer.table.copy()
        for request, event in world.play():
            if isinstance(request, Shuffle):
                for pile in request.piles:
                    follower.mix(pile)
            chosen = _chosen(request, event)
            for seat, cards in chosen:
                if len(game.legal_actions(before, seat, world.deals[-1])) < 2:
                    continue  # Nothing was chosen.
                hand = follower.told_apart(before, peer.table, cards)
                assert not hand, (
                    f"a hidden card left {hand} that others can tell from one that stays there, "
                    "by when each came: let its owner mix the hand before (Table.mix_hand)"
                )
            follower.look(peer.table, is_chosen=bool(chosen))
            before = peer.table.copy()


def _chosen(request: object, event: object) -> list[tuple[Player, tuple[Card, ...]]]:
    match request, event:
        case Choice(seat), Chosen(action):
            return [(seat, action.cards)]
        case Secret(seats), Opened(actions):
            return [(seat, action.cards) for seat, action in zip(seats, actions, strict=True)]
    return []
