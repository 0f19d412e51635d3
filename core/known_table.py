"""One game under way whose every face is known to the program that runs it.

The referee and a Match play on such a table: it answers shuffles, rolls and reveals by itself, as
prepared or by chance, and tells what everybody saw of them in plain JSON values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from core.chance import Chance
from core.determinization import observation_of
from core.engine import apply_event, next_request, shuffle_deal, start
from core.game import Game
from core.requests import (
    Action,
    Card,
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
from core.table import HIDDEN, Observation, OptionValue, RulesError, Table
from core.view import Offer, action_json, offers, view_json

Json: TypeAlias = dict[str, Any]


class BadFixError(Exception):
    """A prepared shuffle or roll does not fit what the rules ask for; the message says how."""


class Happening(NamedTuple):
    """One thing that happened: what everybody saw of it, and what one seat saw besides."""

    told: Json
    seat: Player | None = None
    faces: tuple[str | None, ...] = ()  # Of the cards in `told`; None for one it does not know.


def seed_number(seed: str) -> int:
    """The number from which chance starts for a seed that is a text."""
    return int.from_bytes(hashlib.sha256(seed.encode(errors="surrogatepass")).digest()[:8], "big")


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

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: int,
        options: Mapping[str, OptionValue],
        seed: str,
        fix: tuple[object, ...] = (),
    ) -> KnownTable:
        """A new game, of which nothing has been asked yet.

        Raises:
            RulesError: the game is not for so many seats, or has no such option.
        """  # fmt: skip
        table = start(game, seats, options)
        request = next_request(game, table)
        return cls(game, table, table.face[:], Chance(seed_number(seed)), fix, request)

    def copy(self) -> KnownTable:
        """An independent game, to act on; the original stays for undo."""
        return KnownTable(
            self.game, self.table.copy(), self.deal[:], self.chance.copy(), self.fix,
            self.request, self.fixed_count, dict(self.secrets),
        )  # fmt: skip

    # ---- the world: shuffles, rolls, reveals ----

    def run_until_choice(self) -> list[Happening]:
        """Answer everything but choices; gives what was seen."""
        seen: list[Happening] = []
        while not isinstance(self.request, Choice | Secret | Over):
            event, happening = self._answer(self.request)
            self.apply_event(event)
            seen.append(happening)
        return seen

    def apply_event(self, event: Event) -> None:
        """One event of the game."""
        self.request = apply_event(self.game, self.table, self.request, event)

    def _answer(self, request: Shuffle | Reveal | Roll) -> tuple[Event, Happening]:
        match request:
            case Shuffle(piles, player):
                for pile in piles:
                    self._shuffle(pile)
                faces = self._names([card for pile in piles for card in pile])
                shown: Json = {"seat": player, "piles": [list(pile) for pile in piles]}
                # Who mixes the own cards knows which is which, and nobody else does.
                seen = () if player is None else faces
                return Shuffled(), Happening({"shuffled": shown}, player, seen)
            case Roll(sides):
                number = self._roll(sides)
                return Rolled(number), Happening({"rolled": {"sides": sides, "number": number}})
            case Reveal(cards, None):
                shown = {"cards": list(cards), "faces": list(self._names(cards))}
                event = Revealed(tuple(self.deal[card] for card in cards))
                return event, Happening({"revealed": shown})
            case Reveal(cards, player):
                shown = {"seat": player, "cards": list(cards)}
                return Revealed(), Happening({"shown": shown}, player, self._names(cards))

    def _names(self, cards: Iterable[Card]) -> tuple[str, ...]:
        names = self.table.layout.faces
        return tuple(names[self.deal[card]] for card in cards)

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

    def legal_actions(self, seat: Player) -> list[Action]:
        """What a seat may do now; nothing when it is not asked."""
        if seat not in self.to_act():
            return []
        return self.game.legal_actions(self.table, seat, self.observation(seat))

    def offers(self, seat: Player) -> tuple[Offer, ...]:
        """The same with the notation of each."""
        if seat not in self.to_act():
            return ()
        return offers(self.game, self.table, self.observation(seat), seat)

    def chosen(self, seat: Player, action: Action | str) -> Action:
        """The legal action that is meant, by its notation or card by card.

        One action stands for all that are equal to the seat: another card of the same face will do.

        Raises:
            RulesError: it is not legal; the message lists what is.
        """
        if not isinstance(action, str) and action in self.legal_actions(seat):
            return action
        choices = self.offers(seat)
        if isinstance(action, str):
            found = [offer.action for offer in choices if offer.text == action]
            if not found:
                raise RulesError(_not_legal(action, choices))
            return found[0]
        text = self.describe(action, self.observation(seat))
        if not any(text == offer.text and action.verb == offer.action.verb for offer in choices):
            raise RulesError(_not_legal(text, choices))
        self.game.apply(self.table.copy(), seat, action)  # A secret is carried out only later.
        return action

    def describe(self, action: Action, observation: Observation) -> str:
        """The notation of an action.

        Raises:
            RulesError: it names a card that there is not.
        """
        count = len(self.table.face)
        if wrong := [card for card in action.cards if not 0 <= card < count]:
            raise RulesError(f"there is no card {wrong[0]}; there are 0 to {count - 1}")
        return self.game.describe(self.table, action, observation)

    def act(self, seat: Player, action: Action) -> list[Happening]:
        """Let `seat` do `action`; gives what was seen of it and of what follows."""
        if isinstance(self.request, Secret):
            self.secrets[seat] = action
            if self.to_act():
                return []
            seats = self.request.players
            actions = tuple(self.secrets[player] for player in seats)
            told = [self.public_action(each) for each in actions]
            self.secrets = {}
            self.apply_event(Opened(actions))
            opened = {"opened": {"seats": list(seats), "actions": told}}
            return [Happening(opened), *self.run_until_choice()]
        happening = Happening(
            {"chosen": {"seat": seat, "action": self.public_action(action)}}, seat,
            self.names_for(seat, action.cards),
        )  # fmt: skip
        self.apply_event(Chosen(action))
        return [happening, *self.run_until_choice()]

    def names_for(self, seat: Player | None, cards: Iterable[Card]) -> tuple[str | None, ...]:
        """The faces of cards, as far as a seat knows them."""
        names = self.table.layout.faces
        known = [self._face_for(seat, card) for card in cards]
        return tuple(names[face] if face != HIDDEN else None for face in known)

    def _face_for(self, seat: Player | None, card: Card) -> Face:
        """One card of an observation, without the work of all."""
        face = self.table.face[card]
        if face == HIDDEN and seat is not None and self.table.seen[card] & 1 << seat:
            return self.deal[card]
        return face

    def public_action(self, action: Action) -> Json:
        """An action as everybody sees it."""
        return action_json(action, self.game.describe(self.table, action, self.table.face))

    def observation(self, seat: Player | None) -> list[Face]:
        """What `seat` knows; None for a spectator."""
        return observation_of(self.table, self.deal, seat)

    def request_json(self) -> Json:
        """The open request."""
        match self.request:
            case Choice(player):
                return {"choice": {"seat": player}}
            case Secret():
                return {"secret": {"seats": list(self.to_act())}}
        scores, winners = self.game.scores(self.table), self.game.winners(self.table)
        return {"over": {"scores": list(scores), "winners": list(winners)}}

    def view_json(self, seat: Player | None, observation: Observation) -> Json:
        """The picture of one seat."""
        is_over = isinstance(self.request, Over)
        sees_all = observation is self.deal or is_over
        return {
            **view_json(self.game, self.table, observation, seat, sees_all=sees_all),
            "to_act": list(self.to_act()),
            **(self.request_json()["over"] if is_over else {}),
        }


def _not_legal(text: str, choices: Iterable[Offer]) -> str:
    return f"{text[:40]!r} is not legal; there are " + ", ".join(offer.text for offer in choices)
