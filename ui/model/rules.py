"""The rules of a game as a person reads them."""

from __future__ import annotations

import re
from typing import Final

from core.game import Option
from core.games import find_game
from ui.games import look_of
from ui.language.text import Words

_COLUMNS_MAX: Final = 2  # Of a table that is one on every screen, in every language.


def rules_text(words: Words, game: str) -> str:
    """The rules as Markdown, in the person's language; in English where there is no other.

    A game that composes its own text does so (`Look.rules`); else it is the sentence `rules.GAME`.
    """
    own = look_of(game).rules
    if own is not None:
        text = own(words)
    else:
        key = f"rules.{game}"
        text = words(key) if words.has(key) else find_game(game).rules
    for option in find_game(game).options:
        if words.of(game).has(f"option.{option.key}"):
            text = _with_names(words.of(game), option, text)
    return text


def without_wide_tables(text: str) -> str:
    """The rows of tables with many columns as lines of a list: in columns they would be cut.

    >>> print(without_wide_tables("|a|b|c|d|\\n|---|---|---|---|\\n|1|2||4|"))
    - a: 1 · b: 2 · d: 4
    """
    lines: list[str] = []
    heads: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) < _COLUMNS_MAX + 1:
            heads = []
            lines.append(line)
        elif not heads:
            heads = cells
        elif set("".join(cells)) != {"-"}:
            told = [f"{head}: {cell}" for head, cell in zip(heads, cells, strict=True) if cell]
            lines.append(f"- {' · '.join(told)}")
    return "\n".join(lines)


def chapter_of(text: str, number: str) -> str:
    """The chapter of some Markdown whose heading begins so; empty where there is none.

    >>> chapter_of("# Go\\n## 1 Aim\\nSurround.\\n### 1.1 Ko\\nWait.\\n## 2 End\\nPass.", "1")
    '## 1 Aim\\nSurround.\\n### 1.1 Ko\\nWait.'
    """
    lines, level = list[str](), 0
    for line in text.splitlines():
        deep = len(line) - len(line.lstrip("#"))
        if level and 0 < deep <= level:
            break
        if number and not level and deep and line.lstrip("# ").startswith(number):
            level = deep
        if level:
            lines.append(line)
    return "\n".join(lines)


def _with_names(words: Words, option: Option, text: str) -> str:
    """An option and its values as the form says them, where the rules have what a shell is typed.

    That is a line which begins with its key, as in "- `deal` *basic*, draft: see 2.3"; a sentence
    in it may begin with one of the values again.
    """
    names = {str(value).lower(): words.name("value", str(value).lower()) for value in option.values}
    names["off"] = words.name("value", "false")
    value = "|".join(sorted(map(re.escape, names), key=len, reverse=True))

    def named(found: re.Match[str]) -> str:
        values = re.sub(value, lambda each: names[each[0]], found[1])
        rest = re.sub(rf"\b({value})(?=이면|なら)", lambda each: f'"{names[each[1]]}"', found[3])
        colon = found[2] if values else ""
        return f"- **{words.name('option', option.key)}:**{values}{colon}{rest}"

    line = rf"^- `{option.key}`:?((?:,?\s+\*?(?:{value})\b\*?)*)(:?)(.*)"
    return re.sub(line, named, text, flags=re.MULTILINE)
