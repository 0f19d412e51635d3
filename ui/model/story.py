"""The story of a game for a reader: by turns, consequences below what caused them.

What others did to me stands out, and what happened since my last turn can be told by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from core.narrate import SCORED_FACT, WON, Line
from core.requests import Player
from p2p.session.news import SeatState, TableChanged
from ui.games import look_of
from ui.look import Look
from ui.model.clocks import used_up
from ui.model.sentences import line_sentence
from ui.model.view_model import ViewModel

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


def told(model: ViewModel, lines: Sequence[Line], *, tells_time: bool = True) -> list[Told]:
    """Sentences of some lines; before the first choice of a bot for lack of time, that one too."""
    words, view = model.words, model.view
    has_winner = model.look.has_winner(view)
    found, hastened = [], _first_hastened(model.news)
    for line in _told_once(lines, model.look):
        if line.fact is not None and line.fact.kind == WON and not has_winner:
            continue  # Of a game that ends undecided the rules let everybody win.
        text = line_sentence(words, seats_then(model, line), line, view.game)
        if tells_time and line.kind == "chosen" and (line.entry, line.seat) in hastened:
            seat = hastened[line.entry, line.seat]
            found.append(Told(used_up(words, model.news, seat), line.entry))
        is_turn, what = begins_turn(line), _verb(line) or _kind(line)
        found.append(
            Told(text, line.entry, is_turn, line.kind == "told" and not is_turn,
                 line.is_by(view.seat), _hurts(line, model),
                 what in model.look.routine
                 or (line.kind in _ROUTINE and not _is_named(line, model.look)),
                 what in model.look.deeds)
        )  # fmt: skip
    return found


def _first_hastened(news: TableChanged) -> dict[tuple[int, Player | None], Player]:
    """The first choice of a bot for each person without time, by (entry, seat)."""
    first = {seat: entry for entry, seat in sorted(news.hastened, reverse=True)}
    return {(entry, seat): seat for seat, entry in first.items()}


def seats_then(model: ViewModel, line: Line) -> Sequence[SeatState]:
    """The seats as a line names them: a bot may have chosen for a person, gone or without time."""
    news, seats, seat = model.news, model.news.seats, line.seat
    chosen = (line.entry, -1 if seat is None else seat)
    if line.kind != "chosen" or chosen not in news.by_bots | news.hastened:
        return seats
    assert seat is not None, "a bot chose for somebody"
    name = f"{seats[seat].name} ({model.words('term.bot')})"
    return [replace(each, name=name) if at == seat else each for at, each in enumerate(seats)]


def _told_once(lines: Sequence[Line], look: Look) -> list[Line]:
    """The lines; what followed from choices and lots takes their place, where it says them too."""
    found, waiting = dict[int, Line](), list[int]()  # Choices that what follows may tell.
    for at, line in enumerate(lines):
        last = next(reversed(found), at)
        if last != at and _goes_with(line, found[last], look):
            found[last] = replace(line, text=f"{found[last].text} {line.text.partition(' ')[2]}")
            continue
        if (same := _added_to(line, found, look)) is not None:
            found[same] = _added(found[same], line)
            continue
        if last != at and _says_lot(line, found[last], look):
            found[last] = replace(line, kind="rolled")
            continue
        if not _is_named(line, look) and _is_looked_at(line, reversed(found.values()), look):
            continue
        choices = [each for each in waiting if _tells(line, found[each], look)]
        if choices:
            *before, last = choices
            found[last] = replace(line, kind="chosen", action=found[last].action)
            for each in before:
                del found[each]
            waiting = [each for each in waiting if each not in choices]
            continue
        if line.kind == "chosen":
            waiting = [*(waiting if _verb(line) in look.goes_on else ()), at]
        if _kind(line) not in look.implied:
            found[at] = line
    return list(found.values())


def _goes_with(line: Line, before: Line, look: Look) -> bool:
    """Whether one sentence tells two choices that follow each other and do nothing to the table."""
    is_same = (before.seat, _verb(before)) == (line.seat, _verb(line))
    return is_same and _verb(line) in look.asides


def _added_to(line: Line, found: dict[int, Line], look: Look) -> int | None:
    """Where a fact of the same event stands whose number this one adds to: others may be between.

    Of the stones and the genius marker that a seat gets back, the stones are told once.
    """
    if _kind(line) not in look.added_up:
        return None
    for at, each in reversed(found.items()):
        if each.fact is None or each.entry != line.entry:
            return None
        if (each.seat, _kind(each)) == (line.seat, _kind(line)):
            return at
    return None


def _added(before: Line, line: Line) -> Line:
    assert before.fact is not None and line.fact is not None, "numbers of facts are added"
    number = before.fact.number + line.fact.number
    return replace(before, number=number, fact=before.fact._replace(number=number))


def _says_lot(fact: Line, lot: Line, look: Look) -> bool:
    """Whether a fact says what a lot was drawn for."""
    is_same = lot.kind == "rolled" and fact.entry == lot.entry
    return is_same and _kind(fact) in look.told_by.get("rolled", ())


def _is_named(line: Line, look: Look) -> bool:
    """Whether the line tells me which cards have come into my hand."""
    return look.names_drawn and line.kind == "drawn" and bool(line.faces)


def _is_looked_at(line: Line, before: Iterable[Line], look: Look) -> bool:
    """Whether a seat looks at what it has just got, as was told: that is no card it draws."""
    if line.kind != "drawn":
        return False
    for each in before:
        if line.seat == each.seat and (_verb(each) or _kind(each)) in look.looked_at:
            return True
        if each.kind != "told":
            return False
    return False


def _tells(fact: Line, choice: Line, look: Look) -> bool:
    """Whether a fact says what a seat has chosen, of its own or of what is another's, and more."""
    by = fact.fact.other if fact.fact is not None else -1
    kinds = _telling(choice, look)
    if fact.entry == choice.entry:
        kinds += look.told_with.get(_verb(choice), ())
    return choice.seat in (fact.seat, by) and _kind(fact) in kinds


def _telling(choice: Line, look: Look) -> tuple[str, ...]:
    """The facts that tell this choice in its place."""
    verb = _verb(choice)
    return look.told_by.get(f"{verb}_{choice.phase}", look.told_by.get(verb, ()))


def _verb(line: Line) -> str:
    """The verb of a choice, also of one that is told by its fact."""
    return line.action.verb if line.action is not None else ""


def _kind(line: Line) -> str:
    """The kind of a fact; nothing for other lines."""
    return line.fact.kind.split()[0] if line.fact is not None else ""


def untold(news: TableChanged, count: int) -> Sequence[Line]:
    """The lines behind so many that were told; choices that a fact may tell wait for it.

    They wait as long as nothing follows them, or the rules go on by themselves; and where I am
    asked something, only if they are my own.
    """
    lines, view = news.lines[count:], news.view
    waiting = lines[_open_choice(lines, look_of(view.game)) :]
    are_choices = all(line.kind == "chosen" for line in waiting)
    are_due = view.is_over or (view.offers and not all(line.is_by(view.seat) for line in waiting))
    waits = not are_due and (are_choices or not view.to_act)
    return lines[: len(lines) - len(waiting)] if waits else lines


def _open_choice(lines: Sequence[Line], look: Look) -> int:
    """Where the first choice stands that a fact may still tell; behind all lines: none does."""
    start = end = len(lines)
    for at, line in enumerate(lines):
        if line.kind == "chosen" and _verb(line) not in look.goes_on:
            start = end
        if line.kind == "chosen" and _telling(line, look):
            start = min(start, at)
        elif start < at and _tells(line, lines[start], look):
            start = end
    return start


def story(model: ViewModel) -> list[Told]:
    """The end of the story for a panel: no mixing of hands, no end of a turn that the next says.

    Nor what does nothing to the table.
    """
    lines, asides = model.news.lines[-STORY_LINES_MAX:], model.look.asides
    worth = [line for line in lines if is_worth_a_row(line) and _verb(line) not in asides]
    return told(model, worth)


def hurts(model: ViewModel) -> list[Told]:
    """What others did to me in the whole game, below the turns in which it happened."""
    lines, found = model.news.lines, list[Line]()
    turn: Line | None = None
    for line in lines:
        if begins_turn(line):
            turn = line
        elif _hurts(line, model):
            found += [turn, line] if turn is not None else [line]
            turn = None
    return told(model, found)


def since_mine(model: ViewModel) -> list[Told]:
    """What the others did since my last turn; where a turn is a round of all, my last choice."""
    return (since_my_choice if model.look.has_rounds else since_my_turn)(model)


def said_now(model: ViewModel, fresh: Sequence[Line]) -> list[Told]:
    """What is said line by line of what is new: without the result, of which more is said."""
    lines = [line for line in fresh if not (is_of_own_hand(line) or _is_result(line))]
    return told(model, lines, tells_time=False)


def said_first(model: ViewModel, fresh: Sequence[Line]) -> list[Told]:
    """The same when a table is seen for the first time; of one that goes on, what was missed.

    Who looks on has missed the turn that goes on.
    """
    news, me = model.news, model.view.seat
    if any(line.kind == "chosen" and line.is_by(me) for line in news.lines):
        lines = tuple(line for line in news.lines if not _is_result(line))
        return since_mine(replace(model, news=replace(news, lines=lines)))
    turns = [at for at, line in enumerate(fresh) if begins_turn(line)]
    return said_now(model, fresh[turns[-1] :] if me is None and turns else fresh)


def _is_result(line: Line) -> bool:
    return _kind(line) in (SCORED_FACT, WON)


def since_my_turn(model: ViewModel) -> list[Told]:
    """What the others did since my last turn, turn by turn; nothing for who looks on."""
    lines, me = model.news.lines, model.view.seat
    turns = [place for place, line in enumerate(lines) if begins_turn(line)]
    if me is None or not turns:
        return []
    mine = [place for place in turns if lines[place].seat == me]
    is_mine_now = bool(mine) and mine[-1] == turns[-1]
    end = turns[-1] if is_mine_now else len(lines)
    before = mine[: -1 if is_mine_now else None]
    later = [place for place in turns if place > (before[-1] if before else -1)]
    start = later[0] if later else end
    return told(model, [line for line in lines[start:end] if is_worth_a_row(line)])


def since_my_choice(model: ViewModel) -> list[Told]:
    """What others did since I chose last, without what does nothing to the table.

    With what they chose together with me.  What I chose in a whole that is over counts for
    nothing: how a battle went is told to who fought it as well.
    """
    me, look = model.view.seat, model.look
    lines = [line for line in model.news.lines if _verb(line) not in look.asides]
    mine = [at for at, line in enumerate(lines) if line.kind == "chosen" and line.is_by(me)]
    if me is None or not mine:
        return []
    begin, end = _last_whole(lines, look)
    last = next((at for at in reversed(mine) if not begin < at < end < len(lines)), -1)
    later = [line for at, line in enumerate(lines[last + 1 :], last + 1)
             if at not in mine and not (last >= 0 and _tells(line, lines[last], look))]  # fmt: skip
    later[:0] = [line for line in lines[: max(last, 0)]
                 if line.kind == "chosen" and line.entry == lines[last].entry]  # fmt: skip
    begun = next((at for at, line in enumerate(later) if line.kind == "chosen"), len(later))
    deeds = [line for line in later[:begun] if _kind(line) in look.deeds]
    return told(model, [*deeds, *(line for line in later[begun:] if is_worth_a_row(line))])


def whole_so_far(model: ViewModel) -> list[Told]:
    """What goes on as a whole, as a battle does, from its beginning; else nothing."""
    lines, look = model.news.lines, model.look
    begin, end = _last_whole(lines, look)
    worth = [line for line in lines[begin:end]
             if is_worth_a_row(line) and _verb(line) not in look.asides]  # fmt: skip
    return told(model, worth) if end == len(lines) else []


def _last_whole(lines: Sequence[Line], look: Look) -> tuple[int, int]:
    """Where what is told as a whole last began, and where it ended: behind all if it goes on."""
    (begins, ends), size = look.whole, len(lines)
    begin = next((at for at in range(size - 1, -1, -1) if _kind(lines[at]) in begins), size)
    return begin, next((at for at in range(begin, size) if _kind(lines[at]) == ends), size)


def is_turn_new(model: ViewModel) -> bool:
    """Whether I have yet to choose something in this turn, or am asked in somebody else's."""
    for line in reversed(model.news.lines):
        if begins_turn(line):
            return True
        if line.kind == "chosen" and line.is_by(model.view.seat):
            return False
    return True


def begins_turn(line: Line) -> bool:
    """Whether this line is the heading of a turn."""
    return line.fact is not None and line.fact.kind == TURN_FACT


def turn_of(news: TableChanged) -> Player | None:
    """Whose turn it is; None where it is nobody's: in a set-up, or where all choose together."""
    whose_turn = look_of(news.view.game).whose_turn
    if whose_turn is not None:
        return whose_turn(news.view)
    return next((line.seat for line in reversed(news.lines) if begins_turn(line)), None)


def plain_sentences(told_lines: Sequence[Told]) -> list[str]:
    """The same as lines of text, consequences set in below what caused them."""
    return [
        f"-- {each.text} --" if each.is_heading else f"  {_marked(each)}"
        if each.is_consequence else _marked(each)
        for each in told_lines
    ]  # fmt: skip


def _marked(each: Told) -> str:
    return f"! {each.text}" if each.is_hurt else each.text


def _hurts(line: Line, model: ViewModel) -> bool:
    fact, me = line.fact, model.view.seat
    if fact is None or _kind(line) in model.look.harmless:
        return False
    return fact.seat == me and fact.other >= 0 and fact.other != me


def is_worth_a_row(line: Line) -> bool:
    """Whether a reader of the story misses this line."""
    is_silent = line.action is not None and line.action.verb in _SILENT
    return not (is_silent or is_of_own_hand(line))


def is_of_own_hand(line: Line) -> bool:
    """Whether a seat mixes its own cards, so that nobody can follow one of them: no game does."""
    return line.kind == "shuffled" and line.seat is not None
