"""Dominion on the screen: the supply, the hand in groups, several picks, the texts of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.game import complete_options
from core.games import find_game
from core.games.dominion.cards import COST, DECK, KEYS, SHOWN
from core.games.dominion.rules_text import RULES
from core.games.dominion.scoring import scores
from core.requests import Action, Over
from p2p.session.commands import Choose, OpenTable
from p2p.session.news import TableChanged, TablesSeen
from tests.ui.driving import an_app, at_table, my_chosen, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, some_ad, ui
from tests.ui.shopping import ALL_CARDS, market
from tests.ui.test_draw import SIZES, every_drawing, is_whole
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games import look_of
from ui.games.dominion.board import BOARD
from ui.games.dominion.owned import owned, points_of
from ui.games.dominion.supply import pile_table
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.prompt import what_to_choose
from ui.model.result import how_won
from ui.model.several import Rest, answers, pick_more
from ui.model.view_model import ViewModel, view_model
from ui.plain.presenter import PlainPresenter
from ui.plain.table_lines import offer_line, question_lines, table_lines
from ui.screens.end import draw_end
from ui.settings import Settings
from ui.terminal.spans import row_width, to_text
from ui.widgets.rows import RowsWidget


def is_buying(news: TableChanged) -> bool:
    return news.view.phase == "buy" and news.view.counters["coins"] == 0 and news.event_count > 60


def is_asked(phase: str, hand: int = 0) -> Callable[[TableChanged], bool]:
    def holds(news: TableChanged) -> bool:
        mine = news.view.zones[f"seat{news.view.seat}.hand"]
        return news.view.phase == phase and len(mine) >= hand

    return holds


def model_of(port: PracticePort, code: str = "en") -> ViewModel:
    return view_model(load(code), port.news())


def cell_of(model: ViewModel, face: str) -> str:
    """How one pile of the supply is written as a line: its key, and how many are left."""
    (ware,) = [each for each in model.look.wares(model.view) if each.face == face]
    text = to_text(pile_table(Scene(model), [ware], 27))
    return text[:3].strip() + text.split()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 6])
def test_no_row_is_too_wide_in_any_language_and_every_pick_is_drawn(
    players: int, seed: int
) -> None:
    port = market(seed, players, kingdom=ALL_CARDS)
    for _ in range(12):
        for code in LANGUAGE_NAMES:
            model = model_of(port, code)
            for size in SIZES:
                rows = every_drawing(model, size)
                assert [row for row in rows if row_width(row) > size[0]] == []
                assert is_whole(model, size)
                hot = {label for row in rows for span in row for label in span.hot.split(",")}
                assert size == (60, 16) or {pick.label for pick in model.picks} <= hot
        port.play(9)


def test_a_pile_has_a_letter_when_it_can_be_bought_and_a_sign_when_treasures_reach_it() -> None:
    port = market().play_until(is_buying)
    model = model_of(port)
    hand = sum(look_coins for look_coins in coins_in_hand(model))
    assert hand > 0
    for ware in model.look.wares(model.view):
        cell = cell_of(model, ware.face)
        if not ware.height or ware.cost > hand:
            assert cell == f"×{ware.height}"
        elif ware.cost == 0:
            assert cell[0].isalpha()
        else:
            assert cell == f"×{ware.height}+t"


@pytest.mark.parametrize("edition", [1, 2])
def test_what_everybody_owns_is_counted_from_the_story_alone(edition: int, seed: int) -> None:
    port = market(seed, 3, kingdom="random", edition=edition)
    while not isinstance(port.request, Over):
        port.play(9)
        decks = owned(port.narrator.lines, 3)
        for seat, deck in enumerate(decks):
            zones = port.table.zones[DECK[seat] : SHOWN[seat] + 1]
            assert deck == Counter(KEYS[port.deal[card]] for zone in zones for card in zone)
        assert tuple(map(points_of, decks)) == scores(port.table)


def coins_in_hand(model: ViewModel) -> list[int]:
    worth = {"copper": 1, "silver": 2, "gold": 3}
    return [worth.get(held.card.face or "", 0) * held.copies for held in model.hand]


def test_a_pile_keeps_its_letter_for_the_whole_game() -> None:
    port, letters = market(), dict[str, str]()
    while not isinstance(port.request, Over):
        model = model_of(port)
        for pick in model.picks:
            if pick.offer.action.verb in ("buy", "gain"):
                assert letters.setdefault(pick.offer.text.split()[-1], pick.label) == pick.label
        port.play(1)
    assert len(letters) > 5
    assert len(set(letters.values())) == len(letters)


def test_equal_cards_of_the_hand_are_one_card_with_a_count() -> None:
    model = model_of(market())
    cards = model.view.zones["seat0.hand"]
    assert {held.card.face: held.copies for held in model.hand} == {
        face: sum(card.face == face for card in cards) for face in {card.face for card in cards}
    }


def test_a_card_of_the_hand_whose_face_has_not_come_yet_is_a_question_mark() -> None:
    news = market().news()
    unseen = tuple(replace(card, face=None) for card in news.view.zones["seat0.hand"])
    view = replace(news.view, zones={**news.view.zones, "seat0.hand": unseen}, offers=())
    model = view_model(load("en"), replace(news, view=view))
    frame = draw_table(Scene(model, width=120, height=36))
    assert f"? ×{len(unseen)}" in to_text(frame.hand)


def test_one_key_plays_all_treasures_also_where_there_is_one() -> None:
    port = market()
    counts = set[int]()
    while not isinstance(port.request, Over):
        model = model_of(port)
        plays = [offer for offer in model.view.offers if offer.action.verb == "play"]
        if model.view.phase == "buy" and plays:
            pick = model.pick("t")
            assert pick is not None
            count = sum(held.copies for held in model.hand if coins_of(held.card.face))
            assert len(pick.offer.action.cards) == count
            counts.add(min(count, 2))
        port.play(1)
    assert counts == {1, 2}


def coins_of(face: str | None) -> int:
    return {"copper": 1, "silver": 2, "gold": 3}.get(face or "", 0)


def test_my_discards_are_counted_by_what_i_own_and_nobody_elses_are() -> None:
    port = market(players=2).play_until(lambda news: news.event_count > 200)
    model = model_of(port)
    text = to_text(BOARD.side(Scene(model, (), "", 120, 36), 36))
    discards = len(port.table.zones[DECK[0] + 3])
    assert f"discards {discards} " in text
    assert text.count("discards") == 1


def test_the_turn_of_another_is_counted_under_that_name() -> None:
    port = market(kingdom=ALL_CARDS).play_until(is_asked("react"))
    frame = draw_table(Scene(model_of(port)))
    assert re.search(r" (grace|alan): ACTIONS \d  BUYS \d  COINS \d", to_text(frame.hand))


def test_the_buy_phase_says_what_is_left_to_do_in_it() -> None:
    port = market().play_until(is_buying)
    words = load("en")
    assert "play Treasures" in what_to_choose(words, port.news().view)
    treasures = [each for each in port.news().view.offers if each.action.verb == "treasures"]
    port.answer(treasures[0].action)
    assert what_to_choose(words, port.news().view) == "buy a card, or end your turn"


@ui
async def test_ascii_has_nothing_beyond_ascii() -> None:
    app = an_app(market(kingdom="draft"), Settings(is_ascii=True, is_automatic=False))
    async with app.run_test(size=(120, 32)) as pilot:
        for is_there in (lambda news: True, is_buying):
            await at_table(pilot, is_there)
            strips = [*app.screen.query(RowsWidget)]
            assert all(strip.render().plain.isascii() for strip in strips)


# ---- several cards at once ----


def discarding() -> ViewModel:
    port = market(kingdom=ALL_CARDS)
    return model_of(port.play_until(is_asked("discard", 5)))


def test_a_label_is_added_as_often_as_there_are_cards_and_then_taken_out() -> None:
    model = discarding()
    number = next(n for n, held in enumerate(model.hand, 1) if held.copies > 1)
    label = str(number)
    assert pick_more(model, (), label) == (label,)
    assert pick_more(model, (label,), label) == (label, label)
    copies = min(model.hand[number - 1].copies, model.look.several(model.view))
    assert copies == 2
    if model.hand[number - 1].copies == 2:
        assert pick_more(model, (label, label), label) == ()


def test_no_more_cards_are_picked_than_are_asked_for() -> None:
    model = discarding()
    picked: tuple[str, ...] = ()
    for number in range(1, len(model.hand) + 1):
        picked = pick_more(model, picked, str(number))
    assert len(picked) == model.look.several(model.view) == 2


def test_enter_ends_a_question_that_may_be_ended_and_no_other() -> None:
    cellar = model_of(market(kingdom=ALL_CARDS).play_until(is_asked("cellar", 3)))
    assert answers(cellar, ("1",))[1:] == ("stop",)
    assert answers(discarding(), ("1",))[1:] == ()


def test_a_question_for_one_card_takes_the_last_that_was_picked() -> None:
    model = model_of(market().play_until(is_buying))
    first, second = [pick.label for pick in model.picks][:2]
    assert pick_more(model, (first,), second) == (second,)


def test_what_is_left_is_not_answered_to_another_question() -> None:
    model = discarding()
    rest = Rest("discard", ("discard copper",))
    assert rest.next_offer(model.view) is not None
    assert Rest("chapel", ("discard copper",)).next_offer(model.view) is None
    assert Rest("discard", ("discard province",)).next_offer(model.view) is None
    assert rest.after().next_offer(model.view) is None


@ui
async def test_two_cards_are_discarded_by_two_keys_and_enter() -> None:
    app = an_app(market(kingdom=ALL_CARDS))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_asked("discard", 5))
        model = screen.model
        assert model is not None
        number = str(next(n for n, held in enumerate(model.hand, 1) if held.copies > 1))
        face = model.hand[int(number) - 1].card.face
        await pilot.press(number, number)
        await shown(pilot, f"discard {load('en').name('face', face or '')}×2?")
        await pilot.press("enter")
        await settled(pilot)
    texts = [command.action.verb for command in my_chosen(port_of(app))]
    assert texts == ["discard", "discard"]


@ui
async def test_escape_and_arrows_let_go_of_several() -> None:
    app = an_app(market(kingdom=ALL_CARDS))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_asked("discard", 5))
        await pilot.press("1", "2")
        assert len(screen.labels) == 2
        await pilot.press("tab")
        assert len(screen.labels) == 1
        await pilot.press("escape")
        assert screen.labels == ()
    assert my_chosen(port_of(app)) == []


@pytest.mark.slow
@ui
async def test_a_whole_game_is_played_by_keys_that_the_screen_shows() -> None:
    app = an_app(market(seed=3, players=2))
    port = port_of(app)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot)
        for _ in range(1_000):
            model = screen.model
            if isinstance(port.request, Over) or model is None:
                break
            best = max(model.picks, key=lambda pick: eagerness(pick.offer.action))
            assert all(key in whole_text(app) for key in best.label)
            await pilot.press(*best.label, "enter")
            await pilot.pause()
        assert isinstance(port.request, Over)
        await shown(pilot, "The last Province has gone")


def eagerness(action: Action) -> tuple[int, int]:
    verbs, verb, number = ("treasures", "play", "buy"), action.verb, action.number
    if verb == "buy" and KEYS[number] not in ("silver", "gold", "province"):
        return (-9, 0)
    return (-verbs.index(verb), COST[number]) if verb in verbs else (-5, 0)


# ---- what the cards say ----


@ui
async def test_the_text_of_the_picked_card_is_shown_and_all_texts_are_one_key_away() -> None:
    app = an_app(market())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.counters["coins"] >= 3)
        assert screen.model is not None
        label = next(p.label for p in screen.model.picks if p.offer.text == "buy village")
        await pilot.press(label)
        await shown(pilot, "+1 card, +2 Actions.")
        await pilot.press("space")
        await shown(pilot, "Village  cost 3, Action")
        await pilot.press("escape")
        await settled(pilot)
        assert screen.picked == label


def test_the_texts_are_those_of_the_rules() -> None:
    words, rules = load("en"), " ".join(RULES.split())
    cards = dict(re.findall(r"- \*\*([^*]+)\*\*(?: \(\d\))?, \d: (.*?)(?= - \*\*| ## )", rules))
    assert len(cards) == 32
    differing = {"Mine", "Moneylender", "Throne Room", "Moat", "Gardens"}
    for name, text in cards.items():
        key = name.lower().replace(" ", "_")
        if name not in differing:
            assert words(f"text.{key}") == text.removeprefix("Attack. ")


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_card_has_its_text_in_both_editions(code: str) -> None:
    words, look = load(code), look_of("dominion")
    first = market(edition=1).news().view
    second = market().news().view
    seen = {view.options["edition"]: [look.texts(view.options, key) for key in KEYS]
            for view in (first, second)}  # fmt: skip
    assert all(words.has(key) for keys in (*seen[1], *seen[2]) for key in keys)
    pairs = zip(KEYS, seen[1], seen[2], strict=True)
    assert [key for key, old, new in pairs if old != new] == ["mine", "moneylender", "throne_room"]
    assert all(words(f"text.{key}") != words(f"text.{key}_1") for key in
               ("mine", "moneylender", "throne_room"))  # fmt: skip


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_end_says_what_ended_the_game_and_after_how_many_turns(code: str) -> None:
    port = market(seed=3, players=2).play(10_000)
    model = model_of(port, code)
    empty = [ware.face for ware in model.look.wares(model.view) if not ware.height]
    names = model.words.listed(model.words.name("face", face) for face in empty)
    ways = model.words("end.provinces"), model.words("end.piles", what=names)
    assert how_won(model) in ways
    shown = to_text(draw_end(model, 80))
    assert model.words("term.turns") in shown
    assert f" {model.view.counters['seat0.turns']} " in shown


# ---- lines of text ----


def test_a_choice_in_lines_of_text_is_short_and_the_table_is_there_on_demand() -> None:
    model = model_of(market().play_until(is_buying))
    question = question_lines(model)
    assert len(question) == 3
    assert question[0].startswith("Actions ")
    assert not any("Province" in line for line in question)
    table = table_lines(model)
    assert any(re.search(r"Cost 8: Province \d+\.", line) for line in table)
    assert table[-1] == question[-1]
    buys = [offer for offer in model.view.offers if offer.text == "buy copper"]
    assert re.fullmatch(r"buy Copper \(cost 0, \d+ left\)", offer_line(model, buys[0]))


# ---- the kingdom, before the game ----


@ui
async def test_the_lobby_starts_a_game_of_dominion_from_the_line_under_the_tables() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await shown(pilot, "Play Dominion against bots")
        await pilot.press(*["down"] * 3, "enter")
        await settled(pilot)
    (opened,) = [each for each in port_of(app).sent if isinstance(each, OpenTable)]
    assert (opened.game, opened.seats, opened.bots, opened.is_local) == ("dominion", 3, 2, True)
    presenter = PlainPresenter(load("en"))
    assert presenter.read("play dominion").command == OpenTable("dominion", 3, 2, is_local=True)


TO_THE_KINGDOM = ("o", "right", *["down"] * 5)


@ui
async def test_a_set_is_shown_by_its_cards_as_the_edition_has_them() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*TO_THE_KINGDOM)
        await shown(pilot, "Cellar, Moat, Merchant, Village")
        assert "Woodcutter" not in whole_text(app)
        await pilot.press("up", "right")
        await shown(pilot, "Cellar, Moat, Village, Woodcutter")


@ui
async def test_ten_kinds_are_chosen_by_letters_with_their_texts_and_open_a_table() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press(*TO_THE_KINGDOM, "left", "enter")
        await shown(pilot, "0 of 10 chosen")
        await pilot.press(*"abcdefghi", "a", "A")
        await shown(pilot, "9 of 10 chosen")
        await pilot.press("enter")
        await settled(pilot)
        assert not [each for each in port_of(app).sent if isinstance(each, OpenTable)]
        await pilot.press("z")
        await shown(pilot, "10 of 10 chosen")
        await pilot.press("y")
        await settled(pilot)
        assert "10 of 10 chosen" in whole_text(app)
        await pilot.press("enter")
        await settled(pilot)
    (opened,) = [each for each in port_of(app).sent if isinstance(each, OpenTable)]
    kinds = str(opened.options["kingdom"]).split(",")
    assert len(kinds) == 10
    assert "adventurer" not in kinds
    assert complete_options(find_game("dominion"), opened.seats, opened.options)


@ui
async def test_a_kind_is_taken_in_and_out_by_mouse_and_says_what_it_does() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*TO_THE_KINGDOM, "left", "enter")
        await shown(pilot, "0 of 10 chosen")
        await pilot.click("#parts", offset=(29, 2))
        await shown(pilot, "1 of 10 chosen")
        assert "Gain a card of at most 5 to your hand." in " ".join(whole_text(app).split())
        await pilot.click("#parts", offset=(29, 2))
        await shown(pilot, "0 of 10 chosen")


@pytest.mark.parametrize(("way", "verb"), [("draft", "choose"), ("veto", "strike")])
def test_the_kingdom_is_found_by_keys_that_stay_and_says_how_many_are_to_come(
    way: str, verb: str
) -> None:
    port, letters = market(players=2, kingdom=way), dict[str, str]()
    while port.news().view.phase == "draft":
        model = model_of(port)
        count = model.view.counters["need"]
        asked = what_to_choose(load("en"), model.view)
        assert f"{count} to go" in asked or count == 1
        for pick in model.picks:
            assert pick.offer.action.verb == verb
            assert letters.setdefault(pick.offer.text, pick.label) == pick.label
        port.play(1)
    assert len(set(letters.values())) == len(letters) > 20


def test_one_word_plays_all_treasures_in_lines_of_text() -> None:
    port, presenter = market().play_until(is_buying), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    command = presenter.read("treasures").command
    assert isinstance(command, Choose) and command.action.verb == "treasures"
    assert presenter.read("treasures").command is None


def test_several_numbers_are_given_one_after_the_other_without_another_question() -> None:
    port = market(kingdom=ALL_CARDS).play_until(is_asked("cellar", 4))
    presenter = PlainPresenter(load("en"), is_automatic=False)
    assert "Your choices:" in presenter.receive(port.news())
    offers = port.news().view.offers
    command, given = presenter.read("1 2").command, list[Action]()
    while isinstance(command, Choose):
        given.append(command.action)
        port.answer(command.action)
        lines = presenter.receive(port.news())
        answer = presenter.own_answer()
        assert ("Your choices:" in lines) == (answer is None)
        command = answer[1] if answer else None
    assert given == [offers[0].action, offers[1].action, Action("stop")]
    assert presenter.own_answer() is None


def test_numbers_that_are_no_choices_are_refused_together() -> None:
    port = market(kingdom=ALL_CARDS).play_until(is_asked("cellar", 4))
    presenter = PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    for line in ("1 99", "1 1 1 1 1 1 1 1 1 1 1 1", "discard"):
        assert presenter.read(line).command is None
