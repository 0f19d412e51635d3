"""The rules: standard library only; no clock, no randomness, no network, no screen.

A **card** is a piece of cardboard, a **face** is what is printed on it.  Rules move cards, never
faces.  The **table** holds everything public and is the same on every machine, byte for byte:
zones of card numbers, the faces everybody has seen, counters, and who has seen each hidden card.
What one seat knows beyond that is its **observation**, and is handed in, never stored.

A game never acts: it returns a **request** (Choice, Secret, Reveal, Shuffle, Roll, Over), and the
world answers with one **event**.  The log of a game is the list of its events.

    table.py     the flat public state, families of hidden cards, digests in sections
    requests.py  requests, events, actions, claims
    game.py      what a game declares; options
    engine.py    start, apply_event (of a log), run_until_choice (with a complete deal)
    imagine.py   a deal that fits what a seat knows
    view.py      one seat's picture
    match.py     a game under way, for programs
    games/       the rules of each game
    plugins.py   the games of other packages
"""
