"""Several processes think about one choice: the same decision, and nobody is left behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NoReturn

import pytest

from ai.games import find_knowledge
from ai.levels import LEVELS, SearchSettings, decide
from ai.players.players import usual_speed
from ai.search.search import Assistant, Decision, SearchPosition, Weakness, search
from ai.seats import assistants
from ai.seats.assistants import (
    AssistantError,
    AssistantProcess,
    LocalAssistant,
    assistants_for,
    dismiss,
    gain_percent,
    with_assistants,
)
from ai.seats.brain import _LONG_S, get_ready, is_assisted, is_long, measure, think, think_timed
from core.game import complete_options
from core.games import OURS, find_game
from core.requests import Action
from tests.ai.positions import Position, positions, real_choices

ITERATIONS = 60


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    yield
    dismiss()


def some_choices(slug: str, seed: int) -> list[Position]:
    return real_choices(positions(find_game(slug), 2, seed))[::7][:4]


def decided(position: Position, seed: int, helping: list[Assistant], **weak: int) -> Decision:
    game, table, _, seat = position
    return search(
        *(find_knowledge(game), table, position.observation, seat),
        seed=seed,
        iterations=ITERATIONS,
        weakness=Weakness(**weak),
        assistants=helping,
    )


def helped(position: Position, seed: int, helping: Sequence[Assistant]) -> Decision:
    return decided(position, seed, [*helping])


@pytest.mark.parametrize("slug", OURS)
def test_a_decision_is_the_same_with_any_number_of_assistants(slug: str, seed: int) -> None:
    knowledge = find_knowledge(find_game(slug))
    for position in some_choices(slug, seed):
        alone = decided(position, seed, [])
        for count in (1, 2, 3):
            helping: list[Assistant] = [LocalAssistant(knowledge) for _ in range(count)]
            assert decided(position, seed, helping) == alone


@pytest.mark.parametrize("weak", [{"mistakes": 3}, {"nodes_max": 0}, {"part": 3}])
def test_a_weaker_bot_decides_the_same_with_assistants(weak: dict[str, int], seed: int) -> None:
    knowledge = find_knowledge(find_game("carta"))
    for position in some_choices("carta", seed):
        shares: list[Assistant] = [LocalAssistant(knowledge), LocalAssistant(knowledge)]
        assert decided(position, seed, shares, **weak) == decided(position, seed, [], **weak)


class Nobody(Assistant):
    """An assistant that must not be asked."""

    def begin(
        self, question: SearchPosition, candidates: list[Action], errors: list[int]
    ) -> NoReturn:
        raise AssertionError("asked for help")


def test_who_remembers_little_thinks_alone_since_what_is_remembered_would_be_shared(
    seed: int,
) -> None:
    position = some_choices("carta", seed)[0]
    assert decided(position, seed, [Nobody()], nodes_max=30) == decided(
        position, seed, [], nodes_max=30
    )
    with pytest.raises(AssertionError, match="asked for help"):
        decided(position, seed, [Nobody()])


@pytest.mark.parametrize("slug", ["carta", "dominion"])
def test_another_process_helps_to_the_same_decision(slug: str, seed: int) -> None:
    helping: list[Assistant] = [AssistantProcess(slug), AssistantProcess(slug)]
    try:
        for position in some_choices(slug, seed):
            assert decided(position, seed, helping) == decided(position, seed, [])
    finally:
        for assistant in helping:
            assert isinstance(assistant, AssistantProcess)
            assistant.close()


def test_one_assistant_serves_one_game_after_the_other(seed: int) -> None:
    first, second = some_choices("carta", seed)[0], some_choices("renaissance", seed)[0]
    for position in (first, second, first):
        found = with_assistants(position.game.slug, partial(helped, position, seed))
        assert found == decided(position, seed, [])


def test_an_assistant_that_dies_changes_nothing_and_the_next_thought_has_a_new_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assistants, "_cores", lambda: 2)
    position = some_choices("carta", seed)[0]
    (old,) = assistants_for("carta")
    old._process.kill()
    old._process.wait()
    with pytest.raises(AssistantError):
        decided(position, seed, [old])
    found = with_assistants("carta", partial(helped, position, seed))
    assert found == decided(position, seed, [])
    (new,) = assistants_for("carta")
    assert new is not old


def test_after_a_thought_that_failed_no_answer_is_left_for_the_next(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assistants, "_cores", lambda: 2)
    position = some_choices("carta", seed)[0]
    _, table, _, seat = position

    def fail(helping: Sequence[AssistantProcess]) -> NoReturn:
        search_position = SearchPosition(table, position.observation, seat, 1000, ITERATIONS)
        helping[0].begin(search_position, position.actions[:1], [0])
        helping[0].start([0], seed, 1)
        raise AssertionError("a fault of the rules, with an answer on its way")

    with pytest.raises(AssertionError, match="on its way"):
        with_assistants("carta", fail)
    found = with_assistants("carta", partial(helped, position, seed))
    assert found == decided(position, seed, [])


def test_where_no_process_can_be_started_a_bot_thinks_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assistants, "_cores", lambda: 2)
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    position = some_choices("carta", seed)[0]
    found = with_assistants("carta", partial(helped, position, seed))
    assert found == decided(position, seed, [])


def test_there_is_one_assistant_for_each_core_but_ours_and_not_more_than_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for cores, expected in ((1, 0), (2, 1), (4, 3), (64, 3)):
        monkeypatch.setattr(assistants, "_cores", lambda cores=cores: cores)
        assert len(assistants_for("carta")) == expected
        dismiss()


def test_an_assistant_ends_with_whoever_asked_it_however_that_ends() -> None:
    code = (
        "from ai.seats.assistants import AssistantProcess\n"
        "assistant = AssistantProcess('carta')\n"
        "print('started', flush=True)\n"
        "input()\n"
    )
    pipe = subprocess.PIPE
    asker = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe)
    assert asker.stdout is not None
    assert asker.stdout.readline()
    asker.kill()
    asker.communicate(
        timeout=60
    )  # Its standard error is the assistant's too: that is open as long.


def test_a_short_thought_starts_no_assistant_and_a_long_one_decides_the_same(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assistants, "_cores", lambda: 2)
    position = some_choices("carta", seed)[0]
    game, table, _, seat = position
    long = int(_LONG_S * usual_speed(game)) + 1
    for iterations, expected in ((long // 2, 0), (long, 1)):
        settings = SearchSettings(seed, "steady", iterations)
        get_ready("carta", table, settings)
        alone = decide(game, table, position.observation, seat, settings)
        assert think("carta", table, position.observation, seat, settings) == alone
        assert think_timed("carta", table, position.observation, seat, settings)[0] == alone
        assert len(assistants._assistants) == expected


def test_the_gentlest_level_thinks_alone() -> None:
    assert [name for name in LEVELS if is_assisted(name)] == ["steady", "sharp", "strongest"]
    assert is_long("carta", SearchSettings(1, "steady", 100_000))
    assert not is_long("carta", SearchSettings(1, "gentle", 100_000))


def test_what_assistants_gain_is_measured_and_nobody_gains_by_having_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, options = find_game("carta"), complete_options(find_game("carta"), 2, {})
    assert gain_percent(game, 2, options, 1000, []) == 100
    monkeypatch.setattr(assistants, "_cores", lambda: 2)
    for slug in OURS:
        game, options = find_game(slug), complete_options(find_game(slug), 2, {})
        assert gain_percent(game, 2, options, 200, assistants_for(slug)) >= 100
    assert measure("carta", 2, True) > 1
