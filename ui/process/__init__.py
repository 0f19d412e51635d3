"""What the program does as a process of this machine.

system.py      what systems do differently; sponsored.py: it goes when another one has gone
diagnosis.py   the log file of a home; fault.py: a fault of ours
garbage.py     when garbage is collected
"""
