"""Screens: everything a person sees, hears and presses.  Nothing here knows a rule of a game.

    port.py       the two directions between a front end and its node
    bridge.py     trio as a guest in the screen's loop
    text.py       every sentence, in the language of the person (locales/)
    sentences.py  offers and log lines as sentences
    look.py       what a screen can be told about a game: faces, piles, words for a moment
    games/        the same of each game, a module or folder called by its slug
    picks.py      the numbers and letters that pick an offer
    picture.py    a view as the things one draws, before anything is drawn
    ink.py        rows of coloured text with places that can be clicked
    draw/         the table as such rows, at three sizes
    actions.py    every key that does something, in one registry
    settings.py   what a person has chosen about the screen
    app.py        the screen; screens/ and widgets/ are its parts
    plain.py      the same game as lines of text
    recording.py  a finished game as pictures to leaf through
    foreign.py    seats a foreign program
    diagnosis.py  the log file of a home
    commandline.py  what the command line accepts
    parser.py     a parser that speaks the language of the person; arguments.py what values may be
    game_help.py  games and options, in the help of a command
    complaints.py what went wrong, in the language of the person
    doctor/       what `doctor` looks at
    __main__.py   the command line; commands/ has one module per command

The way of a key press: `screens/table.py` sends the offer under the pick, the node answers with a
whole new view, `picture.py` makes a picture of it, and `draw/` draws what changed.
"""
