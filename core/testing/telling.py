"""Whether a game tells what happens: see `Table.tell` and `Game.tells`.

Between two choices everything that everybody can see has to be in the story: each card that comes
to an open zone, leaves one or is shown to all, and each counter that means something to players.  A
card is told by a line that names it.  A counter, or a card that no line names, is told by a line of
a kind that speaks for it by its name or that of its zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from core.game import Game
from core.narrate import SCORED_FACT, WON, Line, Narrator
from core.requests import Card, Choice, Over, Secret
from core.table import HIDDEN, Sight, Table
from core.testing.worlds import BlindGame, blind_game, worlds

_GAMES = 12
_BY_ITSELF = {SCORED_FACT, WON, "rolled", "shuffled"}  # Told by the narrator, in every game.


@dataclass
class FactListener:
    """Follows the public table of a game, and holds it against its story."""

    game: Game
    table: Table
    narrator: Narrator
    _told: int = 0
    _zone_of: dict[Card, int] = field(default_factory=dict)
    _faces: list[int] = field(default_factory=list)
    _counters: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._remember()

    def untold(self) -> list[str]:
        """What has changed since the last time and was not told; from here on it is known."""
        lines = self.narrator.lines[self._told :]
        kinds = {_kind(line) for line in lines}
        named = {card for line in lines for card in line.cards}
        unknown = sorted(kinds - set(self.game.tells) - _BY_ITSELF - _verbs(lines))
        found = [f"{kind} is not in Game.tells" for kind in unknown]
        patterns = [each for kind in kinds for each in self.game.tells.get(kind, ())]
        said = ", ".join(sorted(kinds))
        changed = [name for name in self._changed(named) if not _fits(name, patterns)]
        found += [f"{name} changed, and none of {said} speaks for it" for name in changed]
        self._remember()
        return found

    def _changed(self, named: set[Card]) -> Iterator[str]:
        """The names of the counters and zones in which something changed that no line names."""
        table, places = self.table, self.table.layout.places
        names = table.layout.counters
        for name, before, after in zip(names, self._counters, table.counters, strict=True):
            if before != after and not _fits(name, self.game.steering):
                yield name
        is_open = [place.sight is Sight.EVERYONE for place in places]
        for card, zone in _zones(table).items():
            before_zone = self._zone_of[card]
            if card in named:
                continue
            if zone != before_zone:
                yield from (places[each].name for each in (before_zone, zone) if is_open[each])
            elif self._faces[card] == HIDDEN and table.face[card] != HIDDEN:
                yield places[zone].name

    def _remember(self) -> None:
        self._told = len(self.narrator.lines)
        self._zone_of, self._counters = _zones(self.table), self.table.counters[:]
        self._faces = self.table.face[:]


def everything_that_all_can_see_is_told(game: Game) -> None:
    """What changes open zones and counters stands in the story, the same on every machine."""
    for world in worlds(game, _GAMES, blind_game):
        hear_out(world)


def hear_out(world: BlindGame) -> None:
    """Play a game to its end, and assert at every choice that all was told."""
    game, peer = world.game, world.peers[0]
    listener = FactListener(game, peer.table, peer.narrator)
    for _ in world.play():
        if isinstance(peer.request, Choice | Secret | Over):
            _assert_told(listener)
    stories = [each.narrator.lines for each in world.peers]
    assert all(story == stories[0] for story in stories), "machines tell different stories"
    kinds = [line.text for line in peer.narrator.lines if line.kind == "told"]
    assert WON in kinds, "nobody was told who won"


def _assert_told(listener: FactListener) -> None:
    untold = listener.untold()
    assert not untold, (
        f"{'; '.join(untold)}: report it with Table.tell and declare in Game.tells what it speaks "
        "for, or list a counter that only steers the rules in Game.steering"
    )


def _kind(line: Line) -> str:
    if line.fact is not None:
        return line.fact.kind.partition(" ")[0]
    return line.action.verb if line.action is not None else line.kind


def _verbs(lines: list[Line]) -> set[str]:
    """What was said without the rules: choices, and what machines do."""
    return {_kind(line) for line in lines if line.fact is None}


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _zones(table: Table) -> dict[Card, int]:
    return {card: zone for zone, cards in enumerate(table.zones) for card in cards}
