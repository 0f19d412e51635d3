"""The rules over JSON lines: what is answered, and what no line can do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chance import Chance
from core.game import Game
from core.referee import ACTS_MAX, FIX_ENTRIES_MAX, LINE_CHARS_MAX, Referee, serve
from core.requests import Player
from core.table import HIDDEN, Observation, RulesError, Table
from tests.core.games.carta.lines import Json, Lines, pile

HAND = "military science culture"


def two_seats(**more: Any) -> Lines:
    return Lines(2, first=f"{HAND} religion economy religion", **more)


def test_the_games_are_listed() -> None:
    games = ["carta", "dominion", "renaissance", "civilization"]
    assert Lines(2).ask("games") == {"ok": True, "games": games}


def test_a_new_game_tells_who_has_to_choose_and_what_everybody_saw() -> None:
    begun = two_seats(roll=1).begun
    assert begun["request"] == {"choice": {"seat": 1}}
    kinds = [next(iter(event)) for event in begun["events"]]
    assert kinds == ["shuffled", "rolled", "shown", "shown"]
    assert begun["events"][0]["shuffled"]["seat"] is None
    assert [len(cards) for cards in begun["events"][0]["shuffled"]["piles"]] == [28, 32, 44]
    assert begun["events"][1]["rolled"] == {"sides": 2, "number": 1}
    assert begun["events"][2]["shown"]["seat"] == 1
    assert len(begun["events"][2]["shown"]["cards"]) == 3


def test_an_action_is_named_by_its_text() -> None:
    game = two_seats()
    answer = game.act(0, "play science")
    chosen, revealed = answer["events"]
    assert chosen["chosen"]["seat"] == 0
    assert chosen["chosen"]["action"]["text"] == "play ?"
    assert revealed["revealed"]["faces"] == ["science"]
    assert answer["request"] == {"choice": {"seat": 0}}


def test_an_action_is_named_card_by_card() -> None:
    game = two_seats()
    first = game.ask("legal", seat=0)["actions"][1]
    assert first["text"] == "play science"
    game.ask("act", seat=0, action=first)
    assert game.zone("seat0.science") == ["science"]


def test_a_card_equal_to_the_one_that_is_offered_will_do() -> None:
    game = Lines(2, first="science*3")
    offered = game.ask("legal", seat=0)["actions"]
    assert len(offered) == 1
    other = next(
        card for card in game.view()["cards"]["seat0.hand"] if card not in offered[0]["cards"]
    )
    game.ask("act", seat=0, action={"verb": "play", "cards": [other], "number": 0})
    assert game.view()["cards"]["seat0.science"] == [other]


def test_views_show_each_seat_its_own_cards_a_spectator_none_and_all_every_face() -> None:
    game = two_seats()
    mine = sorted(HAND.split())
    assert sorted(map(str, game.zone("seat0.hand", 0))) == mine
    assert game.zone("seat0.hand", 1) == [None] * 3
    assert game.zone("seat0.hand", None) == [None] * 3
    assert sorted(map(str, game.zone("seat0.hand", "all"))) == mine
    assert None not in game.zone("deck", "all")
    picture = game.view(1)
    assert (picture["game"], picture["seats"], picture["seat"]) == ("carta", 2, 1)
    assert (picture["phase"], picture["to_act"]) == ("play", [0])
    assert picture["options"]["deal"] == "basic"
    assert picture["counters"]["turn"] == 0
    assert "scores" not in picture


def test_undo_goes_back_one_act_at_a_time_whatever_was_shown() -> None:
    game = two_seats()
    before = game.view()
    game.act(0, "play science")
    middle = game.view()
    game.act(0, "end")
    assert game.ask("undo")["request"] == {"choice": {"seat": 0}}
    assert game.view() == middle
    game.ask("undo")
    assert game.view() == before
    assert game.try_to("undo")["error"] == "bad_request"
    game.act(0, "play military")


def test_undo_takes_back_one_secret() -> None:
    game = Lines(2, deal="draft")
    game.act(0, game.legal(0)[0])
    assert game.view(None)["to_act"] == [1]
    assert game.ask("undo")["request"] == {"secret": {"seats": [0, 1]}}


def test_several_acts_in_one_line_come_out_as_one_after_the_other() -> None:
    one, several = two_seats(), two_seats()
    acts = [{"seat": 0, "text": "play science"}, {"seat": 0, "text": "end"}]
    told = several.ask("acts", acts=acts)
    answers = [one.ask("act", **act) for act in acts]
    assert told["events"] == [event for answer in answers for event in answer["events"]]
    assert told["request"] == answers[-1]["request"]
    assert several.view() == one.view()


def test_undo_takes_back_a_line_of_acts_at_once() -> None:
    game = two_seats()
    before = game.view()
    game.ask("acts", acts=[{"seat": 0, "text": "play science"}, {"seat": 0, "text": "end"}])
    game.ask("undo")
    assert game.view() == before


@pytest.mark.parametrize(
    ("acts", "error", "message"),
    [
        ([{"seat": 0, "text": "fly"}], "illegal_action", "act 2: 'fly'"),
        ([{"seat": 1, "text": "end"}], "not_your_turn", "act 2: seat 1"),
        ([{"seat": 0}], "bad_request", "act 2: act takes either"),
        ([{"seat": 9, "text": "end"}], "bad_request", "act 2: seat is a number"),
        ([{"seat": 0, "text": "end", "fly": 1}], "bad_request", "act 2 is not"),
        (["end"], "bad_request", "act 2 is not"),
        ([{"seat": 0, "text": "end"}] * ACTS_MAX, "bad_request", "up to 1000 acts"),
    ],
)
def test_of_acts_in_one_line_none_is_done_if_one_is_refused(
    acts: list[object], error: str, message: str
) -> None:
    game = two_seats()
    before = game.view()
    answer = game.try_to("acts", acts=[{"seat": 0, "text": "play science"}, *acts])
    assert answer["error"] == error
    assert message in answer["message"]
    assert game.view() == before
    assert game.try_to("undo")["error"] == "bad_request", "nothing has been done"


@pytest.mark.parametrize("acts", [[], {}, None, "end"])
def test_acts_are_a_list_that_is_not_empty(acts: object) -> None:
    assert two_seats().try_to("acts", acts=acts)["error"] == "bad_request"


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    def deck(seed: str) -> list[str]:
        game = Lines(2)
        game.ask("new", game="carta", seats=2, seed=seed)
        return [str(face) for face in game.zone("deck")]

    assert deck("a") == deck("a")
    assert deck("a") != deck("b")


def test_a_whole_game_can_be_played_and_ends_with_scores_and_winners() -> None:
    for seed in range(6):
        game = Lines(2 + seed % 3, deal=("basic", "draft")[seed % 2])
        answer = random_game(game, seed)
        over = answer["request"]["over"]
        picture = game.view(None)
        assert (picture["scores"], picture["winners"]) == (over["scores"], over["winners"])
        assert over["winners"]
        assert game.legal(0) == []
        assert game.try_to("act", seat=0, text="end")["error"] == "not_your_turn"


def random_game(game: Lines, seed: int) -> Json:
    """Play on to the end with anything that is legal; gives the last answer."""
    chance, answer = Chance(seed), game.begun
    while "over" not in answer["request"]:
        seat = game.view(None)["to_act"][0]
        answer = game.act(seat, chance.pick(game.legal(seat)))
    return answer


def test_what_everybody_saw_is_what_a_spectator_sees() -> None:
    game = Lines(3)
    chance, answer = Chance(11), game.begun
    public: dict[int, str] = {}
    while "over" not in answer["request"]:
        for event in answer["events"]:
            if "revealed" in event:
                shown = event["revealed"]
                public.update(zip(shown["cards"], shown["faces"], strict=True))
            for cards in event.get("shuffled", {}).get("piles", []):
                for card in cards:
                    public.pop(card, None)
        picture = game.view(None)
        for name, faces in picture["zones"].items():
            assert faces == [public.get(card) for card in picture["cards"][name]], name
        seat = picture["to_act"][0]
        answer = game.act(seat, chance.pick(game.legal(seat)))


# ---- fix ----


def test_fixed_shuffles_and_rolls_are_used_in_the_order_in_which_they_are_asked_for() -> None:
    first, roll = "science*3 military*3", {"roll": 1}
    game = Lines(2, roll=1, first=first)
    assert game.zone("seat1.hand") == ["science"] * 3
    assert game.zone("seat0.hand") == ["military"] * 3
    null = {"shuffle": None}
    game.ask("new", game="carta", seats=2, fix=[pile("I", first), null, null, roll])
    assert game.zone("seat1.hand") == ["science"] * 3


def test_the_mix_of_a_hand_by_its_owner_can_be_fixed_too() -> None:
    fix = [pile("I", "science military*5 culture"), pile("II", ""), pile("III", ""), {"roll": 0}]
    game = Lines(2)
    fix.append({"shuffle": ["military", "culture", "military"]})
    game.ask("new", game="carta", seats=2, fix=fix)
    game.act(0, "play science", "end")
    assert game.zone("seat0.hand", 0) == ["military", "culture", "military"]  # The top is last.


@pytest.mark.parametrize(
    ("fix", "message"),
    [
        ([{"shuffle": ["military"]}], "has to be of 8 military, 8 religion"),
        ([{"shuffle": ["nonsense"] * 28}], "face keys"),
        ([{"shuffle": "military"}], "face keys"),
        ([{"roll": 1}], "has to be {"),
        (["roll"], "has to be {"),
        ([{"shuffle": None}] * 3 + [{"roll": 2}], "from 0 to 1"),
        ([{"shuffle": None}] * 3 + [{"roll": True}], "from 0 to 1"),
        ([{"shuffle": None}] * 4, "has to be {"),
        ("roll", "fix is a list"),
        ([{"roll": 0}] * (FIX_ENTRIES_MAX + 1), "fix is a list"),
    ],
)
def test_a_fix_that_does_not_fit_is_refused_and_the_old_game_stands(
    fix: object, message: str
) -> None:
    game = two_seats()
    before = game.view()
    answer = game.try_to("new", game="carta", seats=2, fix=fix)
    assert (answer["ok"], answer["error"]) == (False, "bad_request")
    assert message in answer["message"]
    assert game.view() == before


def test_a_fix_that_does_not_fit_later_refuses_the_act_and_the_game_stands() -> None:
    fix = [pile("I", "science*3"), pile("II", ""), pile("III", ""), {"roll": 0}, {"roll": 0}]
    game = Lines(2)
    game.ask("new", game="carta", seats=2, fix=fix)
    game.act(0, "play science")
    before = game.view()
    assert game.try_to("act", seat=0, text="end")["error"] == "bad_request"
    assert game.view() == before


# ---- bad input ----


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("", "bad_request"),
        ("nonsense", "bad_request"),
        ("[]", "bad_request"),
        ("1", "bad_request"),
        ("null", "bad_request"),
        ("{}", "bad_request"),
        ('{"do":7}', "bad_request"),
        ('{"do":"dance"}', "bad_request"),
        ('{"do":"legal"}', "bad_request"),
        ('{"do":"legal","seat":0,"more":1}', "bad_request"),
        ('{"do":"legal","seat":"0"}', "bad_request"),
        ('{"do":"legal","seat":0.0}', "bad_request"),
        ('{"do":"legal","seat":true}', "bad_request"),
        ('{"do":"legal","seat":-1}', "bad_request"),
        ('{"do":"legal","seat":2}', "bad_request"),
        ('{"do":"legal","seat":NaN}', "bad_request"),
        ('{"do":"view","seat":"me"}', "bad_request"),
        ('{"do":"view","seat":Infinity}', "bad_request"),
        ('{"do":"act","seat":0}', "bad_request"),
        ('{"do":"act","seat":0,"text":"end","action":{"verb":"end"}}', "bad_request"),
        ('{"do":"act","seat":0,"text":7}', "bad_request"),
        ('{"do":"act","seat":0,"text":null}', "bad_request"),
        ('{"do":"act","seat":0,"action":[]}', "bad_request"),
        ('{"do":"act","seat":0,"action":{}}', "bad_request"),
        ('{"do":"act","seat":0,"action":{"verb":"play","cards":5}}', "bad_request"),
        ('{"do":"act","seat":0,"action":{"verb":"play","cards":[-1]}}', "bad_request"),
        ('{"do":"act","seat":0,"action":{"verb":"play","cards":[1e3]}}', "bad_request"),
        ('{"do":"act","seat":0,"action":{"verb":"play","fly":1}}', "bad_request"),
        ('{"do":"act","seat":0,"action":{"verb":"play","number":99999999999}}', "bad_request"),
        ('{"do":"act","seat":1,"text":"play religion"}', "not_your_turn"),
        ('{"do":"act","seat":0,"text":"play utopia"}', "illegal_action"),
        ('{"do":"act","seat":0,"text":"Play Science"}', "illegal_action"),
        ('{"do":"act","seat":0,"action":{"verb":"play","cards":[0]}}', "illegal_action"),
        ('{"do":"act","seat":0,"action":{"verb":"end"}}', "illegal_action"),
        ('{"do":"act","seat":0,"action":{"verb":"use","number":16777216}}', "illegal_action"),
        ('{"do":"new","game":"chess","seats":2}', "unknown_game"),
        ('{"do":"new","game":7,"seats":2}', "bad_request"),
        ('{"do":"new","game":"carta","seats":"2"}', "bad_request"),
        ('{"do":"new","game":"carta","seats":5}', "bad_option"),
        ('{"do":"new","game":"carta","seats":2,"options":[]}', "bad_request"),
        ('{"do":"new","game":"carta","seats":2,"options":{"deal":"open"}}', "bad_option"),
        ('{"do":"new","game":"carta","seats":2,"options":{"fly":true}}', "bad_option"),
        ('{"do":"new","game":"carta","seats":2,"options":{"team":true}}', "bad_option"),
        ('{"do":"new","game":"carta","seats":2,"options":{"team":0}}', "bad_option"),
        ('{"do":"new","game":"carta","seats":2,"options":{"team":[[]]}}', "bad_request"),
        ('{"do":"new","game":"carta","seats":2,"seed":7}', "bad_request"),
    ],
)
def test_a_bad_line_is_answered_and_the_game_stands(line: str, error: str) -> None:
    game = two_seats()
    before = game.view()
    answer = json.loads(game.referee.answer(line))
    assert (answer["ok"], answer["error"]) == (False, error)
    assert answer["message"]
    assert game.view() == before


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"do":' * 10_000,
        '{"do":"act","seat":0,"text":' + "[" * 500 + "]" * 500 + "}",
        '{"do":"new","game":"carta","seats":2,"options":{"deal":' + "[" * 500 + "]" * 500 + "}}",
        '{"do":"new","game":"carta","seats":' + "9" * 10_000 + "}",
        '{"do":"legal","seat":' + "9" * 4_000 + "}",
        '{"do":"' + "x" * 50_000 + '"}',
        '{"do":"games","' + "x" * 50_000 + '":1}',
        " " * (LINE_CHARS_MAX + 1),
        '{"do":"\\ud800"}',
        '{"do":"new","game":"\\ud800","seats":2}',
        b'{"do":"\xff\xfe"}',
        b"\x00\x01\x02",
        b"\xff" * 100,
        "\x00",
    ],
)
def test_monstrous_lines_get_a_short_refusal(line: str | bytes) -> None:
    text = Referee().answer(line)
    answer = json.loads(text)
    assert answer["ok"] is False
    assert len(text) < 1000
    assert "\n" not in text


def test_a_seed_may_be_any_text() -> None:
    answer = Lines(2).ask("new", game="carta", seats=2, seed="\ud800 café \x00")
    assert answer["request"]


def test_without_a_game_only_new_games_and_quit_make_sense() -> None:
    referee = Referee()
    for line in ({"do": "legal", "seat": 0}, {"do": "undo"}, {"do": "view", "seat": None}):
        answer = json.loads(referee.answer(json.dumps(line)))
        assert answer["error"] == "bad_request"
        assert "no game has begun" in answer["message"]


def test_an_illegal_secret_is_refused_at_once() -> None:
    game = Lines(2, deal="draft", first="military*4 science*4")
    theirs = game.view()["cards"]["seat1.hand"][0]
    answer = game.try_to("act", seat=0, action={"verb": "keep", "cards": [theirs]})
    assert answer["error"] == "illegal_action"
    assert game.view(None)["to_act"] == [0, 1]


def test_serving_reads_until_quit() -> None:
    written: list[str] = []
    lines = ['{"do":"games"}\n', "what?\n", b'{"do":"quit"}\n', '{"do":"games"}\n']
    serve(lines, written.append)
    assert [json.loads(line)["ok"] for line in written] == [True, False, True]
    assert all(line.endswith("\n") for line in written)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
_KEYS = st.sampled_from(
    ["do", "game", "seats", "seat", "text", "action", "verb", "cards", "number", "fix", "seed",
     "options", "acts"]
)  # fmt: skip
_WORDS = st.sampled_from(
    ["new", "act", "acts", "legal", "view", "undo",
     "games", "carta", "all", "play science", "end", "play"]
)
_LIKELY = st.dictionaries(
    _KEYS, _WORDS | _JSON | st.dictionaries(_KEYS, _WORDS | _JSON, max_size=4), max_size=6
)


@given(asked=st.lists(_LIKELY | _JSON, min_size=1, max_size=4))
def test_no_json_value_makes_the_referee_raise(asked: list[object]) -> None:
    game = two_seats()
    for value in asked:
        answer = json.loads(game.referee.answer(json.dumps(value)))
        assert isinstance(answer["ok"], bool)
        assert answer["ok"] or answer["message"]


@given(line=st.binary(max_size=60) | st.text(max_size=60))
def test_no_line_of_bytes_or_letters_makes_the_referee_raise(line: str | bytes) -> None:
    assert json.loads(Referee().answer(line))["ok"] is False


# ---- hints ----


def advise(game: Game, table: Table, observation: Observation, player: Player, level: str) -> Json:
    """Somebody who tells what was asked, and knows one level."""
    if level not in ("", "wise"):
        raise RulesError(f"no level is called {level}")
    hand = [
        observation[card] for card in table.zones[table.layout.zone_index[f"seat{player}.hand"]]
    ]
    other = [
        observation[card] for card in table.zones[table.layout.zone_index[f"seat{1 - player}.hand"]]
    ]
    return {"level": level, "hand": hand, "other": other}


def test_a_hint_is_thought_from_the_eyes_of_the_seat_that_has_to_choose() -> None:
    hint = two_seats(advise=advise).ask("hint", seat=0, level="wise")["hint"]
    assert HIDDEN not in hint["hand"]
    assert hint == {"level": "wise", "hand": hint["hand"], "other": [HIDDEN] * 3}
    assert two_seats(advise=advise).ask("hint", seat=0)["hint"]["level"] == ""


def test_a_hint_changes_nothing() -> None:
    game = two_seats(advise=advise)
    before = game.view("all")
    game.ask("hint", seat=0)
    assert game.view("all") == before


def test_there_is_no_hint_for_others_at_unknown_levels_or_where_nobody_thinks() -> None:
    game = two_seats(advise=advise)
    assert game.try_to("hint", seat=1)["error"] == "not_your_turn"
    assert game.try_to("hint", seat=0, level="daft")["message"] == "no level is called daft"
    assert game.try_to("hint", seat=0, level=7)["error"] == "bad_request"
    assert two_seats().try_to("hint", seat=0)["message"] == "nobody thinks here"
