"""Runs the script of a game from one step to the next, also where a seat changes hands in between.

What I have written in the current step stays what I say there: it is signed once more, in answer to
the change.  It is void where the step is: when the key of a seat is lost, so that cards are dealt
anew, when a seat goes back to its owner, or when a cheater goes, but where all that is said follows
from keys.  So is a word to go back: those who agreed to it are others than those who are there now.

If all who stay have parts of the key of a seat that is gone, they give them first, in a step of
their own; the current one is postponed until then.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p.base.entry import Entry
from p2p.game.going_back import parse_take_back
from p2p.game.script import Play
from p2p.game.steps import SeatLost, Step


class ScriptRunner:
    """A script that runs, and what was written in its current step before a seat went or came."""

    def __init__(self, play: Play) -> None:
        """Nothing has been asked yet."""
        self._play, self._script = play, play.script()
        self._postponed: Step | None = None  # It goes on when a key has been put together,
        self._begins_anew = False  # or begins anew.
        self._bodies: dict[int, object] = {}

    def first(self) -> Step:
        """The step with which the game begins."""
        return next(self._script)

    def resume(self, values: tuple[object, ...], height: int) -> Step | None:
        """The next step, once the values of the current one are there and the log has this height.

        None if the game is over.  Raises what the script does: they may not fit together.
        """
        if self._postponed is not None:
            return self._resume_with_key(values, height)
        self._play.height, self._bodies = height, {}
        try:
            return self._script.send(values)
        except StopIteration:
            return None

    def _resume_with_key(self, parts: tuple[object, ...], height: int) -> Step | None:
        """The key of a seat that is gone has been put together: on with the step that waits."""
        seat = self._play.put_together(parts)
        step, self._postponed = self._postponed, None
        if not self._begins_anew:
            return step
        self._play.forget_seal(seat)
        return self._begin_anew(height)

    # ---- seats that change hands ----

    def change(self, step: Step, gone: Iterable[int], height: int, *, is_void: bool) -> Step:
        """The step to write behind a change of members, by which `gone` have gone or come back.

        The same step again; or, if it is void, the first step of its request.  Before that the
        parts of a key, where one is needed.
        """
        self._begins_anew |= is_void and not self._play.is_signed  # Keys are shown as they are.
        if self._play.keyless:
            self._postponed = self._postponed or step
            return self._play.part_step()
        step, self._postponed = self._postponed or step, None
        if not self._begins_anew:
            return step
        for seat in gone:
            self._play.forget_seal(seat)
        return self._begin_anew(height)

    def _begin_anew(self, height: int) -> Step:
        """Leave the current step, in which nothing counts: it needs a lost key, or may be bent.

        Where it stays current, its context does too (`Play.height`).
        """
        self._play.height, self._bodies, self._begins_anew = height, {}, False
        return self._script.throw(SeatLost())

    def keep(self, entry: Entry) -> None:
        """A seat changes hands: what was written for this one in the current step stays."""
        # Parts of a key are no choice, and follow from it.
        if self._postponed is None and parse_take_back(entry.body) is None:
            self._bodies[entry.seat] = entry.body

    def keep_earlier(self, entry: Entry, step: Step | None) -> None:
        """The same for what I wrote before, if it was in the current step or the postponed one."""
        due = self._postponed or step
        is_due = due is not None and entry.kind == due.kind and entry.height >= self._play.height
        if is_due and parse_take_back(entry.body) is None:
            self._bodies.setdefault(entry.seat, entry.body)

    def forget(self, seats: Iterable[int]) -> None:
        """What was written for seats that change hands is said by nobody again."""
        for seat in seats:
            self._bodies.pop(seat, None)

    def has_body(self, seat: int | None) -> bool:
        """Whether what is due of a seat was written before a change."""
        return self._postponed is None and seat in self._bodies

    def body_of(self, seat: int) -> object:
        """What was written for it."""
        return self._bodies[seat]
