"""The model of Dominion agendas: what it counts, what it finds, and how it is learned."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path

import pytest

from ai.games.dominion import model
from ai.games.dominion.model import AgendaModel, neighbours, text_of, traits, wishes_of
from core.games.dominion.cards import KEYS
from core.games.dominion.kingdoms import kinds_of
from scripts.lab import learn_dominion
from scripts.lab.learn_dominion import Match, fit, lots_of
from tests.core.games.dominion.stage import faces

WITCHES = "witch*2 gold silver"
KINGDOM = tuple(
    sorted(faces("chapel moat smithy village witch market mine cellar militia remodel"))
)


def weights_with(counts: dict[str, int]) -> list[int]:
    """Weights of nothing but what some texts have alone: `chapel*1 gold silver`."""
    weights = [0] * model.TRAITS
    for text, count in counts.items():
        for trait in traits(wishes_of(text)):
            weights[trait] = count
    return weights


# ---- agendas as numbers ----


@pytest.mark.parametrize(
    "text", ["gold silver", WITCHES, "chapel*1 witch*2 gold smithy*1 village*10 silver"]
)
def test_an_agenda_comes_back_from_its_wishes(text: str) -> None:
    assert text_of(wishes_of(text)) == text


def test_every_kind_of_a_kingdom_is_tried_in_an_agenda() -> None:
    some = neighbours(wishes_of("gold smithy*1 silver"), faces("village gardens smithy"))
    texts = [text_of(each) for each in some]
    for kind in ("village", "gardens"):
        assert {f"{kind}*{count}" for count in (1, 2, 10)} <= {
            word for text in texts for word in text.split()
        }
    assert "gold silver" in texts and "gold smithy*2 silver" in texts
    assert "gold smithy*1 silver" not in texts


def test_what_is_counted_tells_number_order_and_company_apart() -> None:
    texts = [
        "witch*2 gold silver", "witch*1 gold silver", "gold witch*2 silver",
        "witch*2 moat*1 gold silver", "moat*1 witch*2 gold silver", "witch*2 gold moat*1 silver",
        "witch*2 moat*10 gold silver",
    ]  # fmt: skip
    counted = [sorted(traits(wishes_of(text))) for text in texts]
    assert len({tuple(each) for each in counted}) == len(texts)
    assert set(counted[0]) < set(counted[3]) & set(counted[4])


# ---- the best of a kingdom ----


def test_the_best_agenda_has_what_counts_and_nothing_that_counts_against_it() -> None:
    wanted = weights_with({"witch*2 gold silver": 300, "gold smithy*1 silver": 200})
    best = AgendaModel(wanted).best(KINGDOM)[0]
    assert text_of(best) == "witch*2 gold smithy*1 silver"
    assert AgendaModel([0] * model.TRAITS).best(KINGDOM)[0] == model.GOLD_ALONE
    spoilt = weights_with({"witch*2 gold silver": 300, "chapel*1 gold silver": -1})
    assert text_of(AgendaModel(spoilt).best(KINGDOM)[0]) == WITCHES


def test_two_kinds_that_are_good_together_alone_are_found_together() -> None:
    both = wishes_of("gold smithy*10 village*10 silver")
    weights = [0] * model.TRAITS
    for alone in neighbours(model.GOLD_ALONE, KINGDOM):
        weights[traits(alone)[0]] = -100
    for trait in traits(both):
        weights[trait] = 500
    for one in ("gold smithy*10 silver", "gold village*10 silver"):
        for trait in traits(wishes_of(one)):
            weights[trait] = -50
    found = AgendaModel(weights).best(KINGDOM)[0]
    assert set(found) == set(both)


def test_a_kind_can_be_worth_having_against_what_the_other_wants() -> None:
    weights = weights_with({"witch*2 gold silver": 300})
    moat, witch = faces("moat")[0], faces("witch")[0]
    for trait in model.answers(wishes_of("gold moat*1 silver"), wishes_of(WITCHES)):
        weights[trait] = 100
    assert text_of(AgendaModel(weights).replies(model.GOLD_ALONE, KINGDOM)[0]) == WITCHES
    assert moat in [wish >> 4 for wish in AgendaModel(weights).best(KINGDOM)[0]]
    assert witch in [wish >> 4 for wish in AgendaModel(weights).best(KINGDOM)[0]]


def test_numbers_come_back_from_their_text() -> None:
    lots = random.Random(4)
    weights = [0] * model.TRAITS
    for line in model.WEIGHTS.strip().splitlines():
        assert {word for word in line.split() if word[0].isalpha()} <= set(KEYS)
    for text in ("chapel*1 gold witch*10 silver", "moat*2 village*1 gold silver"):
        for trait in traits(wishes_of(text)):
            weights[trait] = lots.randrange(-900, 900)
    assert model.read_weights(model.write_weights(weights)) == weights


def test_there_is_a_place_for_what_every_kind_and_every_two_kinds_count() -> None:
    assert 6 * len(KEYS) + 6 * len(KEYS) ** 2 == model.TRAITS


def test_the_program_knows_something_of_every_kind() -> None:
    kinds = {face for edition in (1, 2) for face in kinds_of(edition)}
    named = {line.split()[0] for line in model.WEIGHTS.strip().splitlines()}
    assert {KEYS[face] for face in kinds} <= named


# ---- learning ----


def test_what_wins_more_often_counts_more() -> None:
    share = 1 / (1 + exp(-0.8))
    matches = [Match(WITCHES, "gold silver", share), Match("gold moat*1 silver", WITCHES, 0.2)] * 50
    fitted = fit(matches, 30, random.Random(1))
    learned = AgendaModel(fitted.likely())
    money, witches = learned.score(model.GOLD_ALONE, []), learned.score(wishes_of(WITCHES), [])
    assert 700 < witches - money < 900
    assert learned.score(wishes_of("gold moat*1 silver"), []) < money


def test_what_was_hardly_tried_counts_for_less() -> None:
    often, once = (
        Match(WITCHES, "gold silver", 0.7),
        Match("gold mine*1 silver", "gold silver", 0.9),
    )
    fitted = fit([often] * 40 + [once], 30, random.Random(1))
    likely, careful = (AgendaModel(each) for each in (fitted.likely(), fitted.careful()))
    for text, most in ((WITCHES, 100), ("gold mine*1 silver", 300)):
        doubt = likely.score(wishes_of(text), []) - careful.score(wishes_of(text), [])
        assert (doubt < most) == (text == WITCHES)


def test_a_kingdom_by_lot_is_the_same_again_and_of_one_box() -> None:
    for number in range(6):
        _, kingdom = lots_of(3, number)
        assert kingdom == lots_of(3, number)[1] != lots_of(4, number)[1]
        assert set(kingdom) <= set(kinds_of(1 + number % 2)) and len(set(kingdom)) == 10


def test_a_run_that_was_stopped_goes_on_with_the_same_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn_dominion, "DEALS", 1)
    monkeypatch.setattr(learn_dominion, "MATCHES", 3)
    whole = learn_dominion.learn(tmp_path / "whole", 2, 2, 1)
    learn_dominion.learn(tmp_path / "parts", 1, 2, 1)
    assert learn_dominion.learn(tmp_path / "parts", 2, 2, 1) == whole
    assert learn_dominion.write(whole).count("\n") > 5
