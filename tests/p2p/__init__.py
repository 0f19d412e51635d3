"""Tests of the network side: peers, links, logs, cards."""
