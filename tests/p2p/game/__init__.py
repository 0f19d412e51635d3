"""Tests of what a game writes, step by step."""
