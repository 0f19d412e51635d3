"""How long a test waits for what has to come: no promise of the program, only the end of a hang."""

from typing import Final

HANGS_S: Final = 240.0  # Only a fault takes so long, however busy the machine is.
