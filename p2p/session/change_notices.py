"""What the person here is told when a seat has changed hands: who is gone, and who is back."""

from __future__ import annotations

from p2p.log.membership.messages import REASON_LEFT, REASON_SILENT, Change
from p2p.log.objection import Objection
from p2p.session.leaving import Leaving
from p2p.session.news import Notice
from p2p.session.reachability import Reachability
from p2p.session.table import RunningTable


class ChangeNotices:
    """Sentences about changes of members; whoever leaves hears nothing more of the table."""

    def __init__(self, table: RunningTable, leaving: Leaving, reachability: Reachability) -> None:
        self._table, self._replica = table, table.replica
        self._leaving, self._reachability = leaving, reachability

    def tell_back(self, seat: int) -> None:
        """The owner of a seat is back."""
        name = self._name(seat)
        text = f"{name} is back; all know the cards that {name} holds until new ones are drawn"
        mine = "you are back; all know the cards that you hold until you draw new ones"
        self._say(Notice(mine if seat == self._replica.me else text, is_news=True))

    def tell_gone(self, seat: int, change: Change) -> None:
        """A seat is gone by a change, which may be about others as well."""
        if seat != self._replica.me:
            has_left = seat != change.seat or change.reason == REASON_LEFT
            self._say(self._gone(seat, has_left=has_left))
        elif not self._leaving.is_leaving:
            if change.reason == REASON_SILENT and seat == change.seat:
                self._object()
            text = "you were away too long, and a bot plays on for you"
            if change.reason == REASON_LEFT:
                text = "a bot plays on for you, until you have a new key"
            self._say(Notice(text, "wait a little: the others give your seat back to you"))

    def _say(self, notice: Notice) -> None:
        if not self._leaving.is_leaving:
            self._table.publish(notice)

    def _gone(self, seat: int, *, has_left: bool) -> Notice:
        """A bot that goes is no person who may come back: the table has another one for it."""
        name, replica = self._name(seat), self._replica
        text = f"a bot plays on for {name}, with an open hand"
        if has_left:
            text = f"{name} has left; a bot plays on with the cards of {name}, which all can see"
        if replica.roster.seats[seat].is_bot:
            text = f"another bot plays on for {name}, with an open hand"
        anew = f"the hand of {name} and the decks are dealt anew; your hand stays as it is"
        return Notice(text, anew if seat in replica.play.lost else "", is_news=True)

    def _object(self) -> None:
        """Say in my own file that I was let go while I ran: nobody else would ever say it."""
        replica = self._replica
        if self._reachability.has_run_for_grace:
            assert replica.me is not None and replica.identity is not None, "somebody went: me"
            objection = Objection(replica.height, replica.me)
            signed = objection.sign(replica.identity, replica.game_id, replica.head)
            self._table.object(signed)

    def _name(self, seat: int) -> str:
        return self._replica.roster.seats[seat].shown_name
