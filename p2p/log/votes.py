"""Agreeing that a seat is gone, so that everybody speaks for it from one point of the log on.

All other seats at which somebody sits give their vote, signed, that they have heard nothing of
the seat at the open step.  With all these votes and the seat's game key (its own gift, or put
together from escrow, see `p2p.game.game_keys`) anybody can write the entry `stand in`:

    [round, [signature of each other live seat, in seat order], the seat's game key or nothing]

It is the first entry of the seat under an identity whose secret everybody knows, and it answers
the open step.  The step stays open behind it: whoever has written in it signs the same once more.
Then the seat is an open one (`p2p.base.roster`).  If somebody says with its vote that the key is
gone as well, there is none in the entry: the open step is void, the seat has the key that follows
from its new identity, and cards are dealt anew (`p2p.game.rebuilding`).

Both halves of a split network can never both go on, because it takes the vote of all others.
Whoever gave it does not close this step, until somebody gives the opposite vote for this round: it
has heard the seat.  That takes the round back, and there may be another.  Nobody gives both votes
in one round; whoever does is named.  The seat itself has no say: all others may have agreed by
then, unheard by some of them.

As a vote binds until all others give theirs, it is given when they can be heard, and about one seat
at a time, or two might change hands at one step, here in this order and there in the other.

What this does not protect against: a seat that gives no vote, or always says it has heard the
other, or falls silent for good in the moment in which all others doubt a third that comes back.
Then the table waits, as it would for that seat itself.  And with escrow all others together can say
at any time that a seat is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple, cast

from p2p.base.entry import Entry, Position
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.identity import Identity, verify
from p2p.base.wire import encode
from p2p.crypto.group import Point, base, parse_scalar
from p2p.crypto.transcript import ProofError

REPLACE: Final = "stand in"  # The kind of the entry: an older name, which frozen games hold.
ROUNDS_MAX: Final = 1 << 16
RESTORED: Final = 1 << 14  # Rounds from here on are about giving a seat back to its owner,
CONVICTED: Final = 1 << 15  # and from here on about a seat that has cheated.
REBUILDERS_MIN: Final = 2  # Who have to agree that a key is lost, or each of two could go on.
_LABEL: Final = b"hostless absence"


class Vote(NamedTuple):
    """What one seat says about another at the open step."""

    signer: int
    gone: int  # The seat that it is about.
    round: int
    is_gone: bool
    signature: bytes = b""
    has_key: bool = True  # Or could have it, together with all others, if the seat is gone.

    @property
    def answer(self) -> bool | None:
        """What is signed: it is gone, it is here, or None: it is gone and so is its key."""
        return self.is_gone if self.has_key or not self.is_gone else None

    def plain(self, height: int) -> list[object]:
        """The vote as a message between seats."""
        said = [self.gone, self.round, self.answer, self.signature]
        return ["word", self.signer, height, *said]

    def said(self, game: bytes, at: Position) -> bytes:
        """What is signed."""
        place = [game, at.height, at.head, self.signer, self.gone, self.round, self.answer]
        return _LABEL + encode(place)


def parse_vote(message: list[object]) -> tuple[int, Vote]:
    """(height, vote) of a message; its signature is not checked yet.

    Raises:
        MalformedFrame: it is none.
    """
    match message:
        case [
            "word", int(signer), int(height), int(gone), int(number), bool() | None as answer,
            bytes(signature),
        ] if (
            0 <= number < ROUNDS_MAX
            and all(type(each) is int for each in (signer, height, gone, number))
        ):  # fmt: skip
            return height, vote_of(signer, gone, number, answer)._replace(signature=signature)
    raise MalformedFrame("this message is none that we know")


def vote_of(signer: int, gone: int, number: int, answer: bool | None) -> Vote:
    """The vote with this answer, not signed yet."""
    return Vote(signer, gone, number, answer is not False, has_key=answer is not None)


class Votes:
    """The votes that were given at the open step, as one machine has heard them."""

    def __init__(self, game: bytes, identities: Sequence[bytes], me: int | None) -> None:
        """Nothing has been said yet; `identities` are those of all seats."""
        self._game, self._identities = game, identities
        self._me = -1 if me is None else me
        self._votes: dict[tuple[int, int], dict[int, Vote]] = {}  # (gone, round) -> by signer
        self._denied: set[tuple[int, int, int, int]] = set()  # (height, gone, round, who), for good
        self._at = Position(0, game, b"")

    def open(self, at: Position) -> None:
        """A new step is open: what was said at another is over."""
        self._at, self._votes = at, {}

    def sign(self, identity: Identity, at: Position, vote: Vote) -> Vote:
        """My vote with its signature, the same bytes each time."""
        return vote._replace(signature=identity.sign(vote.said(self._game, at)))

    def receive(self, vote: Vote) -> bool:
        """Take in a vote about the open step; whether it is news.

        Raises:
            BadSignature: its signer did not give it.
            Contradiction: it gave the opposite in the same round.
        """
        votes = self._votes.setdefault((vote.gone, vote.round), {})
        if votes.get(vote.signer) == vote:
            return False
        self._check(vote, self._at)
        if votes.setdefault(vote.signer, vote).answer != vote.answer:
            raise Contradiction(vote.signer)
        if not vote.is_gone:
            self._denied.add((self._at.height, vote.gone, vote.round, vote.signer))
        return True

    def _check(self, vote: Vote, at: Position) -> None:
        verify(self._identities[vote.signer], vote.signature, vote.said(self._game, at))

    def mine(self, gone: int, number: int) -> Vote | None:
        """What I have said about a seat in this round."""
        return self._votes.get((gone, number), {}).get(self._me)

    def given_by(self, signer: int) -> Iterator[Vote]:
        """What a seat has said at the open step; it may have lost that itself."""
        for votes in self._votes.values():
            if signer in votes:
                yield votes[signer]

    def round_of(self, gone: int, first: int = 0) -> int:
        """The open round about a seat, from `first` on: the first that nobody has taken back."""
        return next(number for number in count(first) if not self._is_taken_back(gone, number))

    def is_used_up(self, gone: int, first: int = 0) -> bool:
        """Whether somebody has taken back every round that there is: the next means another thing.

        Then the table waits; nobody votes in a round of another kind because of that.
        """
        return kind_of(self.round_of(gone, first)) != kind_of(first)

    def is_doubted(self, gone: int) -> bool:
        """Whether somebody has said in the open round that the seat is gone."""
        return bool(self._votes.get((gone, self.round_of(gone))))

    def _is_taken_back(self, gone: int, number: int) -> bool:
        return bool(self.denials(gone, number))

    def denials(self, gone: int, number: int) -> list[Vote]:
        """Who has said in a round that the seat is here."""
        votes = self._votes.get((gone, number), {}).values()
        return [vote for vote in votes if not vote.is_gone]

    def bound(self) -> Iterator[Vote]:
        """My votes that a seat is gone which nobody has taken back: the step may not close."""
        for gone, number in self._votes:
            vote = self.mine(gone, number)
            if vote is not None and not self._is_taken_back(gone, number):
                yield vote

    def binds_me(self, seat: int) -> bool:
        """Whether a vote of mine about another seat binds me, so that this one cannot go back."""
        return any(vote.gone != seat for vote in self.bound())

    def may_doubt(self, seat: int) -> bool:
        """Whether no vote of mine about another seat keeps me from saying that this one is gone.

        A vote that another goes back to its owner does not, if this seat has not given its own:
        whoever doubts it lets nobody go back before that is settled.
        """
        return all(
            vote.gone == seat
            or (is_restore(vote.round) and seat not in self._votes[vote.gone, vote.round])
            for vote in self.bound()
        )

    def agreed(
        self, gone: int, signers: Sequence[int], first: int = 0
    ) -> tuple[int, list[bytes]] | None:
        """(round, signatures) if all `signers` have said that the seat is gone."""
        number = self.round_of(gone, first)
        votes = self._votes.get((gone, number), {})
        if not signers or any(signer not in votes for signer in signers):
            return None
        return number, [votes[signer].signature for signer in signers]

    def is_lost(self, gone: int, first: int = 0) -> bool:
        """Whether somebody has said in the open round that the seat's key is gone as well."""
        votes = self._votes.get((gone, self.round_of(gone, first)), {})
        return any(vote.answer is None for vote in votes.values())

    def check_agreed(self, gone: int, live: Sequence[int], change: MembershipChange) -> None:
        """Make sure that all `live` seats have said at the open step that another is gone.

        There is no key in the replacement just if one of them has said that there is none.

        Raises:
            MalformedFrame: they have not.
        """
        number, signatures, key = change
        signers = [seat for seat in live if seat != gone]
        if not signers or len(signatures) != len(signers):
            raise MalformedFrame("a seat that is gone needs the word of all others")
        answers = {
            self._answer_of(Vote(signer, gone, number, True), self._at, signature)
            for signer, signature in zip(signers, signatures, strict=True)
        }
        if (None in answers) != (key is None):
            raise MalformedFrame("all others said otherwise of the key of this seat")
        if key is None and len(signers) < REBUILDERS_MIN:
            raise MalformedFrame("one seat alone cannot say that a key is lost")

    def _answer_of(self, vote: Vote, at: Position, signature: object) -> bool | None:
        for answer in (True, None):
            if self._has_signed(vote._replace(has_key=answer is not None), at, signature):
                return answer
        raise MalformedFrame(f"seat {vote.signer} did not say that seat {vote.gone} is gone")

    def _has_signed(self, vote: Vote, at: Position, signature: object) -> bool:
        is_one = isinstance(signature, bytes)
        return is_one and self.is_given(vote._replace(signature=cast("bytes", signature)), at)

    def is_given(self, vote: Vote, at: Position) -> bool:
        """Whether a seat has given this vote at a step."""
        if vote.signer not in range(len(self._identities)):
            return False
        try:
            self._check(vote, at)
        except BadSignature:
            return False
        return True

    def find_liar(
        self, entry: Entry, number: int, signatures: Sequence[object], known: Sequence[object] = ()
    ) -> int | None:
        """Whoever voted for a replacement and told me the opposite, or signed it in two ways.

        `known` are the signatures of the replacement that I know there.
        """
        at, gone = Position(entry.height, entry.head, entry.digest), entry.seat
        for signature in signatures:
            for signer in range(len(self._identities)):
                is_suspect = bool(known) or (at.height, gone, number, signer) in self._denied
                for answer in (True, None) if is_suspect and signature not in known else ():
                    vote = vote_of(signer, gone, number, answer)
                    if self._has_signed(vote, at, signature):
                        return signer
        return None


def kind_of(number: int) -> int:
    """Where the rounds begin that are about the same kind of change as this one."""
    firsts = (0, RESTORED, CONVICTED, ROUNDS_MAX)
    return max(first for first in firsts if first <= number)


def is_restore(number: int) -> bool:
    """Whether a round is about giving a seat back to its owner."""
    return RESTORED <= number < CONVICTED


class MembershipChange(NamedTuple):
    """What the entry says by which everybody begins to speak for a seat."""

    round: int
    signatures: list[object]
    key: bytes | None


def parse_replace(body: object) -> MembershipChange:
    """What the body of an entry says.

    Raises:
        MalformedFrame: it has none.
    """
    match body:
        case [int(number), list(signatures), bytes() | None as key] if (
            type(number) is int and 0 <= number < ROUNDS_MAX
        ):
            return MembershipChange(number, signatures, key)
    raise MalformedFrame("the word of all others and a key, or none, were expected")


def parse_key(encoded: bytes, public: Point) -> int:
    """The secret of a seat's key.

    Raises:
        MalformedFrame: it is not.
    """
    try:
        secret = parse_scalar(encoded)
    except ProofError as error:
        raise MalformedFrame(str(error)) from error
    if base(secret) != public:
        raise MalformedFrame("this is not the key of that seat")
    return secret


class Contradiction(Exception):
    """A seat has given both votes in one round."""

    def __init__(self, seat: int) -> None:
        super().__init__("said that a seat is gone, and that it is here")
        self.seat = seat
