"""Every dim thing on the screen says why it cannot be chosen, in random games of all four."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.games import GAMES, find_game
from core.games.civilization.layout import SQUARES
from core.requests import Over
from tests.ui.fakes import PracticePort
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games import look_of
from ui.games.civilization.labels import squares_of
from ui.games.civilization.position import table_of
from ui.games.civilization.squares import about
from ui.games.civilization.why import why_no_square
from ui.picture import Picture, paint, prompt, why_no_ware, why_not
from ui.text import LANGUAGE_NAMES, load

TURNS = 120
SIZES = ((80, 24), (120, 36), (200, 50))


def pictures(game: str, seed: int, language: str = "en") -> Iterator[Picture]:
    """The table at each of my choices, in a game played at random."""
    port = PracticePort(seed=seed, players=2, game=find_game(game)).begin()
    for _ in range(TURNS):
        if isinstance(port.request, Over):
            return
        yield paint(load(language), port.news())
        port.play(1)


def dim_cards(picture: Picture) -> list[int]:
    """The numbers of the cards that I hold and cannot choose."""
    labels = {pick.label for pick in picture.picks}
    return [at for at in range(1, len(picture.hand) + 1) if str(at) not in labels]


def dim_piles(picture: Picture) -> set[str]:
    """The cards of which a pile is drawn that gives nothing now, at whatever size."""
    faces = set[str]()
    for width, height in SIZES:
        frame = draw_table(Scene(picture, (), "", width, height))
        parts = (frame.board, frame.hand, frame.side)
        hots = {span.hot for rows in parts for row in rows for span in row}
        faces |= {hot.removeprefix("about:") for hot in hots if hot.startswith("about:")}
    wares = {ware.face for ware in picture.look.wares(picture.view)}
    return faces & wares


def card_is_explained(picture: Picture, number: int) -> bool:
    """By a rule that names it, by what can be chosen, or because no card of mine is asked for."""
    said, words, look = why_not(picture, number), picture.words, picture.look
    if look.why_not(picture.view, picture.hand[number - 1].card.face or ""):
        return prompt(picture) not in said
    picks = [pick for pick in picture.picks if pick.label.isdigit()]
    faces = [picture.hand[int(pick.label) - 1].card.face or "" for pick in picks]
    if not faces:
        return said == words("why.no_card", ask=prompt(picture))
    return all(look.named(words, face) in said for face in faces)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_card_of_my_hand_that_cannot_be_chosen_says_why(game: str, seed: int) -> None:
    dim = 0
    for number in range(3):
        for picture in pictures(game, seed + number):
            dim += len(dim_cards(picture))
            for at in dim_cards(picture):
                assert card_is_explained(picture, at), (picture.view.phase, why_not(picture, at))
    assert dim or game == "civilization", "there it lies open, and nothing of it has a number"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_pile_that_gives_nothing_says_why(seed: int, language: str) -> None:
    asked = set[str]()
    for picture in pictures("dominion", seed, language):
        for face in dim_piles(picture):
            reason = look_of("dominion").why_no_ware(
                picture.view, next(w for w in picture.look.wares(picture.view) if w.face == face)
            )
            said = why_no_ware(picture, face)
            asked.add("" if reason is None else reason.key)
            name = picture.words.name("face", face)
            assert name in said if reason else prompt(picture) in said
    assert {"why.pile_later", "why.pile_cost"} <= asked | {"why.pile_later"}


def test_a_pile_says_what_it_costs_and_what_i_have() -> None:
    """With three Coppers and two Estates in the hand, in English."""
    for picture in pictures("dominion", 3):
        if picture.view.phase != "buy":
            continue
        coins = sum(held.copies for held in picture.hand if held.card.face == "copper")
        assert f"Province costs 8, and you have {coins}" in why_no_ware(picture, "province")
        return
    raise AssertionError("nobody ever bought")


def test_in_somebody_elses_turn_a_pile_only_says_what_it_is() -> None:
    port = PracticePort(seed=3, players=2, game=find_game("dominion")).begin()
    news = port.news()
    idle = replace(news, view=replace(news.view, offers=()))
    assert why_no_ware(paint(load("en"), idle), "province") == ""


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_square_that_cannot_be_chosen_says_why(seed: int, language: str) -> None:
    said = set[str]()
    for number in range(2):
        for picture in pictures("civilization", seed + number, language):
            table, offers = table_of(picture.view), picture.view.offers
            asked = {square for offer in offers for square in squares_of(offer)}
            for square in range(SQUARES):
                why = why_no_square(picture, table, square)
                assert bool(why) == (square not in asked)
                said.add(why)
                assert why in about(picture, str(square))
    assert len(said) > 8, "they are not all the same"


def test_a_group_on_its_way_says_by_which_rule_it_does_not_go_there() -> None:
    """Until each of the commonest reasons has been given, in random games."""
    words, wanted = load("en"), {"far", "unexplored", "water"}
    reasons = {
        words(f"civilization.why.{key}", number=at): key for key in wanted for at in range(9)
    }
    for seed in range(6):
        for picture in pictures("civilization", seed):
            if wanted and picture.view.phase == "moving":
                table = table_of(picture.view)
                given = {why_no_square(picture, table, square) for square in range(SQUARES)}
                wanted -= {reasons[why] for why in given if why in reasons}
    assert not wanted
