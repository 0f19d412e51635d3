"""Whole conversations of hostile openers, guests, spectators and seats, in any order, by a seed.

Every message is well formed: one of a kind that somebody honest says to somebody, with most fields
as they should be.  But it comes when nobody expects it, twice, from whom it should not come, or
with hostile values in one or two places (`tests/fuzz/hostile.py`).  So what waits behind the first
check of a message is reached, and every message finds the other end in every state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from p2p.base.wire import decode, encode
from tests.fuzz.hostile import replaced
from tests.fuzz.target import Open

MESSAGES_MAX: Final = 12
HOSTILE_SHARE: Final = 0.3  # Of the messages; the others are as somebody honest says them,
AS_DUE_SHARE: Final = 0.5  # and so many conversations go on from the beginning of an honest one.

SPOKEN: Final = (
    *("door", "door-with-password", "door-to-the-end", "door-of-a-game"),
    *("opener", "opener-to-a-bot", "spectator", "messages"),
)
"""The targets that read a list of messages."""


def messages_of(targets: Sequence[Open]) -> list[Any]:
    """Every message that somebody honest says in a sample of one of these."""
    said: dict[bytes, Any] = {}
    for target in targets:
        for sample in target().samples:
            conversation = decode(sample)
            assert isinstance(conversation, list), "these are spoken"
            said |= {encode(message): message for message in conversation}
    return [message for message in said.values() if isinstance(message, list)]


def conversations(
    own: Sequence[bytes], messages: Sequence[Any], rng: random.Random
) -> Iterator[bytes]:
    """Conversations without end; `own` are samples of one target, `messages` those of all."""
    honest: list[list[Any]] = [cast("list[Any]", decode(sample)) for sample in own]
    mine = [message for conversation in honest for message in conversation]
    while True:
        begun = rng.choice(honest) if rng.random() < AS_DUE_SHARE else []
        said = begun[: rng.randrange(len(begun) + 1)]
        for _ in range(rng.randrange(1, MESSAGES_MAX)):
            said.append(rng.choice(mine if rng.random() < AS_DUE_SHARE else messages))
        yield encode([_bent(each, rng) if rng.random() < HOSTILE_SHARE else each for each in said])


def _bent(message: Any, rng: random.Random) -> Any:
    """The message with another value somewhere; mostly inside, so that it is still one."""
    if not isinstance(message, list) or not message or rng.random() < 0.2:
        return rng.choice(list(replaced(message)))
    at = rng.randrange(len(message))
    return [*message[:at], _bent(message[at], rng), *message[at + 1 :]]
