"""What a proof, or the bytes of one, can do wrong.

One class on purpose: whoever receives a bad proof does the same thing whatever the reason is. It
refuses the entry, names the seat that signed it and keeps the sentence as the explanation.
"""


class ProofError(Exception):
    """Bytes from a peer that are not what they claim to be; the text says what is wrong."""
