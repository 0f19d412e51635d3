"""What members sign, and what convicts them: sections 13 and 18.1 of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from tests.p2p.verifier.log import Entry, Log, Roster, read_entry
from tests.p2p.verifier.values import decode, encode, need, signed

FIELDS = {"vote": 5, "ack": 8, "farewell": 3, "wish": 4}
SEAT_AT = {"vote": 2, "ack": 1, "farewell": 1, "wish": 1}


def said(message: Any, roster: Roster) -> list[Any]:
    """A message that a member has signed (18.1): its kind and its fields."""
    need(isinstance(message, list) and message, "no message of a member")
    kind, *fields, signature = message
    need(isinstance(kind, str) and FIELDS.get(kind) == len(fields), "no message of a member")
    seat = fields[SEAT_AT[kind]]
    need(type(seat) is int and seat in roster.all, "a message of no seat")
    content = f"hostless {kind}".encode() + encode([roster.id, *fields])
    need(signed(roster.keys[seat], signature, content), "a message with a false signature")
    return [kind, *fields]


def is_entry(raw: bytes) -> bool:
    value = decode(raw)
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], bytes)


def offences(raws: Sequence[bytes], log: Log) -> Iterator[tuple[int, str]]:
    """Who contradicts itself in these, or in these and the log: E1 to E4."""
    beside = [read_entry(raw, log.roster) for raw in raws if is_entry(raw)]
    messages = [said(decode(raw), log.roster) for raw in raws if not is_entry(raw)]
    yield from contradictions(log, beside)
    for one, other in combinations(messages, 2):
        seat = one[SEAT_AT[one[0]] + 1]
        if seat == other[SEAT_AT[other[0]] + 1]:
            why = contradiction(one, other, log.roster) or contradiction(other, one, log.roster)
            if why:
                yield seat, why


def contradictions(log: Log, beside: Sequence[Entry] = ()) -> Iterator[tuple[int, str]]:
    """E1: who has signed two entries that answer one head, in the log and beside it."""
    first = dict[tuple[int, int, bytes], Entry]()
    for entry in [*log.entries, *beside]:
        is_owners = entry.epoch % 3 == 0 and not log.roster.open[entry.seat]
        one = first.setdefault((entry.seat, entry.epoch, entry.parent), entry)
        if is_owners and one.hash != entry.hash:
            yield entry.seat, "it has signed two entries that answer one head"


def contradiction(one: list[Any], other: list[Any], roster: Roster) -> str:
    """Why one seat may not sign both; empty if it may."""
    match one, other:
        case ["ack", _, _, _, parent, head, *_], ["ack", _, _, _, parent2, head2, *_]:
            is_two = parent == parent2 and head != head2
            may_both = excuses(one, other, roster) or excuses(other, one, roster)
            return "it has acknowledged two logs on one head" if is_two and not may_both else ""
        case ["vote", epoch, n, _, *yes], ["vote", epoch2, m, _, *yes2]:
            is_two = (epoch, n) == (epoch2, m) and yes[1] and yes2[1] and yes != yes2
            return "it has voted for two changes in one round" if is_two else ""
        case ["vote", epoch, n, _, _, None], ["ack", epoch2, _, _, _, _, change, m, _]:
            is_refused = change and (epoch, n) == (epoch2, m)
            return "it has refused what it acknowledges" if is_refused else ""
    return ""


def excuses(earlier: list[Any], later: list[Any], roster: Roster) -> bool:
    """E2: whether the later `ack` may be said after the earlier one."""
    _, epoch, *_, change, number, _ = earlier
    *_, later_change, _, noes = later
    if change is None:
        return later_change is not None and later_change[1] == "convicted"
    gone = [change[0], *change[3]]
    for no in noes:
        _, no_epoch, no_round, seat, *_, voted = said(["vote", *no], roster)
        if (no_epoch, no_round, voted) == (epoch, number, None) and seat not in gone:
            return True
    return False
