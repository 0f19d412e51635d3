"""Tests of the state of the log."""
