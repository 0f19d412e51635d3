"""Why a card or a pile cannot be chosen now."""

from __future__ import annotations

from ui.model.prompt import prompt
from ui.model.view_model import ViewModel


def why_not(model: ViewModel, number: int) -> str:
    """Why the hand card with this number cannot be chosen now."""
    words, ask = model.words, prompt(model)
    if not model.is_my_turn:
        return words("why.not_your_turn")
    face = model.hand[number - 1].card.face or ""
    if key := model.look.why_not(model.view, face):
        return words(key, face=words.name("face", face), ask=ask)
    numbers = [int(pick.label) for pick in model.picks if pick.label.isdigit()]
    faces = dict.fromkeys(model.hand[each - 1].card.face or "" for each in numbers)
    names = words.listed(model.look.named(words, each) for each in faces)
    return words("why.only", names=names, ask=ask) if names else words("why.no_card", ask=ask)


def why_no_ware(model: ViewModel, face: str) -> str:
    """Why nothing can be got from the pile of a card now; empty where it is not my turn."""
    words, look = model.words, model.look
    wares = [ware for ware in look.wares(model.view) if ware.face == face]
    if not model.is_my_turn or not wares:
        return ""
    reason = look.why_no_ware(model.view, wares[0])
    if reason is None:
        return words("why.no_pile", ask=prompt(model))
    name = words.name("face", face)
    return words(reason.key, face=name, number=reason.number, other=reason.other)
