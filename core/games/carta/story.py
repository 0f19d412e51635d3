"""What the story of a game of Carta is told in: see `Game.tells`."""

from __future__ import annotations

from typing import Final

from core.games.carta.cards import DOMAINS

EMBARGO_LIES: Final = tuple([f"embargo {domain}" for domain in DOMAINS])  # By domain.
DEMOCRACY_LIES: Final = tuple([f"democracy {domain}" for domain in DOMAINS])
HEGEMONY_OF: Final = tuple([f"hegemony {domain}" for domain in DOMAINS])

TELLS: Final = {
    # Verbs: what a choice does besides naming a card.
    "copy": ("coin.holder", "coin.domain"),
    # The lot of 2.2.
    "rolled": ("start", "turn"),
    # What follows.
    "turn": ("turn", "turns"),
    "middle": (),  # 2.4: the last card of the draft.
    "gave_up": (),  # A card of the own area, for an effect.
    "lost": (),  # 5.1: to an Attack.
    "robbed": (),  # 5.2: of a whole hand.
    "embargo": ("seat*.embargo.*",),
    "lifted": ("seat*.embargo.*",),
    "democracy": ("seat*.democracy.*",),
    "coin": ("coin.holder", "coin.domain"),  # 5.6: who has it now.
    "coin_back": ("coin.holder", "coin.domain"),
    "last_round": ("last.round",),  # 6.2
    "extra_round": ("extra.rounds",),
    "hegemony": ("hegemony",),  # 6.1: how the game ended.
    "majority": ("extra.rounds",),
}
STEERING: Final = (
    "phase", "round.draft", "used.*", "need", "plays", "victim", "taken", "drawn",
    "fresh.embargo.*", "coin.level", "coin.turns",
)  # fmt: skip
