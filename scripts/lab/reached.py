"""Which test reaches which lines of some files: only those can notice what is changed there."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from types import FrameType
from typing import Any, Final, NamedTuple

import pytest

from scripts import environment

ROOT: Final = environment.ROOT


class Change(NamedTuple):
    """Something that is made different, how, and, if it is a step of a file, where it stands."""

    name: str
    make: Callable[[], None]
    path: str = ""
    line: int = 0
    end: int = 0


class Reached:
    """A plugin of pytest: which lines of some files every test reaches, and how long it takes."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.tests: dict[str, tuple[float, dict[str, list[int]]]] = {}
        self._paths, self._lines = {str(ROOT / path): path for path in paths}, dict[str, set[int]]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Watch one test."""
        self._lines = {path: set() for path in self._paths}
        began_s = time.process_time()
        threading.settrace(self._call)
        sys.settrace(self._call)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            lines = {self._paths[path]: sorted(each) for path, each in self._lines.items()}
            self.tests[item.nodeid] = time.process_time() - began_s, lines

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        return self._line if frame.f_code.co_filename in self._paths else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        self._lines[frame.f_code.co_filename].add(frame.f_lineno)
        return self._line

    def tests_for(self, path: str, line: int, end: int) -> list[str]:
        """The tests that reach lines; first those that went on behind, as where one refused."""
        reaching = [
            (end + 1 not in lines[path], took_s, test)
            for test, (took_s, lines) in self.tests.items()
            if not {*range(line, end + 1)}.isdisjoint(lines[path])
        ]
        return [test for *_, test in sorted(reaching)]
