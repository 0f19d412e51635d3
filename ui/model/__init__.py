"""What is shown of a table, the same on the screen and in lines of text, before it is drawn.

view_model.py     a view with names, labels and looks; zones.py: where nobody has drawn a game
picks.py          the labels that pick an offer; several.py: several cards at once
prompt.py         what the table waits for; why_not.py: why a card cannot be chosen
sentences.py      offers and log lines as sentences; story.py: the log of a game by turns
away.py           who is silent; clocks.py, pause.py: time; fairness.py: what was proven
substituted.py    what a bot chose for me
result.py         who won and why
talk.py           what people say
lesson.py         the commentary of a first game; rules.py: the rules; notes.py: own notes
"""
