"""What is printed on the components of Civilization, as plain values: nothing here is a rule.

Terrains are named by their letters: g grassland, f forest, m mountain, d desert, w water.  The
second letter of a square is what it shows besides: I iron, S silk, N incense, W wheat, * a natural
wonder, $ gold, H a hut, V a village.  A tile lies with its arrow edge at the bottom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RESOURCES: Final = ("iron", "silk", "incense", "wheat", "spy", "uranium")
MARKET_KINDS: Final = 4  # C12: the first four of them have market tokens.
ERAS: Final = ("ancient", "medieval", "modern")
UNIT_TYPES: Final = ("infantry", "mounted", "artillery", "aircraft")
TERRAINS: Final = "gfmdw"
SYMBOLS: Final = ".ISNW*$x"  # The last one: a disaster marker (C179).

# ---- technologies ----


@dataclass(frozen=True, slots=True)
class Technology:
    """One technology: its key, level, and what it gives for good."""

    key: str
    level: int
    buildings: tuple[str, ...] = ()  # Unlocked, or what a basic one is upgraded to.
    unit: str = ""  # The type whose rank it raises to its level.
    government: str = ""
    coin: int = 0
    hand: int = 0
    travel: int = 0
    stacking: int = 0


_T = Technology
TECHNOLOGIES: Final[tuple[Technology, ...]] = (
    _T("animal_husbandry", 1),
    _T("code_of_laws", 1, ("trading_post",), government="republic"),
    _T("currency", 1, ("market",)),
    _T("horseback_riding", 1, travel=3),
    _T("masonry", 1, stacking=3),
    _T("metalworking", 1, ("barracks",)),
    _T("navigation", 1, ("harbor",)),
    _T("philosophy", 1, ("temple",)),
    _T("pottery", 1, ("granary",), hand=1),
    _T("writing", 1, ("library",)),
    _T("chivalry", 2, unit="mounted", government="feudalism"),
    _T("civil_service", 2, coin=1, hand=1),
    _T("construction", 2, ("workshop",)),
    _T("democracy", 2, unit="infantry", government="democracy"),
    _T("engineering", 2, ("aqueduct",)),
    _T("irrigation", 2),
    _T("mathematics", 2, unit="artillery"),
    _T("monarchy", 2, government="monarchy"),
    _T("printing_press", 2, ("university",), stacking=4),
    _T("sailing", 2, travel=4),
    _T("banking", 3, ("bank",)),
    _T("biology", 3, stacking=5),
    _T("communism", 3, government="communism"),
    _T("gunpowder", 3, unit="infantry"),
    _T("metal_casting", 3, unit="artillery"),
    _T("military_science", 3, ("academy",)),
    _T("railroad", 3, ("iron_mine",), unit="mounted", coin=1),
    _T("steam_power", 3, travel=5),
    _T("theology", 3, ("cathedral",), government="fundamentalism", hand=1),
    _T("atomic_theory", 4),
    _T("ballistics", 4, unit="artillery"),
    _T("combustion", 4, unit="mounted"),
    _T("computers", 4, coin=1),
    _T("flight", 4, unit="aircraft", travel=6),
    _T("mass_media", 4),
    _T("replaceable_parts", 4, unit="infantry", stacking=6),
    _T("space_flight", 5),
)

# ---- buildings, wonders, great people ----


@dataclass(frozen=True, slots=True)
class Building:
    """A building; a basic one and what it is upgraded to share the markers of one family."""

    key: str
    family: int
    cost: int
    terrains: str
    is_limited: bool
    icons: tuple[int, int, int, int]  # Trade, production, culture, coin.
    combat: int = 0


_B = Building
BUILDINGS: Final[tuple[Building, ...]] = (  # In a family the basic one comes first.
    _B("harbor", 0, 7, "w", False, (2, 1, 0, 0)),
    _B("trading_post", 1, 7, "d", False, (2, 0, 1, 0)),
    _B("workshop", 2, 7, "m", False, (0, 3, 0, 0)),
    _B("iron_mine", 2, 10, "m", False, (0, 4, 0, 0)),
    _B("library", 3, 5, "g", False, (1, 0, 1, 0)),
    _B("university", 3, 8, "g", False, (2, 0, 2, 0)),
    _B("granary", 4, 5, "g", False, (1, 1, 0, 0)),
    _B("aqueduct", 4, 8, "g", False, (2, 2, 0, 0)),
    _B("market", 5, 7, "gfmd", True, (1, 1, 1, 0)),
    _B("bank", 5, 10, "gfmd", True, (1, 1, 1, 1)),
    _B("temple", 6, 7, "gfmd", True, (0, 0, 2, 0)),
    _B("cathedral", 6, 10, "gfmd", True, (0, 0, 3, 0)),
    _B("barracks", 7, 7, "gfmd", True, (2, 0, 0, 0), 2),
    _B("academy", 7, 10, "gfmd", True, (2, 0, 0, 0), 4),
)
BUILDING_MARKERS: Final = (10, 6, 6, 6, 6, 5, 5, 5)  # By family.
WALLS_COST: Final = 7


@dataclass(frozen=True, slots=True)
class Wonder:
    """A wonder: its era, cost, the lower cost with a technology, and its culture."""

    key: str
    era: int
    cost: int
    lower_cost: int
    technology: str
    culture: int


WONDERS: Final[tuple[Wonder, ...]] = (
    Wonder("stonehenge", 0, 10, 10, "", 1),
    Wonder("colossus", 0, 15, 10, "metalworking", 1),
    Wonder("hanging_gardens", 0, 15, 10, "animal_husbandry", 1),
    Wonder("oracle", 0, 15, 10, "code_of_laws", 1),
    Wonder("angkor_wat", 1, 20, 10, "theology", 2),
    Wonder("himeji_castle", 1, 20, 15, "monarchy", 2),
    Wonder("louvre", 1, 20, 15, "printing_press", 2),
    Wonder("porcelain_tower", 1, 20, 15, "construction", 2),
    Wonder("panama_canal", 2, 25, 20, "engineering", 3),
    Wonder("statue_of_liberty", 2, 25, 20, "metal_casting", 3),
    Wonder("sydney_opera_house", 2, 25, 25, "", 3),
    Wonder("united_nations", 2, 20, 20, "", 3),
)


@dataclass(frozen=True, slots=True)
class Person:
    """A kind of great person, of which there are three."""

    key: str
    icons: tuple[int, int, int, int]
    combat: int = 0


PERSONS: Final[tuple[Person, ...]] = (
    Person("artist", (1, 0, 2, 0)),
    Person("builder", (0, 2, 0, 1)),
    Person("general", (0, 0, 0, 0), 4),
    Person("humanitarian", (1, 1, 1, 1)),
    Person("industrialist", (0, 0, 2, 1)),
    Person("scientist", (2, 1, 0, 0)),
)
PERSON_COPIES: Final = 3

# ---- culture ----


@dataclass(frozen=True, slots=True)
class EventCard:
    """A culture event: its era, how many there are, the phase printed on it, its measure.

    `amount` is a range, a number of steps, a bonus or a level, whatever the text speaks of.
    """

    key: str
    era: int
    copies: int
    phase: str
    amount: int = 0


EVENT_KINDS: Final[tuple[EventCard, ...]] = (
    EventCard("defection", 0, 2, "move", 4),
    EventCard("bread_and_circuses", 0, 2, "any"),
    EventCard("sabotage", 0, 2, "start", 4),
    EventCard("drought", 0, 2, "start"),
    EventCard("disoriented", 0, 1, "city", 2),
    EventCard("despot_day", 0, 3, "city", 4),
    EventCard("gift_from_afar", 0, 3, "any"),
    EventCard("revolt", 0, 1, "start"),
    EventCard("exchange_of_ideas", 0, 3, "start", 1),
    EventCard("lost", 1, 1, "city", 3),
    EventCard("catastrophe", 1, 1, "start", 6),
    EventCard("jousting_tourney", 1, 2, "any"),
    EventCard("mass_defection", 1, 2, "move", 6),
    EventCard("generous_gift", 1, 3, "any"),
    EventCard("queen_day", 1, 2, "city", 6),
    EventCard("deforestation", 1, 2, "start"),
    EventCard("revolt_ii", 1, 1, "start"),
    EventCard("knowledge_shared", 1, 3, "start", 2),
    EventCard("out_of_position", 2, 1, "city", 4),
    EventCard("disaster", 2, 1, "start"),
    EventCard("wholesale_defection", 2, 2, "move", 99),
    EventCard("think_tank", 2, 2, "start", 3),
    EventCard("primetime_tv", 2, 2, "any"),
    EventCard("president_day", 2, 1, "city", 8),
    EventCard("princely_gift", 2, 2, "any"),
)
GIFTS: Final = {  # What a gift stands for (C88).
    "gift_from_afar": ("iron", "wheat", "spy", "silk"),
    "generous_gift": ("iron", "wheat", "spy", "silk"),
    "princely_gift": ("iron", "uranium", "spy", "wheat", "silk"),
}
TRACK: Final = "-aapaaapmmmmpmmnnnpnn!"
"""C72: what each space gives: an event (ancient, medieval, n modern), a person, the victory."""
TRACK_CULTURE: Final = (0, *(3,) * 7, *(5,) * 7, *(7,) * 7)
TRACK_TRADE: Final = (0, *(0,) * 7, *(3,) * 7, *(6,) * 7)

# ---- governments, civilizations ----

GOVERNMENTS: Final = (
    "despotism", "anarchy", "republic", "democracy", "communism", "feudalism", "monarchy",
    "fundamentalism",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Civilization:
    """A civilization: its start technology and its home tile."""

    key: str
    technology: str
    tile: tuple[str, ...]
    government: str = "despotism"


CIVILIZATIONS: Final[tuple[Civilization, ...]] = (
    Civilization(
        "america", "currency",
        ("mI m. w. g.", "f. mS g. w.", "d. d. mN f.", "w. d. w. fW"),
    ),
    Civilization(
        "china", "writing",
        ("d. d. d. gW", "mI d. g. g.", "m. m. f. f.", "m* w. f. wS"),
    ),
    Civilization(
        "germany", "metalworking",
        ("wS g. w. w.", "g. m. d. w.", "f. m. mI f.", "m$ m. d. gW"),
    ),
    Civilization(
        "russia", "communism",
        ("w. w. m. m.", "d. m. g. w.", "d. f. m. w.", "fW d. g. mI"), "communism",
    ),
    Civilization(
        "egypt", "construction",
        ("f. w. m. mN", "dW d. g. d.", "d. f. d. d.", "d. f. wS m."),
    ),
    Civilization(
        "rome", "code_of_laws",
        ("m. dN m. fS", "w. m. d. mI", "f. m. g. w.", "wW f. m. w."), "republic",
    ),
)  # fmt: skip

# ---- units ----

UNIT_COPIES: Final = ((3, 9, 3), (3, 9, 3), (3, 9, 3), (3, 3, 2))  # By strength, the least first.
UNIT_LEAST: Final = (1, 1, 1, 5)
UNIT_COSTS: Final = (0, 5, 7, 9, 11)  # By rank.
AIRCRAFT_COST: Final = 12
BEATS: Final = (1, 2, 0, -1)  # C119: infantry beats mounted, and so on.

# ---- the map ----

HUTS: Final = (("wheat", 5), ("incense", 5), ("silk", 5), ("spy", 3), ("iron", 2))
VILLAGES: Final = (("uranium", 2), ("spy", 3), ("iron", 3), ("great", 2))
NEUTRAL_TILES: Final[tuple[tuple[str, ...], ...]] = (
    ("gV g. f. f.", "d. g. fW f.", "m. w. w. g.", "dH m* w. g."),
    ("d. d. gH g.", "d. fN f. g.", "w. w. w. m.", "g. gH m. m."),
    ("fW d. m. m.", "m. g. gH w.", "f. f. g. w.", "fH f. m. f."),
    ("d. g. w. w.", "d. gV f. fW", "m$ d. g. f.", "m. m. g. gH"),
    ("w. w. wS w.", "w. w. g. fH", "w. gV f. f.", "g. f. f. d."),
    ("mS fH w. w.", "g. g. w. f.", "m. m. gH f.", "d. d. m. m."),
    ("mN d. d. w.", "m. gV m. w.", "m. f. g. w.", "mH m. f. w."),
    ("m. w. m. mI", "d. m. w. gH", "fH d. g. f.", "f. g. f. f."),
    ("f. w* fW mV", "f. w. w. m.", "f. gH w. f.", "m. f. w. f."),
    ("d. mH m. d.", "d. m. d. g.", "dN d. g. w.", "d. d. gH f."),
    ("mI m. g. w.", "d. m. f. gH", "dV m. m. f*", "d. m. m. m."),
    ("m. d. gV g.", "d. m. g* f.", "dN g. f. f.", "d. dH d. d."),
    ("w. w. w. w.", "mI gH m. d.", "m. f. g. dV", "w. w. w. wS"),
    ("w. g. w. w.", "d. gH w. w.", "d* f. wS m.", "m. g. gH g."),
)
NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3
HOME_SLOTS: Final[tuple[tuple[tuple[int, int, int], ...], ...]] = (  # By seats: x, y, the arrow.
    (),
    (),
    ((4, 0, SOUTH), (0, 12, NORTH)),
    ((6, 0, SOUTH), (12, 12, WEST), (0, 12, EAST)),
    ((0, 0, SOUTH), (12, 0, SOUTH), (12, 12, NORTH), (0, 12, NORTH)),
)
OTHER_HOMES: Final = ((0, 0, SOUTH), (4, 12, NORTH))  # Two seats, the other diagonal.
NEUTRAL_SLOTS: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    (),
    (),
    ((0, 0), (0, 4), (4, 4), (0, 8), (4, 8), (4, 12)),
    ((4, 4), (8, 4), (2, 8), (6, 8), (10, 8), (4, 12), (8, 12)),
    ((4, 0), (8, 0), (0, 4), (4, 4), (8, 4), (12, 4), (0, 8), (4, 8), (8, 8), (12, 8), (4, 12),
     (8, 12)),
)  # fmt: skip
OTHER_NEUTRAL: Final = ((4, 0), (0, 4), (4, 4), (0, 8), (4, 8), (0, 12))
