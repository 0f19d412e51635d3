"""What is printed on the cards: our own proposal, NOT the contents of the published cards.

How many cards there are of every kind, the five symbols, the values of the persons and the six
series are those of the game.  Which event shows which symbols and spaces, which culture card bears
a sign of genius, and all names are made up by us, so that every number that is known comes out.

Whoever has the printed cards can copy them into this one file and change nothing else.  The rules
for players list all of it, and machines whose rules differ refuse to sit at one table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SYMBOLS: Final = ("science", "architecture", "finance", "exploration", "religion")  # 1.2
SERIES: Final = ("black", "grey", "red", "blue", "green", "brown")  # 1.1: black and grey are known.
STONES: Final = ("yellow", "red", "black", "white")  # 1.1: by seat.


class Plan(NamedTuple):
    """The setting spaces of an event, each B (blue) or R (red), and the paths that join them."""

    spaces: str
    paths: tuple[tuple[int, int], ...]

    def swapped(self) -> Plan:
        """The same with blue and red exchanged."""
        return Plan(self.spaces.translate(str.maketrans("BR", "RB")), self.paths)


class EventCard(NamedTuple):
    """A historical event: its series, one to three symbols, its spaces, and a line of text."""

    series: str
    symbols: tuple[str, ...]
    plan: Plan
    text: str
    dice: int = 1


class Culture(NamedTuple):
    """A culture card: a joker shows two symbols, a double shows one symbol once and twice."""

    copies: int
    symbols: tuple[str, ...]
    genius: str = ""  # blue, red or none
    is_double: bool = False


class Person(NamedTuple):
    """Character cards that play alike: value, symbol (or none), and a name for each copy."""

    value: int
    symbol: str
    names: tuple[str, ...]


_PAIR: Final = Plan("BR", ((0, 1),))
_TRIANGLE: Final = Plan("BRR", ((0, 1), (1, 2), (0, 2)))
_SQUARE: Final = Plan("BBRR", ((0, 1), (1, 3), (3, 2), (2, 0)))
_PENTAGON: Final = Plan("BBRRR", ((0, 1), (0, 2), (1, 4), (2, 3), (3, 4)))
_LADDER: Final = Plan("BBBRRR", ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)))
_RING: Final = Plan("BBBRRR", ((0, 3), (3, 1), (1, 4), (4, 2), (2, 5), (5, 0)))

EVENTS: Final = (
    EventCard("black", ("exploration",), _PAIR, "Dias rounds the Cape, 1488"),
    EventCard("black", ("religion",), _TRIANGLE, "Ninety-five Theses, 1517"),
    EventCard("black", ("architecture",), _SQUARE, "Florence cathedral dome consecrated, 1436"),
    EventCard("black", ("exploration", "science"), _PENTAGON, "Mercator's world map, 1569"),
    EventCard(
        "black",
        ("religion", "finance"),
        _LADDER,
        "Lateran Council approves the monti di pietà, 1515",
    ),
    EventCard(
        "black",
        ("science", "architecture", "finance"),
        _RING,
        "Lorenzo de' Medici comes to power in Florence, 1469",
    ),
    EventCard("grey", ("religion",), _TRIANGLE.swapped(), "Jan Hus burned at Constance, 1415"),
    EventCard("grey", ("science",), _SQUARE.swapped(), "Gutenberg Bible, about 1455"),
    EventCard("grey", ("finance",), _PENTAGON.swapped(), "Monte dei Paschi founded in Siena, 1472"),
    EventCard(
        "grey",
        ("religion", "architecture"),
        _LADDER.swapped(),
        "New St Peter's begun in Rome, 1506",
    ),
    EventCard(
        "grey",
        ("science", "exploration"),
        _RING.swapped(),
        "Waldseemüller map names America, 1507",
    ),
    EventCard(
        "grey",
        ("architecture", "finance", "exploration"),
        _PAIR.swapped(),
        "Jerónimos monastery begun on spice revenue, 1501",
    ),
    EventCard("red", ("science",), _SQUARE, "Copernicus, De revolutionibus, 1543"),
    EventCard("red", ("architecture",), _PENTAGON, "Ospedale degli Innocenti begun, 1419"),
    EventCard("red", ("exploration",), _LADDER, "Columbus lands in the Bahamas, 1492"),
    EventCard("red", ("science", "finance"), _RING, "Pacioli's Summa printed, 1494"),
    EventCard("red", ("architecture", "religion"), _PAIR, "Sistine ceiling unveiled, 1512"),
    EventCard(
        "red", ("finance", "exploration", "religion"), _TRIANGLE, "Treaty of Tordesillas, 1494"
    ),
    EventCard("blue", ("architecture",), _PENTAGON.swapped(), "Palladio's Four Books, 1570"),
    EventCard("blue", ("finance",), _LADDER.swapped(), "Antwerp exchange opened, 1531"),
    EventCard("blue", ("religion",), _RING.swapped(), "Peace of Augsburg, 1555"),
    EventCard(
        "blue", ("architecture", "exploration"), _PAIR.swapped(), "Cathedral of Mexico begun, 1573"
    ),
    EventCard(
        "blue", ("finance", "science"), _TRIANGLE.swapped(), "Agricola, De re metallica, 1556"
    ),
    EventCard(
        "blue",
        ("exploration", "religion", "science"),
        _SQUARE.swapped(),
        "Ricci reaches Macau, 1582",
    ),
    EventCard("green", ("finance",), _LADDER, "Fugger money elects Charles V, 1519"),
    EventCard("green", ("exploration",), _RING, "Da Gama reaches Calicut, 1498"),
    EventCard("green", ("science",), _PAIR, "Vesalius, De fabrica, 1543"),
    EventCard(
        "green",
        ("finance", "religion"),
        _TRIANGLE,
        "Dissolution of the English monasteries begins, 1536",
    ),
    EventCard("green", ("exploration", "architecture"), _SQUARE, "Fall of Tenochtitlan, 1521"),
    EventCard(
        "green",
        ("religion", "science", "architecture"),
        _PENTAGON,
        "Gregorian calendar reform, 1582",
    ),
    EventCard("brown", ("architecture",), _RING.swapped(), "Chambord begun, 1519"),
    EventCard("brown", ("exploration",), _PAIR.swapped(), "First circumnavigation completed, 1522"),
    EventCard("brown", ("finance",), _TRIANGLE.swapped(), "Spanish crown bankruptcy, 1557"),
    EventCard("brown", ("architecture", "religion"), _SQUARE.swapped(), "El Escorial begun, 1563"),
    EventCard("brown", ("exploration", "science"), _PENTAGON.swapped(), "Behaim's globe, 1492"),
    EventCard(
        "brown",
        ("science", "finance", "religion"),
        _LADDER.swapped(),
        "Fall of Constantinople, scholars flee west, 1453",
    ),
)

CULTURE: Final = (
    Culture(2, ("science",), "blue"),
    Culture(2, ("science",), "red"),
    Culture(1, ("science",)),
    Culture(2, ("architecture",), "blue"),
    Culture(2, ("architecture",), "red"),
    Culture(1, ("architecture",)),
    Culture(2, ("finance",), "blue"),
    Culture(2, ("finance",), "red"),
    Culture(1, ("finance",)),
    Culture(2, ("exploration",), "blue"),
    Culture(2, ("exploration",), "red"),
    Culture(1, ("exploration",)),
    Culture(2, ("religion",), "blue"),
    Culture(2, ("religion",), "red"),
    Culture(1, ("religion",)),
    Culture(1, ("science",), is_double=True),
    Culture(1, ("architecture",), is_double=True),
    Culture(1, ("finance",), is_double=True),
    Culture(1, ("exploration",), is_double=True),
    Culture(1, ("religion",), is_double=True),
    Culture(1, ("science", "architecture"), "blue"),
    Culture(1, ("science", "finance"), "red"),
    Culture(1, ("science", "exploration"), "red"),
    Culture(1, ("science", "religion"), "blue"),
    Culture(1, ("architecture", "finance"), "blue"),
    Culture(1, ("architecture", "exploration"), "red"),
    Culture(1, ("architecture", "religion"), "red"),
    Culture(1, ("finance", "exploration"), "blue"),
    Culture(1, ("finance", "religion"), "red"),
    Culture(1, ("exploration", "religion"), "blue"),
)

PERSONS: Final = (
    Person(1, "science", ("Regiomontanus", "Andreas Vesalius", "Tycho Brahe")),
    Person(2, "science", ("Nicolaus Copernicus", "Johannes Gutenberg")),
    Person(1, "architecture", ("Leon Battista Alberti", "Donato Bramante", "Philibert de l'Orme")),
    Person(2, "architecture", ("Filippo Brunelleschi", "Andrea Palladio")),
    Person(1, "finance", ("Luca Pacioli", "Agostino Chigi", "Thomas Gresham")),
    Person(2, "finance", ("Jakob Fugger", "Cosimo de' Medici")),
    Person(1, "exploration", ("Bartolomeu Dias", "Amerigo Vespucci", "Ferdinand Magellan")),
    Person(2, "exploration", ("Christopher Columbus", "Vasco da Gama")),
    Person(1, "religion", ("Jan Hus", "Ulrich Zwingli", "Ignatius of Loyola")),
    Person(2, "religion", ("Martin Luther", "Erasmus of Rotterdam")),
    Person(3, "", ("Lorenzo de' Medici",)),
    Person(4, "", ("Leonardo da Vinci",)),
)
