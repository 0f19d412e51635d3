"""Hearts, the yardstick beside OpenSpiel: each rule in a position in which it matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from core.engine import next_request
from core.game import notation
from core.requests import Action, Choice, Over
from core.table import RulesError, Table
from scripts.bench import hearts
from scripts.bench.hearts import (
    BROKEN,
    DECK,
    DIRECTION,
    FACES,
    GAME,
    HAND,
    OPEN,
    PASS,
    PASSED,
    PLAY,
    PLAYED,
    POINTS,
    STAGE,
    TURN,
)
from scripts.environment import ROOT


def laid(*hands: str, stage: int = PLAY, turn: int = 0, played: int = 4) -> Table:
    """All cards open: these hands, so many cards played, the rest in the deck."""
    table = GAME.setup(4, {})
    for seat, hand in enumerate(hands):
        for face in hand.split():
            table.move(FACES.index(face), DECK, HAND + seat)
    for card in table.zones[DECK][-played:] if played else []:
        table.move(card, DECK, PLAYED)
    table.counters[STAGE], table.counters[TURN] = stage, turn
    return table


def offered(table: Table, seat: int) -> str:
    """What a seat may do, with a comma between."""
    actions = GAME.legal_actions(table, seat, table.face)
    return ", ".join(notation(table, action, table.face) for action in actions)


def play(table: Table, *actions: str) -> object:
    """Each seat does what it is told, as in `follow c2`; what is asked for then."""
    pending: object = next_request(GAME, table)
    for text in actions:
        verb, *faces = text.split()
        cards = tuple([FACES.index(face) for face in faces])
        assert isinstance(pending, Choice)
        GAME.apply(table, pending.player, Action(verb, cards))
        pending = next_request(GAME, table)
    return pending


def test_the_two_of_clubs_is_looked_for_and_leads() -> None:
    table = laid("c3", "c2 c4", "c5", "c6", stage=OPEN, played=0)
    assert offered(table, 0) == "without"
    assert play(table, "without") == Choice(1)
    assert offered(table, 1) == "open c2"
    assert play(table, "open c2") == Choice(2)


def test_a_seat_follows_suit_where_it_can() -> None:
    table = laid("c9", "c7 d2 c10", "d3 h4", "c3")
    play(table, "lead c9")
    assert offered(table, 1) == "follow c7, follow c10"
    play(table, "follow c7")
    assert offered(table, 2) == "discard d3, discard h4"


def test_there_are_no_points_in_the_first_trick_but_from_who_has_nothing_else() -> None:
    table = laid("c2", "h2 d5 s12", "h3 c4", "c3", stage=OPEN, played=0)
    play(table, "open c2")
    assert offered(table, 1) == "discard d5"
    table = laid("c2", "h2 s12", "c4", "c3", stage=OPEN, played=0)
    play(table, "open c2")
    assert offered(table, 1) == "only_points h2, only_points s12"


def test_hearts_are_led_when_they_are_broken_or_there_is_nothing_else() -> None:
    table = laid("h2 c4", "c5 c6", "s12 c7", "c8 c9")
    assert offered(table, 0) == "lead c4"
    play(table, "lead c4", "follow c5")
    table.zones[HAND + 2].remove(FACES.index("c7"))
    play(table, "discard s12", "follow c8")
    assert table.counters[BROKEN]
    table.counters[TURN] = 0
    assert offered(table, 0) == "lead h2"
    table = laid("h2 h5", "c5", "c6", "c7")
    assert offered(table, 0) == "only_hearts h2, only_hearts h5"


def test_the_best_card_of_the_suit_that_was_led_takes_the_trick_and_its_points() -> None:
    table = laid("d5 c2", "d9 c3", "h14 c4", "s12 c5")
    assert play(table, "lead d5", "follow d9", "discard h14", "discard s12") == Choice(1)
    assert table.counters[POINTS : POINTS + 4] == [0, 14, 0, 0]


def test_who_takes_all_points_has_none_and_the_others_have_them() -> None:
    table = laid()
    table.counters[POINTS : POINTS + 4] = [3, 20, 3, 0]
    assert GAME.scores(table) == (-3, -20, -3, 0)
    table.counters[POINTS : POINTS + 4] = [0, 0, 26, 0]
    assert GAME.scores(table) == (-26, -26, 0, -26)
    assert GAME.winners(table) == (2,)


def test_the_hand_is_over_after_thirteen_tricks() -> None:
    table = laid("c2", "c3", "c4", "c5", played=48)
    assert play(table, "lead c2", "follow c3", "follow c4", "follow c5") == Over()


def test_three_cards_go_as_many_seats_on_as_was_rolled() -> None:
    table = laid("c2 c3 c4 c5", "d2 d3 d4", "h2 h3 h4", "s2 s3 s4", stage=PASS, played=0)
    table.counters[DIRECTION] = 3
    play(table, *[f"pass {suit}{rank}" for suit in "cdhs" for rank in (2, 3, 4)])
    held = [[FACES[card] for card in table.zones[HAND + seat]] for seat in range(4)]
    assert held == [["c5", "d2", "d3", "d4"], ["h2", "h3", "h4"], ["s2", "s3", "s4"],
                    ["c2", "c3", "c4"]]  # fmt: skip
    assert not any(table.zones[PASSED + seat] for seat in range(4))


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("follow d3", "another suit does not follow"),
        ("discard c7", "of another suit"),
        ("only_points d3", "is due"),
        ("lead d3", "is due"),
    ],
)
def test_a_card_that_is_not_what_was_said_is_refused(action: str, message: str) -> None:
    table = laid("c9", "c7 d3", "c4", "c3")
    play(table, "lead c9")
    with pytest.raises(RulesError, match=message):
        play(table, action)


def test_a_heart_that_is_led_too_early_and_another_card_than_the_two_are_refused() -> None:
    with pytest.raises(RulesError, match="hearts are not led"):
        play(laid("h2 c4", "c5", "c6", "c7"), "lead h2")
    with pytest.raises(RulesError, match="two of clubs leads"):
        play(laid("c3", "c2", "c5", "c6", stage=OPEN, played=0), "open c3")
    table = laid("c2", "h2 d5", "c4", "c3", stage=OPEN, played=0)
    play(table, "open c2")
    with pytest.raises(RulesError, match="in the first trick without points"):
        play(table, "discard h2")


@pytest.mark.parametrize(
    ("hand", "verb", "is_true"),
    [
        ("c7 d3", "discard", False),
        ("d3 h2", "discard", True),
        ("h2 s12", "only_points", True),
        ("h2 s11", "only_points", False),
        ("h2 h3", "only_hearts", True),
        ("h2 s12", "only_hearts", False),
        ("c3 d2", "without", True),
        ("c2 d2", "without", False),
    ],
)
def test_what_is_said_of_a_hand_has_to_be_proven_of_all_its_cards(
    hand: str, verb: str, is_true: bool
) -> None:
    table = laid("c9", hand)
    table.counters[hearts.LED] = 1  # Clubs.
    held = tuple(table.zones[HAND + 1])
    claim = GAME.claim(table, 1, Action(verb, held[:1] if verb != "without" else ()))
    assert claim is not None
    assert claim.cards == held
    assert (set(held) <= set(claim.faces)) is is_true  # Card numbers are faces here.


def test_the_bench_measures_random_games_and_a_move() -> None:
    bench = ROOT / "scripts" / "bench"
    command = [sys.executable, "-P", str(bench / "rules.py"), "hearts"]
    folders = os.pathsep.join((str(bench), str(ROOT)))
    done = subprocess.run([*command, folders], capture_output=True, text=True, check=True)
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    assert [unit for _, _, unit in figures] == ["games/s", "choices/s", "ms"]
    assert all(value > 0 for _, value, _ in figures)
