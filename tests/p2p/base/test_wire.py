"""One value has one encoding, and no bytes make us do more than they are worth."""

import tracemalloc

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.base.errors import MalformedFrame
from p2p.base.limits import DEPTH_MAX, FRAME_BYTES_MAX, ITEMS_MAX
from p2p.base.wire import FrameReader, decode, encode, frame

INTEGERS = st.integers(-(1 << 64), (1 << 64) - 1)
SCALARS = st.none() | st.booleans() | INTEGERS | st.binary(max_size=40) | st.text(max_size=40)
KEYS = INTEGERS | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5)
)


def nested(count: int) -> object:
    """Arrays inside each other."""
    value: object = 0
    for _ in range(count):
        value = [value]
    return value


@given(VALUES)
def test_what_is_encoded_is_decoded_again(value: object) -> None:
    assert decode(encode(value)) == value


@given(st.dictionaries(KEYS, SCALARS, max_size=8))
def test_the_order_in_which_a_map_was_filled_does_not_matter(value: dict[object, object]) -> None:
    assert encode(value) == encode(dict(reversed(value.items())))


@given(st.dictionaries(KEYS, st.none(), min_size=2, max_size=8))
def test_keys_stand_in_the_order_of_their_encodings(value: dict[object, object]) -> None:
    encoded = [cbor2.dumps(key) for key in decode(encode(value))]  # type: ignore[attr-defined]
    assert encoded == sorted(encoded)


def test_the_order_of_keys_is_that_of_rfc_8949_and_not_the_older_one() -> None:
    # RFC 8949, section 4.2.1, gives this very example of keys.
    assert encode({10: 0, 100: 0, -1: 0, "z": 0, "aa": 0}).hex() == (
        "a50a0018640020006" + "17a00" + "62616100"
    )


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_a_malformed_frame(raw: bytes) -> None:
    try:
        value = decode(raw)
    except MalformedFrame:
        return
    assert encode(value) == raw


@given(VALUES, st.data())
def test_a_flipped_bit_never_gives_the_same_value(value: object, draw: st.DataObject) -> None:
    raw = bytearray(encode(value))
    raw[draw.draw(st.integers(0, len(raw) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
    try:
        other = decode(bytes(raw))
    except MalformedFrame:
        return
    assert encode(other) == bytes(raw) != encode(value)


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        ("", "nothing"),
        ("1801", "1 in two bytes"),
        ("190001", "1 in three bytes"),
        ("5800", "an empty string with a long length"),
        ("a2026161016162", "keys in the wrong order"),
        ("a201020102", "a key twice"),
        ("a1f400", "a key that is false"),
        ("a1410000", "a key of bytes"),
        ("a1810000", "a key that is an array"),
        ("9fff", "an indefinite array"),
        ("5f4100ff", "indefinite bytes"),
        ("f93c00", "a half float"),
        ("fb3ff0000000000000", "a float"),
        ("f7", "undefined"),
        ("e0", "a simple value"),
        ("c11a00000000", "a tag for a moment"),
        ("c2490100000000000000" + "0000", "a tag for a large integer"),
        ("d9010280", "a tag for a set"),
        ("d81c80", "a tag for sharing"),
        ("d9d9f700", "a tag that says CBOR"),
        ("61ff", "text that is not UTF-8"),
        ("63eda080", "text that is a lone surrogate"),
        ("8000", "bytes behind the value"),
        ("ff", "a break"),
        ("1c", "a reserved length"),
    ],
)
def test_what_is_not_canonical_is_refused(raw: str, what: str) -> None:
    with pytest.raises(MalformedFrame):
        decode(bytes.fromhex(raw))
    assert what


@pytest.mark.parametrize("head", ["9a", "ba", "5a", "7a", "9b", "bb", "5b", "7b"])
def test_a_frame_of_twenty_bytes_cannot_claim_four_gigabytes(head: str) -> None:
    raw = bytes.fromhex(head) + b"\xff" * (4 if head.endswith("a") else 8) + bytes(8)
    tracemalloc.start()
    with pytest.raises(MalformedFrame):
        decode(raw)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < FRAME_BYTES_MAX


def test_depth_has_a_limit_that_is_exact() -> None:
    assert decode(encode(nested(DEPTH_MAX))) == nested(DEPTH_MAX)
    with pytest.raises(MalformedFrame):
        decode(b"\x81" * (DEPTH_MAX + 1) + b"\x00")
    with pytest.raises(MalformedFrame):
        decode(b"\x81" * (FRAME_BYTES_MAX - 1) + b"\x00")


@pytest.mark.parametrize("item", [0, 70_000, 1 << 40, "text", b"x" * 200, True, {}, [], [{"a": 1}]])
def test_the_items_of_a_whole_value_have_a_limit_that_is_exact(item: object) -> None:
    """However deep they are; the outer array is one of them."""
    each = items_of(item)
    fits: list[object] = [item] * ((ITEMS_MAX - 1) // each)
    fits += [0] * (ITEMS_MAX - 1 - each * len(fits))
    assert decode(encode(fits)) == fits
    with pytest.raises(MalformedFrame, match="items"):
        decode(encode([*fits, None]))


def items_of(value: object) -> int:
    """Arrays, maps, keys and values, all together."""
    if isinstance(value, list):
        return 1 + sum(map(items_of, value))
    if isinstance(value, dict):
        return 1 + sum(items_of(key) + items_of(each) for key, each in value.items())
    return 1


def test_a_megabyte_of_empty_lists_is_refused_before_anything_is_made_of_it() -> None:
    """They took a second and a half of the loop, and a hundred megabytes."""
    raw = encode([[[]] * 60_000] * 16)
    tracemalloc.start()
    with pytest.raises(MalformedFrame, match="items"):
        decode(raw)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < 1 << 16


@pytest.mark.parametrize("value", [0.5, {1}, {b"": 0}, {(): 0}, 1 << 64, nested(17), object()])
def test_sending_what_has_no_place_on_the_wire_is_a_bug(value: object) -> None:
    with pytest.raises(AssertionError):
        encode(value)


@given(st.lists(st.binary(max_size=50), max_size=5), st.integers(1, 9))
def test_a_stream_may_be_cut_anywhere(payloads: list[bytes], cut: int) -> None:
    stream = b"".join(map(frame, payloads))
    reader, found = FrameReader(), list[bytes]()
    for start in range(0, len(stream), cut):
        reader.feed(stream[start : start + cut])
        found += reader
    assert found == payloads


def test_a_frame_that_claims_too_much_is_refused_before_it_arrives() -> None:
    reader = FrameReader()
    reader.feed((FRAME_BYTES_MAX + 1).to_bytes(4))
    with pytest.raises(MalformedFrame, match="bytes"):
        reader.next()


def test_a_frame_of_exactly_the_limit_is_fine() -> None:
    reader = FrameReader()
    reader.feed(frame(bytes(FRAME_BYTES_MAX)))
    assert reader.next() == bytes(FRAME_BYTES_MAX)
    assert reader.next() is None
