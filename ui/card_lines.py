"""What a card says, in lines of text."""

from __future__ import annotations

from ui.picture import Picture, readable_faces


def card_facts(picture: Picture, face: str) -> list[str]:
    """What a card costs, where it is sold, and its types."""
    words, look = picture.words, picture.look
    costs = [ware.cost for ware in look.wares(picture.view) if ware.face == face]
    kinds = [words(key) for key in look.kinds(face)]
    return [*(words("texts.cost", cost=cost) for cost in costs), *kinds]


def card_lines(picture: Picture, typed: str) -> list[str]:
    """What the card with this name or key says; the names of all where none is so called."""
    words, look = picture.words, picture.look
    names = {face: look.named(words, face) for face in readable_faces(picture)}
    wanted = typed.casefold()
    for face, name in names.items():
        if wanted in (name.casefold(), face, face.rpartition(".")[2]):
            text = " ".join(words(key) for key in look.texts(picture.view.options, face))
            facts = ", ".join(card_facts(picture, face))
            return [f"{name} ({facts}): {text}" if facts else f"{name}: {text}"]
    return [words("plain.cards", names=words.listed(dict.fromkeys(names.values())))]
