"""Seats without a person: search, what it knows of a game, levels, tournaments.

A bot's **decision** is a pure function of what its seat may know, a seed, and a number of
iterations.  It is given the public table and its own observation, and nothing else; it imagines the
rest.

A decision, from the outside to the inside (the field's word stands behind):

    levels.py            gentle, steady, sharp, strongest: how long a bot thinks; `decide`
    search.py            which candidates are tried how often     sequential halving, racing
    tree.py              what is tried behind each of them        information-set MCTS, UCB1
    rollout.py           how an imagined game is played on        rollout
    transitions.py       what happens between two choices         common random numbers
    knowledge.py         what search is told about a game         policy, prior, evaluation
    games/               the same of each game, a module or folder called by its slug
    by_score.py          ... of a game of which nobody has told it anything; score_profile.py
    softmax.py           shares of the victory from points
    styles.py            builder, attacker, opportunist: what a bot likes

Deals are determinized by `core.determinization`; all chance is `core.chance`.

A seat at a table:

    bot.py               a peer without a person; time_management.py: on a busy machine
    bot_terms.py         what a bot is bound to, and its decision done again in an audit
    open_bot.py          the bot of an open seat, which every machine works out
    brain.py             a search in a process of its own, so that no screen and no peer ever waits
    assistants.py        processes that share the candidates of a search
    workers.py           when such processes start and end; retries.py: when one has died
    program.py           the name and number of this program

What search thinks, for people: explain.py (hints), review.py (costly choices), win_probability.py
(how a game went).

Tournaments:

    players.py           who can sit in one: fixed opponents, and bots by level
    foreign_program.py   a program of somebody else; foreign_lines.py: what is said to it
    arena.py             paired deals with the seats rotated
    results.py           the file of a tournament, which goes on from it after a crash
    executors.py         where its games are played: processes, or a Dask cluster
    standings.py         who won how often, and how sure that is
    ratings.py           Wilson's interval, Elo, the sequential test

openspiel.py offers the games to the algorithms of OpenSpiel.
"""
