"""Screens: everything a person sees, hears and presses.  Nothing here knows a rule of a game.

port.py       the two directions between a front end and its node
bridge.py     trio as a guest in the screen's loop
text.py       every sentence, in the language of the person
sentences.py  offers and log lines as sentences
picture.py    a view as the things one draws, before anything is drawn
ink.py        rows of coloured text with places that can be clicked
actions.py    every key that can be pressed, in one registry
app.py        the screen; screens/ and widgets/ are its parts
plain.py      the same game as lines of text
__main__.py   the command line; commands/ has one module per command
"""
