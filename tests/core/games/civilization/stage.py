"""Any position of Civilization, set up by hand and played in the notation.

The map is grassland all over, 16 by 16, until it is told otherwise.  Whatever nobody holds lies
where it belongs, hidden, and piles keep their order unless somebody shuffles.
"""

from __future__ import annotations

from core.chance import Chance
from core.determinization import observation_of
from core.engine import Pending, run_until_choice, start
from core.games.civilization import GAME, course
from core.games.civilization.board import (
    FIRST_BUILDING,
    HUT,
    PERSON_MARK,
    VILLAGE_MARK,
    WONDER_MARK,
)
from core.games.civilization.faces import (
    BUILDING_KEYS,
    CIV_KEYS,
    FACES,
    FIRST_HUT,
    FIRST_WONDER,
    PERSON_KEYS,
    TECH_KEYS,
    WONDER_KEYS,
)
from core.games.civilization.figures import put_city, put_mark, set_figure, supply_of
from core.games.civilization.frames import ASKED_KINDS, COURSE, KIND, push, top
from core.games.civilization.layout import (
    ACTIVE,
    BOX,
    CITY_AT,
    CIV,
    CULTURE,
    DEPTH,
    EVENTS,
    FIRST,
    FORCES,
    GOVERNMENT,
    GREAT_DECK,
    GREAT_MAP,
    GROUND,
    GUARD,
    HOW,
    MARK,
    MARKET,
    MARKET_TOKENS,
    ORDER,
    OUTSKIRTS,
    OWN_WONDERS,
    PHASE,
    READY,
    RESTING,
    SHEET,
    STACK,
    SUPPLY,
    TOKENS,
    TRACK_AT,
    TRADE,
    TURN,
    WALLS,
    WINNER,
    WONDER_DECK,
    WONDER_MARKET,
)
from core.games.civilization.printed import BUILDINGS, GOVERNMENTS, SYMBOLS, TERRAINS
from core.games.civilization.setup import fill_market
from core.games.civilization.wealth import coins, set_known
from core.requests import Action, Choice, Over, Secret
from core.table import HIDDEN, RulesError
from core.view import offers

PHASES = {"start": 1, "trade": 2, "city": 3, "move": 4, "research": 5}
PURSES = {"trade": TRADE, "culture": CULTURE, "track": TRACK_AT, "guard": GUARD}
RESOURCES = ("iron", "silk", "incense", "wheat")
ALL_GUARDS = 0b01111111


def at(text: str) -> int:
    """`3.4`: the number of a square."""
    x, y = text.split(".")
    return 16 * int(y) + int(x)


class Stage:
    """A game in the middle of it; nobody has anything yet but a civilization."""

    def __init__(self, civs: str = "germany china", **options: object) -> None:
        names = civs.split()
        chosen = {"max_turns": 60, **options}
        self.table = start(GAME, len(names), chosen)  # type: ignore[arg-type]
        self.deal, self.chance = self.table.face[:], Chance(1)
        table, counters = self.table, self.table.counters
        counters[STACK : STACK + 12] = [0] * 12
        counters[DEPTH] = 0
        push(table, COURSE)
        for zone, cards in enumerate(table.zones):
            if zone != BOX and cards:
                table.mix(tuple(cards), None)
        for seat, name in enumerate(names):
            counters[CIV[seat]] = CIV_KEYS.index(name)
        counters[GROUND : GROUND + 256] = [1] * 256
        counters[TURN], counters[PHASE] = 1, 1
        self.pending: Pending = Over()

    # ---- the map ----

    def ground(self, text: str, *squares: str) -> Stage:
        """`w.` is water, `mI` a mountain with iron, `??` an unexplored square."""
        number = 0
        if text != "??":
            number = 1 + TERRAINS.index(text[0]) + 5 * SYMBOLS.index(text[1])
        for square in squares:
            self.table.counters[GROUND + at(square)] = number
        return self

    def city(self, seat: int, square: str, walls: bool = False) -> Stage:
        """The first one of a seat is its capital."""
        number = put_city(self.table, seat, at(square))
        self.table.counters[WALLS[seat] + number] = int(walls)
        return self

    def mark(self, key: str, *squares: str) -> Stage:
        """A hut, a village, a building, a wonder or a great person."""
        table = self.table
        for square in squares:
            if key in ("hut", "village"):
                table.counters[MARK + at(square)] = HUT if key == "hut" else VILLAGE_MARK
            elif key in BUILDING_KEYS:
                kind = BUILDING_KEYS.index(key)
                table.counters[SUPPLY + BUILDINGS[kind].family] -= 1
                put_mark(table, at(square), FIRST_BUILDING + kind)
            elif key in WONDER_KEYS:
                self._wonder(WONDER_KEYS.index(key), at(square))
            else:
                card = self.find(key, GREAT_DECK)
                self.open(card, GREAT_DECK, GREAT_MAP)
                put_mark(table, at(square), PERSON_MARK + PERSON_KEYS.index(key))
        return self

    def _wonder(self, wonder: int, square: int) -> None:
        table = self.table
        seat = (table.counters[OUTSKIRTS + square] - 1) // 3
        put_mark(table, square, WONDER_MARK + wonder)
        for era in range(3):
            for card in table.zones[WONDER_DECK + era][:]:
                if self.deal[card] == FIRST_WONDER + wonder:
                    self.open(card, WONDER_DECK + era, OWN_WONDERS[seat])

    def army(self, seat: int, square: str, count: int = 1) -> Stage:
        """Armies at rest."""
        return self._figures(seat, square, count, is_scout=False)

    def scout(self, seat: int, square: str, count: int = 1) -> Stage:
        """Scouts at rest, which gather already."""
        self._figures(seat, square, count, is_scout=True)
        self.table.counters[READY[seat]] = 3
        return self

    def _figures(self, seat: int, square: str, count: int, is_scout: bool) -> Stage:
        for _ in range(count):
            set_figure(self.table, seat, supply_of(self.table, seat, is_scout), at(square))
        return self

    # ---- what seats have ----

    def tech(self, seat: int, names: str) -> Stage:
        """Technologies a seat knows."""
        for name in names.split():
            set_known(self.table, seat, TECH_KEYS.index(name))
        return self

    def has(self, seat: int, **amounts: int) -> Stage:
        """Trade, culture, track, guard, or market tokens of a resource."""
        for key, amount in amounts.items():
            if key in PURSES:
                self.table.counters[PURSES[key][seat]] = amount
            else:
                kind = RESOURCES.index(key)
                self.table.counters[MARKET_TOKENS[seat] + kind] += amount
                self.table.counters[MARKET + kind] -= amount
        return self

    def rules_by(self, seat: int, government: str) -> Stage:
        """The government of a seat."""
        self.table.counters[GOVERNMENT[seat]] = GOVERNMENTS.index(government)
        return self

    def holds(self, seat: int, keys: str) -> Stage:
        """Hidden cards of a seat: events, hut and village markers, units."""
        for key in keys.split():
            face = FACES.index(key)
            zone = TOKENS if face >= FIRST_HUT else EVENTS if face >= 12 else FORCES
            source = self._where(key)
            card = self.find(key, source)
            self.table.zones[source].remove(card)
            self.table.zones[zone[seat]].append(card)
            self.table.seen[card] |= 1 << seat
        return self

    def sheet(self, seat: int, key: str) -> Stage:
        """A great person set aside."""
        self.open(self.find(key, GREAT_DECK), GREAT_DECK, SHEET[seat])
        return self

    def market(self, *keys: str) -> Stage:
        """These wonders first, then those of the piles."""
        for key in keys:
            for era in range(3):
                for card in self.table.zones[WONDER_DECK + era][:]:
                    if FACES[self.deal[card]] == key:
                        self.open(card, WONDER_DECK + era, WONDER_MARKET)
        fill_market(self.table)
        return self

    def next_in(self, zone: int, key: str) -> Stage:
        """That card is on top of a pile."""
        cards = self.table.zones[zone]
        card = self.find(key, zone)
        cards.remove(card)
        cards.append(card)
        return self

    def find(self, key: str, zone: int) -> int:
        """A card with a face in a zone."""
        return next(card for card in self.table.zones[zone] if FACES[self.deal[card]] == key)

    def _where(self, key: str) -> int:
        face = FACES.index(key)
        return next(
            zone for zone in range(28)
            if any(self.deal[card] == face for card in self.table.zones[zone])
        )  # fmt: skip

    def open(self, card: int, source: int, target: int) -> None:
        """Move a card that everybody may see now."""
        self.table.turn_up((card,), [self.deal[card]])
        self.table.move(card, source, target)

    # ---- playing ----

    def phase(self, key: str, seat: int = 0) -> Stage:
        """The segment of a seat begins; the next phase follows it."""
        counters = self.table.counters
        counters[PHASE], counters[ACTIVE], counters[FIRST] = PHASES[key], seat, 0
        counters[ORDER] = self.table.layout.players
        if key == "research":
            counters[PHASE] = PHASES["move"]
        else:
            course._SEGMENTS[PHASES[key]](self.table, seat)
        return self.settle()

    def settle(self) -> Stage:
        """Go on until somebody must choose."""
        self.pending = run_until_choice(GAME, self.table, self.deal, self.chance)
        return self

    @property
    def asked(self) -> int:
        """The seat that must choose."""
        assert isinstance(self.pending, Choice), self.pending
        return self.pending.player

    @property
    def asks(self) -> str:
        """What is asked."""
        return ASKED_KINDS[self.table.counters[top(self.table) + KIND]]

    def texts(self, seat: int | None = None) -> list[str]:
        """What may be done, without the guard."""
        who = self.asked if seat is None else seat
        observation = observation_of(self.table, self.deal, who)
        found = [offer.text for offer in offers(GAME, self.table, observation, who)]
        return [text for text in found if not text.startswith("guard")]

    def offered(self, verb: str) -> list[str]:
        """What may be done with a verb, without the verb."""
        return [text[len(verb) :].strip() for text in self.texts() if text.split()[0] == verb]

    def action(self, text: str, seat: int) -> Action:
        """The offer with that notation."""
        observation = observation_of(self.table, self.deal, seat)
        for offer in offers(GAME, self.table, observation, seat):
            if offer.text == text:
                return offer.action
        raise AssertionError(f"seat {seat} cannot {text!r}: {self.texts(seat)}")

    def do(self, *lines: str) -> Stage:
        """Let whoever is asked do it; `1: pass` insists on the seat."""
        for line in lines:
            seat, _, text = line.rpartition(": ")
            if isinstance(self.pending, Secret):
                who = int(seat)
            else:
                who = self.asked
                assert not seat or int(seat) == who, f"seat {who} is asked, for {line!r}"
            GAME.apply(self.table, who, self.action(text, who))
            if not isinstance(self.pending, Secret):
                self.settle()
        if isinstance(self.pending, Secret):
            self.settle()
        return self

    def pass_all(self) -> Stage:
        """Nobody answers what is being done."""
        while self.asks == "window":
            self.do("pass")
        return self

    def refuses(self, action: Action, seat: int | None = None) -> bool:
        """Whether an action is refused at once; the table is then as it was."""
        table = self.table.copy()
        try:
            GAME.apply(table, self.asked if seat is None else seat, action)
        except RulesError:
            assert table.digest() == self.table.digest(), f"{action} was refused half-way"
            return True
        return False

    # ---- looking ----

    def get(self, name: str) -> int:
        """A counter by its name."""
        return self.table.counters[self.table.layout.counters.index(name)]

    def set(self, name: str, value: int) -> Stage:
        """Give a counter another value."""
        self.table.counters[self.table.layout.counters.index(name)] = value
        return self

    def rests(self, square: str) -> tuple[int, int, int]:
        """Whose figures rest on a square, and how many armies and scouts."""
        number = self.table.counters[RESTING + at(square)] - 1
        return (-1, 0, 0) if number < 0 else (number & 3, number >> 2 & 7, number >> 5)

    def lies(self, square: str) -> str:
        """What lies on a square."""
        mark = self.table.counters[MARK + at(square)]
        names = ["", "hut", "village", *BUILDING_KEYS, *WONDER_KEYS, *PERSON_KEYS, *["city"] * 12]
        return names[mark]

    def cards(self, name: str) -> list[str]:
        """The faces of the cards in a zone."""
        zone = self.table.layout.zone_index[name]
        return sorted([FACES[self.deal[card]] for card in self.table.zones[zone]])

    def coins(self, seat: int) -> int:
        """The economy dial of a seat."""
        return coins(self.table, seat)

    def site(self, seat: int, city: int = 0) -> int:
        """The square of a city."""
        return self.table.counters[CITY_AT[seat] + city] - 1

    @property
    def ended(self) -> tuple[int, int]:
        """How the game ended, and who won."""
        return self.table.counters[HOW], self.table.counters[WINNER]

    def is_hidden(self, card: int) -> bool:
        """Whether not everybody has seen a card."""
        return self.table.face[card] == HIDDEN
