"""A seat goes back to its owner: what is asked for, and the words by which all agree on it.

Everybody knows the key of a seat for which everybody speaks.  Its owner asks for it (`wish`), all
live seats agree by words at an open step (`absence`), and with these anybody can write the
entry `back` (`handover`):

    [round, [signature of each live seat, in seat order], the owner's signature]

Nothing counts of the step that was open.  Then the owner shows a key that is its own (`new_key`).

What this does not protect against: whoever has a seat back may have looked at what was public
meanwhile, which is why a seat goes back where somebody is to choose, and not while something is
being opened.
"""

from __future__ import annotations

from typing import Final

from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity, verify
from p2p.base.wire import encode

BACK: Final = "back"  # The kind of the entry.
_LABEL: Final = b"hostless return"


def wish(identity: Identity, game: bytes, seat: int, turn: int) -> list[object]:
    """The message by which an owner asks for its seat, which others have in this turn."""
    return ["return", seat, turn, identity.sign(_LABEL + encode([game, seat, turn]))]


def check_wish(owner: bytes, game: bytes, seat: int, turn: int, signature: bytes) -> None:
    """Make sure that the owner of a seat, an identity, asks for it.

    Raises:
        BadSignature: it does not.
    """
    verify(owner, signature, _LABEL + encode([game, seat, turn]))


def parse_back(body: object) -> tuple[int, list[object], bytes]:
    """(round, signatures, the owner's) of an entry's body.

    Raises:
        MalformedFrame: it has none.
    """
    match body:
        case [int(number), list(signatures), bytes(signature)] if type(number) is int:
            return number, signatures, signature
    raise MalformedFrame("the word of all, and of the owner, were expected")
