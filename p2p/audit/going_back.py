"""Going back by agreement, for somebody who only reads (docs/spec/protocol.md, section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from core.requests import Choice
from core.table import RulesError, Table
from p2p.audit.cards import CardsBefore
from p2p.base.errors import BadSignature
from p2p.base.identity import verify
from p2p.base.wire import encode

_KEPT: Final = 32  # Choices before which a table can go back.


class EarlierChoice(NamedTuple):
    """The game at a choice that was made, before anything has come of it."""

    events: int
    request: Choice
    table: Table
    cards: CardsBefore
    live: tuple[int, ...]  # The seats at which somebody sat.
    is_owned: bool  # Whether the seat was its owner's.


class GoneBack(Exception):
    """All agreed to go back to this choice."""

    def __init__(self, before: EarlierChoice) -> None:
        super().__init__(before.events)
        self.before = before


class WayBack:
    """The last choices, and what it takes to go back before one."""

    def __init__(self, game_id: bytes) -> None:
        self._game, self._kept = game_id, list[EarlierChoice]()

    def note(self, before: EarlierChoice) -> None:
        """A choice was made."""
        self._kept = [*self._kept, before][-_KEPT:]

    def forget(self, events: int = 0) -> None:
        """Only so many events are left, or a seat has another key."""
        self._kept = [each for each in self._kept if each.events < events]

    def read(self, body: object, needed: Mapping[int, bytes], height: int) -> EarlierChoice | None:
        """Where an entry in the place of a choice goes back to; None: it is a choice.

        `needed` are the identities of all persons but the writer, by seat.

        Raises:
            RulesError: nobody goes back there, or not all agreed.
        """
        match body:
            case ["take back", int(events), list(signatures)] if type(events) is int:
                found = [each for each in self._kept if each.events == events]
                if not found:
                    raise RulesError("goes back to where nobody can")
                said = b"hostless take back" + encode([self._game, height, events, True])
                self._check(signatures, needed, said)
                return found[0]
        return None

    @staticmethod
    def _check(signatures: list[object], needed: Mapping[int, bytes], said: bytes) -> None:
        given = {seat for seat, each in enumerate(signatures) if each is not None}
        if given != needed.keys():
            raise RulesError("goes back without the others")
        for seat, identity in needed.items():
            signature = signatures[seat]
            try:
                if not isinstance(signature, bytes):
                    raise RulesError("to go back takes signatures")
                verify(identity, signature, said)
            except BadSignature as error:
                raise RulesError("goes back by a forged signature") from error
