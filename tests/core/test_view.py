"""Pictures of the table, and the story of a game."""

from __future__ import annotations

from core.engine import next_request
from core.games.carta import GAME as CARTA
from core.requests import Choice, Over, Roll, Secret, to_act
from core.testing.worlds import BlindGame
from core.view import view
from tests.core.games.carta.stage import GAME, Stage


def test_only_the_seat_that_has_to_choose_gets_offers() -> None:
    stage = Stage(["", ""], ["science culture", "military"])
    pictures = [
        view(GAME, stage.table, Choice(0), stage.observation(seat), seat) for seat in (0, 1, None)
    ]
    assert [[offer.text for offer in each.offers] for each in pictures] == [
        ["play science", "play culture"], [], [],
    ]  # fmt: skip
    assert all(each.to_act == (0,) for each in pictures)


def test_a_view_tells_hidden_cards_from_those_everybody_knows() -> None:
    stage = Stage(["", ""], ["science", "military"], known=["culture"])
    for seat, faces in ((0, {"science", "culture"}), (1, {None, "culture"})):
        cards = view(GAME, stage.table, Choice(0), stage.observation(seat), seat).zones[
            "seat0.hand"
        ]
        assert {card.face for card in cards} == faces
        assert [card.is_public for card in cards] == [True, False]
        assert all(card.back == "I" for card in cards)


def test_scores_and_winners_are_shown_at_the_end_only() -> None:
    stage = Stage(["military", ""], ["", ""], turn=1, deck="")
    before = view(GAME, stage.table, Choice(1), stage.observation(0), 0)
    assert (before.is_over, before.scores, before.winners) == (False, (), ())
    stage.do("end")
    after = view(GAME, stage.table, Over(), stage.observation(0), 0)
    assert (after.is_over, after.scores, after.winners) == (True, (1, 0), (0,))


def test_requests_that_machines_answer_wait_for_no_seat() -> None:
    assert to_act(Roll(6)) == ()
    assert to_act(Choice(2)) == (2,)
    assert to_act(Secret((0, 1))) == (0, 1)


def test_the_story_tells_a_card_only_once_everybody_has_seen_it() -> None:
    world = BlindGame(CARTA, 3, {"deal": "draft"}, seed=8)
    narrator = world.peers[0].narrator
    for _ in world.play():
        pass
    texts = [line.text for line in narrator.lines if line.kind == "chosen"]
    plays = [text for text in texts if text.startswith("play")]
    assert len(plays) > 10
    assert "play ?" not in plays
    assert "keep ?" in texts
    assert not any(text.startswith("keep ") and text != "keep ?" for text in texts)
    assert narrator.lines[-1].entry < len(world.history)


def test_a_view_can_be_drawn_of_every_request() -> None:
    stage = Stage(["", "", ""], ["science", "military", "culture"])
    assert next_request(GAME, stage.table) == Choice(0)
    for seat in (None, 0, 1, 2):
        picture = view(GAME, stage.table, Roll(3), stage.observation(seat), seat)
        assert picture.offers == ()
        assert set(picture.counters) == set(stage.table.layout.counters)
