"""Which verb does what in which frame, and which frames carry on by themselves.

A rule gives the actions of its verb and does them.  An open rule is about what everybody sees:
what it does not offer is refused.  The others look at a card that may be hidden, and judge it
themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from core.games.civilization import (
    aftermath,
    battle_turns,
    battles,
    cities,
    course,
    culture,
    effects,
    frames,
    movement,
    plays,
    powers,
    research,
    setup,
    start_of_turn,
    trade,
    windows,
)
from core.games.civilization.wealth import ANIMAL_HUSBANDRY, BIOLOGY
from core.requests import Action, Request
from core.table import Observation, Table

Offers: TypeAlias = Callable[[Table, int, Observation], list[Action]]
Deed: TypeAlias = Callable[[Table, int, Action], None]
StepRule: TypeAlias = Callable[[Table], Request | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a verb offers and does; `is_open`: what it does not offer is refused."""

    offers: Offers
    do: Deed
    is_open: bool = True
    is_one_card: bool = False  # A rule that is not open and names one card and no number.


def _teach(table: Table) -> Request | None:
    start_of_turn.teach(table)
    return None


STEPS: Final[dict[int, StepRule]] = {
    frames.SETUP: setup.step, frames.COURSE: course.step, frames.PLAY: plays.step,
    frames.ROW: windows.row, frames.STEP: culture.step, frames.DRAW: culture.draw_event,
    frames.GAIN: culture.gain_person, frames.KILL_UNIT: effects.kill_unit,
    frames.BATTLE: battles.step, frames.AFTERMATH: aftermath.step,
    frames.RESEARCH: research.step, frames.LEG: movement.leg, frames.ARRIVE: movement.arrive,
    frames.END_MOVE: movement.end_move, frames.GERMANY_FRAME: research.germany,
    frames.HAND_OVER: trade.hand_over, frames.TEACH: _teach, frames.ACTION: cities.step,
    frames.LOSER_MIX: aftermath.loser_mix,
}  # fmt: skip


_END_ACTION: Final = Action("end")  # Made once, for speed.


def _end_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    return [_END_ACTION]


def _end(table: Table, seat: int, action: Action) -> None:
    frames.pop(table)


def _raw(offers: Offers, do: Deed) -> Rule:
    return Rule(offers, do, is_open=False)


def _card(offers: Offers, do: Deed) -> Rule:
    return Rule(offers, do, is_open=False, is_one_card=True)


_GUARD: Final = Rule(windows.guard_offers, windows.turn_guard)
_END: Final = Rule(_end_offers, _end)


def _event(phase: str) -> Rule:
    return _card(partial(plays.event_offers, phase), plays.play_event)


def _power(phase: str) -> Rule:
    return _raw(partial(plays.power_offers, phase), partial(plays.use_power, phase))


def _shoot(number: int, verb: str) -> Rule:
    offers = partial(battle_turns.wound_offers, number, verb)
    return _raw(offers, partial(battle_turns.shoot, number))


VERBS: Final[dict[int, dict[str, Rule]]] = {
    frames.CIV_CHOICE: {"civ": Rule(setup.civ_offers, setup.choose_civ)},
    frames.CAPITAL: {"capital": Rule(setup.capital_offers, setup.place_capital)},
    frames.FIRST_WONDER_SITE: {"site": Rule(setup.site_offers, setup.place_first_wonder)},
    frames.PLACE_FIGURE: {"place": Rule(setup.figure_offers, setup.place_figure)},
    frames.START_MENU: {
        "found": Rule(start_of_turn.found_offers, start_of_turn.found),
        "settle": Rule(start_of_turn.found_offers, start_of_turn.found),
        "government": Rule(start_of_turn.government_offers, start_of_turn.change_government),
        "anarchy": Rule(start_of_turn.anarchy_offers, start_of_turn.go_to_anarchy),
        "gardens": Rule(start_of_turn.gardens_offers, start_of_turn.use_gardens),
        "liberty": Rule(start_of_turn.liberty_offers, start_of_turn.use_liberty),
        "opera": Rule(start_of_turn.opera_offers, start_of_turn.use_opera),
        "great": Rule(culture.waiting_offers, culture.place_waiting),
        "direct": Rule(start_of_turn.direct_offers, start_of_turn.direct),
        "event": _event("start"),
        "guard": _GUARD,
        "end": Rule(_end_offers, start_of_turn.end_segment),
    },
    frames.SHIFT: {"shift": Rule(start_of_turn.shift_offers, start_of_turn.shift)},
    frames.TRADE_MENU: {
        "offer": Rule(trade.offer_offers, trade.begin_offer),
        "show": _card(trade.show_offers, trade.show),
        "power": _power("trade"),
        "guard": _GUARD,
        "end": _END,
    },
    frames.DEAL: {
        "give": Rule(trade.give_offers, trade.name_amount),
        "ask": Rule(trade.ask_offers, trade.name_amount),
        "done": Rule(trade.done_offers, trade.finish_offer),
    },
    frames.ANSWER_DEAL: {
        "accept": Rule(trade.answer_offers, trade.answer),
        "refuse": Rule(trade.answer_offers, trade.answer),
    },
    frames.HAND_OVER_ONE: {"hand": _card(trade.pick_offers, trade.pick)},
    frames.CITY_MENU: {
        "make": Rule(cities.make_offers, cities.announce),
        "free": Rule(cities.free_offers, cities.announce),
        "split": Rule(cities.split_offers, cities.announce),
        "arts": Rule(cities.arts_offers, cities.announce),
        "harvest": Rule(cities.harvest_offers, cities.announce),
        "reap": Rule(cities.reap_offers, cities.announce),
        "advance": Rule(cities.advance_offers, cities.advance),
        "task": Rule(cities.task_offers, cities.do_coin_task),
        "power": _power("city"),
        "event": _event("city"),
        "guard": _GUARD,
        "end": _END,
    },
    frames.CHOOSE_ITEM: {"also": Rule(cities.item_offers, cities.choose_item)},
    frames.CHOOSE_SITE: {"site": Rule(cities.site_offers, cities.choose_site)},
    frames.PERSON: {
        "place": Rule(culture.person_offers, culture.put_person),
        "sheet": Rule(culture.person_offers, culture.put_person),
    },
    frames.DISCARD: {"discard": _card(culture.discard_offers, culture.discard)},
    frames.MOVE_MENU: {
        "move": Rule(movement.move_offers, movement.begin_move),
        "infiltrate": Rule(movement.infiltrate_offers, movement.infiltrate),
        "power": _power("move"),
        "event": _event("move"),
        "guard": _GUARD,
        "end": _END,
    },
    frames.MOVING: {
        "go": Rule(movement.moving_offers, movement.announce_leg),
        "via": Rule(movement.moving_offers, movement.announce_leg),
        "discover": Rule(movement.moving_offers, movement.discover),
        "stop": Rule(movement.moving_offers, movement.stop),
    },
    frames.RAZE: {
        "raze": Rule(movement.raze_offers, movement.raze),
        "spare": Rule(movement.raze_offers, movement.raze),
    },
    frames.TARGET: {
        "target": Rule(plays.target_offers, plays.name_target),
        "done": Rule(plays.target_offers, plays.name_target),
    },
    frames.PAY: {"pay": _raw(plays.pay_offers, plays.pay)},
    frames.CONSENT: {
        "consent": Rule(plays.consent_offers, plays.consent),
        "refuse": Rule(plays.consent_offers, plays.consent),
    },
    frames.WINDOW: {
        "answer": _raw(windows.answer_offers, windows.answer),
        "guard": _GUARD,
        "pass": Rule(windows.pass_offers, windows.let_pass),
    },
    frames.FIGHT: {
        "heal": Rule(partial(battle_turns.heal_offers, ANIMAL_HUSBANDRY), battle_turns.heal),
        "biology": Rule(partial(battle_turns.heal_offers, BIOLOGY), battle_turns.heal),
        "mathematics": _shoot(powers.MATHEMATICS, "mathematics"),
        "ballistics": _shoot(powers.BALLISTICS, "ballistics"),
        "play": _card(battle_turns.play_offers, battle_turns.play_unit),
        "end": Rule(battle_turns.end_offers, battle_turns.end_turn),
    },
    frames.CHOOSE_FRONT: {
        "iron": _raw(battle_turns.iron_offers, battle_turns.use_iron),
        "front": Rule(battle_turns.front_offers, battle_turns.choose_front),
        "new": Rule(battle_turns.front_offers, battle_turns.choose_front),
    },
    frames.WOUND: {
        "wound": Rule(battle_turns.aim_offers, battle_turns.wound_one),
        "done": Rule(battle_turns.aim_offers, battle_turns.wound_one),
    },
    frames.HEAL: {"cure": Rule(battle_turns.cure_offers, battle_turns.cure)},
    frames.NATIVES: {"deck": Rule(battles.natives_offers, battles.choose_deck)},
    frames.AFAR: {"target": Rule(battle_turns.afar_offers, battle_turns.give_afar)},
    frames.LOOT: {
        "loot": Rule(aftermath.loot_offers, aftermath.take_loot),
        "token": Rule(aftermath.token_offers, aftermath.take_token),
        "seize": Rule(aftermath.seize_offers, aftermath.seize),
        "ruin": Rule(aftermath.ruin_offers, aftermath.ruin),
        "coin": Rule(aftermath.coin_offers, aftermath.take_coin),
        "learn": Rule(aftermath.teach_offers, aftermath.take_technology),
        "end": _END,
    },
    frames.VILLAGE: {
        "keep": _card(aftermath.village_offers, aftermath.settle_village),
        "open": _card(aftermath.village_offers, aftermath.settle_village),
    },
    frames.RESCUE: {
        "rescue": Rule(aftermath.rescue_offers, aftermath.rescue),
        "leave": Rule(aftermath.rescue_offers, aftermath.rescue),
    },
    frames.CHOOSE_GIFT: {"gift": Rule(research.gift_offers, research.take_gift)},
    frames.STUDY: {"learn": Rule(start_of_turn.study_offers, start_of_turn.study)},
    frames.RESEARCH: {
        "learn": Rule(research.research_offers, research.pick),
        "none": Rule(research.research_offers, research.pick),
    },
    frames.GUARDING: {"guard": _GUARD, "end": _END},
}
