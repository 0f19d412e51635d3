"""The password of a table: who sits down proves to know it, and learns nothing otherwise.

    guest                                   opener
    ["sit", ...]                        ->
                                        <-  ["password", share]
    ["password", share, confirmation]   ->
                                        <-  ["password", confirmation]     or  ["refused", sentence]

The two run CPace (`cpace`), bound to both identities and to this very link, inside TLS.  Each
run is one guess, for the guest and for somebody who only says that it is the table.  The opener
counts them.

What this does not protect against: an opener's friend who tells the password; and whoever looks on
needs none, since everything that spectators see is public.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Callable
from typing import Final, TypeAlias

import trio

from core.errors import HostlessError
from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    GUESSES_MAX,
    GUESSES_PERIOD_S,
    GUESSES_TABLE_MAX,
    PASSWORD_DEADLINE_S,
    PASSWORD_LETTERS_MAX,
)
from p2p.base.wire import encode
from p2p.crypto.cpace import CpaceRun, Statement
from p2p.crypto.transcript import ProofError
from p2p.net.link import Link

WRONG: Final = "the password is not the one of this table"
TOO_MANY: Final = "too many wrong passwords; wait a minute"
_LABEL: Final = "hostless table password"
_OPENER, _GUEST = b"opener", b"guest"


class PasswordRefused(HostlessError):
    """This cannot be a password, or is not the one of the table."""


def clean_password(text: str) -> str:
    """A password as all keyboards write it: in Unicode's form NFC.

    Raises:
        PasswordRefused: it is empty, too long, or holds what nobody can type.
    """
    password = unicodedata.normalize("NFC", text)
    if not 0 < len(password) <= PASSWORD_LETTERS_MAX or not password.isprintable():
        raise PasswordRefused(
            f"a password has 1 to {PASSWORD_LETTERS_MAX} printable characters",
            "choose another one",
        )
    return password


Caller: TypeAlias = tuple[bytes | str, ...]  # All by which somebody is known: identity, host.


class Guesses:
    """Who has lately tried a wrong password: three a minute for each thing one is known by."""

    def __init__(self, clock: Callable[[], float] = trio.current_time) -> None:
        self._clock = clock
        self._tried: list[tuple[float, Caller]] = []

    def begin(self, who: Caller) -> bool:
        """Count a guess of somebody; False if there were too many.

        It is counted before it is known to be wrong, so that nobody makes many at once.
        """
        since = self._clock() - GUESSES_PERIOD_S
        self._tried = [tried for tried in self._tried if tried[0] > since]
        if len(self._tried) >= GUESSES_TABLE_MAX or any(
            sum(each in known for _, known in self._tried) >= GUESSES_MAX for each in who
        ):
            return False
        self._tried.append((self._clock(), who))
        return True

    def was_right(self, who: Caller) -> None:
        """Do not count the last guess of somebody."""
        at = max(at for at, (_, known) in enumerate(self._tried) if known == who)
        del self._tried[at]


class Gate:
    """The opener's side: lets in whoever knows the password."""

    def __init__(
        self, password: str, me: bytes, strangers: Callable[[list[bytes]], list[bytes]]
    ) -> None:
        """`strangers` picks, out of identities, those whose words nobody here has compared.

        However many strangers guess, whoever is none can try the password.

        Raises PasswordRefused if nobody could type such a password, and what `strangers` raises.
        """
        self._password, self._me, self._strangers = clean_password(password), me, strangers
        self._strangers([])  # Whatever is wrong with it is said now, and not to a guest.
        self._of_strangers, self._of_friends = Guesses(), Guesses()

    async def admits(self, link: Link) -> str:
        """Ask whoever is at the other end; gives why it may not come in, or nothing.

        Raises:
            MalformedFrame: it answers in other words.
            trio.EndOfChannel, trio.BrokenResourceError: it is gone.
        """
        guesses, who = self._guesses_of(link)
        if not guesses.begin(who):
            return TOO_MANY
        run = _run(self._password, self._me, link.peer, link, _OPENER)
        await link.send(["password", run.mine.share])
        try:
            confirmation = await self._receive(link, run)
        except ProofError as error:
            raise MalformedFrame("it answers with something else than a password") from error
        if confirmation is None:
            return WRONG
        guesses.was_right(who)
        await link.send(["password", confirmation])
        return ""

    def _guesses_of(self, link: Link) -> tuple[Guesses, Caller]:
        """Where guesses are counted; of a friend by identity alone, which no host can take."""
        if self._strangers([link.peer]):
            return self._of_strangers, (link.peer, link.remote_host)
        return self._of_friends, (link.peer,)

    async def _receive(self, link: Link, run: CpaceRun) -> bytes | None:
        """What confirms the key to a guest who has confirmed it; None if it cannot."""
        with trio.move_on_after(PASSWORD_DEADLINE_S):
            match await link.receive():
                case ["password", bytes(share), bytes(said)]:
                    mine, due = run.tags(Statement(share, _GUEST), is_initiator=True)
                    return mine if hmac.compare_digest(said, due) else None
        raise MalformedFrame("it did not answer with a password")


async def show_password(link: Link, share: bytes, password: str, me: bytes) -> None:
    """The guest's side: answer the table that has asked with `share`.

    Raises:
        PasswordRefused: we have none, it is another one, or the table does not know it either.
        trio.EndOfChannel, trio.BrokenResourceError: the table is gone.
    """
    if not password:
        raise PasswordRefused(
            "this table asks for a password",
            "join with --password, or type it (in lines of text: join, the number, the password)",
        )
    run = _run(clean_password(password), link.peer, me, link, _GUEST)
    try:
        mine, due = run.tags(Statement(share, _OPENER), is_initiator=False)
    except ProofError as error:
        raise PasswordRefused("the table asks for a password in words we do not know") from error
    await link.send(["password", run.mine.share, mine])
    with trio.move_on_after(PASSWORD_DEADLINE_S):
        match await link.receive():
            case ["password", bytes(said)] if hmac.compare_digest(said, due):
                return
            case ["refused", str(sentence)] if sentence in (WRONG, TOO_MANY):
                raise PasswordRefused(sentence, "ask whoever opened the table")
    raise PasswordRefused("whoever answers there does not know the password of the table")


def _run(password: str, opener: bytes, guest: bytes, link: Link, text: bytes) -> CpaceRun:
    return CpaceRun(password.encode(), encode([_LABEL, 1, opener, guest]), link.channel, text)
