"""What a table can agree on about a bot: its level, with a style or without, and how far it thinks.

They are data, for those who check what arrives and do not think themselves. `ai.levels` says what
the levels are, `ai.search.styles` what the styles are.

A style stands behind the level: `steady+builder`.  So it is bound, carried and compared wherever
the level is, and nothing on the way from the form to the audit can lose it.
"""

from typing import Final

LEVEL_NAMES: Final = ("gentle", "steady", "sharp", "strongest")  # From the weakest on.
STYLE_NAMES: Final = ("builder", "attacker", "opportunist")
BOT_LEVELS: Final = (
    *LEVEL_NAMES,
    *(f"{level}+{style}" for level in LEVEL_NAMES for style in STYLE_NAMES),
)
ITERATIONS_MAX: Final = 1_000_000  # For one choice, which is minutes: nobody waits longer.
PARTS: Final = (1, 3, 10)  # A hurried bot does one in so many of them: what the levels are apart.


def with_style(level: str, style: str) -> str:
    """A level by its name, and the style behind it, if there is one.

    >>> with_style("steady", "builder"), with_style("steady", "")
    ('steady+builder', 'steady')
    """
    return f"{level}+{style}" if style else level


def level_and_style(bot_level: str) -> tuple[str, str]:
    """Both names; that of the style is empty if there is none.

    >>> level_and_style("steady+builder"), level_and_style("steady")
    (('steady', 'builder'), ('steady', ''))
    """
    level, _, style = bot_level.partition("+")
    return level, style
