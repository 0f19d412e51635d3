"""A second reading of the rules, slow and simple, held against the first one in random games.

It knows the names of counters and zones and nothing else of the code: yields, coins, ways, battles
and victories are written down again from the tables of the game.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from core.games.civilization.frames import ASKED_KINDS
from core.table import Table

YIELDS = {"g": (0, 0), "f": (0, 2), "m": (0, 1), "d": (1, 0), "w": (1, 0)}
ICONS = {  # Trade, production, culture, coin, combat.
    "harbor": (2, 1, 0, 0, 0), "trading_post": (2, 0, 1, 0, 0), "workshop": (0, 3, 0, 0, 0),
    "iron_mine": (0, 4, 0, 0, 0), "library": (1, 0, 1, 0, 0), "university": (2, 0, 2, 0, 0),
    "granary": (1, 1, 0, 0, 0), "aqueduct": (2, 2, 0, 0, 0), "market": (1, 1, 1, 0, 0),
    "bank": (1, 1, 1, 1, 0), "temple": (0, 0, 2, 0, 0), "cathedral": (0, 0, 3, 0, 0),
    "barracks": (2, 0, 0, 0, 2), "academy": (2, 0, 0, 0, 4),
    **dict.fromkeys(("stonehenge", "colossus", "hanging_gardens", "oracle"), (0, 0, 1, 0, 0)),
    **dict.fromkeys(("angkor_wat", "himeji_castle", "louvre", "porcelain_tower"), (0, 0, 2, 0, 0)),
    **dict.fromkeys(("panama_canal", "statue_of_liberty", "sydney_opera_house", "united_nations"),
                    (0, 0, 3, 0, 0)),
    "artist": (1, 0, 2, 0, 0), "builder": (0, 2, 0, 1, 0), "general": (0, 0, 0, 0, 4),
    "humanitarian": (1, 1, 1, 1, 0), "industrialist": (0, 0, 2, 1, 0), "scientist": (2, 1, 0, 0, 0),
}  # fmt: skip
MARKS = ("", "hut", "village", *ICONS)
FAMILIES = (
    ("harbor",), ("trading_post",), ("workshop", "iron_mine"), ("library", "university"),
    ("granary", "aqueduct"), ("market", "bank"), ("temple", "cathedral"), ("barracks", "academy"),
)  # fmt: skip
SUPPLIES = (10, 6, 6, 6, 6, 5, 5, 5)
LOW = [
    "animal_husbandry",
    "code_of_laws",
    "currency",
    "horseback_riding",
    "masonry",
    "metalworking",
    "navigation",
    "philosophy",
    "pottery",
    "writing",
    "chivalry",
    "civil_service",
    "construction",
    "democracy",
    "engineering",
    "irrigation",
    "mathematics",
    "monarchy",
    "printing_press",
    "sailing",
]
HIGH = [
    "banking",
    "biology",
    "communism",
    "gunpowder",
    "metal_casting",
    "military_science",
    "railroad",
    "steam_power",
    "theology",
    "atomic_theory",
    "ballistics",
    "combustion",
    "computers",
    "flight",
    "mass_media",
    "replaceable_parts",
    "space_flight",
]
FORMS = [
    "despotism",
    "anarchy",
    "republic",
    "democracy",
    "communism",
    "feudalism",
    "monarchy",
    "fundamentalism",
]
CIVS = ["america", "china", "germany", "russia", "egypt", "rome"]
CITY_MARK = len(MARKS)
_INDEX: dict[int, dict[str, int]] = {}


@cache
def around(square: int) -> tuple[int, ...]:
    """The eight squares, and fewer at the edge."""
    x, y = square % 16, square // 16
    near = [(x + right, y + down) for right, down in product((-1, 0, 1), repeat=2)]
    return tuple(16 * b + a for a, b in near if (a, b) != (x, y) and 0 <= a < 16 and 0 <= b < 16)


class Reading:
    """A table as the second reading sees it."""

    def __init__(self, table: Table) -> None:
        players = table.layout.players
        if players not in _INDEX:
            _INDEX[players] = {name: at for at, name in enumerate(table.layout.counters)}
        self.table, self.players, self.names = table, players, _INDEX[players]
        self._figures: dict[int, list[tuple[str, int]]] = {}  # Looked up once.
        self._centers: dict[int, dict[int, int]] = {}

    def get(self, name: str) -> int:
        """A counter by its name."""
        return self.table.counters[self.names[name]]

    def knows(self, seat: int, key: str) -> bool:
        """Whether a seat has learned a technology."""
        word, keys = ("low", LOW) if key in LOW else ("high", HIGH)
        return bool(self.get(f"seat{seat}.technologies.{word}") & 1 << keys.index(key))

    def form(self, seat: int) -> str:
        """The government of a seat."""
        return FORMS[self.get(f"seat{seat}.government")]

    def figures(self, seat: int) -> list[tuple[str, int]]:
        """Figures on the map, with their squares."""
        if seat not in self._figures:
            found = [(at, self.get(f"seat{seat}.figure{at}")) for at in range(9)]
            self._figures[seat] = [
                ("scout" if at >= 7 else "army", square - 1) for at, square in found if square
            ]
        return self._figures[seat]

    def centers(self, seat: int) -> dict[int, int]:
        """The cities of a seat, and where they are."""
        if seat not in self._centers:
            found = {i: self.get(f"seat{seat}.city{i}") - 1 for i in range(3)}
            self._centers[seat] = {i: square for i, square in found.items() if square >= 0}
        return self._centers[seat]

    def mark(self, square: int) -> str:
        """What lies on a square."""
        number = self.get(f"mark.{square}")
        return MARKS[number] if number < CITY_MARK else "city"

    def ground(self, square: int) -> str:
        """Terrain and symbol, `` where no face-up square is."""
        number = self.get(f"ground.{square}")
        return "" if not number else "gfmdw"[(number - 1) % 5] + ".ISNW*$x"[(number - 1) // 5]

    def icons(self, square: int) -> tuple[int, int, int, int, int]:
        """Trade, production, culture, coin, combat of a square."""
        mark = self.mark(square)
        if mark in ICONS:
            return ICONS[mark]  # type: ignore[return-value]
        if mark == "city":
            return (0, 0, 0, 0, 0)
        terrain, symbol = self.ground(square) or "g."
        trade, production = YIELDS[terrain]
        return (trade, production, int(symbol == "*"), int(symbol == "$"), 0)

    def around(self, square: int) -> tuple[int, ...]:
        """The eight squares."""
        return around(square)

    def is_blocked(self, square: int, seat: int) -> bool:
        """Whether a figure of somebody else stands there."""
        others = [who for who in range(self.players) if who != seat]
        return any(square == at for who in others for _, at in self.figures(who))

    def sent(self, seat: int) -> dict[int, int]:
        """Squares with a scout that gathers, and where they are sent."""
        found = {}
        aims = [(self.get(f"seat{seat}.direct{scout}"), scout) for scout in range(2)]
        for aim, scout in sorted(aims, key=lambda each: each[0] != 0):  # What was chosen holds.
            square = self.get(f"seat{seat}.figure{7 + scout}") - 1
            if square < 0 or not self.get(f"seat{seat}.ready") & 1 << scout:
                continue
            centers = self.centers(seat)
            if aim < 0:
                found[square] = -1
            elif aim and aim - 1 in centers:
                found[square] = aim - 1
            else:
                homes = [i for i, at in centers.items() if square in self.around(at)]
                found[square] = homes[0] if homes else 0
        return found

    def working(self, seat: int, city: int) -> set[int]:
        """The squares that work for a city."""
        sends = self.sent(seat)
        own = {at for at in self.around(self.centers(seat)[city]) if not self.is_blocked(at, seat)}
        return {at for at in own if sends.get(at, city) == city} | {
            at for at, to in sends.items() if to == city
        }

    def output(self, seat: int, city: int) -> list[int]:
        """Trade, production, culture of a city, without governments."""
        squares = [self.icons(at) for at in self.working(seat, city)]
        return [sum(each[good] for each in squares) for good in range(3)]

    def income(self, seat: int) -> int:
        """The trade that a seat would collect."""
        total = sum(self.output(seat, city)[0] for city in self.centers(seat))
        more = {"democracy": 2, "fundamentalism": -2}.get(self.form(seat), 0)
        return max(0, total + more)

    def production(self, seat: int, city: int) -> int:
        """The production of a city."""
        total = self.output(seat, city)[1] + self.get(f"seat{seat}.production{city}")
        total += 2 if self.form(seat) == "communism" else 0
        return total + (self.coins(seat) // 3 if self.knows(seat, "military_science") else 0)

    def arts(self, seat: int, city: int) -> int:
        """The culture of a city that is devoted to the arts."""
        more = 1 if self.form(seat) == "monarchy" else 0
        more -= 1 if self.form(seat) == "communism" and city == 0 else 0
        return max(0, 1 + self.output(seat, city)[2] + more)

    def coins(self, seat: int) -> int:
        """The economy dial."""
        squares = {at for center in self.centers(seat).values() for at in self.around(center)}
        squares = {at for at in squares if not self.is_blocked(at, seat)}
        squares |= {at for kind, at in self.figures(seat) if kind == "scout"}
        total = sum(self.icons(at)[3] for at in squares)
        total += sum(self.knows(seat, key) for key in ("civil_service", "railroad", "computers"))
        total += self.form(seat) == "feudalism"
        total += self.get(f"seat{seat}.sheet.coins")
        total += sum(self.get(f"seat{seat}.task.coins.{task}") for task in range(4))
        canal = self.get("wonder.panama_canal") - 1
        if canal >= 0 and any(canal in self.around(at) for at in self.centers(seat).values()):
            total += 0 if self.is_blocked(canal, seat) else self.get("panama")
        return total

    def bonus(self, seat: int) -> int:
        """The combat bonus of buildings and generals."""
        squares = {at for center in self.centers(seat).values() for at in self.around(center)}
        return sum(self.icons(at)[4] for at in squares if not self.is_blocked(at, seat))

    # ---- moving ----

    def destinations(self) -> set[int]:
        """Where the moving group could end its move now: every path is tried."""
        return self.ends_from(self.get("move.at"), self.get("move.points"))

    def ends_from(self, start: int, points: int) -> set[int]:
        """Where the group could end its move if it stood on a square with so many points."""
        found: set[int] = set()
        if not self.is_frozen(start):
            self._walk(self.get("move.seat") - 1, [start], points, (found, {}))
        return found - {start}

    def waypoints(self) -> set[int]:
        """Squares to wait at in the middle of a move: nothing hostile, and an end in reach."""
        seat, start, passed = self.get("move.seat") - 1, self.get("move.at"), dict[int, int]()
        if not self.is_frozen(start):
            self._walk(seat, [start], self.get("move.points"), (set(), passed))
        return {
            square for square, left in passed.items()
            if left and not self.is_hostile(square, seat)
            and (self._use(seat, square) == (True, True) or self.ends_from(square, left))
        }  # fmt: skip

    def is_hostile(self, square: int, seat: int) -> bool:
        """Enemies, a hut, a village, or the centre of a foreign city."""
        city = self.get(f"mark.{square}") - CITY_MARK
        is_foreign = city >= 0 and city // 3 != seat
        return is_foreign or self.mark(square) in MARKS[1:3] or self.is_blocked(square, seat)

    def is_frozen(self, square: int) -> bool:
        """Whether nobody leaves a square."""
        return any(self.get(f"frozen.{seat}") == square + 1 for seat in range(4))

    def _walk(
        self, seat: int, path: list[int], points: int, found: tuple[set[int], dict[int, int]]
    ) -> None:
        """Every path: where the move can end, and squares passed with the most points left."""
        if not points:
            return
        x, y = path[-1] % 16, path[-1] // 16
        for a, b in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            square = 16 * b + a
            if not (0 <= a < 16 and 0 <= b < 16) or square in path or not self.ground(square):
                continue
            passes, ends = self._use(seat, square)
            if ends:
                found[0].add(square)
            if passes:
                found[1][square] = max(points - 1, found[1].get(square, 0))
            if passes and not self.is_frozen(square):
                self._walk(seat, [*path, square], points - 1, found)

    def _use(self, seat: int, square: int) -> tuple[bool, bool]:
        """Whether the group may pass a square, and whether it may end there."""
        group = self.get("move.group")
        scouts, size = group >> 7, group.bit_count()
        sails = any(self.knows(seat, key) for key in ("sailing", "steam_power", "flight"))
        flies, is_water = self.knows(seat, "flight"), self.ground(square)[0] == "w"
        if is_water and not (sails or self.knows(seat, "navigation")):
            return False, False
        can_stop = sails or not is_water
        mark, city = self.mark(square), self.get(f"mark.{square}") - CITY_MARK
        is_free = self.form(seat) != "democracy"
        if self.is_blocked(square, seat):
            return flies, can_stop and not scouts and (city < 0 or is_free)
        if mark == "hut":
            return flies, not scouts or self.form(seat) == "republic"
        if mark == "village":
            return flies, not scouts
        if city >= 0:
            is_own = city // 3 == seat
            return is_own or flies, not is_own and not scouts and is_free
        there = sum(at == square for _, at in self.figures(seat))
        if square == self.get("move.from"):
            there -= size
        return True, can_stop and there + size <= self.limit(seat)

    def limit(self, seat: int) -> int:
        """The stacking limit."""
        limits = {"masonry": 3, "printing_press": 4, "biology": 5, "replaceable_parts": 6}
        best = max([2, *[limit for key, limit in limits.items() if self.knows(seat, key)]])
        return best + (CIVS[self.get(f"seat{seat}.civilization")] == "russia")


def check_table(table: Table) -> None:
    """What must hold at every choice, whatever has happened."""
    read = Reading(table)
    if read.get("phase") == 0:
        return
    check_supplies(read)
    check_places(read)
    check_yields(read)
    check_victories(read)


def check_supplies(read: Reading) -> None:
    """Nothing is lost and nothing made: buildings, market tokens, figures."""
    marks = [read.mark(square) for square in range(256)]
    for family, keys in enumerate(FAMILIES):
        built = sum(marks.count(key) for key in keys)
        assert read.get(f"buildings.{family}") + built == SUPPLIES[family], keys
    for kind in range(4):
        held = sum(read.get(f"seat{seat}.tokens.{kind}") for seat in range(read.players))
        assert 0 <= read.players - read.get(f"market.{kind}") - held <= 3
    for seat in range(read.players):
        assert 0 <= read.get(f"seat{seat}.trade") <= 27
        assert read.get(f"seat{seat}.culture") >= 0


def check_places(read: Reading) -> None:
    """Two seats never share a square; what is kept for speed agrees with the figures."""
    seats = range(read.players)
    figures = [(seat, kind, at) for seat in seats for kind, at in read.figures(seat)]
    homes = [(3 * seat + city, at) for seat in seats for city, at in read.centers(seat).items()]
    for square in range(256):
        here = [(seat, kind) for seat, kind, at in figures if at == square]
        owners = {seat for seat, _ in here}
        assert len(owners) <= 1
        kinds = [kind for _, kind in here]
        number = read.get(f"resting.{square}")
        told = (number - 1 >> 2 & 7, number - 1 >> 5) if number else (0, 0)
        assert told == (kinds.count("army"), kinds.count("scout"))
        assert bool(number) == bool(owners)
        assert not owners or (number - 1) & 3 in owners
        near = [city for city, at in homes if square in around(at)]
        assert [read.get(f"outskirts.{square}") - 1] == (near or [-1])


def check_yields(read: Reading) -> None:
    """Output, income, coins, arts."""
    from core.games.civilization import wealth

    for seat in range(read.players):
        assert wealth.coins(read.table, seat) == read.coins(seat)
        if 0 in read.centers(seat):
            assert wealth.trade_income(read.table, seat) == read.income(seat)
            assert wealth.combat_bonus(read.table, seat) == read.bonus(seat)
        for city in read.centers(seat):
            assert wealth.production(read.table, seat, city) == read.production(seat, city)
            assert wealth.arts(read.table, seat, city) == read.arts(seat, city)


def check_victories(read: Reading) -> None:
    """A game goes on exactly as long as nobody has reached a victory."""
    how, winner = read.get("how"), read.get("winner")
    rich = [seat for seat in range(read.players) if read.coins(seat) >= 15]
    cultured = [seat for seat in range(read.players) if read.get(f"seat{seat}.track") == 21]
    flyers = [seat for seat in range(read.players) if read.knows(seat, "space_flight")]
    if not how:
        assert not rich and not cultured and not flyers
    assert how != 1 or winner in cultured
    assert how != 2 or winner in flyers
    assert how != 3 or winner in rich


def asked(table: Table) -> str:
    """What the frame on top asks."""
    read = Reading(table)
    return ASKED_KINDS[read.get(f"frame{read.get('depth') - 1}.0")]
