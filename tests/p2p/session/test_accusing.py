"""A game goes on in which somebody has cheated, or had to stop for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from core.errors import HostlessError
from core.games import GAMES
from p2p.base.errors import PeerError
from p2p.base.roster import Replacement
from p2p.log.game_file import GameFile
from p2p.log.membership.log import signed_raw
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_SILENT,
    Ballot,
    Change,
    sign_as,
)
from p2p.log.membership.state import Retry
from p2p.log.notes import Evidence
from p2p.log.secrets_file import SecretsFile
from p2p.session.accusing import restore_guilty
from p2p.session.catching_up import CatchingUp
from p2p.session.membership import Membership
from p2p.session.news import Accused, News
from p2p.session.session import Session
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is, secret_of
from tests.p2p.session.tables import Followed, QuietTable, membership_at
from tests.simulation.volume_group import volume_group

NOTE = Evidence(2, "c: signed two entries number 9", [b"one", b"other"], 99)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


@pytest.fixture
def secrets(tmp_path: Path) -> Iterator[SecretsFile]:
    """The secrets file of the first seat."""
    kept = SecretsFile.create(tmp_path / "game.secret")
    yield kept
    kept.close()


def table(seed: int, replacement: Replacement | None) -> OpenRoom:
    """Three at a table, where a choice is due."""
    room = OpenRoom(3, seed, replacement)
    room.run(kind_is("choose"))
    return room


def test_a_cheater_for_whom_a_bot_can_play_is_known_again_with_the_evidence(seed: int) -> None:
    replica = table(seed, BOT).replicas[0]
    restore_guilty([NOTE], replica)
    error = replica.guilty[2]
    assert list(replica.guilty) == [2] and (error.seat, error.evidence) == (2, NOTE.raws)
    assert error.peer == replica.roster.seats[2].identity and NOTE.sentence in str(error)
    assert replica.is_held_by_cheater


def test_a_game_that_had_to_stop_for_a_cheater_does_not_go_on(seed: int) -> None:
    replica = table(seed, None).replicas[0]
    with pytest.raises(HostlessError, match="this game was stopped: c: signed two entries"):
        restore_guilty([NOTE], replica)
    assert not replica.guilty


async def test_whoever_is_started_again_is_told_whom_its_program_has_accused(
    seed: int, tmp_path: Path, mock_clock: MockClock
) -> None:
    room, news = table(seed, BOT), list[News]()
    restore_guilty([NOTE], room.replicas[0])
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    session = Session(room.replicas[0], game_file, None, news.append)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session.run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    (told,) = (each for each in news if isinstance(each, Accused))
    assert (told.seat, told.is_replaced) == (2, True) and NOTE.sentence in told.sentence


def two_votes(room: OpenRoom) -> list[Ballot]:
    """What convicts 2: that each of the others is silent, in one round."""
    tip, game_id = room.replicas[0].tip, room.replicas[0].game_id
    votes = (Ballot(tip.epoch, 0, 2, tip.head, Change(seat, REASON_SILENT)) for seat in (0, 1))
    return [sign_as(room.identities[2], game_id, vote) for vote in votes]


@pytest.mark.parametrize("replacement", [BOT, None])
async def test_a_cheater_that_its_votes_convict_stops_the_table_only_if_nobody_can_play_for_it(
    seed: int, replacement: Replacement | None, secrets: SecretsFile
) -> None:
    room, followed = table(seed, replacement), Followed()
    membership = membership_at(QuietTable(room.replicas[0], secrets=secrets), followed)
    one, other = two_votes(room)
    await membership.receive(one)
    if replacement is None:
        with pytest.raises(PeerError, match="voted for two things in one round") as caught:
            await membership.receive(other)
        assert (caught.value.seat, len(caught.value.evidence)) == (2, 2)
    else:
        await membership.receive(other)
    assert [error.seat for error in followed.accused] == ([] if replacement is None else [2])


async def beside_a_cheater(seed: int, secrets: SecretsFile) -> tuple[OpenRoom, Membership]:
    """Three at a table, of whom the first has evidence against 2."""
    room = table(seed, BOT)
    membership = membership_at(QuietTable(room.replicas[0], secrets=secrets))
    for vote in two_votes(room):
        await membership.receive(vote)
    return room, membership


async def test_where_the_others_leave_a_cheater_who_alone_has_its_key_the_table_stops(
    seed: int, secrets: SecretsFile
) -> None:
    """The one who stayed waited for the cheater for ever."""
    room, membership = await beside_a_cheater(seed, secrets)
    membership.check_goes_on()  # With two of us a bot plays on.
    await membership.receive(room.farewell(1, secret_of(room, 1)))
    with pytest.raises(PeerError, match="voted for two things in one round") as caught:
        membership.check_goes_on()
    assert caught.value.is_too_late and len(caught.value.evidence) == 2


async def test_while_a_vote_is_not_answered_the_table_does_not_stop_for_who_leaves(
    seed: int, secrets: SecretsFile
) -> None:
    """Whoever leaves may have agreed before, and the bot plays on for both."""
    room, membership = await beside_a_cheater(seed, secrets)
    await membership.feed(Retry())
    assert membership.is_bound
    await membership.receive(room.farewell(1, secret_of(room, 1)))
    membership.check_goes_on()


def test_a_game_in_which_a_cheater_was_replaced_goes_on(seed: int) -> None:
    room = table(seed, BOT)
    first = room.replicas[0]
    room.lose(2)
    room.remove(2, REASON_CONVICTED, NOTE.raws)
    restore_guilty([NOTE], first)
    assert list(first.guilty) == [2] and not first.is_held_by_cheater
    room.run()
    assert first.is_over


def test_a_cheater_that_is_gone_and_shown_once_more_by_its_votes_stops_nobodys_program(
    seed: int,
) -> None:
    """These are no entries that somebody could have taken over from others."""
    first = table(seed, BOT).replicas[0]
    vote = Ballot(first.tip.epoch, 0, 2, first.tip.head, Change(0, REASON_SILENT))
    raws = [signed_raw(vote), signed_raw(vote._replace(change=Change(1, REASON_SILENT)))]
    assert not CatchingUp(QuietTable(first)).refuse(raws)
