"""Encrypted links between machines that know each other, and who may come in.

certificate, handshake, link    TLS 1.3 that is nothing but an identity; who is there; frames
door, callers                   who may come in, how many and how often
password, cpace                 whoever sits down knows a word, and learns nothing otherwise
mesh                            calling each other again
"""
