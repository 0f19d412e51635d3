"""Seats that are gone: everybody speaks for them, nobody else's cards are seen, and all agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.entry import Entry, Position, parse_entry, sign_entry
from p2p.base.errors import BadProof, BadSignature, Equivocation, MalformedFrame, PeerError
from p2p.base.roster import BotTerms, Replacement, replacement_identity
from p2p.crypto.group import POINT_BYTES
from p2p.crypto.key_sharing import put_together
from p2p.log.ledger import Ledger, read_game
from p2p.log.membership_change import replacement_entry
from p2p.log.recovery import read_record
from p2p.log.replica import Replica
from p2p.log.votes import REPLACE, Vote
from p2p.session.forks import has_lost, is_lying
from tests.p2p.acknowledging import claimed
from tests.p2p.beads import BEADS, HANDS
from tests.p2p.records import record_of
from tests.p2p.room import Room, Terms

GIVING = ("choose", (1,))  # The only choice of seat 1.
BOT = Replacement(BotTerms("last", "steady", 1))
ESCROW = Replacement(BotTerms("last", "steady", 1), is_escrowed=True)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Table(Room):
    """A room that somebody can leave."""

    def __init__(
        self, players: int = 3, seed: int = 0, replacement: Replacement | None = ESCROW
    ) -> None:
        super().__init__(players, seed=seed, game="beads", terms=Terms(replacement=replacement))
        self.onlooker = Replica(self.roster)
        self.replicas.append(self.onlooker)
        self.settle()

    def here(self) -> list[Replica]:
        """The machines of the seats that are live."""
        return [each for each in self.replicas if each.is_seated]

    def lose(self, gone: int) -> None:
        """A machine is switched off, whatever it was about to do."""
        self.replicas = [each for each in self.replicas if each.me != gone]

    def agree(self, gone: int, number: int = 0) -> Replica:
        """Let all others say that a seat is gone; gives one that has heard them all."""
        for signer in self.here():
            for hearer in self.here():
                hearer.votes.receive(vote(signer, gone, number))
        return self.here()[0]

    def key_in_parts(self, gone: int) -> int:
        """What all others put together."""
        return put_together([each.play.escrow.part_of(gone) for each in self.here()])

    def replace_seat(self, gone: int, key: int | None = None) -> Entry:
        """Let everybody speak for a seat."""
        speaker = self.agree(gone)
        whole = self.key_in_parts(gone) if key is None else key
        live = speaker.play.live
        agreed = speaker.votes.agreed(gone, [seat for seat in live if seat != gone])
        assert agreed is not None
        entry = replacement_entry(speaker, gone, agreed, whole)
        self.tell_all(entry.raw)
        self.settle()
        return entry


def vote(signer: Replica, gone: int, number: int = 0, *, is_gone: bool = True) -> Vote:
    """What a seat says about another at its open step."""
    assert signer.me is not None and signer.identity is not None
    said = Vote(signer.me, gone, number, is_gone)
    return signer.votes.sign(signer.identity, signer.position, said)


def kind_is(*kinds: str) -> Callable[[Replica], bool]:
    """Whether a step of such a kind is open."""
    return lambda replica: replica.step is None or replica.step.kind in kinds


def secret_of(room: Room, seat: int) -> int:
    """The key of a seat, as only itself knows it."""
    dealing = room.replicas[seat].play.dealing
    assert dealing is not None
    return dealing.secrets[seat]


def kept(room: Table, folder: Path) -> Path:
    """The game as a file."""
    path = folder / "game.hostless"
    ledger = Ledger.create(path, room.roster)
    for entry in room.onlooker.log:
        ledger.append(entry.raw)
    ledger.close()
    return path


STEPS = (
    *("shuffle", "prove", "share", "mix", "roll", "seal", "unseal", "choose"),
    *("pass", "open", "return", "finish"),
)


@pytest.mark.parametrize(("kind", "gone"), [(kind, at % 3) for at, kind in enumerate(STEPS)])
def test_a_game_goes_on_wherever_a_seat_is_lost(
    kind: str, gone: int, seed: int, tmp_path: Path
) -> None:
    room = Table(seed=seed)
    room.run(kind_is(kind))
    room.lose(gone)
    room.run()
    if not room.replicas[0].is_over:
        room.replace_seat(gone)
        room.run()
    assert all(each.is_over for each in room.replicas)
    assert len({each.head for each in room.replicas}) == 1
    for each in room.replicas:
        dealing = each.play.dealing
        assert dealing is not None
        assert set(dealing.secrets) <= {each.me, gone}, "and nobody else's key"
    assert room.onlooker.play.opened.keys() <= {gone}
    report = audit_file(kept(room, tmp_path))
    assert report.holds and report.is_finished, report
    begun = [at for at, entry in enumerate(room.onlooker.log) if entry.kind == REPLACE]
    assert [
        verdict.replaced for verdict in report.verdicts if verdict.replaced is not None
    ] == begun


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_what_a_seat_had_sealed_is_what_is_opened_for_it(gone: int, seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("unseal"))
    (_, chosen) = next(iter(room.vaults[gone].hidden.items()))
    room.lose(gone)
    room.run()
    room.replace_seat(gone)
    room.run()
    opened = [entry for entry in room.onlooker.log if (entry.kind, entry.seat) == ("unseal", gone)]
    assert isinstance(opened[0].body, list) and opened[0].body[0] == list(chosen)
    assert opened[0].epoch == 1


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_whoever_leaves_before_a_roll_changes_nothing_of_it(gone: int, seed: int) -> None:
    """The others compute the value that its key gives at that place."""
    room = Table(seed=seed)
    room.run(kind_is("roll"))
    due = room.replicas[gone].write().body
    room.lose(gone)
    room.run()
    room.replace_seat(gone)
    room.run()
    shown = [entry for entry in room.onlooker.log if (entry.kind, entry.seat) == ("roll", gone)]
    assert isinstance(due, bytes) and isinstance(shown[0].body, bytes)
    assert shown[0].body[:POINT_BYTES] == due[:POINT_BYTES]
    assert shown[0].epoch == 1


def test_one_seat_after_another_is_lost_and_the_keys_are_put_in_escrow_anew(seed: int) -> None:
    room = Table(4, seed)
    room.run(kind_is("roll"))
    room.lose(3)
    room.run()
    room.replace_seat(3)
    room.run(kind_is("choose"))
    assert all(each.play.escrow.seats == (0, 1, 2) for each in room.replicas)
    room.lose(1)
    room.run()
    room.replace_seat(1)
    room.run()
    assert {each.head for each in room.replicas} == {room.onlooker.head}
    assert room.onlooker.is_over and room.onlooker.open_seats == {1, 3}


def test_with_three_seats_the_loss_of_one_lets_nobody_look_into_another_hand(seed: int) -> None:
    """The parts that the lost seat held are lost with it: its game key does not open them."""
    room = Table(seed=seed)
    room.run(kind_is("roll"))
    room.lose(2)
    room.run()
    room.replace_seat(2)
    first, second, *_ = room.replicas
    assert not first.play.escrow.covers(1, first.play.live)
    known = first.play.dealing
    assert known is not None and 1 not in known.secrets
    hand = first.play.table.zones[HANDS + 1]
    assert hand and all(known.observation[card] == HIDDEN for card in hand)
    assert second.play.dealing is not None


def test_a_seat_that_leaves_gives_its_own_key_and_needs_no_escrow(seed: int) -> None:
    room = Table(2, seed, BOT)
    room.run(kind_is("choose"))
    key = secret_of(room, 1)
    room.lose(1)
    room.run()
    entry = room.replace_seat(1, key)
    assert (entry.kind, entry.epoch) == (REPLACE, 1)
    room.run()
    assert room.onlooker.is_over and room.onlooker.open_seats == {1}
    assert room.onlooker.seating.seats()[1].bot_terms == BOT.bot_terms


def test_two_seats_have_no_escrow(seed: int) -> None:
    room = Table(2, seed, ESCROW)
    room.run()
    assert not any(entry.kind.startswith("escrow") for entry in room.onlooker.log)


# ---- who may do it ----


def halted(seed: int, players: int = 3) -> Table:
    """A game in which seat 2 is due and has fallen silent."""
    room = Table(players, seed)
    room.run(kind_is("roll"))
    room.lose(2)
    room.run()
    return room


def refused(room: Table, entry: Entry) -> None:
    """Everybody refuses an entry without blaming a seat, and so does an audit."""
    for each in room.replicas:
        height = each.height
        with pytest.raises((MalformedFrame, BadSignature)):
            each.receive(entry.raw)
        assert each.height == height and not each.open_seats
    found = read_log(record_of(room.onlooker, [entry.raw]))
    assert found.damage and not found.guilty and not found.replaced


def test_without_the_word_of_all_others_nobody_speaks_for_a_seat(seed: int) -> None:
    room = halted(seed, 4)
    first, second, third = room.here()
    for hearer in (first, second):
        for signer in (first, second):
            hearer.votes.receive(vote(signer, 2))
    assert first.votes.agreed(2, [0, 1, 3]) is None
    signatures = [vote(each, 2).signature for each in (first, second)]
    key = room.key_in_parts(2)
    for signed in (
        signatures,
        [*signatures, b""],
        [*signatures, signatures[0]],
        [*signatures, vote(third, 2, 1).signature],
        [*signatures, vote(third, 2, is_gone=False).signature],
        [*signatures, vote(third, 1).signature],
    ):
        refused(room, replacement_entry(first, 2, (0, signed), key))


def test_without_its_key_nobody_speaks_for_a_seat(seed: int) -> None:
    room = halted(seed)
    speaker = room.agree(2)
    agreed = speaker.votes.agreed(2, [0, 1])
    assert agreed is not None
    refused(room, replacement_entry(speaker, 2, agreed, 12345))


@pytest.mark.parametrize("wrong", ["epoch", "digest"])
def test_an_entry_that_does_not_continue_a_seat_replaces_nobody(seed: int, wrong: str) -> None:
    room = halted(seed)
    speaker = room.agree(2)
    agreed = speaker.votes.agreed(2, [0, 1])
    assert agreed is not None
    due = replacement_entry(speaker, 2, agreed, room.key_in_parts(2))
    epoch, at = due.epoch, speaker.position
    if wrong == "epoch":
        epoch += 3
    else:
        at = Position(at.height, at.head, bytes(48))
    anybody = replacement_identity(speaker.game_id, 2, epoch)
    said = [due.kind, due.body]
    refused(room, sign_entry(anybody, speaker.game_id, (2, epoch), at, said))


def test_a_table_without_a_replacement_waits(seed: int) -> None:
    room = Table(3, seed, None)
    room.run(kind_is("roll"))
    key = secret_of(room, 2)
    room.lose(2)
    room.run()
    speaker = room.agree(2)
    agreed = speaker.votes.agreed(2, [0, 1])
    assert agreed is not None
    refused(room, replacement_entry(speaker, 2, agreed, key))


def test_a_word_counts_at_its_own_step_alone(seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("roll"))
    early = vote(room.replicas[0], 2)
    room.run(kind_is("seal"))
    with pytest.raises(BadSignature):
        room.replicas[1].votes.receive(early)


# ---- who is bound ----


def test_whoever_gave_its_word_does_not_close_the_step_until_it_is_taken_back(seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("roll"))
    lost = room.replicas[2]
    late = lost.write().raw
    room.replicas = [room.replicas[0], room.replicas[1]]
    room.run()
    doubting, other = room.replicas
    doubting.votes.receive(vote(doubting, 2))
    for each in room.replicas:
        each.receive(late)
    assert not doubting.advance() and other.advance(), "one is bound, the other is not"
    doubting.votes.receive(_at(doubting, other, 2))
    assert doubting.advance()
    room.settle()
    assert doubting.head == other.head


def _at(hearer: Replica, signer: Replica, gone: int) -> Vote:
    """What a seat that went on says about the step at which another is."""
    assert signer.me is not None and signer.identity is not None
    said = Vote(signer.me, gone, 0, False)
    return signer.votes.sign(signer.identity, hearer.position, said)


def test_a_word_that_was_taken_back_leaves_room_for_another_round(seed: int) -> None:
    room = halted(seed)
    first, second = room.here()
    first.votes.receive(vote(first, 2))
    assert first.votes.is_doubted(2) and list(first.votes.bound())
    first.votes.receive(vote(second, 2, is_gone=False))
    assert not first.votes.is_doubted(2) and not list(first.votes.bound())
    assert first.votes.round_of(2) == 1
    for hearer in room.here():
        hearer.votes.receive(vote(second, 2, 0, is_gone=False))
    speaker = room.agree(2, 1)
    agreed = speaker.votes.agreed(2, [0, 1])
    assert agreed is not None and agreed[0] == 1
    room.tell_all(replacement_entry(speaker, 2, agreed, room.key_in_parts(2)).raw)
    room.run()
    assert room.onlooker.is_over


def test_whoever_agrees_and_tells_another_the_opposite_is_named(seed: int) -> None:
    room = halted(seed)
    honest, liar = room.here()
    honest.votes.receive(vote(liar, 2, is_gone=False))
    agreed = (0, [vote(honest, 2).signature, vote(liar, 2).signature])
    entry = replacement_entry(liar, 2, agreed, room.key_in_parts(2))
    with pytest.raises(Equivocation) as caught:
        honest.receive(entry.raw)
    assert caught.value.seat == liar.me


# ---- whose entries they are ----


def test_what_the_owner_said_and_nobody_heard_is_no_second_entry(seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("roll"))
    late = room.replicas[2].write()
    room.lose(2)
    room.run()
    room.replace_seat(2)
    for each in room.replicas:
        assert each.receive(late.raw) is None
    room.run()
    places = [(entry.epoch, entry.head) for entry in room.onlooker.log if entry.seat == 2]
    assert len(set(places)) == len(places) and max(places)[0] == 1 > late.epoch


def test_the_machine_of_a_lost_seat_comes_back_and_follows(seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.run()
    room.replace_seat(2)
    room.run(kind_is("choose"))
    room.catch_up(owner)
    assert owner.head == room.replicas[0].head
    assert not owner.is_seated and not owner.may_write() and not owner.view().offers


def test_whoever_went_on_alone_finds_out_and_its_entries_are_void(
    seed: int, tmp_path: Path
) -> None:
    """Its cable was out as it chose: nobody heard that, and all others have gone on."""
    room = Table(seed=seed)
    room.run(lambda each: each.step is None or (each.step.kind, each.step.writers) == GIVING)
    owner = room.replicas[1]
    path, height = kept(room, tmp_path), owner.height
    alone = parse_entry(room.write(owner))
    owner.receive(alone.raw)
    assert owner.advance() and owner.height > height
    room.lose(1)
    entry = room.replace_seat(1)
    assert has_lost(owner, entry)
    assert not has_lost(room.replicas[0], entry), "it is not its seat"
    assert not has_lost(owner, _forged(owner, entry)), "anybody can sign that"
    for each in room.replicas:
        each.acknowledge(claimed(each, 1, each.height, owner.head))
        assert not each.disagreeing() and not is_lying(each, 1, each.height)
    ledger = Ledger.reopen(path, read_game(path))
    ledger.append(alone.raw)
    ledger.cut(height)
    ledger.close()
    again = Replica(room.roster, owner.identity, room.vaults[1])
    read_record(read_game(path), again)
    for raw in (alone.raw, entry.raw):  # As the file of secrets has them.
        again.receive(raw)
    room.replicas.append(again)
    room.run()
    assert again.is_over and again.head == room.onlooker.head and not again.is_seated


def _forged(replica: Replica, entry: Entry) -> Entry:
    """The replacement without the vote of one."""
    assert isinstance(entry.body, list)
    number, signatures, key = entry.body
    bare = [number, [bytes(64) for _ in signatures], key]
    anybody = replacement_identity(replica.game_id, entry.seat, 1)
    at = Position(entry.height, entry.head, entry.digest)
    return sign_entry(anybody, replica.game_id, (entry.seat, 1), at, [REPLACE, bare])


def test_nobody_can_frame_a_seat_for_which_everybody_signs(seed: int) -> None:
    room = halted(seed)
    room.replace_seat(2)
    room.run(lambda replica: replica.is_over)
    said = [
        entry
        for entry in room.onlooker.log
        if (entry.seat, entry.epoch) == (2, 1) and entry.kind != REPLACE
    ]
    for each in room.replicas:
        with pytest.raises(MalformedFrame):
            each.receive(_changed(each, said[0]))


def _changed(replica: Replica, entry: Entry) -> bytes:
    at = Position(entry.height, entry.head, entry.digest)
    anybody = replacement_identity(replica.game_id, entry.seat, 1)
    return sign_entry(anybody, replica.game_id, (entry.seat, 1), at, [entry.kind, b"else"]).raw


# ---- escrow at a table ----


def test_a_part_that_is_none_is_seen_by_all_and_its_dealer_named(seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("escrow"))
    cheat = room.replicas[1]
    entry = cheat.write()
    assert isinstance(entry.body, bytes)
    raw = _resigned(cheat, entry.body[:-1] + bytes([entry.body[-1] ^ 1]))
    room.tell_all(raw)
    with pytest.raises(PeerError) as caught:
        room.run()
    assert isinstance(caught.value, BadProof) and caught.value.seat == 1
    assert caught.value.evidence == [raw]


def _resigned(replica: Replica, body: object) -> bytes:
    assert replica.me is not None and replica.identity is not None and replica.step is not None
    author, said = (replica.me, replica.seating.epochs[replica.me]), [replica.step.kind, body]
    return sign_entry(replica.identity, replica.game_id, author, replica.position, said).raw
