"""What I say about seats that are gone, once and for good, and what I make of others' words.

A word holds for one step of one log (`p2p.log.votes`).  Mine is on disk before anybody hears
it: I may come back to that step, after a crash or because logs have parted, and must not say the
opposite there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from p2p.base.entry import Position
from p2p.base.errors import BrokenChain, MalformedFrame
from p2p.log.ledger import FileVault
from p2p.log.replica import Replica
from p2p.log.votes import (
    CONVICTED,
    Contradiction,
    Word,
    alone_in,
    is_return,
    word_of,
)
from p2p.session.forks import Forks


class Speaking(Protocol):
    """What testimony needs of a running game."""

    replica: Replica
    vault: FileVault | None
    forks: Forks

    async def broadcast(self, message: list[object]) -> None:
        """Tell every seat that is linked."""

    async def send(self, seat: int, message: list[object]) -> None:
        """Tell a seat, if it is linked."""

    async def catch_up(self, seat: int, height: int) -> None:
        """Send a seat the log from there on."""


class Testimony:
    """The words that one machine gives and hears."""

    def __init__(self, session: Speaking, heard: Callable[[int], None]) -> None:
        """`heard` is told of a seat that others say is here."""
        self._session, self._replica, self._heard = session, session.replica, heard
        self._said: set[tuple[bytes, int, int]] = set()  # (head, seat, round): gone, for good.
        self._denied: set[tuple[bytes, int, int]] = set()  # The same, but that it is here.

    def begin(self) -> None:
        """From now on old words bind me."""
        vault = self._session.vault
        for head, gone, number, answer in [] if vault is None else vault.words:
            (self._denied if answer is False else self._said).add((head, gone, number))
        self.recall()

    def recall(self) -> None:
        """Hear again what I have said at the open step."""
        vault, at = self._session.vault, self._replica.position
        for head, gone, number, answer in [] if vault is None else vault.words:
            word = word_of(self.me, gone, number, answer)
            if head == at.head and self._is_apt(word):
                self._replica.absence.hear(self.sign(word, at))

    # ---- out ----

    async def say(self, seat: int, number: int, answer: bool | None) -> None:
        """Give my word: on disk first, so that I never give the opposite as well."""
        at = self._replica.position
        word = self.sign(word_of(self.me, seat, number, answer), at)
        assert self._session.vault is not None, "whoever gives a word has a seat"
        self._session.vault.keep_word(at.head, seat, number, answer)
        (self._denied if answer is False else self._said).add((at.head, seat, number))
        self._replica.absence.hear(word)
        await self._session.broadcast(word.plain(at.height))
        if answer is False:
            for raw in self._replica.pending():
                await self._session.broadcast(["entry", raw])

    async def repeat(self) -> None:
        """Say again what binds me: a link may have swallowed it."""
        for word in list(self._replica.absence.bound()):
            await self._session.broadcast(word.plain(self._replica.position.height))

    def sign(self, word: Word, at: Position) -> Word:
        """My word, signed, about a step."""
        identity = self._replica.identity
        assert identity is not None, "whoever has a seat has an identity"
        return self._replica.absence.sign(identity, at, word)

    @property
    def me(self) -> int:
        """My seat."""
        assert self._replica.me is not None, "only seats give their word"
        return self._replica.me

    # ---- in ----

    async def weigh(self, height: int, word: Word) -> bool:
        """Take in a word about the step at a height; whether others should hear it, too.

        Raises:
            MalformedFrame: it is none; whoever brought it is to blame.
            PeerError: the seat says one thing and another.
        """
        replica, at = self._replica, self._replica.position
        live = replica.play.live
        if word.round >= CONVICTED and word.signer == word.gone:
            return False  # A cheater has no say in it.
        if alone_in(word.round) is not None or word.signer in replica.absence.apart:
            return False  # Whoever goes on alone needs nobody, and is on another log.
        if 0 <= height < at.height and word.is_gone:
            if await self._session.forks.join(height, word):
                return await self.weigh(height, word)  # I am there now.
            await self._contradict(height, word)
        elif height == at.height and word.signer in live and self._is_apt(word):
            return await self._hear(height, word)
        return False

    async def _hear(self, height: int, word: Word) -> bool:
        """Take in a word about the open step."""
        replica = self._replica
        if word.signer == word.gone:  # By then all others may have agreed, unheard by some.
            raise MalformedFrame("no seat has a say in whether it is gone")
        try:
            is_news = replica.absence.hear(word)
        except Contradiction as error:
            raise replica.blame(error.seat, BrokenChain, str(error)) from error
        await self._answer(height, word, is_news=is_news)
        if word.round >= CONVICTED and word.is_gone:  # It is at this very step.
            replica.acknowledge(word.signer, height, replica.position.head)
        if is_news and not word.is_gone:
            self._heard(word.gone)
        return is_news

    def _is_apt(self, word: Word) -> bool:
        """Whether somebody sits there of whom it says that he is gone, or nobody."""
        is_open = word.gone in self._replica.open_seats
        return word.gone in self._replica.seats and is_return(word.round) == is_open

    async def _answer(self, height: int, word: Word, *, is_news: bool) -> None:
        """Give a seat my word again: when I gave it, it may not have been at this step yet.

        And whatever takes back what binds it: it may have been heard, and forgotten in a crash.
        """
        absence = self._replica.absence
        said = absence.denials(word.gone, word.round) if word.is_gone else []
        mine = absence.mine(word.gone, word.round)
        if is_news and mine is not None and mine not in said:
            said.append(mine)
        for each in said:
            await self._session.send(word.signer, each.plain(height))

    async def _contradict(self, height: int, word: Word) -> None:
        """Tell a seat that is behind that the one it misses was heard, and all that it missed."""
        at = Position(height, self._replica.heads.mine[height], b"")
        place = (at.head, word.gone, word.round)
        is_open = word.gone in self._replica.open_seats and not is_return(word.round)
        vault = self._session.vault
        if vault is not None and vault.is_mended:  # I may have said so, and have lost it.
            await self._session.catch_up(word.signer, height)
            return
        if place in self._said or not self._replica.absence.is_given(word, at):
            return  # Not at this log, or not by it: then nobody needs an answer.
        if not is_open and word.gone != self.me:
            self._deny(place)
            mine = self.sign(Word(self.me, word.gone, word.round, False), at)
            await self._session.send(word.signer, mine.plain(height))
        if not is_open or word.round >= CONVICTED:
            await self._session.catch_up(word.signer, height)

    def _deny(self, place: tuple[bytes, int, int]) -> None:
        """Never say the opposite of what I am about to say: I may come back to that step."""
        if place not in self._denied and self._session.vault is not None:
            self._denied.add(place)
            self._session.vault.keep_word(*place, answer=False)
