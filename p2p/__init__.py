"""Machines that do not trust each other, and one game that they agree on.

Every card operation is a signed, proven entry in one log that every peer holds.  No private
channel is needed anywhere: a card is private because one key share is withheld, not because a
message was hidden.  So one file is the game, the replay, the recovery and the evidence.

    the rules ask            the seats write, in seat order                     kinds of entries
    ---------------------    -----------------------------------------------    ----------------
    (before the game)        commit to a key, then show it with its proof       key seal, key
    Choice(a)                a writes the action, and a proof of its claim      choose
    Secret(a, b, ..)         commit to the actions, then open them              seal, unseal
    Roll                     the VRF value of each; all are mixed               roll
    Shuffle by all           each in turn permutes, re-masks, proves            shuffle
    Shuffle by a             a does so with its own cards                       mix
    Reveal to a              the others take their layers off                   share
                             a holder turns its card into a's                   pass
    Reveal to everybody      whoever holds a layer takes it off                 open
    (a joint shuffle of      a holder turns its card into a joint one)          return
    Over                     all sign the result                                finish

A step closes when all its writers have written, so the order of the log comes from the rules: no
vote, no leader, no clock.  Before anything that cannot be taken back is said in answer to another
seat, every proof is verified and every seat has said that it holds the same log.

Eight rooms; each knows only those below it, and `import-linter` makes sure of that:

    table              gathering people, and running my machine at a table
    audit   session    the second reader; the actors around a running game
    log                the pure state of the log: no clock, no network
    game    net        what a game writes, step by step; finding and talking to machines
    base               the bytes and names that everybody uses
    crypto             one construction a file
"""
