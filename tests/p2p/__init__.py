"""Tests of the network side: peers, links, ledgers, cards."""
