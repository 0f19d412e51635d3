"""Going back by agreement: everybody's game is as it was, and nobody goes back alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from core.requests import Choice
from p2p.audit.game import read_log
from p2p.base.errors import IllegalMove
from p2p.base.roster import Replacement
from p2p.crypto.masking import Masked
from p2p.game.dealing import Dealing
from p2p.game.going_back import MARKS_MAX, Consent
from p2p.game.steps import Script, TakeBack
from p2p.log.replica import Replica
from tests.p2p.records import heard, record_of
from tests.p2p.room import BOT_TERMS, Room, Terms
from tests.simulation.volume_group import volume_group

CHOICES = 12  # Between two times that the table goes back.
TRIES = 8  # Games, and times in each.


@pytest.fixture(autouse=True)
def proofs_are_made_quickly() -> Iterator[None]:
    with volume_group():
        yield


def agreed(room: Room, events: int) -> TakeBack:
    """What all but the one who is to choose have signed."""
    writer = chooser(room)
    persons = [seat for seat in writer.play.persons() if seat != writer.me]
    here = [each for each in room.replicas if each.me in persons]
    signed = {each.me: consent_of(each, events) for each in here}
    return TakeBack(events, tuple(signed.get(seat) for seat in room.replicas[0].seats))


def consent_of(replica: Replica, events: int) -> bytes:
    """The signature of the owner of a seat."""
    assert replica.identity is not None
    return Consent(replica.game_id, replica.play.height, events).sign(replica.identity)


def chooser(room: Room) -> Replica:
    """Whoever is to choose alone."""
    return next(each for each in room.replicas if each.may_write())


def is_choosing(replica: Replica) -> bool:
    """Whether somebody chooses alone, openly."""
    step = replica.step
    return step is not None and step.kind == "choose"


def marked(replica: Replica) -> list[int]:
    """To where the table could go back."""
    events = range(len(replica.play.events))
    return [count for count in events if replica.play.mark(count) is not None]


def until_marked(room: Room, count: int = 1) -> None:
    """Play until somebody chooses and the table could go back to so many places."""
    room.run(lambda each: each.is_over or (is_choosing(each) and len(marked(each)) >= count))
    assert not room.replicas[0].is_over, "there is a choice to take back"


def go_back(room: Room, events: int) -> None:
    """Let all go back to before so many events."""
    said = agreed(room, events)
    room.tell_all(chooser(room).write(said).raw)
    room.settle()


@pytest.mark.parametrize(
    ("game", "seats"), [("carta", 2), ("carta", 3), ("dominion", 3), ("renaissance", 2)]
)
def test_a_table_that_goes_back_again_and_again_comes_to_an_end_that_all_agree_on(
    game: str, seats: int
) -> None:
    room = Room(seats, seed=seats, game=game)
    back = 0
    for _ in range(6):
        start = len(room.replicas[0].play.events)
        room.run(_has_come(start + CHOICES))
        places = marked(room.replicas[0]) if is_choosing(room.replicas[0]) else []
        if not places:
            continue
        events = room.rng.choice(places[-4:])
        mark = room.replicas[0].play.mark(events)
        assert mark is not None
        digest = mark.table.copy().digest()
        go_back(room, events)
        back += 1
        for each in room.replicas:
            assert each.play.digest() == digest
            assert each.play.request == mark.request
            assert len(each.play.events) == events
    room.run()
    assert back
    assert room.replicas[0].is_over
    assert len({each.head for each in room.replicas}) == 1
    found = read_log(record_of(room.replicas[0]))
    assert not found.damage
    assert not found.guilty
    assert found.is_signed
    assert len(found.taken_back) == back
    assert found.events == room.replicas[0].play.events
    assert heard(record_of(room.replicas[0])).head == room.replicas[0].head


def play_until_dealt_to_another(game: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Go back again and again, until a card is dealt to another seat than before; then to the end.

    What all do about such cards is `Dealing._mask_anew`, which a test may have replaced.
    """
    hidden, mask_anew = list[int](), Dealing._mask_anew

    def noted(dealing: Dealing, cards: list[int]) -> Script[None]:
        hidden.extend(cards)
        return mask_anew(dealing, cards)

    monkeypatch.setattr(Dealing, "_mask_anew", noted)
    for tries in range(TRIES):
        room = Room(seats, seed=tries, game=game)
        for _ in range(TRIES):
            start = len(room.replicas[0].play.events)
            room.run(_has_come(start + CHOICES))
            if is_choosing(room.replicas[0]) and (places := marked(room.replicas[0])):
                go_back(room, room.rng.choice(places))
        room.run()
        if hidden:
            return room
    raise AssertionError("no card was dealt to another")


@pytest.mark.parametrize(("game", "seats"), [("carta", 3), ("renaissance", 2)])
def test_a_card_that_is_dealt_to_another_after_going_back_is_read_by_nobody_else(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but its first owner have taken their layers off in the log, and that one does so now."""
    given: dict[Masked, set[int]] = {}
    strip_for = Dealing.strip_for

    def noted(dealing: Dealing, owner: int, pairs: list[Masked]) -> Script[list[Masked]]:
        for pair in pairs:
            given.setdefault(pair, set()).add(owner)
        return strip_for(dealing, owner, pairs)

    monkeypatch.setattr(Dealing, "strip_for", noted)
    room = play_until_dealt_to_another(game, seats, monkeypatch)
    assert all(len(owners) == 1 for owners in given.values())
    found = read_log(record_of(room.replicas[0]))
    assert not found.damage and not found.guilty and found.is_signed


def test_a_log_in_which_such_a_card_is_dealt_as_it_is_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def keep(dealing: Dealing, cards: list[int]) -> Script[None]:
        yield from ()

    monkeypatch.setattr(Dealing, "_mask_anew", keep)
    room = play_until_dealt_to_another("carta", 3, monkeypatch)
    found = read_log(record_of(room.replicas[0]))
    assert found.damage or found.guilty or not found.is_signed


def _has_come(events: int) -> Callable[[Replica], bool]:
    return lambda each: each.is_over or (is_choosing(each) and len(each.play.events) >= events)


def test_whoever_held_a_card_then_reads_it_again() -> None:
    room = Room(2, seed=4, game="dominion")
    until_marked(room, 3)
    events = marked(room.replicas[0])[0]
    then = [each.play.mark(events) for each in room.replicas]
    go_back(room, events)
    for replica, mark in zip(room.replicas, then, strict=True):
        assert mark is not None
        assert replica.play.dealing is not None
        assert replica.play.dealing.observation == mark.cards.observation


def refused(room: Room, said: TakeBack) -> str:
    """Why everybody else refuses it."""
    writer = chooser(room)
    raw, reasons = writer.write(said).raw, set()
    for each in room.replicas:
        each.receive(raw)
        with pytest.raises(IllegalMove) as refusal:
            each.advance()
        reasons.add(str(refusal.value))
        assert refusal.value.seat == writer.me
    assert len(reasons) == 1
    found = read_log(record_of(room.replicas[0], [raw]))
    assert writer.me in found.guilty
    (reason,) = reasons
    assert found.guilty[writer.me].reason in reason
    return reason


def test_nobody_goes_back_without_the_signature_of_each_other_person() -> None:
    room = Room(3, seed=1)
    until_marked(room)
    events = marked(room.replicas[0])[0]
    whole = agreed(room, events)
    missing = next(seat for seat, each in enumerate(whole.signatures) if each is not None)
    less = tuple(None if at == missing else each for at, each in enumerate(whole.signatures))
    assert "without the others" in refused(room, whole._replace(signatures=less))


def test_nobody_goes_back_by_a_signature_for_another_step_or_another_place() -> None:
    room = Room(2, seed=1)
    until_marked(room, 2)
    first, second = marked(room.replicas[0])[:2]
    early = agreed(room, first)
    assert "forged" in refused(room, early._replace(events=second))
    room = Room(2, seed=2)
    until_marked(room)
    events = marked(room.replicas[0])[0]
    early = agreed(room, events)
    room.tell_all(room.write(chooser(room)))
    room.settle()
    room.run(lambda each: is_choosing(each) and each.may_write())
    stale = tuple(
        each if each is None or seat == _other(room) else None
        for seat, each in enumerate(_signed_by(early, _other(room)))
    )
    assert "forged" in refused(room, TakeBack(events, stale))


def _other(room: Room) -> int:
    writer = chooser(room).me
    assert writer is not None
    return 1 - writer


def _signed_by(said: TakeBack, seat: int) -> list[bytes | None]:
    signature = next(each for each in said.signatures if each is not None)
    return [signature if at == seat else None for at in range(2)]


def test_nobody_goes_back_to_where_there_was_no_choice_or_too_long_ago() -> None:
    room = Room(2, seed=3, game="renaissance")
    room.run(lambda each: is_choosing(each) and len(each.play.events) > 3 * MARKS_MAX)
    places = marked(room.replicas[0])
    assert len(places) == MARKS_MAX
    assert "nobody can" in refused(room, agreed(room, places[0] - 1))


def test_bots_are_not_asked_and_take_nothing_back() -> None:
    room = Room(3, seed=5, terms=Terms(bots=(1, 2)))
    room.run(lambda each: is_choosing(each) and bool(marked(each)) and each.may_write())
    play = room.replicas[0].play
    assert {play.events[at][0] for at in marked(room.replicas[0])} == {Choice(0)}
    said = agreed(room, marked(room.replicas[0])[-1])
    assert said.signatures == (None, None, None)
    go_back(room, said.events)
    assert play.request == Choice(0)
    room.run()
    assert not read_log(record_of(room.replicas[0])).guilty


@pytest.mark.parametrize("game", ["carta", "dominion", "renaissance"])
def test_nobody_goes_back_behind_somebody_who_has_gone_since(game: str) -> None:
    """Whoever stayed undid the choices of a person who was away, and rolled anew: an absent
    person signs nothing, and with keys in escrow they are the same."""
    terms = Terms(replacement=Replacement(BOT_TERMS, 60, is_escrowed=True))
    room = Room(3, seed=11, game=game, terms=terms)
    assert room.roster.may_escrow(range(3))
    room.run(lambda each: is_choosing(each) and each.may_write() and len(marked(each)) >= 6)
    before = marked(room.replicas[0])
    room.lose(1)
    room.remove(1)
    room.run(lambda each: is_choosing(each) and each.me == 0 and each.may_write())
    assert not set(before) & set(marked(room.replicas[0]))
    assert "nobody can" in refused(room, agreed(room, before[0]))
