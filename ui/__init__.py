"""Screens: everything a person sees, hears and presses.  Nothing here knows a rule of a game.

From the ground up; whatever lies higher may import what lies lower, and import-linter checks it:

    port.py          commands and news: what a front end holds of its node
    language/        every sentence, in the language of the person
    process/         the program as a process: systems, the log file, faults
    terminal/        signs, colours and keys, and what Textual does otherwise
    look.py          what the look of a game can say
    key_bindings.py  every key that does something; keymap.py: the person's own keys
    settings.py      what a person has chosen about the screen
    model/           what is shown of a table, before it is drawn
    lobby/           what is shown before a game
    replay/          games that are over
    choices/         what a person has chosen at a table
    backend/         the node beside a screen, and the adviser
    draw/            all that is drawn, as rows of `terminal/spans.py`
    plain/           lines of text
    widgets/         rows that are clicked, the panel of a hint
    games/           how each game looks
    screens/         the screens of the app
    app.py           the app and its modes; browser/: in a tab; doctor/: what `doctor` looks at
    commandline/     what the command line accepts; commands/: a module for each command
    __main__.py      one command, and its exit code

From the news to a painted row, and back: ARCHITECTURE.md.
"""
