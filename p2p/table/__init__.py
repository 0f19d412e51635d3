"""Gathering people at a table, and running my machine at it.

    node          my machine: commands of the screen in, news out
    gathering     who sits down before the cards are dealt     terms      what all agree on first
    door          who may come in                              mesh       everybody calls everybody
    finding       which table somebody means                   roaming    being found, wherever I am
    own_games     games of mine that are going on without me   watching   looking on
    game_files    the two files of a game                      companions the bots that I run
"""
