"""What seats seal before it is opened: secret choices, and their shares of a roll.

docs/spec/protocol.md, sections 9, 10 and 18.3, for somebody who only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from core.game import Game
from core.imagine import blindfold
from core.plain import parse_action, plain_action
from core.requests import Action, Face
from core.table import RulesError, Table
from p2p.audit.findings import Fault
from p2p.audit.log import LogReader
from p2p.audit.rebuilt import StepReader
from p2p.audit.seats import is_owned
from p2p.base.wire import encode
from p2p.crypto.commitments import COMMITMENT_BYTES, check_opening, commit, draw_below, mix
from p2p.crypto.transcript import ProofError
from p2p.game.equivalents import all_equivalents

_KEY_BYTES: Final = 32
_ROLL_BYTES: Final = 32
_UNFIT: Final = "sealed what does not follow from its key"


class _Seal(NamedTuple):
    """What a seat has sealed."""

    height: int  # Of the log when it was.
    context: bytes
    commitment: bytes
    place: int  # Of the entry in the log,
    offset: int  # and in the file.
    is_owned: bool  # Its owner signed it.


class Seals:
    """What is sealed in the open request, and who has sealed what its key does not open."""

    def __init__(self, around: StepReader, log: LogReader, game: Game) -> None:
        """Nothing is sealed."""
        self._around, self._log, self._game = around, log, game
        self.sealed: dict[int, _Seal] = {}
        self.unfit: dict[int, Fault] = {}  # By seat: its first such seal.

    def read_seals(self, kind: str, seats: Sequence[int], purpose: str) -> dict[int, _Seal]:
        """What seats seal in one step."""
        context, height = self._around.context(0, purpose), self._log.height
        commitments, found = self._around.step(kind, seats, read_seal), {}
        first = len(self._log.entries) - len(seats)
        for at, (seat, seal) in enumerate(zip(seats, commitments, strict=True), first):
            offset, entry = self._log.entries[at]
            found[seat] = _Seal(height, context, seal, at, offset, is_owned(entry.number))
        return found

    def read_choices(
        self, players: Sequence[int], table: Table, see: Callable[[int, int], list[Face]]
    ) -> list[Action]:
        """What seats open of their choices; `see` gives what a seat sees, and its secret key."""
        unfit = set[int]()

        def read(seat: int, body: object) -> Action:
            match body:
                case [value, bytes(salt)]:
                    seal = self.sealed[seat]
                    try:
                        check_opening(seal.commitment, seal.context, seat, encode(value), salt)
                    except ProofError:
                        if not self._is_known(seat, seal) or encode(body) != encode(
                            self._followed(seat, table, see)
                        ):
                            raise
                        unfit.add(seat)
                    action = parse_action(value)
                    self._game.apply(table.copy(), seat, action)
                    return action
            raise RulesError("an opened choice is an action and a salt")

        actions = self._around.step("unseal", players, read)
        self._note(unfit, self.sealed)
        self.sealed = {}
        return actions

    def _followed(
        self, seat: int, table: Table, see: Callable[[int, int], list[Face]]
    ) -> list[object]:
        """What a key that is known opens of a seal; else the first that was allowed."""
        seal = self.sealed[seat]
        salt = self._derive(seat, f"salt {seal.height}")
        observation = blindfold(table, see(seat, self._log.seating.known[seat]), seat)
        first: list[object] = []
        for action in self._game.legal_actions(table, seat, observation):
            for each in all_equivalents(self._game, table, observation, action):
                plain = plain_action(each)
                if commit(seal.context, seat, encode(plain), salt) == seal.commitment:
                    return [plain, salt]
                first = first or [plain, salt]
        return first

    def _is_known(self, seat: int, seal: _Seal) -> bool:
        """Whether all know the key from which a seal of the owner had to follow."""
        seating = self._log.seating
        return seal.is_owned and seat in seating.open and seat in seating.known

    def _derive(self, seat: int, purpose: str) -> bytes:
        key = self._log.seating.known[seat].to_bytes(_KEY_BYTES, "little")
        return hashlib.sha256(encode([key, self._log.game_id, purpose])).digest()

    def roll(self, sides: int, seats: Sequence[int]) -> int:
        """What all roll."""
        seals, unfit = self.read_seals("roll seal", seats, "roll"), set[int]()
        context = seals[0].context

        def read(seat: int, body: object) -> bytes:
            match body:
                case [bytes(share), bytes(salt)] if len(share) == _ROLL_BYTES:
                    try:
                        check_opening(seals[seat].commitment, context, seat, share, salt)
                    except ProofError:
                        if not self._is_rolled(seat, seals[seat], (share, salt)):
                            raise
                        unfit.add(seat)
                    return share
            raise ProofError("a share of a roll and its salt were expected")

        shares = self._around.step("roll", seats, read)
        self._note(unfit, seals)
        return draw_below(mix(context, shares), sides)

    def _is_rolled(self, seat: int, seal: _Seal, said: tuple[bytes, bytes]) -> bool:
        """Whether share and salt of a roll follow from a key that all know."""
        if not self._is_known(seat, seal):
            return False
        return said == tuple(
            self._derive(seat, f"{what} {seal.height}") for what in ("roll", "salt")
        )

    def _note(self, unfit: set[int], seals: dict[int, _Seal]) -> None:
        for seat in unfit:
            name, seal = self._log.seats[seat].shown_name, seals[seat]
            self.unfit.setdefault(seat, Fault(f"{name}: {_UNFIT}", seal.place, seal.offset))


def read_seal(seat: int, body: object) -> bytes:
    """A commitment as an entry has it."""
    if isinstance(body, bytes) and len(body) == COMMITMENT_BYTES:
        return body
    raise ProofError("a commitment was expected")
