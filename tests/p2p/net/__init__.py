"""Tests of finding and talking to machines."""
