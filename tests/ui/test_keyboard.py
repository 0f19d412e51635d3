"""Keys are heard when they are typed, and nothing is done while nobody types."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.message import Message

from tests.limits import HANGS_S
from ui.terminal.keyboard import Keyboard


class Typing:
    """A keyboard to type at, and what is heard of it."""

    def __init__(self) -> None:
        self.heard = SimpleQueue[Message]()
        self.keyboard = Keyboard()
        self.ticks = 0
        self._reads, self._writes = os.pipe()
        self.listening = Thread(target=self._listen, daemon=True)
        self.listening.start()

    def _listen(self) -> None:
        parser = XTermParser()
        tick: Callable[[], object] = parser.tick

        def counted() -> object:
            self.ticks += 1
            return tick()

        parser.tick = counted  # type: ignore[method-assign, assignment]
        self.keyboard.listen(self._reads, parser, self.heard.put)

    def types(self, letters: bytes) -> None:
        os.write(self._writes, letters)

    def key(self) -> str:
        """The next key that is heard."""
        message = self.heard.get(timeout=HANGS_S)
        assert isinstance(message, Key)
        return message.key

    def goes(self) -> None:
        """The terminal is closed."""
        os.close(self._writes)

    def ends(self) -> None:
        self.listening.join(HANGS_S)
        assert not self.listening.is_alive()
        os.close(self._reads)


@pytest.fixture
def typing() -> Iterator[Typing]:
    person = Typing()
    yield person
    person.keyboard.stop()
    person.ends()


def test_keys_are_heard_as_they_are_typed(typing: Typing) -> None:
    typing.types("a\x1b[C한".encode())
    assert [typing.key() for _ in range(3)] == ["a", "right", "한"]


def test_a_letter_that_comes_in_pieces_is_one(typing: Typing) -> None:
    whole = "한".encode()
    typing.types(whole[:1])
    typing.types(whole[1:])
    assert typing.key() == "한"


def test_an_escape_alone_is_heard_though_nothing_follows(typing: Typing) -> None:
    typing.types(b"\x1b")
    assert typing.key() == "escape"


def test_nothing_is_looked_at_before_something_is_typed(typing: Typing) -> None:
    typing.types(b"a")
    typing.key()
    typing.keyboard.stop()
    typing.listening.join(HANGS_S)
    assert typing.ticks <= 2  # After the letter, and when no name of a key can follow any more.


def test_a_terminal_that_has_gone_ends_the_listening() -> None:
    person = Typing()
    person.goes()
    person.ends()
    assert person.heard.empty()
    person.keyboard.stop()
