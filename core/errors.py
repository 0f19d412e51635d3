"""What the person in front of the screen has to know, whichever floor found it out."""

from __future__ import annotations


class HostlessError(Exception):
    """Something the person in front of the screen has to know; `hint` says what to do."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.hint = hint
