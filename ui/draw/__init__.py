"""The table drawn as rows of text: pure functions from a scene, for every size of a screen.

    scene.py    a picture, what is picked, the size; what a board of a game gives
    frame.py    the whole table: first line, board, prompt, hand, the column beside them
    panels.py   frames, cards, what scrolls        canvas.py   letters at places
    cards.py    cards side by side, or as lines    choices.py  what stands nowhere on the board
    story.py    what happened last                 places.py   where labels are, for the arrows
    zones.py    the board of a game that has none of its own
    people.py   who is on the network              tables.py   the tables of the lobby
    texts.py    what a card says                   marks.py    colours, dots, places of picks

The boards of our games lie in `ui/games/SLUG`.
"""
