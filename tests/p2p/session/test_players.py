"""Answers belong to a head of the log, and to whoever was asked."""

from __future__ import annotations

import trio

from core.game import Game
from core.requests import Action
from core.table import Table
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.log.replica import Replica
from p2p.session.players import Deciding, Players
from tests.p2p.room import BOT_TERMS, Room, Terms

HERE = Action("end")


def at_a_choice(seed: int) -> Replica:
    """Somebody who has to choose."""
    room = Room(2, seed=seed)
    room.run(lambda each: each.step is not None and each.step.kind == "choose")
    return next(each for each in room.replicas if each.may_write())


def deciding_at(replica: Replica, players: Players) -> Deciding:
    """Whoever decides there; what they say is noted as soon as it is said."""
    inbox, _ = trio.open_memory_channel[tuple[object, list[object]]](8)
    return Deciding(replica, players, inbox)


async def test_my_answer_is_not_that_of_an_open_seat_even_if_the_seat_was_mine(seed: int) -> None:
    """A seat may be given away at the step at which its owner has just chosen."""
    replica = at_a_choice(seed)
    assert replica.me is not None
    deciding = deciding_at(replica, Players())
    deciding.note(None, HERE, replica.position.head)
    assert deciding.answer_of(replica.me) is None
    assert deciding.take() == HERE and deciding.take() is None, "it is used up"


async def test_an_answer_to_an_older_turn_is_none(seed: int) -> None:
    replica = at_a_choice(seed)
    deciding = deciding_at(replica, Players())
    deciding.note(None, HERE, b"another head")
    assert deciding.take() is None


async def test_a_slow_answer_to_an_older_turn_takes_no_newer_ones_place(seed: int) -> None:
    """A seat was let go while a bot thought, and it was asked again: nobody asks it once more."""
    replica = at_a_choice(seed)
    deciding = deciding_at(replica, Players())
    deciding.note(None, HERE, replica.position.head)
    deciding.note(None, Action("other"), b"another head")
    assert deciding.take() == HERE


async def test_nobody_is_asked_twice_at_one_head(
    seed: int, autojump_clock: trio.testing.MockClock
) -> None:
    asked: list[DecisionPoint] = []

    async def think(turn: DecisionPoint) -> Action:
        asked.append(turn)
        return HERE

    replica = at_a_choice(seed)
    inbox, said = trio.open_memory_channel[tuple[object, list[object]]](8)
    deciding = Deciding(replica, Players(think), inbox)
    async with trio.open_nursery() as nursery:
        deciding.ask(nursery)
        deciding.ask(nursery)
    assert [turn.seat for turn in asked] == [replica.me]
    assert said.receive_nowait() == (None, ["decided", None, HERE, replica.position.head])


def test_an_answer_to_a_question_that_is_put_again_is_lost_once_and_said_so(seed: int) -> None:
    """Somebody was replaced meanwhile: the log has an entry more, and no event."""
    replica = at_a_choice(seed)
    deciding = deciding_at(replica, Players())
    deciding.note(None, HERE, replica.position.head)
    assert not deciding.lose(), "it still counts"
    deciding = deciding_at(replica, Players())
    deciding.note(None, HERE, b"another head")
    assert deciding.lose()
    assert not deciding.lose()


def test_an_answer_to_an_older_question_is_forgotten_without_a_word(seed: int) -> None:
    replica = at_a_choice(seed)
    deciding = deciding_at(replica, Players())
    deciding.note(None, HERE, b"another head")
    replica.play.events.append(replica.play.events[-1])
    assert not deciding.lose()


async def test_what_my_bot_says_of_its_next_choices_is_its_own_and_nobody_elses(seed: int) -> None:
    """A bot thinks for its seat and for open ones, and hurries only with its own."""

    async def think(turn: DecisionPoint) -> Action:
        return HERE

    replica = at_a_choice(seed)
    assert replica.me is not None
    inbox, _ = trio.open_memory_channel[tuple[object, list[object]]](8)
    deciding = Deciding(replica, Players(think, think, next_part=lambda: 3), inbox)
    async with trio.open_nursery() as nursery:
        deciding.think_for(replica.me, nursery)
    assert replica.play.next_part == 1
    async with trio.open_nursery() as nursery:
        deciding.ask(nursery)
    assert replica.play.next_part == 3


async def test_a_bot_gets_ready_while_others_choose_once_after_each_of_its_answers(
    seed: int,
) -> None:
    """What it finds out once in a game, nobody then has to wait for."""
    ready: list[BotTerms] = []

    async def prepare(game: Game, table: Table, bot_terms: BotTerms) -> None:
        ready.append(bot_terms)

    async def think(turn: DecisionPoint) -> Action:
        return HERE

    room = Room(3, seed=seed, terms=Terms(bots=(0, 1)))
    room.run(lambda each: each.step is not None and each.step.kind == "choose")
    players = Players(think, prepare=prepare)
    for replica in room.replicas:
        assert replica.me is not None
        deciding = deciding_at(replica, players)
        async with trio.open_nursery() as nursery:
            deciding.prepare(nursery)
            deciding.prepare(nursery)
        is_bot, chooses = replica.me in (0, 1), replica.may_write()
        assert ready == ([BOT_TERMS] if is_bot and not chooses else [])
        deciding.note(None, HERE, replica.position.head)
        async with trio.open_nursery() as nursery:
            deciding.prepare(nursery)
        assert ready == (2 * [BOT_TERMS] if is_bot and not chooses else [])
        ready.clear()
