"""Starting, feeding, settling."""

from __future__ import annotations

from collections import Counter

import pytest

from core.chance import Chance
from core.engine import apply_event, run_until_choice, shuffle_deal, start
from core.games.carta import GAME as CARTA
from core.requests import (
    Action,
    Choice,
    Chosen,
    Opened,
    Over,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
    numbered,
)
from core.table import RulesError
from tests.core.deck import DECK, HAND0, table_with
from tests.toy import REALM

GAME = REALM


def test_options_are_complete_before_the_game_sees_them() -> None:
    table = start(GAME, 2, {})
    assert table.layout.options == {"turns": 12}
    table = start(GAME, 2, {"turns": 4})
    assert table.layout.options == {"turns": 4}


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (1, {}, "2 to 4 seats, not 1"),
        (2, {"turns": 5}, "takes one of 12, 4"),
        (2, {"turns": "4"}, "takes one of 12, 4"),
        (2, {"turns": True}, "takes one of 12, 4"),
        (2, {"fly": 1}, "has no option 'fly'; it has turns"),
    ],
)
def test_seats_and_options_that_a_game_has_not_are_refused(
    players: int, options: dict[str, str | int | bool], message: str
) -> None:
    with pytest.raises(RulesError, match=message):
        start(GAME, players, options)


def test_an_option_may_be_for_some_numbers_of_seats_only() -> None:
    start(CARTA, 4, {"team": True})
    start(CARTA, 2, {"team": False})
    with pytest.raises(RulesError, match="team needs 4 seats, not 2"):
        start(CARTA, 2, {"team": True})


def test_events_that_do_not_answer_the_request_are_refused() -> None:
    requests = (Choice(0), Secret((0, 1)), Reveal((0,), None), Shuffle(((0, 1),)), Roll(6), Over())
    end = Action("end")
    events = (Chosen(end), Opened((end, end)), Revealed((0,)), Shuffled(), Rolled(3))
    for index, request in enumerate(requests):
        for other, event in enumerate(events):
            if index != other:
                with pytest.raises(RulesError):
                    apply_event(GAME, table_with([0, 1]), request, event)


def test_a_roll_outside_its_sides_is_refused() -> None:
    for number in (-1, 6, 1000):
        with pytest.raises(RulesError, match="does not answer"):
            apply_event(GAME, table_with([0]), Roll(6), Rolled(number))


def test_a_secret_needs_an_answer_from_everybody() -> None:
    with pytest.raises(RulesError, match="does not answer"):
        apply_event(GAME, table_with([0]), Secret((0, 1)), Opened((Action("end"),)))


def test_a_private_reveal_names_no_faces_and_a_public_one_all() -> None:
    for request, event in (
        (Reveal((0,), 1), Revealed((0,))),
        (Reveal((0, 1), None), Revealed((0,))),
        (Reveal((0,), None), Revealed()),
    ):
        table = table_with([0, 1])
        table.mix((0, 1), None)
        table.owed = [request]
        with pytest.raises(RulesError, match="do not answer"):
            apply_event(GAME, table, request, event)


def test_settling_ends_where_somebody_has_to_choose_with_all_reveals_paid() -> None:
    table = start(GAME, 3, {})
    deal = table.face[:]
    pending = run_until_choice(GAME, table, deal, Chance(1))
    assert pending == Choice(0)
    assert table.owed == []
    assert [len(table.zones[11 + 5 * seat]) for seat in range(3)] == [5, 5, 5]


def test_settling_is_the_same_for_the_same_chance() -> None:
    digests, deals = set(), set()
    for _ in range(2):
        table = start(GAME, 3, {})
        deal = table.face[:]
        run_until_choice(GAME, table, deal, Chance(1))
        digests.add(table.digest())
        deals.add(tuple(deal))
    assert len(digests) == len(deals) == 1


def test_a_shuffle_of_the_deal_keeps_the_faces_of_the_pile_and_touches_no_other() -> None:
    deal = [2, 1, 0, 0, 1, 2]
    shuffle_deal(deal, (0, 1, 3), Chance(3))
    assert Counter(deal[card] for card in (0, 1, 3)) == Counter([2, 1, 0])
    assert (deal[2], deal[4], deal[5]) == (0, 1, 2)


def test_every_order_of_a_shuffle_is_as_likely_as_any_other() -> None:
    chance, orders = Chance(2026), Counter[tuple[int, ...]]()
    for _ in range(6000):
        deal = [0, 1, 2]
        shuffle_deal(deal, (0, 1, 2), chance)
        orders[tuple(deal)] += 1
    # Chi-square with 5 degrees of freedom: 20.5 is exceeded once in a thousand seeds.
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5
    assert len(orders) == 6


def test_the_bottom_of_the_deck_is_first_and_its_top_last() -> None:
    table = table_with([0, 1, 2])
    table.move(table.zones[DECK][-1], DECK, HAND0)
    assert table.face[table.zones[HAND0][0]] == 2


def test_an_action_that_is_made_once_is_like_any_other() -> None:
    assert numbered("go", 7) == Action("go", (), 7)
    assert numbered("go", 7) is numbered("go", 7)
    assert numbered("via", 7) == Action("via", (), 7)
