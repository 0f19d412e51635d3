"""The bytes and names that every other room uses: no clock, no network, no game.

    errors, limits, version     what can go wrong, how much of anything, which protocol
    wire                        canonical CBOR: which bytes a value is, and back
    identity, words             who a machine is; four words that stand for it
    entry                       one signed record of the log
    roster, turn                who sits where and on which terms; what a bot needs to decide
    open_seats                  seats whose secrets follow from the roster
    disk                        files that stay when the power fails
"""
