"""Screens draw what they are told and send commands; they decide nothing.

    base.py         what all share: `BaseApp`, `BaseScreen`
    lobby.py        tables, own games, ways to start; opening.py: a new table; parts.py: its cards
    gathering.py    a table that fills
    end.py          the end of a game; review.py: costly choices
    replays.py      the games kept here, and one of them step by step; opened.py: opens a file
    pages.py        pages over a screen: keys, pile, fairness, rules
    search.py       the keys of a screen, searched by what they do
    story.py        the log by turns; texts.py: what the cards say
    preferences.py  the settings; forms.py: what all forms share

A table is one screen; each class adds one thing to the one below it:

    table.py        `TableScreen`: draws, and what is picked; practice.py, replays.py go on from it
    hinting.py      hints
    reading.py      a cursor for what cannot be chosen
    teaching.py     a first game
    answering.py    choices: sent, pending, standing, premoves
    leaving.py      getting up, winning alone, a rematch
    talking.py      talk, in the place of the keys

Some are imported when they are first needed: the first paint is the lobby.
"""
