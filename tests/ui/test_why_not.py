"""Every dim thing on the screen says why it cannot be chosen, in random games of all four."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from core.games import GAMES, find_game
from core.games.civilization.layout import SQUARES
from core.games.renaissance.cards import LIFTED_FROM, SPACES_MAX
from core.games.renaissance.stones import is_center, neighbors_of, piece_owner, pieces_at
from core.requests import Over
from tests.ui.fakes import PracticePort
from ui.draw.frame import draw_table
from ui.draw.panels import ABOUT
from ui.draw.scene import Scene
from ui.games import look_of
from ui.games.civilization.labels import squares_of
from ui.games.civilization.position import table_of
from ui.games.civilization.squares import about
from ui.games.civilization.why import why_no_square
from ui.games.renaissance.position import locations
from ui.games.renaissance.why import about as space_about
from ui.games.renaissance.why import why_no_space
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.notes import Notes
from ui.model.prompt import prompt
from ui.model.view_model import ViewModel, readable_faces, view_model
from ui.model.why_not import why_no_ware, why_not
from ui.plain.card_lines import card_lines
from ui.screens.reading import what_is_said

TURNS = 120
ENOUGH = {"ja": 40, "ko": 40}  # Choices: the reasons are the same, only the words differ.
MY_SEAT = 0
SIZES = ((80, 24), (120, 36), (200, 50))


def pictures(game: str, seed: int, language: str = "en", players: int = 2) -> Iterator[ViewModel]:
    """The table at each of my choices, in a game played at random."""
    port = PracticePort(seed=seed, players=players, game=find_game(game)).begin()
    for _ in range(TURNS):
        if isinstance(port.request, Over):
            return
        yield view_model(load(language), port.news())
        port.play(1)


def dim_cards(model: ViewModel) -> list[int]:
    """The numbers of the cards that I hold and cannot choose."""
    labels = {pick.label for pick in model.picks}
    return [at for at in range(1, len(model.hand) + 1) if str(at) not in labels]


def dim_piles(model: ViewModel) -> set[str]:
    """The cards of which a pile is drawn that gives nothing now, at whatever size."""
    faces = set[str]()
    for width, height in SIZES:
        frame = draw_table(Scene(model, (), "", width, height))
        parts = (frame.board, frame.hand, frame.side)
        hots = {span.hot for rows in parts for row in rows for span in row}
        faces |= {hot.removeprefix("about:") for hot in hots if hot.startswith("about:")}
    wares = {ware.face for ware in model.look.wares(model.view)}
    return faces & wares


def card_is_explained(model: ViewModel, number: int) -> bool:
    """By a rule that names it, by what can be chosen, or because no card of mine is asked for."""
    said, words, look = why_not(model, number), model.words, model.look
    if look.why_not(model.view, model.hand[number - 1].card.face or ""):
        return prompt(model) not in said
    picks = [pick for pick in model.picks if pick.label.isdigit()]
    faces = [model.hand[int(pick.label) - 1].card.face or "" for pick in picks]
    if not faces:
        return said == words("why.no_card", ask=prompt(model))
    return all(look.named(words, face) in said for face in faces)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_card_of_my_hand_that_cannot_be_chosen_says_why(game: str, seed: int) -> None:
    dim = 0
    for number in range(3):
        for model in pictures(game, seed + number):
            dim += len(dim_cards(model))
            for at in dim_cards(model):
                assert card_is_explained(model, at), (model.view.phase, why_not(model, at))
    assert dim or game == "civilization", "there it lies open, and nothing of it has a number"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_pile_that_gives_nothing_says_why(seed: int, language: str) -> None:
    asked = set[str]()
    for model in islice(pictures("dominion", seed, language), ENOUGH.get(language)):
        for face in dim_piles(model):
            reason = look_of("dominion").why_no_ware(
                model.view, next(w for w in model.look.wares(model.view) if w.face == face)
            )
            said = why_no_ware(model, face)
            asked.add("" if reason is None else reason.key)
            name = model.words.name("face", face)
            assert name in said if reason else prompt(model) in said
    assert {"why.pile_later", "why.pile_cost"} <= asked | {"why.pile_later"}


def test_a_pile_says_what_it_costs_and_what_i_have() -> None:
    """With three Coppers and two Estates in the hand, in English."""
    for model in pictures("dominion", 3):
        if model.view.phase != "buy":
            continue
        coins = sum(held.copies for held in model.hand if held.card.face == "copper")
        assert f"Province costs 8, and you have {coins}" in why_no_ware(model, "province")
        return
    raise AssertionError("nobody ever bought")


def test_in_somebody_elses_turn_a_pile_only_says_what_it_is() -> None:
    port = PracticePort(seed=3, players=2, game=find_game("dominion")).begin()
    news = port.news()
    idle = replace(news, view=replace(news.view, offers=()))
    assert why_no_ware(view_model(load("en"), idle), "province") == ""


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_square_that_cannot_be_chosen_says_why(seed: int, language: str) -> None:
    said = set[str]()
    for model in islice(pictures("civilization", seed, language), ENOUGH.get(language)):
        table, offers = table_of(model.view), model.view.offers
        asked = {square for offer in offers for square in squares_of(offer)}
        for square in range(SQUARES):
            why = why_no_square(model, table, square)
            assert bool(why) == (square not in asked)
            said.add(why)
            assert why in about(model, str(square))
    assert len(said) > 8, "they are not all the same"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_every_space_that_cannot_be_chosen_says_why(seed: int, language: str) -> None:
    """The board of Renaissance had no key for a dim space, and no words."""
    said = set[str]()
    for number in range(3):
        for model in pictures("renaissance", seed + number, language, players=2 + number):
            labels = {pick.label.removeprefix("g") for pick in model.picks}
            for place in locations(model.view):
                for space in range(len(place.pieces)):
                    why = why_no_space(model, place, space)
                    spot = f"{place.letter}{space + 1}"
                    assert bool(why) == (spot not in labels)
                    assert why in space_about(model, spot)
                    said.add(why)
    assert len(said) > 6, "they are not all the same"


def reason_by_the_rules(port: PracticePort, spot: int) -> str:
    """The rule by which a piece cannot be placed there, as the rules themselves see it."""
    at, space = divmod(spot, SPACES_MAX)
    table, pieces = port.table, pieces_at(port.table, at)
    owners = {piece_owner(piece) for piece in pieces if piece}
    if not is_center(table, at) and MY_SEAT not in neighbors_of(table, at):
        return "not_beside"
    if pieces[space]:
        return "mine" if piece_owner(pieces[space]) == MY_SEAT else "taken"
    if len(owners) == 2 and MY_SEAT not in owners:
        return "two_there"
    if spot == table.counters[LIFTED_FROM]:
        return "from_there"
    return "no_path"


def test_a_space_names_the_rule_that_keeps_a_piece_away(seed: int) -> None:
    assert not untold_rules(seed), "in twenty games nobody was told these"


def untold_rules(seed: int) -> set[str]:
    """The rules that no space has named in twenty games; whatever one names is looked at."""
    wanted = {"not_beside", "mine", "taken", "two_there", "no_path"}
    for number in range(20):
        port = PracticePort(seed=seed + number, players=3, game=find_game("renaissance")).begin()
        for _ in range(TURNS):
            if isinstance(port.request, Over):
                break
            model = view_model(load("en"), port.news())
            verbs = {offer.action.verb for offer in model.view.offers}
            if verbs & {"place", "genius"} and "lift" not in verbs:
                wanted -= set(checked_reasons(port, model))
            port.play(1)
        if not wanted:
            break
    return wanted


def checked_reasons(port: PracticePort, model: ViewModel) -> Iterator[str]:
    """The keys of what each dim space says, each the rule that holds."""
    for place in locations(model.view):
        for space in range(len(place.pieces)):
            if why := why_no_space(model, place, space):
                key = reason_by_the_rules(port, SPACES_MAX * place.at + space)
                sentence = model.words.sentences[f"renaissance.why.{key}"]
                told = re.sub(r"\\{\w+\\}", ".+", re.escape(sentence))
                assert re.fullmatch(told, why), (why, key)
                yield key


@pytest.mark.parametrize("size", SIZES)
def test_whatever_is_dim_on_a_board_of_renaissance_can_be_asked_about(
    seed: int, size: tuple[int, int]
) -> None:
    for model in pictures("renaissance", seed):
        frame = draw_table(Scene(model, (), "", *size))
        hots = {span.hot for row in (*frame.board, *frame.side) for span in row if span.hot}
        spots = {
            f"{place.letter}{space + 1}"
            for place in locations(model.view)
            for space in range(len(place.pieces))
        }
        labels = {pick.label.removeprefix("g") for pick in model.picks}
        drawn = {hot.removeprefix(ABOUT) for hot in hots if hot.startswith(ABOUT)}
        assert drawn >= {spot for spot in spots if spot not in labels}
        for place in drawn:
            assert space_about(model, place).strip()
        if model.view.phase in ("name", "duel") and size == SIZES[0]:
            continue  # What is scored has the rows of the display then: nothing is taken from it.
        for face in {card.face for card in model.view.zones["display"]}:
            is_taken = any(offer.text == f"take {face}" for offer in model.view.offers)
            assert (f"display.{face}" in drawn) is not is_taken


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_in_lines_of_text_card_and_a_name_say_the_same_reasons(game: str, language: str) -> None:
    """There a person read what a card says, and `There is no choice` for whatever cannot be had."""
    told = 0
    for model in islice(pictures(game, 3, language), 30):
        notes = Notes()
        for at in dim_cards(model):
            face = model.hand[at - 1].card.face or ""
            is_read = face in readable_faces(model) and not any(
                str(number) in {pick.label for pick in model.picks}
                for number, held in enumerate(model.hand, 1) if held.card.face == face
            )  # fmt: skip
            if is_read:
                told += 1
                assert why_not(model, at) in card_lines(model, notes, face)
        for place in {"renaissance": ["a1", "B2"], "civilization": ["a1", "K2"]}.get(game, []):
            (line,) = card_lines(model, notes, place)
            assert line.startswith(f"{place.lower()}"), line
    assert told or game == "civilization"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_whatever_a_board_lets_me_ask_about_says_what_it_is(game: str, seed: int) -> None:
    asked = set[str]()
    for model in islice(pictures(game, seed), 25):
        for width, height in SIZES:
            frame = draw_table(Scene(model, (), "", width, height))
            parts = (frame.board, frame.prompt, frame.hand, frame.side)
            hots = {span.hot for rows in parts for row in rows for span in row}
            places = {hot.removeprefix(ABOUT) for hot in hots if hot.startswith(ABOUT)}
            asked |= places
            for place in places:
                said = what_is_said(model, place)
                assert said and not said.endswith(": "), place
    assert asked


def test_a_group_on_its_way_says_by_which_rule_it_does_not_go_there() -> None:
    """Until each of the commonest reasons has been given, in random games."""
    words, wanted = load("en"), {"far", "unexplored", "water"}
    reasons = {
        words(f"civilization.why.{key}", number=at): key for key in wanted for at in range(9)
    }
    for seed in range(6):
        for model in pictures("civilization", seed):
            if wanted and model.view.phase == "moving":
                table = table_of(model.view)
                given = {why_no_square(model, table, square) for square in range(SQUARES)}
                wanted -= {reasons[why] for why in given if why in reasons}
    assert not wanted
