"""Any position of Renaissance, set up by hand and played in the notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.chance import Chance
from core.determinization import observation_of
from core.engine import apply_event, next_request, start
from core.games.renaissance import GAME
from core.games.renaissance.cards import (
    BOX,
    CHOOSER,
    DISCARD,
    DISPLAY,
    EVENT_DECK,
    FACES,
    HAND,
    LAYING,
    LETTERS,
    LOCATIONS,
    MARKER,
    PHASE,
    PILE,
    PLACING,
    SCORED,
    SPACES_MAX,
    START,
    SUPPLY,
    TALON,
    TURN,
    TURNS,
)
from core.games.renaissance.printed import STONES
from core.games.renaissance.rows import join, rotate
from core.games.renaissance.stones import event_zone, spot_counter
from core.requests import Action, Choice, Claim, Event, Over, Request, Reveal
from core.table import HIDDEN, OptionValue, RulesError, Table
from core.testing.worlds import Dealer
from core.view import offers
from tests.core.games.carta.stage import words

SIX_SPACES = ("black.5", "black.6", "green.1", "green.2", "red.3", "red.4")


def face_of(name: str) -> int:
    """`science.blue`, `person.3` or `black.1` as a face."""
    full = {f"culture.{name}", f"event.{name}", name}
    return next(face for face, key in enumerate(FACES) if key in full)


def spot_of(name: str) -> int:
    """`c.4` as a number."""
    letter, space = name.split(".")
    return SPACES_MAX * LETTERS.index(letter) + int(space) - 1


class Stage:
    """A game in the middle of it, phase I of `turn` about to begin.

    Cards are given as words: hands, `known` (hand cards that everybody has seen), piles and rows
    from the bottom up, a turned double with a `!`.  `events` are stacks, the last event on top; an
    empty one is a closed location.
    `pieces` are stones by spot, the marker of seat 1 being `g1`.  Supplies are what is left of
    seven stones unless they are given.
    """

    def __init__(
        self,
        players: int = 2,
        *,
        cards: Mapping[str, Sequence[object]] | None = None,
        events: Sequence[str] = (),
        pieces: Mapping[str, int | str] | None = None,
        supplies: Mapping[int, str] | None = None,
        turn: int = 0,
        turns: int = 10,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self.table = start(GAME, players, options or {})
        self.dealer = Dealer(Chance(5), self.table.face[:])
        self.asked: list[Request] = []  # Since the last action, up to the choice.
        for zone in (TALON, EVENT_DECK):
            self.table.mix(tuple(self.table.zones[zone]), None)
        self._lay_events(events)
        self._set_pieces(pieces or {}, supplies or {})
        for kind, given in sorted((cards or {}).items()):  # The talon last: it gets the rest.
            self._deal(kind, given)
        counters = self.table.counters
        counters[PHASE], counters[SCORED], counters[TURNS] = PLACING, -1, turns
        counters[START] = counters[TURN] = counters[CHOOSER] = turn
        self.request = self._settle(next_request(GAME, self.table))

    # ---- setting up ----

    def _lay_events(self, events: Sequence[str]) -> None:
        spare = [name for name in SIX_SPACES if name not in " ".join(events).split()]
        stacks = [*events, *spare]
        for at, stack in enumerate(stacks[: LOCATIONS[self.table.layout.players]]):
            for name in stack.split():
                self._place(name, EVENT_DECK, event_zone(self.table, at))

    def _set_pieces(self, pieces: Mapping[str, int | str], supplies: Mapping[int, str]) -> None:
        counters = self.table.counters
        for spot, owner in pieces.items():
            seat = int(str(owner)[-1])
            is_marker = str(owner).startswith("g")
            counters[MARKER[seat] if is_marker else SUPPLY[seat] + seat] -= 1
            counters[spot_counter(self.table, spot_of(spot))] = seat + (5 if is_marker else 1)
        for seat, stones in supplies.items():
            for color, name in enumerate(STONES):
                counters[SUPPLY[seat] + color] = words(stones).count(name)

    def _deal(self, kind: str, given: Sequence[object]) -> None:
        """`hands`, `known`, `piles` and `rows` by seat; `display`, `discard`, `talon`, `deck`."""
        piles = {"display": DISPLAY, "discard": DISCARD}
        if kind in piles:
            for name in words(str(given)):
                self._place(name, TALON, piles[kind])
        elif kind in ("talon", "deck"):
            self._stack(words(str(given)), TALON if kind == "talon" else EVENT_DECK)
        else:
            for seat, mine in enumerate(given):
                self._deal_to(seat, kind, mine)

    def _deal_to(self, seat: int, kind: str, mine: object) -> None:
        if kind == "rows":
            assert isinstance(mine, list | tuple)
            for row, names in enumerate(mine):
                self._lay_row(seat, row, names)
            return
        for name in words(str(mine)):
            if kind == "known":
                card = self._place(name, TALON, DISPLAY)
                self.table.move(card, DISPLAY, HAND[seat])
            else:
                self._place(name, TALON, {"hands": HAND, "piles": PILE}[kind][seat])

    def _lay_row(self, seat: int, row: int, names: str) -> None:
        for name in words(names):
            self._place(name.rstrip("!"), TALON, LAYING[seat])
            join(self.table, seat, row)
            if name.endswith("!"):
                rotate(self.table, seat, row)

    def _place(self, name: str, source: int, zone: int) -> int:
        face = face_of(name)
        card = next(c for c in self.table.zones[source] if self.dealer.deal[c] == face)
        self.table.move(card, source, zone)
        while self.table.owed:
            request: Reveal = self.table.owed.pop(0)
            for shown in request.cards:
                if request.player is None:
                    self.table.turn_up((shown,), [self.dealer.deal[shown]])
                else:
                    self.table.seen[shown] |= 1 << request.player
        return card

    def _stack(self, names: list[str], zone: int) -> None:
        """Nothing but these cards, top first; all others are out of the game."""
        wanted: list[int] = []
        for face in map(face_of, names):
            left = [card for card in self.table.zones[zone] if card not in wanted]
            wanted.append(next(card for card in left if self.dealer.deal[card] == face))
        for card in self.table.zones[zone][:]:
            if card not in wanted:
                self.table.move(card, zone, BOX)
        self.table.zones[zone] = wanted[::-1]

    # ---- playing ----

    def _settle(self, request: Request) -> Request:
        self.asked = []
        while not isinstance(request, Choice | Over):
            self.asked.append(request)
            event = self.dealer.answer(self.table, request)
            request = apply_event(GAME, self.table, request, event)
        return request

    @property
    def chooser(self) -> int:
        """The seat that has to choose."""
        assert isinstance(self.request, Choice), self.request
        return self.request.player

    @property
    def legal(self) -> list[str]:
        """What the seat that has to choose may do, in notation."""
        return [offer.text for offer in offers(GAME, self.table, self.observation(), self.chooser)]

    def do(self, *texts: str) -> Stage:
        """Let whoever has to choose do this, one after another."""
        for text in texts:
            self.act(self.action(text))
        return self

    def action(self, text: str) -> Action:
        """The legal action with this notation."""
        for offer in offers(GAME, self.table, self.observation(), self.chooser):
            if offer.text == text:
                return offer.action
        raise AssertionError(f"{text!r} is not legal for seat {self.chooser}: {self.legal}")

    def act(self, action: Action) -> None:
        """One action, legal or not."""
        GAME.apply(self.table, self.chooser, action)
        self.request = self._settle(next_request(GAME, self.table))

    def claim(self, action: Action) -> Claim | None:
        """What is proven with an action."""
        return GAME.claim(self.table, self.chooser, action)

    def refuses(self, action: Action) -> bool:
        """Whether everybody sees that the action is illegal, at once or when a card is shown."""
        twin = self.table.copy()
        try:
            GAME.apply(twin, self.chooser, action)
            request = next_request(GAME, twin)
            while not isinstance(request, Choice | Over):
                request = apply_event(GAME, twin, request, self._answer(twin, request))
        except RulesError:
            return True
        return False

    def _answer(self, table: Table, request: Request) -> Event:
        return Dealer(Chance(1), self.dealer.deal[:]).answer(table, request)

    # ---- looking ----

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.request, Over)

    @property
    def phase(self) -> str:
        """What is going on."""
        return GAME.phase(self.table)

    def observation(self, seat: int | None = None) -> list[int]:
        """What a seat knows of all cards; by default the one that has to choose."""
        asker = self.chooser if seat is None else seat
        return observation_of(self.table, self.dealer.deal, asker)

    def cards(self, zone: str) -> list[int]:
        """The numbers of the cards in a zone."""
        return self.table.zones[self.table.layout.zone_index[zone]]

    def zone(self, zone: str) -> str:
        """The true faces in a zone, bottom first, without what says what they are."""
        deal, face = self.dealer.deal, self.table.face
        keys = [FACES[deal[c] if face[c] == HIDDEN else face[c]] for c in self.cards(zone)]
        return " ".join(key.removeprefix("culture.").removeprefix("event.") for key in keys)

    def sorted_zone(self, zone: str) -> str:
        """The same, in the order of the alphabet."""
        return " ".join(sorted(self.zone(zone).split()))

    def hand(self, seat: int) -> str:
        """The true faces of a hand, in the order of the alphabet."""
        return self.sorted_zone(f"seat{seat}.hand")

    def seen(self, zone: str, by: int | None) -> list[str | None]:
        """What a seat, or a spectator, sees in a zone, bottom first."""
        observation = observation_of(self.table, self.dealer.deal, by)
        return [
            FACES[observation[card]] if observation[card] != HIDDEN else None
            for card in self.cards(zone)
        ]

    def counter(self, name: str) -> int:
        """A counter by its name."""
        return self.table.counters[self.table.layout.counters.index(name)]

    def supply(self, seat: int) -> str:
        """The stones of a supply, as in `yellow*6 red`."""
        counts = {name: self.counter(f"seat{seat}.stones.{name}") for name in STONES}
        return " ".join(f"{name}*{count}" if count > 1 else name
                        for name, count in counts.items() if count)  # fmt: skip

    def stones(self, seat: int) -> int:
        """How many stones a supply has."""
        return sum(self.counter(f"seat{seat}.stones.{name}") for name in STONES)

    def piece(self, spot: str) -> int:
        """What stands on a spot."""
        return self.counter(f"event.{spot}")
