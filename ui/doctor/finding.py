"""What one look found: a state, a sentence, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ui.language.text import Words

State: TypeAlias = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`check` names what was looked at; the keys of its sentences begin with `doctor.`.

    A problem is what keeps a table from being opened or found here; a warning is what may.
    """

    check: str
    state: State
    says: str
    values: Mapping[str, object] = field(default_factory=dict)
    advice: str = ""  # The key of what to do; empty where nothing has to be done.

    def text(self, words: Words) -> str:
        """What was found."""
        return words(f"doctor.{self.says}", **self.values)

    def todo(self, words: Words) -> str:
        """What to do about it; empty for nothing."""
        return words(f"doctor.{self.advice}", **self.values) if self.advice else ""

    def line(self, words: Words) -> str:
        """One line for a person."""
        state, check = words(f"doctor.{self.state}"), words(f"doctor.check_{self.check}")
        return " ".join(filter(None, [f"{state}  {check}: {self.text(words)}", self.todo(words)]))

    def value(self, words: Words) -> dict[str, object]:
        """The same for a program: `check`, `state` and `says` stay when sentences change."""
        told = {"text": self.text(words), "advice": self.todo(words)}
        names = {"check": self.check, "state": self.state, "says": self.says}
        return names | told | {"values": {key: str(each) for key, each in self.values.items()}}
