"""Lines of text, where there is no screen or none is wanted.

loop.py                the loop around the presenter, and the ways of lines in and out
presenter.py           news to lines, typed lines to commands
table_lines.py         a table; card_lines.py: its cards; beside_heard.py: what stands beside it
lobby_lines.py         the lobby; gathering_heard.py: a table that fills
"""
