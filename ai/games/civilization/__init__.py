"""What a bot is told about Civilization: settle, build, discover, learn, and fight when stronger.

Every action has a worth by its verb and by what it names, so that the policy costs one pass over
what is legal.  A whole move of figures is one aim (`war.py`), and deals are offered and answered by
what each side has a use for (`deals.py`).  What styles like is in `styles.py`.  An unfinished game
is judged by what each seat has towards the four victories, and by what its cities make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import core.games.civilization.layout as c
from ai.games.civilization import deals, styles, war
from ai.knowledge import REWARD_ONE, Knowledge, best_place
from core.chance import Chance
from core.games.civilization.board import (
    AROUND,
    CITY_MARK,
    FIRST_BUILDING,
    HUT,
    VILLAGE_MARK,
    icons_at,
)
from core.games.civilization.cities import CITY_STEP
from core.games.civilization.course import OFFERS_MAX
from core.games.civilization.faces import BUILDING_KEYS, WONDER_KEYS
from core.games.civilization.frames import CITY, KIND, START_MENU, top
from core.games.civilization.items import FIRST_BUILDING_ITEM, ITEM_KEYS, sites
from core.games.civilization.printed import BUILDINGS
from core.games.civilization.start_of_turn import is_site
from core.games.civilization.wealth import (
    DESPOTISM,
    TECH_LEVELS,
    arts,
    cities_of,
    city_limit,
    coins,
    combat_bonus,
    known,
    output,
    rank,
    resting,
    stacking,
    trade_income,
)
from core.requests import Action, Player
from core.table import Observation, Table

_CANDIDATES_MAX: Final = 8
_BY_VERB: Final = {  # What it is worth to do, where it does not matter what is named.
    "found": 90, "settle": 85, "free": 90, "liberty": 90, "opera": 90, "advance": 80,
    "discover": 80, "task": 65, "rescue": 60, "coin": 60, "move": 50, "play": 50, "gardens": 50,
    "ruin": 50, "raze": 45, "front": 40, "cure": 40, "power": 30, "harvest": 35, "reap": 38,
    "new": 30, "heal": 30, "token": 30, "infiltrate": 25, "biology": 25, "seize": 25, "loot": 20,
    "direct": -5, "event": 12, "refuse": 10, "pass": 10, "consent": 5, "end": 4, "stop": 4,
    "none": 0, "guard": -9, "show": -9, "anarchy": -9, "answer": 8, "split": 58,
}  # fmt: skip
_MARCHING: Final = ("go", "via", "move")
_NOT_LOOKED: Final = -2  # What armies march to is not looked for yet; -1: it is nothing.
_ITEMS: Final = {"scout": 70, "army": 55, "walls": 15}
_UNIT: Final = 48
_WONDER: Final = 76
_BUILDING: Final = 44  # And what it yields more than what it covers.
_TRADE, _PRODUCTION, _CULTURE, _COIN = 7, 4, 4, 10  # What an icon is worth.
_SITE: Final = 40  # For a scout that can found a city there, and the icons around it.
_OFFER: Final = 45  # Before the floor is given up.
_ARMIES_WANTED: Final = 3
_HALF: Final = 69  # Whoever is so many points behind can expect half as much.
_WHOLE: Final = 1 << 20


class CivilizationKnowledge(Knowledge):
    """A plan by the worth of verbs, and a judgement by the four victories."""

    choices_max = 60
    exploration_percent = 40
    patience = 10**9
    speed = 100
    compiled_speed = 600
    strategies: Mapping[str, str] = {"plan": "policy", "war": "warlord"}

    def policy(self, table: Table, player: Player, observation: Observation) -> Action:
        """What is worth most."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        worth = self.prior(table, player, actions, observation)
        return actions[best_place(worth)]

    def warlord(self, table: Table, player: Player, observation: Observation) -> Action:
        """A plain player who arms for war before anything else."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        worth = self.prior(table, player, actions, observation)
        zeal = [_zeal(table, player, action) for action in actions]
        return actions[best_place([a + b for a, b in zip(worth, zeal, strict=True)])]

    def rollout(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """The policy seven times out of eight, then any legal action."""
        if not chance.below(8):
            return chance.pick(self.game.mechanics.legal_actions(table, player, observation))
        return self.policy(table, player, observation)

    def candidates(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """The few actions that are worth most, in the order of the rules."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        if len(actions) <= _CANDIDATES_MAX:
            return actions
        worth = self.prior(table, player, actions, observation)
        ranks = sorted(range(len(actions)), key=lambda at: (-worth[at], at))
        best = {*ranks[:_CANDIDATES_MAX]}
        return [action for at, action in enumerate(actions) if at in best]

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], observation: Observation
    ) -> list[int]:
        """What each action is worth by its verb and by what it names."""
        if len(actions) == 1:
            return [0]
        worth, aim = list[int](), _NOT_LOOKED
        for action in actions:
            if aim == _NOT_LOOKED and action.verb in _MARCHING:
                aim = war.target(table, player)  # The same for all of them.
            worth.append(_worth(table, player, action, observation, aim))
        return worth

    def evaluate(self, table: Table) -> list[int]:
        """Shares by what each seat has: whoever is so many points behind has half as much.

        A seat that is ruined changes nothing between the others.
        """
        have = [standing(table, seat) for seat in range(table.layout.players)]
        most = max(have)
        weights = [_faded(most - each) for each in have]
        whole = sum(weights)
        return [REWARD_ONE * each // whole for each in weights]

    def lean(
        self, style: str, table: Table, player: Player, action: Action, observation: Observation
    ) -> int:
        """By verbs, by what cities make, and by where figures go."""
        return styles.lean(style, table, player, action)


KNOWLEDGE: Final = CivilizationKnowledge


def standing(table: Table, seat: Player) -> int:
    """What a seat has: towards the victories, and what its cities and forces are good for.

    The track and the coins are worth more the nearer their victory is.  A hundred points more make
    the odds 2.7 times as good: so they were fitted to who has won games of plain players.
    """
    counters, zones = table.counters, table.zones
    cities, track, money = cities_of(table, seat), counters[c.TRACK_AT[seat]], coins(table, seat)
    worth = 3 * track * track // 4 + 4 * counters[c.CULTURE[seat]]
    worth += 8 * money + money * money // 3 + counters[c.TRADE[seat]]
    worth += sum([8 + 2 * TECH_LEVELS[each] for each in known(table, seat)])
    worth += 3 * trade_income(table, seat) + 17 * len(cities)
    worth += sum([5 * output(table, seat, city, 1) for city in cities])
    worth += sum([10 * arts(table, seat, city) for city in cities])
    worth += 5 * len(zones[c.EVENTS[seat]]) + 7 * len(zones[c.TOKENS[seat]])
    worth += 4 * (len(zones[c.FORCES[seat]]) + combat_bonus(table, seat))
    worth += sum([15 * rank(table, seat, kind) for kind in range(war.LAND_TYPES)])
    scouts = counters[c.SCOUT_AT[seat] : c.SCOUT_AT[seat] + c.SCOUTS]
    return worth + 18 * _armies(table, seat) + 22 * sum(map(bool, scouts))


def _faded(behind: int) -> int:
    """Half as much for every so many points; between them along a straight line."""
    halvings, rest = divmod(behind, _HALF)
    return (_WHOLE * (2 * _HALF - rest) // _HALF) >> halvings


def _worth(table: Table, player: Player, action: Action, observation: Observation, aim: int) -> int:
    """What an action is worth; `aim` is the capital that armies march to, or -1."""
    verb, cards, number = action
    if verb == "make":
        return _item_worth(table, player, *divmod(number, CITY_STEP))
    if verb == "also":
        return _item_worth(table, player, table.counters[top(table) - c.FIELDS + CITY], number)
    if verb == "arts":
        return 32 + 3 * arts(table, player, number // CITY_STEP)
    if verb == "learn":
        return 10 + 10 * TECH_LEVELS[number]
    if verb == "great":  # Where one lies already they would change places for ever.
        return 2 if table.counters[c.MARK + number % c.SQUARES] >= FIRST_BUILDING else 80
    if verb == "government":
        is_due = table.counters[c.GOVERNMENT[player]] == DESPOTISM
        return 40 - number if is_due and table.counters[top(table) + KIND] == START_MENU else -5
    if verb in ("capital", "site", "place"):
        return _site_worth(table, number, is_city=verb == "capital")
    if verb in ("go", "via"):
        return _goal_worth(table, player, number, aim) - (3 if verb == "via" else 0)
    if verb == "move":
        return _move_worth(table, player, number, aim)
    if verb in ("accept", "offer", "give", "ask", "done"):
        return _deal_worth(table, player, verb, number)
    if verb == "play" and cards:
        return 50 + observation[cards[0]] % 3
    return _BY_VERB.get(verb, 6)


def _item_worth(table: Table, seat: Player, city: int, item: int) -> int:
    key = ITEM_KEYS.get(item, "")
    if key in WONDER_KEYS:
        return _WONDER
    if key in BUILDING_KEYS:
        return _building_worth(table, seat, city, item)
    if key == "army":
        return _ITEMS[key] if _armies(table, seat) < _ARMIES_WANTED else 20
    if key in _ITEMS:
        return _ITEMS[key]
    forces = len(table.zones[c.FORCES[seat]])
    return _UNIT - 3 * max(forces - 4, 0)


def _building_worth(table: Table, seat: Player, city: int, item: int) -> int:
    """By what it yields more than the least that it would cover."""
    covered = [_yield(icons_at(table, at)) for at in sites(table, seat, city, item)]
    least = min(covered, default=0)  # There is no site yet if the first of two items makes room.
    gain = _yield(BUILDINGS[item - FIRST_BUILDING_ITEM].icons) - least
    return _BUILDING + gain if gain > 0 else _BY_VERB["end"] - 1


def _yield(icons: tuple[int, ...]) -> int:
    """What a square is worth by its icons."""
    trade, production, culture, coin = icons
    return _TRADE * trade + _PRODUCTION * production + _CULTURE * culture + _COIN * coin


def _site_worth(table: Table, square: int, *, is_city: bool) -> int:
    """A capital where there is much around it; everything else where little is lost."""
    if not 0 <= square < c.SQUARES:
        return 6
    if not is_city:
        return 50 - _yield(icons_at(table, square))
    return 6 + sum([sum(icons_at(table, each)) for each in AROUND[square]])


def _move_worth(table: Table, seat: Player, number: int, aim: int) -> int:
    """The largest group of armies first, if it has an aim; scouts wait where they can found."""
    code, square = divmod(number, c.SQUARES)
    scouts, armies = divmod(code, 16)
    if scouts and _settles(table, seat) and is_site(table, seat, square):
        return _BY_VERB["end"] - 1
    return _BY_VERB["move"] + (armies if aim >= 0 else 0)


def _settles(table: Table, seat: Player) -> bool:
    """Whether a seat may have one more city."""
    return len(cities_of(table, seat)) < city_limit(table, seat)


def _zeal(table: Table, seat: Player, action: Action) -> int:
    """How much more a warlord thinks of arms."""
    if action.verb not in ("make", "also"):
        return 0
    key = ITEM_KEYS.get(action.number % CITY_STEP, "")
    armies = _armies(table, seat)
    if key == "army":
        return 60 if armies < stacking(table, seat) else 0
    if key in ("barracks", "academy"):
        return 40
    is_unit = key not in _ITEMS and key not in BUILDING_KEYS and key not in WONDER_KEYS
    forces = len(table.zones[c.FORCES[seat]])
    return 60 if is_unit and forces < war.units_wanted(table, seat) else 0


def _armies(table: Table, seat: Player) -> int:
    figures = table.counters[c.FIGURE[seat] : c.FIGURE[seat] + c.ARMIES]
    return sum(map(bool, figures))


def _goal_worth(table: Table, seat: Player, square: int, aim: int) -> int:
    """Where figures go: huts, villages and enemies who are weaker, a capital, or away from home."""
    counters = table.counters
    mark = counters[c.MARK + square]
    if counters[c.GROUP] >> c.ARMIES and _settles(table, seat) and is_site(table, seat, square):
        return _SITE + sum([sum(icons_at(table, each)) for each in AROUND[square]])
    armies = (counters[c.GROUP] & (1 << c.ARMIES) - 1).bit_count()
    if mark == HUT:
        return 70
    if mark == VILLAGE_MARK:
        return 60 if war.strength(table, seat, armies) > war.NATIVES_STRENGTH else -20
    rival, theirs, _ = resting(table, square)
    if mark >= CITY_MARK and (mark - CITY_MARK) // c.CITIES != seat:
        is_capital = (mark - CITY_MARK) % c.CITIES == 0
        return 100 + 30 * is_capital if war.takes(table, seat, armies, mark - CITY_MARK) else -30
    if rival not in (-1, seat):
        lead = war.strength(table, seat, armies) - war.strength(table, rival, theirs)
        return 30 if lead > 0 or not theirs else -10
    if armies and aim >= 0:
        return war.march(table, seat, square, aim)
    home = counters[c.CITY_AT[seat]] - 1
    if home < 0:
        return 6
    away = max(abs(square % 16 - home % 16), abs(square // 16 - home // 16))
    return 6 + min(away, 8)


def _deal_worth(table: Table, seat: Player, verb: str, number: int) -> int:
    """An offer that the partner can want is made once in a floor; one is answered by its worth."""
    if verb == "accept":
        return 10 + deals.answer_worth(table, seat)
    if verb == "offer":
        is_first = table.counters[c.OFFERS[seat]] == OFFERS_MAX
        is_wanted = is_first and deals.proposal(table, seat, number) is not None
        return _OFFER if is_wanted else -9
    if verb == "done":
        return _BY_VERB["end"]
    meant = deals.under_way(table, seat)
    return _OFFER if meant and number == (meant.give if verb == "give" else meant.ask) else -9
