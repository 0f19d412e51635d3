"""Tests of the bytes and names that everybody uses."""
