"""The story of a game for a reader: by turns, consequences below what caused them.

What others did to me stands out, and what happened since my last turn can be told by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from core.narrate import WON, Line
from core.requests import Player
from ui.picture import Picture
from ui.sentences import line_sentence

STORY_LINES_MAX: Final = 120  # More than any panel shows.
TURN_FACT: Final = "turn"  # The fact with which a turn begins, in every game that has turns.
_ROUTINE: Final = ("drawn", "shuffled", "looked")
_SILENT: Final = ("end", "stop", "done")  # Verbs that what comes next says as well.


class Told(NamedTuple):
    """A sentence of the story, and how it is to be read."""

    text: str
    entry: int  # The events before it: where a replay shows it.
    is_heading: bool = False  # A turn begins.
    is_consequence: bool = False  # It followed from the line above.
    is_mine: bool = False
    is_hurt: bool = False  # Somebody else did this to me.
    is_routine: bool = False  # A draw or a shuffle, which nobody misses first.
    is_deed: bool = False  # What a turn is told by, where there is room for little.


def told(picture: Picture, lines: Sequence[Line]) -> list[Told]:
    """Sentences of some lines."""
    words, seats, view = picture.words, picture.news.seats, picture.view
    has_winner = picture.look.has_winner(view)
    found = []
    for line in _told_once(lines, picture.look.told_by):
        if line.fact is not None and line.fact.kind == WON and not has_winner:
            continue  # Of a game that ends undecided the rules let everybody win.
        if line.fact is not None and line.fact.kind in picture.look.implied:
            continue
        text = line_sentence(words, seats, line, view.game)
        is_turn, verb = begins_turn(line), line.action.verb if line.action is not None else ""
        found.append(
            Told(text, line.entry, is_turn, line.kind == "told" and not is_turn,
                 line.is_by(view.seat), _hurts(line, view.seat), line.kind in _ROUTINE,
                 verb in picture.look.deeds)
        )  # fmt: skip
    return found


def _told_once(lines: Sequence[Line], told_by: Mapping[str, tuple[str, ...]]) -> list[Line]:
    """The lines; what followed from a choice takes its place, where that says it and more."""
    found, choices = list[Line](), dict[int, int]()  # By entry, where the choice stands.
    for line in lines:
        at, kind = choices.get(line.entry, -1), line.text.split(" ")[0]
        action = found[at].action if at >= 0 else line.action
        verb = action.verb if action is not None else ""
        if at >= 0 and line.fact is not None and kind in told_by[verb]:
            found[choices.pop(line.entry)] = replace(line, kind="chosen", action=action)
            continue
        if line.kind == "chosen" and verb in told_by:
            choices[line.entry] = len(found)
        found.append(line)
    return found


def story(picture: Picture) -> list[Told]:
    """The end of the story for a panel: no mixing of hands, no end of a turn that the next says."""
    lines = picture.news.lines[-STORY_LINES_MAX:]
    return told(picture, [line for line in lines if is_worth_a_row(line)])


def hurts(picture: Picture) -> list[Told]:
    """What others did to me in the whole game, below the turns in which it happened."""
    lines, found = picture.news.lines, list[Line]()
    turn: Line | None = None
    for line in lines:
        if begins_turn(line):
            turn = line
        elif _hurts(line, picture.view.seat):
            found += [turn, line] if turn is not None else [line]
            turn = None
    return told(picture, found)


def since_mine(picture: Picture) -> list[Told]:
    """What the others did since my last turn; where a turn is a round of all, my last choice."""
    return (since_my_choice if picture.look.has_rounds else since_my_turn)(picture)


def since_my_turn(picture: Picture) -> list[Told]:
    """What the others did since my last turn, turn by turn; nothing for who looks on."""
    lines, me = picture.news.lines, picture.view.seat
    turns = [place for place, line in enumerate(lines) if begins_turn(line)]
    if me is None or not turns:
        return []
    mine = [place for place in turns if lines[place].seat == me]
    is_mine_now = bool(mine) and mine[-1] == turns[-1]
    end = turns[-1] if is_mine_now else len(lines)
    before = mine[: -1 if is_mine_now else None]
    later = [place for place in turns if place > (before[-1] if before else -1)]
    start = later[0] if later else end
    return told(picture, [line for line in lines[start:end] if is_worth_a_row(line)])


def since_my_choice(picture: Picture) -> list[Told]:
    """What others did since I chose last."""
    lines, me = picture.news.lines, picture.view.seat
    mine = [at for at, line in enumerate(lines) if line.kind == "chosen" and line.is_by(me)]
    if me is None or not mine:
        return []
    later = lines[mine[-1] + 1 :]
    begun = next((at for at, line in enumerate(later) if line.kind == "chosen"), len(later))
    return told(picture, [line for line in later[begun:] if is_worth_a_row(line)])


def is_turn_new(picture: Picture) -> bool:
    """Whether I have yet to choose something in this turn, or am asked in somebody else's."""
    for line in reversed(picture.news.lines):
        if begins_turn(line):
            return True
        if line.kind == "chosen" and line.is_by(picture.view.seat):
            return False
    return True


def begins_turn(line: Line) -> bool:
    """Whether this line is the heading of a turn."""
    return line.fact is not None and line.fact.kind == TURN_FACT


def turn_of(lines: Sequence[Line]) -> Player | None:
    """Whose turn it is; None where the game has no turns, or before the first."""
    return next((line.seat for line in reversed(lines) if begins_turn(line)), None)


def plain_sentences(told_lines: Sequence[Told]) -> list[str]:
    """The same as lines of text, consequences set in below what caused them."""
    return [
        f"-- {each.text} --" if each.is_heading else f"  {_marked(each)}"
        if each.is_consequence else _marked(each)
        for each in told_lines
    ]  # fmt: skip


def _marked(each: Told) -> str:
    return f"! {each.text}" if each.is_hurt else each.text


def _hurts(line: Line, me: Player | None) -> bool:
    fact = line.fact
    return fact is not None and fact.seat == me and fact.other >= 0 and fact.other != me


def is_worth_a_row(line: Line) -> bool:
    """Whether a reader of the story misses this line."""
    if line.kind == "shuffled":
        return line.seat is None
    return line.action is None or line.action.verb not in _SILENT
