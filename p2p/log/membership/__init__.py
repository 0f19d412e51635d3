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
"""
