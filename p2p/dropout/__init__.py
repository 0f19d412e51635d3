"""Seats that are lost, given up or convicted, and how the others play on.

patience      waiting, and what is due         absence       agreeing that a seat is gone
seating       who signs and decides for it     escrow        its key, put together
rebuilding    its cards, dealt anew            accusing      what is done about a cheater
returning, homecoming                          the seat goes back to its owner
"""
