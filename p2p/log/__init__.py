"""The state of the log: entries in, the same state out; no clock and no network.

    replica     one machine's copy of a game          chains    the entries of each seat
    acks        who says that it has which log        ledger    the game file, written and read
    mending     damaged files, cut where they hold    hearing   a file read into a replica
    votes       what all say of seats that are gone   claim     a win that is claimed
    handover, returning, parting     entries that replace a seat, give it back, part logs for good
    seating     who signs and decides for a seat
"""
