"""Seats that are lost, given up or convicted, and how the others play on.

patience      waiting, and what is due         reach         who is silent, and how long
absence       what the words of all make of it
testimony     the words that I give and hear   keyring       keys of seats that are gone
escrow        a key in parts, by all           rebuilding    its cards, dealt anew without it
handover      the entry that replaces a seat   early         one that is heard too early
seating       who signs and decides for it
accusing      what is done about a cheater     forks         logs that a cheater has parted
alone         whoever is left                  parting       logs that part for good because of it
returning, homecoming, new_key                 the seat goes back to its owner
"""
