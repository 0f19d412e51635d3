"""The document from which a game gets its name: what may be in it, and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, Roster, parse_roster
from p2p.base.wire import decode, encode
from tests.p2p.room import make_roster


@pytest.fixture
def roster() -> Roster:
    """A table of two that drafts."""
    return make_roster("carta", [Identity.generate() for _ in range(2)], {"deal": "draft"})


def test_a_roster_survives_the_wire_with_its_game_id(roster: Roster) -> None:
    again = parse_roster(decode(encode(roster.plain())))
    assert again == roster and again.game_id() == roster.game_id()


def test_whatever_changes_in_a_roster_makes_it_another_game(roster: Roster) -> None:
    one, other = roster.seats
    changed = [
        replace(roster, table="another"),
        replace(roster, options=()),
        replace(roster, seats=(other, one)),
        replace(roster, seats=(replace(one, nonce=b"\7" * 32), other)),
        replace(roster, seats=(replace(one, name="z"), other)),
        replace(roster, seats=(replace(one, bot_terms=BotTerms()), other)),
        replace(roster, seats=(replace(one, bot_terms=BotTerms("x 1", "steady", 9)), other)),
        replace(
            roster, seats=(replace(one, bot_terms=BotTerms("x 1", "steady+builder", 9)), other)
        ),
    ]
    ids = {each.game_id() for each in (roster, *changed)}
    assert len(ids) == len(changed) + 1


def test_a_seat_is_found_by_its_identity(roster: Roster) -> None:
    assert [roster.seat_of(seat.identity) for seat in roster.seats] == [0, 1]
    assert roster.seat_of(bytes(32)) is None


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (0, "hostless/9", "speaks hostless/9"),
        (0, "\x1b[2J\n\u202eada\u3164", r"speaks  \[2J  ada , and"),
        (1, "go", "go"),
        (2, bytes(32), "another version of the rules"),
        (3, [["deal", "none"]], "option deal"),
        (3, [["team", True]], "option team"),
        (3, [["deal"]], "a key and a value"),
        (3, [["deal", None]], "a key and a value"),
        (3, [["deal", "draft"], ["deal", "basic"]], "named twice"),
        (4, "a\nb", "cannot be shown"),
        (4, "x" * 1000, "cannot be shown"),
        (5, [], "seats"),
        (5, [[b"", "a", b"", None, b""]] * 2, "a seat is"),
    ],
)
def test_a_roster_with_something_wrong_says_what(
    roster: Roster, place: int, value: object, complaint: str
) -> None:
    plain = roster.plain()
    plain[place] = value
    with pytest.raises(MalformedFrame, match=complaint):
        parse_roster(plain)


def test_one_identity_cannot_have_two_seats(roster: Roster) -> None:
    with pytest.raises(MalformedFrame, match="two seats"):
        parse_roster(replace(roster, seats=roster.seats[:1] * 2).plain())


@pytest.mark.parametrize("value", [None, [], "roster", [1] * 6, {"a": 1}])
def test_what_is_no_roster_is_refused(value: object) -> None:
    with pytest.raises(MalformedFrame):
        parse_roster(value)
