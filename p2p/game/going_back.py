"""Going back by agreement: the table lets somebody take back what others have heard already.

A log only grows, so going back is an entry like any other: whoever is due to choose writes, in
place of a choice, where the table goes back to, with the signatures of all other persons there.

    ["take back", events, [signature or nil, ...]]    the body of a `choose` entry, by seat

Every machine keeps how the game stood at the last choices, and lets it be so again.  Keys do not
change with that, so nothing has to be proven anew.  Bots are not asked: they want nothing.

What an attacker gains: nothing that one of the persons does not give away.  A signature is for one
current step, so nobody goes back behind what was chosen after the others agreed; and who has gone
signs nothing, so nobody goes back to when it was there.  What this does not
protect against: who agrees has seen more than was known then, as has who asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from core.requests import Choice
from core.table import RulesError, Table
from p2p.base.errors import BadSignature
from p2p.base.identity import Identity, verify
from p2p.base.wire import encode
from p2p.game.dealing import CardsThen
from p2p.game.steps import TAKE_BACK, TakeBack

MARKS_MAX: Final = 32  # Choices, the last ones, before which a table can go back.
_LABEL: Final = b"hostless take back"


class Mark(NamedTuple):
    """How the game stood at a choice, once that was made and before anything came of it."""

    events: int  # That came before it.
    request: Choice
    table: Table
    cards: CardsThen
    live: tuple[int, ...]  # The seats at which somebody sat.


class WentBack(Exception):
    """All agree to go back to this mark."""

    def __init__(self, mark: Mark) -> None:
        super().__init__(mark.events)
        self.mark = mark


def parse_take_back(body: object) -> TakeBack | None:
    """None: it is a choice.

    Raises:
        RulesError: it is neither.
    """
    match body:
        case [str(word), int(events), list(signatures)] if (
            word == TAKE_BACK and type(events) is int
        ):
            if all(each is None or isinstance(each, bytes) for each in signatures):
                return TakeBack(events, tuple(signatures))
            raise RulesError("to go back takes signatures")
    return None


class Consent(NamedTuple):
    """What a person says about going back, and signs."""

    game_id: bytes
    height: int  # Of the log at the start of the current step.
    events: int  # So many are left.
    agrees: bool = True

    def sign(self, identity: Identity) -> bytes:
        """The signature of the person."""
        return identity.sign(self._bytes())

    def check(self, identity: bytes, signature: bytes) -> None:
        """The person has said so.

        Raises:
            BadSignature: not so.
        """
        verify(identity, signature, self._bytes())

    def _bytes(self) -> bytes:
        return _LABEL + encode(list(self))


def check_agreed(said: TakeBack, needed: Mapping[int, bytes], consent: Consent) -> None:
    """Everybody has signed it who is needed: identities by seat.

    Raises:
        RulesError: not so.
    """
    given = {seat: each for seat, each in enumerate(said.signatures) if each is not None}
    if given.keys() != needed.keys():
        raise RulesError("goes back without the others")
    try:
        for seat, signature in given.items():
            consent.check(needed[seat], signature)
    except BadSignature as error:
        raise RulesError("goes back by a forged signature") from error


def kept(marks: Sequence[Mark], new: Mark) -> list[Mark]:
    """The last marks, with a new one."""
    return [*before(marks, new.events), new][-MARKS_MAX:]


def before(marks: Sequence[Mark], events: int) -> list[Mark]:
    """Those that still stand where so many events are left."""
    return [mark for mark in marks if mark.events < events]
