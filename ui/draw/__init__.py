"""All that is drawn, as rows of spans: pure functions, for every size of a screen.

A table:

    scene.py        a view model, what is picked, the size; what the board of a game gives
    frame.py        the whole table: first line, board, prompt, hand, the column beside them
    zones.py        the board of a game that has none of its own; others: `ui/games/SLUG`
    choices.py      the choices that stand nowhere on the board
    story.py        what happened last          talk.py     what was said
    lesson.py       a first game explained      cue.py      marks on what has just changed
    places.py       where labels are, for the arrows
    cached.py       what is drawn once for a view model

Pages:

    result.py       the end of a game           course.py   how the chances went
    fairness.py     what was proven             texts.py    what cards say

The lobby:

    tables.py       tables of others            starts.py   what starts a game
    people.py       who is on the network       lobby_side.py   panels beside the list

For all of these:

    panels.py       frames, cards, what scrolls     cards.py    cards side by side, or as lines
    canvas.py       letters at places               marks.py    colours, dots, places of picks
"""
