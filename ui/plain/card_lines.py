"""What a card says, and what the person has noted on it, in lines of text."""

from __future__ import annotations

from collections.abc import Mapping

from ui.model.notes import Notes
from ui.model.view_model import ViewModel, card_facts, readable_faces
from ui.model.why_not import why_no_ware, why_not


def card_lines(model: ViewModel, notes: Notes, typed: str) -> list[str]:
    """What the card with this name or key says, or what a place of the board is, as it is typed.

    And why it cannot be chosen now; the names of all cards where nothing is so called.
    """
    from ui.draw.frame import board_of  # Lines of text need no drawing but for this.

    words, look = model.words, model.look
    names = _names(model)
    for face, name in names.items():
        if typed.casefold() in _called(face, name):
            text = words.in_a_row(words(key) for key in look.texts(model.view.options, face))
            facts = words.listed(card_facts(model, face))
            note = notes.of(model.view.game).get(face, "")
            mine = [words("note.written", name=name, text=note)] if note else []
            said = f"{name} ({facts}): {text}" if facts else f"{name}: {text}"
            return [said, *_why_not_now(model, face), *mine]
    if place := board_of(model).about(model, typed.casefold()):
        return [place]
    return [words("plain.cards", names=words.listed(dict.fromkeys(names.values())))]


def _why_not_now(model: ViewModel, face: str) -> list[str]:
    """Why a card of my hand, or one of an open pile, cannot be chosen; nothing where it can."""
    held = [str(at) for at, each in enumerate(model.hand, 1) if each.card.face == face]
    is_legal = bool({pick.label for pick in model.picks} & set(held))
    is_sold = any(pick.offer.text.split()[1:] == [face] for pick in model.picks)
    if not model.is_my_turn or is_legal or (is_sold and not held):
        return []
    why = why_not(model, int(held[0])) if held else why_no_ware(model, face)
    return [why] if why else []


def note_lines(model: ViewModel, notes: Notes, typed: str) -> list[str]:
    """Keep a note, as in `council room buy late`; without a text the one on that card goes.

    Raises:
        UnusableHome: it cannot be kept.
    """
    words, game, wanted = model.words, model.view.game, typed.casefold() + " "
    called = [
        (call, face, name)
        for face, name in _names(model).items()
        for call in _called(face, name)
        if wanted.startswith(f"{call} ")
    ]
    if not called:
        return [words("note.typed"), *card_lines(model, notes, "")]
    call, face, name = max(called, key=lambda each: len(each[0]))  # `gold mine` is not `gold`.
    before, text = notes.of(game).get(face, ""), typed[len(call) :].strip()
    if not text and not before:
        return [words("note.typed")]
    notes.write(game, face, text)
    return [words("note.written" if text else "note.gone", name=name,
                  text=notes.of(game).get(face, before))]  # fmt: skip


def _names(model: ViewModel) -> Mapping[str, str]:
    return {face: model.look.named(model.words, face) for face in readable_faces(model)}


def _called(face: str, name: str) -> tuple[str, ...]:
    """What somebody may type for a card."""
    return name.casefold(), face, face.rpartition(".")[2]
