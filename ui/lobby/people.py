"""Who is on the network, in words: where each sits, and who sits at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2p.net.announcements import Key, TableAd
from p2p.net.people import LOBBY, Neighbor
from ui.language.text import Words
from ui.lobby.open_tables import table_name


def by_table(people: Sequence[Neighbor], tables: Sequence[TableAd]) -> Mapping[Key, list[Neighbor]]:
    """Who sits at each of these tables, as they say: first whoever announces it.

    No more than have a seat there.  None of it is proven; the words of an identity are, on a link.
    """
    return {ad.key: [*_opener(ad), *_others(people, ad)][: ad.taken] for ad in tables}


def _opener(ad: TableAd) -> list[Neighbor]:
    return [Neighbor(ad.opener, ad.opener_name, ad.key)] if ad.opener_name else []


def _others(people: Sequence[Neighbor], ad: TableAd) -> list[Neighbor]:
    named = [each.identity for each in _opener(ad)]
    return [each for each in people if each.where == ad.key and each.identity not in named]


def where_text(words: Words, person: Neighbor, tables: Sequence[TableAd]) -> str:
    """Where somebody is, as far as I can see that table."""
    if person.where == LOBBY:
        return words("people.lobby")
    table = next((ad for ad in tables if ad.key == person.where), None)
    if table is None:
        return words("people.elsewhere")
    return words("people.at", table=table_name(words, table))


def by_where(
    words: Words, people: Sequence[Neighbor], tables: Sequence[TableAd]
) -> list[tuple[Neighbor, str]]:
    """Everybody, with where they are in words."""
    return [(each, where_text(words, each, tables)) for each in people]


def people_lines(
    words: Words, people: Sequence[Neighbor], tables: Sequence[TableAd], *, am_i_seen: bool
) -> list[str]:
    """A line for each, with the words that tell two of one name apart; then what that is worth."""
    lines = [
        f"  {each.shown_name} ({each.words}): {where_text(words, each, tables)}" for each in people
    ]
    lines = [words("people.title"), *lines, words("people.rule")] if lines else []
    unseen = [] if am_i_seen else [words("people.unseen")]
    return [*(lines or [words("people.none")]), *unseen]
