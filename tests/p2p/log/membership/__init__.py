"""Tests of the rules of membership."""
