"""The bytes and names that every other room uses: no clock, no network, no game.

    errors, limits    what can go wrong; how much of anything, and which version of the protocol
    wire              canonical CBOR: which bytes a value is, and back
    identity          who a machine is; four words that stand for it
    entry             one signed record of the log
    roster            who sits where and on which terms; seats whose secrets follow from it
    disk              files that stay when the power fails
    loading           what is imported and prepared while the event loop runs
    steps             whoever repeats something small does it when others do
"""
