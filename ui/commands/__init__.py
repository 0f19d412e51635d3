"""One module per command, each with `run(args) -> int`; imported when the command is given.

screen, play, learn, open, join, resume, watch    sit down: sit.py, on the screen or in lines
serve           the screen in a browser
bot             a seat without a person; companions.py: started by another program;
                foreign.py: a foreign program on a seat
tables          what is on the LAN
replay, audit   a game file
arena           tournaments; ranks.py: their standings
referee         the rules over JSON lines
doctor, bench

person.py       home, name, language and identity; passwords.py: of a table
variants.py     what `--option k=v` means
interruptible.py    trio that ctrl+c ends in order
"""
