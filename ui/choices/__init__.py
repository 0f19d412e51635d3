"""What a person has chosen, at a table.

pending_choices.py    not sent yet, so it can be taken back; unsent.py: lost with the program
asked_back.py         to ask the table to go back
premove.py            for my next turn; standing.py: for good
"""
