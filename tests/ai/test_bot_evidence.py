"""The evidence that bots are fair, in small, and that each check can fail."""

from __future__ import annotations

from collections import Counter

import pytest

from scripts.lab import bot_evidence
from scripts.lab.bot_evidence import Finding, check_peeking, check_uniform, check_worlds


def sentences(findings: list[Finding]) -> list[str]:
    """What is not as it should be."""
    return [finding.sentence for finding in findings if not finding.is_fine]


@pytest.mark.slow
def test_bots_do_not_peek() -> None:
    assert sentences(list(check_peeking(40))) == []


def test_imagined_worlds_contradict_nothing() -> None:
    assert sentences(list(check_worlds(2_000, each=50))) == []


def test_every_possible_deal_is_imagined_equally_often() -> None:
    assert sentences(list(check_uniform(6_000))) == []


def test_a_bot_that_peeks_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_evidence, "think", bot_evidence.peek)
    assert len(sentences(list(check_peeking(120)))) == len(bot_evidence.GAMES)


def test_a_world_with_a_wrong_card_is_found_out() -> None:
    position = next(bot_evidence.positions("carta"))
    hidden = [card for card, face in enumerate(position.observation) if face < 0]
    one, other = hidden[0], hidden[-1]  # The last is of another age.
    world = position.deal[:]
    assert bot_evidence.contradictions(position, world) == []
    world[one], world[other] = 1, 5
    assert Counter(bot_evidence.contradictions(position, world)) == Counter(
        [
            "the box does not hold such cards with such backs",
            "the cards that were shuffled together were others",
        ]
    )


def test_uneven_counts_deviate_and_even_ones_do_not() -> None:
    assert bot_evidence.deviations([100] * 20) < 0
    assert bot_evidence.deviations([100] * 19 + [200]) > 3.29
