"""Styles: of moves that are about as good the one that is liked, never what is clearly worse."""

from __future__ import annotations

from itertools import islice

import pytest

from ai.games import find_knowledge
from ai.levels import SearchSettings, decide, level_of
from ai.search.knowledge import REWARD_ONE, Knowledge
from ai.search.search import Assistant, Decision, Weakness, search
from ai.search.styles import FULL, liking
from ai.seats.assistants import LocalAssistant
from core.bot_levels import BOT_LEVELS, LEVEL_NAMES, STYLE_NAMES, level_and_style, with_style
from core.chance import Chance
from core.determinization import determinize
from core.engine import Pending
from core.games import OURS, find_game
from core.requests import Action
from core.table import Observation, Table
from tests.ai.positions import Position, positions, real_choices
from tests.ai.race import RACE

ITERATIONS = 400  # With very few, the policy is kept for what is worth more than a style.
BUILDER, ATTACKER, OPPORTUNIST = STYLE_NAMES
CULTURE = "lay culture.science.exploration.red"


class Even(Knowledge):
    """All is even after a move, and the plain one is the last; a test says what is liked."""

    rollout_choices_max = 0
    expansion_visits = 10**6
    mistake_permille = 10
    likes = FULL
    loss = 0  # What the move that is liked costs, in thousandths of a victory.

    def policy(self, table: Table, player: int, observation: Observation) -> Action:
        """The last action."""
        return self.game.legal_actions(table, player, observation)[-1]

    def value(self, table: Table, pending: Pending) -> list[int]:
        """Half of a victory for everybody, less what was given away."""
        lost = self.loss * REWARD_ONE // 1000
        return [REWARD_ONE // 2 - lost * (self.liked in zone) for zone in table.zones[2::2]]

    def lean(
        self, style: str, table: Table, player: int, action: Action, observation: Observation
    ) -> int:
        """It likes one card, whatever the style."""
        return self.likes if action.cards == (self.liked,) else 0

    def think(self, position: Position, style: str) -> Action:
        """What a bot of a style does; it likes the first action."""
        (self.liked,) = position.actions[0].cards
        found = search(
            *(self, position.table, position.observation, position.seat),
            seed=3, iterations=ITERATIONS, weakness=Weakness(style=style),
        )  # fmt: skip
        return found.action


def plays(seed: int) -> list[Position]:
    """Choices of the race between two cards."""
    found = real_choices(positions(RACE, 2, seed))
    return [each for each in found if each.actions[0].cards]


def think(position: Position, style: str, iterations: int) -> Decision:
    game, table, _, seat = position
    settings = SearchSettings(7, with_style("sharp", style), iterations)
    return decide(game, table, position.observation, seat, settings)


def at(slug: str, seed: int, place: int) -> Position:
    """The n-th real choice of a random game of two."""
    found = (each for each in positions(find_game(slug), 2, seed) if len(each.actions) > 1)
    return next(islice(found, place, None))


def shown(position: Position, action: Action) -> str:
    return position.game.describe(position.table, action, position.observation)


# ---- what a style is worth ----


def test_of_moves_that_are_as_good_the_one_that_is_liked_is_made(seed: int) -> None:
    for position in plays(seed):
        assert Even(RACE).think(position, "") == position.actions[-1]
        assert Even(RACE).think(position, BUILDER) == position.actions[0]


def test_what_is_disliked_is_not_made_only_because_the_policy_makes_it(seed: int) -> None:
    position = plays(seed)[0]
    picky = Even(RACE)
    picky.lean = lambda *seen: -FULL * (position.actions[-1] in seen)  # type: ignore[method-assign]
    assert picky.think(position, "") == position.actions[-1]
    assert picky.think(position, BUILDER) != position.actions[-1]


@pytest.mark.parametrize("likes", [FULL, 100 * FULL])
def test_what_costs_more_than_a_style_is_worth_is_not_made_however_much_it_is_liked(
    likes: int, seed: int
) -> None:
    for position in plays(seed):
        eager = Even(RACE)
        eager.likes, eager.loss = likes, Even.mistake_permille + 2
        assert eager.think(position, BUILDER) == position.actions[-1]


def test_a_lean_is_bounded_by_a_mistake_both_ways() -> None:
    assert liking(FULL, 20) == -liking(-FULL, 20) == 20 * REWARD_ONE // 1000
    assert liking(FULL, 40) == liking(FULL, 20), "where mistakes are large, a style is worth less"
    assert liking(7 * FULL, 20) == liking(FULL, 20) and liking(0, 20) == 0


# ---- how it is named ----


def test_every_level_comes_without_a_style_and_with_each() -> None:
    assert len(set(BOT_LEVELS)) == len(LEVEL_NAMES) * (1 + len(STYLE_NAMES))
    for bot_level in BOT_LEVELS:
        assert with_style(*level_and_style(bot_level)) == bot_level
        name, style = level_and_style(bot_level)
        level = level_of(bot_level)
        assert level.weakness == level_of(name).weakness._replace(style=style)
        assert level.seconds == level_of(name).seconds


@pytest.mark.parametrize(
    "wrong", ["steady+", "steady+brutal", "+builder", "steady+builder+builder"]
)
def test_nothing_else_is_a_level(wrong: str) -> None:
    with pytest.raises(AssertionError, match="no level is called"):
        level_of(wrong)


# ---- in our games: what is liked in a position where it is about as good, ... ----


@pytest.mark.parametrize(
    ("where", "style", "plain", "liked"),
    [
        (("carta", 0, 0), BUILDER, "play religion", "play economy"),
        (("carta", 0, 46), ATTACKER, "end", "use religion.x"),
        (("carta", 0, 104), OPPORTUNIST, "play economy", "play utopia"),
        (("dominion", 0, 189), BUILDER, "buy militia", "buy smithy"),
        (("dominion", 1, 220), ATTACKER, "buy market", "buy militia"),
        (("dominion", 1, 201), OPPORTUNIST, "buy village", "buy silver"),
        (("renaissance", 1, 60), BUILDER, "draw", "rotate exploration"),
        (("renaissance", 2, 6), ATTACKER, "place a.1", "place c.3"),
        (("renaissance", 2, 3), OPPORTUNIST, "place c.1", "place b.1"),
        (("civilization", 0, 192), BUILDER, "make army 0", "make granary 0"),
        (("civilization", 0, 255), ATTACKER, "end", "move 2.12 1+0"),
        (("civilization", 1, 87), OPPORTUNIST, "make army 0", "make scout 0"),
    ],
)
def test_a_style_changes_a_choice_between_moves_that_are_about_as_good(
    where: tuple[str, int, int], style: str, plain: str, liked: str
) -> None:
    position, iterations = at(*where), 60 if where[0] == "civilization" else 100
    assert shown(position, think(position, "", iterations).action) == plain
    assert shown(position, think(position, style, iterations).action) == liked


# ---- ... and what is clearly better all the same ----


@pytest.mark.parametrize(
    ("where", "style", "clear", "liked"),
    [
        (("carta", 1, 62), BUILDER, "play military", "play science"),
        (("carta", 0, 129), ATTACKER, "end", "use military.x"),
        (("carta", 0, 140), OPPORTUNIST, "end", "use science.x"),
        (("dominion", 0, 311), BUILDER, "gain estate", "gain cellar"),
        (("dominion", 0, 359), ATTACKER, "play remodel", "play militia"),
        (("dominion", 0, 29), OPPORTUNIST, "buy militia", "buy silver"),
        (("renaissance", 1, 78), BUILDER, "hide person.architecture.2", CULTURE),
        (("renaissance", 0, 45), ATTACKER, "place b.4", "place a.5"),
        (("renaissance", 0, 9), OPPORTUNIST, "take person.religion.2", "draw"),
    ],
)
def test_what_is_clearly_better_is_done_by_every_style(
    where: tuple[str, int, int], style: str, clear: str, liked: str
) -> None:
    position = at(*where)
    knowledge, observation = find_knowledge(position.game), position.observation
    leans = {
        shown(position, each): knowledge.lean(
            style, position.table, position.seat, each, observation
        )
        for each in position.actions
    }
    assert leans[liked] > leans[clear], "it would like to do something else"
    assert shown(position, think(position, style, 100).action) == clear


# ---- in all of them ----


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("style", STYLE_NAMES)
def test_leans_are_within_their_bounds_and_some_action_is_liked(slug: str, style: str) -> None:
    knowledge, found = find_knowledge(find_game(slug)), set[int]()
    for position in real_choices(positions(find_game(slug), 2, 1)):
        for action in position.actions:
            found.add(
                knowledge.lean(style, position.table, position.seat, action, position.observation)
            )
    assert 0 in found and max(found) > 0 and max(map(abs, found)) <= FULL


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("style", STYLE_NAMES)
def test_what_a_seat_cannot_see_does_not_change_what_it_likes(slug: str, style: str) -> None:
    for position in real_choices(positions(find_game(slug), 3, 5), stride=40)[:3]:
        deal = determinize(position.table, position.observation, Chance(11))
        other = position._replace(deal=deal)
        assert think(other, style, 8) == think(position, style, 8)


@pytest.mark.parametrize("slug", OURS)
def test_a_style_decides_the_same_with_assistants(slug: str) -> None:
    knowledge = find_knowledge(find_game(slug))
    for position in real_choices(positions(find_game(slug), 2, 1), stride=7)[:2]:
        helping: list[Assistant] = [LocalAssistant(knowledge), LocalAssistant(knowledge)]
        settings = SearchSettings(7, with_style("steady", ATTACKER), 24)
        seen = position.game, position.table, position.observation, position.seat
        assert decide(*seen, settings, assistants=helping) == decide(*seen, settings)
