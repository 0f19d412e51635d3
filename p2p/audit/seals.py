"""Secret choices, sealed before they are opened.

docs/spec/protocol.md, sections 9, 10 and 18.3, for somebody who only reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from core.determinization import observation_of
from core.game import Game
from core.plain import parse_action, plain_action
from core.requests import Action, Face
from core.table import RulesError, Table
from p2p.audit.findings import Fault
from p2p.audit.log import LogReader
from p2p.audit.rebuilt import StepReader
from p2p.audit.seats import is_owned
from p2p.base.wire import encode
from p2p.crypto.commitments import COMMITMENT_BYTES, check_opening, commit
from p2p.crypto.group import Point
from p2p.crypto.transcript import ProofError
from p2p.crypto.vrf import vrf_value, vrf_verify
from p2p.game.equivalents import all_equivalents

_UNFIT: Final = "sealed what does not follow from its key"


class _Seal(NamedTuple):
    """What a seat has sealed."""

    context: bytes
    commitment: bytes
    key: Point  # Of the seat when it was,
    salt_place: bytes  # with which the salt is computed here,
    salt_context: bytes  # and proven.
    place: int  # Of the entry in the log,
    offset: int  # and in the file.
    is_owned: bool  # Its owner signed it.


class Seals:
    """What is sealed in the current request, and who has sealed what its key does not open."""

    def __init__(self, around: StepReader, log: LogReader, game: Game) -> None:
        """Nothing is sealed."""
        self._around, self._log, self._game = around, log, game
        self.sealed: dict[int, _Seal] = {}
        self.unfit: dict[int, Fault] = {}  # By seat: its first such seal.

    def read_seals(self, seats: Sequence[int]) -> dict[int, _Seal]:
        """What seats seal in one step."""
        around, keys = self._around, self._log.seating.publics
        context, place = around.context(0, "secret"), around.context(0, "salt")
        proven_in = {seat: around.context(seat, "salt") for seat in seats}
        commitments, found = around.step("seal", seats, read_seal), {}
        first = len(self._log.entries) - len(seats)
        for at, (seat, seal) in enumerate(zip(seats, commitments, strict=True), first):
            offset, entry = self._log.entries[at]
            salt = keys[seat], place, proven_in[seat]
            found[seat] = _Seal(context, seal, *salt, at, offset, is_owned(entry.seat_epoch))
        return found

    def read_choices(
        self, players: Sequence[int], table: Table, see: Callable[[int, int], list[Face]]
    ) -> list[Action]:
        """What seats open of their choices; `see` gives what a seat sees with a secret key."""
        unfit = set[int]()

        def read(seat: int, body: object) -> Action:
            match body:
                case [value, bytes(proven)]:
                    seal = self.sealed[seat]
                    salt = vrf_verify(seal.key, seal.salt_place, proven, seal.salt_context)
                    try:
                        check_opening(seal.commitment, seal.context, seat, encode(value), salt)
                    except ProofError:
                        is_known = self._is_known(seat, seal)
                        if not is_known or encode(value) != self._followed(seat, table, see):
                            raise
                        unfit.add(seat)
                    action = parse_action(value)
                    self._game.apply(table.copy(), seat, action)
                    return action
            raise RulesError("an opened choice is an action and a proven salt")

        actions = self._around.step("unseal", players, read)
        self._note(unfit)
        self.sealed = {}
        return actions

    def _followed(self, seat: int, table: Table, see: Callable[[int, int], list[Face]]) -> bytes:
        """What a key that is known opens of a seal; else the first that was allowed."""
        seal, secret = self.sealed[seat], self._log.seating.known[seat]
        salt = vrf_value(secret, seal.salt_place)
        observation = observation_of(table, see(seat, secret), seat)
        first = b""
        for action in self._game.legal_actions(table, seat, observation):
            for each in all_equivalents(self._game, table, observation, action):
                plain = encode(plain_action(each))
                if commit(seal.context, seat, plain, salt) == seal.commitment:
                    return plain
                first = first or plain
        return first

    def _is_known(self, seat: int, seal: _Seal) -> bool:
        """Whether all know the key from which a seal of the owner had to follow."""
        seating = self._log.seating
        return seal.is_owned and seat in seating.open and seat in seating.known

    def _note(self, unfit: set[int]) -> None:
        for seat in unfit:
            name, seal = self._log.seats[seat].shown_name, self.sealed[seat]
            self.unfit.setdefault(seat, Fault(f"{name}: {_UNFIT}", seal.place, seal.offset))


def read_seal(seat: int, body: object) -> bytes:
    """A commitment as an entry has it."""
    if isinstance(body, bytes) and len(body) == COMMITMENT_BYTES:
        return body
    raise ProofError("a commitment was expected")
