"""What every game must pass.  A new game is covered as soon as it is in GAMES."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.game import Game
from core.games import GAMES
from core.requests import Action, Choice, Claim, Request, Roll, Shuffle
from core.table import Observation, OptionValue, Table
from core.testing import (
    CHECKS,
    everything_that_all_can_see_is_told,
    no_card_can_be_followed_through_a_hand,
)
from core.testing.checks import (
    Check,
    every_counter_keeps_its_place,
    hidden_faces_change_nothing_a_player_may_do,
    it_can_be_imagined,
    machines_that_know_only_their_own_cards_agree_at_every_step,
    random_games_end_and_score_every_player,
    the_audit_of_an_honest_log_finds_nothing,
    visibly_illegal_actions_are_refused_and_change_nothing,
    what_is_asked_can_be_asked_once_more,
)
from core.testing.worlds import blind_game, followed_game
from scripts.bench.hearts import GAME as HEARTS
from tests.gin_rummy import GIN_RUMMY
from tests.guide import LOW_HAND
from tests.rounds import POINTS, TWO_ROUNDS
from tests.toy import REALM
from tests.tricks import TRICK_BIDS

ALL = [*GAMES.values(), REALM, LOW_HAND, GIN_RUMMY, HEARTS, TWO_ROUNDS, TRICK_BIDS]
# In the toy nobody mixes the hand after a draw; that this is found is tested below.
MIXES_NOTHING = (REALM, no_card_can_be_followed_through_a_hand)
CASES = [(game, check) for check in CHECKS for game in ALL if (game, check) != MIXES_NOTHING]


def marked(game: Game, check: Check) -> Any:
    """A case; the games of Civilization are the longest."""
    marks = [pytest.mark.slow] if game.slug == "civilization" else []
    return pytest.param(game, check, id=f"{check.__name__}-{game.slug}", marks=marks)


@pytest.mark.parametrize(("game", "check"), [marked(*case) for case in CASES])
def test_every_game_keeps(game: Game, check: Check) -> None:
    check(game)  # Which asserts.
    assert check.__doc__


@pytest.mark.parametrize("game", [GAMES["carta"], GIN_RUMMY, TWO_ROUNDS])
def test_one_machine_follows_the_very_game_that_all_machines_play(game: Game) -> None:
    follows, plays = followed_game(game, 2), blind_game(game, 2)
    assert [*follows.play()] == [*plays.play()]
    assert len(follows.peers) == 1 < len(plays.peers)


def test_a_game_in_which_a_drawn_card_can_be_followed_is_found() -> None:
    with pytest.raises(AssertionError, match=r"a hidden card left seat\d\.hand"):
        no_card_can_be_followed_through_a_hand(REALM)


def test_the_game_of_the_guide_is_found_when_its_owners_do_not_mix() -> None:
    def advance(table: Table) -> Request | None:
        request = LOW_HAND.advance(table)
        is_own = isinstance(request, Shuffle) and request.player is not None
        return Choice(table.counters[1]) if is_own else request

    with pytest.raises(AssertionError, match=r"a hidden card left seat\d\.hand"):
        no_card_can_be_followed_through_a_hand(replace(LOW_HAND, advance=advance))


def test_a_claim_about_an_open_card_is_found() -> None:
    """Nobody can prove it at a table: an open card has no layers."""

    def claim(table: Table, player: int, action: Action) -> Claim:
        return Claim(tuple(table.zones[1][:1]), tuple(range(len(LOW_HAND.faces))))

    with pytest.raises(AssertionError, match=r"discard.* claims an open card"):
        the_audit_of_an_honest_log_finds_nothing(replace(LOW_HAND, claim=claim))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"steering": ()}, "stage changed"),
        ({"tells": {"turn": (), "revealed": ()}}, "turn changed"),
        ({"tells": {"discard": ("turn",), "revealed": ()}}, "turn is not in Game.tells"),
    ],
)
def test_a_game_that_leaves_something_out_of_its_story_is_found(
    changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        everything_that_all_can_see_is_told(replace(LOW_HAND, **changed))


def test_a_game_that_shows_hands_without_a_word_is_found() -> None:
    def advance(table: Table) -> Request | None:
        told, table.told = table.told, None
        request = LOW_HAND.advance(table)
        table.told = told
        return request

    with pytest.raises(AssertionError, match=r"seat\d\.hand changed"):
        everything_that_all_can_see_is_told(replace(LOW_HAND, advance=advance))


def test_a_game_that_cannot_go_on_where_nothing_is_owed_is_found() -> None:
    """As in imagined games, in which whoever sees a zone has seen its cards at once."""

    def advance(table: Table) -> Request:
        request = LOW_HAND.advance(table)
        return table.owed[0] if request is None else request

    with pytest.raises(IndexError):
        it_can_be_imagined(replace(LOW_HAND, advance=advance))


def test_a_choice_behind_which_advance_goes_on_by_itself_is_found() -> None:
    """As the guide has it before a shuffle: the state changes first, then the request is made."""

    def advance(table: Table) -> Request | None:
        request = LOW_HAND.advance(table)
        if isinstance(request, Choice):
            table.counters[0] = 2  # DRAW, though nobody has discarded.
        return request

    with pytest.raises(AssertionError, match=r"asked again for Choice\(player=0\).*`apply`"):
        what_is_asked_can_be_asked_once_more(replace(LOW_HAND, advance=advance))


def by_cards_of_others(table: Table, player: int, observation: Observation) -> list[Action]:
    other = table.zones[2 + (player + 1) % table.layout.players]
    offered = LOW_HAND.legal_actions(table, player, observation)
    return offered if observation[other[0]] > 4 else offered[:1]


def sorting_the_hand(table: Table, player: int, observation: Observation) -> list[Action]:
    table.zones[2 + player].sort(key=lambda card: observation[card])
    return LOW_HAND.legal_actions(table, player, observation)


@pytest.mark.parametrize(
    ("changed", "check", "said"),
    [
        ({"advance": lambda table: Roll(2)}, random_games_end_and_score_every_player,
         r"`advance` was asked \d+ times without a choice in 'play', and gives Roll"),
        ({"legal_actions": lambda table, player, observation: []},
         random_games_end_and_score_every_player, r"seat \d has to choose in 'play', and nothing"),
        ({"legal_actions": by_cards_of_others}, hidden_faces_change_nothing_a_player_may_do,
         r"seat \d may \['discard .* by cards that it cannot see"),
        ({"legal_actions": sorting_the_hand},
         machines_that_know_only_their_own_cards_agree_at_every_step, "differ in their zones"),
        ({"claim": lambda table, player, action: Claim(action.cards, (0,))},
         the_audit_of_an_honest_log_finds_nothing, r"discard.* is legal, and its claim not true"),
    ],
    ids=["endless", "nothing to choose", "peeks", "sorts", "false claim"],
)  # fmt: skip
def test_what_is_wrong_with_the_rules_is_said_where_the_check_fails(
    changed: dict[str, Any], check: Check, said: str
) -> None:
    """An author sees no values: pytest explains the asserts of tests alone."""
    with pytest.raises(AssertionError, match=said):
        check(replace(LOW_HAND, **changed))


def test_an_action_with_a_card_too_many_that_is_accepted_is_found() -> None:
    """Of two cards that are passed the second stayed, and nobody was told that it is wrong."""

    def apply(table: Table, player: int, action: Action) -> None:
        TWO_ROUNDS.apply(table, player, action._replace(cards=action.cards[:1]))

    with pytest.raises(AssertionError, match="was accepted but is not legal"):
        visibly_illegal_actions_are_refused_and_change_nothing(replace(TWO_ROUNDS, apply=apply))


def test_a_counter_that_is_no_whole_number_is_named() -> None:
    def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
        table = TWO_ROUNDS.setup(players, options)
        table.counters[POINTS] = 0.5  # type: ignore[call-overload]
        return table

    with pytest.raises(AssertionError, match=r"counter seat0.points is 0\.5"):
        every_counter_keeps_its_place(replace(TWO_ROUNDS, setup=setup))
