"""A pause of the clocks: anybody with a seat asks for it, and anybody ends it."""

from __future__ import annotations

from core.requests import Player
from p2p.session.commands import Reaction
from p2p.session.news import TableChanged
from ui.language.text import Words

PAUSE, GO_ON = "pause", "go on"  # As they are typed.


def paused_by(news: TableChanged | None) -> Player | None:
    """The seat whose person has asked for the pause that holds now."""
    clocks = () if news is None else news.clocks
    return next((each.seat for each in clocks if each.has_paused), None)


def next_sign(news: TableChanged | None) -> Reaction:
    """What one key says: that there is a pause; while there is one, that it goes on."""
    return Reaction.PAUSE if paused_by(news) is None else Reaction.GO_ON


def why_no_sign(words: Words, news: TableChanged | None, sign: Reaction) -> str:
    """Why the clocks cannot be stopped by me, or let run again; empty where they can."""
    if news is None or news.view.seat is None:
        return words("talk.look_on")
    if not news.clocks or news.view.is_over:
        return words("pause.no_clock")
    return "" if sign == next_sign(news) else words(f"pause.already_{sign.name.lower()}")


def pause_note(words: Words, news: TableChanged, key: str) -> str:
    """What the bar says while a pause holds: who has asked for it, and how it ends."""
    seat = paused_by(news)
    if seat is None or news.view.is_over:
        return ""
    if seat == news.view.seat:
        return words("pause.shown_me", name=key)
    kind = "seen" if news.view.seat is None else "shown"  # Who looks on has no key for it.
    return words(f"pause.{kind}", who=news.seats[seat].name, name=key)
