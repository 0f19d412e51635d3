"""What a card says, and what the person has noted on it, in lines of text."""

from __future__ import annotations

from collections.abc import Mapping

from ui.notes import Notes
from ui.picture import Picture, readable_faces, why_no_ware, why_not


def card_facts(picture: Picture, face: str) -> list[str]:
    """What a card costs, where it is sold, and its types."""
    words, look = picture.words, picture.look
    costs = [ware.cost for ware in look.wares(picture.view) if ware.face == face]
    kinds = [words(key) for key in look.kinds(face)]
    return [*(words("texts.cost", cost=cost) for cost in costs), *kinds]


def card_lines(picture: Picture, notes: Notes, typed: str) -> list[str]:
    """What the card with this name or key says, or what a place of the board is, as it is typed.

    And why it cannot be chosen now; the names of all cards where nothing is so called.
    """
    from ui.draw.frame import board_of  # Lines of text need no drawing but for this.

    words, look = picture.words, picture.look
    names = _names(picture)
    for face, name in names.items():
        if typed.casefold() in _called(face, name):
            text = words.in_a_row(words(key) for key in look.texts(picture.view.options, face))
            facts = words.listed(card_facts(picture, face))
            note = notes.of(picture.view.game).get(face, "")
            mine = [words("note.written", name=name, text=note)] if note else []
            said = f"{name} ({facts}): {text}" if facts else f"{name}: {text}"
            return [said, *_why_not_now(picture, face), *mine]
    if place := board_of(picture).about(picture, typed.casefold()):
        return [place]
    return [words("plain.cards", names=words.listed(dict.fromkeys(names.values())))]


def _why_not_now(picture: Picture, face: str) -> list[str]:
    """Why a card of my hand, or one of an open pile, cannot be chosen; nothing where it can."""
    held = [str(at) for at, each in enumerate(picture.hand, 1) if each.card.face == face]
    is_legal = bool({pick.label for pick in picture.picks} & set(held))
    is_sold = any(pick.offer.text.split()[1:] == [face] for pick in picture.picks)
    if not picture.is_my_turn or is_legal or (is_sold and not held):
        return []
    why = why_not(picture, int(held[0])) if held else why_no_ware(picture, face)
    return [why] if why else []


def note_lines(picture: Picture, notes: Notes, typed: str) -> list[str]:
    """Keep a note, as in `council room buy late`; without a text the one on that card goes.

    Raises:
        UnusableHome: it cannot be kept.
    """
    words, game, wanted = picture.words, picture.view.game, typed.casefold() + " "
    called = [
        (call, face, name)
        for face, name in _names(picture).items()
        for call in _called(face, name)
        if wanted.startswith(f"{call} ")
    ]
    if not called:
        return [words("note.typed"), *card_lines(picture, notes, "")]
    call, face, name = max(called, key=lambda each: len(each[0]))  # `gold mine` is not `gold`.
    before, text = notes.of(game).get(face, ""), typed[len(call) :].strip()
    if not text and not before:
        return [words("note.typed")]
    notes.write(game, face, text)
    return [words("note.written" if text else "note.gone", name=name,
                  text=notes.of(game).get(face, before))]  # fmt: skip


def _names(picture: Picture) -> Mapping[str, str]:
    return {face: picture.look.named(picture.words, face) for face in readable_faces(picture)}


def _called(face: str, name: str) -> tuple[str, ...]:
    """What somebody may type for a card."""
    return name.casefold(), face, face.rpartition(".")[2]
