"""A session that says what it likes: its own `broadcast` is the one that all its actors use."""

from __future__ import annotations

from typing import Any

from p2p.session.session import Session
from p2p.session.table import RunningTable


class Outspoken(Session):
    """To be told apart from an honest session by its `broadcast`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.table.broadcast = self.broadcast  # type: ignore[method-assign]

    async def broadcast(self, message: list[object]) -> None:
        """Tell every seat that is linked."""
        await RunningTable.broadcast(self.table, message)

    async def send(self, seat: int, message: list[object]) -> None:
        """Tell a seat, if it is linked."""
        await self.table.send(seat, message)
