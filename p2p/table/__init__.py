"""Gathering people at a table, and running my machine at it.

    node          my machine: commands of the screen in, news out
    gathering     who sits down before the cards are dealt
    terms         what all agree on first              held_up       who lets a full table wait
    life_cycles   of a link between two seats, and of a guest, as tables
    router        where a link belongs that begins       mesh          a link to every other seat
    roaming       a machine stays to be found
    finding       which table somebody means
    own_games     my games that are not over, and who sits at them now
    game_files    the two files of a game
    companions    the bots that I run
    kept_games    the games on this machine
    announcing    a table that is played stays in the lobbies of others
    bot_budgets   how far bots think that nobody runs
    watching      looking on                            neighborhood  who is on the network
    rematch       the same table once more
"""
