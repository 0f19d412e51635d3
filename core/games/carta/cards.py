"""What lies on a table of Carta: 104 cards, the zones they lie in, and what else is counted.

A card carries nothing but a domain on its face and an age on its back (1.1).  Cards 0 to 43 are of
age III, 44 to 75 of age II and 76 to 103 of age I, so the deck as it is laid out already has age
III at the bottom, and a shuffle within each age keeps the backs where they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Option
from core.native import i64
from core.requests import Card
from core.table import OptionValue, Place, Sight, Table

DOMAINS: Final = ("military", "religion", "economy", "science", "culture", "utopia")
MILITARY: Final = 0
RELIGION: Final = 1
ECONOMY: Final = 2
SCIENCE: Final = 3
CULTURE: Final = 4
UTOPIA: Final = 5
# 1.1: how many cards of each domain an age has, the bottom of the deck first.
COPIES: Final = {
    "III": (4, 0, 8, 8, 8, 16),
    "II": (8, 8, 4, 8, 4, 0),
    "I": (8, 8, 4, 4, 4, 0),
}
BACKS: Final = tuple(age for age, copies in COPIES.items() for _ in range(sum(copies)))
AGES: Final = tuple(tuple(COPIES).index(back) for back in BACKS)  # By card: 0 is age III.
FIRST_OF_AGE_II: Final = 44  # The cards before are of age III.
FIRST_OF_AGE_I: Final = 76
EVERY_AGE: Final = 0b1_000001_000001  # Times the bits of domains: the kinds of all three ages.
PILES: Final = tuple(  # Age I first: the order in which the one shuffle of the set-up names them.
    tuple(card for card, back in enumerate(BACKS) if back == age) for age in ("I", "II", "III")
)
SEATS_MAX: Final = 4
# 4.1: the cards that level 1 and level 2 need, by the number of seats.
LEVEL_1: Final[tuple[int, ...]] = (0, 0, 3, 3, 2)
LEVEL_2: Final[tuple[int, ...]] = (0, 0, 5, 5, 4)

# ---- zones: every number is written out, so that compiled rules hold the number itself ----

DECK: Final = 0
BOX: Final = 1
DISCARD: Final = 2
MIDDLE: Final = 3
_SEAT_ZONES: Final = 11
_FIRST: Final = tuple(4 + _SEAT_ZONES * seat for seat in range(SEATS_MAX))
HAND: Final = _FIRST  # Indexed by seat, like all of these.
PLAYING: Final = tuple(zone + 1 for zone in _FIRST)  # A hand card, turned up on its way.
KEPT: Final = tuple(zone + 2 for zone in _FIRST)  # Picked in the draft, not to be passed on.
AREA: Final = tuple(zone + 3 for zone in _FIRST)  # The first of six zones, one per domain.
EMBARGO: Final = tuple(zone + 9 for zone in _FIRST)  # Markers lying on this seat's domains.
DEMOCRACY: Final = tuple(zone + 10 for zone in _FIRST)

# ---- counters ----

COUNTERS: Final = (
    "phase", "turn", "start", "turns", "round.draft",
    "used.permanent", "used.discard",  # Bit d is set when the effect of domain d was used.
    "need",  # Cards that the running effect still asks for.
    "plays",  # Cards that the running effect still lets play.
    "victim", "taken",  # Inquisition: whose hand was taken, and how many cards.
    "drawn",  # Cards drawn in this turn's step 3.
    "coin.holder", "coin.domain", "coin.level", "coin.turns",
    "last.round", "extra.rounds", "hegemony",
)  # fmt: skip
PHASE: Final = 0
TURN: Final = 1
START: Final = 2
TURNS: Final = 3
DRAFT_ROUND: Final = 4
USED_PERMANENT: Final = 5
USED_DISCARD: Final = 6
NEED: Final = 7
PLAYS: Final = 8
VICTIM: Final = 9
TAKEN: Final = 10
DRAWN: Final = 11
COIN_HOLDER: Final = 12
COIN_DOMAIN: Final = 13
COIN_LEVEL: Final = 14
COIN_TURNS: Final = 15
LAST_ROUND: Final = 16
EXTRA_ROUNDS: Final = 17
HEGEMONY: Final = 18
FRESH: Final = 19  # Embargoes laid on oneself in this turn, one counter per domain.
EMBARGOED: Final = tuple(FRESH + 6 + 12 * seat for seat in range(SEATS_MAX))
MARKED: Final = tuple(FRESH + 12 + 12 * seat for seat in range(SEATS_MAX))  # By Democracy.
NOBODY: Final = -1

# ---- phases: those before KEEP and after OVER need no choice ----

PHASES: Final = (
    "shuffle", "roll", "deal", "reveal", "draw", "mix", "end", "over",
    "keep", "middle", "play", "effects", "discard hand", "discard area", "return", "play more",
    "attack", "inquisition", "give", "take", "embargo", "democracy", "copy",
    "pass", "mix deal", "mix taken", "mix given", "mix drawn",
)  # fmt: skip
SHUFFLING: Final = 0
ROLLING: Final = 1
DEALING: Final = 2
REVEALING: Final = 3
DRAWING: Final = 4
MIXING: Final = 5
ENDING: Final = 6
OVER: Final = 7
KEEPING: Final = 8
CHOOSING_MIDDLE: Final = 9
PLAYING_CARD: Final = 10
USING_EFFECTS: Final = 11
DISCARDING_HAND: Final = 12
DISCARDING_AREA: Final = 13
RETURNING: Final = 14
PLAYING_MORE: Final = 15
ATTACKING: Final = 16
INQUIRING: Final = 17
GIVING: Final = 18
TAKING: Final = 19
LAYING_EMBARGO: Final = 20
LAYING_DEMOCRACY: Final = 21
COPYING: Final = 22
PASSING: Final = 23
MIXING_DEAL: Final = 24
MIXING_TAKEN: Final = 25
MIXING_GIVEN: Final = 26
MIXING_DRAWN: Final = 27

OPTIONS: Final = (
    Option("deal", ("basic", "draft")),  # 2.3, 2.4
    Option("embargo_target", ("other", "any")),  # F8
    Option("embargo_scope", ("play", "use")),  # F9
    Option("democracy_target", ("other", "any")),  # F11
    Option("coin", ("kr", "jp")),  # F14
    Option("strict_hand_limit", (False, True)),  # F6
    Option("extra_last_round", (False, True)),  # F16
    Option("culture_majority_vs_partner", (True, False), only_with=("team", True)),  # E21
    Option("team", (False, True), players=(4,)),  # 7.1
)


def places(players: int) -> list[Place]:
    """Every zone, in the order of the constants above."""
    everyone, owner = Sight.EVERYONE, Sight.OWNER
    zones = [
        Place("deck", Sight.NOBODY),
        Place("box", Sight.NOBODY),
        Place("discard", everyone),
        Place("middle", everyone),
    ]
    for seat in range(players):
        zones.append(Place(f"seat{seat}.hand", owner, seat))
        zones.append(Place(f"seat{seat}.playing", everyone, seat))
        zones.append(Place(f"seat{seat}.kept", owner, seat))
        zones += [Place(f"seat{seat}.{domain}", everyone, seat) for domain in DOMAINS]
        zones.append(Place(f"seat{seat}.embargo", everyone, seat))
        zones.append(Place(f"seat{seat}.democracy", everyone, seat))
    return zones


def counter_names(players: int) -> list[str]:
    """Every counter, in the order of the constants above."""
    names = [*COUNTERS, *(f"fresh.embargo.{domain}" for domain in DOMAINS)]
    for seat in range(players):
        names += [f"seat{seat}.embargo.{domain}" for domain in DOMAINS]
        names += [f"seat{seat}.democracy.{domain}" for domain in DOMAINS]
    return names


# ---- what the options and the number of seats decide ----


def has_option(table: Table, key: str, value: OptionValue) -> bool:
    """Whether this table plays with that variant."""
    return table.layout.options[key] == value


def is_team_game(options: Mapping[str, OptionValue]) -> bool:
    """7.1: partners face each other."""
    return options["team"] is True


def domain_counts(table: Table, seat: int) -> list[int]:
    """Face-up cards of each domain in the area of `seat`; markers do not count (E5)."""
    zones, first = table.zones, AREA[seat]
    return [len(zones[zone]) for zone in range(first, first + 6)]


def area_count(table: Table, seat: int) -> int:
    """All face-up cards in the area of `seat`."""
    zones, first, count = table.zones, AREA[seat], 0
    for zone in range(first, first + 6):
        count += len(zones[zone])
    return count


def has_in_area(table: Table, seat: int, count: int) -> bool:
    """Whether so many face-up cards, at least one, are in the area of `seat`."""
    zones, first = table.zones, AREA[seat]
    zone: i64
    for zone in range(first, first + 6):
        count -= len(zones[zone])
        if count <= 0:
            return True
    return False


def area_of(table: Table, seat: int, card: Card) -> int:
    """The zone of the own area in which a card lies; NOBODY when it lies elsewhere."""
    first = AREA[seat]
    for zone in range(first, first + 6):
        if card in table.zones[zone]:
            return zone
    return NOBODY


def banned(table: Table, seat: int) -> int:
    """E1, E3: the domains under an embargo that binds `seat` in its own turn now, as bits."""
    if not table.zones[EMBARGO[seat]]:
        return 0
    counters, first, bits = table.counters, EMBARGOED[seat], 0
    for domain in range(6):
        # F8: an embargo laid on oneself begins to bind with the next turn.
        if counters[first + domain] > counters[FRESH + domain]:
            bits |= 1 << domain
    return bits
