"""The tables of the lobby, a line for each, in columns that the eye can go down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from p2p.net.announcements import Key, TableAd
from p2p.net.people import Neighbor
from ui.draw.marks import LINK_DOT, MUTED, clip
from ui.draw.people import names_cells, names_row
from ui.language.text import Words
from ui.lobby.open_tables import table_name, table_note
from ui.terminal.spans import Row, Span, pad

_GAP: Final = 2
_NAME_CELLS_MIN: Final = 20
_PEOPLE_CELLS_MIN: Final = 8  # Of who sits there; below that nobody is named.
UNNAMED: Final[Mapping[Key, Sequence[Neighbor]]] = {}


class _Texts(NamedTuple):
    """What stands in the columns of a table, beside the dots of its seats."""

    name: str
    game: str
    note: str
    seats: str
    address: str
    is_twice: bool  # Another table has the same name.
    people: Sequence[Neighbor]  # Who says that they sit there; whoever opened it first.


class _Columns(NamedTuple):
    """How many cells each column has; 0: there is no room for it."""

    name: int
    game: int
    dots: int
    people: int
    note: int
    seats: int
    address: int


def draw_tables(
    words: Words,
    tables: Sequence[TableAd],
    width: int,
    people: Mapping[Key, Sequence[Neighbor]] = UNNAMED,
) -> list[Row]:
    """A row of at most this width for each table; `people` sit there.

    How many seats are taken is said by dots first; names, the number and the address follow where
    there is room; what tells tables of one name apart is begun in any case.
    """
    named = Counter(ad.shown_name for ad in tables)
    texts = [
        _texts(words, ad, people.get(ad.key, ()), is_twice=named[ad.shown_name] > 1)
        for ad in tables
    ]
    columns = _columns(texts, max((ad.seats for ad in tables), default=0), width)
    return [clip(_row(ad, each, columns), width) for ad, each in zip(tables, texts, strict=True)]


def _texts(words: Words, ad: TableAd, people: Sequence[Neighbor], *, is_twice: bool) -> _Texts:
    note = words("lobby.full_here") if ad.is_played else table_note(words, ad)
    seats = words("lobby.seats", taken=ad.taken, seats=ad.seats)
    address, game = f"{ad.shown_host}:{ad.port}", words.name("game", ad.game)
    return _Texts(table_name(words, ad), game, note, seats, address, is_twice, people)


def _columns(texts: Sequence[_Texts], dots: int, width: int) -> _Columns:
    """The longer of name and game gives way to dots and note; what is left is for the rest."""
    name, game, note, seats, address = (
        max((cell_len(str(each[at])) for each in texts), default=0) for at in range(5)
    )
    room = width - dots - note - (3 if note else 2) * _GAP
    name = min(name, max(room - game, _NAME_CELLS_MIN))
    game = min(game, max(room - name, _NAME_CELLS_MIN))
    room -= name + game
    people = max((names_cells(each.people) for each in texts), default=0)
    left = room - _GAP
    people = people if people <= left else left if left >= _PEOPLE_CELLS_MIN else 0
    room -= people + _GAP if people else 0
    seats = seats if room >= seats + _GAP else 0
    room -= seats + _GAP
    return _Columns(name, game, dots, people, note, seats, address if room >= address + _GAP else 0)


def _row(ad: TableAd, texts: _Texts, columns: _Columns) -> Row:
    gap = Span(" " * _GAP)
    row = [Span(pad(texts.name, columns.name), "bold"), gap, Span(pad(texts.game, columns.game))]
    row += [gap, *(_dot(at < ad.taken) for at in range(ad.seats))]
    row.append(Span(" " * (columns.dots - ad.seats)))
    row += [gap, *names_row(texts.people, columns.people)] if columns.people else []
    row += [gap, Span(pad(texts.seats, columns.seats), MUTED)] if columns.seats else []
    if texts.is_twice and not columns.address:
        opener = "" if columns.people else "".join(each.shown_name for each in texts.people[:1])
        told = filter(None, [texts.note, opener, texts.address])
        return [*row, gap, Span("  ".join(told), MUTED)]
    row += [gap, Span(pad(texts.note, columns.note), MUTED)] if columns.note else []
    return [*row, gap, Span(texts.address, MUTED)] if columns.address else row


def _dot(is_taken: bool) -> Span:
    return Span(*LINK_DOT["up" if is_taken else "free"])
