"""The name by which bots of this program are bound at a table."""

from __future__ import annotations

from typing import Final

PROGRAM: Final = "hostless 18"
"""Another number whenever a decision could come out differently than before."""
