"""Seats without a person: search, what it knows of a game, levels, tournaments.

A bot's **decision** is a pure function of what its seat may know, a seed, and a number of
iterations.  It is given the public table and its own observation, and nothing else; it imagines the
rest.

    search.py     information-set Monte Carlo tree search, integers only
    knowledge.py  what search is told about a game: how to play on, what to try, who is ahead
    games/        the same of each game, a module or folder called by its slug
    levels.py     gentle, steady, sharp, strongest: how long a bot thinks
    styles.py     builder, attacker, opportunist: what it likes
    players.py    who can sit in a tournament: fixed opponents, and bots by level
    brain.py      a search in a process of its own, so that no screen and no peer ever waits
    arena.py      tournaments: pairs of games on the same deal with the seats turned
    results.py    the file of a tournament, which goes on from it after a crash
    executors.py  where its games are played: processes, or a Dask cluster
    standings.py  who won how often, and how sure that is
    ratings.py    Wilson's interval, Elo, the sequential test
"""
