"""The virtual world itself: a disk that forgets, a group that adds up, a check that fails."""

from __future__ import annotations

import os
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p.crypto.group import IDENTITY, G, L, Point, base, hash_to_point, random_scalar
from p2p.crypto.keys import prove_possession, verify_possession
from p2p.crypto.transcript import ProofError
from tests.simulation.disk import Disk
from tests.simulation.here import HERE, PulledPlugError
from tests.simulation.volume_group import volume_group

FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND


class FakeRun(SimpleNamespace):
    """A machine with nothing but a plug."""

    def __init__(self, home: Path, dies_at: int) -> None:
        super().__init__(number=0, home=home, is_dead=False, left=dies_at)

    def is_torn_now(self) -> bool:
        self.left -= 1
        return not self.left

    def pull_plug(self) -> None:
        self.is_dead = True


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """The machine that this test is on."""
    made = FakeRun(tmp_path, dies_at=-1)
    token = HERE.set(made)  # type: ignore[arg-type]
    yield made
    HERE.reset(token)


def lengths_after_a_crash(run: FakeRun, count: int) -> set[int]:
    """How much of a file is left of 10 synced and 10 more bytes."""
    left = set()
    for seed in range(count):
        run.is_dead, path = False, run.home / str(seed)
        disk = Disk(random.Random(seed))
        file = disk.open(path, FLAGS, 0o600)
        disk.write(file, b"0123456789")
        disk.fsync(file)
        disk.write(file, b"abcdefghij")
        run.pull_plug()
        disk.pull(run)  # type: ignore[arg-type]
        disk.write(file, b"never")
        disk.close(file)
        left.add(len(path.read_bytes()))
    return left


def test_a_disk_keeps_what_was_synced_and_any_part_of_the_rest(run: FakeRun) -> None:
    left = lengths_after_a_crash(run, 60)
    assert min(left) == 10 and max(left) == 20
    assert len(left) > 5


def test_a_torn_write_leaves_a_part_and_ends_the_machine(run: FakeRun) -> None:
    disk, run.left = Disk(random.Random(3)), 2
    file = disk.open(run.home / "file", FLAGS, 0o600)
    disk.write(file, b"0123456789")
    with pytest.raises(PulledPlugError):
        disk.write(file, b"abcdefghij")
    assert run.is_dead
    assert 10 <= len((run.home / "file").read_bytes()) <= 20
    disk.close(file)


def test_the_stand_in_group_is_one_and_leaves_the_real_one_as_it_was() -> None:
    real = G.encoded
    with volume_group():
        one, two = random_scalar(), random_scalar()
        assert base(one) + base(two) == base(one + two) == G * one + G * two
        assert base(one) - base(one) == IDENTITY == G * L
        assert hash_to_point("label") * two == two * hash_to_point("label")
        proof = prove_possession(one, base(one), b"context")
        verify_possession(base(one), b"context", proof)
        with pytest.raises(ProofError):
            verify_possession(base(two), b"context", proof)
        with pytest.raises(ProofError):
            Point.parse(L.to_bytes(32, "little"))
    assert G.encoded == real and base(1) == G
    assert base(2) == G + G
