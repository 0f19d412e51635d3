"""Screens that were once cut at an edge, or said a code: whole in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.driving import QUIET, whole_text
from tests.ui.fakes import ui
from tests.ui.reading import complaints
from tests.ui.scenes import app_for, scenes, show
from ui.text import LANGUAGE_NAMES

SMALL = (60, 16)
ONCE_CUT = (
    "gathering",
    "help",
    "open-parts",
    "carta-signs",
    "dominion-signs",
    "carta-replay",
    "carta-effects",
)


async def complaints_of(name: str, language: str, size: tuple[int, int]) -> tuple[list[str], str]:
    """What is wrong with a scene, and what it shows."""
    app = app_for(replace(QUIET, language=language))
    async with app.run_test(size=size, notifications=True) as pilot:
        await show(scenes()[name], pilot)
        return complaints(app), whole_text(app)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("name", ONCE_CUT)
def test_nothing_is_cut_on_the_smallest_screen(name: str, language: str) -> None:
    @ui
    async def look() -> None:
        wrong, text = await complaints_of(name, language, SMALL)
        assert not wrong, text

    look()
