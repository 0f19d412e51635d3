"""Where a line may end: at spaces, and in Japanese between letters that do not belong together.

A Japanese sentence has no spaces.  It is broken where a book would break it: no line begins with a
sign that closes or ends with one that opens, and words of katakana, names in a list, numbers with
what they count and the usual endings stay whole.  Every other language is broken at its spaces
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import textual.content
from rich.cells import cell_len, chop_cells

# Letters with which no Japanese line begins (signs that close, small letters) or ends.
NEVER_FIRST: Final = (
    "、。，．」』）】〕〉》・：；？！ー…·,.:;?!)]%ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
)
NEVER_LAST: Final = "「『（【〔〈《(["
_BEFORE_NUMBER: Final = "+×"  # What stays with a number, where a word has to be cut.
_WIDE: Final = "\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_JAPANESE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_COUNTED: Final = "ターン|ラウンド|コイン|種類|つ目|[枚個人点回席つ件種歩秒分束局周級]"
_ENDINGS: Final = "さん|ください|ました|ません|でした|まで|から|こと|です|ます|する|した|して|など"
_NAME: Final = "[ァ-ヴー\u3400-\u9fff]{2,8}"
_LISTED: Final = f"^{_NAME}(?=、)|(?<=、){_NAME}(?=[、。を]|$)"  # In a list, a name stays whole.
_PIECE: Final = (
    rf"[{re.escape(NEVER_LAST)}]*"
    rf"(?:{_LISTED}|第?\d+(?:{_COUNTED})?|{_ENDINGS}|[ァ-ヴー]+(?:[IV]+|\d+)?"
    rf"|[^\s{_WIDE}{re.escape(NEVER_LAST)}]+|\S)"
    rf"[{re.escape(NEVER_FIRST)}]*(?:[×+]\d+[{re.escape(NEVER_FIRST)}]*)?"
)
# The signs of a space of a board are one word, and how many there are stays with what is counted.
_WORD: Final = re.compile(r"(\s*)((?:\[ \]|\( \)|\d+(?:× | → (?=\d))(?=\S)|\S)+)")
_STUB: Final = re.compile("[\u3041-\u3096\u3400-\u9fff][。、]?")  # A letter, and what closes.
_STEM: Final = re.compile("[\u3400-\u9fff][\u3041-\u3096]*$")


@cache
def _japanese_pieces() -> re.Pattern[str]:
    """Compiled at the first Japanese word: that takes longer than all else of this file."""
    return re.compile(_PIECE)


class LinePiece(NamedTuple):
    """What stays together on a line: where it begins, the spaces before it, and itself."""

    at: int
    gap: str
    text: str


def pieces(text: str) -> Iterator[LinePiece]:
    """A text in the pieces between which a line may end.

    >>> [piece.text for piece in pieces("手札1枚を捨てる。 see ada")]
    ['手', '札', '1枚', 'を', '捨', 'て', 'る。', 'see', 'ada']
    >>> [piece.text for piece in pieces("銅貨、地下貯蔵庫を買う")]
    ['銅貨、', '地下貯蔵庫', 'を', '買', 'う']
    """
    for word in _WORD.finditer(text):
        gap, at = word[1], word.start(2)
        if not _JAPANESE.search(word[2]):
            yield LinePiece(at, gap, word[2])
            continue
        for found in _japanese_pieces().finditer(word[2]):
            yield LinePiece(at + found.start(), gap, found[0])
            gap = ""


def divide(text: str, width: int, fold: bool = True) -> list[int]:
    """Where the lines of a text begin, but for the first; what a widget of Textual asks for.

    >>> divide("grace, alan の応答がありません。", 20)
    [16]
    """
    begins: list[int] = []
    used = 0
    for at, gap, piece in pieces(text):
        needed, length = cell_len(gap), cell_len(piece)
        if used + needed + length <= width:
            used += needed + length
            continue
        if at:
            begins.append(at)
        while fold and length > width:
            first = len(first_piece(piece, width))
            at, piece = at + first, piece[first:]
            begins.append(at)
            length = cell_len(piece)
        used = length
    return begins


def first_piece(word: str, width: int) -> str:
    """As much of a long word as fits, so that the next line may begin with what is left.

    >>> first_piece("手札を捨てる。次へ", 12)
    '手札を捨て'
    """
    end = len(chop_cells(word, width)[0])
    fair = range(end, end // 2, -1)  # Further back the line would be too short.
    return word[: next((at for at in fair if not _is_bound(word, at)), end)]


def without_stub(line: str, last: str) -> tuple[str, str]:
    """The last two lines of a Japanese text, of which the last is but one letter of a word.

    It gets the rest of its word: the letters of its ending, and the one that they end.

    >>> without_stub("脇に置いてもよく、後で捨て", "る。")
    ('脇に置いてもよく、後で', '捨てる。')
    """
    ending = _STEM.search(line)
    if not _STUB.fullmatch(last) or ending is None or not ending.start():
        return line, last
    return line[: ending.start()], ending[0] + last


def _is_bound(word: str, at: int) -> bool:
    """Whether no line ends before this letter."""
    return word[at] in NEVER_FIRST or word[at - 1] in (*NEVER_LAST, *_BEFORE_NUMBER)


def break_lines_everywhere() -> None:
    """Let every widget break its lines so.

    Textual takes what Rich does, which knows spaces alone: a notice, a page of rules or a label
    left a line of Japanese half empty, or began one with a full stop.  Each widget makes its own
    content, so there is no class to derive from.
    """
    setattr(textual.content, "divide_line", divide)  # noqa: B010 - it is no name they export.
