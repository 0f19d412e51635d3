"""What a kind of cheater is, and how the one thing that it does is put into an honest session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, TypeAlias

from core.requests import Action
from p2p.log.replica import Replica
from p2p.session.session import Session
from tests.p2p.outspoken import Outspoken

Forge: TypeAlias = Callable[[Replica, list[object]], object]
MakeSession: TypeAlias = Callable[..., Session]


class Outcome(Enum):
    """What becomes of a cheater."""

    NAMED = "named by everybody and by every file"
    TURNED_AWAY = "its link is closed, and the game goes on without a word against anybody"
    WAITED_FOR = "the table waits for it, or lets it go, and nobody is accused"
    IN_VAIN = "the game goes on as if nothing had been said"
    OPENED = "found by the audit once the keys are open"


@dataclass(frozen=True)
class Kind:
    """One kind of cheater."""

    name: str
    does: str
    outcome: Outcome
    make: Callable[[int], MakeSession]  # From the number of the opportunity that it takes.
    entry: str = ""  # The kind of entry that is forged, if it is one.
    game: str = "beads"
    chances: int = 5  # How many opportunities there are at least.
    seats: tuple[int, ...] = (0, 1, 2)  # Who gets to do it, in a game of three.
    forks: bool = False  # The others may have different logs until it is found out.
    needs: str = ""
    """`bot`: the seat decides by lots; `hands`: all open their keys; `loss`: somebody is lost."""


CHEATERS: Final[dict[str, Kind]] = {}


def body_of(entry: str, **terms: object) -> Callable[[Forge], Forge]:
    """Register a forger of the body of an entry; it is given the honest one."""
    outcome = terms.pop("outcome", Outcome.NAMED)
    then = terms.pop("then", None)
    is_patient, is_factory = bool(terms.pop("is_patient", False)), bool(terms.pop("fresh", False))

    def register(forge: Forge) -> Forge:
        def make(nth: int) -> MakeSession:
            first = forge() if is_factory else forge  # type: ignore[call-arg]
            forges = {entry: first} | (then if isinstance(then, dict) else {})
            return forging(forges, nth, is_patient=is_patient)

        told: Any = terms  # Whoever registers a cheater knows the fields of its kind.
        _add(Kind(_name(forge), _sentence(forge), outcome, make, entry=entry, **told))
        return forge

    return register


def session_of(outcome: Outcome, **terms: object) -> Callable[[type[Session]], type[Session]]:
    """Register a changed session; its attribute `nth` says which opportunity it takes."""

    def register(session: type[Session]) -> type[Session]:
        def make(nth: int) -> MakeSession:
            return type(session.__name__, (session,), {"nth": nth})

        name = "".join(f" {c.lower()}" if c.isupper() else c for c in session.__name__).strip()
        told: Any = terms
        _add(Kind(name, _sentence(session), outcome, make, **told))
        return session

    return register


def _add(kind: Kind) -> None:
    assert kind.name not in CHEATERS, "two cheaters share a name"
    CHEATERS[kind.name] = kind


def _name(thing: Callable[..., object]) -> str:
    return thing.__name__.replace("_", " ")


def _sentence(thing: object) -> str:
    assert thing.__doc__, "every cheater says what it does"
    return thing.__doc__.strip().splitlines()[0]


class Cheater(Outspoken):
    """A session that sends before it thinks: it would stop at its own broken rule."""

    nth = 0
    did = False  # Whether it has done its one thing.

    async def _advance(self) -> bool:
        await self._flush()
        return await super()._advance()

    def is_due(self, *kinds: str) -> bool:
        """Whether an entry of one of these kinds is due of me now."""
        step, replica = self.replica.step, self.replica
        if step is None or step.kind not in kinds or not replica.may_write():
            return False
        return not step.is_choice or self.mine() is not None

    def mine(self) -> Action | None:
        """What I have decided, honestly."""
        return self.deciding.answer_of(None)

    def is_turn(self) -> bool:
        """Whether this is the opportunity that I take; asked once for each."""
        seen: set[int] = self.__dict__.setdefault("_seen", set())
        seen.add(self.replica.height)
        return len(seen) - 1 == self.nth


def forging(forges: Mapping[str, Forge], nth: int, *, is_patient: bool = False) -> MakeSession:
    """Sessions that forge the entries of these kinds, from the n-th opportunity on.

    A patient one waits until somebody else has written in the same step.
    """

    class Forging(Cheater):
        async def _write(self) -> bool:
            step = self.replica.step
            if step is None or not self.is_due(*forges):
                return await super()._write()
            first = next(iter(forges))
            if not (step.kind == first and self.is_turn()) and not self.did:
                return await super()._write()
            if is_patient and not others_said(self.replica):
                return False
            self.did, forge, write = True, forges[step.kind], step.write

            def forged(action: Action | None) -> object:
                honest = write(action)
                assert honest is not None, "every entry says something"
                return forge(self.replica, honest)  # type: ignore[arg-type]

            self.replica.step = replace(step, write=forged)
            return await super()._write()

    return Forging


def others_said(replica: Replica) -> dict[int, object]:
    """What the other seats have written in the current step, by seat."""
    step, at = replica.step, replica.position
    arrived = [entry for entry in replica.entries.waiting if entry.height == at.height]
    assert step is not None, "a step is due"
    return {entry.seat: entry.body for entry in arrived if entry.seat != replica.me}


def bent(content: bytes, at: int = 0) -> bytes:
    """The same bytes but for one bit."""
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
