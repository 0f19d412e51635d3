"""The end of a game: the result, signed by all, and keys that are opened after it.

An opened key lets everybody look at all that its seat did: what it was allowed to, what a bot had
to, and its hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from core.game import Game
from core.table import RulesError, Table
from p2p.base.wire import encode
from p2p.crypto.group import base, parse_scalars
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import Dealing
from p2p.game.steps import Script, Step

KEY_BYTES: Final = 32  # Of the secret of a key.


def sign_result(seats: Sequence[int], game: Game, table: Table) -> Script[None]:
    """Let every seat sign the scores, and who has won."""
    result = [list(game.scores(table)), list(game.winners(table))]

    def write(_: object) -> object:
        return result

    def read(_: int, body: object) -> None:
        check_result(body, result)

    yield Step("finish", tuple(seats), read, write, is_irreversible=True)


def check_result(said: object, result: object) -> None:
    """Make sure that a seat has signed what the rules give.

    Raises:
        RulesError: something else.
    """
    if encode(said) != encode(result):  # As bytes: True is not 1.
        raise RulesError("signed another result than the rules give")


def open_keys(writers: tuple[int, ...], dealing: Dealing) -> Script[dict[int, int]]:
    """Let these seats show the secrets of their keys; gives them by seat."""

    def write(_: object) -> object:
        return dealing.secrets[dealing.speaker].to_bytes(KEY_BYTES, "little")

    def read(seat: int, body: object) -> int:
        if not isinstance(body, bytes):
            raise ProofError("the secret of a key was expected")
        (secret,) = parse_scalars(body, 1)
        if base(secret) != dealing.publics[seat]:
            raise ProofError("opened another key than it played with")
        return secret

    keys = yield Step("open keys", writers, read, write, is_irreversible=True)
    return dict(zip(writers, cast("tuple[int, ...]", keys), strict=True))
