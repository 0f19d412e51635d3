"""A seat that comes back with a new key: what others, who heard its old one, know from then on."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from core.games import GAMES
from core.requests import Card
from p2p.audit.game import read_log
from p2p.base.errors import IllegalMove
from p2p.crypto.masking import Masked
from p2p.game.dealing import Dealing
from p2p.game.rebuilding import Rebuilding
from p2p.log.replica import Replica
from tests.p2p import drawing
from tests.p2p.changing import BOT, kind_is, secret_of
from tests.p2p.drawing import DECK, DRAW, SEATS, is_asked, let
from tests.p2p.game.test_dealt_before import cards_of, content_of
from tests.p2p.game.test_going_back import agreed, chooser, marked
from tests.p2p.records import heard, record_of
from tests.p2p.room import Room, Terms
from tests.p2p.test_verifier import NOBODY, verified

STAYS, SECOND, CHEAT = 0, 1, 2
TURNS = 24


@pytest.fixture(autouse=True)
def a_long_game_of_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "draw", DRAW)
    monkeypatch.setattr(drawing, "TURNS", TURNS)


def opened_table() -> Room:
    """A table where each has passed once."""
    room = Room(SEATS, game="draw", terms=Terms(replacement=BOT))
    room.chooser = lambda _, actions: actions[0]
    for seat in range(SEATS):
        let(room, seat, "pass")
    return room


def go(room: Room, seat: int) -> tuple[Replica, int]:
    """A seat leaves, and gives its key."""
    (owner,) = (each for each in room.replicas if each.me == seat)
    secret = secret_of(room, seat)
    room.lose(seat)
    room.leave(seat, secret)
    return owner, secret


def come_back(room: Room, owner: Replica) -> None:
    """It has its seat again, at a choice, and shows its new key."""
    room.catch_up(owner)
    room.give_back(owner)
    room.run(kind_is("choose"))


def pass_on(room: Room, rounds: int = 1) -> None:
    """Who is there passes, bots choose for the others, and again it is the first one's turn."""
    for _ in range(rounds):
        for each in room.here():
            let(room, each.me or 0, "pass")
        room.run(is_asked(STAYS))


def test_nobody_goes_back_behind_a_key_because_a_seat_has_its_old_one_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was dealt in between, or half dealt, was dealt of the same cards."""
    room = opened_table()
    early = marked(room.replicas[0])[-1]
    owner, first = go(room, CHEAT)
    for rounds, secret in ((1, first + 1), (2, first)):
        pass_on(room, rounds)
        monkeypatch.setattr(owner.play, "new_secret", lambda _, named=secret: named)
        come_back(room, owner)
        if secret != first:
            go(room, CHEAT)
    assert secret_of(room, CHEAT) == first and not marked(room.replicas[0])
    writer = chooser(room)
    raw = writer.write(agreed(room, early)).raw
    room.replicas[-1].receive(raw)
    with pytest.raises(IllegalMove, match="nobody can"):
        room.replicas[-1].advance()
    assert writer.me in read_log(record_of(room.replicas[0], [raw], room.notes)).guilty
    assert verified(content_of(room, [raw])) == (True, writer.me)


def test_nobody_reads_alone_what_is_dealt_anew_while_a_seat_shows_its_new_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All know its old key, and with it the order in which it shuffles."""
    take, read = Rebuilding._take, set[int]()

    def noted(rebuilding: Rebuilding, fresh: dict[Card, Masked]) -> None:
        cards = rebuilding._dealing
        if cards.me == STAYS:
            bare = {pair.b - pair.a * sum(cards.secrets.values()) for pair in fresh.values()}
            read.update(cards.face_of[each] for each in bare & cards.face_of.keys())
        take(rebuilding, fresh)

    monkeypatch.setattr(Rebuilding, "_take", noted)
    room = opened_table()
    owner, _ = go(room, CHEAT)
    pass_on(room)
    room.catch_up(owner)
    room.give_back(owner)
    room.lose(SECOND)
    room.remove(SECOND)
    room.run()
    assert not read
    assert_holds(room)


def assert_holds(room: Room) -> None:
    """The game is over, and nobody finds anything wrong with it."""
    found = read_log(record_of(room.replicas[0], notes=room.notes))
    assert found.is_signed and not found.damage and not found.guilty
    assert heard(record_of(room.replicas[0], notes=room.notes)).head == room.replicas[0].head
    assert verified(content_of(room)) == (False, NOBODY)


def deck_of(room: Room) -> list[Masked]:
    """What lies in the deck, as everybody has it."""
    cards = cards_of(room, STAYS)
    return [cards._pair(card) for card in room.replicas[0].play.table.zones[DECK]]


def read_by(room: Room, deck: list[Masked], secrets: Iterable[int]) -> list[int]:
    """The faces of a deck, by all the keys under which it was."""
    whole, face_of = sum(secrets), cards_of(room, STAYS).face_of
    return [face_of[pair.b - pair.a * whole] for pair in deck]


def play_until_both_were_gone() -> tuple[Room, list[int], list[int]]:
    """One leaves and comes back, then the other.

    Gives the deck as it is, and as the one who stayed reads it by all keys that it has heard.
    """
    room = opened_table()
    early, heard_keys = deck_of(room), [secret_of(room, STAYS)]
    for seat in (SECOND, CHEAT):
        owner, secret = go(room, seat)
        heard_keys.append(secret)
        pass_on(room)
        come_back(room, owner)
    known = read_by(room, early, heard_keys)
    truth = read_by(room, deck_of(room), [secret_of(room, seat) for seat in range(SEATS)])
    return room, truth, known


def test_whoever_stays_reads_no_deck_once_the_others_were_gone_one_after_the_other() -> None:
    """Their old keys are known by then, and the log has the deck under these."""
    room, truth, known = play_until_both_were_gone()
    assert truth != known and sorted(truth) == sorted(known)
    room.run()
    assert_holds(room)


def test_a_log_in_which_decks_are_not_shuffled_behind_a_new_key_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Dealing, "shuffle_anew", lambda _: iter(()))
    room, truth, known = play_until_both_were_gone()
    assert truth == known
    found = read_log(record_of(room.replicas[0], notes=room.notes))
    assert found.damage or found.guilty
    is_refused, _ = verified(content_of(room))
    assert is_refused


@pytest.mark.parametrize(
    ("kind", "seat", "gives_key"),
    [
        ("new key", CHEAT, False),
        ("new key", SECOND, True),
        ("shuffle", CHEAT, False),
        ("shuffle", SECOND, True),
        ("prove", CHEAT, True),
        ("prove", SECOND, False),
    ],
)
def test_whoever_goes_before_decks_are_shuffled_behind_a_new_key_holds_nobody_up(
    kind: str, seat: int, *, gives_key: bool
) -> None:
    room = opened_table()
    owner, _ = go(room, CHEAT)
    pass_on(room)
    room.catch_up(owner)
    room.give_back(owner)
    room.run(kind_is(kind))
    if gives_key:
        go(room, seat)
    else:
        room.lose(seat)
        room.remove(seat)
    room.run()
    assert all(each.is_over for each in room.replicas)
    assert_holds(room)
