"""What a seat may do now, and doing it (`rules.py` says which verb does what)."""

from __future__ import annotations

from typing import Final

from core.games.civilization.aftermath import claim_of_village
from core.games.civilization.frames import ASKED_KINDS, KIND, top
from core.games.civilization.rules import VERBS
from core.games.civilization.turn import check_asked
from core.requests import Action, Claim
from core.table import Observation, RulesError, Table

# By frame: its verbs, and what they offer; verbs that exclude each other share it.
_VERBS: Final = tuple([VERBS.get(kind, {}) for kind in range(len(ASKED_KINDS))])
_OFFERS: Final = tuple(
    [tuple(dict.fromkeys([rule.offers for rule in verbs.values()])) for verbs in _VERBS]
)


def legal_actions(table: Table, seat: int, observation: Observation) -> list[Action]:
    """Everything `seat` may do now, in an order that is the same everywhere."""
    check_asked(table, seat)
    found: list[Action] = []
    for offers in _OFFERS[table.counters[top(table) + KIND]]:
        more = offers(table, seat, observation)
        if more:
            found += more
    return found


def apply(table: Table, seat: int, action: Action) -> None:
    """Carry out an action.

    Raises:
        RulesError: it is visibly against the rules; the table is as it was.
    """
    check_asked(table, seat)
    kind = table.counters[top(table) + KIND]
    verb, cards, number = action
    rule = _VERBS[kind].get(verb)
    if rule is None:
        raise RulesError(f"nobody can {verb} now: what is asked is {ASKED_KINDS[kind]}")
    if rule.is_open:
        if table.checks_offers() and action not in rule.offers(table, seat, table.face):
            raise RulesError(f"{verb} is not possible like this")
    elif rule.is_one_card and (len(cards) != 1 or number):
        raise RulesError(f"{verb} names one card and nothing else")
    rule.do(table, seat, action)


def claim(table: Table, seat: int, action: Action) -> Claim | None:
    """What an action says about a card that stays hidden: only a village marker that is kept."""
    return claim_of_village(table, seat, action)
