"""How large an explored world is, what is taken out of its rules, and how it is made smaller."""

from typing import NamedTuple

from p2p.log.membership.rules import MEMBERSHIP_RULES
from p2p.log.membership.state import Store


class Bounds(NamedTuple):
    """How large the explored world is."""

    seats: int = 3
    script: tuple = ("each",)
    evil: int | None = None
    evil_votes: bool = True  # Otherwise the cheater signs entries and acknowledgements alone.
    crashes: int = 0
    rounds: int = 1  # In every epoch.
    epochs: int = 1
    suspects: tuple = (0, 1, 2)
    leavers: tuple = ()  # Say farewell at some moment.
    restores: bool = False
    values: int = 1  # Of these a person chooses one, and another one when it is asked once more.


class Broken(NamedTuple):
    """What is taken out: rules or their guards, the order of a record, a rule of the game."""

    rules: tuple = MEMBERSHIP_RULES
    late: type | None = None  # Records of this type are on disk only after all that is said.
    keeps_openings: bool = True

    def in_order(self, effects):
        """What a member does, in the order in which it does it under these rules."""
        if self.late is None:
            return effects
        is_late = [isinstance(e, Store) and isinstance(e.record, self.late) for e in effects]
        pairs = list(zip(is_late, effects, strict=True))
        return [e for flag, e in pairs if not flag] + [e for flag, e in pairs if flag]


class Reductions(NamedTuple):
    """What makes a world smaller without making anything wrong disappear; each can be left out."""

    votes: bool = True  # Votes that cannot matter any more are forgotten (`forgetting.py`).
    evidence: bool = True  # So is by what a cheater was convicted.
    silence: bool = True  # So is who is silent, once that cannot matter any more.
    seats: bool = True  # Of states that are the same but for names of seats, one (`swapping.py`).


FULL = Reductions(votes=False, evidence=False, silence=False, seats=False)


class Wrong(Exception):
    """A property does not hold."""
