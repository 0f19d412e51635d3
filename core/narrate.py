"""The story of a game, line by line, from its requests and events: what a log on screen shows.

A choice is told only once the reveals it caused have been paid, so that `play ?` becomes
`play military` and a line never says more than everybody has seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.game import Game
from core.requests import (
    Action,
    Card,
    Choice,
    Chosen,
    Event,
    Opened,
    Player,
    Request,
    Reveal,
    Rolled,
    Secret,
    Shuffle,
)
from core.table import HIDDEN, Table


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, in a form that every language can tell.

    `kind` is `chosen`, `drawn` (a seat was shown `number` cards), `looked` (it was shown a pile
    that the others do not count), `shuffled` (`number` cards; `seat` None: by all) or `rolled`
    (`number`).  `entry` counts the events before it.
    """

    entry: int
    kind: str
    seat: Player | None = None
    action: Action | None = None
    faces: tuple[str | None, ...] = ()  # Of the action's cards; None where not everybody saw.
    number: int = 0
    text: str = ""  # The stable notation of a choice.


@dataclass(slots=True)
class Narrator:
    """Collects lines.  Call `note` after every `apply_event`, with the request that follows."""

    game: Game
    lines: list[Line] = field(default_factory=list)
    _untold: list[tuple[int, Player, Action]] = field(default_factory=list)
    _entries: int = 0

    def note(self, table: Table, request: Request, event: Event, following: Request) -> None:
        """Tell what `event`, the answer to `request`, did."""
        entry, self._entries = self._entries, self._entries + 1
        match request, event:
            case Choice(player), Chosen(action):
                self._untold.append((entry, player, action))
            case Secret(players), Opened(actions):
                pairs = zip(players, actions, strict=True)
                self._untold += [(entry, player, action) for player, action in pairs]
            case Reveal(cards, int(player)), _:
                self._tell(table)
                if _are_counted(table, cards[0]):
                    self.lines.append(Line(entry, "drawn", player, number=len(cards)))
                else:
                    self._look(entry, player)
            case Shuffle(piles, int(player)), _ if not _are_counted(table, piles[0][0]):
                self._look(entry, player)
            case Shuffle(piles, owner), _:
                count = sum(map(len, piles))
                self.lines.append(Line(entry, "shuffled", owner, number=count))
            case _, Rolled(number):
                self.lines.append(Line(entry, "rolled", number=number))
        if not (isinstance(following, Reveal) and following.player is None):
            self._tell(table)

    def forget(self, entry: int) -> None:
        """What came after so many events is void."""
        self.lines[:] = [line for line in self.lines if line.entry < entry]
        self._untold, self._entries = [], entry

    def _look(self, entry: int, player: Player) -> None:
        """Whoever looks through a pile is shown it and mixes it: one line is enough."""
        if not self.lines or (self.lines[-1].kind, self.lines[-1].seat) != ("looked", player):
            self.lines.append(Line(entry, "looked", player))

    def _tell(self, table: Table) -> None:
        names = table.layout.faces
        for entry, player, action in self._untold:
            known = [table.face[card] for card in action.cards if card < len(table.face)]
            faces = tuple(names[face] if face != HIDDEN else None for face in known)
            text = self.game.describe(table, action, table.face)
            self.lines.append(Line(entry, "chosen", player, action, faces, action.number, text))
        self._untold.clear()


def _are_counted(table: Table, card: Card) -> bool:
    """Whether everybody may know how many cards lie where this one does."""
    places = zip(table.layout.places, table.zones, strict=True)
    return all(place.is_counted or card not in cards for place, cards in places)
