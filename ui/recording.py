"""A finished or interrupted game as pictures to leaf through, made from its public log."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.engine import apply_event, next_request, start
from core.games import find_game
from core.imagine import blindfold
from core.narrate import Narrator
from core.playback import Record, turn_marks
from core.requests import (
    Choice,
    Chosen,
    Event,
    Opened,
    Request,
    Reveal,
    Roll,
    Rolled,
    Secret,
    Shuffle,
)
from core.table import HIDDEN, Observation, OptionValue
from core.view import to_act, view
from p2p.log.claim import Unverified
from p2p.session.news import Fairness, SeatState, TableChanged, seat_state

if TYPE_CHECKING:
    from p2p.base.roster import DecisionPoint


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

    def turn_at(self, position: int) -> DecisionPoint | None:
        """The choice that is open at a position, as its seat saw it; None if its key is closed."""
        from p2p.base.roster import DecisionPoint

        if not self.known:
            return None
        seen = self.positions[0].view
        game = find_game(seen.game)
        table = start(game, seen.players, seen.options)
        request = next_request(game, table)
        for asked, event in self.history[:position]:
            request = apply_event(game, table, asked, event)
        for seat in to_act(request):
            observation = blindfold(table, self.known[position], seat)
            if not any(
                bits >> seat & 1 and face == HIDDEN
                for bits, face in zip(table.seen, observation, strict=True)
            ):
                return DecisionPoint(game, table, observation, seat, position, seed=position)
        return None

    def mark_before(self, position: int) -> int:
        """The last turn that began before this position."""
        index = bisect_left(self.marks, position)
        return self.marks[index - 1] if index else 0

    def mark_after(self, position: int) -> int:
        """The next turn that begins after this position."""
        index = bisect_right(self.marks, position)
        return self.marks[index] if index < len(self.marks) else len(self.positions) - 1


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
        picture = view(game, table, request, known[entry] if known else table.face, None)
        return TableChanged(entry, picture, tuple(seats), tuple(narrator.lines), Fairness())

    positions = [position(0)]
    for entry, (asked, event) in enumerate(history, 1):
        for before, anew in dealt:
            for pile in anew.piles if before == entry - 1 else ():
                table.mix(pile, anew.player)
        request = narrator.apply(table, asked, event)
        positions.append(position(entry))
    marks = tuple(turn_marks(history))
    return Recording(slug, tuple(positions), marks, tuple(history), known)


def read_recording(path: Path) -> Recording:
    """The recording of a game file; checks every signature and proof on the way.

    Hands whose keys were opened at the end are shown.

    Raises:
        HostlessError: it is not a game file.
        PeerError: a seat cheated, and there is no game after that.
    """
    from p2p.audit.game import read_log
    from p2p.base.errors import PeerError
    from p2p.log.ledger import read_game

    game = read_game(path)
    found, roster = read_log(game), game.roster
    if found.stopped:
        raise PeerError(None, found.stopped)
    names = {seat.identity: seat.name for seat in roster.seats}
    seats = [seat_state(seat, "up", names) for seat in roster.seats]
    known = read_log(game, found.opened).observations if found.opened else ()
    options = dict(roster.options)
    shown = record(roster.game, seats, options, found.events, known, dealt=found.dealt)
    if found.alone is not None:
        place, seat = found.alone
        alone = Unverified(place, roster.seats[seat].name)
        positions = tuple(replace(each, unverified=alone) for each in shown.positions)
        shown = replace(shown, positions=positions)
    return replace(shown, name=path.stem)


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
