"""Who can sit in a tournament, or at a table.

players.py            fixed opponents, and bots by level
foreign_program.py    a program of somebody else; foreign_lines.py: what is said to it
"""
