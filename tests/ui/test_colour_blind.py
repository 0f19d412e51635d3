"""What a colour alone would say is told apart by who sees no red or no green.

Hues that are to be read on every ground cannot all be far apart then: those of seats, stones and
kinds of cards are not, and have a letter, a name or a bracket beside them.
"""

from __future__ import annotations

from itertools import combinations, product
from math import dist
from typing import Final, TypeAlias

import pytest
from textual.color import Color

from tests.ui.driving import an_app
from ui.games.civilization.position import SEAT_LETTERS
from ui.games.renaissance.graph import STONE_STYLES, stone
from ui.settings import THEMES
from ui.terminal.themes import linear, luminance

Parts: TypeAlias = tuple[float, float, float]

# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation
# of Color Vision Deficiency", IEEE TVCG 15 (2009) 6: the whole deficiency, on linear light.
SIGHTS: Final = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
_XYZ: Final = (  # IEC 61966-2-1, with the white of D65 as 1.
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)
ALONE: Final = (("success", "error"), ("c-blue", "c-red"))
LEAST: Final = 10  # Of CIE 1976, in which 2.3 is just seen.


def _times(matrix: tuple[Parts, ...], parts: Parts) -> Parts:
    one, two, three = (sum(a * b for a, b in zip(row, parts, strict=True)) for row in matrix)
    return one, two, three


def _lab(color: Color, sight: str) -> Parts:
    seen = _times(SIGHTS[sight], linear(color))
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in _times(_XYZ, (max(seen[0], 0), max(seen[1], 0), max(seen[2], 0)))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: Color, other: Color, sight: str) -> float:
    """How far apart two colours are for somebody (CIE 1976)."""
    return dist(_lab(one, sight), _lab(other, sight))


@pytest.mark.parametrize("theme", [theme for theme in THEMES if not theme.startswith("ansi")])
def test_what_only_a_colour_says_can_be_told_apart(theme: str) -> None:
    app = an_app()
    app.theme = theme
    variables = app.get_css_variables()
    for (one, other), sight in product(ALONE, SIGHTS):
        colors = Color.parse(variables[one]), Color.parse(variables[other])
        assert distance(*colors, sight) >= LEAST, (one, other, sight)


def test_red_and_green_of_one_brightness_are_alike_without_either() -> None:
    red, green = Color.parse("#c06060"), Color.parse("#7f7f50")
    assert distance(red, green, "deutan") < LEAST < distance(red, Color.parse("#6060c0"), "deutan")


def test_a_letter_stands_on_every_stone_and_for_every_seat() -> None:
    texts = [stone(piece)[0].strip() for piece in range(1, 5)]
    assert all(one != other for one, other in combinations([*texts, *SEAT_LETTERS], 2))
    assert all(texts)


@pytest.mark.parametrize("theme", THEMES)
def test_no_two_stones_are_filled_alike_and_a_white_one_is_the_brightest(theme: str) -> None:
    app = an_app()
    app.theme = theme
    ours = app.get_css_variables()
    names = [style.split("$")[1].split()[0] for style in STONE_STYLES]
    assert len({ours[name] for name in names}) == len(names)
    if not theme.startswith("ansi"):
        lights = [luminance(Color.parse(ours[name])) for name in names]
        assert lights[3] == max(lights)
        assert lights[2] < lights[0]


@pytest.mark.parametrize("theme", [theme for theme in THEMES if not theme.startswith("ansi")])
def test_a_yellow_stone_is_not_taken_for_a_space_that_is_free(theme: str) -> None:
    app = an_app()
    app.theme = theme
    ours = app.get_css_variables()
    colors = Color.parse(ours["stone-yellow"]), Color.parse(ours["accent"])
    assert all(distance(*colors, sight) >= LEAST for sight in SIGHTS)
