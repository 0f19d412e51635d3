"""Tests of the second reader and its verdict."""
