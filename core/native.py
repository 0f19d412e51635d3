"""Words that only the compiler reads: in plain Python they do nothing.

The rules and the search are ordinary Python that mypyc can also compile (see `docs/lab/speed.md`).
These names come from `mypy_extensions`, which a player does not have; whoever compiles does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    i64 = int  # A machine word, for numbers that are known to fit one.

    def mypyc_attr(**_attributes):
        """A class decorator that says how a class is compiled."""
        return lambda decorated: decorated
