"""When two entries in answer to one head count against a simulated seat, and when they cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p.base.entry import Entry, parse_entry
from tests.p2p.room import Room
from tests.simulation.signed_once import SignedOnce

SEAT, OTHER, THIRD = 0, 1, 2


class FakeRun:
    """A machine with its power or without, and the entries on its disk."""

    def __init__(self, number: int) -> None:
        self.number, self.is_dead, self.disk = number, False, set[bytes]()


def is_on_disk(run: Any, raw: bytes) -> bool:
    """Whether it would be found there again."""
    return raw in run.disk


class Twice:
    """A seat that signs two entries in answer to one head, and two who may hear of them."""

    def __init__(self) -> None:
        room = Room(3, seed=1, game="carta")
        self.first = parse_entry(room.write(room.replicas[SEAT]))
        self.second = replace(self.first, raw=self.first.raw + b"!")
        self.run, self.other, self.third = (FakeRun(each) for each in (SEAT, OTHER, THIRD))
        self.once = SignedOnce(is_on_disk)
        assert self.says(self.first) and self.says(self.first), "twice the same is one"

    def says(self, entry: Entry) -> bool:
        """Whether all is well when it says this."""
        return self.once.is_kept_by(entry)

    def reads(self, run: Any, entry: Entry) -> bool:
        """Whether all is well when a machine reads this."""
        return self.once.is_kept_as_read(entry, run)

    def lose(self) -> None:
        """Its disk is damaged."""
        self.once.note_damage(self.run)  # type: ignore[arg-type]


def test_who_has_lost_nothing_signs_once_whoever_has_heard_it() -> None:
    twice = Twice()
    assert not twice.says(twice.second)


def test_who_finds_it_on_its_damaged_disk_signs_once_as_well() -> None:
    twice = Twice()
    twice.run.disk.add(twice.first.raw)
    twice.lose()
    assert not twice.says(twice.second)


def test_what_is_lost_and_was_read_by_nobody_else_counts_no_more() -> None:
    twice = Twice()
    assert twice.reads(twice.run, twice.first), "its own words, passed on by somebody"
    twice.lose()
    assert twice.once.is_gone(twice.first)
    assert twice.says(twice.second) and twice.reads(twice.other, twice.second)
    assert not twice.once.is_gone(twice.second)


def test_what_is_lost_counts_once_somebody_reads_it_after_all() -> None:
    twice = Twice()
    twice.lose()
    assert twice.says(twice.second)
    assert not twice.reads(twice.other, twice.first)


def test_what_a_seat_has_never_said_was_made_up() -> None:
    """Anybody can sign for an open seat, and nobody believes it."""
    twice = Twice()
    assert twice.reads(twice.other, twice.second)
    assert twice.says(twice.first)


def test_what_is_lost_counts_if_another_has_read_it() -> None:
    twice = Twice()
    assert twice.reads(twice.other, twice.first)
    twice.lose()
    assert not twice.says(twice.second)


def test_what_all_have_lost_counts_no_more_unless_it_is_on_a_disk() -> None:
    for is_kept in (False, True):
        twice = Twice()
        for run in (twice.other, twice.third):
            assert twice.reads(run, twice.first)
            run.is_dead = True
        twice.third.disk |= {twice.first.raw} if is_kept else set()
        twice.lose()
        assert twice.says(twice.second) != is_kept


def test_what_is_signed_after_a_loss_is_not_lost() -> None:
    twice = Twice()
    twice.lose()
    assert twice.says(twice.second)
    assert not twice.says(replace(twice.first, raw=twice.first.raw + b"?"))
