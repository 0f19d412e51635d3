"""The public state of one game: cards without faces, zones, counters, and who has seen what.

A table is the same on every machine, byte for byte, whoever holds which hand.  It records the
faces that *everybody* has seen, and for every other card *who* has seen it, never what they saw.
What one seat knows beyond that is its observation, and lives outside.

Inside, a table is a handful of flat lists of small ints, because bots copy it millions of times:

    face[card]             the face everybody has seen, or HIDDEN
    seen[card]             bit p is set when player p has seen the card
    family_of[card]        the family of the card: hidden cards that nobody can tell apart any more,
                           because a shuffle may have swapped them
    family_counts[family]  how many hidden cards of each face the family holds; public
    zones[zone]            card numbers, the last one on top
    counters[i]            everything else a game counts, named by the layout

A shuffle keeps the numbers and changes what they mean, so a card's index never grows and a game
whose cards have different backs can keep one back for every number.

A table of an imagined game is handed the whole deal.  What comes into sight on it is seen at once,
without a request, and families of hidden cards are left as they were: both exist for players who
do not know everything.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from core.native import i64
from core.requests import Card, Face, Fact, Player, Reveal, Shuffle

HIDDEN: Final = -1
EVERYONE: Final = -1  # Who sees a zone, where it is not a seat.
NO_LOOKER: Final = -2
Observation: TypeAlias = list[Face]  # observation[card]: what one seat knows of it, or HIDDEN.
OptionValue: TypeAlias = str | int | bool


class RulesError(Exception):
    """The rules were broken.  The message says how, in words a player would understand."""


class HiddenFaceError(RulesError):
    """A rule looked at a face that not everybody has seen.  This is a bug in the game."""


class Sight(Enum):
    """Who sees the faces of the cards in a zone."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYONE = "everyone"


class Place(NamedTuple):
    """What a zone is: its stable name, who sees its cards, whose it is (-1: nobody's).

    Of a pile that is not counted nobody who cannot see its cards may count them either: a view
    shows its top card and no more.  Where claims have proven what the hidden cards can be, `holds`
    lists their faces, so that nobody imagines others there.
    """

    name: str
    sight: Sight
    owner: Player = -1
    is_counted: bool = True
    holds: tuple[Face, ...] = ()

    def is_countable_by(self, player: Player | None) -> bool:
        """Whether `player` (None: a spectator) may know how many cards lie here."""
        sees = self.sight is Sight.OWNER and self.owner == player
        return self.is_counted or sees or self.sight is Sight.EVERYONE


class Layout:
    """What never changes during a game.  Shared by every copy of a table."""

    __slots__ = ("counters", "faces", "lookers", "narrow", "options", "owners", "places",
                 "players", "zone_index")  # fmt: skip

    def __init__(
        self,
        players: int,
        faces: tuple[str, ...],
        places: Iterable[Place],
        counters: Iterable[str],
        options: Mapping[str, OptionValue],
    ) -> None:
        self.players = players
        self.faces = faces  # Face keys, the same in every language.
        self.places = tuple(places)
        self.counters = tuple(counters)
        self.options = dict(options)
        self.zone_index = {place.name: index for index, place in enumerate(self.places)}
        assert len(self.zone_index) == len(self.places), "two zones have one name"
        # For every zone, as flat ints: whose it is, and which seat sees it, EVERYONE or NOBODY.
        self.owners = [place.owner for place in self.places]
        self.lookers = [_looker(place) for place in self.places]
        self.narrow = [(zone, place.holds) for zone, place in enumerate(self.places) if place.holds]

    def __reduce__(self) -> tuple[object, ...]:
        """How a layout is sent to another process, compiled or not."""
        return Layout, (self.players, self.faces, self.places, self.counters, self.options)


def _looker(place: Place) -> int:
    if place.sight is Sight.OWNER:
        return place.owner
    return EVERYONE if place.sight is Sight.EVERYONE else NO_LOOKER


class Table:
    """The state that every machine agrees on.  Games keep nothing anywhere else."""

    __slots__ = (
        "counters", "deal", "face", "family_counts", "family_of", "layout", "owed", "rolled",
        "seen", "shares_counts", "told", "zones",
    )  # fmt: skip

    layout: Layout
    zones: list[list[Card]]
    face: list[Face]
    seen: list[int]
    family_of: list[int]
    family_counts: list[list[int]]
    shares_counts: bool  # With a copy: whichever changes counts makes its own before.
    counters: list[int]
    owed: list[Reveal]  # Reveals that moves have made necessary, oldest first.
    rolled: int  # The last joint roll.
    deal: list[Face] | None  # The face of every card, on the table of an imagined game only.
    told: list[Fact] | None  # What has followed, where somebody listens; no part of the state.

    def __init__(self, layout: Layout, like: Table | None = None) -> None:
        """An empty table, or an independent copy of another one with the same layout."""
        self.layout, self.deal, self.told = layout, None, None
        if like is None:
            self.zones = [[] for _ in layout.places]
            self.face, self.seen, self.family_of, self.family_counts = [], [], [], []
            self.counters = [0] * len(layout.counters)
            self.owed, self.rolled, self.shares_counts = [], -1, False
        else:
            self.zones = [zone[:] for zone in like.zones]
            self.face, self.seen, self.family_of = like.face[:], like.seen[:], like.family_of[:]
            self.family_counts = like.family_counts
            self.shares_counts = like.shares_counts = True
            self.counters, self.owed, self.rolled = like.counters[:], like.owed[:], like.rolled

    # ---- what rules do ----

    def lay_out(self, zone: int, faces: Iterable[Face]) -> tuple[Card, ...]:
        """Put new cards on `zone` face up, with everybody watching, the way a box is opened."""
        first = len(self.face)
        self.face.extend(faces)
        count = len(self.face) - first
        self.seen.extend([0] * count)
        self.family_of.extend([HIDDEN] * count)
        cards = tuple(range(first, first + count))
        self.zones[zone].extend(cards)
        return cards

    def move(self, card: Card, source: int, target: int) -> None:
        """Put a card on top of `target`; whoever sees that zone is owed a look.

        Raises:
            RulesError: the card is not in `source`.
        """
        zones, face = self.zones, self.face
        cards = zones[source]
        if cards and cards[-1] == card:  # The top of a pile is found at once.
            cards.pop()
        else:
            try:
                cards.remove(card)
            except ValueError:
                name = self.layout.places[source].name
                raise RulesError(f"card {card} is not in {name}") from None
        zones[target].append(card)
        if face[card] == HIDDEN:
            looker = self.layout.lookers[target]
            if looker == NO_LOOKER:
                return
            deal = self.deal
            if deal is None:
                self._bring_into_sight((card,), source, looker)
            elif looker == EVERYONE:
                face[card] = deal[card]
            else:
                self.seen[card] = self.seen[card] | 1 << looker  # Faster than |= when compiled.

    def move_all(self, cards: tuple[Card, ...], source: int, target: int) -> None:
        """Put cards on top of `target` one after the other: the same as to `move` each of them.

        Raises:
            RulesError: a card is not in `source`, or named twice; nothing has been moved.
        """
        pile = self.zones[source]
        rest = pile[:]
        try:
            for card in cards:
                rest.remove(card)
        except ValueError:
            name = self.layout.places[source].name
            raise RulesError(f"cards {cards} are not all different cards of {name}") from None
        self.zones[source] = rest
        self.zones[target].extend(cards)
        looker = self.layout.lookers[target]
        if looker != NO_LOOKER:
            self._bring_into_sight(cards, source, looker)

    def draw(self, count: int, source: int, target: int) -> int:
        """Move the top card of `source` so many times, as long as there is one; gives how many."""
        pile, deal = self.zones[source], self.deal
        rest = max(len(pile) - count, 0)
        cards = pile[rest:]
        cards.reverse()
        del pile[rest:]
        self.zones[target].extend(cards)
        looker = self.layout.lookers[target]
        if looker >= 0 and deal is not None:
            self._look(cards, looker)
        elif looker != NO_LOOKER and cards:
            self._bring_into_sight(tuple(cards), source, looker)
        return len(cards)

    def _look(self, cards: list[Card], player: Player) -> None:
        """In an imagined game a player sees cards at once."""
        face, seen = self.face, self.seen
        bit: i64 = 1 << player
        card: i64
        for card in cards:
            if face[card] == HIDDEN:
                seen[card] = seen[card] | bit

    def _bring_into_sight(self, cards: tuple[Card, ...], source: int, looker: int) -> None:
        # A card from elsewhere is owed even to a seat that knows it: it has to come into its hands.
        is_own = looker != EVERYONE and self.layout.owners[source] == looker
        bit, face, seen = 1 << looker if is_own else 0, self.face, self.seen
        card: i64
        for card in cards:
            if face[card] != HIDDEN or seen[card] & bit:  # Mostly there is no such card.
                cards = tuple([c for c in cards if face[c] == HIDDEN and not seen[c] & bit])
                break
        if cards:
            self.owe(cards, None if looker == EVERYONE else looker)

    def owe(self, cards: tuple[Card, ...], player: Player | None) -> None:
        """Remember a reveal; neighbours to the same seat become one, so that one entry pays it."""
        if self.deal is not None:
            self.reveal(cards, player, self.deal)
            return
        if self.owed and self.owed[-1].player == player:
            cards = self.owed.pop().cards + cards
        self.owed.append(Reveal(cards, player))

    def reveal(self, cards: tuple[Card, ...], player: Player | None, deal: Observation) -> None:
        """Show cards of an imagined game, whose faces are those of `deal`."""
        if player is None:
            face = self.face
            card: i64
            for card in cards:
                face[card] = deal[card]
        else:
            self.show(cards, player)

    def show(self, cards: tuple[Card, ...], player: Player) -> None:
        """A player has seen cards; what they showed is known to nobody else."""
        seen = self.seen
        bit: i64 = 1 << player
        card: i64
        for card in cards:
            seen[card] = seen[card] | bit  # Faster than |= when compiled.

    def tell(
        self, kind: str, seat: Player = -1, cards: tuple[Card, ...] = (), number: int = 0,
        other: Player = -1,
    ) -> None:  # fmt: skip
        """Report what has followed, as a `Fact`; nothing is kept where nobody listens."""
        if self.told is not None:
            self.told.append(Fact(kind, seat, cards, number, other))

    def public_face(self, card: Card) -> Face:
        """The face of a card that everybody has seen.

        Raises:
            HiddenFaceError: not everybody has; the rule that asked looks too early.
        """
        face = self.face[card]
        if face == HIDDEN:
            raise HiddenFaceError(f"card {card} is not face up")
        return face

    # ---- how owners mix, so that nobody can follow a card; how hidden cards are counted ----
    # In an imagined game nobody is misled, so there nothing is mixed, and rules need not know it.
    def mix_own(self, player: Player, cards: Sequence[Card]) -> Shuffle | None:
        """The request that a player mixes these own cards; None when there is nothing to mix."""
        return Shuffle((tuple(cards),), player) if self.deal is None and len(cards) > 1 else None

    def mix_hand(
        self, zone: int, backs: Sequence[int] | None = None, also_seen: bool = False
    ) -> Shuffle | None:
        """The request that its owner mixes the cards of a zone that not everybody has seen.

        Or all of them (`also_seen`).  Cards are mixed with others of the same back only, where
        `backs` numbers it for each card.  None when there is nothing to mix.
        """
        if self.deal is not None:
            return None
        face, cards = self.face, self.zones[zone]
        if not also_seen:
            cards = [card for card in cards if face[card] == HIDDEN]
        if backs is None:
            return Shuffle((tuple(cards),), self.layout.owners[zone]) if len(cards) > 1 else None
        piles: list[list[Card]] = []
        for card in cards:
            while len(piles) <= backs[card]:
                piles.append([])
            piles[backs[card]].append(card)
        piles.reverse()
        mixed = tuple([tuple(pile) for pile in piles if len(pile) > 1])
        return Shuffle(mixed, self.layout.owners[zone]) if mixed else None

    def can_be_followed(self, zone: int, source: int, count: int) -> bool:
        """Whether others can tell hidden cards of a zone apart once so many come from `source`.

        They can when it holds one already, or when somebody knows one of those that come.  Its
        owner then has to mix them before one of them leaves.
        """
        if self.deal is not None:
            return False
        face, seen, pile = self.face, self.seen, self.zones[source]
        card: i64
        for card in self.zones[zone]:
            if face[card] == HIDDEN:
                return True
        place: i64
        for place in range(max(len(pile) - count, 0), len(pile)):
            if seen[pile[place]] and face[pile[place]] == HIDDEN:
                return True
        return False

    def checks_offers(self) -> bool:
        """Whether a choice may be none that the rules offered; an imagined game knows no other."""
        return self.deal is None

    def counted(self) -> list[Face]:
        """The face of each card that rules may count one by one; the others count by families."""
        return self.face if self.deal is None else self.deal

    # ---- what answers do ----

    def turn_up(self, cards: tuple[Card, ...], faces: list[Face]) -> None:
        """Everybody sees `cards`: each leaves its family, which must have had its face in it.

        Raises:
            RulesError: it had not.
        """
        deal = self.face[:]
        for card, face in zip(cards, faces, strict=True):
            if not 0 <= face < len(self.layout.faces):
                raise _cannot_show(card, face)
            deal[card] = face
        self.turn_up_dealt(cards, deal)

    def turn_up_dealt(self, cards: tuple[Card, ...], deal: list[Face]) -> None:
        """The same where the faces are those of `deal`."""
        self._own_counts()
        known, seen, family_of, counts_of = self.face, self.seen, self.family_of, self.family_counts
        card: i64
        for card in cards:
            if known[card] == HIDDEN:
                face: i64 = deal[card]
                counts = counts_of[family_of[card]]
                left = counts[face]
                if not left:
                    raise _cannot_show(card, face)
                counts[face] = left - 1
                known[card] = face
                seen[card] = 0
                family_of[card] = HIDDEN

    def mix(self, pile: tuple[Card, ...], player: Player | None) -> None:
        """Forget which card of `pile` is which, and keep count of what they can be."""
        self._own_counts()
        known, seen, family_of = self.face, self.seen, self.family_of
        families: list[int] = []
        last: i64 = HIDDEN
        has_open = False
        card: i64
        for card in pile:
            if known[card] != HIDDEN:
                has_open = True
            elif family_of[card] != last:  # Most piles are of one family.
                last = family_of[card]
                if last not in families:
                    families.append(last)
        families.sort()
        counts = self._join(families)
        into = families[0] if families else self._free_family()
        self.family_counts[into] = counts
        if has_open:  # All others are of this family already.
            for card in pile:
                face: i64 = known[card]
                if face != HIDDEN:
                    counts[face] = counts[face] + 1  # Faster than += when compiled.
                    known[card] = HIDDEN
                    family_of[card] = into
        sight = 0 if player is None else 1 << player
        for card in pile:
            seen[card] = sight

    def _join(self, families: list[int]) -> list[int]:
        """The counts of some families together; the first keeps them, the others are empty."""
        counts_of, size = self.family_counts, len(self.layout.faces)
        if not families:
            return [0] * size
        counts = counts_of[families[0]]
        if len(families) > 1:
            for family in families[1:]:
                joined = zip(counts, counts_of[family], strict=True)
                counts = [mine + more for mine, more in joined]
                counts_of[family] = [0] * size
            self.family_of[:] = [families[0] if one in families else one for one in self.family_of]
        return counts

    def _own_counts(self) -> None:
        if self.shares_counts:
            self.family_counts = [counts.copy() for counts in self.family_counts]
            self.shares_counts = False

    def _free_family(self) -> int:
        for family, counts in enumerate(self.family_counts):
            if not any(counts):
                return family
        self.family_counts.append([0] * len(self.layout.faces))
        return len(self.family_counts) - 1

    # ---- copies and fingerprints ----

    def copy(self) -> Table:
        """An independent table."""
        return Table(self.layout, self)

    def __reduce__(self) -> tuple[object, ...]:
        """How a table is sent to another process, compiled or not."""
        owed = [(reveal.cards, reveal.player) for reveal in self.owed]
        flat = (self.zones, self.face, self.seen, self.family_of, self.family_counts, self.counters)
        return _received, (self.layout, flat, owed, self.rolled)

    def sections(self) -> dict[str, bytes]:
        """The canonical bytes of every part of the state: little-endian 32-bit ints, framed.

        Two machines that disagree compare these and name the part that differs.
        """
        owed = [(*reveal.cards, -1 if reveal.player is None else reveal.player)
                for reveal in self.owed]  # fmt: skip
        return {
            "zones": _pack_lists(self.zones),
            "faces": _pack_lists([self.face]),
            "seen": _pack_lists([self.seen]),
            "families": _pack_lists([self.family_of, *self.family_counts]),
            "counters": _pack_lists([[*self.counters, self.rolled]]),
            "owed": _pack_lists(owed),
        }

    def digest(self) -> bytes:
        """48 bytes: the first 8 of SHA-256 over each section, in the order of `sections`.

        A digest finds accidents, and tells which section to look at; what nobody can forge is
        the log's own hash chain.
        """
        return b"".join(hashlib.sha256(part).digest()[:8] for part in self.sections().values())


def _cannot_show(card: Card, face: Face) -> RulesError:
    return RulesError(f"card {card} cannot show face {face}: none is left where it came from")


def _received(
    layout: Layout,
    flat: tuple[list[list[Card]], list[int], list[int], list[int], list[list[int]], list[int]],
    owed: list[tuple[tuple[Card, ...], Player | None]],
    rolled: int,
) -> Table:
    table = Table(layout)
    table.zones, table.face, table.seen, table.family_of, table.family_counts, table.counters = flat
    table.owed = [Reveal(cards, player) for cards, player in owed]
    table.rolled = rolled
    return table


def _pack_lists(lists: Iterable[Sequence[int]]) -> bytes:
    flat: list[int] = []
    for numbers in lists:
        flat.append(len(numbers))
        flat.extend(numbers)
    return struct.pack(f"<{len(flat)}i", *flat)
