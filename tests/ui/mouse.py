"""A hand at a mouse: what somebody would press is clicked where it stands on the screen."""

from __future__ import annotations

from tests.ui.people import Cap, Person

BUTTON = "\x1b[<0;{x};{y}{end}"  # SGR mouse reports (xterm, ctlseqs, "Extended coordinates").


class Mouse:
    """Somebody's screen, at which nothing is typed."""

    def __init__(self, person: Person) -> None:
        self.person, self.name = person, person.name

    def text(self) -> str:
        """What can be read now."""
        return self.person.text()

    def caps(self) -> list[Cap]:
        """The keys that stand there now."""
        return self.person.caps()

    def press(self, *keys: str) -> None:
        """Click where these keys stand."""
        for key in keys:
            self.click(*self._place(key))

    def click_line(self, words: str) -> None:
        """Click in the line in which these words begin."""
        lines = self.text().splitlines()
        at = next(number for number, line in enumerate(lines) if words in line)
        self.click(lines[at].index(words), at)

    def click(self, x: int, y: int) -> None:
        """Press the left button at a column and a row, both from 0, and let it go."""
        self.person.press(*(BUTTON.format(x=x + 1, y=y + 1, end=end) for end in "Mm"))

    def _place(self, key: str) -> tuple[int, int]:
        """The column and the row where a key stands: in a cap, or in the line of keys."""
        for cap in self.caps():
            if cap.key == key:
                return cap.x, cap.y
        lines = self.text().splitlines()
        for y in range(len(lines) - 1, -1, -1):
            if f" {key} " in lines[y]:
                return lines[y].index(f" {key} ") + 1, y
        raise AssertionError(f"nothing is to be clicked for {key!r} at\n{self.text()}")
