"""What the table waits for, in one sentence."""

from __future__ import annotations

from typing import Final

from core.view import View
from ui.games import look_of
from ui.language.text import Words
from ui.model.away import is_cut_off, waiting_text
from ui.model.result import result
from ui.model.sentences import with_bot
from ui.model.view_model import ViewModel

DOING: Final = {  # What the machines are at, by the first word of what the node calls it.
    "key": "keys",
    "keys": "keys",
    "shuffle": "shuffling",
    "shuffling": "shuffling",
    "prove": "shuffling",
    "mix": "dealing",
    "pass": "dealing",
    "return": "dealing",
    "dealing": "dealing",
    "share": "dealing",
    "shares": "dealing",
    "open": "dealing",
}


def prompt(model: ViewModel) -> str:
    """The one sentence that says what the table waits for."""
    words, view, news = model.words, model.view, model.news
    if view.is_over:
        return result(model)
    if news.is_past:
        return words("doing.past")
    if model.is_my_turn:
        return " · ".join([_asked(model), *at_once(model)])
    if news.silence is not None and not is_cut_off(news):
        return words("table.silent", names=words.listed(news.silence.names))
    silent = waiting_text(words, news)
    if silent:
        return silent
    doing = DOING.get(news.doing.partition(" ")[0])
    if doing:
        return words(f"doing.{doing}")
    waited_for = [
        with_bot(words, seat.name, seat.state)
        for seat in model.seats
        if seat.is_to_act and not seat.is_me
    ]
    if waited_for:
        waiting = words("table.waiting", names=words.listed(waited_for))
        return " · ".join([waiting, *at_once(model)[1:]])
    return words("doing.dealing")


def _asked(model: ViewModel) -> str:
    """What I am to choose: in my turn, or in that of another, as under an attack."""
    words, view, whose_turn = model.words, model.view, model.look.whose_turn
    what, turn = what_to_choose(words, view), whose_turn(view) if whose_turn else None
    if turn is None or turn == view.seat:
        return words("table.your_turn", what=what)
    return words("table.your_choice", what=what, name=model.seats[turn].name)


def at_once(model: ViewModel) -> list[str]:
    """Who else chooses while I do, and who has; nothing where one alone is asked."""
    words, asked = model.words, model.view.to_act
    if len(asked) < 2:
        return []
    others = [model.seats[seat] for seat in asked if seat != model.view.seat]
    choosing = [seat.name for seat in others if seat.is_to_act]
    chosen = [seat.name for seat in others if not seat.is_to_act]
    known = {"table.at_once": choosing, "table.chosen": chosen}
    return [words(key, names=words.listed(names)) for key, names in known.items() if names]


def is_waiting_for_others(model: ViewModel) -> bool:
    """Whether the table waits for nobody but others who are there."""
    waited_for = [seat.state for seat in model.seats if seat.is_to_act]
    return bool(waited_for) and all(each.link == "up" for each in waited_for)


def is_bot_thinking(model: ViewModel) -> bool:
    """The same, if all of them are bots."""
    bots = all(seat.state.is_bot for seat in model.seats if seat.is_to_act)
    return bots and is_waiting_for_others(model)


def what_to_choose(words: Words, view: View) -> str:
    """What a person whose turn it is has to do now, in a few words that name the cards."""
    look, verbs = look_of(view.game), {offer.action.verb for offer in view.offers}
    words = words.of(view.game)
    phase = f"phase.{view.game}.{view.phase}"
    known = [look.ask(view)]
    known += [f"ask.{verb}" for verb in ("use", "end", "skip") if verb in verbs]
    known += [phase, *(f"ask.{verb}" for verb in sorted(verbs)), "ask.choose"]
    text = words(next(key for key in known if words.has(key)))
    left = look.left(view)
    return words("ask.more", what=text, number=left) if left > 1 else text
