"""The key from a password is that of the draft, and nobody without the password has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from p2p.crypto.cpace import _TAG_BYTES, CpaceRun, Statement, generator_string
from p2p.crypto.group import L, Point
from p2p.crypto.transcript import ProofError

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "cpace.json").read_text("utf-8")
)
ASK, ANSWER = b"ask", b"answer"


def vector(name: str) -> bytes:
    """Bytes of the draft."""
    return bytes.fromhex(VECTORS[name])


def number(name: str) -> int:
    """A scalar of the draft; there they are not reduced."""
    return int.from_bytes(vector(name), "little") % L


def ends(
    one: bytes = b"secret", other: bytes = b"secret", **changed: bytes
) -> tuple[CpaceRun, CpaceRun]:
    """Both ends of a run; what is `changed` is so at the second end alone."""
    given = {"ci": b"both", "sid": b"channel"}
    return (
        CpaceRun(one, given["ci"], given["sid"], ASK),
        CpaceRun(other, {**given, **changed}["ci"], {**given, **changed}["sid"], ANSWER),
    )


def agree(asks: CpaceRun, answers: CpaceRun) -> bool:
    """Whether each end accepts what confirms the other's key."""
    mine, due = asks.tags(answers.mine, is_initiator=True)
    theirs, wanted = answers.tags(asks.mine, is_initiator=False)
    assert (mine == wanted) == (theirs == due), "both find out, or neither"
    return mine == wanted


def test_every_value_is_that_of_the_draft() -> None:
    password, ci, sid = vector("PRS"), vector("CI"), vector("sid")
    assert generator_string(password, ci, sid) == vector("generator string")
    assert CpaceRun(password, ci, sid, b"", 1).mine.share == vector("g")
    asks = CpaceRun(password, ci, sid, vector("ADa"), number("ya"))
    answers = CpaceRun(password, ci, sid, vector("ADb"), number("yb"))
    assert asks.mine == (vector("Ya"), vector("ADa"))
    assert answers.mine == (vector("Yb"), vector("ADb"))
    assert asks.key_with(answers.mine, is_initiator=True) == vector("ISK")
    assert answers.key_with(asks.mine, is_initiator=False) == vector("ISK")


def test_products_are_those_of_the_draft() -> None:
    valid = {name: bytes.fromhex(value) for name, value in VECTORS["valid"].items()}
    scalar = int.from_bytes(valid["s"], "little")
    assert (Point.parse(valid["X"]) * scalar).encoded == valid["product"]


@pytest.mark.parametrize("share", [*VECTORS["invalid"], "", "00" * 31, "00" * 33, "ff" * 32])
def test_what_is_no_share_ends_the_run(share: str) -> None:
    asks, _ = ends()
    for is_initiator in (True, False):
        with pytest.raises(ProofError):
            asks.tags(Statement(bytes.fromhex(share), ANSWER), is_initiator=is_initiator)


def test_ones_own_share_is_nobody_elses() -> None:
    asks, _ = ends()
    with pytest.raises(ProofError, match="our own"):
        asks.tags(Statement(asks.mine.share, ANSWER), is_initiator=True)


def test_two_with_one_password_agree_and_their_tags_differ() -> None:
    asks, answers = ends()
    assert agree(asks, answers)
    mine, due = asks.tags(answers.mine, is_initiator=True)
    assert len(mine) == len(due) == _TAG_BYTES and mine != due
    assert len(asks.mine.share) == 32


@given(one=some.binary(max_size=200), other=some.binary(max_size=200))
def test_only_equal_passwords_agree(one: bytes, other: bytes) -> None:
    assert agree(*ends(one, other)) == (one == other)


@pytest.mark.parametrize("changed", [{"ci": b"others"}, {"sid": b"another channel"}])
def test_another_channel_or_other_ends_do_not_agree(changed: dict[str, bytes]) -> None:
    assert not agree(*ends(**changed))


def test_ends_that_see_other_words_do_not_agree() -> None:
    asks, answers = ends()
    mine, _ = asks.tags(Statement(answers.mine.share, b"another"), is_initiator=True)
    assert mine != answers.tags(asks.mine, is_initiator=False)[1]
    bent = Statement((Point.parse(answers.mine.share) * 2).encoded, ANSWER)
    assert asks.tags(bent, is_initiator=True)[0] != answers.tags(asks.mine, is_initiator=False)[1]


def test_two_initiators_do_not_agree() -> None:
    asks, answers = ends()
    assert (
        asks.tags(answers.mine, is_initiator=True)[0]
        != (answers.tags(asks.mine, is_initiator=True)[1])
    )


def test_no_run_repeats_the_words_of_another() -> None:
    assert len({run.mine.share for _ in range(20) for run in ends()}) == 40
