"""The table drawn as rows of text: pure functions from a picture and a width, for three sizes.

marks.py   what all drawings share: colours, dots, what a place stands for
bars.py    title, prompt, choices, the middle, the story
seats.py   everybody's piles, mine as boxes
hand.py    my cards
"""
