"""What members sign, as bytes."""

from __future__ import annotations

import pytest

from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.identity import Identity
from p2p.base.wire import decode, encode
from p2p.log.membership import messages
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_RESTORE,
    REASON_SILENT,
    VERIFIED_MAX,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    message_of,
    parse_signed,
    payload,
    sign_as,
    verifier_of,
)

HEAD, OTHER = bytes(range(32)), bytes(range(32, 64))
GAME = bytes(range(64, 96))
ADA, BERT = Identity.generate(), Identity.generate()
VERIFY = verifier_of([ADA.public, BERT.public], GAME)
YES = Ballot(HEAD, 3, 0, OTHER, Change(1, REASON_SILENT))
NO = Ballot(HEAD, 3, 0)
ACK = Ack(HEAD, 0, 7, HEAD, OTHER)
MESSAGES = (
    YES,
    NO,
    ACK,
    Ack(
        HEAD,
        0,
        8,
        HEAD,
        OTHER,
        Change(1, REASON_CONVICTED),
        2,
        (sign_as(BERT, GAME, NO._replace(seat=1)),),
    ),
    Farewell(HEAD, 0),
    Farewell(HEAD, 0, b"key"),
    RestoreWish(HEAD, 0, b"key"),
)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_comes_back_from_its_bytes(message):
    signed = sign_as(ADA, GAME, message)
    plain = decode(encode(message_of(signed)))
    assert isinstance(plain, list)
    assert parse_signed(plain) == signed
    VERIFY(signed)


@pytest.mark.parametrize("message", MESSAGES)
def test_nobody_signs_for_another(message):
    forged = sign_as(BERT, GAME, message)
    with pytest.raises(BadSignature):
        VERIFY(forged)


def test_a_wish_with_a_proof_is_refused_because_nobody_would_check_it():
    filled = sign_as(ADA, GAME, RestoreWish(HEAD, 0, b"key", b"proof"))
    with pytest.raises(MalformedFrame):
        parse_signed(message_of(filled))


def test_no_kind_of_message_can_stand_for_another():
    kinds = (YES, ACK, MESSAGES[4], MESSAGES[-1])
    assert len({payload(message, GAME)[:14] for message in kinds}) == 4


@pytest.mark.parametrize("message", MESSAGES)
def test_what_was_said_in_another_game_was_not_said(message):
    with pytest.raises(BadSignature):
        VERIFY(sign_as(ADA, OTHER, message))


def test_every_field_is_signed():
    signed = sign_as(ADA, GAME, YES)
    changes = (
        signed._replace(epoch=OTHER),
        signed._replace(round=4),
        signed._replace(parent=HEAD),
        signed._replace(change=Change(1, REASON_CONVICTED)),
        signed._replace(change=YES.change._replace(leavers=(2,))),
    )
    for changed in changes:
        with pytest.raises(BadSignature):
            VERIFY(changed)


def test_an_acknowledgement_with_a_forged_excuse_is_refused():
    excuse = sign_as(ADA, GAME, NO._replace(seat=1))  # Seat 1 is Bert's.
    with pytest.raises(BadSignature):
        VERIFY(sign_as(ADA, GAME, ACK._replace(excuses=(excuse,))))


@pytest.mark.parametrize(
    "message",
    [
        ["vote", HEAD, 3, 0, HEAD, None, b""],  # A no stands on nothing.
        ["vote", HEAD, 3, 0, b"", [1, REASON_SILENT, b"", []], b""],
        ["vote", HEAD, True, 0, b"", None, b""],
        ["vote", b"short", 3, 0, b"", None, b""],
        ["vote", HEAD, 3, 0, HEAD, [1, "boredom", b"", []], b""],
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_RESTORE, b"", []], b""],  # Back without a key.
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_SILENT, b"key", []], b""],
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_SILENT, b""], b""],
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_SILENT, b"", [1]], b""],  # It is named already.
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_SILENT, b"", [3, 2]], b""],
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_SILENT, b"", [2, 2]], b""],
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_SILENT, b"", [-1]], b""],
        ["vote", HEAD, 3, 0, HEAD, [1, REASON_RESTORE, b"key", [2]], b""],
        ["ack", HEAD, 0, -1, HEAD, HEAD, None, 0, [], b""],
        ["ack", HEAD, 0, 1, HEAD, HEAD, None, 0, [[*YES.plain(), b""]], b""],
        ["ack", HEAD, 0, 1, HEAD, HEAD, None, 0, [3], b""],
        ["wish", HEAD, 0, b"k" * 5000, b"", b""],
        ["farewell", HEAD, "0", b"", b""],
        ["goodbye"],
    ],
)
def test_what_no_member_would_say_is_refused(message):
    with pytest.raises(MalformedFrame):
        parse_signed(message)


def test_a_member_that_does_not_exist_has_signed_nothing():
    with pytest.raises(MalformedFrame):
        VERIFY(sign_as(ADA, GAME, NO._replace(seat=2)))


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Grows by each signature that is verified."""
    seen: list[bytes] = []
    verify = messages.verify

    def noting(public: bytes, signature: bytes, message: bytes) -> None:
        seen.append(signature)
        verify(public, signature, message)

    monkeypatch.setattr(messages, "verify", noting)
    return seen


def test_the_very_same_message_is_verified_once_until_many_others_were(verified: list[bytes]):
    check, said = verifier_of([ADA.public], GAME), sign_as(ADA, GAME, ACK)
    check(said)
    check(parse_signed(message_of(said)))
    assert verified == [said.signature]
    for height in range(VERIFIED_MAX):
        check(sign_as(ADA, GAME, ACK._replace(height=height + 100)))
    check(said)
    assert verified.count(said.signature) == 2


@pytest.mark.parametrize("message", MESSAGES)
def test_nothing_is_believed_because_something_like_it_was_verified(message):
    check, said = verifier_of([ADA.public, BERT.public], GAME), sign_as(ADA, GAME, message)
    check(said)
    like_it = (
        said._replace(signature=sign_as(BERT, GAME, message).signature),
        said._replace(signature=said.signature[:-1] + bytes([said.signature[-1] ^ 1])),
        said._replace(signature=b""),
        said._replace(seat=1),
        said._replace(epoch=OTHER),
    )
    for forged in like_it * 2:  # What was refused once is refused again.
        with pytest.raises(BadSignature):
            check(forged)
    check(said)


def test_a_good_acknowledgement_lends_nothing_to_one_with_a_forged_excuse():
    check, said = verifier_of([ADA.public, BERT.public], GAME), sign_as(ADA, GAME, ACK)
    check(said)
    excuse = sign_as(ADA, GAME, NO._replace(seat=1))  # Seat 1 is Bert's.
    for _ in range(2):
        with pytest.raises(BadSignature):
            check(sign_as(ADA, GAME, ACK._replace(excuses=(excuse,))))
