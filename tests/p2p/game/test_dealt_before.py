"""A card that was dealt before the table went back, and whose seat has a new key by now.

All but its first owner have taken their layers off in the log.  A returning owner masks every
joint card alone, and knows by how much: what is dealt now, less that, is what was dealt then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.audit.game import read_log
from p2p.base.wire import encode, frame
from p2p.crypto.group import Point
from p2p.crypto.masking import Masked, message
from p2p.crypto.rekey import rekey
from p2p.game import dealing, game_keys
from p2p.game.dealing import Dealing
from p2p.log.game_file import MAGIC
from tests.p2p.changing import BOT, secret_of
from tests.p2p.drawing import DECK, DRAW, SEATS, is_asked, let
from tests.p2p.game.test_going_back import go_back, marked
from tests.p2p.records import heard, record_of
from tests.p2p.room import Room, Terms
from tests.p2p.test_verifier import verified

DRAWER, HEIR, CHEAT = 0, 1, 2


@pytest.fixture(autouse=True)
def a_game_of_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "draw", DRAW)


class Cheat:
    """Whoever leaves and comes back; it keeps what it hears of layers, and its own masks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.layers = dict[tuple[bytes, Masked], Point]()
        self.masks = dict[Point, int]()
        monkeypatch.setattr(dealing, "verify_shares", self._note_layers)
        monkeypatch.setattr(game_keys, "rekey", self._rekey)

    def _note_layers(self, key: Point, pairs: list[Masked], said: list[Point], *_: object) -> None:
        self.layers |= {(key.encoded, pair): each for pair, each in zip(pairs, said, strict=True)}

    def _rekey(
        self, secret: int, cards: list[Masked], key: Point
    ) -> tuple[list[Masked], list[int]]:
        outputs, masks = rekey(secret, cards, key)
        self.masks |= zip((each.a for each in cards), masks, strict=True)
        return outputs, masks

    def read(self, pair: Masked, masked: Masked, keys: Sequence[Point], old: int) -> Point | None:
        """The face of a pair that was dealt to the drawer, and then, masked, to the heir."""
        drawer, heir = keys[DRAWER], keys[HEIR]
        if (drawer.encoded, masked) not in self.layers:
            return None
        layer = self.layers[drawer.encoded, masked] - drawer * self.masks[pair.a]
        return message(pair, layer + self.layers[heir.encoded, pair] + pair.a * old)


def cards_of(room: Room, seat: int) -> Dealing:
    """The cards as a seat sees them."""
    (replica,) = (each for each in room.replicas if each.me == seat)
    assert replica.play.dealing is not None
    return replica.play.dealing


def content_of(room: Room, more: Iterable[bytes] = ()) -> bytes:
    """The game so far as a file, with `more` entries behind it."""
    entries = [["entry", raw] for raw in (*(each.raw for each in room.replicas[0].log), *more)]
    whole = [["roster", room.roster.plain()], *entries, *(note.plain() for note in room.notes)]
    return MAGIC + b"".join(frame(encode(record)) for record in whole)


def play_until_dealt(cheat: Cheat) -> tuple[Room, Point | None, bool]:
    """The drawer draws a card, and takes that back; the cheat goes and comes back; the heir draws.

    Gives what the cheat makes of the heir's card, and whether the heir has it.
    """
    room = Room(SEATS, game="draw", terms=Terms(replacement=BOT))
    let(room, DRAWER, "draw")
    go_back(room, marked(room.replicas[0])[-1])
    let(room, DRAWER, "pass")
    top = room.replicas[0].play.table.zones[DECK][-1]
    pair, old = cards_of(room, DRAWER)._pair(top), secret_of(room, CHEAT)
    let(room, HEIR, "pass")
    owner = room.replicas[CHEAT]
    room.lose(CHEAT)
    room.leave(CHEAT, old)
    room.run(is_asked(DRAWER))
    room.catch_up(owner)
    room.give_back(owner)
    let(room, DRAWER, "pass")
    masked = cards_of(room, DRAWER)._pair(top)
    let(room, HEIR, "draw")
    seen = cards_of(room, HEIR)
    face = cheat.read(pair, masked, seen.publics, old)
    return room, face, seen.holder[top] == HEIR and seen.observation[top] != HIDDEN


def test_whoever_is_back_reads_no_card_that_was_dealt_before_the_table_went_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, face, is_dealt = play_until_dealt(Cheat(monkeypatch))
    assert is_dealt and face not in cards_of(room, HEIR).face_of
    monkeypatch.undo()
    monkeypatch.setitem(GAMES, "draw", DRAW)
    room.run()
    record = record_of(room.replicas[0], notes=room.notes)
    found = read_log(record)
    assert found.is_signed and not found.damage and not found.guilty
    assert heard(record).head == room.replicas[0].head
    assert verified(content_of(room)) == (False, None)


def test_a_log_in_which_such_a_card_is_dealt_as_it_is_shows_it_and_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Dealing, "shuffle_anew", lambda _: iter(()))
    room, face, is_dealt = play_until_dealt(Cheat(monkeypatch))
    assert is_dealt and face in cards_of(room, HEIR).face_of
    found = read_log(record_of(room.replicas[0], notes=room.notes))
    assert found.damage or found.guilty
    is_refused, _ = verified(content_of(room))
    assert is_refused
