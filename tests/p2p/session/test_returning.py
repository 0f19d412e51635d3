"""Owners who are back: their seats are theirs again, under keys that nobody else knows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.entry import Entry, parse_entry
from p2p.base.errors import BadProof, BadSignature, MalformedFrame, PeerError
from p2p.base.identity import Identity
from p2p.crypto.group import base, scalar_to_bytes
from p2p.game.game_keys import NEW_KEY
from p2p.log.membership.log import Log, StepItem, Written, empty_log
from p2p.log.membership_change import (
    RESTORE,
    check_seat_request,
    may_go_back,
    restoration_entry,
    seat_request,
)
from p2p.log.played import ANSWERS
from p2p.log.replica import Replica
from p2p.log.votes import CONVICTED, REPLACE, RESTORED
from p2p.session.catching_up import CatchingUp
from p2p.session.forks import Forks, has_lost
from p2p.session.lost_keys import LostKeys, farewell
from p2p.session.rejoin import Rejoin
from tests.p2p.acknowledging import claimed
from tests.p2p.beads import BEADS, HANDS
from tests.p2p.log.test_votes import Table, _resigned, kept, kind_is, vote
from tests.p2p.records import accused, record_of
from tests.p2p.session.tables import QuietTable, nothing_follows
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


class Home(Table):
    """A table at which a seat is played for, until its owner is back."""

    def asked(self, owner: Replica) -> bytes:
        """What the owner of a seat says to have it back."""
        assert owner.identity is not None and owner.me is not None
        turn = owner.seating.epochs[owner.me]
        *_, signature = seat_request(owner.identity, owner.game_id, owner.me, turn)
        assert isinstance(signature, bytes)
        return signature

    def agreed(self, seat: int, number: int = RESTORED) -> tuple[int, list[bytes]]:
        """The words of all live seats that a seat goes back."""
        return number, [vote(each, seat, number).signature for each in self.here()]

    def back(self, owner: Replica) -> Entry:
        """Give a seat back to its owner."""
        assert owner.me is not None
        signature = self.asked(owner)
        return restoration_entry(self.replicas[0], owner.me, self.agreed(owner.me), signature)


def away(seed: int, until: Callable[[Replica], bool], players: int = 3) -> tuple[Home, Replica]:
    """Seat 2 was lost as all rolled; its machine has caught up where `until` holds."""
    room = Home(players, seed)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.run()
    room.replace_seat(2)
    room.run(until)
    room.catch_up(owner)
    return room, owner


def returned(seed: int) -> tuple[Home, Replica]:
    """The same, and the owner has shown a new key."""
    room, owner = away(seed, kind_is("choose"))
    entry = room.back(owner)
    room.replicas.insert(2, owner)
    room.tell_all(entry.raw)
    room.run(lambda each: each.step is not None and each.step.kind not in ("choose", NEW_KEY))
    return room, owner


def test_a_seat_goes_back_and_the_game_is_whole(seed: int, tmp_path: Path) -> None:
    room, owner = returned(seed)
    assert owner.is_seated and not room.onlooker.open_seats
    room.run()
    assert all(each.is_over for each in room.replicas)
    assert len({each.head for each in room.replicas}) == 1
    mine = [entry.epoch for entry in room.onlooker.log if entry.seat == 2]
    assert sorted(set(mine)) == [0, 1, 2, 3] and mine == sorted(mine)
    report = audit_file(kept(room, tmp_path))
    assert report.holds and report.is_finished, report


def test_whoever_is_back_hears_once_more_that_it_was_gone_and_stays(seed: int) -> None:
    """Every seat says to whoever is linked which seats changed hands."""
    _room, owner = returned(seed)
    (entry,) = (entry for entry in owner.log if entry.kind == REPLACE)
    assert owner.is_seated and not has_lost(owner, entry)


def test_nobody_else_knows_the_new_key_and_what_it_draws(seed: int) -> None:
    room, owner = returned(seed)
    fresh = owner.play.dealing
    assert fresh is not None and base(fresh.secrets[2]) == fresh.publics[2]
    for each in room.replicas:
        known = each.play.dealing
        assert known is not None and known.publics[2] == fresh.publics[2]
        assert (2 in known.secrets) == (each is owner)
    assert fresh.publics[2] != fresh.agreed[2], "the words of the table stay those of the first"


def test_what_it_had_in_hand_lies_under_the_new_key(seed: int) -> None:
    _room, owner = returned(seed)
    dealing = owner.play.dealing
    assert dealing is not None
    hand = owner.play.table.zones[HANDS + 2]
    assert hand and all(dealing.observation[card] != HIDDEN for card in hand)
    assert {dealing.holder[card] for card in hand} == {2}


def test_whoever_is_back_may_be_lost_before_it_shows_a_new_key(seed: int, tmp_path: Path) -> None:
    """Everybody has its key still."""
    room, owner = away(seed, kind_is("choose"))
    room.tell_all(room.back(owner).raw)
    assert all(each.step is not None and each.step.kind == NEW_KEY for each in room.replicas)
    room.replace_seat(2, old_key(room))
    room.run()
    assert room.onlooker.is_over and room.onlooker.open_seats == {2}
    report = audit_file(kept(room, tmp_path))
    assert report.holds and report.is_finished, report


def old_key(room: Home) -> int:
    """The key of seat 2, as everybody knows it."""
    dealing = room.replicas[0].play.dealing
    assert dealing is not None
    return dealing.secrets[2]


# ---- what nobody can do ----


def is_refused(room: Home, entry: Entry) -> bool:
    """Whether everybody refuses an entry without blaming a seat, and so does an audit."""
    found = read_log(record_of(room.onlooker, [entry.raw]))
    is_damage = found.damage.startswith(f"byte {len(room.onlooker.log)}: ") and not found.guilty
    return is_damage and all(_refuses(each, entry) for each in room.replicas)


def _refuses(replica: Replica, entry: Entry) -> bool:
    before = replica.open_seats.copy(), replica.height
    try:
        replica.receive(entry.raw)
    except (MalformedFrame, BadSignature):
        return before == (replica.open_seats, replica.height)
    return False


def test_no_seat_goes_back_without_the_words_of_all_who_are_live(seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    number, signatures = room.agreed(2)
    asked = room.asked(owner)
    (first, second), speaker = signatures, room.replicas[0]
    silent = [vote(each, 2).signature for each in room.here()]
    for said in ([], [first], [first, b""], [second, first], [first, first], silent):
        assert is_refused(room, restoration_entry(speaker, 2, (number, said), asked))


@pytest.mark.parametrize("number", [0, RESTORED - 1, CONVICTED])
def test_words_that_are_about_something_else_give_no_seat_back(number: int, seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    assert is_refused(
        room, restoration_entry(room.replicas[0], 2, room.agreed(2, number), room.asked(owner))
    )


def test_m7_no_seat_goes_back_that_its_owner_did_not_ask_for(seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    stranger = seat_request(Identity.generate(), owner.game_id, 2, 1)[-1]
    late = seat_request(room.identities[2], owner.game_id, 2, 4)[-1]
    for signature in (b"", stranger, late):
        assert isinstance(signature, bytes)
        assert is_refused(room, restoration_entry(room.replicas[0], 2, room.agreed(2), signature))
        with pytest.raises(BadSignature):
            check_seat_request(room.identities[2].public, owner.game_id, 2, 1, signature)


def test_m2_no_seat_goes_back_while_something_is_being_opened(seed: int) -> None:
    """Its owner could see what comes of it, and have it done once more."""
    room, owner = away(seed, kind_is("unseal"))
    assert room.replicas[0].step is not None and room.replicas[0].step.kind == "unseal"
    assert is_refused(room, room.back(owner))


def test_no_seat_goes_back_before_its_bot_has_answered_once(seed: int) -> None:
    """Else its owner would look at a hand, a roll or what others chose, and have another choice."""
    room, owner = away(seed, kind_is("seal"))
    assert is_refused(room, room.back(owner))
    room.run(kind_is("choose"))
    room.catch_up(owner)
    room.replicas.insert(2, owner)
    room.tell_all(room.back(owner).raw)
    assert owner.is_seated and not room.onlooker.open_seats


def tip_of(log: list[Any]) -> Log:
    """A log of entries of these seats and kinds."""
    tip = empty_log(bytes(32), range(3))
    for height, entry in enumerate(log):
        mark = Written(entry.seat, tip.head, bytes([height]) * 32, b"")
        if entry.kind in (REPLACE, RESTORE):
            before = [each for each in log[:height] if each.seat == entry.seat]
            answered, is_back = sum(e.kind in ANSWERS for e in before), entry.kind == RESTORE
            tip = tip.with_seat_entry(mark, is_back=is_back, answered=answered)
        else:
            tip = tip.with_step(StepItem((mark,)), {entry.seat})
    return tip


@pytest.mark.parametrize(
    ("kinds", "may"),
    [
        ([REPLACE], False),
        ([REPLACE, "seal", "lot", "roll"], False),
        ([REPLACE, "choose"], True),
        ([REPLACE, "seal", "unseal"], True),
        (["choose", REPLACE], False),
        ([REPLACE, "choose", RESTORE, NEW_KEY, "choose", REPLACE, "choose"], False),
        ([REPLACE, "choose", RESTORE, NEW_KEY, REPLACE, "choose", "choose"], True),
    ],
)
def test_m3_each_time_that_a_seat_goes_its_bot_answers_once_more(
    kinds: list[str], may: bool
) -> None:
    log = [SimpleNamespace(seat=2, kind=kind) for kind in kinds]
    others = [SimpleNamespace(seat=1, kind=kind) for kind in (REPLACE, "choose", REPLACE)]
    whole, step = [*log, *others], SimpleNamespace(is_choice=True)

    def standing(*sealed: int) -> Any:
        play = SimpleNamespace(sealed=sealed)
        return SimpleNamespace(step=step, play=play, tip=tip_of(whole), log=whole)

    assert may_go_back(standing(), 2) is may
    assert not may_go_back(standing(1), 2), "what others have sealed stays sealed"


def test_a_seat_that_is_its_owners_does_not_go_back(seed: int) -> None:
    room = Home(seed=seed)
    room.run(kind_is("choose"))
    assert is_refused(room, room.back(room.replicas[2]))


@pytest.mark.parametrize("part", range(4))
def test_a_new_key_that_is_not_proven_convicts_its_owner(part: int, seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    entry = room.back(owner)
    room.replicas.insert(2, owner)
    room.tell_all(entry.raw)
    honest = parse_entry(room.write(owner)).body
    assert isinstance(honest, list)
    changed = bytearray(honest[part])
    changed[40 % len(changed)] ^= 1
    body = [*honest[:part], bytes(changed), *honest[part + 1 :]]
    raw = _resigned(owner, body)
    room.tell_all(raw)
    with pytest.raises(PeerError) as caught:
        room.settle()
    assert isinstance(caught.value, BadProof) and caught.value.seat == 2
    assert caught.value.evidence == [raw]
    record = record_of(room.onlooker)
    for read in (record_of(room.onlooker, [raw]), accused(record, 2, [raw])):
        found = read_log(read)
        assert list(found.guilty) == [2] and found.guilty[2].offset == len(record.entries)


async def test_m1_nobody_says_farewell_for_an_owner_that_is_coming_back(seed: int) -> None:
    """Everybody knows its key until it shows a new one, and could send it away each time."""
    room, owner = away(seed, kind_is("choose"))
    room.replicas.insert(2, owner)
    early = farewell(owner, 2)
    room.tell_all(room.back(owner).raw)
    keys = LostKeys(QuietTable(room.replicas[0]))
    kind, seat, epoch, key, signature = farewell(owner, 2)
    liar = farewell(room.replicas[1], 1)[-1]
    assert (kind, seat, epoch, key) == ("leaving", 2, 3, scalar_to_bytes(old_key(room)))
    for forged in (liar, early[-1], b""):
        assert isinstance(key, bytes) and isinstance(forged, bytes)
        with pytest.raises(BadSignature):
            keys.receive_farewell(2, 3, key, forged)
    assert isinstance(early[-1], bytes)
    assert not keys.receive_farewell(2, 1, key, early[-1]), "that was said in another epoch"
    assert 2 not in keys.given and keys.known(2) is not None
    assert isinstance(signature, bytes) and keys.receive_farewell(2, 3, key, signature)


# ---- asking ----


def forks_of(owner: Replica, secrets: Any) -> Forks:
    """The forks of an owner that follows the others."""
    return Forks(QuietTable(owner, (), secrets), nothing_follows())


async def test_an_owner_that_has_closed_the_step_at_which_its_seat_goes_back_goes_back_as_well(
    seed: int,
) -> None:
    """Somebody had chosen, and then all say that the seat goes back; they do not close it."""
    room, owner = away(seed, kind_is("choose"))
    height, back = owner.height, room.back(owner)
    owner.receive(room.write(room.replicas[0]))
    while owner.advance() or owner.obligations or room.speak(owner):
        room.verify(owner)
    assert owner.height > height and owner.receive(back.raw) is None
    forks = forks_of(owner, room.vaults[2])
    lacking = restoration_entry(room.replicas[0], 2, (RESTORED, [b"", b""]), room.asked(owner))
    assert not await forks.follow(lacking), "not all live seats have said so"
    assert await forks.follow(back)
    room.tell_all(back.raw)
    assert owner.is_seated and owner.head == room.replicas[0].head
    assert not await forks.follow(back), "it is there"


async def test_an_owner_that_goes_back_keeps_who_else_was_lost_at_that_step(seed: int) -> None:
    room, owner = away(seed, kind_is("choose"), players=4)
    room.lose(1)
    gone = room.replace_seat(1)
    owner.receive(gone.raw)
    back = room.back(owner)
    assert back.height == gone.height + 1, "it answers the log in which the other is lost"
    owner.receive(room.write(room.replicas[0]))
    while owner.advance() or owner.obligations or room.speak(owner):
        room.verify(owner)
    assert owner.height > back.height
    forks = forks_of(owner, room.vaults[2])
    assert await forks.follow(back)
    room.tell_all(back.raw)
    assert owner.is_seated and owner.head == room.replicas[0].head
    assert [entry.hash for entry in owner.log[-2:]] == [gone.hash, back.hash]


def test_who_has_agreed_to_a_return_may_doubt_whoever_has_not(seed: int) -> None:
    """It fell silent for good in that moment, and the table waited for it."""
    room, _ = away(seed, kind_is("choose"), players=4)
    first, votes = room.replicas[0], room.replicas[0].votes
    votes.receive(vote(first, 2, RESTORED))
    assert votes.may_doubt(1) and votes.may_doubt(3)
    votes.receive(vote(room.replicas[1], 2, RESTORED))
    assert not votes.may_doubt(1), "the seat may be back on its log, and on no other"
    votes.receive(vote(first, 3))
    assert not votes.may_doubt(1) and votes.may_doubt(3), "one doubt at a time"


def test_who_doubts_a_seat_lets_nobody_go_back_before_that_is_settled(seed: int) -> None:
    room, owner = away(seed, kind_is("choose"), players=4)
    first, back = room.replicas[0], room.back(owner)
    doubt = vote(first, 3)
    first.votes.receive(doubt)
    assert first.receive(back.raw) is None and 2 in first.open_seats
    first.votes.receive(vote(room.replicas[1], 3, is_gone=False))
    assert first.receive(back.raw) is not None and 2 not in first.open_seats


def test_an_owner_shows_no_key_before_all_have_followed(seed: int) -> None:
    """Else it would sign one number twice if it is given back on another log."""
    room, owner = away(seed, kind_is("choose"))
    back = room.back(owner)
    owner.receive(back.raw)
    assert owner.step is not None and owner.step.kind == NEW_KEY and not owner.may_write()
    for each in room.here():
        assert each.me is not None
        each.receive(back.raw)
        owner.acknowledge(claimed(each, each.me, each.height, each.head))
    assert owner.may_write()


async def test_an_owner_that_was_given_its_seat_where_no_other_followed_goes_back(
    seed: int,
) -> None:
    """One of them alone had the words of all for that, and the others have gone on without it."""
    room, owner = away(seed, kind_is("choose"), players=4)
    owner.receive(room.back(owner).raw)
    assert owner.is_seated
    room.lose(3)
    gone = room.replace_seat(3)
    forks = forks_of(owner, room.vaults[2])
    assert await forks.follow(gone)
    assert not owner.is_seated and owner.head == room.replicas[0].head


class Heard(QuietTable):
    """A running game with one link, which may have all that the others have."""

    def __init__(self, replica: Replica) -> None:
        super().__init__(replica, replica.others[:1])
        self.has_all = True

    def is_there(self) -> bool:
        return self.has_all

    def told(self) -> list[list[object]]:
        """What it has said, to whomever."""
        return [message for _, message in self.sent]

    def rejoin(
        self, say: Callable[[int, int, bool | None], Awaitable[None]], bound: set[int]
    ) -> Rejoin:
        """What it makes of owners that are back, if no vote binds it."""
        return Rejoin(self, cast("CatchingUp", self), say, lambda seat: seat not in bound)


async def test_an_owner_asks_and_whoever_hears_it_gives_its_word_and_passes_it_on(
    seed: int,
) -> None:
    room, owner = away(seed, kind_is("choose"))
    said: list[tuple[int, int, bool | None]] = []

    async def say(seat: int, number: int, answer: bool | None) -> None:
        said.append((seat, number, answer))

    bound = {2}  # As if I had said of another seat that it is gone.
    asking, hearing = Heard(owner), Heard(room.replicas[0])
    asking.has_all = False
    await (asker := asking.rejoin(say, bound)).ask()
    assert not asking.sent, "all others would wait until it has caught up"
    asking.has_all = True
    await asker.ask_first()
    await asker.ask_first()
    ((_, (_, seat, turn, signature)),) = asking.sent
    assert (seat, turn) == (2, 1) and isinstance(signature, bytes)
    rejoin = hearing.rejoin(say, bound)
    assert rejoin.receive(2, 1, signature) and not rejoin.receive(2, 1, signature)
    assert not await rejoin.progress() and not said, "one word binds at a time"
    bound.clear()
    assert not await rejoin.progress(), "the others have not agreed yet"
    assert said == [(2, RESTORED, True)] and hearing.told() == asking.told()
    await hearing.rejoin(say, bound).ask()
    assert hearing.told() == asking.told(), "who has a seat asks for none"
