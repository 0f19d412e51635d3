"""Four words for thirty-two bytes: what people compare by voice instead of hexadecimal digits.

The list is that of BIP 39: 2048 words (11 bits each), chosen so that no two share their first four
letters.  Four words are 44 bits.  That is enough to tell friends apart and to notice an accident;
whoever spends weeks of computing can find a key whose words equal a given key's, so a decision
that needs more must be made about something the other side could not choose (commit, then open).
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

WORD_BITS: Final = 11
WORDS_SHOWN: Final = 4
_KEPT: Final = 1024  # Answers kept, for screens that ask at every picture.


@lru_cache(maxsize=_KEPT)
def four_words(subject: bytes) -> str:
    """Four words that stand for `subject`, the same on every machine.

    >>> four_words(bytes(32))
    'gesture fashion develop dragon'
    """
    digest = hashlib.sha256(b"hostless words" + subject).digest()
    number = int.from_bytes(digest[:8])
    words, mask = _all_words(), (1 << WORD_BITS) - 1
    return " ".join(words[number >> WORD_BITS * index & mask] for index in range(WORDS_SHOWN))


@cache
def _all_words() -> tuple[str, ...]:
    text = Path(__file__).with_name("words.txt").read_text("ascii")
    words = tuple(line for line in text.splitlines() if line and not line.startswith("#"))
    assert len(set(words)) == 1 << WORD_BITS, "the list has 2048 different words"
    return words
