"""One game under way whose every face is known to the program that runs it.

The referee plays on such a table: it answers shuffles, rolls and reveals by itself, as prepared or
by chance, and tells what everybody saw of them in plain JSON values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from core.chance import Chance
from core.engine import feed, shuffle_deal
from core.game import Game
from core.imagine import blindfold
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Face,
    Opened,
    Over,
    Player,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import HIDDEN, Eyes, Table
from core.view import action_json, view_json

Json: TypeAlias = dict[str, Any]


class BadFixError(Exception):
    """A prepared shuffle or roll does not fit what the rules ask for; the message says how."""


@dataclass
class KnownTable:
    """One game under way; `deal` names the face of every card."""

    game: Game
    table: Table
    deal: list[Face]
    chance: Chance
    fix: tuple[object, ...]
    request: Request
    fixed_count: int = 0  # Entries of `fix` that have been used.
    secrets: dict[Player, Action] = field(default_factory=dict)

    def copy(self) -> KnownTable:
        """An independent game, to act on; the original stays for undo."""
        return KnownTable(
            self.game, self.table.copy(), self.deal[:], self.chance.copy(), self.fix,
            self.request, self.fixed_count, dict(self.secrets),
        )  # fmt: skip

    # ---- the world: shuffles, rolls, reveals ----

    def settle(self) -> list[Json]:
        """Answer everything but choices; gives what everybody saw."""
        seen: list[Json] = []
        while not isinstance(self.request, Choice | Secret | Over):
            event, shown = self._answer(self.request)
            self.feed(event)
            seen.append(shown)
        return seen

    def feed(self, event: Event) -> None:
        """One event of the game."""
        self.request = feed(self.game, self.table, self.request, event)

    def _answer(self, request: Shuffle | Reveal | Roll) -> tuple[Event, Json]:
        names = self.table.layout.faces
        match request:
            case Shuffle(piles, player):
                for pile in piles:
                    self._shuffle(pile)
                shown: Json = {"seat": player, "piles": [list(pile) for pile in piles]}
                return Shuffled(), {"shuffled": shown}
            case Roll(sides):
                number = self._roll(sides)
                return Rolled(number), {"rolled": {"sides": sides, "number": number}}
            case Reveal(cards, None):
                faces = tuple(self.deal[card] for card in cards)
                shown = {"cards": list(cards), "faces": [names[face] for face in faces]}
                return Revealed(faces), {"revealed": shown}
            case Reveal(cards, player):
                return Revealed(), {"shown": {"seat": player, "cards": list(cards)}}

    def _shuffle(self, pile: tuple[int, ...]) -> None:
        names = self._next_fix("shuffle")
        if names is None:
            shuffle_deal(self.deal, pile, self.chance)
            return
        keys = list(self.table.layout.faces)
        if not isinstance(names, list) or not all(name in keys for name in names):
            raise BadFixError(f"a fixed shuffle lists face keys, of {', '.join(keys)}")
        faces = [keys.index(name) for name in reversed(names)]
        known = self.table.face
        true = [known[card] if known[card] != HIDDEN else self.deal[card] for card in pile]
        if sorted(faces) != sorted(true):
            counts = ", ".join(f"{true.count(face)} {keys[face]}" for face in sorted(set(true)))
            raise BadFixError(f"the fixed shuffle {self.fixed_count} has to be of {counts}")
        for card, face in zip(pile, faces, strict=True):
            self.deal[card] = face

    def _roll(self, sides: int) -> int:
        number = self._next_fix("roll")
        if number is None:
            return self.chance.below(sides)
        if type(number) is not int or not 0 <= number < sides:
            raise BadFixError(f"the fixed roll {self.fixed_count} has to be from 0 to {sides - 1}")
        return number

    def _next_fix(self, kind: str) -> object:
        if self.fixed_count == len(self.fix):
            return None
        entry = self.fix[self.fixed_count]
        self.fixed_count += 1
        if not isinstance(entry, dict) or list(entry) != [kind]:
            raise BadFixError(f'entry {self.fixed_count} of fix has to be {{"{kind}": ...}}')
        return entry[kind]

    # ---- choices ----

    def to_act(self) -> tuple[Player, ...]:
        """The seats that have to choose and have not."""
        match self.request:
            case Choice(player):
                return (player,)
            case Secret(players):
                return tuple(player for player in players if player not in self.secrets)
        return ()

    def act(self, seat: Player, action: Action) -> list[Json]:
        """Let `seat` do `action`; gives what everybody saw of it and of what follows."""
        if isinstance(self.request, Secret):
            self.secrets[seat] = action
            if self.to_act():
                return []
            seats = self.request.players
            actions = tuple(self.secrets[player] for player in seats)
            told = [self.public_action(each) for each in actions]
            self.secrets = {}
            self.feed(Opened(actions))
            return [{"opened": {"seats": list(seats), "actions": told}}, *self.settle()]
        told_action = self.public_action(action)
        self.feed(Chosen(action))
        return [{"chosen": {"seat": seat, "action": told_action}}, *self.settle()]

    def public_action(self, action: Action) -> Json:
        """An action as everybody sees it."""
        return action_json(action, self.game.describe(self.table, action, self.table.face))

    def eyes(self, seat: Player | None) -> list[Face]:
        """What `seat` knows; None for a spectator."""
        return blindfold(self.table, self.deal, seat)

    def request_json(self) -> Json:
        """The open request."""
        match self.request:
            case Choice(player):
                return {"choice": {"seat": player}}
            case Secret():
                return {"secret": {"seats": list(self.to_act())}}
        scores, winners = self.game.scores(self.table), self.game.winners(self.table)
        return {"over": {"scores": list(scores), "winners": list(winners)}}

    def view_json(self, seat: Player | None, eyes: Eyes) -> Json:
        """The picture of one seat."""
        is_over = isinstance(self.request, Over)
        sees_all = eyes is self.deal or is_over
        return {
            **view_json(self.game, self.table, eyes, seat, sees_all=sees_all),
            "to_act": list(self.to_act()),
            **(self.request_json()["over"] if is_over else {}),
        }
