"""How ten kinds become the kingdom when the players find them, and what is refused on the way."""

from __future__ import annotations

import pytest

from core.chance import Chance
from core.engine import run_until_choice
from core.game import complete_options
from core.games.dominion.cards import BOX, KEYS
from core.games.dominion.kingdoms import kinds_of
from core.requests import Action, Choice
from core.table import RulesError
from tests.core.games.dominion.stage import GAME, Stage
from tests.core.games.dominion.test_setup import begun, kingdom


@pytest.mark.parametrize(("edition", "strikes"), [(1, 15), (2, 16)])
def test_kinds_are_struck_out_in_turn_until_ten_are_left(edition: int, strikes: int) -> None:
    """D5."""
    table, pending = begun(3, kingdom="veto", edition=edition)
    first, struck = pending.player, list[str]()
    for step in range(strikes):
        assert GAME.phase(table) == "draft"
        assert pending.player == (first + step) % 3
        actions = GAME.legal_actions(table, pending.player, table.face)
        assert len(actions) == strikes + 10 - step
        assert {action.verb for action in actions} == {"strike"}
        chosen = actions[step % len(actions)]
        assert GAME.describe(table, chosen, table.face) == f"strike {KEYS[chosen.number]}"
        struck.append(KEYS[chosen.number])
        GAME.apply(table, pending.player, chosen)
        answer = run_until_choice(GAME, table, table.face[:], Chance(1))
        assert isinstance(answer, Choice)
        pending = answer
    assert pending.player == first
    assert GAME.phase(table) == "buy"
    everything = {KEYS[face] for face in kinds_of(edition)}
    assert set(kingdom(table)) == everything - set(struck)
    assert {KEYS[table.face[card]] for card in table.zones[BOX]} == set(struck)


@pytest.mark.parametrize(("way", "verb"), [("veto", "choose"), ("draft", "strike")])
def test_nobody_chooses_where_kinds_are_struck_out_or_the_other_way_round(
    way: str, verb: str
) -> None:
    """D5."""
    table, pending = begun(2, kingdom=way)
    with pytest.raises(RulesError, match="that is not a kind to"):
        GAME.apply(table, pending.player, Action(verb, (), KEYS.index("moat")))


@pytest.mark.parametrize(("way", "verb"), [("draft", "choose"), ("veto", "strike")])
def test_a_kind_is_chosen_or_struck_out_once_and_is_one_of_the_edition(way: str, verb: str) -> None:
    """D5."""
    table, pending = begun(2, kingdom=way)
    GAME.apply(table, pending.player, Action(verb, (), KEYS.index("moat")))
    other = 1 - pending.player
    for name in ("moat", "adventurer", "gold"):
        with pytest.raises(RulesError, match="that is not a kind to"):
            GAME.apply(table, other, Action(verb, (), KEYS.index(name)))


def test_a_wrong_list_of_kinds_is_refused_with_the_names_there_are() -> None:
    """D5."""
    with pytest.raises(RulesError, match=r"or 10 of adventurer, artisan, .*, with commas, not"):
        complete_options(GAME, 2, {"kingdom": "moat,gold"})


def test_refusals_never_count_the_seats() -> None:
    stage = Stage("copper estate", "copper")
    assert stage.table is not None
    refused = [Action("buy", (), KEYS.index("province")), Action("gain", (), 0), Action("stop")]
    hidden = stage.table.zones[stage.table.layout.zone_index["seat1.hand"]][0]
    for action in (*refused, Action("play", (hidden,))):
        with pytest.raises(RulesError) as refusal:
            GAME.apply(stage.table, 0, action)
        assert not any(f"seat {number}" in str(refusal.value) for number in (0, 1))
    with pytest.raises(RulesError, match="it is not for this seat to choose"):
        GAME.apply(stage.table, 1, Action("end"))
