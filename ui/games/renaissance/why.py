"""What a space or a card of the display is, and why it cannot be chosen now."""

from __future__ import annotations

import re
from typing import Final

from ui.games.renaissance.position import (
    CULTURE_SPACE,
    Location,
    closed_to,
    is_genius,
    locations,
    owner_of,
)
from ui.model.prompt import prompt
from ui.model.view_model import ViewModel

ON_DISPLAY: Final = "display."  # Before the face of a card that lies there.
TALON_PLACE: Final = "talon"
_SPACE: Final = re.compile(r"g?([a-f])([1-9])")


def about(model: ViewModel, place: str) -> str:
    """A space as it is typed, `b3` or `gb3`, an event that is closed to me by its letter, a card of
    the display or the talon, as a click names them.
    """
    if len(place) == 1:
        return _about_closed(model, place)
    if found := _SPACE.fullmatch(place):
        return _about_space(model, found[1], int(found[2]) - 1)
    if place != TALON_PLACE and not place.startswith(ON_DISPLAY):
        return ""
    return model.words.in_a_row([_card_text(model, place), why_not_taken(model, place)])


# ---- spaces ----


def _about_closed(model: ViewModel, letter: str) -> str:
    """Who keeps me away from an event, while I am to place."""
    view = model.view
    found = [each for each in locations(view) if each.letter == letter]
    if not found or view.seat is None or not model.is_my_turn or view.phase != "place":
        return ""
    return _why_closed(model, found[0], closed_to(view, found[0], view.seat))


def _about_space(model: ViewModel, letter: str, space: int) -> str:
    found = [each for each in locations(model.view) if each.letter == letter]
    if not found or space >= len(found[0].pieces):
        return ""
    text, why = _space_text(model, found[0], space), why_no_space(model, found[0], space)
    return model.words.in_a_row([text, why])


def _space_text(model: ViewModel, place: Location, space: int) -> str:
    """Of which event it is, what kind of space, and what stands on it."""
    assert place.event is not None, "a closed location has no spaces"
    words, piece = model.words, place.pieces[space]
    kind = "culture" if place.event.plan.spaces[space] == CULTURE_SPACE else "person"
    parts = [words(f"renaissance.space_{kind}"), words("told.free")]
    if piece:
        name = model.seats[owner_of(piece)].name
        key = "told.genius" if is_genius(piece) else "renaissance.stone_of"
        parts[1] = words(key, name=name)
    return words("renaissance.space", where=f"{place.letter}{space + 1}",
                 name=words.name("face", place.face), what=words.listed(parts))  # fmt: skip


def why_no_space(model: ViewModel, place: Location, space: int) -> str:
    """One sentence; nothing where the space can be chosen, or it is not my turn."""
    words, verbs = model.words, {offer.action.verb for offer in model.view.offers}
    spot = f"{place.letter}.{space + 1}"
    is_offered = any(offer.text.endswith(f" {spot}") for offer in model.view.offers)
    if not model.is_my_turn or is_offered:
        return ""
    if not verbs & {"place", "genius", "lift"}:
        is_placing = model.view.phase == "place"
        key = "renaissance.why.no_stone" if is_placing else "renaissance.why.no_space"
        return words(key, ask=prompt(model))
    if "lift" in verbs and (lifted := _why_not_lifted(model, place, space, verbs)):
        return lifted
    return _why_not_placed(model, place, space)


def _why_not_lifted(model: ViewModel, place: Location, space: int, verbs: set[str]) -> str:
    """11.2: of pieces that stand on the board, while one of them may be moved."""
    piece = place.pieces[space]
    if piece and owner_of(piece) == model.view.seat:
        return model.words("renaissance.why.stuck")
    return "" if "genius" in verbs else model.words("renaissance.why.not_mine")


def _why_not_placed(model: ViewModel, place: Location, space: int) -> str:
    """4.1 to 4.3, 14.2, G17: the rule that keeps a piece away, the one that holds longest first."""
    words, view = model.words, model.view
    assert view.seat is not None, "only who has a seat is asked for a space"
    reason, piece = closed_to(view, place, view.seat), place.pieces[space]
    closed = _why_closed(model, place, reason)
    if closed and (reason == "not_beside" or not piece):
        return closed
    if piece:
        is_mine = owner_of(piece) == view.seat
        key = "renaissance.why.mine" if is_mine else "renaissance.why.taken"
        return words(key, names=_names(model, (owner_of(piece),)))
    if view.counters["lifted.from"] == place.spot + space:
        return words("renaissance.why.from_there")
    return words("renaissance.why.no_path", what=words.listed(_reached(place)))


def _why_closed(model: ViewModel, place: Location, reason: str) -> str:
    """Who keeps me away from the whole event, for a reason of `closed_to`; empty: nobody does."""
    me = model.view.seat
    others = [owner for owner in place.owners if owner != me]
    if reason == "not_beside":
        others = list(place.between or ())
    elif reason == "partner_there":
        others = [owner for owner in others if me is not None and owner == me ^ 1]
    elif reason != "two_there":
        return ""
    return model.words(f"renaissance.why.{reason}", names=_names(model, others))


def _names(model: ViewModel, seats: tuple[int, ...] | list[int]) -> str:
    me, words = model.view.seat, model.words
    names = [words("board.you") if seat == me else model.seats[seat].name for seat in seats]
    if len(names) == 2:
        return words("renaissance.between", one=names[0], other=names[1])
    return words.listed(names)


def _reached(place: Location) -> list[str]:
    """4.2: the free spaces to which a path leads from one that is taken."""
    assert place.event is not None, "a closed location has no spaces"
    pairs = [pair for path in place.event.plan.paths for pair in (path, path[::-1])]
    found = {other for one, other in pairs if place.pieces[one] and not place.pieces[other]}
    return [f"{place.letter}{space + 1}" for space in sorted(found)]


# ---- cards ----


def _card_text(model: ViewModel, place: str) -> str:
    words, look = model.words, model.look
    if place == TALON_PLACE:
        return words("renaissance.talon", number=len(model.view.zones[TALON_PLACE]))
    face = place.removeprefix(ON_DISPLAY)
    texts = [words(key) for key in look.texts(model.view.options, face)]
    return f"{look.named(words, face)}: {words.in_a_row(texts)}".strip()


def why_not_taken(model: ViewModel, place: str) -> str:
    """One sentence; nothing where it can be taken, or it is not my turn."""
    words, view = model.words, model.view
    taking = "draw" if place == TALON_PLACE else f"take {place.removeprefix(ON_DISPLAY)}"
    if not model.is_my_turn or any(offer.text == taking for offer in view.offers):
        return ""
    if view.phase == "place":
        return words("renaissance.why.card_later")
    if view.phase == "act":
        return words("renaissance.why.talon_empty")
    if view.phase == "bonus":
        key = "culture" if view.counters["bonus.color"] == 0 else "person"
        return words(f"renaissance.why.bonus_{key}")
    return words("renaissance.why.no_display", ask=prompt(model))
