"""Tests of the card mathematics: what holds is accepted, everything else is refused."""
