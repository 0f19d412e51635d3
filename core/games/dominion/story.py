"""What the story of a game of Dominion is told in: see `Game.tells`."""

from __future__ import annotations

from typing import Final

TELLS: Final = {
    # Verbs: what a choice does besides naming a card.
    "play": ("actions", "seat*.discard"),  # Vassal: what lies below comes to the top.
    "buy": ("supply.*", "coins", "buys"),
    "gain": ("supply.*",),
    "choose": ("kingdom.*",),
    "strike": ("supply.*", "box"),
    "put": ("seat*.discard", "seat*.look"),  # Harbinger, perhaps played twice; a fact of a Spy.
    # Lots: who begins, and a kingdom.
    "rolled": ("start", "turn"),
    # What follows.
    "turn": ("turn", "seat*.turns", "actions", "buys", "coins", "seat*.play", "seat*.discard"),
    "kingdom": ("kingdom.*", "supply.*", "box"),
    "again": (),  # The second time by a Throne Room.
    "plus": ("actions", "buys", "coins"),
    "coins": ("coins",),  # How many there are now.
    "revealed": (),
    "kept": (),  # Of revealed cards: to the hand.
    "drew": (),  # Of a draw, the cards that everybody has seen.
    "discarded": (),
    "trashed": (),
    "top": (),  # Of a discard pile, after a choice that has not said it.
    "gained": (),
    "taken": (),  # Gained to the hand.
    "topdecked": (),  # Gained onto the deck.
    "emptied": (),  # A pile of the supply.
    "provinces": ("seat*.play", "seat*.discard"),  # D16: how the game ended.
    "piles": ("seat*.play", "seat*.discard"),
}
STEERING: Final = (
    "phase", "merchants", "silvers", "bought", "chooser", "whose", "need", "limit", "gain.*",
    "picked", "check", "count", "last", "target", "shields", "pull.*", "mix", "depth", "stack.*",
)  # fmt: skip


def plus_kind(actions: int, buys: int, coins: int) -> str:
    """The kind of the fact that a turn has more of these, as in `plus actions.1 coins.2`."""
    counts = {"actions": actions, "buys": buys, "coins": coins}
    return " ".join(["plus", *[f"{what}.{count}" for what, count in counts.items() if count]])
