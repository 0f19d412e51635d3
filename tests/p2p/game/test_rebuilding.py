"""A seat is lost with its key: the others deal anew what cannot be read, and keep their hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from core.engine import apply_event, next_request, start
from core.games import GAMES
from core.table import HIDDEN, OptionValue
from core.table import Table as CoreTable
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.entry import parse_entry
from p2p.base.errors import BadProof, PeerError
from p2p.base.roster import Replacement
from p2p.base.wire import encode
from p2p.game.dealing import JOINT, Dealing
from p2p.log.membership.log import signed_raw
from p2p.log.membership.messages import REASON_LEFT, Change
from p2p.log.membership_change import REPLACE
from p2p.log.replay import read_record, rewound
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS, HANDS
from tests.p2p.changing import BOT, ESCROW, OpenRoom, kind_is, secret_of
from tests.p2p.records import accused
from tests.simulation.volume_group import volume_group
from ui.replay.recording import read_recording

pytestmark = pytest.mark.usefixtures("short_escrow")


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


class Wake(OpenRoom):
    """A room that somebody leaves with the key."""

    def __init__(
        self, players: int = 3, seed: int = 0, replacement: Replacement | None = BOT
    ) -> None:
        super().__init__(players, seed, replacement)


def test_whoever_went_on_alone_where_another_had_left_before_goes_back(seed: int) -> None:
    """Where a seat leaves, and gives its key, its step stays: two may be lost in it."""
    room = Wake(4, seed)
    room.run(lambda each: each.step is None or each.step.writers == (1,))
    owner, key = room.replicas[1], secret_of(room, 3)
    room.lose(3)
    left = room.leave(3, key)
    owner.receive(room.write(owner))
    assert owner.advance()
    room.lose(1)
    entry = room.remove(1)
    assert entry.height == left.height + 1 and owner.log[entry.height - 1].hash == left.hash
    owner.rewind_to(rewound(owner, room.vaults[1], entry.height))
    room.catch_up(owner)
    assert owner.head == room.spectator.head and owner.open_seats == {1, 3} == owner.play.open_seats


def cards_of(replica: Replica) -> Dealing:
    """The cards as a machine has them."""
    assert replica.play.dealing is not None
    return replica.play.dealing


def hand_of(replica: Replica, seat: int) -> list[int]:
    """The faces in a hand, as far as a machine can read them."""
    return [cards_of(replica).observation[card] for card in replica.play.table.zones[HANDS + seat]]


def truth(room: Wake) -> Counter[int]:
    """All faces there are, read with the keys of all seats together."""
    dealing = cards_of(room.spectator)
    secrets = [cards_of(each).secrets[each.me] for each in room.here() if each.me is not None]
    secrets += [cards_of(room.here()[0]).secrets[seat] for seat in room.spectator.open_seats]
    faces = Counter(face for face in room.spectator.play.table.face if face != HIDDEN)
    for pair, holder in zip(dealing.masked, dealing.holder, strict=True):
        if pair is not None:
            secret = sum(secrets) if holder == JOINT else _secret(room, holder)
            faces[dealing.face_of[pair.b - pair.a * secret]] += 1
    return faces


def _secret(room: Wake, seat: int) -> int:
    return next(cards_of(each).secrets[seat] for each in room.here()
                if seat in cards_of(each).secrets)  # fmt: skip


STEPS = (
    *("shuffle", "prove", "share", "mix", "roll", "seal", "unseal", "choose"),
    *("pass", "open", "return", "finish"),
)


@pytest.mark.parametrize(("kind", "gone"), [(kind, at % 3) for at, kind in enumerate(STEPS)])
def test_a_game_goes_on_without_a_key_wherever_its_seat_is_lost(
    kind: str, gone: int, seed: int, tmp_path: Path
) -> None:
    room = Wake(seed=seed)
    room.run(kind_is(kind))
    room.lose(gone)
    room.run()
    known = {each.me: hand_of(each, each.me or 0) for each in room.here()}
    if not room.replicas[0].is_over:
        room.remove(gone)
        for each in room.here():
            if room.spectator.step is not None and room.spectator.step.kind == "strike":
                assert hand_of(each, each.me or 0) == known[each.me], "hands are what they were"
        room.run()
    assert all(each.is_over for each in room.replicas)
    assert len({each.head for each in room.replicas}) == 1
    for each in room.replicas:
        assert set(cards_of(each).secrets) <= {each.me, gone}
        assert secret_of_lost(room, gone) not in cards_of(each).secrets.values()
    report = audit_file(room.kept(tmp_path))
    assert report.holds and report.is_finished, report
    begun = [at for at, entry in enumerate(room.spectator.log) if entry.kind == REPLACE]
    assert [each.replaced for each in report.verdicts if each.replaced is not None] == begun
    known = read_log(room.record(), room.spectator.play.opened.values())
    assert known.events == room.spectator.play.events and not known.stopped
    assert all(each.is_obedient for each in known.decided)
    assert bool(known.dealt) == any(entry.kind == "blind" for entry in room.spectator.log)


def secret_of_lost(room: Wake, gone: int) -> int:
    """The key that the lost seat had."""
    replica = Replica(room.roster, room.identities[gone], room.vaults[gone])
    return replica.play._key(gone)[0]


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_what_is_dealt_anew_is_just_what_the_hands_leave(gone: int, seed: int) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    hands = {each.me: hand_of(each, each.me or 0) for each in room.here() if each.me != gone}
    room.lose(gone)
    room.run()
    room.remove(gone)
    room.run(lambda replica: replica.step is not None and replica.step.kind == "roll")
    assert truth(room) == Counter(dict.fromkeys(range(3), 6))
    for each in room.here():
        assert hand_of(each, each.me or 0) == hands[each.me]
        assert HIDDEN not in hand_of(each, gone), "the hand of an open seat lies open"
        deck = each.play.table.zones[0]
        assert all(cards_of(each).observation[card] == HIDDEN for card in deck)
        assert all(each.play.table.seen[card] == 1 << gone
                   for card in each.play.table.zones[HANDS + gone])  # fmt: skip
    assert len({each.play.table.digest() for each in room.replicas}) == 1


def test_nobody_can_read_a_deck_that_was_dealt_anew_alone(seed: int) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(kind_is("roll"))
    for each in room.here():
        dealing = cards_of(each)
        for card in each.play.table.zones[0]:
            pair = dealing.masked[card]
            assert pair is not None and dealing.holder[card] == JOINT
            assert pair.b - pair.a * sum(dealing.secrets.values()) not in dealing.face_of


def test_a_seat_that_is_lost_while_cards_are_dealt_anew_is_done_without_as_well(seed: int) -> None:
    for kind in ("strike", "prove", "sort out", "share"):
        room = Wake(4, seed)
        room.run(kind_is("roll"))
        room.lose(3)
        room.run()
        room.remove(3)
        room.run(kind_is(kind))
        assert room.spectator.step is not None and room.spectator.step.kind == kind
        room.lose(1)
        room.run()
        room.remove(1)
        room.run(kind_is("roll"))
        assert truth(room) == Counter(dict.fromkeys(range(3), 8))
        room.run()
        assert {each.head for each in room.replicas} == {room.spectator.head}
        assert room.spectator.is_over and room.spectator.open_seats == {1, 3}
        assert read_log(room.record()).is_signed


def test_sealed_choices_of_those_who_stay_bind_them_and_the_lost_seat_chooses_anew(
    seed: int,
) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("unseal"))
    chosen = {seat: next(iter(secrets.hidden.values())) for seat, secrets in enumerate(room.vaults)}
    early = room.write(room.replicas[0])
    room.tell_all(early)
    room.lose(2)
    room.run()
    room.remove(2)
    room.run()
    seals = [entry.seat for entry in room.spectator.log if entry.kind == "seal"]
    assert seals == [0, 1, 2, 2]
    opened = {entry.seat: entry.body for entry in room.spectator.log if entry.kind == "unseal"}
    for seat in (0, 1):
        body = opened[seat]
        assert isinstance(body, list) and encode(body[0]) == encode(list(chosen[seat]))
    assert room.spectator.is_over


def test_no_number_is_signed_twice_by_those_whose_entries_became_void(seed: int) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    void = [room.write(each) for each in room.here() if each.me != 2]
    room.lose(2)
    for raw in void:
        room.tell_all(raw)
    room.settle()
    entry = room.remove(2)
    assert entry.seat_epoch == 1 and entry.kind == REPLACE
    room.run()
    for raw in void:
        assert raw not in [each.raw for each in room.spectator.log]
        for each in room.replicas:
            assert each.receive(raw) is None
    assert room.spectator.is_over


@pytest.mark.parametrize("kind", ["escrow key", "escrow"])
def test_a_seat_that_is_lost_before_its_key_is_in_escrow_is_done_without(
    kind: str, seed: int
) -> None:
    room = Wake(4, seed, ESCROW)
    room.run(kind_is(kind))
    room.lose(3)
    room.run()
    room.remove(3)
    room.run(kind_is("roll"))
    assert all(each.play.escrow.seats == (0, 1, 2) for each in room.replicas)
    room.run()
    assert room.spectator.is_over and read_log(room.record()).is_signed


def test_after_the_result_nothing_is_dealt_anew(seed: int) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("finish"))
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(lambda each: each.step is not None and each.step.kind == "open keys")
    assert not room.spectator.play.may_lose(1)


# ---- who cheats in it ----


def forged(room: Wake, kind: str, seat: int, forge: Callable[[object], object]) -> PeerError:
    """What everybody says when a seat's entry of this kind says something else."""
    room.run(lambda each: each.step is not None and (each.step.kind, each.step.writers[0]) == (
        kind, seat if kind == "strike" else each.step.writers[0]))  # fmt: skip
    cheat = next(each for each in room.here() if each.me == seat)
    assert cheat.step is not None
    write = cheat.step.write
    cheat.step = replace(cheat.step, write=lambda action: forge(write(action)))
    room.tell_all(cheat.write().raw)
    with pytest.raises(PeerError) as caught:
        room.run()
    return caught.value


def bent(body: object) -> object:
    assert isinstance(body, list) and isinstance(body[0], bytes)
    return [body[0][:-1] + bytes([body[0][-1] ^ 1]), *body[1:]]


@pytest.mark.parametrize(
    ("kind", "seat"), [("strike", 0), ("prove", 1), ("blind", 0), ("blind", 1)]
)
@pytest.mark.parametrize("forge", [bent, lambda _: [], lambda _: [1]])
def test_whoever_says_something_false_while_cards_are_dealt_anew_is_named(
    kind: str, seat: int, forge: Callable[[object], object], seed: int
) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    room.lose(2)
    room.run()
    room.remove(2)
    fault = forged(room, kind, seat, forge)
    assert isinstance(fault, BadProof) and fault.seat == seat
    assert list(read_log(accused(room.record(), seat, fault.evidence)).guilty) == [seat]


# ---- machines that come back ----


def test_the_machine_of_the_lost_seat_comes_back_and_follows(seed: int) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    alone = parse_entry(room.write(owner))
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(kind_is("choose"))
    owner.receive(alone.raw)
    room.catch_up(owner)
    assert owner.head == room.replicas[0].head
    assert not owner.is_seated and not owner.may_write() and not owner.view().offers
    assert hand_of(owner, 2) == hand_of(room.replicas[0], 2)


@pytest.mark.parametrize("kind", ["strike", "shuffle", "prove", "blind", "sort out", "roll"])
def test_a_machine_that_starts_again_while_cards_are_dealt_anew_goes_on(
    kind: str, seed: int
) -> None:
    """It says again what it has said, its void entry too, and signs no number twice."""
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    said = [room.write(room.replicas[0])]
    room.tell_all(said[0])
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(kind_is(kind))
    old = room.replicas[0]
    if old.may_write():
        said.append(room.write(old))
    again = Replica(room.roster, old.identity, room.vaults[0])
    read_record(room.record(), again)
    room.replicas[0] = again
    for raw in [*said, *room.spectator.pending()]:  # As its own file has them, and the others.
        room.tell_all(raw)
    room.run()
    assert again.is_over and again.head == room.spectator.head
    assert said[0] not in [entry.raw for entry in again.log]
    assert len(said) == 1 or said[1] in [entry.raw for entry in again.log]


def test_the_events_and_what_was_dealt_anew_give_the_same_table(seed: int, tmp_path: Path) -> None:
    room = Wake(seed=seed)
    room.run(kind_is("choose"))
    room.lose(2)
    room.run()
    room.remove(2)
    room.run()
    found, game = read_log(room.record()), BEADS
    table = start(game, 3, dict(room.roster.options))
    request = next_request(game, table)
    for before, (asked, event) in enumerate(found.events):
        for each in [anew for events, anew in found.dealt if events == before]:
            for pile in each.piles:
                table.mix(pile, each.player)
        assert asked == request
        request = apply_event(game, table, asked, event)
    assert table.sections() == room.spectator.play.table.sections()
    recording = read_recording(room.kept(tmp_path))
    assert len(recording.positions) == len(found.events) + 1


# ---- zones of which claims have shown what lies there ----


@dataclass
class Shown:
    """Beads, where everybody knows what kinds of beads the lost seat can have in its hand."""

    holds: tuple[int, ...] = ()

    def setup(self, players: int, options: Mapping[str, OptionValue]) -> CoreTable:
        table = BEADS.setup(players, options)
        table.layout.narrow = [(HANDS + 2, self.holds)] if self.holds else []
        return table


def test_what_claims_have_shown_of_a_zone_is_still_so_when_it_is_dealt_anew(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not belong there goes back into the deck, where nobody can tell it any more."""
    game = Shown()
    monkeypatch.setitem(GAMES, "beads", replace(BEADS, setup=game.setup))
    shuffles, number = 1, 0
    while shuffles == 1:  # In more than every second game more is dealt than fits.
        shuffles, number = rebuilt_with_claims(game, seed + number), number + 1
    assert shuffles == 2


def rebuilt_with_claims(game: Shown, seed: int) -> int:
    """How often all have shuffled, and proven it, until nothing was missing."""
    game.holds = ()
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    game.holds = tuple(sorted(set(hand_of(room.replicas[2], 2))))
    for each in room.replicas:
        each.play.table.layout.narrow = [(HANDS + 2, game.holds)]
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(kind_is("roll"))
    assert truth(room) == Counter(dict.fromkeys(range(3), 6))
    for each in room.here():
        assert set(hand_of(each, 2)) <= set(game.holds)
        assert all(cards_of(each).observation[card] == HIDDEN for card in each.play.table.zones[0])
    kinds = [entry.kind for entry in room.spectator.log]
    room.run()
    assert room.spectator.is_over
    found = read_log(room.record(), room.spectator.play.opened.values())
    assert found.is_signed and found.events == room.spectator.play.events
    return kinds[kinds.index(REPLACE) :].count("prove") // 3


def test_what_claims_have_shown_is_found_where_two_keys_are_lost_at_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it was dealt to the other: no row is left then, and all of them lie open."""
    game = Shown()
    monkeypatch.setitem(GAMES, "beads", replace(BEADS, setup=game.setup))
    dealt, number = 0, 0
    while dealt < 7:
        room, number = alone_with_claims(game, seed + number), number + 1
        dealt = 0 if room is None else lost_at_once(room, game)
    assert dealt == 7, "those of both hands, and of the deck"


def alone_with_claims(game: Shown, seed: int) -> Wake | None:
    """Two leave, the last of whom is known to hold beads of one color alone, and no other does."""
    game.holds = ()
    room = Wake(seed=seed)
    room.run(kind_is("roll"))
    (first, *more), mine = hand_of(room.replicas[2], 2), hand_of(room.replicas[0], 0)
    if more != [first] or first not in mine:
        return None
    game.holds = (first,)
    for each in room.replicas:
        each.play.table.layout.narrow = [(HANDS + 2, game.holds)]
    said = [signed_raw(room.farewell(seat)) for seat in (1, 2)]
    room.lose(1)
    room.lose(2)
    room.change(Change(1, REASON_LEFT, b"", (2,)), said)
    return room


def lost_at_once(room: Wake, game: Shown) -> int:
    """How many rows lie open when both hands are there again, of seven."""
    room.run(kind_is("roll"))
    assert truth(room) == Counter(dict.fromkeys(range(3), 6))
    assert set(hand_of(room.replicas[0], 2)) == set(game.holds)
    shares = [entry.body for entry in room.spectator.log if entry.kind == "share"]
    dealt = [len(body[0]) // 32 for body in shares[3 * 2 :: 2]]
    room.run()
    assert room.spectator.is_over
    found = read_log(room.record(), room.spectator.play.opened.values())
    assert found.is_signed and found.events == room.spectator.play.events
    return sum(dealt)


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != "beads"])
def test_two_zones_of_which_claims_show_something_hold_the_same_faces_or_none_in_common(
    slug: str,
) -> None:
    """So whatever was dealt, the first that may is a good choice for each card."""
    game = GAMES[slug]
    for players in game.players:
        zones = [set(faces) for _, faces in start(game, players, {}).layout.narrow]
        assert all(one == other or not one & other for one in zones for other in zones)
