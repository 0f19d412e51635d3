"""The mathematics that makes a deck fair when nobody holds it.

Pure functions on points of ristretto255: no network, no clock, no table. One paper a file.

    sodium.py         libsodium, bound once
    group.py          points and scalars; strict parsing         RFC 9496
    transcript.py     what was said so far, hashed               Fiat and Shamir; Merlin
    entropy.py        where secrets come from
    sure.py           what has to hold under `python -O` as well
    keys.py           a seat's key, the joint key                Schnorr, RFC 8235
    masking.py        mask, re-mask, shares, owner form          Barnett and Smart; Chaum, Pedersen
    pedersen.py       one point for a list of numbers            Pedersen
    known_shuffle.py  a commitment holds known numbers           Groth 2010, section 4
    shuffle_proof.py  a shuffle and its proof                    Groth 2010, section 5
    precomputed.py    what a shuffler works out before
    batch.py          what a verifier works out before           Bellare, Garay, Rabin
    rekey.py          a card changes hands unseen                Camenisch and Stadler
    one_of_many.py    "none of my cards can be played"           Cramer, Damgard, Schoenmakers
    tally.py          what is left beside everybody's hand       Cramer, Gennaro, Schoenmakers
    plaintext_equality.py    which ciphertexts say nothing       Jakobsson and Juels
    vrf.py            random values that a key is bound to       RFC 9381
    commitments.py    sealed, then opened; mixed; drawn from    Blum
    key_sharing.py    a key in parts, all of which are needed    Feldman; Camenisch, Damgaard
    cpace.py          a password that is never shown             CPace

The life of a card, for seats with joint key Y = Y_1 + ... + Y_n:

    face -> hash_to_point -> open_form(M, Y) -> shuffle by every seat -> one masked deck
    deal to o:  every seat but o gives a share     -> owner form under Y_o: only o reads it
    open:       o gives its share as well          -> M: everybody looks the face up
    hand over:  o re-keys it to Y_t                -> owner form under Y_t
    put back:   o re-keys it to Y, every seat shuffles

Every `prove_...` and `verify_...` takes a context: bytes that name version, game, step, seat and
purpose. A proof is worth nothing in any other context. `verify_...` returns, or raises ProofError.

What this does not protect against: all seats but one may join their keys and read what was dealt
to none of them (the deck), which is why a deck's key is that of all seats; and nothing here says
*when* a share may be given or *which* card may be played. That is the rules' and the log's part.
"""
