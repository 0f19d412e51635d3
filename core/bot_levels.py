"""What a table can agree on about a bot: the names of the levels, and how far it may think.

They are data, for those who check what arrives and do not think themselves. `ai.levels` says what
the levels are.
"""

from typing import Final

LEVEL_NAMES: Final = ("gentle", "steady", "sharp", "strongest")  # From the weakest on.
ITERATIONS_MAX: Final = 1_000_000  # For one choice, which is minutes: nobody waits longer.
PARTS: Final = (1, 3, 10)  # A hurried bot does one in so many of them: what the levels are apart.
