"""Every sentence a person reads, in their language, from one file per language.

What only one part of the program says is in a file of its own, `PART.LANGUAGE.toml`, and what only
one game says lies beside its rules: `core/games/GAME/locales/LANGUAGE.toml`.
Keys are the same in every file, and so are the names between braces; a test keeps it so.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import Final

from core.plugins import announced, reason, refuse
from ui.language.particles import with_particles

LANGUAGE_NAMES: Final = {"en": "English", "ko": "한국어", "ja": "日本語"}
LOCALES: Final = Path(__file__).parent / "locales"
# Not by the place of `core`, of which a compiled copy without these files may be in use.
_GAMES: Final = Path(__file__).parents[2] / "core" / "games"
_BARE: Final = {  # Letters with an accent, without it.
    letter: bare
    for letter in map(chr, range(0xC0, 0x180))
    if (bare := unicodedata.normalize("NFD", letter)[0]).isascii()
}
RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"  # Figures beside which others mean something else.
ASCII_OF: Final = str.maketrans(
    {"╭": "+", "╮": "+", "╰": "+", "╯": "+", "─": "-", "│": "|", "●": "*", "○": "o", "◐": "%",
     "▮": "#", "▸": ">", "◂": "<", "×": "x", "…": "~", "·": ".", "←": "<", "→": ">", "↑": "^",
     "↓": "v", "◆": "*", "░": ":", "▲": "^", "■": "#", "━": "=", "✓": "v",
     "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
     "┏": "#", "┓": "#", "┗": "#", "┛": "#", "┃": "#", "▶": ">", "▼": "v", "□": "o", "★": "*",
     "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "█": "#",
     "↻": "@", "©": "c", **dict(zip(RAISED, map(str, range(10)), strict=True)), **_BARE}
)  # fmt: skip
# What is between braces in the sentences of a game, by their section; nothing elsewhere.
_GAPS: Final = {
    "offer": {"what"}, "line": {"name", "what", "number"},
    "why": {"face", "ask", "number", "other"},
    "fact": {"name", "what", "word", "number", "other"},
    "reason": {"name", "other", "what", "mine", "theirs"},
}  # fmt: skip

_OF_ONE_GAME: Final = {"face", "offer", "line", "option", "about", "value"}


class Words:
    """The sentences of one language.  Call it with a key and the values between braces."""

    def __init__(self, code: str, sentences: Mapping[str, str]) -> None:
        self.code = code
        self.sentences = sentences

    def __call__(self, key: str, **values: object) -> str:
        """The sentence with this key."""
        assert key in self.sentences, f"the {self.code} file has no sentence {key}"
        said = self.sentences[key].format(**values)
        return with_particles(said) if self.code == "ko" else said

    def count(self, key: str, number: int, **values: object) -> str:
        """The sentence for this number of things: `<key>_one` or `<key>_many`.

        >>> load("en").count("end.points", 1), load("en").count("end.points", 0)
        ('1 point', '0 points')
        """
        return self(f"{key}_one" if number == 1 else f"{key}_many", number=number, **values)

    def listed(self, parts: Iterable[str]) -> str:
        """Several things in a row, with the comma of the language.

        >>> load("en").listed(["ada", "grace"]), load("ja").listed(["村", "市場"])
        ('ada, grace', '村、市場')
        """
        return self("list.comma").join(parts)

    def parted(self, parts: Iterable[str]) -> str:
        """What may have commas of its own in a row, or what was done, without full stops."""
        return self("list.part").join(filter(None, parts))

    def in_a_row(self, sentences: Iterable[str]) -> str:
        """Sentences behind each other, without those that are empty.

        >>> load("en").in_a_row(["One.", "", "Two."]), load("ja").in_a_row(["一。", "二。"])
        ('One. Two.', '一。二。')
        """
        between = self("list.sentence", said="", more="")
        return between.join(filter(None, sentences))

    def name(self, kind: str, key: str) -> str:
        """The name of a face, an effect or an option; a game we have no words for keeps its key.

        >>> load("en").name("face", "military"), load("en").name("face", "queen")
        ('Military', 'queen')
        """
        return self.sentences.get(f"{kind}.{key}", key)

    def marked(self, keys: Iterable[str], mark: str) -> Words:
        """These with a mark behind the names that have these keys."""
        names = {key: self.name(*key.split(".", 1)) + mark for key in keys}
        return Words(self.code, {**self.sentences, **names})

    def has(self, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self.sentences

    def explains(self, game: str) -> bool:
        """Whether a first game of it has a commentary."""
        return self.of(game).has(f"lesson.{game}.goal")

    def of(self, game: str) -> Words:
        """These at the tables of a game: where another package has brought it along, with what it
        says, and without what our games call their own cards and choices."""
        own = _foreign(self.code).get(game)
        if own is None:
            return self
        ours = _said_by_our_games(self.code)
        common = {key: said for key, said in self.sentences.items() if key not in ours}
        return Words(self.code, {**common, **own})


@lru_cache
def load(code: str) -> Words:
    """The sentences of one of `LANGUAGE_NAMES`."""
    assert code in LANGUAGE_NAMES, f"there is no language {code}"
    flat: dict[str, str] = {}
    for path in _files(code):
        more = _read(path)
        assert not more.keys() & flat.keys(), f"{path} says again what another file says"
        flat |= more
    for game, own in _foreign(code).items():
        flat[f"game.{game}"] = own.get(f"game.{game}", game.replace("_", " "))
    return Words(code, flat)


@lru_cache
def _said_by_our_games(code: str) -> frozenset[str]:
    """The keys of what means something else in a game of somebody else: a Talon is no stock."""
    keys = (key for path in _of_our_games(code) for key in _read(path))
    return frozenset(key for key in keys if key.partition(".")[0] in _OF_ONE_GAME)


def _read(path: Path) -> dict[str, str]:
    """The sentences of a file, by their section and key."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        f"{section}.{key}": sentence
        for section, sentences in found.items()
        for key, sentence in sentences.items()
    }


@lru_cache
def _foreign(code: str) -> Mapping[str, Mapping[str, str]]:
    """What the games of other packages say, by their slugs; in English where they have no other."""
    if not announced():
        return {}
    from core.games import PACKAGES  # The games themselves: the first paint need not wait for ours.

    return {
        game: {**_of_package(game, package, "en"), **_of_package(game, package, code)}
        for game, package in PACKAGES.items()
    }


def _of_package(game: str, package: str, code: str) -> dict[str, str]:
    """What a package says in one language; nothing where its file cannot be used."""
    path = Path(str(import_module(package).__file__)).parent / "locales" / f"{code}.toml"
    if not path.exists():
        return {}
    try:
        sentences = _read(path)
        for key, sentence in sentences.items():
            _check_gaps(key, sentence)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        refuse(f"{path.name} of the game {game}", reason(error))
        return {}
    return sentences


def _check_gaps(key: str, sentence: str) -> None:
    """Raises ValueError where a sentence has a gap that nobody fills."""
    gaps = {gap for _, gap, _, _ in Formatter().parse(sentence) if gap is not None}
    known = _GAPS.get(key.partition(".")[0], set())
    if not gaps <= known:
        names = ", ".join(sorted(known)) or "none"
        raise ValueError(f"{key} may have these gaps: {names}")


def _files(code: str) -> list[Path]:
    common = sorted(LOCALES.glob(f"*.{code}.toml"))
    return [LOCALES / f"{code}.toml", *common, *_of_our_games(code)]


def _of_our_games(code: str) -> list[Path]:
    return sorted(
        [*_GAMES.glob(f"*/locales/{code}.toml"), *_GAMES.glob(f"*/locales/*.{code}.toml")]
    )


def detect_language(environment: Mapping[str, str]) -> str:
    """The language that the terminal's environment asks for; English when it asks for none of ours.

    >>> detect_language({"LANG": "ko_KR.UTF-8"}), detect_language({"LANG": "C"})
    ('ko', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environment.get(name, "")[:2].lower()
        if code in LANGUAGE_NAMES:
            return code
    return "en"
