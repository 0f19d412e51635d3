"""What bots know of Dominion: agendas that buy, answers to small questions, who is ahead."""

from __future__ import annotations

from itertools import combinations

import pytest

from ai.games.dominion import DominionKnowledge
from ai.games.dominion.agenda import Agenda
from ai.games.dominion.book import BOOK, MONEY_AGENDA, agenda_for, plan_for
from ai.games.dominion.finding import Finder, games_for
from ai.games.dominion.model import best_agendas
from ai.levels import SearchSettings, decide
from ai.search.knowledge import REWARD_ONE
from ai.search.search import search
from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice, start
from core.games.dominion import GAME
from core.games.dominion.cards import BASIC_KINDS, KEYS, PROVINCE
from core.games.dominion.kingdoms import named_kingdom
from core.requests import Choice, Over
from core.testing.worlds import OpenGame, any_setting
from scripts.lab import engines_dominion
from tests.core.games.dominion.stage import Stage, faces

KNOWLEDGE = DominionKnowledge(GAME)
CHAPELS = "chapel festival laboratory market militia moneylender smithy village witch workshop"
SETS = ("first_game", "size_distortion", "deck_top", "sleight_of_hand", "improvements")


def leave(stage: Stage, key: str, count: int) -> Stage:
    """Let only so many cards be left in a pile of the supply."""
    pile = KEYS.index(key)
    stage.table.zones[pile] = stage.table.zones[pile][:count]
    return stage


def plan(stage: Stage, agenda: Agenda = MONEY_AGENDA) -> str:
    """What the seat that has to choose does by an agenda, in notation."""
    seat = stage.chooser
    action = KNOWLEDGE.follow(agenda, stage.table, seat, stage.observation(seat))
    return GAME.describe(stage.table, action, stage.observation(seat))


def bought(stage: Stage, agenda: Agenda = MONEY_AGENDA) -> str:
    """What it buys, once its Treasures have been played."""
    while (choice := plan(stage, agenda)).startswith(("play", "treasures", "stop")):
        stage.do(choice)
    return choice


def candidates(stage: Stage) -> list[str]:
    """What search would try."""
    seat, observation = stage.chooser, stage.observation(stage.chooser)
    return [
        GAME.describe(stage.table, action, observation)
        for action in KNOWLEDGE.candidates(stage.table, seat, observation)
    ]


def winner(first: str, second: str, seed: int) -> set[str]:
    """Who wins a game of two plans; the first begins in every other game."""
    names = [first, second] if seed % 2 else [second, first]
    table = start(GAME, 2, {"kingdom": "first_game"})
    deal, chance = table.face[:], Chance(seed)
    while not isinstance(pending := run_until_choice(GAME, table, deal, chance), Over):
        assert isinstance(pending, Choice)
        seat = pending.player
        observation = observation_of(table, deal, seat)
        if names[seat] == "random":
            action = chance.pick(GAME.legal_actions(table, seat, observation))
        else:
            action = getattr(KNOWLEDGE, names[seat])(table, seat, observation)
        GAME.apply(table, seat, action)
    return {names[seat] for seat in GAME.winners(table)}


# ---- the players ----


def test_big_money_beats_dice_always_and_the_plan_beats_every_fixed_strategy_mostly() -> None:
    assert all(winner("big_money", "random", seed) == {"big_money"} for seed in range(10))
    wins = [winner("policy", "big_money", seed) for seed in range(60)]
    assert wins.count({"policy"}) > 36


@pytest.mark.parametrize("seed", range(6))
def test_the_plan_is_always_among_the_candidates_and_sees_only_its_own_cards(seed: int) -> None:
    players, options = any_setting(GAME, seed)
    print(f"seed {seed}: {players} seats, {options}")
    world = OpenGame(GAME, players, options, seed)
    for pending in world.play():
        assert isinstance(pending, Choice)
        observation = observation_of(world.table, world.deal, pending.player)
        legal = GAME.legal_actions(world.table, pending.player, observation)
        candidates = KNOWLEDGE.candidates(world.table, pending.player, observation)
        plan = KNOWLEDGE.policy(world.table, pending.player, observation)
        assert plan in candidates
        assert set(candidates) <= set(legal)
        assert candidates[0] == plan
        assert KNOWLEDGE.policy(world.table, pending.player, world.deal) == plan


# ---- agendas ----


def test_an_agenda_buys_the_first_wish_that_it_has_not_enough_of() -> None:
    agenda = Agenda("gold smithy*1 silver")
    assert bought(Stage("copper*4", "", kingdom="smithy"), agenda) == "buy smithy"
    assert bought(Stage("copper*4", "", decks=["smithy"]), agenda) == "buy silver"
    assert bought(Stage("copper*4", "", discards=["smithy"]), agenda) == "buy silver"
    assert bought(Stage("copper*4", "", kingdom="smithy", gone="smithy"), agenda) == "buy silver"
    assert bought(Stage("gold*2", "", kingdom="smithy"), agenda) == "buy gold"
    assert bought(Stage("copper*2", "", kingdom="smithy"), agenda) == "end"


def test_a_wish_may_come_again_with_a_larger_number() -> None:
    agenda = Agenda("smithy*1 silver*2 smithy*2")
    assert bought(Stage("copper*4", "", decks=["smithy silver"]), agenda) == "buy silver"
    assert bought(Stage("copper*4", "", decks=["smithy silver*2"]), agenda) == "buy smithy"


@pytest.mark.parametrize(
    ("left", "coins", "wanted"),
    [
        (8, "gold*3", "buy province"),
        (6, "copper*5", "buy silver"),
        (5, "copper*5", "buy duchy"),
        (5, "gold*2", "buy gold"),
        (4, "gold*2", "buy duchy"),
        (3, "copper*3", "buy silver"),
        (2, "copper*3", "buy estate"),
        (4, "copper*2", "end"),
        (3, "copper*2", "buy estate"),
    ],
)
def test_land_is_bought_when_few_provinces_are_left(left: int, coins: str, wanted: str) -> None:
    assert bought(leave(Stage(coins, "province*5"), "province", left)) == wanted


def test_with_more_seats_the_same_land_is_bought_while_more_provinces_are_left() -> None:
    assert bought(leave(Stage("copper*5", "", "", ""), "province", 10)) == "buy duchy"
    assert bought(leave(Stage("copper*5", "", "", ""), "province", 12)) == "buy silver"


def test_the_last_province_is_bought_to_win_and_not_to_lose() -> None:
    behind = leave(Stage("gold*3", "", decks=["", "province*2"]), "province", 1)
    assert bought(behind) == "buy duchy"
    ahead = leave(Stage("gold*3", "", decks=["", "duchy"]), "province", 1)
    assert bought(ahead) == "buy province"


def test_a_third_pile_is_emptied_to_win_and_not_to_lose() -> None:
    piles = {"kingdom": "smithy village", "gone": "smithy village"}
    ahead = leave(Stage("copper*2", "", decks=["estate"], **piles), "estate", 1)
    assert bought(ahead) == "buy estate"
    behind = leave(Stage("copper*3", "", decks=["", "duchy"], **piles), "silver", 1)
    assert bought(behind) == "end"


def test_equal_points_after_more_turns_do_not_win() -> None:
    stage = leave(Stage("gold*3", "", decks=["", "province"]), "province", 1)
    mine, theirs = (stage.table.layout.counters.index(f"seat{seat}.turns") for seat in (0, 1))
    stage.table.counters[mine], stage.table.counters[theirs] = 9, 8
    assert bought(stage) == "buy duchy"
    stage = leave(Stage("gold*3", "", decks=["", "province"]), "province", 1)
    stage.table.counters[mine], stage.table.counters[theirs] = 9, 9
    assert bought(stage) == "buy province"


def test_the_book_has_an_agenda_for_every_kingdom_and_no_line_that_is_never_used() -> None:
    kinds = [{face for face in agenda.order if face >= BASIC_KINDS} for agenda in BOOK]
    assert not kinds[-1]
    assert not any(stronger <= weaker for stronger, weaker in combinations(kinds, 2))
    for edition in (1, 2):
        for name in SETS:
            kingdom = named_kingdom({"kingdom": name, "edition": edition})
            for agenda in (agenda_for(kingdom), *best_agendas(kingdom)):
                assert set(agenda.order) <= {*range(BASIC_KINDS), *kingdom}


def test_in_a_kingdom_with_witches_bots_and_the_plan_buy_one() -> None:
    kingdom = named_kingdom({"kingdom": "improvements", "edition": 2})
    for agenda in (agenda_for(kingdom), best_agendas(kingdom)[0]):
        assert KEYS.index("witch") in agenda.order
    assert [face for face in plan_for(kingdom).order if face >= BASIC_KINDS] == faces("witch")


# ---- agendas that are found ----


def found(kingdom: str, games: int) -> Agenda:
    """What a new search for an agenda finds."""
    kinds = tuple(sorted(faces(kingdom)))
    return Finder(GAME, KNOWLEDGE.follow, kinds).find(games)


@pytest.mark.slow
def test_the_same_agenda_is_found_again_and_it_is_better_than_the_books() -> None:
    best, once, again = found(CHAPELS, 1000), found(CHAPELS, 200), found(CHAPELS, 200)
    kinds = tuple(sorted(faces(CHAPELS)))
    assert once.text == again.text
    assert best.text != agenda_for(kinds).text
    others = Finder(GAME, KNOWLEDGE.follow, kinds)
    others.deals = 10**6  # Other deals than those by which it was found.
    won = others.won(best, agenda_for(kinds), 100)
    assert won > 200 * REWARD_ONE // 2


def test_a_small_budget_leaves_no_time_to_look_for_an_agenda() -> None:
    assert games_for(50) == 0 < games_for(500) < games_for(5000) == games_for(10**6)
    knowledge = DominionKnowledge(GAME)
    stage = Stage("copper*4", "", kingdom=CHAPELS)
    knowledge.prepare(stage.table, 50)
    assert knowledge.agenda(stage.table) is agenda_for(tuple(sorted(faces(CHAPELS))))


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("copper*4 estate", "treasures copper copper copper copper"),
        ("village copper*4", "play village"),
    ],
)
def test_nobody_looks_for_an_agenda_where_there_is_one_answer_anyway(
    hand: str, wanted: str
) -> None:
    knowledge, stage = DominionKnowledge(GAME), Stage(hand, "", kingdom=CHAPELS)
    seat, observation = stage.chooser, stage.observation(stage.chooser)
    decision = search(knowledge, stage.table, observation, seat, seed=1, iterations=1000)
    assert GAME.describe(stage.table, decision.action, observation) == wanted
    assert (decision.iterations, knowledge.kingdom) == (0, ())


def test_an_engine_of_several_kinds_beats_what_the_book_had_without_it() -> None:
    """One kind after another does not find it: without its Villages it is worth nothing."""
    engine = "witch*1 gold militia*1 chapel*1 village*4 smithy*3 silver"
    assert engine in engines_dominion.engines()
    without = [agenda for agenda in BOOK if KEYS.index("village") not in agenda.order]
    trials = engines_dominion.Trials(without, 1)
    assert trials.share(engine, 3, 20) > 0.6
    assert trials.share("chapel*1 gold village*10 silver", 3, 20) < 0.4
    assert trials.share("sentry*1 spy*2 gold silver", 3, 20) == 0  # In no box together.


@pytest.mark.slow
def test_engines_are_printed_that_beat_the_book_and_all_before_them() -> None:
    trials = engines_dominion.Trials([MONEY_AGENDA], 1)
    texts = ["gold moat*2 village*2 silver", "witch*1 gold silver", "witch*2 gold silver"]
    found = [text for _, text in engines_dominion.best_engines(trials, texts)]
    assert "witch*2 gold silver" in found and trials.book[0].text == found[-1]


# ---- small questions ----


def test_a_chapel_trashes_curses_and_estates_and_copper_only_while_money_is_left() -> None:
    stage = Stage("chapel curse estate copper", "", decks=["copper*3"])
    for wanted in ("play chapel", "trash curse", "trash estate", "stop"):
        assert plan(stage) == wanted
        stage.do(wanted)
    rich = Stage("chapel copper*2", "", decks=["gold silver"]).do("play chapel")
    assert plan(rich) == "trash copper"


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("copper*3 gold silver", "stop"),  # Eight coins: it took one, and a Duchy was bought.
        ("copper*2 gold silver", "play chapel"),
        ("copper*2 silver*2", "stop"),  # Six.
        ("copper silver*2", "play chapel"),
    ],
)
def test_a_chapel_takes_no_copper_with_which_the_turn_buys_a_province_or_gold(
    hand: str, wanted: str
) -> None:
    assert plan(Stage(f"chapel {hand}", "", decks=["gold*3 silver*4"])) == wanted


def test_a_chapel_with_nothing_to_trash_is_not_played() -> None:
    assert plan(Stage("chapel gold", "")) == "stop"


def test_a_throne_room_doubles_the_strongest_action_and_not_the_village() -> None:
    stage = Stage("throne_room village smithy copper*2", "", decks=["copper*9"])
    for wanted in ("play village", "play throne_room", "play smithy"):
        assert plan(stage) == wanted
        stage.do(wanted)
    assert plan(Stage("throne_room smithy copper*3", "", decks=["copper*9"])) == "play throne_room"


def test_a_vassal_leaves_a_chapel_to_an_empty_hand() -> None:
    """The best of no cards was asked for, which is an error."""
    stage = Stage("vassal", "", decks=["chapel copper*5"]).do("play vassal")
    assert plan(stage) == "pass"


def test_a_vassal_plays_the_action_that_it_turns_up() -> None:
    stage = Stage("vassal copper*4", "", decks=["smithy copper*5"]).do("play vassal")
    assert plan(stage) == "play smithy"


def test_a_library_puts_an_action_aside_only_when_it_could_not_be_played() -> None:
    stage = Stage("library copper*4", "", decks=["smithy copper*3 militia"]).do("play library")
    assert plan(stage) == "aside smithy"
    stage = Stage("village library copper*3", "", decks=["copper smithy copper*4 militia"])
    assert plan(stage.do("play village", "play library")) == "keep smithy"


def test_a_sentry_trashes_the_bad_discards_land_and_puts_the_best_on_top() -> None:
    stage = Stage("sentry silver*4", "", decks=["gold curse estate silver"]).do("play sentry")
    for wanted in ("trash curse", "trash estate"):
        assert plan(stage) == wanted
        stage.do(wanted)
    stage = Stage("sentry silver*4", "", decks=["gold province gold silver"]).do("play sentry")
    for wanted in ("stop", "discard province", "stop"):
        assert plan(stage) == wanted
        stage.do(wanted)
    stage = Stage("sentry silver*4", "", decks=["copper silver gold silver"]).do("play sentry")
    for wanted in ("stop", "stop", "put silver"):
        assert plan(stage) == wanted
        stage.do(wanted)


def test_actions_that_leave_another_are_played_first() -> None:
    stage = Stage("smithy village militia", "", decks=["copper*9"])
    assert plan(stage) == "play village"
    assert candidates(stage) == ["play village"]
    assert "play smithy" in candidates(stage.do("play village"))


def test_the_worst_cards_are_discarded_to_a_militia() -> None:
    stage = Stage("militia", "gold smithy copper estate curse").do("play militia")
    for wanted in ("discard curse", "discard estate"):
        assert plan(stage) == wanted
        stage.do(wanted)
    assert stage.hand(1) == "copper gold smithy"


def test_a_gold_becomes_a_province_and_an_estate_something_better() -> None:
    stage = Stage("remodel gold", "").do("play remodel")
    assert plan(stage) == "trash gold"
    assert plan(stage.do("trash gold")) == "gain province"
    stage = Stage("remodel estate copper", "").do("play remodel", "trash estate")
    assert plan(stage) == "gain silver"


# ---- search ----


def test_all_treasures_are_played_at_once_and_a_few_purchases_are_thought_about() -> None:
    stage = Stage("copper*3 silver*2", "", kingdom="witch")
    assert candidates(stage) == ["treasures copper copper copper silver silver"]
    stage.do(*candidates(stage))
    assert candidates(stage)[0] == "buy witch"
    assert "buy gold" in candidates(stage)
    assert 1 < len(candidates(stage)) <= 8


def test_early_in_the_game_every_kind_of_the_kingdom_can_be_thought_about() -> None:
    kingdom = "village workshop cellar market militia mine moat remodel smithy merchant"
    stage = Stage("copper*3", "", kingdom=kingdom)
    stage.do(*candidates(stage))
    assert {"buy village", "buy workshop"} <= set(candidates(stage))
    late = leave(Stage("copper*3", "", kingdom=kingdom), "province", 6)
    late.do(*candidates(late))
    assert "buy village" not in candidates(late)


@pytest.mark.parametrize(
    ("deck", "left", "wanted"),
    [("copper*5", 8, "gold"), ("gold*3", 8, "province"), ("copper*5", 6, "province")],
)
def test_gold_comes_before_an_early_province_as_long_as_the_deck_is_poor(
    deck: str, left: int, wanted: str
) -> None:
    stage = leave(Stage("gold*2 silver", "", decks=[deck]), "province", left)
    stage.do(*candidates(stage))
    assert candidates(stage)[0] == f"buy {wanted}"
    assert {"buy gold", "buy province"} <= set(candidates(stage))
    assert plan(stage) == "buy province"


def test_a_thinner_deck_with_the_same_points_is_ahead() -> None:
    stage = Stage("gold*2 copper", "gold*2 copper*9")
    shares = KNOWLEDGE.evaluate(stage.table)
    assert shares[0] > REWARD_ONE // 2 > shares[1]


def test_a_better_deck_counts_for_less_when_few_provinces_are_left() -> None:
    early = KNOWLEDGE.evaluate(Stage("gold*4", "estate copper*4").table)
    late = KNOWLEDGE.evaluate(leave(Stage("gold*4", "estate copper*4"), "province", 1).table)
    assert early[0] > late[0]


def test_judged_games_give_everybody_a_share_and_the_leader_the_largest() -> None:
    stage = Stage("province*2 gold", "curse copper", "estate")
    shares = KNOWLEDGE.evaluate(stage.table)
    assert sum(shares) <= REWARD_ONE
    assert shares[0] > shares[2] > shares[1] >= 0


def test_a_bot_takes_the_province_that_wins() -> None:
    stage = Stage("gold*3", "", decks=["copper*5", "copper*10"])
    stage.table.zones[PROVINCE] = stage.table.zones[PROVINCE][:1]
    for wanted in ("treasures gold gold gold", "buy province"):
        settings = SearchSettings(1, "gentle", 60)
        decision = decide(GAME, stage.table, stage.observation(0), 0, settings)
        assert GAME.describe(stage.table, decision.action, stage.observation(0)) == wanted
        stage.act(decision.action)
    assert stage.is_over


def test_a_tournament_can_have_a_player_who_buys_by_any_agenda() -> None:
    follow = KNOWLEDGE.follower("chapel*1+gold+silver")
    assert follow is not None
    stage = Stage("copper*5", "", kingdom="chapel").do(
        "treasures copper copper copper copper copper"
    )
    action = follow(stage.table, 0, stage.observation(0))
    assert GAME.describe(stage.table, action, stage.observation(0)) == "buy chapel"


def test_what_there_is_enough_of_does_not_put_duchies_before_gold() -> None:
    """Behind a Chapel at the head of the agenda they were, from five Provinces on."""
    agenda = Agenda("chapel*1 gold silver")
    for has_chapel, first in ((False, "duchy"), (True, "gold")):
        stage = Stage(
            "copper*5", "", decks=["chapel" if has_chapel else "estate"], kingdom="chapel"
        )
        pile = KEYS.index("province")
        stage.table.zones[pile] = stage.table.zones[pile][:5]
        assert KEYS[agenda.purchases(stage.table, 0, 7)[0]] == first


@pytest.mark.parametrize("plan", ["", "chapel*+gold", "platinum", "gold*x", "gold+"])
def test_what_is_no_agenda_is_nobodys_plan(plan: str) -> None:
    assert KNOWLEDGE.follower(plan) is None
