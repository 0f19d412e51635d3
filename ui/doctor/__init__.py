"""What `hostless doctor` looks at: this machine, its terminal, its networks, its firewall.

finding.py     what one look found, as a sentence and as JSON
machine.py     versions, home, terminal, temporary files, compiled rules, worker processes
cells.py       how wide the terminal draws characters
network.py     interfaces, multicast, beacon, ports, a table that is announced and found
probes.py      the datagrams that are sent and heard back
firewall.py    which firewall there is, and what lets a table through it
"""
