"""A game under way, for programs: no network, no screen, no key.

    >>> match = Match("dominion", seats=2, seed=7, kingdom="first-game")
    >>> while not match.is_over:
    ...     seat = match.to_act[0]
    ...     match.apply(seat, match.legal_actions(seat)[-1])
    >>> match.scores, match.winners
    ((-3, -1), (1,))

A match shuffles, rolls and reveals by itself, from its seed: the same seed and the same actions
give the same game, on every machine.  `docs/guide/library.md` shows all of it.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from core.chance import Chance
from core.determinization import determinize
from core.game import Game, Option
from core.games import GAMES, find_game
from core.information_state import history_lines, memories, observation_text
from core.known_table import Happening, KnownTable
from core.requests import Action, Choice, Over, Player, Secret
from core.table import OptionValue, RulesError
from core.view import View, view

OptionText: TypeAlias = OptionValue | Sequence[str]
"""The value of an option: a key with ``_`` or ``-`` between its words, or a list of keys."""


class Match:
    """One game of a few seats, which are numbered from 0.

    Whatever is asked of it in a wrong way is answered by a `RulesError` with one sentence, and the
    match stands as it was.
    """

    def __init__(
        self, game: str | Game, /, *, seats: int = 2, seed: int | str = 0, **options: OptionText
    ) -> None:
        """Begin a game: its key, as in "carta", and the options that it has.

        Raises:
            RulesError: there is no such game, number of seats, option or value.
        """
        rules = find_game(game) if isinstance(game, str) else game
        if type(seats) is not int:
            raise RulesError(f"seats is a number, not {seats!r}")
        if type(seed) not in (int, str):
            raise RulesError(f"seed is a number or a text, not {seed!r}")
        values = {key: _value(value) for key, value in options.items()}
        self._seed = seed
        self._known = KnownTable.begin(rules, seats, values, str(seed))
        self._seen = self._known.run_until_choice()  # What has happened so far.
        self._count = 0

    # ---- what everybody knows ----

    @property
    def game(self) -> str:
        """The key of the game."""
        return self._known.game.slug

    @property
    def rules(self) -> Game:
        """The rules: faces, options, and the functions of the game."""
        return self._known.game

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self._known.table.layout.players

    @property
    def seed(self) -> int | str:
        """Where the shuffles and rolls come from."""
        return self._seed

    @property
    def options(self) -> dict[str, OptionValue]:
        """Every option of the game with its value."""
        return dict(self._known.table.layout.options)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self._known.request, Over)

    @property
    def to_act(self) -> tuple[Player, ...]:
        """The seats that have to choose now: mostly one, several where all choose in secret."""
        return self._known.to_act()

    @property
    def phase(self) -> str:
        """What is going on, as a key of the game."""
        return self._known.game.phase(self._known.table)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of every seat.

        Raises:
            RulesError: the game is not over.
        """
        self._end()
        return self._known.game.scores(self._known.table)

    @property
    def winners(self) -> tuple[Player, ...]:
        """The seats that have won; several when they share the victory.

        Raises:
            RulesError: the game is not over.
        """
        self._end()
        return self._known.game.winners(self._known.table)

    # ---- choices ----

    def legal_actions(self, seat: Player) -> list[Action]:
        """What a seat may do now, in an order that is the same everywhere; nothing out of turn."""
        return self._known.legal_actions(self._seat(seat))

    def apply(self, seat: Player, action: Action | str) -> None:
        """Let a seat do something: an action, or its notation, as in "play military".

        Raises:
            RulesError: it is not this seat's turn, or not legal; the message lists what is.
        """
        known, seat = self._known, self._seat(seat)
        if not isinstance(action, Action | str):
            raise RulesError(f"an action is an Action or its notation, not {action!r}")
        if seat not in known.to_act():
            waits = " and ".join(map(str, known.to_act()))
            why = f"seat {waits} has to choose" if waits else "the game is over"
            raise RulesError(f"seat {seat} has nothing to choose now: {why}")
        self._seen += known.act(seat, known.chosen(seat, action))
        self._count += 1

    def text(self, seat: Player | None, action: Action) -> str:
        """The notation of an action for a seat (None: a spectator), with ? for unknown cards."""
        return self._known.describe(action, self._known.observation(self._seat_or_spectator(seat)))

    # ---- what a seat knows ----

    def view(self, seat: Player | None) -> View:
        """All that a seat (None: a spectator) sees of the table now."""
        known, seat = self._known, self._seat_or_spectator(seat)
        seen = view(known.game, known.table, known.request, known.observation(seat), seat)
        waits = known.to_act()
        return replace(seen, to_act=waits, offers=seen.offers if seat in waits else ())

    def observation_string(self, seat: Player | None) -> str:
        """What a seat sees of the table now, as text; it forgets how that came about."""
        return observation_text(self.view(seat), self._secret(seat))

    def information_state_string(self, seat: Player | None) -> str:
        """Everything that a seat has seen since the game began, in order.

        Two games that the seat cannot tell apart give the same text, and only those do.
        """
        own = "none" if seat is None else self._seat(seat)
        options = " ".join(f"{key}={value}" for key, value in self.options.items())
        head = f"{self.game} seats={self.seats} seat={own} {options}".rstrip()
        return "\n".join([head, *history_lines(self._seen, seat), *self._secret(seat)])

    def imagined(self, seat: Player, seed: int) -> Match:
        """A match that this seat cannot tell from this one, with everything else dealt anew.

        Hidden cards, shuffles and rolls to come, and secret choices of others come from `seed`.
        What the others have seen before is imagined only as far as they know it still.
        """
        made, chance = self.copy(), Chance(seed)
        known, seat = made._known, self._seat(seat)
        known.deal = determinize(known.table, known.observation(seat), chance)
        known.chance, known.fix = chance, ()
        for other in [each for each in known.secrets if each != seat]:
            del known.secrets[other]
            known.secrets[other] = chance.pick(made.legal_actions(other))
        others = [each for each in range(self.seats) if each != seat]
        kept = [each if each.seat == seat else Happening(each.told) for each in made._seen]
        made._seen = kept + memories(known, others)
        return made

    def copy(self) -> Match:
        """An independent match that goes on from here."""
        made = object.__new__(Match)
        made._seed, made._known = self._seed, self._known.copy()
        made._seen, made._count = self._seen[:], self._count
        return made

    def __deepcopy__(self, _: object) -> Match:
        """The same as `copy`: what a match is made of is shared where it never changes."""
        return self.copy()

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self._unusual().items())
        waits = ", ".join(map(str, self.to_act))
        state = "over" if self.is_over else f"seat{'s' * (len(self.to_act) > 1)} {waits} to act"
        begun = f"Match({self.game!r}, seats={self.seats}, seed={self.seed!r}{options})"
        return f"<{begun}: {self._count} actions, {state}>"

    # ---- inside ----

    def _unusual(self) -> dict[str, OptionValue]:
        usual = {option.key: option.values[0] for option in self._known.game.options}
        return {key: value for key, value in self.options.items() if value != usual[key]}

    def _secret(self, seat: Player | None) -> list[str]:
        """The own choice that the others have not been shown."""
        if seat is None or seat not in self._known.secrets:
            return []
        return [f"chosen in secret: {self.text(seat, self._known.secrets[seat])}"]

    def _end(self) -> None:
        if not self.is_over:
            waits = ", ".join(map(str, self.to_act))
            raise RulesError(f"the game is not over: seat {waits} has to choose")

    def _seat(self, seat: object) -> Player:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise RulesError(f"seat is a number from 0 to {self.seats - 1}, not {seat!r}")
        return seat

    def _seat_or_spectator(self, seat: object) -> Player | None:
        return None if seat is None else self._seat(seat)


def _value(value: OptionText) -> OptionValue:
    if isinstance(value, int):  # And True or False.
        return value
    keys = [value] if isinstance(value, str) else value
    return ",".join(str(key).replace("-", "_") for key in keys)


# ---- matches that are sent to another process ----


def _by_parts(value: Any) -> tuple[Callable[..., object], tuple[object, ...]]:
    """How `pickle` makes a frozen value again: a compiled one cannot be filled in afterwards."""
    return type(value), tuple(getattr(value, name) for name in type(value).__match_args__)


def _by_key(game: Game) -> tuple[Callable[..., object], tuple[object, ...]]:
    """A game that can be found by its key is sent as its key."""
    is_known = GAMES.get(game.slug) is game
    return (find_game, (game.slug,)) if is_known else _by_parts(game)


copyreg.pickle(Game, _by_key)  # type: ignore[arg-type]
for _kind in (Option, Choice, Secret, Over):
    copyreg.pickle(_kind, _by_parts)
