"""The parts that screens are made of.

rows.py         shows a drawing, and says what was clicked
keys.py         the line of keys at the bottom
hint.py         the drawing of a hint
form.py         a line for each question, and its answers
options.py      a list with a bar
"""
