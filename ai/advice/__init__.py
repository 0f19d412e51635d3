"""What search thinks, for people.

explain.py            hints
win_probability.py    how a game went
"""
