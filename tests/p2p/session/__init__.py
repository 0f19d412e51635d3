"""Tests of the actors around a running game."""
