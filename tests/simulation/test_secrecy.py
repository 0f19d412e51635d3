"""The watch over secrets finds a layer that was given away, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.crypto.group import base
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.simulation.secrecy import MAULED, Secrecy
from tests.simulation.volume_group import volume_group

EVE, HONEST = 2, (0, 1)


@pytest.fixture(autouse=True)
def small_and_quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its layers be products."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def played() -> tuple[Room, Secrecy]:
    """A game in its middle, of which somebody has heard every entry and seen every position."""
    room, secrecy = Room(3, game="beads"), Secrecy()

    def look(replica: Replica) -> bool:
        for entry in replica.log[-1:]:
            secrecy.hear([entry.raw])
        if replica.play.dealing is not None:
            secrecy.look(replica, secrets_of(room))
        step = replica.step
        return replica.height > 30 and step is not None and step.kind == "choose"

    room.run(until=look)
    return room, secrecy


def secrets_of(room: Room) -> dict[int, int]:
    """The keys of those who are honest."""
    dealings = {seat: room.replicas[seat].play.dealing for seat in HONEST}
    return {seat: each.secrets[seat] for seat, each in dealings.items() if each is not None}


def hidden_pair(room: Room) -> tuple[int, int]:
    """The first half of a card in the hand of seat 0, which nobody else has seen; and the card."""
    replica = room.replicas[0]
    dealing, table = replica.play.dealing, replica.play.table
    assert dealing is not None
    for card, pair in enumerate(dealing.masked):
        if pair is not None and dealing.holder[card] == 0 and table.face[card] == HIDDEN:
            return int.from_bytes(pair.a.encoded, "little"), card
    raise AssertionError("somebody has a hand")


def test_an_honest_game_gives_no_card_away() -> None:
    _, secrecy = played()
    assert list(secrecy.learnt([EVE], HONEST)) == []


@pytest.mark.parametrize(("times", "plus"), MAULED)
def test_a_layer_that_was_given_away_is_found_whatever_it_was_given_for(
    times: int, plus: int
) -> None:
    """Also for a pair that Eve has made out of the one that she wants to read."""
    room, secrecy = played()
    half, card = hidden_pair(room)
    given = base((half * times + plus) * secrets_of(room)[0]).encoded
    secrecy.hear(["entry", bytes(32) + given])
    assert list(secrecy.learnt([EVE], HONEST)) == [
        f"seats [2] can read card {card} and may not see it"
    ]


def test_what_was_said_before_a_card_lay_there_counts_as_well() -> None:
    room, _ = played()
    half, card = hidden_pair(room)
    late = Secrecy()
    late.hear([base(half * secrets_of(room)[0]).encoded])
    late.look(room.replicas[0], secrets_of(room))
    assert [line for line in late.learnt([EVE], HONEST) if f"card {card} " in line]
