"""The state of the log: entries in, the same state out; no clock and no network.

replica              one machine's copy of a game
blocked              why my entry is not written now
entries, acks        what one machine has, and who acknowledges which log
membership           who is a member: what all sign of that, and the table of rules
membership_change    entries that replace a seat, or give it back to its owner
script_runner        runs a game from step to step, also where a seat changes hands
seating              who signs and decides for a seat
replica_game         what membership asks of a game
notes                what stands in the game file beside the log
game_file            the game file, written and read
secrets_file         what this seat alone knows, and all that it has signed
shared               what of a game file is the same on all machines
claim                a win that is claimed at the end of a file
objection            a seat was let go as silent, and says that its program ran
recovery             the files of a game mended, where they were damaged
replay               a log played once more: after a restart, and to look at a part of it
"""
