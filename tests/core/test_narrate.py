"""The story of a game: what followed stands below the choice that brought it about."""

from __future__ import annotations

import itertools
from typing import Final

from core.determinization import observation_of
from core.games import find_game
from core.games.carta import GAME as CARTA
from core.games.dominion import GAME as DOMINION
from core.narrate import SCORED_FACT, WON, Line, Narrator
from core.requests import Choice, Chosen, Fact, Request
from core.testing.worlds import BlindGame
from core.view import offers
from tests.core.games.carta.stage import Stage
from tests.core.games.dominion.stage import Stage as Supply
from tests.rounds import TWO_ROUNDS

ENDS: Final = (SCORED_FACT, WON)


def story_of(slug: str, seats: int, seed: int) -> tuple[BlindGame, list[Line]]:
    """The story of a game of random choices."""
    world = BlindGame(find_game(slug), seats, {}, seed)
    for _ in world.play():
        pass
    return world, world.peers[0].narrator.lines


def test_an_attack_tells_who_loses_what_below_the_choice() -> None:
    stage = Stage(["military science", "science", "religion science"])
    narrator = Narrator(CARTA)
    request: Request = stage.pending
    for text in ("use military.x", "discard science"):
        assert isinstance(request, Choice)
        given = offers(CARTA, stage.table, stage.deal, request.player)
        action = next(offer.action for offer in given if offer.text == text)
        request = narrator.apply(stage.table, request, Chosen(action))
    assert [(line.text, line.seat, line.faces) for line in narrator.lines] == [
        ("use military.x", 0, ()),
        ("gave_up", 0, ("military",)),
        ("discard science", 0, ("science",)),
        ("lost", 1, ("science",)),
        ("lost", 2, ("science",)),
    ]
    assert [line.fact.other for line in narrator.lines[-2:] if line.fact] == [0, 0]


def test_a_card_that_is_dealt_anew_after_it_was_played_is_counted_among_the_drawn() -> None:
    """Its number is the same, and behind a shuffle it is another card."""
    world = BlindGame(TWO_ROUNDS, 3, {}, seed=3)
    for _ in world.play():
        pass
    drawn = [line.number for line in world.peers[0].narrator.lines if line.kind == "drawn"]
    assert drawn == [2, 2, 2] * 2


def test_what_names_a_card_waits_until_everybody_has_seen_it() -> None:
    _, lines = story_of("renaissance", 2, seed=3)
    uncovered = [line for line in lines if line.text == "uncovered"]
    assert uncovered
    assert all(face and face.startswith("person") for line in uncovered for face in line.faces)


def test_a_card_that_a_seat_discards_unseen_is_named_for_that_seat_alone() -> None:
    told = {}
    for reader in (None, 0, 1, 2):
        hands = "militia", "copper*2 estate gold silver", "copper*5"
        stage = Supply(*hands).do("play militia")
        narrator, request = Narrator(DOMINION, reader=reader), stage.pending
        assert isinstance(request, Choice)
        given = offers(DOMINION, stage.table, stage.deal, request.player)
        action = next(offer.action for offer in given if offer.text == "discard gold")
        known = observation_of(stage.table, stage.deal, reader)
        narrator.apply(stage.table, request, Chosen(action), known)
        told[reader] = [(line.text, line.faces) for line in narrator.lines]
    public = [("discard ?", (None,))]
    assert told == {None: public, 0: public, 1: [("discard gold", (None,))], 2: public}


def test_what_happens_to_a_seat_several_times_in_a_row_is_one_line() -> None:
    _, lines = story_of("renaissance", 2, seed=3)
    paid = [line for line in lines if line.text.startswith("paid")]
    assert max(line.number for line in paid) > 1
    pairs = itertools.pairwise(lines)
    assert not any(one.fact and one.entry == two.entry and one.fact == two.fact
                   for one, two in pairs)  # fmt: skip


def test_points_and_winners_end_every_story() -> None:
    for slug in ("carta", "dominion", "renaissance"):
        world, lines = story_of(slug, 2, seed=1)
        game, table = world.game, world.peers[0].table
        ends = [(line.text, line.seat, line.number) for line in lines if line.text in ENDS]
        points = [("scored", seat, score) for seat, score in enumerate(game.scores(table))]
        assert ends == [*points, *(("won", seat, 0) for seat in game.winners(table))]


def test_facts_are_no_part_of_the_table() -> None:
    world = BlindGame(find_game("dominion"), 2, {}, seed=2)
    table = world.peers[0].table
    before = table.digest()
    table.told = []
    table.tell("lost", 1, (3,), 0, 0)
    assert table.told == [Fact("lost", 1, (3,), 0, 0)]
    assert table.digest() == before
    assert table.copy().told is None, "nobody listens to an imagined game"
