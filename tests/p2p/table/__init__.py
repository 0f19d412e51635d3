"""Tests of gathering people, and my machine at a table."""
