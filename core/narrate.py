"""The story of a game, line by line, from its requests and events: what a log on screen shows.

A choice is told only once the reveals it caused have been paid, so that `play ?` becomes
`play military` and a line never says more than everybody has seen, but for what its reader knows:
a seat is told the names of the cards that it has chosen unseen, and of those that it draws.  What
followed, as the rules report it by `Table.tell`, stands below.  The story follows from the log: it
has the same lines on every machine and in replays, and is no part of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.engine import apply_event
from core.game import Game
from core.requests import (
    Action,
    Card,
    Choice,
    Chosen,
    Event,
    Face,
    Fact,
    Opened,
    Over,
    Player,
    Request,
    Reveal,
    Rolled,
    Secret,
    Shuffle,
)
from core.table import HIDDEN, Observation, Table

SCORED_FACT: Final = "scored"  # Kinds that are told at the end of every game.
WON: Final = "won"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, in a form that every language can tell.

    `kind` is `chosen`, `drawn` (a seat was shown `number` cards; that seat is told which, by
    `faces`), `looked` (it was shown a pile
    that the others do not count), `shuffled` (`number` cards; `seat` None: by all), `rolled`
    (`number`) or `told` (a `fact` of the rules).  `entry` counts the events before it.
    """

    entry: int
    kind: str
    seat: Player | None = None
    action: Action | None = None
    faces: tuple[str | None, ...] = ()  # Of the cards; None where not everybody saw.
    number: int = 0
    text: str = ""  # The stable notation of a choice; of a fact its kind and its words.
    fact: Fact | None = None
    acts_as: str = ""  # For whom the seat did it, if not for itself: see `Game.acts_as`.
    phase: str = ""  # In which a choice was made: to stop, or to discard, may mean two things.

    def is_by(self, seat: Player | None) -> bool:
        """Whether this seat has done it, and for itself."""
        return self.seat == seat and not self.acts_as

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the line names."""
        if self.fact is not None:
            return self.fact.cards
        return self.action.cards if self.action is not None else ()


@dataclass(slots=True)
class Narrator:
    """Applies events and collects lines."""

    game: Game
    lines: list[Line] = field(default_factory=list)
    _waiting: list[Line] = field(default_factory=list)  # To be told once all they name is open.
    _named: set[Card] = field(default_factory=set)  # By the last choices, and what followed.
    _entries: int = 0
    reader: Player | None = None  # The seat for which it is told; None: for everybody.
    _own: dict[Card, Face] = field(default_factory=dict)  # Of chosen cards, what only it knows.

    def apply(
        self, table: Table, request: Request, event: Event, observation: Observation | None = None
    ) -> Request:
        """Apply the event that answers `request`, tell it, and return the next request.

        `observation` is what the reader knows of the cards, with what the event shows it.

        Raises:
            RulesError: everybody can see that the event is against the rules.
        """
        told: list[Fact] = []
        self._remember(table, event, observation)
        # What a number means may depend on what is asked, which has changed afterwards.
        asked = table.copy() if isinstance(event, Chosen) and not event.action.cards else None
        phase = self.game.phase(table) if isinstance(event, Chosen) else ""
        table.told, acts_as = told, self._acts_as(table, request)
        following = apply_event(self.game, table, request, event)
        table.told = None
        entry, self._entries = self._entries, self._entries + 1
        before = len(self._waiting)
        self._note(table, entry, request, event)
        self._name_drawn(table, before, request, observation)
        self._waiting[before:] = [
            replace(line, acts_as=acts_as, phase=phase) for line in self._waiting[before:]
        ]
        if asked is not None and isinstance(event, Chosen):
            text = self.game.describe(asked, event.action, asked.face)
            self._waiting[-1] = replace(self._waiting[-1], text=text)
        for fact in told:
            self._add(entry, fact)
        if isinstance(following, Over):
            self._end(table, entry)
        is_shown_now = isinstance(following, Reveal) and following.player is None
        if not is_shown_now and all(owed.player is not None for owed in table.owed):
            self._tell(table)
        return following

    def forget(self, entry: int) -> None:
        """What came after so many events is void."""
        self.lines[:] = [line for line in self.lines if line.entry < entry]
        self._waiting, self._named, self._own, self._entries = [], set(), {}, entry

    def _remember(self, table: Table, event: Event, observation: Observation | None) -> None:
        """The faces of chosen cards that the reader knows: people remember them, tables do not."""
        if self.reader is None or observation is None or not isinstance(event, Chosen | Opened):
            return
        actions = (event.action,) if isinstance(event, Chosen) else event.actions
        for card in (card for action in actions for card in action.cards):
            if table.seen[card] >> self.reader & 1 and observation[card] != HIDDEN:
                self._own[card] = observation[card]

    def _acts_as(self, table: Table, request: Request) -> str:
        """For whom the seat acts that answers a request; a rule may end that."""
        match request:
            case Choice(seat) | Reveal(_, int(seat)) | Shuffle(_, int(seat)):
                return self.game.acts_as(table, seat)
        return ""

    def _note(self, table: Table, entry: int, request: Request, event: Event) -> None:
        if isinstance(request, Shuffle):  # The numbers are those of other cards now.
            self._named.difference_update(card for pile in request.piles for card in pile)
        match request, event:
            case Choice(player), Chosen(action):
                self._choose(entry, (player,), (action,))
            case Secret(players), Opened(actions):
                self._choose(entry, players, actions)
            case Reveal(cards, int(player)), _:
                count = sum(1 for card in cards if card not in self._named)
                if not _are_counted(table, cards[0]):
                    self._look(entry, player)
                elif count:
                    self._waiting.append(Line(entry, "drawn", player, number=count))
            case Shuffle(piles, int(player)), _ if not _are_counted(table, piles[0][0]):
                self._look(entry, player)
            case Shuffle(piles, owner), _:
                count = sum(map(len, piles))
                self._waiting.append(Line(entry, "shuffled", owner, number=count))
            case _, Rolled(number):
                self._waiting.append(Line(entry, "rolled", number=number))

    def _name_drawn(
        self, table: Table, first: int, request: Request, observation: Observation | None
    ) -> None:
        """Which cards the reader has drawn: mixed with others, nobody could tell them apart."""
        if self.reader is None or observation is None or not isinstance(request, Reveal):
            return
        drawn = [card for card in request.cards if card not in self._named]
        if request.player != self.reader or HIDDEN in (observation[card] for card in drawn):
            return
        names = table.layout.faces
        faces = tuple(sorted(names[observation[card]] for card in drawn))
        self._waiting[first:] = [replace(line, faces=faces) if line.kind == "drawn" else line
                                 for line in self._waiting[first:]]  # fmt: skip

    def _choose(self, entry: int, seats: Sequence[Player], actions: Sequence[Action]) -> None:
        self._named = {card for action in actions for card in action.cards}
        for seat, action in zip(seats, actions, strict=True):
            number = action.number
            self._waiting.append(Line(entry, "chosen", seat, action, number=number))

    def _add(self, entry: int, fact: Fact) -> None:
        """One more fact; what happened several times in a row to a seat becomes one line."""
        self._named.update(fact.cards)
        for place in range(len(self._waiting) - 1, -1, -1):
            line = self._waiting[place]
            before = line.fact
            if before is None or line.entry != entry or before.kind != fact.kind:
                break
            if (before.seat, before.other) == (fact.seat, fact.other):
                cards, number = before.cards + fact.cards, before.number + fact.number
                self._waiting[place] = _line(entry, before._replace(cards=cards, number=number))
                return
        self._waiting.append(_line(entry, fact))

    def _end(self, table: Table, entry: int) -> None:
        for seat, points in enumerate(self.game.scores(table)):
            self._waiting.append(_line(entry, Fact(SCORED_FACT, seat, (), points)))
        for seat in self.game.winners(table):
            self._waiting.append(_line(entry, Fact(WON, seat)))

    def _look(self, entry: int, player: Player) -> None:
        """Whoever looks through a pile is shown it and mixes it: one line is enough."""
        before = [*self.lines[-1:], *self._waiting][-1:]
        if not before or (before[0].kind, before[0].seat) != ("looked", player):
            self._waiting.append(Line(entry, "looked", player))

    def _tell(self, table: Table) -> None:
        for line in self._waiting:
            if line.kind == "drawn":
                self.lines.append(line)
                continue
            known = [table.face[card] for card in line.cards if card < len(table.face)]
            names = table.layout.faces
            faces = tuple(names[face] if face != HIDDEN else None for face in known)
            text = line.text
            if line.action is not None and not text:
                text = self.game.describe(table, line.action, self._seen(table))
            self.lines.append(replace(line, faces=faces, text=text))
        self._waiting.clear()
        self._own.clear()

    def _seen(self, table: Table) -> Observation:
        """What everybody sees of the table, and of the cards just chosen what the reader knows."""
        if not self._own:
            return table.face
        own = enumerate(table.face)
        return [self._own.get(card, face) if face == HIDDEN else face for card, face in own]


def _line(entry: int, fact: Fact) -> Line:
    seat = fact.seat if fact.seat >= 0 else None
    return Line(entry, "told", seat, number=fact.number, text=fact.kind, fact=fact)


def _are_counted(table: Table, card: Card) -> bool:
    """Whether everybody may know how many cards lie where this one does."""
    places = zip(table.layout.places, table.zones, strict=True)
    return all(place.is_counted or card not in cards for place, cards in places)
