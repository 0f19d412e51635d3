"""The rules in the person's language: how it is played, then what every card does."""

from __future__ import annotations

from collections.abc import Sequence

from core.games.civilization.printed import (
    BUILDINGS,
    CIVILIZATIONS,
    ERAS,
    EVENT_KINDS,
    GOVERNMENTS,
    PERSONS,
    TECHNOLOGIES,
    WONDERS,
    Building,
    Technology,
)
from ui.games.civilization.words import item_name, name, tech_name
from ui.language.text import Words

_GOODS = ("trade", "production", "culture", "coin")


def rules(words: Words) -> str:
    """All of it, as Markdown."""
    parts = [words("rules.civilization"), _technologies(words), _buildings(words)]
    parts += [_wonders(words), _events(words), _plain(words, "persons", _persons(words))]
    parts.append(_plain(words, "governments", _named(words, "gov", GOVERNMENTS)))
    civs = [each.key for each in CIVILIZATIONS]
    parts.append(_plain(words, "civilizations", _named(words, "civ", civs)))
    return "\n".join(parts)


def gives(words: Words, each: Technology) -> list[str]:
    """What a technology gives besides its text."""
    found = [words("civilization.help.builds", what=item_name(words, key))
             for key in each.buildings]  # fmt: skip
    if each.unit:
        rank = each.level if each.unit != "aircraft" else 1
        unit = item_name(words, each.unit)
        found.append(words("civilization.help.rank", what=unit, number=rank))
    if each.government:
        form = name(words, f"gov.{each.government}")
        found.append(words("civilization.help.government", what=form))
    for number, key in ((each.travel, "speed"), (each.stacking, "stack")):
        found += [words(f"civilization.help.{key}", number=number)] if number else []
    for number, key in ((each.coin, "coin"), (each.hand, "hand")):
        found += [words(f"civilization.help.{key}")] if number else []
    return found


def tech_text(words: Words, each: Technology) -> str:
    """Everything a technology does."""
    return words.parted([*gives(words, each), words(f"text.civilization.tech.{each.key}")])


def _table(words: Words, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"## {name(words, f'help.{title}')}", f"| {' | '.join(heads)} |"]
    lines.append("|" + "---|" * len(heads))
    return "\n".join(["", *lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _heads(words: Words, title: str, *keys: str) -> list[str]:
    return [name(words, f"help.{key}") for key in (title, *keys)]


def _technologies(words: Words) -> str:
    rows = [[tech_name(words, each.key), str(each.level), tech_text(words, each)]
            for each in TECHNOLOGIES]  # fmt: skip
    return _table(words, "technologies", _heads(words, "technologies", "level", "gives"), rows)


def _buildings(words: Words) -> str:
    rows = [[item_name(words, each.key) + " *" * each.is_limited, str(each.cost),
             building_text(words, each)] for each in BUILDINGS]  # fmt: skip
    text = _table(words, "buildings", _heads(words, "buildings", "cost", "gives"), rows)
    return f"{text}\n\n{name(words, 'help.star')}"


def building_text(words: Words, each: Building) -> str:
    """What a building yields."""
    pairs = zip(_GOODS, each.icons, strict=True)
    texts = [f"{name(words, f'good.{good}')} {number}" for good, number in pairs if number]
    if each.combat:
        texts.append(words("civilization.help.combat", number=each.combat))
    return words.listed(texts)


def _wonders(words: Words) -> str:
    rows = []
    for each in WONDERS:
        lower = ""
        if each.technology:
            lower = f" ({each.lower_cost}: {tech_name(words, each.technology)})"
        era = name(words, f"era.{ERAS[each.era]}")
        text = words(f"text.civilization.{each.key}")
        rows.append([f"{words.name('face', each.key)} ({era})", f"{each.cost}{lower}", text])
    return _table(words, "wonders", _heads(words, "wonders", "cost", "gives"), rows)


def _events(words: Words) -> str:
    rows = [[f"{words.name('face', each.key)} ({name(words, f'era.{ERAS[each.era]}')})",
             str(each.copies), words(f"text.civilization.{each.key}")]
            for each in EVENT_KINDS]  # fmt: skip
    return _table(words, "events", [*_heads(words, "events"), "×", *_heads(words, "gives")], rows)


def _persons(words: Words) -> list[list[str]]:
    return [[words.name("face", each.key), words(f"text.civilization.{each.key}")]
            for each in PERSONS]  # fmt: skip


def _named(words: Words, kind: str, keys: Sequence[str]) -> list[list[str]]:
    return [[name(words, f"{kind}.{key}"), words(f"text.civilization.{kind}.{key}")]
            for key in keys]  # fmt: skip


def _plain(words: Words, title: str, rows: Sequence[Sequence[str]]) -> str:
    return _table(words, title, _heads(words, title, "gives"), rows)
