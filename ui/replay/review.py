"""A review in words: the choices that cost a seat most, each with what would have been better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import HostlessError
from core.requests import Player
from p2p.session.news import TableChanged
from ui.language.text import Words
from ui.model.sentences import line_sentence, offer_sentence, seat_name
from ui.model.story import begins_turn
from ui.replay.recording import Recording

if TYPE_CHECKING:
    from ai.review import CostlyChoice, MadeChoice


def choices_to_review(recording: Recording, seat: Player) -> tuple[MadeChoice, ...]:
    """All choices of a seat, to be thought about again.

    Raises:
        HostlessError: there is no such seat, or nobody knows its hand here.
    """
    from ai.review import MadeChoice

    seats = recording.positions[0].view.players
    if seat not in range(seats):
        raise HostlessError(f"this game has no seat {seat + 1}", f"its seats are 1 to {seats}")
    if seat not in recording.opened_seats():
        raise HostlessError(
            f"the cards of seat {seat + 1} are not known here, so its choices cannot be judged",
            "a seat can be reviewed whose key was opened, or lies beside the file",
        )
    return tuple(MadeChoice(*each) for each in recording.choices_of(seat))


def costly_sentence(words: Words, shown: TableChanged, choice: CostlyChoice) -> str:
    """One choice, and what it cost."""
    made, better = (
        offer_sentence(words, shown.seats, text, shown.view.game)
        for text in (choice.made, choice.better)
    )
    return words(
        "review.costly", when=_when(words, shown, choice.entry), made=made, better=better,
        was=_percent(choice.made_permille), could=_percent(choice.better_permille),
    )  # fmt: skip


def _when(words: Words, shown: TableChanged, entry: int) -> str:
    """In whose turn that was, as the log calls it, and where in the file."""
    where = {"position": entry, "last": shown.event_count}
    begun = [line for line in shown.lines if begins_turn(line) and line.entry <= entry]
    if not begun:
        return words("review.at", **where)
    turn = line_sentence(words, shown.seats, begun[-1], shown.view.game)
    return words("review.in_turn", turn=turn, **where)


def review_title(words: Words, shown: TableChanged, seat: Player) -> str:
    """Whose choices these are."""
    return words("review.title", name=seat_name(words, shown.seats, seat))


def review_lines(
    words: Words, shown: TableChanged, seat: Player, costly: Sequence[CostlyChoice]
) -> list[str]:
    """A title and a line for each choice, or that there is none."""
    lines = [costly_sentence(words, shown, each) for each in costly]
    return [review_title(words, shown, seat), *(lines or [words("review.none")])]


def _percent(permille: int) -> str:
    return f"{permille / 10:.1f}%"
