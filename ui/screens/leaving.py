"""Getting up from a table: for now, for good, without the others, or to play once more."""

from __future__ import annotations

from typing import Final

from p2p.session.commands import ClaimWin, Leave, Rematch
from ui.key_bindings import KeyBinding
from ui.model.away import is_cut_off, waiting_text
from ui.model.pause import next_sign, paused_by, why_no_sign
from ui.screens.talking import TalkingScreen

CHOOSING: Final = ("confirm", "hint")  # What means something only while I am to choose.


class LeavingScreen(TalkingScreen):
    """A screen of a table that one can leave."""

    asked = ""  # Of what the person has to be sure: its key was pressed once.

    def forget_hint(self) -> None:
        """Whatever is thought about is of interest no more."""
        raise NotImplementedError

    def label_key(self, binding: KeyBinding) -> str:
        """What chooses while I am asked, the pause where there are clocks, playing again after."""
        view = None if self.newest is None else self.newest.view
        if binding.name == "pause":
            return self._said_of_pause()
        if binding.name == "give_up" and not self._is_heard():
            return ""
        if view and view.is_over and binding.name == "rematch" and self.has_seat:
            return binding.sentence
        is_idle = view is not None and (view.is_over or not view.offers)
        return "" if is_idle and binding.name in CHOOSING else super().label_key(binding)

    def _said_of_pause(self) -> str:
        if self.newest is None or why_no_sign(self.words, self.newest, next_sign(self.newest)):
            return ""
        return "pause.key" if paused_by(self.newest) is None else "pause.key_again"

    def action_rematch(self) -> None:
        """Play once more with everybody, once the game is over."""
        news = self.newest
        if news is not None and news.view.is_over and news.path is not None:
            self.base_app.send(Rematch(news.path))
            self.redraw()
        else:
            is_over = news is not None and news.view.is_over
            self.show_toast(self.words("again.not_seated" if is_over else "again.not_over"))

    async def action_leave(self) -> None:
        """Get up; the game file stays, and the seat can be taken again."""
        self.forget_hint()
        self.base_app.send(Leave())
        await self.base_app.to_lobby()

    async def action_give_up(self) -> None:
        """Give my cards to the others for good, once that was said twice, if there are others."""
        if not (self.has_seat and self._is_heard()):
            await self.action_leave()
        elif self._is_sure("give_up"):
            self.forget_hint()
            self.base_app.send(Leave(is_for_good=True))
            await self.base_app.to_lobby()

    async def action_claim_win(self) -> None:
        """Write into the game file that nobody else answers, and get up."""
        if self._is_on_network() and self._is_left() and self._is_sure("claim_win"):
            self.base_app.send(ClaimWin())
            await self.base_app.to_lobby()

    def action_practise_meanwhile(self) -> None:
        """Play on against bots while none of the others answers; the table stays as it is."""
        news = self.newest
        if self._is_left() and news is not None and news.path is not None:
            self.base_app.practise(news.path, news.view.seat)

    def _is_on_network(self) -> bool:
        """Whether it is not this machine that is away: then the others go on, and nobody won."""
        if self.newest is None or not is_cut_off(self.newest):
            return True
        self.show_toast(waiting_text(self.words, self.newest))
        return False

    def _is_left(self) -> bool:
        """Whether nobody else answers."""
        is_left = self.newest is not None and self.newest.silence is not None
        if not is_left:
            self.show_toast(self.words("table.not_left"))
        return is_left

    def _is_sure(self, what: str) -> bool:
        """Whether the key for something that cannot be taken back is pressed a second time."""
        if self.asked == what:
            return True
        self.asked = what
        self.show_toast(self.words(f"table.{what}"))
        return False
