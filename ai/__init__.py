"""Seats without a person: search, what it knows of a game, levels, tournaments.

A bot's **decision** is a pure function of what its seat may know, a seed, and a number of
iterations.  It is given the public table and its own observation, and nothing else; it imagines the
rest.  Deals are determinized by `core.determinization`; all chance is `core.chance`.

From the ground up; whatever lies higher may import what lies lower, and import-linter checks it:

    processes/      where thinking is done
    search/         one decision; what search is told about a game
    games/          the same of each game, a module or folder called by its slug
    levels.py       gentle, steady, sharp, strongest: how long a bot thinks; `decide`
    advice/         what search thinks, for people
    players/        who can sit in a tournament, or at a table
    tournaments/    who is stronger
    seats/          a seat at a table without a person
    review.py       costly choices of a game that is over
    openspiel.py    offers the games to the algorithms of OpenSpiel
"""
