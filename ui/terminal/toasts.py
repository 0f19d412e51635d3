"""How long a toast lies over a screen.

All go through `HostlessApp.notify` (`ui.app`): a toast goes when its time is over, or at the first
key that is pressed when it has surely been read.  Without a time of its own it has Textual's.
"""

from __future__ import annotations

from typing import Final

SHORT_TOAST_S: Final = 3.0  # Why a key did nothing.
MEDIUM_TOAST_S: Final = 4.0  # The same where one types, or at the end of a game.
NEWS_TOAST_S: Final = 8  # What the node told.
LONG_TOAST_S: Final = 12.0  # What a card says, and what can be done when nobody else answers.
READ_CELLS_PER_S: Final = 20.0  # How fast somebody reads for whom it is a second language.
