"""The rules for players, in our own words; the C numbers are those that the code cites.

What is printed on the components is listed at the end, from the files that say it: machines compare
their rules before a game, and so their cards as well.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.card_texts import (
    CIVILIZATION_TEXTS,
    EVENT_TEXTS,
    GOVERNMENT_TEXTS,
    TECHNOLOGY_TEXTS,
    WONDER_TEXTS,
)
from core.games.civilization.printed import (
    BUILDINGS,
    CIVILIZATIONS,
    ERAS,
    EVENT_KINDS,
    GOVERNMENTS,
    HUTS,
    PERSON_COPIES,
    PERSONS,
    TECHNOLOGIES,
    VILLAGES,
    WONDERS,
)

_RULES: Final = """\
# Civilization

Lead a people from its first city to the stars: find the map, found cities, trade, build, fight,
learn. Four ways lead to victory, and whoever reaches the end of one first wins at once.

## Victories
- **C171** Culture: enter the last space of the culture track.
- **C172** War: win a battle against a capital.
- **C173** Economy: have 15 coins, at any moment, in anybody's turn.
- **C174** Science: research Space Flight; it needs 5, 4, 3, 2 technologies of levels 1 to 4.
- **C175** The active seat is looked at first, then clockwise. **C176** Of several Space Flights
  the one with more trade left wins, then the one first in turn. **C177** A game ends without a
  winner after the turns that the table agreed on.

## Set-up
- **C5** A civilization each, by lot or chosen. **C13** Home tiles lie open, neutral tiles face
  down.
- **C6** Everybody has one infantry, mounted and artillery card. **C9** Four wonders lie open.
  **C12** The market has one token of iron, silk, incense and wheat for each seat.
- **C18** The capital goes to a middle square of the home tile, **C20** an army and a scout beside
  it, not on water. **C23** The trade dial begins with the trade around the capital.

## A turn
- **C27** Five phases; in each every seat has its turn, from the first player on. **C28** The
  first player changes clockwise.
- **C29** What is once per turn is counted anew in each turn.

## 1 Start of turn
- **C32** Found cities: two in all, three with Irrigation. **C33** The square is no water, all
  eight squares around it are face up, without hut, village and enemy, and every city is at least
  three squares away. **C34** A scout on the square is given up. **C36** Other figures move out.
- **C39** In the turn after a government was unlocked you may change to it at once; **C40**
  otherwise go to Anarchy, and choose freely in the next turn. **C41** In Anarchy the capital does
  not act.
- **C79** Great people that were set aside before this phase can be placed. **C146** A square with
  a scout of yours can be sent to another city of yours.

## 2 Trade
- **C43** Collect the trade in the outskirts of your cities; the dial ends at 27.
- **C45** Then each seat has the floor once: **C48** two offers at most, of trade, culture,
  tokens, markers and events, which the partner accepts or refuses. **C49** A hidden marker can be
  shown.

## 3 Cities
- **C50** Each city acts once: make something, devote itself to the arts, or harvest.
- **C53** One item: **C57** an army (4) or a scout (6), **C59** a unit (5, 7, 9, 11 by rank;
  aircraft 12), **C61** a building, **C64** a wonder, **C67** walls (7). **C54** 3 trade make up
  for 1 missing production.
- **C61** One building with a star and **C64** one wonder in a city. **C68** New ones may replace
  own buildings, wonders and people. **C69** Upgrades turn all buildings of a kind at once.
- **C70** Arts: 1 culture, and 1 for each culture icon. **C81** Harvest: a market token of a
  resource that the city shows.
- **C71** Pay for steps on the culture track, as many as you can: **C72** each gives an event or a
  great person. **C75** Two events may be held, more by technologies; **C76** who has more
  discards.
- **C86** Resource abilities: each once per turn, for the tokens it costs. **C87** "Any" is any.

## 4 Movement
- **C89** Every figure moves once, **C92** alone or as a group of one square, **C91**
  orthogonally, **C90** as far as the travel speed. **C94** No more figures may rest in a square
  than the limit.
- **C95** Water needs a technology. **C98** A step turns up the tile next to the figure.
- **C101** An army that enters a hut or village stops there: **C102** a hut is a resource,
  **C103** a village is defended by one unit of each type, which your left neighbour plays.
- **C105** Entering a square with enemies is a battle; scouts alone are removed. **C106** Entering
  an enemy city is a battle with the city.
- **C145** A scout gathers all that its square shows. **C152** A square with an enemy figure
  yields nothing. **C155** Both count where figures rest, not on their way.

## Battle
- **C112** Both draw units at random: 3, 2 more for each army beyond the first, 3 more for a city.
- **C114** Bonuses: buildings, generals, 6 for a city, 12 for a capital, 4 for walls; the higher
  side takes the difference.
- **C115** Units are played in turn, the defender first, at walls the attacker. **C117** Into a
  new front, or against an enemy in a front. **C118** Both deal wounds equal to their strength; a
  unit with as many wounds as strength dies. **C119** Infantry beats mounted, mounted artillery,
  artillery infantry: the better one deals first.
- **C123** Survivors and bonus are added; the higher sum wins, the defender if they are equal.
- **C124** The winner loses an army for every two units killed, not the last. **C125** The loser's
  figures are removed once the winner rests there, **C131** a city is destroyed.
- **C126** Loot: 1 point for figures, 2 for a city. **C128** 1 point: 3 trade, 3 culture, a token,
  or a coin token is lost. **C129** 2 points: a technology, an event, a coin token.

## 5 Research
- **C160** All choose in secret. **C161** A technology of level 1 to 5 needs 6, 11, 16, 21, 26
  trade, and **C162** each card of a level lies on two of the level below.
- **C164** Then all trade is spent, but 1 for each coin.

## Windows
- Who can cancel or interrupt what another seat does, and wants to be asked, is asked. What you
  want to be asked about is your guard, which everybody sees.
"""


def _technologies() -> list[str]:
    rows = ["## Technologies", "| technology | level | gives |", "|---|---|---|"]
    for each in TECHNOLOGIES:
        gives = [f"builds {key}" for key in each.buildings]
        gives += [f"{each.unit} rank {each.level if each.unit != 'aircraft' else 1}"] * bool(
            each.unit
        )
        gives += [f"government {each.government}"] * bool(each.government)
        gives += [f"speed {each.travel}"] * bool(each.travel)
        gives += [f"limit {each.stacking}"] * bool(each.stacking)
        gives += ["a coin"] * each.coin + ["an event more"] * each.hand
        text = "; ".join([*gives, TECHNOLOGY_TEXTS[each.key]])
        rows.append(f"| {each.key} | {each.level} | {text} |")
    return rows


def _icons(icons: tuple[int, ...], combat: int) -> str:
    keys = ("trade", "production", "culture", "coin")
    words = [f"{amount} {key}" for amount, key in zip(icons, keys, strict=True) if amount]
    return ", ".join(words + [f"{combat} combat"] * bool(combat))


def _components() -> list[str]:
    rows = ["", "## Buildings", "| building | cost | yields |", "|---|---|---|"]
    rows += [
        f"| {each.key}{' *' * each.is_limited} | {each.cost} | {_icons(each.icons, each.combat)} |"
        for each in BUILDINGS
    ]
    rows += ["", "## Great people", f"{PERSON_COPIES} of each.", "| kind | yields |", "|---|---|"]
    rows += [f"| {each.key} | {_icons(each.icons, each.combat)} |" for each in PERSONS]
    rows += ["", "## Wonders", "| wonder | era | cost | does |", "|---|---|---|---|"]
    for wonder in WONDERS:
        lower = f", {wonder.lower_cost} with {wonder.technology}" if wonder.technology else ""
        text = WONDER_TEXTS[wonder.key]
        rows.append(f"| {wonder.key} | {ERAS[wonder.era]} | {wonder.cost}{lower} | {text} |")
    return rows


def _cards() -> list[str]:
    rows = ["", "## Events", "| event | era | number | does |", "|---|---|---|---|"]
    rows += [
        f"| {each.key} | {ERAS[each.era]} | {each.copies} | {EVENT_TEXTS[each.key]} |"
        for each in EVENT_KINDS
    ]
    rows += ["", "## Governments", "| government | does |", "|---|---|"]
    rows += [f"| {key} | {GOVERNMENT_TEXTS[key]} |" for key in GOVERNMENTS]
    rows += ["", "## Civilizations", "| civilization | begins with | is |", "|---|---|---|"]
    rows += [
        f"| {each.key} | {each.technology} | {CIVILIZATION_TEXTS[each.key]} |"
        for each in CIVILIZATIONS
    ]
    huts = ", ".join([f"{copies} {key}" for key, copies in HUTS])
    villages = ", ".join([f"{copies} {key}" for key, copies in VILLAGES])
    return [*rows, "", f"Huts: {huts}. Villages: {villages}."]


RULES: Final = "\n".join([_RULES, *_technologies(), *_components(), *_cards()]) + "\n"
