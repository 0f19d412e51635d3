"""Korean particles, which follow the sound before them.

A sentence writes both forms, as in `{file}은(는)`, because it does not know what fills its gap;
once it is filled, the one that fits is kept; what stands in brackets behind a word changes nothing.
After a Latin letter both stay: how a foreign name is read does not follow from its letters.
"""

from __future__ import annotations

import re
from typing import Final

# After a consonant, after a vowel.
_BOTH: Final = {
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "과(와)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "(이)라는": ("이라는", "라는"),
}
_PAIR: Final = re.compile(
    r"(?<=([가-힣0-9]))( ?\([^()]*\))?(" + "|".join(map(re.escape, _BOTH)) + ")"
)
_FIRST: Final = ord("가")
_ENDS: Final = 28  # Syllables stand in the order of how they end.
_L: Final = 8  # An `ㄹ` at the end, after which `로` follows as after a vowel.
# How a number ends by its last digit; a zero ends 영, 십, 백 or 천, all with a consonant.
_DIGIT_ENDS: Final = {"0": 21, "1": _L, "2": 0, "3": 16, "4": 0, "5": 0, "6": 1, "7": _L, "8": _L,
                      "9": 0}  # fmt: skip


def with_particles(sentence: str) -> str:
    """The sentence with one particle in place of each pair.

    >>> with_particles("로마은(는) 3(으)로, 이집트은(는) 7(으)로, ada은(는)")
    '로마는 3으로, 이집트는 7로, ada은(는)'
    >>> with_particles("군주제(기술)을(를)")
    '군주제(기술)를'
    """
    return _PAIR.sub(_fitting, sentence) if "(" in sentence else sentence


def _fitting(found: re.Match[str]) -> str:
    before, inside, pair = found[1], found[2] or "", found[3]
    end = _DIGIT_ENDS[before] if before.isdigit() else (ord(before) - _FIRST) % _ENDS
    closed, open_ = _BOTH[pair]
    return inside + (open_ if end == 0 or (end == _L and pair == "(으)로") else closed)
