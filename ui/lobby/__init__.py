"""What is shown before a game, the same on the screen and in lines of text.

people.py        who is on the network
open_tables.py   tables of others; own_games.py: my games
filling.py       a table that fills; game_help.py: games and their options
"""
