"""A game under way for programs: what it answers, what a seat is told, and what is refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from typing import Any, cast

import pytest

from core.chance import Chance
from core.game import Game
from core.games import GAMES
from core.match import Match
from core.referee import Referee
from core.requests import Action
from core.table import RulesError
from core.testing.worlds import any_setting, pick, temper
from tests.kuhn import KUHN, bets
from tests.toy import REALM

CHOICES_MAX = 20_000
every_game = pytest.mark.parametrize("game", [*GAMES.values(), REALM], ids=lambda game: game.slug)


def played(match: Match, seed: int, stride: int = 1) -> Iterator[Match]:
    """Play a match to its end at random; yields it at every so many choices."""
    chance = Chance(seed)
    for count in range(CHOICES_MAX):
        if match.is_over:
            return
        if count % stride == 0:
            yield match
        seat = chance.pick(match.to_act)
        match.apply(seat, pick(match.legal_actions(seat), chance, temper(seed)))
    raise AssertionError(f"no end, seed {seed}")


def any_match(game: Game, seed: int) -> Match:
    seats, options = any_setting(game, seed)
    print(f"seed {seed}: {seats} seats, {options}")
    return Match(game, seats=seats, seed=seed, **options)


def a_draft() -> Match:
    """A match in which three seats choose at once."""
    return Match("carta", seats=3, seed=4, deal="draft")


# ---- a game ----


@every_game
def test_a_match_is_played_to_its_end_by_what_it_offers(game: Game) -> None:
    for seed in range(6):
        match = any_match(game, seed)
        for _ in played(match, seed):
            pass
        assert len(match.scores) == match.seats
        assert set(match.winners) <= set(range(match.seats))
        assert match.to_act == () and match.legal_actions(0) == []


@pytest.mark.parametrize("seed", [7, "7", -3, 2**80, "a text, any text"])
def test_the_same_seed_and_actions_give_the_same_game(seed: int | str) -> None:
    one, other = (Match("carta", seats=2, seed=seed) for _ in range(2))
    for _ in played(one, 1):
        pass
    for _ in played(other, 1):
        pass
    assert one.information_state_string(0) == other.information_state_string(0)
    assert one.scores == other.scores


def test_another_seed_gives_another_game() -> None:
    texts = {Match("carta", seed=seed).information_state_string(0) for seed in range(50)}
    assert len(texts) > 25


def test_a_match_and_the_referee_play_the_same_game() -> None:
    match, referee = Match("dominion", seed="luck", kingdom="deck-top"), Referee()

    def ask(**line: Any) -> Any:
        return json.loads(referee.answer(json.dumps(line)))

    ask(do="new", game="dominion", seats=2, seed="luck", options={"kingdom": "deck_top"})
    for _ in played(match.copy(), 2, stride=1):
        if match.is_over:
            break
        (seat,) = match.to_act
        offered = [match.text(seat, action) for action in match.legal_actions(seat)]
        assert [each["text"] for each in ask(do="legal", seat=seat)["actions"]] == offered
        match.apply(seat, offered[-1])
        assert ask(do="act", seat=seat, text=offered[-1])["ok"]


def test_options_are_keywords_with_dashes_or_lists_if_you_like() -> None:
    kinds = ["chapel", "moat", "market", "smithy", "village", "militia", "mine", "witch",
             "throne-room", "council-room"]  # fmt: skip
    match = Match("dominion", kingdom=kinds, edition=1)
    assert match.options["kingdom"] == ",".join(kinds).replace("-", "_")
    assert Match("carta", seats=4, team=True).options["team"] is True


def test_a_copy_goes_on_by_itself() -> None:
    match = Match("carta", seed=3)
    before = match.information_state_string(0)
    copy = match.copy()
    for _ in played(copy, 1):
        pass
    assert copy.is_over and not match.is_over
    assert match.information_state_string(0) == before


def test_a_match_is_shown_as_the_call_that_makes_it_and_how_far_it_has_come() -> None:
    match = Match("dominion", seats=3, seed="x", kingdom="deck-top")
    assert repr(match) == (
        "<Match('dominion', seats=3, seed='x', kingdom='deck_top'): 0 actions, seat 1 to act>"
    )
    for _ in played(match, 1):
        pass
    assert repr(match).endswith("actions, over>")


def test_a_match_can_be_sent_to_another_process() -> None:
    match = a_draft()
    match.apply(1, match.legal_actions(1)[0])
    sent = pickle.loads(pickle.dumps(match))  # noqa: S301  (our own bytes)
    assert sent.information_state_string(1) == match.information_state_string(1)
    assert sent.to_act == (0, 2)
    assert sent.rules is match.rules


# ---- what is refused ----


def wrong_uses() -> Iterator[tuple[Any, str]]:
    number, nothing = cast("Any", "2"), cast("Any", None)
    yield lambda _: Match("chess"), "no game is called 'chess'; choose one of: carta"
    yield lambda _: Match("carta", seats=9), "carta is for 2 to 4 seats, not 9"
    yield lambda _: Match("carta", seats=number), "seats is a number, not '2'"
    yield lambda _: Match("carta", seed=nothing), "seed is a number or a text"
    yield lambda _: Match("carta", moon=True), "carta has no option 'moon'; it has deal"
    yield lambda _: Match("carta", deal="twice"), "option deal takes one of basic, draft"
    yield lambda match: match.legal_actions(2), "seat is a number from 0 to 1, not 2"
    yield lambda match: match.view("me"), "seat is a number from 0 to 1, not 'me'"
    yield lambda match: match.information_state_string(True), "seat is a number from 0 to 1"
    yield lambda match: match.scores, "the game is not over: seat 0 has to choose"
    yield lambda match: match.winners, "the game is not over"
    yield lambda match: match.apply(1, "end"), "seat 1 has nothing to choose now: seat 0 has to"
    yield lambda match: match.apply(0, "fly"), "'fly' is not legal; there are play "
    yield lambda match: match.apply(0, Action("fly")), "is not legal; there are play "
    yield lambda match: match.apply(0, ("end",)), "an action is an Action or its notation"
    yield lambda match: match.apply(0, Action("play", (999,))), "there is no card 999"
    yield lambda match: match.text(0, Action("play", (-1,))), "there is no card -1"


@pytest.mark.parametrize(("use", "sentence"), wrong_uses())
def test_a_wrong_use_is_refused_in_one_sentence_and_changes_nothing(
    use: Any, sentence: str
) -> None:
    match = Match("carta", seats=2, seed=3)
    before = repr(match), match.information_state_string(0)
    with pytest.raises(RulesError) as refused:
        use(match)
    assert sentence in str(refused.value)
    assert (repr(match), match.information_state_string(0)) == before


def test_nobody_acts_in_a_game_that_is_over() -> None:
    match = Match("carta", seed=3)
    for _ in played(match, 1):
        pass
    with pytest.raises(RulesError, match="seat 1 has nothing to choose now: the game is over"):
        match.apply(1, "end")


# ---- what a seat knows ----


def test_a_view_offers_choices_to_those_who_still_have_to_choose() -> None:
    match = a_draft()
    assert match.to_act == match.view(None).to_act == (0, 1, 2)
    match.apply(1, match.legal_actions(1)[0])
    assert match.view(0).to_act == (0, 2)
    assert match.view(1).offers == () and match.legal_actions(1) == []
    assert match.view(0).offers and not match.view(None).offers


def test_a_choice_in_secret_is_known_to_its_seat_alone() -> None:
    match = a_draft()
    first, last = match.copy(), match.copy()
    first.apply(1, match.legal_actions(1)[0])
    last.apply(1, match.legal_actions(1)[-1])
    for tell in (Match.observation_string, Match.information_state_string):
        assert tell(first, 0) == tell(last, 0)
        assert tell(first, None) == tell(last, None)
        assert tell(first, 1) != tell(last, 1)


def every_kuhn_game() -> Iterator[Match]:
    """Every state of every game of Kuhn's poker, for each of the six deals."""
    begun = {tuple(match._known.deal): match for match in (Match(KUHN, seed=s) for s in range(60))}
    assert len(begun) == 6
    waiting = list(begun.values())
    while waiting:
        match = waiting.pop()
        yield match
        for seat in match.to_act:
            for action in match.legal_actions(seat):
                after = match.copy()
                after.apply(seat, action)
                waiting.append(after)


def test_games_that_a_seat_cannot_tell_apart_give_the_same_text_and_only_those() -> None:
    """In Kuhn's poker a seat knows its card, the bets, and at the end what was shown."""
    facts, texts = dict[str, set[Any]](), dict[Any, set[str]]()
    states = list(every_kuhn_game())
    assert len(states) == 6 * 9
    for match in states:
        table, deal = match._known.table, match._known.deal
        for seat in range(2):
            shown = tuple(table.face)
            own = next(deal[card] for zone in (1 + seat, 3 + seat) for card in table.zones[zone])
            fact = (seat, own, bets(table), shown)
            text = match.information_state_string(seat)
            facts.setdefault(text, set()).add(fact)
            texts.setdefault(fact, set()).add(text)
    assert {len(each) for each in facts.values()} == {1}, "one text, two different things seen"
    assert {len(each) for each in texts.values()} == {1}, "one thing seen, two different texts"
    chosen = {m.information_state_string(seat) for m in states for seat in m.to_act}
    assert len(chosen) == 12  # As in the books: 3 cards, 4 places in which one has to choose.


@every_game
def test_what_is_imagined_for_a_seat_looks_the_same_to_it(game: Game) -> None:
    for seed in range(4):
        for match in played(any_match(game, seed), seed, stride=31):
            for seat in range(match.seats):
                other = match.imagined(seat, seed)
                assert other.observation_string(seat) == match.observation_string(seat)
                assert other.information_state_string(seat) == match.information_state_string(seat)
                assert other.legal_actions(seat) == match.legal_actions(seat)
                assert other.to_act == match.to_act or other.to_act == (seat,)


def test_hands_that_others_hold_change_their_text_and_not_mine() -> None:
    match = Match("carta", seats=2, seed=3)
    imagined = [match.imagined(0, seed) for seed in range(20)]
    assert len({each.information_state_string(0) for each in imagined}) == 1
    assert len({each.information_state_string(1) for each in imagined}) > 5


@pytest.mark.parametrize("game", ["carta", "dominion"])
def test_what_was_seen_is_never_forgotten(game: str) -> None:
    match = Match(game, seats=2, seed=5)
    before = [match.information_state_string(seat) for seat in range(2)]
    for state in played(match, 5):
        now = [state.information_state_string(seat) for seat in range(2)]
        assert all(new.startswith(old) for old, new in zip(before, now, strict=True))
        before = now
    assert len(before[0]) > 20 * len(match.observation_string(0).splitlines())


@every_game
def test_a_spectator_is_told_nothing_that_a_seat_is_not(game: Game) -> None:
    match = any_match(game, 5)
    for state in played(match, 5, stride=13):
        lines = state.information_state_string(None).splitlines()[1:]
        mine = state.information_state_string(0).splitlines()[1:]
        assert len(lines) <= len(mine)
        assert all(":" not in line or "seat" in line or "revealed" in line for line in lines)
