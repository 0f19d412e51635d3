"""The race to seven: a column answers who leads a domain, a row how near a seat is."""

from __future__ import annotations

from collections.abc import Sequence
from operator import le
from typing import Final, NamedTuple

from rich.cells import cell_len

from core.requests import Player
from core.view import View
from ui.draw.marks import BAD, CAP, FAINT, GOOD, LIT, MUTED, YOU, color_of
from ui.draw.panels import fit
from ui.draw.scene import Scene
from ui.games.carta import FACES, note
from ui.look import PileNote
from ui.model.notes import NOTED
from ui.model.picks import OfferPick
from ui.terminal.spans import Row, Span, pad, right, row_width

TARGET: Final = 7  # Bars up to here are in groups; longer ones have no room for gaps.
DOMAIN_KEYS: Final = tuple(face.key for face in FACES)
_NAME_CELLS: Final = (8, 10)  # The sign of who is to act, five to seven letters, and a gap.
_NAME_AIR: Final = 3  # That sign, the space behind it, and the gap.
_DOMAIN_CELLS: Final = 12  # A bar in its groups, a number, and a gap before each.
_MARK_CELLS: Final = 13  # The sign of who leads stands no further right, under the number,
_KEY_MARK_CELLS: Final = 15  # but where a key before the text would make it touch that.
_NUMBER_CELLS: Final = 7  # A key, a number, a level, two signs, and a gap.
BARS_FROM: Final = 76  # Cells; below, a domain is a number.
MINE: Final = " on $mine"
ON_RACE: Final = ("target", "discard", "return")  # Verbs whose keys stand on a domain or seat.


class Pip(NamedTuple):
    """How many cards one has, and what that is good for."""

    size: int
    note: PileNote

    @property
    def missing(self) -> int:
        """How many cards a hegemony still takes."""
        return max(self.note.target - self.size, 0)

    @property
    def is_close(self) -> bool:
        """Whether one card more, or none, is all that it takes."""
        return self.missing <= 1

    @property
    def of_target(self) -> str:
        """The cards and how many it takes, as in `6/7`."""
        return f"{self.size}/{self.note.target}"


def held(view: View, seat: Player, domain: str) -> Pip:
    """A domain of a seat."""
    return Pip(len(view.zones[f"seat{seat}.{domain}"]), note(view, seat, domain))


def levels_at(view: View) -> tuple[int, int]:
    """4.1: the cards that level 1 and level 2 take."""
    return (2, 4) if view.players == 4 else (3, 5)


def most_of(view: View, domain: str) -> int:
    """The highest count of a domain."""
    return max(held(view, seat, domain).size for seat in range(view.players))


def leaders(view: View, domain: str) -> list[Player]:
    """Who has most of a domain; nobody where nobody has any."""
    most = most_of(view, domain)
    seats = range(view.players)
    return [seat for seat in seats if most and held(view, seat, domain).size == most]


def points(view: View) -> list[int]:
    """6.2, 7.2: the points if the deck ended now."""
    counts = [0] * view.players
    for domain in DOMAIN_KEYS:
        sides = {_side_of(view, seat) for seat in leaders(view, domain)}
        for seat in range(view.players):
            counts[seat] += _side_of(view, seat) in sides
    return counts


def _side_of(view: View, seat: Player) -> int:
    """7.1: partners face each other."""
    return seat % 2 if view.options.get("team") else seat


def bar(scene: Scene, domain: str, pip: Pip, more: int = 0) -> Row:
    """The cards up to the target, in the groups of the levels; `more` of them still to come."""
    color = color_of(scene.model.look.face(domain)) or "$foreground"
    row: Row = []
    for place in range(pip.note.target):
        if place in levels_at(scene.view) and pip.note.target <= TARGET:
            row.append(Span(" "))
        if place < pip.size:
            row.append(Span("■", color))
        else:
            is_next = place < pip.size + more
            row.append(Span("□", YOU) if is_next else Span("·", FAINT))
    return row


# ---- the matrix ----


def draw_race(scene: Scene, width: int, height: int) -> list[Row]:
    """Every seat in every domain, in as many rows as there are; mine last."""
    model = scene.model
    seats = [seat.seat for seat in model.others]
    seats += [model.mine.seat] if model.mine else []
    under = [points_row(scene, width), *([coin_row(scene)] if scene.has_side else [])]
    if width < BARS_FROM or height < 2 * len(seats) + 2:
        numbers = _numbers(scene, seats, width)
        gap: list[Row] = [[Span(" ")]] if height > len(numbers) + len(under) else []
        return [*numbers, *gap, *under][:height]
    columns = _columns(scene, width)
    rows = [_heads(scene, columns)]
    spare = height - 2 * len(seats) - 3
    if spare >= 0:
        rows.append(_scale(scene, columns))
    for place, seat in enumerate(seats):
        rows += [_bars(scene, seat, columns, width), _meaning(scene, seat, columns, width)]
        if scene.has_side and spare > len(seats) and place < len(seats) - 1:
            rows.append([Span(" ")])
    return [*rows, *under][:height]


def _columns(scene: Scene, width: int) -> list[int]:
    """The cells of the names and of each domain; what is left over goes to the first ones.

    The gap of the last one stands beyond the width, where it takes nothing from the others.
    """
    need, (least, most) = len(DOMAIN_KEYS) * _DOMAIN_CELLS, _NAME_CELLS
    longest = max(cell_len(scene.name_of(seat)) for seat in range(scene.view.players))
    has_room = width + 1 - most >= need
    names = most if has_room else min(max(longest + _NAME_AIR, least), most)
    each, more = divmod(width + 1 - names, len(DOMAIN_KEYS))
    return [names, *(each + (at < more) for at in range(len(DOMAIN_KEYS)))]


def _heads(scene: Scene, columns: Sequence[int]) -> Row:
    row: Row = [Span(" " * columns[0])]
    for face, cells in zip(FACES, columns[1:], strict=True):
        head = _head(face.letter, scene.words.name("face", face.key), cells - 1)
        row.append(Span(pad(head, cells - 1) + " ", f"bold {color_of(face)}".strip()))
    return row


def _head(letter: str, name: str, room: int) -> str:
    """A domain over its column: its letter, and the sign of a note, give way to its name."""
    bare = name.removesuffix(NOTED)
    marked = [f"{letter}{NOTED}{bare}"] if bare != name else []
    known = (f"{letter} {name}", *marked, name, bare)
    return next((text for text in known if cell_len(text) <= room), known[0])


def _scale(scene: Scene, columns: Sequence[int]) -> Row:
    """Where the levels and the end are, over the bars."""
    first, second = levels_at(scene.view)
    target = 8 if scene.view.players == 2 else 7
    letters = [" "] * (target + 2)
    for place, text in ((first, "I"), (second, "II"), (target, str(target))):
        gaps = (place > first) + (place > second) if target <= TARGET else 0
        at = place + gaps - (len(text) if gaps or place == target else 1)
        letters[at : at + len(text)] = text
    text = "".join(letters)
    return [Span(" " * columns[0]), *(Span(pad(text, cells), FAINT) for cells in columns[1:])]


def _name(scene: Scene, seat: Player, cells: int) -> Span:
    is_me = seat == scene.view.seat
    mark = "▶ " if scene.model.seats[seat].is_to_act else ""
    style = scene.style_of(seat) + (MINE if is_me else "")
    return Span(pad(mark + scene.name_of(seat), cells - 1) + " ", style, _hot(scene, seat))


def _hot(scene: Scene, seat: Player, domain: str = "") -> str:
    """The label of what may be done to a seat, or to one of its domains."""
    place = f"seat{seat}.{domain}" if domain else f"seat{seat}"
    picks = [pick for pick in scene.model.picks if pick.offer.action.verb in ON_RACE]
    return next((pick.label for pick in picks if pick.place == place), "")


def is_on_race(picks: Sequence[OfferPick]) -> bool:
    """Whether all of these are domains, whose keys stand in the race."""
    return all(pick.offer.action.verb in ON_RACE and "." in pick.place for pick in picks)


def _bars(scene: Scene, seat: Player, columns: Sequence[int], width: int) -> Row:
    ground = MINE if seat == scene.view.seat else ""
    row: Row = [_name(scene, seat, columns[0])]
    for domain, cells in zip(DOMAIN_KEYS, columns[1:], strict=True):
        pip, hot = held(scene.view, seat, domain), _hot(scene, seat, domain)
        drawn = bar(scene, domain, pip)
        room = min(max(cells - 1 - row_width(drawn), 1), 2)
        drawn.append(Span(right(str(pip.size), room), _size_style(scene, seat, pip)))
        row += [_on(span, ground, hot) for span in fit(drawn, cells - 1)]
        row.append(Span(" ", ground))
    return [_on(span, ground) if not span.text.strip() else span for span in fit(row, width)]


def _size_style(scene: Scene, seat: Player, pip: Pip) -> str:
    """Whoever is one card from winning is not to be overlooked."""
    if pip.is_close:
        return GOOD if seat == scene.view.seat else BAD
    return LIT if pip.size else FAINT


def _on(span: Span, ground: str, hot: str = "") -> Span:
    style = span.style if ground in span.style else f"{span.style or '$foreground'}{ground}"
    return span._replace(style=style if ground else span.style, hot=span.hot or hot)


def _meaning(scene: Scene, seat: Player, columns: Sequence[int], width: int) -> Row:
    """What the bars above are good for; where something may be picked, its key."""
    ground = MINE if seat == scene.view.seat else ""
    key = _hot(scene, seat)
    count = len(scene.view.zones[f"seat{seat}.hand"])
    name = [Span(scene.words("term.hand", number=count), MUTED)]
    if key:
        name = [Span(f" {key} ", CAP, key), _aim(scene, key), Span(f"▮{count}", LIT, key)]
    row = [_on(span, ground) if not key else span for span in fit(name, columns[0])]
    for domain, cells in zip(DOMAIN_KEYS, columns[1:], strict=True):
        most = _KEY_MARK_CELLS if _hot(scene, seat, domain) else _MARK_CELLS
        cell = fit(_cell(scene, seat, domain, min(cells, most)), cells)
        row += [_on(span, "" if "reverse" in span.style else ground) for span in cell]
    return [_on(span, ground) if not span.text.strip() else span for span in fit(row, width)]


def _cell(scene: Scene, seat: Player, domain: str, cells: int) -> Row:
    words, pip = scene.words, held(scene.view, seat, domain)
    hot = _hot(scene, seat, domain)
    lead = leaders(scene.view, domain)
    mark = ("▲" if len(lead) == 1 else "=") if seat in lead else " "
    text, style = _level_text(scene, pip, domain), MUTED
    if pip.is_close:
        style = _size_style(scene, seat, pip)
    if pip.note.embargoes:
        text, style = f"! {words('term.embargo')}", BAD
    start: Row = [Span(f" {hot} ", CAP, hot), _aim(scene, hot)] if hot else []
    room = cells - 2 - (4 if hot else 0)
    coin = "©" if pip.note.has_coin else ""
    if hot and cell_len(text) > room:
        text = "I" * pip.note.level
    if cell_len(coin + text) >= room:  # Or the sign of who leads would touch it.
        text = text.replace("! ", "!")
        text = pip.of_target if pip.is_close and not pip.note.embargoes else text
    return [*start, Span(pad(coin + text, room), style, hot), Span(mark, LIT), Span(" ")]


def _aim(scene: Scene, label: str) -> Span:
    """Behind a key: whether it is the one that is picked."""
    return Span("▶" if label in scene.picked else " ", LIT, label)


def _level_text(scene: Scene, pip: Pip, domain: str) -> str:
    words = scene.words
    if pip.is_close:
        return words("carta.to_win", number=pip.missing)
    if pip.note.democracies:
        return f"{'I' * pip.note.level} {pip.of_target}".strip()
    if not pip.size or domain == "culture":
        return ""
    if pip.note.level:
        return words("carta.level", level="I" * pip.note.level)
    return words("carta.to_level", number=levels_at(scene.view)[0] - pip.size)


def _numbers(scene: Scene, seats: list[Player], width: int) -> list[Row]:
    """The matrix as numbers, level and lead, a row a seat."""
    columns = _number_columns(scene, width)
    target = 8 if scene.view.players == 2 else 7
    head: Row = [Span(pad(scene.words("carta.of", number=target), columns[0]), FAINT)]
    for face, cells in zip(FACES, columns[1:], strict=True):
        text = _head(face.letter, scene.words.name("face", face.key), cells - 1)
        head.append(Span(pad(text, cells - 1) + " ", f"bold {color_of(face)}".strip()))
    return [fit(head, width), *(fit(_number_row(scene, seat, columns), width) for seat in seats)]


def _number_columns(scene: Scene, width: int) -> list[int]:
    """All alike; as wide as their names where these would be cut, the last without its gap."""
    even, least = _columns(scene, width), _NUMBER_CELLS
    bare = [scene.words.name("face", domain).removesuffix(NOTED) for domain in DOMAIN_KEYS]
    need = [max(cell_len(name) + 1, least) for name in bare]
    free = width + 1 - even[0] - sum(need)
    if free < 0 or all(map(le, need, even[1:])):
        return even
    each, more = divmod(free, len(need))
    return [even[0], *(cells + each + (at < more) for at, cells in enumerate(need))]


def _number_row(scene: Scene, seat: Player, columns: Sequence[int]) -> Row:
    ground = MINE if seat == scene.view.seat else ""
    row: Row = [_name(scene, seat, columns[0])]
    for domain, cells in zip(DOMAIN_KEYS, columns[1:], strict=True):
        pip, hot = held(scene.view, seat, domain), _hot(scene, seat, domain)
        lead = leaders(scene.view, domain)
        mark = ("▲" if len(lead) == 1 else "=") if seat in lead else ""
        signs = f"{mark}{'©' * pip.note.has_coin}{'!' * bool(pip.note.embargoes)}"
        text = f"{_number(pip)}{signs}"
        if cell_len(text) > cells - 1 - len(hot):
            text = text.replace(" ", "")
        style = BAD if pip.note.embargoes else _size_style(scene, seat, pip)
        key = "▶" if hot in scene.picked else hot
        start = [Span(key, CAP, hot)] if hot else []
        row += [*start, Span(pad(text, cells - len(hot)), f"{style}{ground}", hot)]
    return row


def _number(pip: Pip) -> str:
    """The cards and the level; how many it takes, where few are missing or it is not the usual."""
    if pip.is_close or pip.note.democracies:
        return pip.of_target
    return f"{pip.size or '·'} {'I' * pip.note.level}"


# ---- the lines under it ----


def points_row(scene: Scene, width: int) -> Row:
    """Who has how many points if the deck ended now; in fewer words where a seat would be cut.

    Partners have theirs together, so their names stand together.
    """
    row, counted = list[Span](), points(scene.view)
    for side in sorted(_sides(scene.view), key=lambda side: -counted[side[0]]):
        for seat in side:
            gap = "+ " if seat != side[0] else "  "
            row.append(Span(f"{gap}{scene.name_of(seat)} ", scene.style_of(seat)))
        row.append(Span(f"{counted[side[0]]}", LIT))
    said = (f"▲ {scene.words(f'carta.{key}')}" for key in ("points", "points_short"))
    known = next((text for text in said if cell_len(text) + row_width(row) <= width), "▲")
    return [Span(known, MUTED), *row]


def _sides(view: View) -> list[tuple[Player, ...]]:
    """Who wins together; I am named before my partner."""
    sides: dict[int, tuple[Player, ...]] = {}
    for seat in sorted(range(view.players), key=lambda seat: (seat != view.seat, seat)):
        side = _side_of(view, seat)
        sides[side] = (*sides.get(side, ()), seat)
    return [sides[side] for side in sorted(sides)]


def coin_row(scene: Scene) -> Row:
    """Who has the culture coin."""
    holder, ahead = scene.view.counters["coin.holder"], len(leaders(scene.view, "culture"))
    if holder >= 0:
        text = scene.words("carta.coin", name=scene.name_of(holder))
    elif ahead == 1:  # F14: in the variant only a copy takes it.
        text = scene.words("carta.coin_middle")
    else:
        text = scene.words("carta.coin_tied" if ahead else "carta.coin_free")
    return [Span(f"© {text}", MUTED)]


def near_rows(scene: Scene) -> list[Row]:
    """How many cards the others still need, in the two domains where it is fewest."""
    words, rows = scene.words, list[Row]()
    for seat in scene.model.others:
        needs = []
        for domain in DOMAIN_KEYS:
            pip = held(scene.view, seat.seat, domain)
            if pip.size:
                needs.append((pip.note.target - pip.size, words.name("face", domain)))
        needs.sort(key=lambda need: need[0])
        texts = [words("carta.needs", number=number, what=name) for number, name in needs[:2]]
        is_close = bool(needs) and needs[0][0] <= 1
        text = words("carta.nothing_yet")
        if texts:
            text = words("carta.near_needs", what=words("carta.or").join(texts))
        name = Span(pad(seat.name, _NAME_CELLS[1] + 2), scene.style_of(seat.seat))
        if seat.seat in scene.view.partners:
            text = f"{words('term.partner')} - {text}"
        rows.append([name, Span(f"! {text}" if is_close else text, BAD if is_close else "")])
    return rows
