"""States of a world as numbers, so that millions of them fit into memory."""

from typing import NamedTuple


class State(NamedTuple):
    """The honest members and all that was signed, each as a number (`Numbers`)."""

    members: tuple
    said: int
    crashes: int


class Numbers(dict):
    """Values, numbered as they come: equal ones have one number."""

    def __init__(self):
        super().__init__()
        self.values_in_order = []

    def __missing__(self, value):
        self[value] = number = len(self.values_in_order)
        self.values_in_order.append(value)
        return number

    def value(self, number):
        return self.values_in_order[number]
