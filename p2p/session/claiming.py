"""The one who is left: none of the others answers, and there is nobody to agree with.

It may wait, or adjourn: leave, and resume the game with everybody later.  It may claim the win
(`p2p.log.claim`).  Meanwhile its person may practise from where the game stands; that is a game of
its own (`ui.replay.practice`), of which nobody hears.  Nothing of this touches the log, and nothing
happens by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p.log.claim import WinClaim
from p2p.session.news import Notice, Silence
from p2p.session.table import RunningTable


class Claiming:
    """What the one who is left may do, and does when its person says so."""

    def __init__(
        self, table: RunningTable, is_late: Callable[[int], bool], may_sign: Callable[[], bool]
    ) -> None:
        """`is_late`: whether a seat is silent for longer than the time of grace; `may_sign`:
        whether I may say something new without having heard the others."""
        self._table, self._replica = table, table.replica
        self._is_late, self._may_sign = is_late, may_sign

    def silence(self) -> Silence | None:
        """Who does not answer, if all others are silent for too long and the table waits."""
        replica, others = self._replica, self._strangers
        is_running = replica.step is not None and replica.is_seated and not replica.play.is_signed
        if not is_running or replica.is_held_by_cheater or not others:
            return None
        is_waiting = any(map(replica.waits_for, others)) or not self._may_sign()
        if not all(map(self._is_late, others)) or not is_waiting:
            return None
        seats = [replica.roster.seats[seat] for seat in others]
        owners = {seat.identity for seat in seats}
        return Silence(tuple(seat.shown_name for seat in seats if seat.sponsor not in owners))

    @property
    def _strangers(self) -> tuple[int, ...]:
        """The other seats at which somebody sits, without my own bots."""
        replica = self._replica
        if replica.me is None:
            return ()
        return replica.roster.not_run_by(replica.me, replica.others)

    def claim(self) -> bool:
        """Write the claim into my file.  True when I may, and the table is to be left now."""
        replica, silence = self._replica, self.silence()
        if silence is None:
            text = "the others are not silent for long enough"
            self._table.publish(Notice(text, "wait a little", is_news=True))
            return False
        assert replica.me is not None and replica.identity is not None, "whoever claims has a seat"
        claim = WinClaim(replica.me, self._strangers, replica.height, replica.head)
        self._table.game_file.claim(claim.sign(replica.identity, replica.game_id))
        names = ", ".join(silence.names)
        hint = "resume the game if they come back: then it goes on, and the claim is void"
        self._table.publish(Notice(f"your file says that you claim the win over {names}", hint))
        return True
