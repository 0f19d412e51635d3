"""The actors around a running game: everything that waits, sends, or asks a clock.

    session        my seat at a running game             background    proofs and decks made ahead
    players        who chooses for my seat               news          words between node and screen
    picture        what a screen shows                   pacing        not the same notice again
    relaying       what one seat says reaches all        catching_up   whoever is behind
    places         where the others may be               onlookers     those who only look on
    pairing        four words compared aloud             instances     one program a seat
    checking       choices of bots worked out again
    membership     waiting for who is silent, and what is due then
    reachability, away     who is silent, how long       voting        the votes I give and hear
    early          an entry that is heard too early      lost_keys     keys of seats that are gone
    rejoin         a seat goes back to its owner         alone         whoever is left
    accusing       what is done about a cheater          forks         logs that are parted
"""
