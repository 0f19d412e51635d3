"""Names of people and tables: what others read, and must be able to tell apart.

A name is text that a stranger chose and that goes straight to a screen.  So it has no letter that
shows nothing: no control, no direction of writing, no filler, no selector of a variant, and no pile
of marks on one letter.  A name of several scripts that nobody writes together is shown with their
names behind it (`shown_name`), and two names that look the same count as the same at one table
(`skeleton`), so that the second gets a number.

The letters that are taken for others are a part of Unicode's list (UTS 39, `confusables.txt`), for
the scripts that keyboards have.  What it does not protect against: letters that are alike in one
font alone, and names that sound alike.  The four words of an identity tell any two people apart.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from core.errors import HostlessError
from p2p.base.limits import NAME_LETTERS_MAX, NAME_MARKS_MAX

NAME_GIVEN_LETTERS_MAX: Final = 1000  # Longer is no name that needs cleaning, it is an accident.
_KEPT: Final = 256  # Names as shown: each snapshot of a table has those of all.

_INVISIBLE: Final = frozenset(map(chr, (
    0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164,
    *range(0xFE00, 0xFE10), 0xFFA0, 0x16FE4, 0x1D159, *range(0xE0100, 0xE01F0),
)))  # fmt: skip
"""Letters that count as printable and show nothing: fillers, selectors, and an empty braille cell.

All others of Unicode's property Default_Ignorable_Code_Point are controls or not assigned.
"""

_TOGETHER: Final = (  # As people write them; UTS 39, section 5.2, "highly restrictive".
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Hangul"},
    {"Latin", "Han", "Bopomofo"},
)
_SCRIPTS: Final = {"CJK": "Han", "IDEOGRAPHIC": "Han", "FULLWIDTH": "", "HALFWIDTH": ""}

_PAIRS: Final = """
    0430a 0432b 0441c 0501d 0435e 043dh 04bbh 0456i 0458j 043ak 04cfl 043cm 043eo 0440p 051bq 0433r
    0455s 0442t 0443y 0475v 051dw 0445x
    03b1a 03b2b 03b5e 03b7h 03b9i 03bak 03bcm 03bdv 03bfo 03c1p 03c4t 03c5y 03c7x 03b6z
    0570h 0578n 0585o 057du 0131i 0251a 0261g
""".split()  # noqa: SIM905
_ALIKE: Final = str.maketrans({chr(int(pair[:4], 16)): pair[4] for pair in _PAIRS})
"""What small letters are taken for, by code point: Cyrillic, Greek, and the rest."""

_ONE_STROKE: Final = str.maketrans({"0": "o", "1": "l", "|": "l", "i": "l", "!": "l"})


class NameRefused(HostlessError):
    """This cannot be a name."""


def clean_name(given: str) -> str:
    """A name of 1 to 32 letters that show, with single spaces, in Unicode's composed form.

    >>> clean_name("  Ada   Lovelace\\x1b ")
    'Ada Lovelace'

    Raises:
        NameRefused: nothing that shows is left, or too much.
    """
    if len(given) > NAME_GIVEN_LETTERS_MAX:
        raise NameRefused(_too_long(len(given)))
    seen = (letter for letter in given if letter not in _INVISIBLE)
    shown = "".join(letter if letter.isprintable() else " " for letter in seen)
    name = _unpile(unicodedata.normalize("NFC", " ".join(shown.split())))
    if not name:
        raise NameRefused("a name needs at least one printable character")
    if len(name) > NAME_LETTERS_MAX:
        raise NameRefused(_too_long(len(name)))
    return name


def _unpile(name: str) -> str:
    """The name without marks that have no letter, and with few on each."""
    kept, marks = "", NAME_MARKS_MAX
    for letter in name:
        is_mark = _is_mark(letter)
        marks = marks + 1 if is_mark else 0
        if marks <= NAME_MARKS_MAX and not (is_mark and kept[-1:] in ("", " ")):
            kept += letter
    return " ".join(unicodedata.normalize("NFC", kept).split())


def is_clean_name(name: str) -> bool:
    """Whether a name that came from elsewhere can be shown as it is."""
    try:
        return clean_name(name) == name
    except NameRefused:
        return False


def _too_long(count: int) -> str:
    return f"a name may have {NAME_LETTERS_MAX} characters, this one has {count}; choose a shorter"


def shown_text(said: str) -> str:
    """What somebody said as a screen shows it: what shows nothing, or does something, by its code.

    >>> shown_text("hi\\x1b[2J  \u202eada")
    'hi<U+001B>[2J <U+202E>ada'
    """
    shown = (letter if _is_seen(letter) else f"<U+{ord(letter):04X}>" for letter in said)
    return _unpile(unicodedata.normalize("NFC", "".join(shown)))


def one_line(said: str, letters_max: int) -> str:
    """What a stranger's program says, for one line: cut, with spaces for what shows nothing.

    >>> one_line("full\u3164\x1b[2J", 40), one_line("Z\u0336\u0341!", 40)
    ('full  [2J', 'Z  !')
    """
    is_whole = (_is_seen(letter) and not _is_mark(letter) for letter in said[:letters_max])
    return "".join(letter if whole else " " for letter, whole in zip(said, is_whole, strict=False))


def _is_seen(letter: str) -> bool:
    return letter.isprintable() and letter not in _INVISIBLE


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def numbered(name: str, number: int) -> str:
    """The name with a number, for one of several who are called so; cut where it would be too long.

    >>> numbered("ada", 2)
    'ada (2)'
    """
    tail = f" ({number})" if number > 1 else ""
    return name[: NAME_LETTERS_MAX - len(tail)].rstrip() + tail


# ---- what looks like something else ----


def skeleton(name: str) -> str:
    """What a name looks like: two names with the same one can be taken for each other.

    >>> skeleton("\\u0410da l") == skeleton("ada I") == skeleton("ADA 1")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.translate(_ALIKE).translate(_ONE_STROKE)


def scripts_of(name: str) -> tuple[str, ...]:
    """The scripts of the letters of a name, in the order in which they come."""
    scripts = (_script(letter) for letter in name if letter.isalpha())
    return tuple(dict.fromkeys(filter(None, scripts)))


def _script(letter: str) -> str:
    """As the name of a letter in Unicode begins."""
    words = unicodedata.name(letter, "").split()
    if words[:1] in (["FULLWIDTH"], ["HALFWIDTH"]):
        words = words[1:]
    first = words[0] if words else ""
    if first in ("CJK", "IDEOGRAPHIC"):
        return "Han"
    is_shared = unicodedata.category(letter) == "Lm" or first == "MODIFIER"
    return "" if is_shared else first.title()


@lru_cache(maxsize=_KEPT)
def shown_name(name: str) -> str:
    """The name as a screen shows it: with its scripts, if nobody would write them together.

    >>> shown_name("Ada \\u6c34"), shown_name("\\u0410da")
    ('Ada \u6c34', '\u0410da [Cyrillic+Latin]')
    """
    scripts = scripts_of(name)
    if len(scripts) < 2 or any(set(scripts) <= together for together in _TOGETHER):
        return name
    return f"{name} [{'+'.join(scripts)}]"
