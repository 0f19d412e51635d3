"""Owners who are back: with the key that they have named, and with nobody's cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.base.errors import BadProof
from p2p.crypto.group import base
from p2p.log.membership.log import signed_raw
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_RESTORE,
    REASON_SILENT,
    Change,
)
from p2p.log.membership_change import RESTORE, seat_epoch_of
from p2p.log.replay import read_record
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is
from tests.p2p.log.test_every_entry import entry_with


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.fixture
def away(seed: int) -> tuple[OpenRoom, Replica]:
    """A game in which seat 2 is played for, and its owner has caught up between two requests."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.run()
    room.leave(2, secret_of_owner(owner))
    room.run(kind_is("choose"))
    room.catch_up(owner)
    return room, owner


def secret_of_owner(owner: Replica) -> int:
    """The key that a machine has for its seat."""
    assert owner.play.dealing is not None and owner.me is not None
    return owner.play.dealing.secrets[owner.me]


def test_an_owner_who_is_back_shows_the_key_that_it_has_named(
    away: tuple[OpenRoom, Replica], tmp_path: Path
) -> None:
    room, owner = away
    old = secret_of_owner(owner)
    named = room.wish(owner).key
    entry = room.give_back(owner)
    assert (entry.kind, entry.seat_epoch, owner.seating.seat_epochs[2]) == (RESTORE, 2, 3)
    assert owner.is_seated and owner.play.returning and not room.spectator.open_seats
    room.run(lambda each: not each.play.returning)
    for each in room.replicas:
        dealing = each.play.dealing
        assert dealing is not None and dealing.publics[2].encoded == named
        assert (2 in dealing.secrets) == (each is owner)
    assert secret_of_owner(owner) != old
    room.run()
    assert all(each.is_over and each.head == room.spectator.head for each in room.replicas)
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report
    gone, back = report.verdicts[2].replaced, report.verdicts[2].restored
    assert gone is not None and back is not None and gone < back == entry.height


def test_an_owner_who_shows_another_key_than_it_has_named_is_convicted(
    away: tuple[OpenRoom, Replica],
) -> None:
    room, owner = away
    room.give_back(owner)
    room.run(kind_is("new key"))
    body = owner.write().body
    assert isinstance(body, list)
    room.tell_all(entry_with(owner, [base(12345).encoded, *body[1:]]))
    with pytest.raises(BadProof, match="another key than its owner has named") as caught:
        room.run()
    assert caught.value.seat == 2


@pytest.mark.parametrize("reason", [REASON_SILENT, REASON_CONVICTED])
def test_who_goes_again_before_it_has_a_new_key_takes_nothing_along(
    away: tuple[OpenRoom, Replica], reason: str
) -> None:
    """All know its old key, with which its cards were dealt."""
    room, owner = away
    old = secret_of_owner(owner)
    room.give_back(owner)
    room.run(kind_is("new key"))
    room.lose(2)
    room.remove(2, reason)
    for each in room.replicas:
        assert each.open_seats == {2} and not each.play.lost and not each.play.returning
        assert each.play.dealing is not None and each.play.dealing.secrets[2] == old
    assert room.spectator.seating.seat_epochs[2] == 4 == seat_epoch_of(room.spectator.tip, 2)
    room.run()
    assert all(each.is_over and each.head == room.spectator.head for each in room.replicas)


def test_a_machine_that_has_lost_its_secrets_has_its_seat_back_and_not_its_key(
    away: tuple[OpenRoom, Replica],
) -> None:
    room, owner = away
    said = room.wish(owner)
    other = Replica(room.roster, owner.identity, room.vaults[0])
    read_record(room.record(), other)
    room.replicas.append(other)
    room.change(Change(2, REASON_RESTORE, said.key), [signed_raw(said)])
    assert other.is_seated and not other.may_write()
