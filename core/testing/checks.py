"""What every game must keep: each check plays random games of one and asserts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from core.chance import Chance
from core.determinization import determinize, observation_of
from core.engine import apply_event, next_request, run_until_choice, start
from core.game import POINTS_CRITERION, Game
from core.requests import (
    Action,
    Choice,
    Chosen,
    Claim,
    Opened,
    Reveal,
    Revealed,
    Secret,
    Shuffle,
    to_act,
)
from core.table import HIDDEN, HiddenFaceError, RulesError, Sight
from core.testing.attempts import Attempts, is_same
from core.testing.worlds import (
    ENOUGH,
    OpenGame,
    Peer,
    blind_game,
    every_card,
    followed_game,
    open_game,
    worlds,
)
from core.view import offers, view

Check: TypeAlias = Callable[[Game], None]
CHECKS: Final[list[Check]] = []


def check(function: Check) -> Check:
    """Count a function among what every game must keep."""
    CHECKS.append(function)
    return function


@contextmanager
def refused_with(kind: type[Exception], words: str = "") -> Iterator[None]:
    """Something that has to be refused inside the block, in a sentence with these words."""
    said: str | None = None
    try:
        yield
    except kind as error:
        said = str(error)
    assert said is not None, f"nothing raised {kind.__name__}"
    assert words in said, f"{said!r} does not say {words!r}"


def positions(game: Game, games: int) -> Iterator[tuple[OpenGame, Choice | Secret]]:
    """Every position of so many random games, before the choice is made."""
    for world in worlds(game, games, open_game):
        for pending in world.play():
            yield world, pending


def choosers(game: Game, games: int) -> Iterator[tuple[OpenGame, int]]:
    """The same, with one of the seats that have to choose."""
    for world, pending in positions(game, games):
        for seat in to_act(pending):
            yield world, seat


@check
def random_games_end_and_score_every_player(game: Game) -> None:
    """No game goes on for ever, and a side wins or loses together."""
    for world in worlds(game, 150, open_game, enough=10 * ENOUGH):
        world.to_end()
        assert len(game.scores(world.table)) == world.players, "there is a score for each seat"
        winners = game.winners(world.table)
        assert winners, "somebody wins"
        assert set(winners) <= set(range(world.players)), f"there are no seats {winners}"
        sides = {game.team(world.table, seat) for seat in winners}
        mates = {p for p in range(world.players) if game.team(world.table, p) in sides}
        assert mates == set(winners), "a side wins or loses together"


@check
def what_is_asked_can_be_asked_once_more(game: Game) -> None:
    """A bot begins to search by asking again: `advance` repeats a choice that is not answered."""
    for world, pending in positions(game, 12):
        table = world.table.copy()
        with _explained(f"asked again for {pending}, which nobody has answered, {_MOVES_ON}"):
            again = run_until_choice(game, table, world.deal[:], Chance(1))
            assert again == pending, f"it asks for {again}"
            assert is_same(table, world.table), "it changes the table"


_MOVES_ON: Final = "`advance` has to ask the same: let `apply` move the game on from a choice"


@contextmanager
def _explained(sentence: str) -> Iterator[None]:
    """Something that a mistake of the game ends with any error at all; `sentence` says which."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{sentence} ({type(error).__name__}: {error})") from error


@check
def the_account_adds_up_and_says_who_won(game: Game) -> None:
    """Sources give the points, and the criteria in their order the winners."""
    if game.account is None:
        return
    for world in worlds(game, 60, open_game, enough=4 * ENOUGH):
        players, table = world.players, world.to_end()
        account, points = game.account(table), game.scores(table)
        assert tuple(sum(each.points for each in seat) for seat in account.sources) == points
        assert (POINTS_CRITERION, points) in account.criteria
        ranks = [[values[seat] for _, values in account.criteria] for seat in range(players)]
        best = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        assert best == game.winners(table), account.criteria


@check
def it_can_be_imagined(game: Game) -> None:
    """A game goes on to its end where a bot knows every face and nothing is ever owed."""
    for world in worlds(game, 30, open_game):
        for _ in world.play():
            if world.choices % 5 == world.seed % 5:
                world.table.deal = world.deal
        assert game.winners(world.table)


@check
def no_card_is_ever_lost_or_doubled(game: Game) -> None:
    """At every choice all cards lie somewhere, with the faces there are."""
    for world in worlds(game, 30, open_game):
        before, faces = every_card(world.table), Counter(world.table.face)
        for _ in world.play():
            assert every_card(world.table) == before, "a card is nowhere, or in two places"
            pairs = zip(world.table.face, world.deal, strict=True)
            assert Counter(deal if face == HIDDEN else face for face, deal in pairs) == faces


@check
def machines_that_know_only_their_own_cards_agree_at_every_step(game: Game) -> None:
    """Their tables and what they are asked are the same after every event."""
    for world in worlds(game, 15, blind_game):
        for _ in world.play():
            first, *others = world.peers
            for other in others:
                agree = is_same(other.table, first.table)
                assert agree, f"machines differ in their {_others(other, first)}: {_ALIKE}"
                asks = other.request == first.request
                assert asks, f"machines ask for {other.request} and {first.request}: {_ALIKE}"


def _others(one: Peer, other: Peer) -> str:
    """The parts in which their tables differ."""
    theirs = other.table.sections()
    return ", ".join(name for name, part in one.table.sections().items() if part != theirs[name])


_ALIKE: Final = "only `advance` and `apply` change a table, by nothing but what is on it"


@check
def what_each_machine_has_seen_is_what_the_table_says_it_has_seen(game: Game) -> None:
    """Nobody knows more, and nobody less."""
    for world in worlds(game, 10, blind_game):
        for _ in world.play():
            for peer in world.peers:
                assert peer.observation == observation_of(peer.table, world.dealer.deal, peer.seat)


@check
def everybody_sees_what_lies_where_they_may_look(game: Game) -> None:
    """No reveal is forgotten: when somebody chooses, open zones are open, hands known."""
    for world, _ in positions(game, 15):
        table = world.table
        for place, cards in zip(table.layout.places, table.zones, strict=True):
            if place.sight is Sight.NOBODY:
                continue
            for card in cards:
                is_known = place.sight is Sight.OWNER and table.seen[card] >> place.owner & 1
                is_seen = table.face[card] != HIDDEN or is_known
                assert is_seen, f"who sees {place.name} has not been shown a card in it"


@check
def hidden_faces_change_nothing_a_player_may_do(game: Game) -> None:
    """Non-interference: redeal everything a seat cannot see; its choices stay the same."""
    for world, seat in choosers(game, 12):
        observation = observation_of(world.table, world.deal, seat)
        choices = offers(game, world.table, world.deal, seat)
        others = [observation, *(determinize(world.table, observation, world.chance) for _ in "ab")]
        for other in others:
            changed = {*offers(game, world.table, other, seat)} ^ {*choices}
            texts = sorted({offer.text for offer in changed})
            assert not changed, f"seat {seat} may {texts} by cards that it cannot see"


@check
def the_audit_of_an_honest_log_finds_nothing(game: Game) -> None:
    """With every face known, every action of the log was legal and every claim was true."""
    for world in worlds(game, 10, blind_game):
        for _ in world.play():
            pass
        table = start(game, world.players, world.options)
        request = next_request(game, table)
        for (_, event), deal in zip(world.history, world.deals, strict=True):
            actions: tuple[Action, ...] = ()
            match event:
                case Chosen(action):
                    actions = (action,)
                case Opened(actions):
                    pass
            seats = to_act(request)
            for seat, action in zip(seats, actions, strict=True):
                is_legal = action in game.legal_actions(table, seat, deal)
                assert is_legal, f"{action} is not legal for who knows every face"
                claim = game.claim(table, seat, action) or Claim((), ())
                for card in claim.cards:
                    assert table.face[card] == HIDDEN, f"{action} claims an open card: leave it out"
                    assert deal[card] in claim.faces, f"{action} is legal, and its claim not true"
            request = apply_event(game, table, request, event)
        is_same = table.digest() == world.peers[0].table.digest()
        assert is_same, "the same events lead to another table: rules keep nothing beside it"


@check
def cards_are_mixed_only_with_others_of_the_same_back(game: Game) -> None:
    """More than one at a time, and all of one owner or of nobody."""
    for world in worlds(game, 6, followed_game):
        for request, _ in world.play():
            if isinstance(request, Shuffle):
                table = world.peers[0].table
                backs = [{game.back(table, card) for card in pile} for pile in request.piles]
                assert all(len(of_pile) == 1 for of_pile in backs)
                assert all(len(pile) > 1 for pile in request.piles)
                owners = {table.seen[card] for pile in request.piles for card in pile}
                assert owners == {0 if request.player is None else 1 << request.player}


@check
def every_counter_keeps_its_place(game: Game) -> None:
    """There are as many counters as the layout names, and each is a whole number of 32 bits."""
    for world, _ in positions(game, 8):
        names, counters = world.table.layout.counters, world.table.counters
        assert len(counters) == len(names), f"there are counters {names}, and {counters}"
        for name, number in zip(names, counters, strict=True):
            is_whole = type(number) in (int, bool) and -(1 << 31) <= number < 1 << 31
            assert is_whole, f"counter {name} is {number}: no whole number of 32 bits"


@check
def a_copy_is_independent(game: Game) -> None:
    """What is played on a copy changes nothing on its original."""
    for world in worlds(game, 10, open_game):
        for step, _ in enumerate(world.play()):
            if step % 40 or step > 400:
                continue
            before = world.table.digest()
            twin = OpenGame(game, world.players, world.options, world.seed)
            twin.table, twin.deal = world.table.copy(), world.deal[:]
            assert twin.table.digest() == before
            for _ in twin.play():
                if twin.choices > 200:
                    break
            assert world.table.digest() == before


@check
def every_imagined_deal_is_a_possible_one(game: Game) -> None:
    """It agrees with what the seat knows, and with how many of each face a family has."""
    for world, seat in choosers(game, 10):
        table = world.table
        observation = observation_of(table, world.deal, seat)
        dream = determinize(table, observation, world.chance)
        assert all(eye in (HIDDEN, face) for eye, face in zip(observation, dream, strict=True))
        for family, counts in enumerate(table.family_counts):
            held = Counter(
                dream[card] for card, its in enumerate(table.family_of) if its == family
            )
            assert held == Counter({face: n for face, n in enumerate(counts) if n})


@check
def every_offer_has_a_notation_of_its_own_up_to_equal_faces(game: Game) -> None:
    """And it is in small letters."""
    for world, seat in choosers(game, 10):
        by_text: dict[str, tuple[str, int, list[int]]] = {}
        for offer in offers(game, world.table, world.deal, seat):
            verb, cards, number = offer.action
            kind = (verb, number, [world.deal[card] for card in cards])
            assert by_text.setdefault(offer.text, kind) == kind
            assert offer.text == offer.text.lower(), f"{offer.text!r} is not in small letters"


@check
def a_notation_never_names_a_face_that_its_reader_cannot_see(game: Game) -> None:
    """There is a question mark in its place."""
    for world, seat in choosers(game, 10):
        public = world.table.face
        for action in game.legal_actions(world.table, seat, world.deal):
            text = game.describe(world.table, action, public)
            if any(public[card] == HIDDEN for card in action.cards):
                assert "?" in text


@check
def views_of_a_running_game_show_hidden_cards_to_nobody(game: Game) -> None:
    """In turn each seat, and whoever looks on, is shown no face but those that it may see."""
    for world, pending in positions(game, 4):
        seat = [None, *range(world.players)][world.choices % (world.players + 1)]
        observation = observation_of(world.table, world.deal, seat)
        picture = view(game, world.table, pending, observation, seat)
        for card in [card for cards in picture.zones.values() for card in cards]:
            may_see = seat is not None and world.table.seen[card.card] >> seat & 1
            assert card.face is None or card.is_public or may_see


_VERBS = (
    "play", "discard", "return", "take", "give", "keep", "use", "copy", "target", "end", "skip",
    "buy", "put", "", "fly",
)  # fmt: skip


@check
def visibly_illegal_actions_are_refused_and_change_nothing(game: Game) -> None:
    """Any action: refused at once, or caught at the reveal, or covered by a claim, or legal."""
    refused = tried = 0
    for world in worlds(game, 12, open_game):
        for pending in world.play():
            chance = Chance(world.seed * 1000 + world.choices)
            legal = game.legal_actions(world.table, to_act(pending)[0], world.deal)
            verbs = [*_VERBS, *(action.verb for action in legal)]
            tried += 8
            attempts = Attempts(world, pending)
            for _ in range(8):
                refused += attempts.is_refused(_any_action(world, chance, verbs))
            for _ in range(2):
                attempts.is_refused(_almost_legal(world, chance, legal))
    assert refused * 2 > tried, "most actions that are made up are illegal"


@check
def of_all_actions_with_one_card_or_one_number_only_the_legal_ones_are_accepted(
    game: Game,
) -> None:
    """And every legal one is."""
    for world in worlds(game, 8, open_game):
        for pending in world.play():
            if world.choices % 29:
                continue
            seat = to_act(pending)[0]
            legal = game.legal_actions(world.table, seat, world.deal)
            numbers = sorted({*range(40), *[action.number for action in legal]})
            attempts = Attempts(world, pending)
            accepted = [
                action
                for verb in sorted({*_VERBS, *(action.verb for action in legal)})
                for action in (
                    *(Action(verb, (card,)) for card in _all_sorts_of_cards(world)),
                    *(Action(verb, (), number) for number in numbers),
                )
                if not attempts.is_refused(action)
            ]
            texts = {game.describe(world.table, action, world.deal) for action in accepted}
            for offer in attempts.offered:
                has_more = len(offer.action.cards) + bool(offer.action.number) > 1
                assert has_more or offer.text in texts, f"{offer.text!r} is legal, and refused"


def _all_sorts_of_cards(world: OpenGame) -> list[int]:
    """One of the cards that lie in the same zone, with the same face and back, seen by the same."""
    table, sorts = world.table, dict[object, int]()
    for zone, cards in enumerate(table.zones):
        for card in cards:
            seen, back = (table.face[card], table.seen[card]), world.game.back(table, card)
            sorts[zone, world.deal[card], seen, back, card == cards[-1]] = card
    return list(sorts.values())


def _any_action(world: OpenGame, chance: Chance, verbs: list[str]) -> Action:
    cards = [chance.below(len(world.deal) + 5) for _ in range(chance.below(3))]
    if chance.below(8) == 0:
        cards.append(1 << 24)
    return Action(chance.pick(verbs), tuple(cards), chance.pick([0, chance.below(40), 1 << 24]))


def _almost_legal(world: OpenGame, chance: Chance, legal: list[Action]) -> Action:
    """A legal action in which one thing is another: a card more or none, the number, the verb."""
    verb, cards, number = chance.pick(legal)
    match chance.below(4):
        case 0:
            more = chance.pick([*cards, chance.below(len(world.deal))])
            return Action(verb, (*cards, more), number)
        case 1:
            return Action(verb, (), number)
        case 2:
            return Action(verb, cards, number + 1)
    return Action(chance.pick(legal).verb, cards, number)


@check
def actions_of_a_seat_that_is_not_asked_are_refused(game: Game) -> None:
    """Also those that the one who is asked could choose."""
    for world in worlds(game, 5, open_game):
        for pending in world.play():
            if isinstance(pending, Secret):
                continue
            other = (pending.player + 1) % world.players
            for action in game.legal_actions(world.table, pending.player, world.deal):
                with refused_with(RulesError):
                    game.apply(world.table.copy(), other, action)


@check
def the_wrong_kind_of_answer_is_refused(game: Game) -> None:
    """As is an answer to something else."""
    table = start(game, game.players[0], {})
    request = next_request(game, table)
    for event in (Revealed((0,)), Chosen(Action("end")), Opened(())):
        with refused_with(RulesError, "does not answer"):
            apply_event(game, table, request, event)


@check
def a_rule_that_peeks_and_a_card_that_cannot_exist_are_caught(game: Game) -> None:
    """By the table, in every world."""
    world = blind_game(game, 3)
    for request, _ in world.play():
        if isinstance(request, Shuffle):
            break
    table = world.peers[0].table
    hidden = next(card for card, face in enumerate(table.face) if face == HIDDEN)
    with refused_with(HiddenFaceError):
        table.public_face(hidden)
    gone = len(game.faces)
    with refused_with(RulesError, "none is left"):
        table.turn_up((hidden,), [gone])


@check
def a_reveal_with_too_few_faces_is_refused(game: Game) -> None:
    """Every card that is asked for has to be shown."""
    for world in worlds(game, 3, followed_game):
        for _ in world.play():
            request, table = world.peers[0].request, world.peers[0].table
            if isinstance(request, Reveal) and request.player is None:
                with refused_with(RulesError):
                    apply_event(game, table.copy(), request, Revealed())
