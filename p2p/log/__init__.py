"""The state of the log: entries in, the same state out; no clock and no network.

replica              one machine's copy of a game
entries, acks        what one machine has, and who acknowledges which log
membership           who is a member: what all sign of that, and the table of rules
membership_change    entries that replace a seat, or give it back to its owner
course               how a game goes on from step to step, also where a seat changes hands
seating              who signs and decides for a seat
played               what membership asks of a game
notes                what stands in the game file beside the log
ledger               the game file and its secrets, written and read
claim                a win that is claimed at the end of a file
recovery             going on from the files of a game, also from damaged ones
"""
