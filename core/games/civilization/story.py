"""What the story of a game of Civilization is told in: see `Game.tells`.

So much follows from so little in this game that hardly anything is reported where it happens.  What
has changed is found by comparing: counters and open zones before a rule of the game has run and
after.  That is done only where somebody listens, and never in the games that a bot imagines.

Battles are reported by their own rules: one may begin and end within what is compared, and who has
won is not seen any more when the units are gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import core.games.civilization.layout as c
from core.games.civilization.board import CITY_MARK, FIRST_BUILDING, HUT, VILLAGE_MARK
from core.games.civilization.faces import BUILDING_KEYS, CIV_KEYS, FACES, PERSON_KEYS, TECH_KEYS
from core.games.civilization.faces import WONDER_KEYS as WONDERS
from core.games.civilization.frames import ANSWER_DEAL, KIND, SEAT, top
from core.games.civilization.layout import FIELDS
from core.games.civilization.powers import TASKS
from core.games.civilization.printed import GOVERNMENTS, RESOURCES
from core.games.civilization.wealth import numbers_of, techs
from core.requests import Card
from core.table import Sight, Table

TELLS: Final = {
    # Verbs: what a choice does besides naming a card.
    "guard": ("seat*.guard",),
    "direct": ("seat*.direct*",),
    # What follows.
    "rolled": ("first",),  # C16: the lot of who begins.
    "mustered": (),  # C112: what a lot was drawn for, which its line says.
    "doomed": (),  # 3.1: the same, of a unit that dies.
    "turn": ("turn", "first", "frozen.*"),
    "civilization": ("seat*.civilization",),
    # C9 to C13: the table is laid.
    "homes": ("ground.*", "mark.*", "market.*", "buildings.*", "map"),
    "discovered": ("ground.*", "mark.*", "map"),  # C98: a tile, by a square of it.
    "changed": ("ground.*",),  # C179: a disaster, by the square.
    "built": (
        "mark.*", "buildings.*", "wonder.*", "persons.*", "seat*.wonders", "market", "seat*.sheet",
    ),
    "cleared": ("mark.*", "buildings.*", "wonder.*"),  # Also huts and villages.
    "founded": ("seat*.city*", "mark.*", "seat*.walls*", "seat*.figure*"),  # C34: who is given up.
    "fell": ("seat*.city*", "mark.*", "seat*.walls*"),
    "walls": ("seat*.walls*",),
    "breached": ("seat*.walls*",),
    "earned": ("seat*.trade",),
    "spent": ("seat*.trade",),
    "cultured": ("seat*.culture",),
    "devoted": ("seat*.culture",),
    "advanced": ("seat*.track",),
    "governed": ("seat*.government",),
    "learned": ("seat*.technologies.*",),
    "forgot": ("seat*.technologies.*",),
    "coin": ("seat*.task.coins.*", "seat*.sheet.coins", "panama", "seat*.task.times.*"),
    "uncoined": ("seat*.task.coins.*", "seat*.sheet.coins", "panama"),
    "stocked": ("seat*.tokens.*", "market.*"),  # C81: market tokens.
    "unstocked": ("seat*.tokens.*", "market.*"),
    "restocked": ("market.*",),
    "helped": ("seat*.production*",),  # C55: production for this turn.
    "figure": ("seat*.figure*",),  # It comes from the supply.
    "moved": ("seat*.figure*",),
    "gone": ("seat*.figure*",),
    "frozen": ("frozen.*",),
    "obsolete": ("obsolete",),
    "ranked": (),  # C113: a unit whose rank or wonder makes it stronger than its card.
    "hurt": ("wounds.*",),
    "healed": ("wounds.*",),
    "bonus": ("battle.bonus*",),
    "battle": ("battle*",),  # It begins.
    "siege": ("battle*",),  # The same about a city, by its number among its owner's.
    "victory": (),  # C123: over natives.
    "defeat": (),  # By a seat or by natives.
    "tie": (),
    "peace": ("battle*", "wounds.*", "front.*"),
    "ended": ("how", "winner"),
    "cancelled": (),  # 4.2: an event, a resource ability, or what a city does.
    "used": (),  # 4.2: the ability for which an answer pays.
    "unpaid": (),  # E141: a gift in its payment.
    "proposed": (),  # C48: a deal is whole, and its partner answers.
    # Cards, by where they come to.
    "fallen": ("wounds.*",),  # A unit, killed: it has no wounds any more.
    "discarded": (),
    "reused": ("discard.*", "dead.*"),  # C60, C77: a pile that is shuffled again.
    "boxed": (),
    "shown": (),
    "aside": (),  # C68, C79, C131: a great person, to the sheet.
    "came": (),
    "back": (),
}
STEERING: Final = (
    "phase", "active", "order", "check", "depth", "frame*.*", "move.*", "resting.*", "outskirts.*",
    "deal.*", "front.*", "battle.unit", "battle.side", "battle.iron", "battle.fronts",
    "battle.killed*", "battle.healed*", "seat*.fresh.*", "seat*.anarchy", "seat*.idle",
    "seat*.changed", "seat*.used", "seat*.task.times.*", "seat*.guarded", "seat*.actions*",
    "seat*.moved", "seat*.ready", "seat*.sent", "seat*.offers", "seat*.pick", "seat*.news",
    "seat*.refused",
    "seat*.production*",  # C29: it lapses with the turn; that it comes is told.
    "seat*.direct*",  # C146: it lapses with the scout.
    "frozen.*",  # The same with the turn.
)  # fmt: skip
_MARK_KEYS: Final = (*["", "hut", "village"], *BUILDING_KEYS, *WONDERS, *PERSON_KEYS)
_GAINS: Final = (  # By counter of a seat: what more and less of it is called.
    (c.TRADE, "earned", "spent"),
    (c.CULTURE, "cultured", "devoted"),
    (c.TRACK_AT, "advanced", "advanced"),
    (c.SHEET_COINS, "coin", "uncoined"),
)
_PLACED: Final = (c.GREAT_MAP, *c.OWN_WONDERS)  # Where they come to the map, that says it.
_TILE: Final = 16  # Squares of a tile: fewer change by a disaster.


class Before(NamedTuple):
    """What could be seen before a rule has run."""

    counters: list[int]
    zones: list[list[Card]]
    techs: list[int]  # Of each seat, as bits.


def before(table: Table) -> Before:
    """What can be seen now."""
    zones = [cards[:] for cards in table.zones]
    seats = range(table.layout.players)
    return Before(table.counters[:], zones, [techs(table, seat) for seat in seats])


def tell(table: Table, then: Before) -> None:
    """Report what has changed since: mostly little, so whole parts are compared first."""
    old, new = then.counters, table.counters
    _tell_map(table, old)
    for seat in range(table.layout.players):
        first = c.COMMON_COUNTERS + c.SEAT_COUNTERS * seat
        end = first + c.SEAT_COUNTERS
        if old[first:end] != new[first:end]:
            _tell_seat(table, old, seat, then.techs[seat])
            _tell_city(table, old, seat)
            _tell_figures(table, old, seat)
    _tell_battle(table, old)
    _tell_cards(table, then)
    _tell_deal(table, old)
    if old[c.TURN] != new[c.TURN]:  # What was learned in the last one is told by now.
        table.tell("turn", new[c.FIRST], number=new[c.TURN])
    if new[c.HOW] != old[c.HOW]:
        table.tell(f"ended {new[c.HOW]}", new[c.WINNER])


def _tell_deal(table: Table, old: list[int]) -> None:
    """C48: the partner is asked now; `done` alone says the same of an event and of wounds."""
    at = top(table)
    if table.counters[at + KIND] == ANSWER_DEAL and not old[at + KIND]:
        table.tell("proposed", table.counters[at - FIELDS + SEAT], other=table.counters[at + SEAT])


def _square(square: int) -> str:
    return f"{square % 16}.{square // 16}"


def _changed(table: Table, old: list[int], first: int, count: int) -> Iterator[int]:
    """Which of so many counters from `first` on have changed, counted from it."""
    new = table.counters
    if old[first : first + count] != new[first : first + count]:
        for at in range(count):
            if old[first + at] != new[first + at]:
                yield at


def _tell_map(table: Table, old: list[int]) -> None:
    new = table.counters
    grounds = list(_changed(table, old, c.GROUND, c.SQUARES))
    if len(grounds) > _TILE:
        table.tell("homes")
        return
    if len(grounds) > _TILE // 2:
        mover = new[top(table) + SEAT]  # Its group still stands where it was.
        table.tell(f"discovered {_square(grounds[0])}", mover)
        return
    for square in grounds:
        table.tell(f"changed {_square(square)}")
    for square in _changed(table, old, c.MARK, c.SQUARES):
        was, now = old[c.MARK + square], new[c.MARK + square]
        owner = new[c.OUTSKIRTS + square] - 1
        seat = owner // 3 if owner >= 0 else -1
        if HUT <= was < CITY_MARK and now < FIRST_BUILDING:
            taker = _explorer(table, old) if was <= VILLAGE_MARK else -1
            table.tell(f"cleared {_MARK_KEYS[was]} {_square(square)}", taker)
        if VILLAGE_MARK < now < CITY_MARK:
            table.tell(f"built {_MARK_KEYS[now]} {_square(square)}", seat)
    if new[c.OBSOLETE] != old[c.OBSOLETE]:
        for wonder in range(len(WONDERS)):
            if new[c.OBSOLETE] & ~old[c.OBSOLETE] & 1 << wonder:
                table.tell(f"obsolete {WONDERS[wonder]}")
    for at in _changed(table, old, c.FROZEN, table.layout.players):
        if new[c.FROZEN + at]:
            table.tell(f"frozen {_square(new[c.FROZEN + at] - 1)}")
    for at in _changed(table, old, c.MARKET, 4):
        if new[c.MARKET + at] > old[c.MARKET + at]:
            table.tell(f"restocked {RESOURCES[at]}")
    _tell_change(table, -1, new[c.PANAMA] - old[c.PANAMA], ("coin", "uncoined"), "panama_canal")


def _explorer(table: Table, old: list[int]) -> int:
    """C102, C103: whose figures take the marker of a hut, or of a village after a battle."""
    for counters in (old, table.counters):
        if counters[c.IS_FOUGHT]:
            return counters[c.ATTACKER]
    return old[c.MOVER] - 1


def _tell_change(
    table: Table, seat: int, change: int, kinds: tuple[str, str], word: str = ""
) -> None:
    if change:
        kind = kinds[0] if change > 0 else kinds[1]
        table.tell(f"{kind} {word}".strip(), seat, number=abs(change))


def _tell_seat(table: Table, old: list[int], seat: int, had: int) -> None:
    new = table.counters
    if old[c.CIV[seat]] != new[c.CIV[seat]]:
        table.tell(f"civilization {CIV_KEYS[new[c.CIV[seat]]]}", seat)
    if old[c.GOVERNMENT[seat]] != new[c.GOVERNMENT[seat]]:
        table.tell(f"governed {GOVERNMENTS[new[c.GOVERNMENT[seat]]]}", seat)
    have = techs(table, seat)
    if have != had:
        for at in numbers_of(have & ~had):
            table.tell(f"learned {TECH_KEYS[at]}", seat)
        for at in numbers_of(had & ~have):
            table.tell(f"forgot {TECH_KEYS[at]}", seat)
    for counter, more, less in _GAINS:
        change = new[counter[seat]] - old[counter[seat]]
        _tell_change(table, seat, change, (more, less))
    for at in _changed(table, old, c.TASK_COINS[seat], len(TASKS)):
        change = new[c.TASK_COINS[seat] + at] - old[c.TASK_COINS[seat] + at]
        _tell_change(table, seat, change, ("coin", "uncoined"), TASKS[at])
    for at in _changed(table, old, c.MARKET_TOKENS[seat], 4):
        change = new[c.MARKET_TOKENS[seat] + at] - old[c.MARKET_TOKENS[seat] + at]
        _tell_change(table, seat, change, ("stocked", "unstocked"), RESOURCES[at])


def _tell_city(table: Table, old: list[int], seat: int) -> None:
    new = table.counters
    for at in range(c.CITIES):
        was, now = old[c.CITY_AT[seat] + at], new[c.CITY_AT[seat] + at]
        if was and was != now:
            table.tell(f"fell {_square(was - 1)}", seat)
        if now and was != now:
            table.tell(f"founded {_square(now - 1)}", seat)
        walls = new[c.WALLS[seat] + at] - old[c.WALLS[seat] + at]
        if walls and now:
            table.tell(f"{'walls' if walls > 0 else 'breached'} {_square(now - 1)}", seat)
        extra = new[c.EXTRA[seat] + at] - old[c.EXTRA[seat] + at]
        if extra > 0:
            table.tell("helped", seat, number=extra)


def _tell_figures(table: Table, old: list[int], seat: int) -> None:
    """Who comes and goes; a group in one line, where `2+1` is 2 armies and a scout."""
    new, groups = table.counters, dict[str, list[int]]()
    for at in _changed(table, old, c.FIGURE[seat], c.FIGURES):
        was, now = old[c.FIGURE[seat] + at], new[c.FIGURE[seat] + at]
        key = "army" if at < c.ARMIES else "scout"
        if not was:
            table.tell(f"figure {key} {_square(now - 1)}", seat, number=1)
        elif not now:
            if _is_settled(table, old, seat, was):
                continue  # C34: what it was given up for is told.
            lost = f"gone {_stood(table, old, seat, at)}"
            groups.setdefault(lost, [0, 0])[at >= c.ARMIES] += 1
        else:
            moved = f"moved {_square(was - 1)} {_square(now - 1)}"
            groups.setdefault(moved, [0, 0])[at >= c.ARMIES] += 1
    for what, (armies, scouts) in groups.items():
        by = _remover(table, old, seat) if what.startswith("gone ") else -1
        table.tell(f"{what} {armies}+{scouts}", seat, number=armies + scouts, other=by)


def _is_settled(table: Table, old: list[int], seat: int, place: int) -> bool:
    """Whether a city was founded where a figure stood."""
    cities = slice(c.CITY_AT[seat], c.CITY_AT[seat] + c.CITIES)
    return place in table.counters[cities] and place not in old[cities]


def _remover(table: Table, old: list[int], seat: int) -> int:
    """C105: whose army walks over lone scouts; nobody's where a battle or a card says more."""
    mover = old[c.MOVER] - 1
    is_by_itself = mover == seat or old[c.IS_FOUGHT] or table.counters[c.IS_FOUGHT]
    return -1 if is_by_itself else mover


def _stood(table: Table, old: list[int], seat: int, figure: int) -> str:
    """Where a figure was lost; one that is under way is counted where it set off (C155)."""
    if old[c.MOVER] != seat + 1 or not old[c.GROUP] >> figure & 1:
        return _square(old[c.FIGURE[seat] + figure] - 1)
    fought = [fact.kind.split()[-1] for fact in table.told or ()
              if fact.kind.startswith(("battle ", "siege "))]  # fmt: skip
    return fought[-1] if fought else _square(old[c.MOVE_AT])


def tell_attack(table: Table) -> None:
    """C111: a battle begins: natives are nobody's, so of them the attacker is told."""
    attacker, defender = _sides(table)
    square, city = _square(table.counters[c.BATTLE_AT]), table.counters[c.TARGET_CITY] - 1
    if city >= 0:
        table.tell(f"siege {city % c.CITIES} {square}", defender, other=attacker)
    elif defender < 0:
        table.tell(f"battle {square}", attacker)
    else:
        table.tell(f"battle {square}", defender, other=attacker)


def tell_strength(table: Table, card: Card, strength: int) -> None:
    """C113, C120: how strong a unit is that is called by another number, that of its card."""
    if strength != int(FACES[table.public_face(card)].partition(".")[2]):
        table.tell("ranked", _fighter(table, card), (card,), strength)


def tell_result(table: Table, sums: Sequence[int], winner: int) -> None:
    """C123: who has won, where, and with which strengths: every unit has been turned up by then."""
    seats, square = _sides(table), _square(table.counters[c.BATTLE_AT])
    mine, theirs = sums[winner], sums[1 - winner]
    if seats[1 - winner] < 0:
        table.tell(f"victory {square} {theirs}", seats[winner], number=mine)
    else:
        kind = f"defeat {square} {theirs}"
        table.tell(kind, seats[1 - winner], number=mine, other=seats[winner])
    if mine == theirs:
        table.tell("tie")


def _sides(table: Table) -> tuple[int, int]:
    """The seats that fight; -1 for natives."""
    return table.counters[c.ATTACKER], _whose(table, table.counters[c.DEFENDER])


def _whose(table: Table, seat: int) -> int:
    """The seat whose units fight; -1 for the one that plays natives."""
    is_theirs = table.counters[c.IS_NATIVES] and seat == table.counters[c.DEFENDER]
    return -1 if is_theirs else seat


def _fighter(table: Table, card: Card) -> int:
    """The seat whose unit stands on a front; -1 for natives."""
    attacker, defender = table.counters[c.ATTACKER], table.counters[c.DEFENDER]
    is_attackers = card in table.zones[c.FRONT[attacker]]
    return _whose(table, attacker if is_attackers else defender)


def _tell_battle(table: Table, old: list[int]) -> None:
    new = table.counters
    for side in _changed(table, old, c.BONUS, 2):
        if new[c.IS_FOUGHT]:
            table.tell("bonus", _sides(table)[side], number=new[c.BONUS + side])
    for card in _changed(table, old, c.WOUNDS, c.UNITS):
        change = new[c.WOUNDS + card] - old[c.WOUNDS + card]
        if new[c.IS_FOUGHT] and new[c.FRONT_OF + card] >= 0:
            kind = "hurt" if change > 0 else "healed"
            table.tell(kind, _fighter(table, card), (card,), abs(change))
    if old[c.IS_FOUGHT] and not new[c.IS_FOUGHT]:
        table.tell("peace")


def _moved(table: Table, old: list[list[Card]]) -> dict[tuple[int, int], list[Card]]:
    """Every card that has come to an open zone or left one, by both zones.

    A unit that is played is not among them: the choice says it.
    """
    places, zones = table.layout.places, table.zones
    changed = [zone for zone in range(len(zones)) if zones[zone] != old[zone]]
    zone_of = {card: zone for zone in changed for card in old[zone]}
    moved: dict[tuple[int, int], list[Card]] = {}
    for zone in changed:
        for card in zones[zone]:
            source = zone_of[card]
            is_open = Sight.EVERYONE in (places[source].sight, places[zone].sight)
            if source != zone and is_open and zone not in c.FRONT:
                moved.setdefault((source, zone), []).append(card)
    return moved


def _tell_cards(table: Table, then: Before) -> None:
    """What has moved, by where it has come to."""
    marks = slice(c.MARK, c.MARK + c.SQUARES)
    is_built = then.counters[marks] != table.counters[marks]
    for (source, zone), found in _moved(table, then.zones).items():
        if zone == c.MAP or (is_built and zone in _PLACED):
            continue
        owners = (table.layout.owners[zone], table.layout.owners[source])
        seat = next((each for each in owners if each >= 0), -1)
        kind = _kind(zone)
        if kind == "fallen" and source in c.FRONT:
            is_killed = table.counters[c.FRONT_OF + found[0]] != 0
            kind, seat = (kind, _whose(table, seat)) if is_killed else ("discarded", -1)  # C137
        table.tell(kind, seat, tuple(found))


def _kind(zone: int) -> str:
    if c.UNIT_DEAD <= zone < c.UNIT_DEAD + 4:
        return "fallen"
    if c.EVENT_DISCARD <= zone < c.EVENT_DISCARD + 3:
        return "discarded"
    if zone == c.BOX:
        return "boxed"
    if c.UNIT_DECK <= zone < c.UNIT_DEAD or c.EVENT_DECK <= zone < c.EVENT_DISCARD:
        return "reused"
    if zone in (c.PLAYED, c.WONDER_MARKET, c.GREAT_NEW):
        return "shown"
    if zone in c.SHEET:
        return "aside"
    return "back" if zone in c.EVENTS or zone in c.FORCES or zone in c.HAND else "came"
