"""ristretto255 behaves as RFC 9496 says, and strangers' bytes are read strictly."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.crypto import sodium
from p2p.crypto.group import (
    IDENTITY,
    G,
    L,
    Point,
    base,
    hash_to_point,
    parse_points,
    parse_scalar,
    parse_scalars,
    plain_sum,
    points_to_bytes,
    random_scalar,
    scalar_to_bytes,
    scalars_to_bytes,
    weighted_sum,
)
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import KEY, NOT_A_POINT, OTHER_KEY

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "tests/vectors/ristretto255.json").read_text())
BAD_ENCODINGS = [encoding for kind in VECTORS["bad encodings"].values() for encoding in kind]


def test_multiples_of_the_generator_are_those_of_the_rfc() -> None:
    total = IDENTITY
    for count, expected in enumerate(VECTORS["multiples of the generator"]):
        assert total.encoded.hex() == expected
        assert base(count) == total == G * count
        assert Point.parse(bytes.fromhex(expected), identity_allowed=True) == total
        total = total + G


@pytest.mark.parametrize("encoding", BAD_ENCODINGS)
def test_a_bad_encoding_of_the_rfc_is_refused(encoding: str) -> None:
    with pytest.raises(ProofError, match="not the encoding of a point"):
        Point.parse(bytes.fromhex(encoding))


def test_all_29_bad_encodings_of_the_rfc_are_tried() -> None:
    assert len(set(BAD_ENCODINGS)) == 29


@pytest.mark.parametrize("vector", VECTORS["one-way map"])
def test_hashing_to_the_group_gives_the_points_of_the_rfc(vector: dict[str, str]) -> None:
    assert sodium.from_hash(bytes.fromhex(vector["uniform"])).hex() == vector["point"]


@pytest.mark.parametrize("size_bytes", [0, 1, 31, 33, 64])
def test_a_point_of_a_wrong_length_is_refused(size_bytes: int) -> None:
    with pytest.raises(ProofError):
        Point.parse((KEY.encoded * 3)[:size_bytes])


def test_the_identity_is_refused_unless_it_is_allowed() -> None:
    with pytest.raises(ProofError, match="identity"):
        Point.parse(bytes(32))
    assert Point.parse(bytes(32), identity_allowed=True) == IDENTITY


def test_no_point_can_be_made_from_bad_bytes_at_all() -> None:
    with pytest.raises(ProofError):
        Point(NOT_A_POINT)


def test_points_form_a_group() -> None:
    assert KEY + OTHER_KEY == OTHER_KEY + KEY != KEY
    assert (KEY + OTHER_KEY) - OTHER_KEY == KEY
    assert KEY + IDENTITY == KEY
    assert KEY - KEY == IDENTITY == KEY * 0 == KEY * L == base(L)
    assert IDENTITY * 5 == IDENTITY
    assert 3 * KEY == KEY * 3 == KEY + KEY + KEY
    assert KEY * -1 == IDENTITY - KEY


def test_scalars_are_taken_modulo_the_order() -> None:
    assert KEY * (L + 2) == KEY * 2 == base(0) + KEY + KEY
    assert base(L + 7) == base(7)


def test_equal_points_are_one_key_of_a_dictionary() -> None:
    faces = {KEY: "king"}
    assert faces[Point.parse(KEY.encoded)] == "king"
    assert len({KEY, KEY.encoded}) == 2
    assert repr(KEY) != repr(OTHER_KEY)


def test_a_point_cannot_be_confused_with_its_bytes_in_a_worker_process() -> None:
    assert pickle.loads(pickle.dumps(KEY)) == KEY  # noqa: S301 - our own bytes


def test_a_weighted_sum_is_the_sum_of_products() -> None:
    assert weighted_sum([3, 1, 0], [G, KEY, OTHER_KEY]) == base(3) + KEY
    assert weighted_sum([], []) == IDENTITY
    assert weighted_sum([1, -1], [KEY, KEY]) == IDENTITY
    assert plain_sum([KEY, OTHER_KEY, G]) == KEY + OTHER_KEY + G
    assert plain_sum([]) == IDENTITY


def test_a_weighted_sum_of_lists_of_different_lengths_is_our_mistake() -> None:
    with pytest.raises(AssertionError):
        weighted_sum([1, 2], [G])


@pytest.mark.parametrize("scalar", [0, 1, 2**251, L - 1])
def test_scalars_come_back_from_their_bytes(scalar: int) -> None:
    assert parse_scalar(scalar_to_bytes(scalar)) == scalar


@pytest.mark.parametrize("scalar", [L, L + 1, 2**253, 2**256 - 1])
def test_a_scalar_that_is_not_below_the_order_is_refused(scalar: int) -> None:
    with pytest.raises(ProofError, match="scalar"):
        parse_scalar(scalar.to_bytes(32, "little"))


@pytest.mark.parametrize("encoded", [b"", bytes(31), bytes(33)])
def test_a_scalar_of_a_wrong_length_is_refused(encoded: bytes) -> None:
    with pytest.raises(ProofError, match="scalar"):
        parse_scalar(encoded)


def test_lists_of_points_and_scalars_have_the_length_that_was_asked_for() -> None:
    points, scalars = points_to_bytes([G, KEY]), scalars_to_bytes([5, 6])
    assert parse_points(points, 2) == [G, KEY]
    assert parse_scalars(scalars, 2) == [5, 6]
    for count in (1, 3):
        with pytest.raises(ProofError):
            parse_points(points, count)
        with pytest.raises(ProofError):
            parse_scalars(scalars, count)


def test_points_of_different_labels_and_fields_differ() -> None:
    points = [
        hash_to_point("face", b"ab", b"c"),
        hash_to_point("face", b"a", b"bc"),
        hash_to_point("face", b"abc"),
        hash_to_point("face", b"abc", b""),
        hash_to_point("card", b"abc"),
    ]
    assert len(set(points)) == len(points)
    assert hash_to_point("face", b"abc") == points[2]


def test_random_scalars_are_in_range_and_never_the_same() -> None:
    scalars = [random_scalar() for _ in range(50)]
    assert len(set(scalars)) == 50
    assert all(0 < scalar < L for scalar in scalars)


def test_calling_the_library_with_a_bad_point_is_our_mistake_and_never_the_identity() -> None:
    good = KEY.encoded
    for call in (sodium.add, sodium.subtract):
        for pair in ((NOT_A_POINT, good), (good, NOT_A_POINT)):
            with pytest.raises(AssertionError):
                call(*pair)
    with pytest.raises(AssertionError):
        sodium.multiply(scalar_to_bytes(5), NOT_A_POINT)
    with pytest.raises(AssertionError):
        sodium.from_hash(bytes(32))


def test_loading_the_library_leaves_no_file_behind(tmp_path: Path) -> None:
    places = {name: str(tmp_path) for name in ("TMPDIR", "TEMP", "TMP")}
    command = [sys.executable, "-W", "error", "-c", "import p2p.crypto.group"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **places}, check=True)
    assert list(tmp_path.iterdir()) == []
