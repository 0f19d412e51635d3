"""Tests; a package, so that no foreign `tests` can be imported in its place."""
