"""Long evidence that all holds: `lab.py NAME [...]`."""
