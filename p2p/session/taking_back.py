"""Asking the table to take a choice back that others have heard already.

Whoever made the choice asks; each other person agrees or does not.  Once all have agreed, the
program of whoever is to choose now writes the entry of `p2p.game.going_back` by itself.

    ["take back", seat, height, events, agrees, signature]    said by one seat, of the current step

To ask is to agree.  A seat has one word in each step, and it counts in that step alone: nobody
goes back behind what was chosen later.  Bots are not asked, and nobody can ask while a bot is to
choose: it would have chosen before anybody could answer.

What an attacker gains: a seat can ask at every step, and is not heard more often than somebody who
talks (`ALLOWANCES`); of each seat only the newest word is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import trio

from core.determinization import observation_of
from p2p.base.entry import ENTRY_COUNT_MAX
from p2p.base.errors import MalformedFrame
from p2p.base.limits import ALLOWANCES, Role
from p2p.game.going_back import Consent, Mark
from p2p.game.steps import TakeBack
from p2p.log.replica import Replica
from p2p.net.admission import RateLimit
from p2p.session.commands import AgreeBack
from p2p.session.news import AskedBack, Notice, WhyNotBack
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable


class ConsentMessage(NamedTuple):
    """What a seat has said last."""

    height: int  # Of the log at the start of the step about which it was said.
    events: int  # So many are left.
    agrees: bool
    signature: bytes


class TakingBack:
    """Who asks to go back, and who has agreed."""

    def __init__(self, table: RunningTable, relaying: Relaying) -> None:
        self._table, self._replica, self._relaying = table, table.replica, relaying
        self._replica.play.taken_back.clear()  # That was before I was here.
        self._said: dict[int, ConsentMessage] = {}  # By seat, in the order in which they came.
        may = ALLOWANCES[Role.MEMBER]
        self._heard_often = RateLimit(may.lines_per_s, may.lines_burst)
        self._looked_at: tuple[Mark, bool] | None = None  # Whether there was more than one choice.

    # ---- what a screen asks ----

    def wish(self, said: AgreeBack) -> None:
        """The person says so; the session does, when it comes to it."""
        try:
            self._table.inbox.send_nowait((None, ["take back", said]))
        except trio.WouldBlock:
            self._table.publish(Notice("the table is busy", "ask again", is_news=True))

    def asked(self) -> AskedBack | None:
        """What somebody asks who waits for others, if anybody does."""
        for seat, said in self._said.items():
            mark = self._mark_of(seat, said)
            if mark is not None:
                missing = self._missing(said)
                name = self._replica.roster.seats[seat].shown_name
                return AskedBack(seat, name, said.height, said.events, missing)
        return None

    def may_ask(self) -> AgreeBack | None:
        """By what I would ask to take my last choice back; None: I cannot ask.

        What had no other answer is passed over: it would be given again at once.  Whoever has said
        a word about the current step, and was refused or refused itself, would not be heard.
        """
        last = None if self._why_not_now() else self._last_free()
        return None if last is None else AgreeBack(self._replica.play.height, last.events)

    def why_not(self) -> WhyNotBack | None:
        """Why I cannot ask; None: I can."""
        if why := self._why_not_now():
            return why
        return WhyNotBack.NO_CHOICE if self._last_free() is None else None

    def _why_not_now(self) -> WhyNotBack | None:
        """Why nobody would hear me in this step, whatever I have chosen."""
        play, me, step = self._replica.play, self._replica.me, self._replica.step
        persons = play.persons() if play.has_key else {}  # Without it nobody reads its own cards.
        if me is None or me not in persons:
            return WhyNotBack.NO_CHOICE
        if step is None or step.kind != "choose":
            return WhyNotBack.NOBODY_CHOOSES
        if step.writers[0] not in persons:
            return WhyNotBack.BOT_CHOOSES
        return WhyNotBack.SPOKEN if self._has_spoken(me) else None

    def _last_free(self) -> Mark | None:
        """How the game stood at my last choice that had another answer."""
        mine = (mark for mark in self._replica.play.marks()
                if mark.request.player == self._replica.me and self._is_free(mark))  # fmt: skip
        return next(mine, None)

    def _has_spoken(self, seat: int) -> bool:
        return self._is_current(self._said.get(seat))

    def _is_free(self, mark: Mark) -> bool:
        if self._looked_at is None or self._looked_at[0] is not mark:
            player, game = mark.request.player, self._replica.play.game
            seen = observation_of(mark.table, mark.cards.observation, player)
            is_free = len(game.legal_actions(mark.table, player, seen)) > 1
            self._looked_at = mark, is_free
        return self._looked_at[1]

    def tell(self) -> None:
        """Say that the table has gone back."""
        for notice in taken_back_notices(self._replica):
            self._table.publish(notice)

    # ---- what is said ----

    async def say(self, said: AgreeBack) -> None:
        """Sign what the person says, and tell everybody."""
        replica, play = self._replica, self._replica.play
        me, identity = replica.me, replica.identity
        if me is None or identity is None or me not in play.persons():
            return
        known = self._said.get(me)
        if known is not None and known.height >= play.height:
            return
        if said.height != play.height or play.mark(said.events) is None:
            self._table.publish(Notice("the table cannot go back there any more", is_news=True))
            return
        signed = Consent(replica.game_id, play.height, said.events, said.agrees)
        consent = ConsentMessage(play.height, said.events, said.agrees, signed.sign(identity))
        self._keep(me, consent)
        await self._table.broadcast(message_of(me, consent))

    async def receive(self, source: int, message: list[object]) -> None:
        """Take in what a seat has said, whoever brought it, and pass it on.

        Raises:
            MalformedFrame, BadSignature: nobody at this table has said so.
        """
        seat, consent = parse_consent(message, self._replica)
        known = self._said.get(seat)
        if known is not None and consent.height <= known.height:
            return
        if consent.height < self._replica.play.height:
            return
        identity = self._replica.roster.seats[seat].identity
        signed = Consent(self._replica.game_id, consent.height, consent.events, consent.agrees)
        signed.check(identity, consent.signature)
        if not self._heard_often.allows(str(seat)):  # Not before: others can bring forged words.
            return
        self._keep(seat, consent)
        await self._relaying.pass_on(seat, source, message)

    async def greet(self, seat: int) -> None:
        """Tell a seat that has just been linked what was said about the current step."""
        for each, consent in list(self._said.items()):
            if self._is_current(consent):
                await self._table.send(seat, message_of(each, consent))

    def _keep(self, seat: int, consent: ConsentMessage) -> None:
        asked = self.asked()
        self._said.pop(seat, None)
        self._said[seat] = consent
        if asked is not None and not consent.agrees and self.asked() is None:
            text = f"{self._replica.roster.seats[seat].shown_name} does not agree to go back"
            mine = "you do not agree to go back"
            self._table.publish(Notice(mine if seat == self._replica.me else text, is_news=True))

    # ---- whether all agree ----

    def agreed(self) -> TakeBack | None:
        """What my program writes in place of a choice, once all have agreed."""
        for seat, said in self._said.items():
            if self._mark_of(seat, said) is not None and not self._missing(said):
                return self._entry(said.events)
        return None

    def _entry(self, events: int) -> TakeBack:
        me, needed = self._replica.me, self._needed(events)
        signed = {seat: each.signature for seat, each in needed.items() if seat != me}
        return TakeBack(events, tuple(signed.get(seat) for seat in self._replica.seats))

    def _needed(self, events: int) -> Mapping[int, ConsentMessage]:
        """The words of those who have agreed, by seat."""
        return {
            seat: said
            for seat, said in self._said.items()
            if self._is_current(said) and said.events == events and said.agrees
            if seat in self._replica.play.persons()
        }

    def _missing(self, said: ConsentMessage) -> tuple[int, ...]:
        agreed = self._needed(said.events)
        return tuple(seat for seat in self._replica.play.persons() if seat not in agreed)

    def _is_current(self, said: ConsentMessage | None) -> bool:
        return said is not None and said.height == self._replica.play.height

    def _mark_of(self, seat: int, said: ConsentMessage) -> Mark | None:
        """The choice that a seat asks to take back; None: it does not ask, or not any more."""
        replica = self._replica
        is_choice = replica.step is not None and replica.step.kind == "choose"
        if not is_choice or not said.agrees or not self._is_current(said):
            return None
        refused = any(
            self._is_current(each) and not each.agrees and each.events == said.events
            for each in self._said.values()
        )
        mark = None if refused else replica.play.mark(said.events)
        return mark if mark is not None and mark.request.player == seat else None


def taken_back_notices(replica: Replica) -> list[Notice]:
    """Who has taken a choice back since this was asked last."""
    told: list[Notice] = []
    for seat in replica.play.taken_back:
        name = replica.roster.seats[seat].shown_name
        text = f"{name} takes a choice back, and the table goes back"
        mine = "you take a choice back, and the table goes back"
        told.append(Notice(mine if seat == replica.me else text, is_news=True))
    replica.play.taken_back.clear()
    return told


def message_of(seat: int, said: ConsentMessage) -> list[object]:
    """What is sent."""
    return ["take back", seat, *said]


def parse_consent(message: list[object], replica: Replica) -> tuple[int, ConsentMessage]:
    """Who has said what.

    Raises:
        MalformedFrame: it is nothing that anybody says.
    """
    match message:
        case ["take back", int(seat), int(height), int(events), bool(agrees), bytes(signature)] if (
            all(type(each) is int for each in (seat, height, events))
            and seat in replica.seats
            and max(height, events) <= ENTRY_COUNT_MAX
            and min(height, events) >= 0
            and not replica.roster.seats[seat].is_bot
        ):
            return seat, ConsentMessage(height, events, agrees, signature)
    raise MalformedFrame("this message is none that we know")
