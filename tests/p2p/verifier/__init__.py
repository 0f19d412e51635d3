"""A second implementation of everything that reads a game file, written from the protocol alone.

`python -m tests.p2p.verifier FILE` tells which cards were opened as which faces, who came and went,
and that every check holds; or in one line what does not.

It imports nothing of the program, but for `rulebook`, which gives the rules of our games as plain
values: so where the program and `docs/spec/protocol.md` differ, one of the two readers refuses a
file.  One subject each:

    values, group, log          bytes, points and hashing, entries and their chain
    proofs, escrow, tally       each construction of section 12
    reading                     steps, contexts, and who is to blame
    messages                    what members sign, and what convicts them
    members, seat_changes       seats that change hands: what puts it in force, and what follows
    keys, cards, rebuilding     keys, who holds which card, cards of a lost key
    audit                       what each request of the rules becomes
    records                     what stands in a file beside the entries

Not here: whether a choice was one that hidden cards allowed, and what a bot's program would have
chosen, which takes that program.  Where a sealed choice fits nothing, the first that was offered is
due, and that is here.
"""
