"""What `hostless doctor` looks at: this machine, its terminal, its networks, its firewall.

finding.py      a state, a sentence, what to do
machine.py      versions, home, terminal, files, workers; cells.py: how wide letters are
network.py      can a table be found here and reached; probes.py: datagrams that come back
firewall.py     which one there is, and what lets a table through
"""
