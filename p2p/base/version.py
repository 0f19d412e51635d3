"""The version of the protocol, apart from all that speaks it: screens only compare it."""

from typing import Final

PROTOCOL_VERSION: Final = 2
