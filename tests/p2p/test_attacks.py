"""Attacks on a running table by somebody with a changed program, by the numbers in docs/lab.

Each test says what the attacker does, what it would gain, and what stops it.  Those that are not
here stand where what stops them is tested, with the number in their name; the last test here looks
for them, and the table in `docs/lab/membership.md` says where.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.game import read_log
from p2p.base.entry import Position, sign_entry
from p2p.base.errors import BadProof, PeerError
from p2p.base.identity import Identity
from p2p.base.roster import replacement_identity
from p2p.crypto.group import base, scalar_to_bytes
from p2p.crypto.key_sharing import Deal, check_deal, deal
from p2p.crypto.keys import make_key
from p2p.crypto.transcript import ProofError
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.records import accused
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group

ADA, EVE = b"a context that names Ada", b"one that names Eve"


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


# ---- M9: the key of a seat out of escrow ----


def test_m9_a_deal_made_of_another_is_refused_by_all_and_no_box_of_it_is_answered() -> None:
    """Eve moves Ada's hints and parts; whoever told her what the boxes hold would open Ada's."""
    (ada, _), (eve, _) = make_key(), make_key()
    keys = [make_key()[1], make_key()[1]]
    honest = deal(ada, keys, ADA)
    own = deal(eve, keys, EVE)
    copied = [each._replace(hint=each.hint + base(5)) for each in honest.covered]
    for moved in (
        honest, own._replace(covered=honest.covered), own._replace(covered=copied),
        own._replace(parts=[honest.parts[0], base(eve) - honest.parts[0]]),
    ):  # fmt: skip
        with pytest.raises(ProofError):
            check_deal(base(eve), keys, moved, EVE)
    check_deal(base(eve), keys, own, EVE)
    assert scalar_to_bytes(eve) not in bytes(own)


def test_m9_a_table_stops_at_such_a_deal_and_nothing_more_is_shown(seed: int) -> None:
    """The entry itself convicts its author."""
    with volume_group():
        room = OpenRoom(seed=seed)
        room.run(kind_is("escrow"))
        first, cheat = room.replicas[0].write(), room.replicas[2]
        theirs, mine = Deal.parse(bytes_in(first.body), 2), cheat.write()
        moved = Deal.parse(bytes_in(mine.body), 2)._replace(covered=theirs.covered)
        assert blamed(room, cheat, bytes(moved)) == 2


def test_two_keys_for_boxes_that_are_one_are_refused(seed: int) -> None:
    """Eve shows Bert's as hers: one pad would hide two parts, and their difference be readable."""
    with volume_group():
        room = OpenRoom(seed=seed)
        room.run(kind_is("escrow key"))
        assert blamed(room, room.replicas[2], room.replicas[1].write().body) == 2


def bytes_in(body: object) -> bytes:
    """What a seat has dealt."""
    assert isinstance(body, bytes)
    return body


def blamed(room: OpenRoom, cheat: Replica, body: object) -> int | None:
    """Against whom this is held, before anything more is said."""
    room.tell_all(entry_with(cheat, body))
    with pytest.raises(PeerError) as caught:
        room.run()
    assert isinstance(caught.value, BadProof)
    return caught.value.seat


# ---- M10: to stop the table by what nobody can open ----


def test_m10_whoever_seals_what_does_not_follow_from_its_key_is_convicted_by_the_file() -> None:
    """What follows from the key counts instead, so the table goes on without its owner."""
    with volume_group():
        room = OpenRoom(seed=1)
        room.run(kind_is("seal"))
        room.tell_all(entry_with(room.replicas[2], bytes(32)))
        room.run(kind_is("unseal"))
        room.lose(2)
        room.run()
        room.remove(2)
        room.run()
        place = [entry.kind for entry in room.spectator.log].index("seal") + 2
        for each in room.replicas:
            assert each.is_over and [error.seat for error in each.offences] == [2]
            assert each.offences[0].evidence == [each.log[place].raw]
        record = accused(room.record(), 2, room.spectator.offences[0].evidence)
        for keys in ([], read_log(record).opened.values()):
            found = read_log(record, keys)
            assert found.is_signed and not found.damage and not found.unproven
            assert {seat: fault.place for seat, fault in found.guilty.items()} == {2: place}


def test_m10_nobody_is_convicted_by_what_others_open_for_it() -> None:
    """All others together could open something else for an honest seat: that is damage."""
    with volume_group():
        room = OpenRoom(seed=1)
        room.chooser = lambda replica, actions: actions[0]
        room.run(kind_is("unseal"))
        room.lose(2)
        room.run()
        speaker, log = room.replicas[0], room.spectator.log
        room.remove(2)
        room.run()
        assert room.spectator.is_over and not room.spectator.offences
        at = next(at for at, each in enumerate(log) if (each.kind, each.seat) == ("unseal", 2))
        due = log[at]
        other = ["bid", [], 2]
        assert isinstance(due.body, list) and due.body[0] != other
        position = Position(due.height, due.parent, due.digest)
        said: list[object] = ["unseal", [other, due.body[1]]]
        forged = sign_entry(_open(room), speaker.game_id, (2, due.seat_epoch), position, said)
        record = room.record()
        cut = [*record.entries[:at], (at, forged.raw)]
        found = read_log(replace(record, entries=cut))
    assert found.damage and not found.guilty


def _open(room: OpenRoom) -> Identity:
    """By whom all sign for the last seat."""
    return replacement_identity(room.replicas[0].game_id, 2, 1)


# ---- M12: a bot's secret choice, known beforehand to who runs it ----


def test_m12_lots_are_drawn_when_all_persons_have_sealed(seed: int) -> None:
    """Whoever has the key of a bot can work out what it seals, once lots are drawn; not before."""
    with volume_group():
        room = Room(3, seed=seed, game="beads", terms=Terms((1,)))
        room.run(kind_is("seal"))
        bot, seeds = room.replicas[1], list[int]()
        assert bot.step is not None and bot.step.writers == (0, 2)
        seeds.append(bot.play.decision_seed(1))
        room.run(kind_is("lot"))
        assert set(bot.play.sealed) == {0, 2}
        room.run(kind_is("seal"))
        assert bot.step.writers == (1,)
        seeds.append(bot.play.decision_seed(1))
        room.run(kind_is("choose"))
        said = [entry.kind for entry in bot.log if entry.kind in ("seal", "lot", "unseal")]
        assert said == [*["seal"] * 2, *["lot"] * 3, "seal", *["unseal"] * 3]
    assert len(set(seeds)) == 2


def test_m12_what_is_sealed_for_who_is_gone_before_others_have_sealed_does_not_count() -> None:
    """Everybody knows the key of such a seat, so it seals once more behind fresh lots."""
    with volume_group():
        room = OpenRoom(seed=1)
        room.run(kind_is("seal"))
        room.lose(2)
        room.run()
        room.remove(2)
        room.run()
        log = [entry for entry in room.spectator.log if entry.kind in ("seal", "lot", "unseal")]
        seals = [entry.seat for entry in log if entry.kind == "seal"]
        assert room.spectator.is_over and seals == [0, 1, 2, 2]
        assert [entry.kind for entry in log[:8]] == [*["seal"] * 3, *["lot"] * 3, "seal", "unseal"]
        found = read_log(room.record())
        again = read_log(room.record(), found.opened.values())
    assert found.is_signed and not (found.damage or found.guilty or again.damage or again.guilty)
    assert all(each.is_obedient for each in again.decided)


# ---- all of them ----


def test_every_attack_has_a_test_by_its_number() -> None:
    tests = (path for path in Path(__file__).parent.rglob("test_*.py"))
    named = re.findall(r"def test_m(\d+)_", "".join(path.read_text("utf-8") for path in tests))
    assert sorted(set(map(int, named))) == list(range(1, 14))
