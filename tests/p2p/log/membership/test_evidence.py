"""What proves a cheat, and what an honest member may sign without proving anything."""

from itertools import chain, combinations

import pytest

from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.wire import decode, encode
from p2p.log.membership.evidence import (
    ConflictingPair,
    ProofChecks,
    RuleViolation,
    check_evidence,
    check_proof,
    find_all,
    find_contradiction,
    parse_evidence,
)
from p2p.log.membership.log import (
    Certificate,
    ChangeItem,
    check_chain,
    is_in_force,
    signed_raw,
)
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Change,
    Farewell,
    RestoreWish,
    sign_as,
)
from tests.p2p.log.membership.signers import (
    CHECK_ENTRY,
    GAME,
    NEVER,
    OWNERS,
    START_LOG,
    VERIFY,
    ack,
    changed,
    entry,
    step,
    vote,
)

LOG = START_LOG
GONE_1, GONE_2 = Change(1, REASON_SILENT), Change(2, REASON_SILENT)
X, Y = changed(LOG, GONE_1, 0), changed(LOG, GONE_2, 1)
A, B = step(LOG, 3, "a"), step(LOG, 3, "b")
GUILTY_3 = changed(LOG, Change(3, REASON_CONVICTED))
PROOFS = {
    "E1": (entry(LOG, 3, "a"), entry(LOG, 3, "b")),
    "E2": (ack(A, 0), ack(B, 0)),
    "E2 change": (ack(X, 0), ack(Y, 0)),
    "E2 both": (ack(A, 0), ack(X, 0)),
    "E3": (vote(LOG, 0, GONE_1), vote(LOG, 0, GONE_2)),
    "E3 head": (vote(LOG, 0, GONE_1), vote(A, 0, GONE_1)),
    "E4": (vote(LOG, 2, None, 0), ack(X, 2)),
}
INNOCENT = {
    "the same entry": (entry(LOG, 3, "a"), entry(LOG, 3, "a")),
    "two seats": (entry(LOG, 3, "a"), entry(LOG, 2, "b")),
    "entries on two heads": (entry(LOG, 3, "a"), entry(A, 3, "b")),
    "a yes taken back": (vote(LOG, 0, GONE_1), vote(LOG, 0)),
    "a yes in each of two rounds": (vote(LOG, 0, GONE_1, 0), vote(LOG, 0, GONE_2, 1)),
    "a no in another round": (vote(LOG, 2, None, 1), ack(X, 2)),
    "left by a no": (ack(X, 0), ack(Y, 0, vote(LOG, 2, None, 0))),
    "a step after a refused change": (ack(X, 0), ack(A, 0, vote(LOG, 2, None, 0))),
    "a conviction in place of a bent step": (
        ack(A, 0),
        ack(changed(LOG, Change(3, REASON_CONVICTED)), 0),
    ),
}


@pytest.mark.parametrize("name", PROOFS)
def test_a_contradiction_convicts_who_signed_it(name):
    first, second = PROOFS[name]
    for pair in ((first, second), (second, first)):
        found = find_contradiction(*pair)
        assert found is not None
        assert found.kind == name.split()[0]
        assert found.seat == first.seat
        check_evidence(found, VERIFY, CHECK_ENTRY)


@pytest.mark.parametrize("name", INNOCENT)
def test_what_an_honest_member_may_sign_convicts_nobody(name):
    first, second = INNOCENT[name]
    assert find_contradiction(first, second) is None
    assert find_contradiction(second, first) is None


@pytest.mark.parametrize("name", PROOFS)
def test_evidence_comes_back_from_its_bytes(name):
    found = find_contradiction(*PROOFS[name])
    assert found is not None
    message = decode(encode(found.plain()))
    assert isinstance(message, list)
    assert parse_evidence(message) == found


def test_an_own_no_excuses_nothing():
    mine = vote(LOG, 0, None, 0)
    assert find_contradiction(ack(X, 0), ack(Y, 0, mine)) is not None


def test_the_no_of_the_seat_that_goes_excuses_nothing():
    assert find_contradiction(ack(X, 0), ack(Y, 0, vote(LOG, 1, None, 0))) is not None


def test_a_forged_signature_is_no_evidence():
    first, second = PROOFS["E3"]
    forged = ConflictingPair("E3", 0, first, second._replace(signature=bytes(64)))
    with pytest.raises(BadSignature):
        check_evidence(forged, VERIFY, CHECK_ENTRY)


def test_evidence_that_contradicts_nothing_is_refused():
    first, second = INNOCENT["a yes taken back"]
    with pytest.raises(MalformedFrame):
        check_evidence(ConflictingPair("E3", 0, first, second), VERIFY, CHECK_ENTRY)


def test_among_many_signed_things_all_are_found_that_any_two_alone_would_show():
    said = list(dict.fromkeys(chain.from_iterable([*PROOFS.values(), *INNOCENT.values()])))
    pairs = (find_contradiction(*pair) for pair in combinations(said, 2))
    alone = {(each.kind, frozenset(each[2:])) for each in pairs if each is not None}
    together = [(each.kind, frozenset(each[2:])) for each in find_all(said)]
    assert set(together) == alone and len(together) == len(alone) > len(PROOFS)


def test_the_files_of_two_halves_convict_who_signed_with_both():
    """Four seats: 0 and 3 removed 1 and 2, who removed 0: only 3 can have signed both."""
    here = [ack(X, seat) for seat in (0, 2, 3)]
    there = [ack(Y, seat) for seat in (1, 3)]
    assert [found.seat for found in find_all([*here, *there])] == [3]


# ---- certificates ----


def certificate_of(log, signers, proof=()):
    assert isinstance(log.item, ChangeItem)
    return Certificate(log.item, tuple(ack(log, seat) for seat in signers), proof)


def test_a_change_is_in_force_when_all_whom_it_leaves_have_acknowledged_it():
    whole = certificate_of(X, (0, 2, 3))
    assert check_chain(LOG, [whole], VERIFY, NEVER) == X
    for missing in (0, 2, 3):
        part = certificate_of(X, {0, 2, 3} - {missing})
        with pytest.raises(MalformedFrame):
            check_chain(LOG, [part], VERIFY, NEVER)


def test_nobody_acknowledges_for_another():
    whole = certificate_of(X, (0, 2, 3))
    forged = whole._replace(acks=(*whole.acks[:2], ack(X, 3)._replace(signature=bytes(64))))
    with pytest.raises(BadSignature):
        check_chain(LOG, [forged], VERIFY, NEVER)


def test_a_certificate_belongs_to_one_log():
    with pytest.raises(MalformedFrame):
        check_chain(A, [certificate_of(X, (0, 2, 3))], VERIFY, NEVER)


def test_a_second_change_covers_one_that_only_those_it_removes_have_not_acknowledged():
    then = changed(X, GONE_2, 0)
    first, second = certificate_of(X, (0, 3)), certificate_of(then, (0, 3))
    with pytest.raises(MalformedFrame):
        check_chain(LOG, [first], VERIFY, NEVER)
    assert check_chain(LOG, [first, second], VERIFY, NEVER) == then
    with pytest.raises(MalformedFrame):
        check_chain(LOG, [first._replace(acks=first.acks[:1]), second], VERIFY, NEVER)


@pytest.mark.parametrize("writer", [1, 3])
def test_what_open_seats_say_may_stand_between_two_changes_and_what_members_say_may_not(writer):
    """1 is gone by then; where a member has written, all had acknowledged the first change."""
    above = step(X, writer, "a")
    then = changed(above, GONE_2, 0)
    first, second = certificate_of(X, (0, 3)), certificate_of(then, (0, 3))
    together = [first, second._replace(steps=(above.item,))]
    if writer == 1:
        assert check_chain(LOG, together, VERIFY, NEVER) == then
    for refused in ([first, second], together if writer == 3 else [together[0]._replace(acks=())]):
        with pytest.raises(MalformedFrame):
            check_chain(LOG, refused, VERIFY, NEVER)


def test_nobody_goes_twice():
    with pytest.raises(MalformedFrame):
        check_chain(X, [certificate_of(changed(X, GONE_1), (0, 2, 3))], VERIFY, NEVER)


def find_violation(found: RuleViolation) -> None:
    """A game against whose rules seat 3 has played, and nobody else."""
    if found.seat != 3:
        raise MalformedFrame("this is what the rules allow")


CHECKS = ProofChecks(VERIFY, CHECK_ENTRY, find_violation, lambda seat, voters: len(voters) >= 2)


def test_every_reason_is_proven():
    evidence = find_contradiction(*PROOFS["E1"])
    assert evidence is not None
    bent = tuple(bytes(raw) for raw in evidence.plain()[1:])  # type: ignore[arg-type]
    farewell = sign_as(OWNERS[1], GAME, Farewell(LOG.epoch, 1))
    given = sign_as(OWNERS[1], GAME, Farewell(LOG.epoch, 1, b"its key"))
    misplayed = entry(LOG, 3, "against the rules").raw
    wish = sign_as(OWNERS[1], GAME, RestoreWish(X.epoch, 1, b"key"))
    third = sign_as(OWNERS[3], GAME, Farewell(X.epoch, 3))
    good = (
        (LOG, Change(3, REASON_CONVICTED), bent),
        (LOG, Change(3, REASON_CONVICTED), (misplayed,)),
        (LOG, Change(1, REASON_LEFT), (signed_raw(farewell),)),
        (LOG, Change(1, REASON_LEFT, b"its key"), (signed_raw(given),)),
        (LOG, GONE_2._replace(leavers=(1,)), (signed_raw(given),)),
        (X, Change(1, REASON_RESTORE, b"key"), (signed_raw(wish),)),
        (LOG, GONE_1, ()),
        (LOG, GONE_2._replace(leavers=(1,)), (signed_raw(farewell),)),
        (LOG, Change(3, REASON_CONVICTED, b"", (1,)), (*bent, signed_raw(farewell))),
    )
    for log, change, proof in good:
        check_proof(certificate_of(changed(log, change), (0, 2), proof), log, CHECKS)
    wrong = (
        (LOG, Change(2, REASON_CONVICTED), bent),
        (LOG, Change(2, REASON_CONVICTED), (misplayed,)),
        (LOG, Change(3, REASON_CONVICTED), ()),
        (LOG, Change(1, REASON_LEFT, b"another"), (signed_raw(given),)),
        (LOG, Change(1, REASON_LEFT), (signed_raw(given),)),
        (LOG, Change(2, REASON_LEFT), (signed_raw(farewell),)),
        (X, Change(1, REASON_LEFT), (signed_raw(farewell),)),  # Of the epoch before.
        (X, Change(1, REASON_RESTORE, b"another key"), (signed_raw(wish),)),
        (LOG, Change(1, REASON_LEFT), ()),
        (LOG, GONE_2._replace(leavers=(1,)), ()),
        (LOG, GONE_1._replace(leavers=(2,)), (signed_raw(farewell),)),  # Of another seat.
        (LOG, Change(3, REASON_CONVICTED, b"", (1,)), bent),
        (X, Change(2, REASON_SILENT, b"", (1,)), (signed_raw(farewell),)),
        (X, Change(2, REASON_SILENT, b"", (3,)), (signed_raw(third),)),  # One alone says so.
    )
    for log, change, proof in wrong:
        bad = certificate_of(changed(log, change), (0, 2), proof)
        with pytest.raises(MalformedFrame):
            check_proof(bad, log, CHECKS)


def test_a_change_that_leaves_nobody_is_never_in_force():
    """Nobody would have to acknowledge it, so anybody could show it."""
    nobody = changed(LOG, Change(0, REASON_LEFT, b"", (1, 2, 3)))
    assert not nobody.members and not is_in_force(nobody, ())
    with pytest.raises(MalformedFrame, match="somebody has to stay"):
        check_chain(LOG, [certificate_of(nobody, ())], VERIFY, NEVER)


def test_whoever_said_farewell_has_no_word_in_the_removal_of_another():
    """Four seats: 1 is silent, 2 has left; the acknowledgements of 0 and 3 are enough."""
    both = changed(LOG, GONE_1._replace(leavers=(2,)))
    assert both.members == {0, 3}
    assert check_chain(LOG, [certificate_of(both, (0, 3))], VERIFY, NEVER) == both
    with pytest.raises(MalformedFrame):
        check_chain(LOG, [certificate_of(both, (0,))], VERIFY, NEVER)


def test_the_no_of_a_leaver_excuses_nothing():
    both = changed(LOG, GONE_1._replace(leavers=(2,)))
    assert find_contradiction(ack(both, 0), ack(Y, 0, vote(LOG, 2, None, 0))) is not None
    assert find_contradiction(ack(both, 0), ack(Y, 0, vote(LOG, 3, None, 0))) is None


def test_only_members_leave_beside_another():
    gone = changed(X, Change(2, REASON_SILENT, b"", (1,)))
    with pytest.raises(MalformedFrame):
        check_chain(X, [certificate_of(gone, (0, 3))], VERIFY, NEVER)
