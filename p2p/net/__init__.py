"""Finding and talking to machines: tables that appear by themselves, and encrypted links.

    discovery    every way to find tables at once       dns_sd, beacon the ways: hints, no facts
    sightings    what is to be seen now                 table_ad       what a table says of itself
    presence     who sits where, to those who know      interfaces     through which we are heard
    dialling     calling an address                     callers        how many may call
    certificate, handshake, link      TLS 1.3 that is nothing but an identity; who is there; frames
    password     whoever sits down knows a word, and learns nothing otherwise
    channels     what comes together is heard together
"""
