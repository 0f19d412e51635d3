"""Measurements of speed, also beside other programs: `python3 scripts/bench.py NAME [...]`."""
