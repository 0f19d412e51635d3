"""A finished or interrupted game as views to leaf through, made from its public log."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.determinization import observation_of
from core.engine import apply_event, next_request, start
from core.games import find_game
from core.narrate import Line, Narrator
from core.playback import Record, turn_marks
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Opened,
    Player,
    Request,
    Reveal,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    to_act,
)
from core.table import HIDDEN, Observation, OptionValue, Table
from core.view import view
from p2p.session.news import Fairness, SeatState, TableChanged, seat_state

if TYPE_CHECKING:
    from ai.advice.win_probability import Waypoint
    from p2p.base.roster import DecisionPoint, Roster


@dataclass(frozen=True, slots=True)
class Recording:
    """Every position of a game, as somebody saw it who looked on."""

    name: str
    positions: tuple[TableChanged, ...]  # Before the first event, and after every one.
    marks: tuple[int, ...]  # Positions at which a turn begins.
    history: tuple[Record, ...]
    known: Sequence[
        Observation
    ] = ()  # At every position, by the keys that were opened; or nothing.
    dealt: Sequence[tuple[int, Shuffle]] = ()  # Cards that were dealt anew, after so many events.
    path: Path | None = None  # The file that it was read from.
    _told: dict[Player, tuple[Line, ...]] = field(default_factory=dict, compare=False, repr=False)

    def turn_at(self, position: int) -> DecisionPoint | None:
        """The choice that is open at a position, as its seat saw it; None if its key is closed."""
        if not self.known:
            return None
        table, request = self.table_at(position)
        for seat in to_act(request):
            if self._knows(table, position, seat):
                return self._turn(table, position, seat)
        return None

    def choices_of(self, seat: Player) -> Iterator[tuple[DecisionPoint, Action]]:
        """Every choice of a seat whose hand is known, as it saw it, and what it did."""
        for position, (table, _) in islice(enumerate(self._tables()), len(self.history)):
            action = _chosen_by(seat, *self.history[position])
            if action is not None and self._knows(table, position, seat):
                yield self._turn(table.copy(), position, seat), action

    def _turn(self, table: Table, position: int, seat: Player) -> DecisionPoint:
        from p2p.base.roster import DecisionPoint

        game = find_game(self.positions[0].view.game)
        observation = observation_of(table, self.known[position], seat)
        return DecisionPoint(game, table, observation, seat, position, seed=position)

    def waypoints(self) -> list[Waypoint]:
        """Where each turn begins, and the end, with all hands that are known here."""
        from ai.advice.win_probability import Waypoint

        entries = {*self.marks, len(self.history)}
        seats = sum(1 << seat for seat in self.opened_seats())
        found = list[Waypoint]()
        for entry, (table, _) in enumerate(self._tables()):
            if entry in entries:
                known = self.known[entry] if self.known else table.face
                seen = [
                    known[card] if face == HIDDEN and table.seen[card] & seats else face
                    for card, face in enumerate(table.face)
                ]
                found.append(Waypoint(entry, table.copy(), seen))
        return found

    def seat_at(self, position: int) -> Player | None:
        """Who has to choose at a position, or the first whose hand is known; None: no hand is."""
        turn = self.turn_at(position)
        return turn.seat if turn is not None else next(iter(self.opened_seats()), None)

    def opened_seats(self) -> tuple[Player, ...]:
        """Whose hands can be shown: all of their cards are known at every position."""
        if not self.known:
            return ()
        table = self.table_at(len(self.history))[0]
        seats = range(self.positions[0].view.players)
        return tuple(seat for seat in seats if self._knows(table, len(self.history), seat))

    def seen_by(self, position: int, seat: Player | None) -> TableChanged:
        """A position as a seat saw it, without what it had to choose; None: as a spectator did."""
        shown = self.positions[position]
        if seat is None:
            return shown
        table, request = self.table_at(position)
        observation = observation_of(table, self.known[position], seat)
        seen = view(find_game(shown.view.game), table, request, observation, seat)
        seats = tuple(replace(state, link="me" if at == seat else state.link)
                      for at, state in enumerate(shown.seats))  # fmt: skip
        lines = self._told_to(seat)[: len(shown.lines)]
        return replace(shown, view=replace(seen, offers=()), seats=seats, lines=lines)

    def _told_to(self, seat: Player) -> tuple[Line, ...]:
        """The story of the game as a seat was told it: the same lines, with its own cards named."""
        if seat not in self._told:
            narrator = Narrator(find_game(self.positions[0].view.game), reader=seat)
            for _ in self._tables(narrator):
                pass
            self._told[seat] = tuple(narrator.lines)
        return self._told[seat]

    def table_at(self, position: int) -> tuple[Table, Request]:
        """The table at a position, as everybody saw it, and what is asked there."""
        return next(islice(self._tables(), position, None))

    def _tables(self, narrator: Narrator | None = None) -> Iterator[tuple[Table, Request]]:
        """The same table at every position, one after the other: whoever keeps it makes a copy."""
        seen = self.positions[0].view
        game = find_game(seen.game)
        table = start(game, seen.players, seen.options)
        request = next_request(game, table)
        for entry, (asked, event) in enumerate(self.history):
            yield table, request
            for before, anew in self.dealt:
                for pile in anew.piles if before == entry else ():
                    table.mix(pile, anew.player)
            if narrator is None:
                request = apply_event(game, table, asked, event)
            else:
                known = self.known[entry + isinstance(asked, Reveal)]
                request = narrator.apply(table, asked, event, known)
        yield table, request

    def _knows(self, table: Table, position: int, seat: Player) -> bool:
        observation = observation_of(table, self.known[position], seat)
        return not any(
            bits >> seat & 1 and face == HIDDEN
            for bits, face in zip(table.seen, observation, strict=True)
        )

    def mark_before(self, position: int) -> int:
        """The last turn that began before this position."""
        index = bisect_left(self.marks, position)
        return self.marks[index - 1] if index else 0

    def mark_after(self, position: int) -> int:
        """The next turn that begins after this position."""
        index = bisect_right(self.marks, position)
        return self.marks[index] if index < len(self.marks) else len(self.positions) - 1


def _chosen_by(seat: Player, request: Request, event: Event) -> Action | None:
    """What a seat chose, if this was a choice of that seat."""
    match request, event:
        case Choice(player), Chosen(action) if player == seat:
            return action
        case Secret(players), Opened(actions) if seat in players:
            return actions[players.index(seat)]
    return None


def record(
    slug: str,
    seats: Sequence[SeatState],
    options: Mapping[str, OptionValue],
    history: Sequence[Record],
    known: Sequence[Observation] = (),
    *,
    dealt: Sequence[tuple[int, Shuffle]] = (),
) -> Recording:
    """Play the public log again, with what everybody saw, or with what is `known` of all cards.

    `known` is for the position before the first event, and after every one.  `dealt` are cards
    that were dealt anew, and how many events came before that.  The recording is named after the
    game.
    """
    game = find_game(slug)
    table = start(game, len(seats), options)
    request = next_request(game, table)
    narrator = Narrator(game)

    def position(entry: int) -> TableChanged:
        seen = view(game, table, request, known[entry] if known else table.face, None)
        return TableChanged(entry, seen, tuple(seats), tuple(narrator.lines), Fairness())

    positions = [position(0)]
    for entry, (asked, event) in enumerate(history, 1):
        for before, anew in dealt:
            for pile in anew.piles if before == entry - 1 else ():
                table.mix(pile, anew.player)
        request = narrator.apply(table, asked, event)
        positions.append(position(entry))
    marks = tuple(turn_marks(history))
    return Recording(slug, tuple(positions), marks, tuple(history), known, dealt)


def read_recording(path: Path) -> Recording:
    """The recording of a game file; checks every signature and proof on the way.

    Hands whose keys were opened at the end are shown, and mine where its secrets lie beside it.

    Raises:
        HostlessError: it is not a game file.
        PeerError: a seat cheated, and there is no game after that.
    """
    from p2p.audit.game import read_log
    from p2p.base.errors import PeerError
    from p2p.log.game_file import read_game

    game = read_game(path)
    found, roster = read_log(game), game.roster
    if found.stopped:
        raise PeerError(None, found.stopped)
    names = {seat.identity: seat.shown_name for seat in roster.seats}
    seats = [seat_state(seat, "up", names) for seat in roster.seats]
    keys = [*_own_key(path, roster), *found.opened.values()]
    known = read_log(game, keys).observations if keys else ()
    options = dict(roster.options)
    shown = record(roster.game, seats, options, found.events, known, dealt=found.dealt)
    return replace(shown, name=path.stem, path=path)


def _own_key(path: Path, roster: Roster) -> list[int]:
    """My key: a reader uses it where it fits a public one."""
    from p2p.game.game_keys import secret_from
    from p2p.log.recovery import seed_beside

    seed = seed_beside(path)
    return [] if seed is None else [secret_from(seed, roster.game_id)]


def event_value(
    entry: int, request: Request, event: Event, faces: Sequence[str]
) -> dict[str, object]:
    """One event as a JSON value: what was asked, of whom, and what came."""
    value: dict[str, object] = {"entry": entry}
    match request, event:
        case Choice(player), Chosen(action):
            value |= {"kind": "chosen", "seat": player, "action": action._asdict()}
        case Secret(players), Opened(actions):
            opened = [action._asdict() for action in actions]
            value |= {"kind": "opened", "seats": players, "actions": opened}
        case Reveal(cards, player), _:
            shown = getattr(event, "faces", ())
            value |= {"kind": "revealed", "cards": cards, "seat": player,
                      "faces": [faces[face] for face in shown]}  # fmt: skip
        case Shuffle(piles, player), _:
            value |= {"kind": "shuffled", "piles": piles, "seat": player}
        case Roll(sides), Rolled(number):
            value |= {"kind": "rolled", "sides": sides, "number": number}
    return value
