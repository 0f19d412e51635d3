"""Finding and talking to machines: tables that appear by themselves, and encrypted links.

    discovery    every way to find tables at once       dns_sd, beacon the ways: hints, no facts
    announcements    what tables say of themselves, and which are in sight
    presence     what the seats of a running game say of themselves
    people       what people who allow it say of themselves, and who is in sight
    interfaces   through which networks we are heard
    changes      whether the networks are others than a moment ago
    listening    callers, from the first byte to a link that is proven
    dialling     calling an address                     admission      how many may call, how often
    certificate, handshake, link      TLS 1.3 that is nothing but an identity; who is there; frames
    password     whoever sits down knows a word, and learns nothing otherwise
"""
