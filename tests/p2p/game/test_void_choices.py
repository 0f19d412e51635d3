"""Choices that come to nothing: a card shows that they were forbidden, or nobody can show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from core.games.dominion.cards import ACTING, HAND, IS_ACTION, PHASE
from core.requests import Action, Choice
from core.table import HIDDEN
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.errors import IllegalMove
from p2p.game.dealing import Dealing
from p2p.log.membership.messages import REASON_CONVICTED
from p2p.log.replica import Replica
from tests.p2p.changing import BOT, OpenRoom, kind_is, secret_of
from tests.p2p.records import heard
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group

LATER = 40  # So many more entries show that the game goes on.


@pytest.fixture(autouse=True)
def proofs_are_made_quickly() -> Iterator[None]:
    with volume_group():
        yield


class Dominion(OpenRoom):
    """A table of Dominion, of which somebody may be lost; all want Actions soon."""

    def __init__(self, seed: int, players: int = 3) -> None:
        Room.__init__(self, players, seed=seed, game="dominion", terms=Terms(replacement=BOT))
        self.spectator = Replica(self.roster)
        self.replicas.append(self.spectator)
        self.chooser = eager
        self.settle()

    def run_on(self) -> None:
        """Play so many more entries."""
        end = len(self.spectator.log) + LATER
        self.run(lambda each: each.is_over or len(each.log) >= end)
        assert len(self.spectator.log) >= end, "the game goes on"


def eager(replica: Replica, actions: list[Action]) -> Action:
    """Play all Treasures, then buy a kingdom card."""
    best = [each for each in actions if each.verb in ("treasures", "play")]
    best += [each for each in actions if each.verb == "buy" and IS_ACTION[each.number]]
    return (best or actions)[-1]


def dealing_of(replica: Replica) -> Dealing:
    """The cards as a machine has them."""
    assert replica.play.dealing is not None
    return replica.play.dealing


class Before(NamedTuple):
    """What all agreed on when the choice was due."""

    digest: bytes
    events: int
    lines: int


def played(
    seed: int, *, is_allowed: bool, begin: Callable[[int], Dominion] = Dominion
) -> tuple[Dominion, Replica, Before]:
    """A seat has played a card as an Action, and not shown it yet."""
    room = begin(seed)
    room.run(lambda each: kind_is("choose")(each) and each.play.table.counters[PHASE] == ACTING)
    chooser = next(each for each in room.replicas if each.may_write())
    assert chooser.me is not None
    play, observation = chooser.play, dealing_of(chooser).observation
    before = Before(play.digest(), len(play.events), len(play.narrator.lines))
    hand = play.table.zones[HAND[chooser.me]]
    card = next((card for card in hand if IS_ACTION[observation[card]] == is_allowed), None)
    if card is None:  # It may have no Action: nobody else knows.
        return played(seed + 1, is_allowed=is_allowed, begin=begin)
    with patch.object(play, "_legal", lambda _: Action("play", (card,))):
        room.tell_all(room.write(chooser))
    room.settle()
    assert chooser.step is not None and chooser.step.kind == "open"
    return room, chooser, before


def is_back(replica: Replica, chooser: int, before: Before) -> bool:
    """Whether the table stands as it did when the choice was due."""
    play = replica.play
    if not isinstance(play.request, Choice) or play.request.player != chooser:
        return False
    lines = play.narrator.lines
    return before == (play.digest(), len(play.events), len(lines))


def convict(room: Dominion, liar: int) -> None:
    """Let all others agree that a cheater is gone, and play on for it."""
    room.lose(liar)
    offence = next(each for each in room.spectator.offences if each.seat == liar)
    room.remove(liar, REASON_CONVICTED, offence.evidence)


def test_a_choice_that_its_card_shows_to_be_forbidden_is_void_and_its_seat_named(
    seed: int,
) -> None:
    room, liar, before = played(seed, is_allowed=False)
    assert liar.me is not None
    room.tell_all(room.write(liar))
    room.settle()
    for replica in room.replicas:
        assert is_back(replica, liar.me, before)
        (offence,) = replica.offences
        assert isinstance(offence, IllegalMove) and offence.seat == liar.me
        assert "was played as an Action" in str(offence) and not offence.is_too_late
    hand = liar.play.table.zones[HAND[liar.me]]
    assert all(dealing_of(room.spectator).observation[card] == HIDDEN for card in hand)
    assert HIDDEN not in [dealing_of(liar).observation[card] for card in hand], (
        "it can read its own"
    )
    room.run_on()


def test_others_play_on_for_whoever_made_a_forbidden_choice_and_an_audit_names_it(
    seed: int, tmp_path: Path
) -> None:
    room, liar, _ = played(seed, is_allowed=False)
    assert liar.me is not None
    room.tell_all(room.write(liar))
    room.settle()
    proof = len(room.spectator.log) - 1
    convict(room, liar.me)
    room.run_on()
    report = audit_file(room.kept(tmp_path))
    guilty = [verdict for verdict in report.verdicts if not verdict.is_honest]
    assert [(each.seat, each.log_index) for each in guilty] == [(liar.me, proof)]
    read = read_log(room.record())
    assert read.events == room.spectator.play.events and not read.stopped and not read.damage
    again = heard(room.record())
    assert again.head == room.spectator.head and again.play.digest() == room.spectator.play.digest()


@pytest.mark.parametrize("is_allowed", [True, False])
def test_who_is_lost_with_the_card_it_played_chooses_once_more(
    seed: int, tmp_path: Path, *, is_allowed: bool
) -> None:
    """Its hand is dealt anew: a card that it did not choose would take its place."""
    room, gone, before = played(seed, is_allowed=is_allowed)
    assert gone.me is not None
    room.lose(gone.me)
    room.remove(gone.me)
    assert room.spectator.step is not None and room.spectator.step.kind == "strike"
    for replica in room.replicas:
        play = replica.play
        assert isinstance(play.request, Choice) and play.request.player == gone.me
        assert (len(play.events), len(play.narrator.lines)) == before[1:]
        assert not replica.offences, "nobody knows what it was"
    room.run_on()
    report = audit_file(room.kept(tmp_path))
    assert report.holds, report
    read = read_log(room.record())
    assert read.events == room.spectator.play.events and not read.stopped


def test_who_is_gone_with_a_forbidden_choice_is_named_by_its_card(
    seed: int, tmp_path: Path
) -> None:
    """All have its key, and show the card that it has chosen: then a bot chooses for it."""
    room, liar, before = played(seed, is_allowed=False)
    assert liar.me is not None
    key = secret_of(room, liar.me)
    room.lose(liar.me)
    room.leave(liar.me, key)
    assert all(is_back(each, liar.me, before) or len(each.play.events) > before.events
               for each in room.replicas)  # fmt: skip
    room.run_on()
    report = audit_file(room.kept(tmp_path))
    assert [verdict.seat for verdict in report.verdicts if not verdict.is_honest] == [liar.me]
    assert read_log(room.record()).events == room.spectator.play.events


def test_only_a_choice_whose_card_is_still_to_be_shown_is_taken_back(seed: int) -> None:
    """A seat that chooses twice in a row and is lost at the second keeps what it chose first."""
    room = Dominion(seed)

    def chooses_again(replica: Replica) -> bool:
        play = replica.play
        last = play.events[-1][0] if play.events else None
        return kind_is("choose")(replica) and play.request == last

    room.run(chooses_again)
    request, events = room.spectator.play.request, room.spectator.play.events[:]
    assert isinstance(request, Choice)
    room.lose(request.player)
    room.remove(request.player)
    assert all(each.play.events == events for each in room.replicas)
