"""What was proven at a table, in words: by whom, and what would be caught."""

from __future__ import annotations

from p2p.session.news import TableChanged
from ui.language.text import Words
from ui.model.view_model import ViewModel


def fairness_line(words: Words, news: TableChanged) -> str:
    """What has been proven so far, in one line; or that there is something to compare."""
    fairness = news.fairness
    if news.pairing and news.strangers:
        return words("fair.compare")
    if fairness.pending:
        return words("fair.pending", number=fairness.pending)
    if not fairness.shuffles:
        return words("fair.none")
    counts = {
        "proofs": fairness.shuffles,
        "deals": fairness.shares,
        "proven_claims": fairness.claims,
    }
    proofs = [words.count(f"fair.{key}", number) for key, number in counts.items() if number]
    return words("fair.line", proofs=words.listed(proofs))


def fairness_texts(model: ViewModel) -> list[str]:
    """What was proven at this table, by whom, and what would be caught."""
    words = model.words
    names = [f"{seat.name}: {seat.state.words}" for seat in model.seats if seat.state.words]
    seats = words.in_a_row([words("fair.seats"), words.listed(names)])
    return [*pairing_texts(words, model.news), *checked_texts(model), seats,
            words("fair.caught")]  # fmt: skip


def checked_texts(model: ViewModel) -> list[str]:
    """What was proven, each kind of proof with how many there were."""
    words, fair = model.words, model.news.fairness
    counts = {
        "shuffles": fair.shuffles,
        "shares": fair.shares,
        "transfers": fair.transfers,
        "claims": fair.claims,
        "entries": fair.entries,
        "pending_now": fair.pending,
    }
    texts = [words(f"fair.{key}", number=number) for key, number in counts.items() if number]
    return texts or [words("fair.none")]


def pairing_texts(words: Words, news: TableChanged) -> list[str]:
    """The four words of the table, and with whom they were never compared."""
    if not news.pairing:
        return []
    if not news.strangers:
        return [words("fair.words", words=news.pairing)]
    return [words("fair.aloud", words=news.pairing, names=words.listed(news.strangers))]
