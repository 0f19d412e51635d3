"""The actors around a running game: everything that waits, sends, or asks a clock.

    session          my seat at a running game         background    proofs and decks made ahead
    players          who chooses for my seat           commands      what a screen asks of a node
    news             what a node tells a screen        showing       when a screen gets a snapshot
    snapshot         what a screen shows               relaying      what goes on to others
    places           where the others may be           instances     one program a seat
    catching_up      whoever is behind                 claiming      whoever is left
    reachability     who is silent, how long           leaving       going for good
    restarting       what binds me after a crash       accusing      what is done about a cheater
    clocks           whose time is running             talking       what people say
    table            what all of these share           taking_back   asking for a choice back
    spectators       who looks on, and is shown        table_status  what they are told beside it
    pairing          the words that a table compares aloud, and whom one has met

    membership        the member that I am: who else is one, and which log all have
    membership_inbox  what members say
    shown_changes     changes of members that others show, and that are in force already
    failure_detector  waiting for who is silent, and suspecting it when that is over
    change_reasons    why members go, and come back, and what proves it
    change_notices    what the person is told of who is gone or back
    restore_votes     the votes by which owners come back: who keeps one away
    timers            when a member proposes again, or takes a yes back
"""
