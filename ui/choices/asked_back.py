"""Asking the table to take a choice back that others have heard: what is said, and what is sent."""

from __future__ import annotations

from p2p.session.commands import AgreeBack
from p2p.session.news import TableChanged, WhyNotBack
from ui.language.text import Words
from ui.model.story import is_worth_a_row, told
from ui.model.view_model import view_model


def is_asked(news: TableChanged) -> bool:
    """Whether somebody waits for my word."""
    asked, me = news.asked_back, news.view.seat
    return asked is not None and asked.seat != me and me in asked.missing


def question(words: Words, news: TableChanged) -> tuple[str, ...]:
    """Which choice somebody asks to take back, what goes with it, and what that means."""
    asked = news.asked_back
    assert asked is not None, "somebody asks"
    lines = [line for line in news.lines if line.entry >= asked.events]
    first = [line for line in lines if line.entry == asked.events and line.seat == asked.seat][:1]
    model = view_model(words, news)
    later = told(model, [line for line in lines if line not in first and is_worth_a_row(line)])
    rest = words.parted(each.text for each in later if not each.is_heading)
    with_it = [words("back.with_it", told=rest)] if rest else []
    return (*(each.text for each in told(model, first)), *with_it, words("back.question"))


def waits_for(words: Words, news: TableChanged) -> str:
    """What the bar says of whoever has asked; empty: nobody has, or my own word is missing."""
    asked = news.asked_back
    if asked is None or is_asked(news):
        return ""
    key = "back.waits" if asked.seat == news.view.seat else "back.others_wait"
    names = words.listed(news.seats[seat].name for seat in asked.missing)
    return words(key, name=asked.name, names=names)


def ask(words: Words, news: TableChanged | None) -> tuple[str, AgreeBack | None]:
    """What to say to the person who wants to take a choice back, and what to send."""
    if news is None or news.may_ask_back is None:
        if news is None:
            return words("back.none"), None
        if news.asked_back is not None:  # By me or by somebody else, whom I have answered.
            return words("back.already"), None
        return words(f"back.{news.why_not_back or WhyNotBack.NO_CHOICE}"), None
    persons = [seat for seat in news.seats if not seat.is_bot]
    key = "back.asked" if len(persons) > 1 else "back.done"  # Bots are not asked.
    return words(key), news.may_ask_back


def answer(news: TableChanged | None, *, agrees: bool) -> AgreeBack | None:
    """What to send of my word; None: nobody waits for it."""
    asked = news.asked_back if news is not None and is_asked(news) else None
    return None if asked is None else AgreeBack(asked.height, asked.events, agrees)
