"""The actors around a running game: everything that waits, sends, or asks a clock.

    session        my seat at a running game             background    proofs and decks made ahead
    players        who chooses for my seat               news          between node and screen
    picture        what a screen shows                   relaying      what goes on to others
    places         where the others may be               instances     one program a seat
    catching_up    whoever is behind                     claiming      whoever is left
    membership     waiting for who is silent, and what is due then
    reachability   who is silent, how long               voting        the votes I give and hear
    lost_keys      keys of seats that are gone           rejoin        a seat goes back to its owner
    accusing       what is done about a cheater          forks         logs that differ
"""
