"""Several cards picked at once, for a question that the rules ask card by card.

Picking them makes no action of its own: they are answered one after the other, each with an offer
that is there when its turn comes.  Nothing is answered that nobody picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.view import Offer, View
from ui.model.picks import OfferPick
from ui.model.sentences import offer_sentence
from ui.model.view_model import ViewModel


def pick_more(model: ViewModel, picked: tuple[str, ...], label: str) -> tuple[str, ...]:
    """The labels that are picked once this one is pressed, too.

    Where the question takes several cards a label is added as often as there are such cards, and
    then taken out again; elsewhere it replaces what was picked.
    """
    pick, room = model.pick(label), model.look.several(model.view)
    if pick is None:
        return ()
    if room < 2 or not pick.offer.action.cards:
        return (label,)
    kept = tuple(each for each in picked if _names_card(model, each))
    if kept.count(label) == _count_like(model, pick):
        return tuple(each for each in kept if each != label)
    return (*kept[: room - 1], label)


def _names_card(model: ViewModel, label: str) -> bool:
    pick = model.pick(label)
    return pick is not None and bool(pick.offer.action.cards)


def _count_like(model: ViewModel, pick: OfferPick) -> int:
    """How many cards where this one lies cannot be told from it."""
    cards = model.view.zones.get(pick.place, ())
    number = pick.offer.action.cards[0]
    face = next((card.face for card in cards if card.card == number), None)
    return sum(1 for card in cards if card.face == face)


def answers(model: ViewModel, picked: Sequence[str]) -> tuple[str, ...]:
    """The notations to answer with: the picks, and that these are all where one may stop."""
    picks = [pick for pick in map(model.pick, picked) if pick is not None]
    return _and_no_more(model, [pick.offer for pick in picks])


def _and_no_more(model: ViewModel, offers: Sequence[Offer]) -> tuple[str, ...]:
    room = model.look.several(model.view)
    stops = [offer.text for offer in model.view.offers if not offer.action.cards]
    is_done = all(offer.action.cards for offer in offers) and 0 < len(offers) < room
    return (*(offer.text for offer in offers), *(stops[:1] if is_done else ()))


def typed_answers(model: ViewModel, line: str) -> tuple[str, ...]:
    """The notations that a typed line means; none when it means nothing.

    It is the number of an offer, its notation, or a verb that only one offer has; several numbers
    are cards to be given together, and no more.
    """
    offers = model.view.offers
    by_word = {str(number): offer for number, offer in enumerate(offers, 1)}
    meant = [offer for offer in offers if line in (offer.text, offer.action.verb)]
    if line in by_word or len(meant) == 1:
        return ((by_word.get(line) or meant[0]).text,)
    said = model.look.typed(model.view, line)
    if said:
        return said
    words = line.split()
    is_list = 1 < len(words) <= model.look.several(model.view)
    if not (is_list and all(word in by_word for word in words)):
        return ()
    return _and_no_more(model, [by_word[word] for word in words])


def several_sentence(model: ViewModel, picked: Sequence[str]) -> str:
    """What the picks would do, in one sentence."""
    words, seats = model.words, model.news.seats
    texts, pick = answers(model, picked), model.pick(picked[0])
    if len(texts) == 1 and pick is not None:
        return pick.text
    together = [text for text in texts if text.partition(" ")[0] == texts[0].partition(" ")[0]]
    faces = sorted(" ".join(text.split()[1:]) for text in together)
    whole = " ".join([texts[0].partition(" ")[0], *faces])
    what = offer_sentence(words, seats, whole, model.view.game, model.view.phase)
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
