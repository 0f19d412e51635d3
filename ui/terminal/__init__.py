"""A terminal, below all screens: signs, colours and keys, and what Textual does otherwise.

charset.py     which letters it has
spans.py       text with its style; breaking.py: where a line may end
themes.py      colours; stylesheet.py: styles are parsed once
driver.py      a terminal that may be closed; keyboard.py: what it sends; console.py: of Linux
toasts.py      how long a toast stays
"""
