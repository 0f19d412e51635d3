"""What the command line accepts, and what it says of itself.

surface.py      every command and option; arguments.py: what values may be
parser.py       speaks the person's language
completion.py   for a shell
"""
