"""A game read from its file by other code than that which plays it.

Who judges with the code of the accused finds what it finds.  So `docs/spec/protocol.md` was written
down a second time, here, and only as far as somebody needs who listens: no writing, no waiting,
no network.  A file is read from the first byte to the last, one entry after the other.

    audit.py    the verdict for every seat, from what is read
    log.py      sections 7, 8, 13: bytes, signatures, order, heads, digests, two for one head
    cards.py    section 9: who holds which card, and which statement every proof is about
    game.py     sections 9, 10: keys, choices, rolls, lots, the result, the opened keys
    seats.py    section 18: who signs and decides for a seat
    renewal.py  section 18.4: new keys       rebuilt.py  section 19: decks dealt anew
    changes.py  section 18: by whom that is in force, and why      escrow.py    keys in parts
    bodies.py   what stands in an entry, read strictly
    seals.py    sections 9, 10, 18.3: secret choices
    going_back.py  section 9: going back by agreement
    findings.py  what was found, and a win that is claimed
    grades.py   what a whole file is worth                 several.py   the files of several players

One code for both are the rules (`core`), the verifiers of single proofs (`p2p.crypto`), the
encoding of values and the roster, the form of the file with its notes, and what members sign with
the evidence in it (`messages`, `log` and `evidence` of `p2p.log.membership`): what these say
depends on their arguments alone, and they have tests and vectors of their own.  `import-linter`
makes sure that nothing of the players' side is reached from here.
"""
