"""The rules: standard library only; no clock, no randomness, no network, no screen.

A **card** is a piece of cardboard, a **face** is what is printed on it.  Rules move cards, never
faces.  The **table** holds everything public and is the same on every machine, byte for byte:
zones of card numbers, the faces everybody has seen, counters, and who has seen each hidden card.
What one seat knows beyond that is its **observation**, and is handed in, never stored.

A game never acts: it returns a **request** (Choice, Secret, Reveal, Shuffle, Roll, Over), and the
world answers with one **event**.  The log of a game is the list of its events.

    game.py              what a game declares; options
    table.py             the flat public state, families of hidden cards, digests in sections
    requests.py          requests, events, actions, claims, facts
    engine.py            start, apply_event (of a log), run_until_choice (with a complete deal)
    games/               the rules of each game; plugins.py finds those of other packages

What a seat may know:

    determinization.py   a deal that fits what a seat knows, and what a seat knows of a deal
    view.py              one seat's picture, for screens and programs
    information_state.py observation and information state as text
    narrate.py           what happened, as the log of a game tells it; playback.py: where to jump

Games whose every face is known to one program:

    known_table.py       such a game, its shuffles and rolls by chance or as prepared
    match.py             the library: `Match`
    referee.py           the same over JSON lines

For all of these:

    chance.py            the repeatable numbers of imagined games
    plain.py             actions as lists, with limits: the edge to files and networks
    errors.py            the base of what a person can mend
    bot_levels.py        what a table can agree on about a bot
    native.py            words for the compiler
    testing/             what the author of a game tests it with
"""
