"""Who is stronger, and how sure that is.

arena.py        paired deals with the seats rotated
results.py      the file of a tournament, which goes on from it after a crash
standings.py    who won how often
ratings.py      Wilson's interval, Elo, the sequential test
"""
