"""A game small enough to be explored: requests that everybody, one or nobody can foresee answers.

"each"       one step, all members write
"secret"     all members seal, then all open
3            member 3 writes two steps, one after the other
"seat 3"     everybody writes a step for seat 3, where no member sits
"""

import hashlib
from functools import cache
from typing import NamedTuple

from p2p.base.entry import DIGEST_BYTES, Position, parse_entry, sign_entry
from p2p.base.errors import BadSignature
from p2p.base.wire import encode
from p2p.log.membership.log import ChangeItem, EntryRef, Log, empty_log, entry_ref
from p2p.log.membership.messages import REASON_RESTORE, Ack

GAME = bytes(range(32))
KEY = b"new key"  # Of whoever comes back.


class Place(NamedTuple):
    """What is due behind a log."""

    request: int
    stages: tuple  # ((kind, writers), ...) of the current request
    is_whole: bool = True  # Nothing of it is written.


class ToyGame:
    """The game as a function of the log."""

    def __init__(self, script, *, keeps_openings=True):
        self.script, self.keeps_openings = script, keeps_openings
        self._places = {}

    def due(self, log):
        place = self.place(log)
        return place.stages[0][1] if place.stages else frozenset()

    def kind(self, log):
        return self.place(log).stages[0][0]

    def is_between_requests(self, log):
        return self.place(log).is_whole

    def answered(self, log, seat):
        del seat
        return self.place(log).request

    def may_change(self, log, change):
        return True

    def may_call_silent(self, seat, voters):
        return len(voters - {seat}) >= 2

    def head_behind(self, log, decided):
        return change_head(log, decided)

    def place(self, log):
        if log.head not in self._places:
            self._places[log.head] = self._place_of(log)
        return self._places[log.head]

    def _place_of(self, log):
        if log.below is None:
            return self._begin(0, log.members)
        place = self.place(log.below)
        if not isinstance(log.item, ChangeItem):
            left = place.stages[1:]
            return place._replace(stages=left, is_whole=False) if left else self._begin(
                place.request + 1, log.members
            )  # fmt: skip
        change = log.item.change
        is_opening = bool(place.stages) and place.stages[0][0] == "open"
        if is_opening and self.keeps_openings and change.reason != REASON_RESTORE:
            stages = tuple((kind, who - {change.seat}) for kind, who in place.stages)
            left = tuple(stage for stage in stages if stage[1])
            return place._replace(stages=left) if left else self._begin(
                place.request + 1, log.members
            )  # fmt: skip
        return self._begin(place.request, log.members)

    def _begin(self, request, members):
        for number in range(request, len(self.script)):
            stages = tuple(stage for stage in self._stages(number, members) if stage[1])
            if stages:
                return Place(number, stages)
        return Place(len(self.script), ())

    def _stages(self, number, members):
        match self.script[number]:
            case "each":
                return (("say", members),)
            case "secret":
                return ("seal", members), ("open", members)
            case int(seat):
                return (("say", members & {seat}),)
            case str(seat) if seat.startswith("seat "):
                return (("say", frozenset({int(seat[-1])})),)
            case str(run) if run.startswith("run of "):
                return 2 * (("say", members & {int(run[-1])}),)
        raise AssertionError("the script has no such request")


@cache
def change_head(log, decided):
    """The head behind a change, of which each item is a part."""
    plain = encode([log.head, *decided.change.plain(), decided.round])
    return hashlib.sha256(b"change" + plain).digest()


class Stamp:
    """An identity whose signature is the number of its seat."""

    def __init__(self, seat):
        self.seat = seat

    def sign(self, message):
        del message
        return bytes([self.seat])


@cache
def entry_of(log: Log, seat: int, kind: str, value: int = 0) -> EntryRef:
    """What a seat writes behind a log; a cheater has two values."""
    at = Position(log.height, log.head, bytes(DIGEST_BYTES))
    return entry_ref(sign_entry(Stamp(seat), GAME, (seat, 0), at, [kind, value]))


@cache
def is_opening(entry: EntryRef) -> bool:
    """Whether it opens a seal."""
    return parse_entry(entry.raw).kind == "open"


def stamp(message):
    """A message with the stamp of its seat."""
    return message._replace(signature=bytes([message.seat]))


def check_stamp(message):
    """Make sure of it."""
    if isinstance(message, Ack):
        for no in message.excuses:
            check_stamp(no)
    if message.signature != bytes([message.seat]):
        raise BadSignature("another seat stamped this")


def first_log(seats):
    """The log of a new game."""
    return empty_log(GAME, range(seats))
