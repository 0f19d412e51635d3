"""Who is a member of the table: one kind of vote, one kind of certificate, one table of rules.

    messages        what members sign: votes, acknowledgements, farewells, wishes
    log             steps and changes on top of each other, and when they are in force
    evidence        two signed things that an honest member never signs both
    state           what a member keeps on disk and in memory; what it hears and what it does
    disk            the same as records of a file
    context         one moment of one member, with the questions that the rules ask about it
    guards          the conditions of the rules: each is such a question
    rules           the rules T0 to T13, as data
    state_machine   the rules applied to what is heard

No clock, no socket, no disk: messages and timeouts go in, records and messages come out, in the
order in which they must be carried out.  `docs/design/membership.md` says why it is as it is.

For whoever knows Raft, or broadcast among cheaters:

    here               there
    ack                the signed echo of a consistent broadcast, here of all members
    in force           committed; `InForceNote` is the commit certificate
    barrier            nobody builds on what is not committed, but its author
    epoch              a configuration or view; named by a head, since numbers can be repeated
    change             a reconfiguration by one seat; its acks are those of the new members
    vote               a pre-vote: it can be taken back, and a no ends its round for good
    to follow          to accept: on disk, and another ack in its place is evidence
    excuses            the noes that justify such another ack
    evidence           two signatures that prove equivocation
    retransmissions    what a link may have lost is said again, until nobody can need it
"""
