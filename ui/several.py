"""Several cards picked at once, for a question that the rules ask card by card.

Picking them makes no action of its own: they are answered one after the other, each with an offer
that is there when its turn comes.  Nothing is answered that nobody picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.view import Offer, View
from ui.picks import Pick
from ui.picture import Picture
from ui.sentences import offer_sentence


def pick_more(picture: Picture, picked: tuple[str, ...], label: str) -> tuple[str, ...]:
    """The labels that are picked once this one is pressed, too.

    Where the question takes several cards a label is added as often as there are such cards, and
    then taken out again; elsewhere it replaces what was picked.
    """
    pick, room = picture.pick(label), picture.look.several(picture.view)
    if pick is None:
        return ()
    if room < 2 or not pick.offer.action.cards:
        return (label,)
    kept = tuple(each for each in picked if _names_card(picture, each))
    if kept.count(label) == _count_like(picture, pick):
        return tuple(each for each in kept if each != label)
    return (*kept[: room - 1], label)


def _names_card(picture: Picture, label: str) -> bool:
    pick = picture.pick(label)
    return pick is not None and bool(pick.offer.action.cards)


def _count_like(picture: Picture, pick: Pick) -> int:
    """How many cards where this one lies cannot be told from it."""
    cards = picture.view.zones.get(pick.place, ())
    number = pick.offer.action.cards[0]
    face = next((card.face for card in cards if card.card == number), None)
    return sum(1 for card in cards if card.face == face)


def answers(picture: Picture, picked: Sequence[str]) -> tuple[str, ...]:
    """The notations to answer with: the picks, and that these are all where one may stop."""
    view, room = picture.view, picture.look.several(picture.view)
    picks = [pick for pick in map(picture.pick, picked) if pick is not None]
    texts = [pick.offer.text for pick in picks]
    stops = [offer.text for offer in view.offers if not offer.action.cards]
    is_done = all(pick.offer.action.cards for pick in picks) and 0 < len(picks) < room
    return (*texts, *(stops[:1] if is_done else ()))


def several_sentence(picture: Picture, picked: Sequence[str]) -> str:
    """What the picks would do, in one sentence."""
    words, seats = picture.words, picture.news.seats
    texts = answers(picture, picked)
    together = [text for text in texts if text.partition(" ")[0] == texts[0].partition(" ")[0]]
    faces = sorted(" ".join(text.split()[1:]) for text in together)
    what = offer_sentence(words, seats, " ".join([texts[0].partition(" ")[0], *faces]))
    return what if len(together) == len(texts) else words("table.and_no_more", what=what)


@dataclass(frozen=True, slots=True)
class Rest:
    """The answers that are still to be given to the question of a phase."""

    phase: str
    texts: tuple[str, ...]

    def next_offer(self, view: View) -> Offer | None:
        """The offer that answers next; None when something else is asked by now."""
        if view.phase != self.phase or not self.texts:
            return None
        return next((offer for offer in view.offers if offer.text == self.texts[0]), None)

    def after(self) -> Rest:
        """What is left once that was answered."""
        return Rest(self.phase, self.texts[1:])
