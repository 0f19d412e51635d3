"""Tables of others on the network, in words: what each is called, and who may sit down."""

from __future__ import annotations

from p2p.net.announcements import TableAd
from ui.language.text import Words


def table_name(words: Words, table: TableAd) -> str:
    """What a table is called, in the person's language where it was given no name of its own.

    Then it has that of whoever opened it, which is also what one types to join it.
    """
    name = table.shown_name
    return words("term.table_of", name=name) if table.name == table.opener_name else name


def table_note(words: Words, table: TableAd) -> str:
    """What stands between somebody and a table in the lobby; empty where nothing does."""
    if not table.is_understood:
        return words("lobby.version", version=table.version)
    if table.is_joinable:
        kind = "asks" if table.asks_password else _seats_for(table)
        return words(f"lobby.{kind}") if kind else ""
    return words("lobby.full")


def _seats_for(table: TableAd) -> str:
    """For whom the seats are, as the key of a sentence; empty where they are for anybody."""
    return "filled" if table.is_filled else "kept" if table.kept else ""
