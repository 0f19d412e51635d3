"""Nodes with one check taken out: what the simulator has to find.

Each check is named with what looks for it: the cheaters that get through without it, or the faults
among which it is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from p2p.audit.log import OPENINGS
from p2p.base.entry import Entry
from p2p.crypto import masking, shuffle_proof, tally, vrf
from p2p.game import dealing, game_keys, rebuilding, rolling, sealing
from p2p.log import replica
from p2p.log.entries import Entries
from p2p.log.membership import guards
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.session.catching_up import CatchingUp
from p2p.session.failure_detector import FailureDetector
from p2p.session.shown_changes import EarlyChanges
from tests.simulation.cheaters import CHEATERS
from tests.simulation.cheating import try_kind
from tests.simulation.plan import (
    Plan,
    make_outage_plan,
    make_plan,
    make_returning_plan,
)
from tests.simulation.stage import simulate

FAULTS: Final = "faults"
OUTAGE, ABSENCE = "a switch that is off", "somebody who comes back"
PLANS: Final[dict[str, Callable[[int, str], Plan]]] = {
    FAULTS: make_plan, OUTAGE: make_outage_plan, ABSENCE: make_returning_plan,
}  # fmt: skip
FAULTY_GAMES_MAX: Final = 200  # Games with faults, until one fails.


class Removal(NamedTuple):
    """A check, how it is taken out, and who should notice."""

    place: Any
    name: str
    stand_in: Any
    found_by: str  # The kind of cheater that gets through; or the faults that it is for.
    beside: tuple[Any, ...] = ()  # Guards of membership that ask the same, taken out with it.


def _guard(check: Any, found_by: str) -> Removal:
    """Out of all rows of the table of membership, which hold the function already."""
    return Removal(check, "__code__", _always.__code__, found_by)


def _nothing(*_: object, **__: object) -> None:
    """Check nothing."""


async def _nothing_later(*_: object, **__: object) -> None:
    """Do nothing."""


def _always(*_: object) -> bool:
    """Find that all is well."""
    return True


def _never(*_: object) -> bool:
    """Find that nothing is to be done."""
    return False


def _unknown(self: Entries, entry: Entry) -> Entry | None:
    """Never know another entry that answers the same log."""
    known = self.logged_for(entry) or self.waiting.find(entry)
    return known if known is not None and known.hash == entry.hash else None


def _lot(public: object, place: object, drawn: bytes, context: object) -> bytes:
    """Believe a lot."""
    return drawn[: vrf.POINT_BYTES]


def _struck(public: object, full: tally.CardTally, held: list[Any], said: bytes, _: object) -> Any:
    """Believe a subtraction."""
    return full.with_cards(tally._parse(full, len(held), said).counters)


def _blinded(cards: list[Any], said: bytes, context: object) -> list[masking.Masked]:
    """Believe an equality test."""
    return masking.parse_cards(said[: len(cards) * masking.MASKED_BYTES])


def _is_opening(self: Replica) -> bool:
    """Let others say that they have the same log before something is opened, and not else."""
    return self.step is not None and self.step.kind in ("key", *OPENINGS)


def _misplaced(entry: Entry, place: object, kind: str, digest: object) -> str:
    """Look at the kind, but not at the state that it was written in."""
    return "" if entry.kind == kind else "another kind of entry is due"


REMOVALS: Final[dict[str, Removal]] = {
    "shuffle proof": Removal(
        shuffle_proof, "verify_shuffles", _nothing, "card in place of another"
    ),
    "share proof": Removal(dealing, "verify_shares", _nothing, "false face"),
    "pass proof": Removal(dealing, "verify_rekey", _nothing, "card given to itself"),
    "membership proof": Removal(dealing, "verify_members", _nothing, "false claim"),
    "strike": Removal(rebuilding, "check_subtraction", _struck, "strikes nothing"),
    "blinding": Removal(rebuilding, "check_pet_share", _blinded, "struck row kept"),
    "possession": Removal(game_keys, "verify_possession", _nothing, "rogue key"),
    "openings": Removal(sealing, "check_opening", _nothing, "other choice than sealed"),
    "salts": Removal(sealing, "vrf_verify", _lot, "salt of its choice"),
    "lots": Removal(rolling, "vrf_verify", _lot, "lot of its choice"),
    "rolls": Removal(rolling, "vrf_verify", _lot, "late change of mind"),
    "result": Removal(game_keys, "check_result", _nothing, "another result"),
    "signatures": Removal(replica, "check_signature", _nothing, "anothers name"),
    "state": Removal(replica, "misplaced", _misplaced, "other state"),
    "barrier": Removal(Replica, "needs_acks", _is_opening, "two decks", (guards.all_have_my_head,)),
    "one answer": Removal(Entries, "known_for", _unknown, "two choices"),
    "asking again": Removal(FailureDetector, "_ask_again", _nothing_later, "whisperer"),
    "sync": Removal(SecretsFile, "sync", _nothing, FAULTS),
    "written before said": Removal(SecretsFile, "keep_entry", _nothing, FAULTS),
    "catching up": Removal(CatchingUp, "serve", _nothing_later, FAULTS),
    "all in reach": _guard(guards.hears_the_others, OUTAGE),
    "early": Removal(EarlyChanges, "keep", _never, ABSENCE),
}


@contextmanager
def removed(check: str) -> Iterator[None]:
    """In this block every node is without the check."""
    removal = REMOVALS[check]
    assert hasattr(removal.place, removal.name), f"there is no {removal.name} to take out"
    with ExitStack() as stack:
        if removal.name != "__code__":
            stack.enter_context(patch.object(removal.place, removal.name, removal.stand_in))
            guards_out = removal.beside
        else:
            guards_out = (removal.place, *removal.beside)
        for guard in guards_out:
            stack.callback(setattr, guard, "__code__", guard.__code__)
            guard.__code__ = _always.__code__
        yield


def search(check: str) -> Iterator[list[str]]:
    """What fails without the check, game after game."""
    removal = REMOVALS[check]
    with removed(check):
        if (make := PLANS.get(removal.found_by)) is not None:
            for seed in range(FAULTY_GAMES_MAX):
                yield simulate(seed, make(seed, "beads")).failures
        else:
            kind = CHEATERS[removal.found_by]
            for nth in range(3):
                for seat in kind.seats:
                    yield try_kind(kind, seat, seed=nth, nth=nth).failures


def first_failure(check: str) -> tuple[int, str]:
    """How many games it took to notice that the check is gone, and what was noticed."""
    for games, failures in enumerate(search(check), 1):
        if failures:
            return games, failures[0]
    return 0, ""
