"""The document from which a game gets its name: what may be in it, and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, Roster, parse_roster
from p2p.base.wire import decode, encode
from tests.p2p.room import BOT_TERMS, make_roster, with_sponsors


@pytest.fixture
def roster() -> Roster:
    """A table of two that drafts."""
    return make_roster("carta", [Identity.generate() for _ in range(2)], {"deal": "draft"})


def test_a_roster_survives_the_wire_with_its_game_id(roster: Roster) -> None:
    again = parse_roster(decode(encode(roster.plain())))
    assert again == roster and again.game_id == roster.game_id


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
    ids = {each.game_id for each in (roster, *changed)}
    assert len(ids) == len(changed) + 1


def test_a_seat_is_found_by_its_identity(roster: Roster) -> None:
    assert [roster.seat_of(seat.identity) for seat in roster.seats] == [0, 1]
    assert roster.seat_of(bytes(32)) is None


def table_of(count: int, sponsors: dict[int, int]) -> Roster:
    """A table at which some seats are bots of others."""
    identities = [Identity.generate() for _ in range(count)]
    return with_sponsors(make_roster("carta", identities), sponsors)


def test_a_bot_says_what_whoever_runs_it_wants() -> None:
    alone, two = table_of(3, {1: 0}), table_of(4, {1: 0})
    assert alone.persons_behind([0, 1]) == {alone.seats[0].identity}
    assert not alone.may_call_silent(2, [0, 1]), "one person and a bot of theirs"
    assert two.may_call_silent(3, [0, 1, 2])
    assert not two.may_call_silent(3, [0, 1])


def test_nobody_stands_behind_a_bot_that_nobody_says_is_theirs() -> None:
    roster = table_of(3, {})
    nobodys = replace(roster.seats[1], bot_terms=BOT_TERMS)
    roster = replace(roster, seats=(roster.seats[0], nobodys, roster.seats[2]))
    assert not roster.may_call_silent(2, [0, 1])
    assert not roster.may_escrow(range(3))


def test_a_bot_that_is_said_to_be_run_by_whoever_is_to_go_does_not_count() -> None:
    """A program that lies about its bot must not gain a second word by that."""
    assert not table_of(3, {1: 2}).may_call_silent(2, [0, 1])


def test_a_bot_of_ones_own_may_be_let_go_without_another_person() -> None:
    roster = table_of(3, {1: 0, 2: 0})
    assert roster.may_call_silent(2, [0, 1])
    assert not roster.may_call_silent(2, [1]), "its owner has to agree"
    assert not roster.may_call_silent(2, [0]), "one alone may be the one that is cut off"


def test_keys_are_in_escrow_only_among_three_persons() -> None:
    assert not table_of(3, {1: 0}).may_escrow(range(3)), "one of two would have all parts"
    assert not table_of(4, {1: 0, 3: 2}).may_escrow(range(4))
    roster = table_of(4, {1: 0})
    assert roster.may_escrow(range(4))
    assert not roster.may_escrow([0, 1, 2]), "as soon as the third has gone"


def test_bots_of_mine_are_no_strangers() -> None:
    assert table_of(4, {1: 0}).not_run_by(0, range(4)) == (2, 3)
    assert table_of(4, {1: 0}).not_run_by(2, [0, 1, 3]) == (0, 1, 3)


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
