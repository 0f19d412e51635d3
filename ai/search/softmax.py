"""Softmax to the base of 2, of points: whoever has 64 more is twice as likely to win.

An evaluation adds up what each side has, and this makes shares of the victory of the sums.

Whole numbers alone, so that it is the same on every machine.
"""

from __future__ import annotations

from typing import Final

from ai.search.knowledge import REWARD_ONE

DOUBLING: Final = 64
# 2 ** (n / 64), times 1024: written out, since floating point may differ between machines.
_POWERS: Final[tuple[int, ...]] = (
    1024, 1035, 1046, 1058, 1069, 1081, 1093, 1105, 1117, 1129, 1141, 1154, 1166, 1179, 1192, 1205,
    1218, 1231, 1244, 1258, 1272, 1286, 1300, 1314, 1328, 1342, 1357, 1372, 1387, 1402, 1417, 1433,
    1448, 1464, 1480, 1496, 1512, 1529, 1545, 1562, 1579, 1596, 1614, 1631, 1649, 1667, 1685, 1704,
    1722, 1741, 1760, 1779, 1798, 1818, 1838, 1858, 1878, 1898, 1919, 1940, 1961, 1983, 2004, 2026,
)  # fmt: skip
_SPAN: Final = 10 * DOUBLING  # Whoever is further behind than this is lost.


def softmax(points: list[int]) -> list[int]:
    """The share of the victory of each side, in parts of REWARD_ONE.

    >>> softmax([100, 164])
    [341, 682]
    """
    best = max(points)
    weights = [_power(max(_SPAN - (best - each), 0)) for each in points]
    whole = sum(weights)
    return [REWARD_ONE * each // whole for each in weights]


def _power(parts: int) -> int:
    return _POWERS[parts % DOUBLING] << parts // DOUBLING
