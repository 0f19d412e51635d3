"""What a rushing adversary could read: every layer that was ever published, held against each card.

The adversary has one seat, or several.  It sees all that honest seats send before it says anything
itself, withholds, changes what it sends, leaves and comes back.  A card that it may not see is safe
as long as the layer of one honest seat has not been published: `x a` for the secret x of that seat
and the first half a of the pair.  It makes no difference what the layer was published for: in a
share, in a proof, under another card, for a pair that the adversary made out of this one.  So the
watch looks for the layer itself, and for that of pairs `s a + r G` with a few small numbers, in
every 32 bytes that anybody sends, before and after the card lay there.

It works in the stand-in group alone (`tests.simulation.volume_group`), where a layer is a product.
What it does not see: an adversary that combines several layers, or uses other numbers than these,
and a copy that honest seats have masked anew and that the adversary is then shown as its own card.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

from core.requests import Reveal
from core.table import HIDDEN
from p2p.base.errors import MalformedFrame
from p2p.base.wire import decode
from p2p.crypto.transcript import L
from p2p.game.dealing import JOINT
from p2p.log.replica import Replica

CHUNK: Final = 32
MAULED: Final = ((1, 0), (1, 1), (1, 2), (2, 0), (L - 1, 0))
"""What becomes of the first half of a pair: times the one, plus the other times G."""


class Layer(NamedTuple):
    """What one seat would take off one pair, told by the first half of the pair."""

    half: int
    seat: int


class Place(NamedTuple):
    """A pair where it lies: its first half, and of which card it says the face."""

    half: int
    card: int


class Secrecy:
    """All that was said in one game, and which pairs it has laid bare."""

    def __init__(self) -> None:
        """Nothing has been said."""
        self._said: set[bytes] = set()
        self._layers: dict[bytes, list[Layer]] = {}
        self._bare: dict[int, set[int]] = {}  # By first half: seats whose layer is known.
        self._seers: dict[Place, set[int]] = {}  # Who may read, or could once, what is there.
        self._public: set[Place] = set()  # What was opened to all.
        self._holder: dict[Place, int] = {}  # Under whose key it was at first.
        self._last: dict[int, Place] = {}  # By card.
        self._opened: set[int] = set()  # Seats whose key somebody else has, or all have.

    # ---- what is said ----

    def hear(self, value: Any) -> None:
        """Somebody has sent a value."""
        for content in _strings(value):
            for at in range(0, len(content) - CHUNK + 1, CHUNK):
                self._note(content[at : at + CHUNK])

    def _note(self, chunk: bytes) -> None:
        if chunk not in self._said:
            self._said.add(chunk)
            for layer in self._layers.get(chunk, ()):
                self._bare[layer.half].add(layer.seat)

    # ---- where the cards are ----

    def look(self, replica: Replica, secrets: Mapping[int, int]) -> None:
        """Look at the cards as a machine has them by now; `secrets` are those of honest seats."""
        dealing, table = replica.play.dealing, replica.play.table
        assert dealing is not None, "cards are looked at once there are keys"
        self._opened |= replica.open_seats
        for card, pair in enumerate(dealing.masked):
            if pair is None:
                if table.face[card] != HIDDEN and card in self._last:
                    self._public.add(self._last[card])
                continue
            half = int.from_bytes(pair.a.encoded, "little")
            place = self._last[card] = Place(half, card)
            if place not in self._holder:
                self._holder[place], self._seers[place] = dealing.holder[card], set()
                self._begin(half, secrets)
            self._seers[place] |= {
                seat for seat in replica.seats
                if table.seen[card] >> seat & 1 or dealing.holder[card] == seat
            }  # fmt: skip
            if table.face[card] != HIDDEN or half == 1:
                self._public.add(place)
        self.look_at_what_is_asked(replica)

    def look_at_what_is_asked(self, replica: Replica) -> None:
        """What the rules show just now may be published from here on, and the game may stop."""
        match replica.play.request:
            case Reveal(cards, player):
                for place in (self._last[card] for card in cards if card in self._last):
                    if player is None:
                        self._public.add(place)
                    else:
                        self._seers[place].add(player)

    def _begin(self, half: int, secrets: Mapping[int, int]) -> None:
        if half in self._bare:
            return
        self._bare[half] = set()
        for seat, secret in secrets.items():
            for times, plus in MAULED:
                number = secret * (half * times + plus) % L
                encoded = number.to_bytes(CHUNK, "little")
                self._layers.setdefault(encoded, []).append(Layer(half, seat))
                if encoded in self._said:
                    self._bare[half].add(seat)

    # ---- what follows ----

    def learnt(self, adversary: Collection[int], honest: Collection[int]) -> Iterator[str]:
        """Which cards these seats can read although they never might."""
        closed = set(honest) - self._opened
        may = set(adversary) | self._opened
        for place, holder in self._holder.items():
            layers = closed if holder == JOINT else closed & {holder}
            is_secret = place not in self._public and not self._seers[place] & may
            if is_secret and layers and self._bare[place.half] >= layers:
                yield f"seats {sorted(adversary)} can read card {place.card} and may not see it"


def _strings(value: Any) -> Iterator[bytes]:
    """All bytes in a value, also those of a value inside bytes."""
    match value:
        case bytes():
            yield value
            try:
                inside = decode(value) if value[:1] and value[0] >> 5 == 4 else None
            except MalformedFrame:
                return
            yield from _strings(inside)
        case list():
            for item in value:
                yield from _strings(item)
