"""What the story of a game of Renaissance is told in: see `Game.tells`."""

from __future__ import annotations

from typing import Final

from core.games.renaissance.cards import LETTERS
from core.games.renaissance.printed import SERIES, STONES, SYMBOLS

SERIES_DRAWN: Final = tuple([f"series {series}" for series in SERIES])
LAID_AT: Final = tuple([f"laid {letter}" for letter in LETTERS])  # By location.
CLOSED_AT: Final = tuple([f"closed {letter}" for letter in LETTERS])
SCORING_OF: Final = ("culture", "duel")  # By color: blue, red.
COUNTS_IN: Final = tuple([f"counts {symbol}" for symbol in SYMBOLS])
PAID_IN: Final = tuple([f"paid {color}" for color in STONES])  # By the seat whose stones they are.

TELLS: Final = {
    # Verbs: what a choice does besides naming a card.
    "place": ("event.*", "seat*.stones.*", "lifted*"),
    "genius": ("event.*", "seat*.genius", "lifted*"),
    "lift": ("event.*", "lifted*", "seat*.stones.*"),
    "swap": ("seat*.stones.*",),
    "join": ("seat*.laying", "seat*.row*"),
    "name": ("named.*",),
    # The lot of 2.5.
    "rolled": ("start", "turn"),
    # What follows.
    "turn": ("turn", "turns"),
    "series": ("series",),
    "laid": (),  # 2.2, 9.2: an event, by its location.
    "display": (),  # 5.3: cards that come to the display.
    "restocked": ("discard",),  # 12.1
    "swept": (),  # 12.2
    "culture": ("scorings", "named.*"),  # 7: an event is scored.
    "duel": ("scorings", "named.*"),  # 8: the same; how many stones it is about.
    "returned": ("event.*", "seat*.stones.*"),  # 6.3: stones.
    "marker": ("event.*", "seat*.genius"),  # The same of a genius marker.
    "counts": ("named.*",),  # 7.1: how many of a symbol.
    "passes": (),  # 8.2: without a card.
    "uncovered": (),  # 8.3
    "total": (),  # 8.4
    "below": (),  # 8.5: a total that does not reach the stake.
    "wins": (),  # 7.2, 8.5: how many stones.
    "level": (),  # 7.4, 8.7
    "paid": ("seat*.stones.*", "event.*"),  # 6.4
    "lapsed": (),  # 6.4, 7.5
    "discarded": (),
    "kept": (),  # 7.4, 8.6: the only kind of card there is to keep.
    "gone": (),  # 9.1
    "closed": (),  # 9.3
    "revealed": (),  # 13.2: hands that decide.
    "locations": (),  # 13.1: how the game ended.
}
STEERING: Final = (
    "phase", "chooser", "actions", "acted", "bonus*", "swept", "scored*", "other", "duelist",
    "passes", "from.hand", "winner", "payer", "receiver", "debt", "paid", "round", "settled",
    "seat*.fresh",
    "seat*.row*",  # What a row counts for follows from its cards; `rotate` says the rest.
)  # fmt: skip
