"""My machine: commands in, news out, and between them the tables I open, join and play at.

    run_node
      Browse       -> browse the LAN, publish TablesSeen
      OpenTable    -> listen, announce, let bots and guests sit -> roster -> play
      JoinTable    -> connect, sit                              -> roster -> play
      Resume       -> read the file, listen where I listened    ->           play
      Watch        -> connect, hear the log and check it, without a seat

A table is one activity at a time; a new one, or `Leave`, ends the old one politely.  Peers that
misbehave are named by the session; what a person has to know becomes one `Notice`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from core.engine import start
from core.errors import HostlessError
from core.table import RulesError
from p2p.base.errors import HandshakeFailed, PeerError, first_of
from p2p.base.identity import Identity
from p2p.base.limits import LISTEN_PORT
from p2p.base.loading import load_game, loaded_stays
from p2p.base.roster import BotTerms, Roster
from p2p.log.replica import Replica
from p2p.net.dialling import connect_any
from p2p.net.discovery import TableAd, browsing, parse_address
from p2p.net.interfaces import LOOPBACK, address_here
from p2p.net.link import Address, Link
from p2p.net.listening import open_first_listener
from p2p.net.password import Gate
from p2p.session.commands import (
    AgreeBack,
    BeSeen,
    Browse,
    Choose,
    ClaimWin,
    Command,
    Compared,
    FillWithBots,
    JoinTable,
    Leave,
    OpenTable,
    Rematch,
    Resume,
    SayLine,
    TakeOver,
    Watch,
)
from p2p.session.news import Notice, Paced, TablesSeen
from p2p.session.pairing import Acquaintances
from p2p.session.players import ONLY_A_SCREEN, Players
from p2p.session.session import Session
from p2p.session.table import Publish
from p2p.table.announcing import opened_key, opening_ad, stay_announced
from p2p.table.bot_budgets import open_bots, replacement
from p2p.table.companions import Companions, LaunchBot, OpenedTable, ResumedTable
from p2p.table.finding import Found, find_table
from p2p.table.game_files import (
    GAMES_FOLDER,
    LAN,
    OpenedGame,
    companions_of,
    keep_port,
    new_game,
    reopen_game,
    where_to_listen,
)
from p2p.table.gathering import Me, SeatingList, announced, gathering_of
from p2p.table.guest import Guest, Measure, take_seat, unmeasured
from p2p.table.kept_games import games_of, note_left_by_all, noting_turns, open_tables, roster_in
from p2p.table.mesh import Mesh
from p2p.table.neighborhood import Neighborhood
from p2p.table.own_games import OwnGamesTracker, watch_own_games
from p2p.table.rematch import Filling, RematchTerms, opener_answers, with_bots
from p2p.table.roaming import stay_found
from p2p.table.router import LinkRouter
from p2p.table.terms import check_bot_terms, check_terms
from p2p.table.watching import watch

GOODBYE_S: Final = 2.0
NOBODY_ALONE: Final[Mapping[bytes, str]] = {}  # Seats that are kept for nobody: anybody may come.


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """Who I am and what I bring."""

    home: Path
    identity: Identity
    name: str
    players: Players = ONLY_A_SCREEN  # Who decides where no screen does.
    program: str = ""  # By which they work out what open bots do.
    bot_terms: BotTerms | None = None  # For a bot.
    measure: Measure | None = None  # How far bots of ours think on this machine.
    sponsor: bytes = b""
    port: int = 0  # Where to listen on the LAN; 0: the usual one, or any if that is taken.
    launch_bot: LaunchBot | None = None
    talks_on: bool = False  # Whether somebody at a screen may want to talk after the end.
    make_session: Callable[..., Session] = Session  # Where tests seat a cheater.


async def run_node(
    commands: trio.MemoryReceiveChannel[Command], publish: Publish, config: NodeConfig
) -> None:
    """Do what the commands say until their channel closes."""
    await Node(publish, config).run(commands)


async def run_once(command: Command, publish: Publish, config: NodeConfig) -> None:
    """Carry out one command to its end: a bot, a pipe, a script.

    Raises:
        HostlessError: it could not be done; what a screen would show as a notice.
        PeerError: a seat cheated and the table has stopped.
    """
    node = Node(publish, config)
    with loaded_stays():
        async with trio.open_nursery() as nursery:
            node.serve_in(nursery)
            await node.obey(command)
            await node.idle()
            nursery.cancel_scope.cancel()
    if node.failure is not None:
        raise node.failure


class Node:
    """See the module's docstring."""

    def __init__(self, publish: Publish, config: NodeConfig) -> None:
        self._publish, self._config = Paced(publish), config
        self._me = Me(config.identity.public, config.name, config.bot_terms, config.sponsor)
        self._session: Session | None = None
        self._filling: Filling | None = None  # My table, before its game begins.
        self._known = Acquaintances(config.home)
        self._tables: tuple[TableAd, ...] = ()
        self._neighborhood = Neighborhood(config.identity.public, config.name)
        self._own = OwnGamesTracker(partial(games_of, *self._files()), self._me.identity)
        self._activity = trio.CancelScope()
        self._idle = trio.Event()
        self._idle.set()
        self._files_changed = trio.Event()  # A game has begun or was left.
        self.failure: Exception | None = None  # Why the last activity ended, if not by itself.

    async def run(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Carry out commands until the channel closes, then leave politely."""
        async with trio.open_nursery() as nursery:
            self.serve_in(nursery)
            async for command in commands:
                await self.obey(command)
            await self._end()
            nursery.cancel_scope.cancel()

    def serve_in(self, nursery: trio.Nursery) -> None:
        """Run activities in this nursery from now on."""
        self._nursery = nursery

    async def idle(self) -> None:
        """Wait until nothing is going on any more."""
        await self._idle.wait()

    async def obey(self, command: Command) -> None:
        """Carry out a command, or begin to."""
        match command:
            case Browse():
                self._nursery.start_soon(self._look)
                self._neighborhood.begin(self._nursery, self._publish)
            case BeSeen(is_seen):
                self._neighborhood.be_seen(is_seen)
                self._neighborhood.begin(self._nursery, self._publish)
            case OpenTable():
                await self._begin(self._open, command)
            case JoinTable():
                await self._begin(self._join, command)
            case Resume():
                await self._begin(self._resume, command)
            case Watch(target):
                await self._begin(self._watch, target)
            case Rematch(path):
                await self._begin(self._play_again, path)
            case FillWithBots():
                await self._fill_with_bots()
            case Choose(action, event_count):
                if self._session is not None:
                    self._session.choose(action, event_count)
            case Compared():
                self._get_to_know()
            case SayLine(said):
                if self._session is not None:
                    self._session.talk.wish(said)
            case AgreeBack():
                if self._session is not None:
                    self._session.taking_back.wish(command)
            case TakeOver():
                if self._session is not None:
                    self._session.instances.take_over()
            case Leave() | ClaimWin():
                if self._session is None or self._session.get_up(command):
                    await self._end()

    # ---- one activity at a time ----

    async def _begin(self, activity: Callable[..., Awaitable[None]], *arguments: object) -> None:
        await self._end()
        self.failure = None
        self._activity, self._idle = trio.CancelScope(), trio.Event()
        self._nursery.start_soon(self._run_activity, activity, arguments)

    async def _end(self) -> None:
        if self._session is not None:
            await self._session.table.wait_for_result()
        self._activity.cancel()
        await self._idle.wait()

    async def _run_activity(
        self, activity: Callable[..., Awaitable[None]], arguments: tuple[object, ...]
    ) -> None:
        idle = self._idle
        try:
            with self._activity:
                await activity(*arguments)
        except* (HostlessError, RulesError, HandshakeFailed) as group:
            self.failure = first_of(group)
            hint = getattr(self.failure, "hint", "")
            self._publish(Notice(str(self.failure), hint, is_news=True, ends_table=True))
        finally:
            self._session = self._filling = None
            self._neighborhood.get_up()
            self._note_files()
            idle.set()

    def _note_files(self) -> None:
        self._files_changed.set()
        self._files_changed = trio.Event()

    # ---- who is who ----

    def _strangers(self, replica: Replica) -> tuple[str, ...]:
        """The names of persons at my table whom I have never compared words with."""
        seats = {seat.identity: seat for seat in replica.roster.seats if not seat.is_bot}
        seats.pop(self._me.identity, None)
        return tuple(seats[identity].shown_name for identity in self._known.strangers(seats))

    def _get_to_know(self) -> None:
        """Everybody at my table has the same words."""
        if self._session is None:
            return
        seats = self._session.replica.roster.seats
        try:
            self._known.meet(seat.identity for seat in seats if not seat.is_bot)
        except HostlessError as error:
            self._publish(Notice(str(error), is_news=True))
        self._session.showing.introduce(())

    # ---- looking ----

    def _files(self) -> tuple[Path, bytes]:
        return self._config.home / GAMES_FOLDER, self._me.identity

    async def _look(self) -> None:
        tell = partial(watch_own_games, self._own, self._publish, lambda: self._files_changed)
        self._nursery.start_soon(tell)
        async with browsing() as sightings:
            async for tables in sightings:
                self._tables = tables
                self._publish(TablesSeen(tables))

    # ---- opening ----

    async def _open(
        self,
        command: OpenTable,
        kept_for: Mapping[bytes, str] = NOBODY_ALONE,
        replaced: Collection[bytes] = (),
    ) -> None:
        start(await load_game(command.game), command.seats, command.options)  # Or it is refused.
        check_terms(command, can_think=self._config.measure is not None)
        config = self._config
        async with self._listening(LOOPBACK if command.is_local else LAN) as router:
            seats = await self._gather(command, router)
            seats.kept_for, seats.replaced = kept_for, replaced
            async with (
                announced(seats.ad, seats, is_local=command.is_local),
                trio.open_nursery() as bots,
            ):
                seats.changed()
                place = self._run_bots(command, seats, router.port, bots)
                seats.replacement = await replacement(command, config.measure)
                seats.clock = command.clock
                seats.is_ready = True
                seats.close_if_full()  # A table without free seats begins at once.
                await seats.keep_everywhere()
                links = {index: guest.link for index, guest in seats.guests.items()}
                router.take_over()
                keep = self._keeping(router)
                game = keep(seats.roster(), seats.addresses(router.port))
                place.begin(config.home, game.replica.game_id)
                await seats.begin()
                await self._play(game, router, links)
                bots.cancel_scope.cancel()

    async def _gather(self, command: OpenTable, router: LinkRouter) -> SeatingList:
        """The seats of my table, at first without guests; from now on they are let in."""
        mine, host = self._me.seat(), LOOPBACK
        if not command.is_local:
            host = address_here(ad.host for ad in self._tables)
        me = self._config.identity.public, self._config.name
        ad, router.is_announced = opening_ad(command, mine.nonce, me, (host, router.port)), True
        self._neighborhood.sit(*([] if command.is_local else [ad.key]))
        options = tuple(command.options.items())
        open_seats = await open_bots(command, self._config.measure)
        seats = SeatingList(ad, options, mine, lambda: None, command.opens_hands, open_seats)
        seats.is_ready, seats.is_escrowed = False, command.is_escrowed
        self._filling = Filling(command, seats)
        if command.password:
            seats.gate = Gate(command.password, mine.identity, self._known.strangers)
        seats.changed = lambda: self._publish(gathering_of(seats))
        router.admit = seats.admit
        return seats

    def _run_bots(
        self, command: OpenTable, seats: SeatingList, port: int, bots: trio.Nursery
    ) -> OpenedTable:
        """Let bots sit down at my table, each of them a process."""
        words = [f"{LOOPBACK}:{port}", "--level", command.level]
        words += ["--iterations", str(command.iterations)]
        words += ["--local"] if command.is_local else []
        place = OpenedTable(seats, words, is_local=command.is_local)
        for number in range(0 if command.are_bots_open else command.bots):
            assert self._config.launch_bot is not None, "this front end cannot run bots"
            companions = Companions(self._config.launch_bot, self._publish, command.password)
            bots.start_soon(companions.keep, number, place)
        return place

    # ---- joining ----

    async def _join(self, command: JoinTable) -> None:
        """Take a seat; at a table where I sit already, play on."""
        mine = await trio.to_thread.run_sync(open_tables, *self._files())
        found = await find_table(command.target, lambda ad: ad.is_joinable or ad.table_id in mine)
        self._neighborhood.sit(*found.keys)
        if found.table_id in mine:
            await self._resume(Resume(mine[found.table_id]), found.places)
        else:
            await self._sit(command, found)

    async def _sit(self, join: JoinTable, found: Found, same: RematchTerms | None = None) -> None:
        async with self._listening(LOOPBACK if join.is_local else LAN) as router:
            tell: Publish = self._publish
            keep = self._keeping(router)
            if same is not None:
                tell, keep = same.telling(tell), same.keeping(keep)
            me = self._config.identity, self._config.name
            link = await connect_any(found.places, *me, expected=found.opener)
            measure = self._config.measure or unmeasured
            visit = self._me.seat(), router.port, tell, keep, measure, join.password
            await self._play(await take_seat(link, Guest(*visit)), router, {0: link})

    # ---- the same table once more ----

    async def _play_again(self, path: Path) -> None:
        same = RematchTerms(await trio.to_thread.run_sync(roster_in, path), self._me.identity)
        answers = partial(opener_answers, self._config.identity, self._config.name)
        table = await same.find(answers)
        if table is None:
            with trio.CancelScope() as opening:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(same.give_way, opening, answers)
                    await self._open(same.command(), same.names)
                    nursery.cancel_scope.cancel()
            if not opening.cancelled_caught:
                return
        table = table or await same.find_again(answers)
        self._neighborhood.sit(table.key)
        await self._sit(JoinTable(""), Found(table.places, table.opener), same)

    async def _fill_with_bots(self) -> None:
        """Open the rematch anew with bots, if it can be; all who wait at it are told so."""
        try:
            again = with_bots(self._filling, can_think=self._config.measure is not None)
        except HostlessError as error:
            self._publish(Notice(str(error), error.hint))
        else:
            await again.send_away()
            await self._begin(self._open, again.command, again.kept_for, again.replaced)

    # ---- looking on ----

    async def _watch(self, target: str) -> None:
        found = await find_table(target, lambda table: table.is_played)
        me = self._config.identity, self._config.name
        link = await connect_any(found.places, *me, expected=found.opener)
        try:
            await watch(link, me, self._publish)
        except PeerError as error:
            raise HostlessError(f"this table does not hold: {error}") from error

    # ---- playing ----

    def _keeping(self, router: LinkRouter) -> Callable[[Roster, Sequence[Address]], OpenedGame]:
        """What puts a game on disk that begins here."""

        def keep(roster: Roster, addresses: Sequence[Address]) -> OpenedGame:
            self._check_bots(roster)  # Before anything is kept of the game.
            me = self._config.home, self._config.identity
            return new_game(*me, roster, addresses, is_local=router.is_local)

        return keep

    def _check_bots(self, roster: Roster) -> None:
        config = self._config
        check_bot_terms(roster, config.program if config.players.of_open_seats else None)

    async def _resume(self, command: Resume, places: Sequence[Address] = ()) -> None:
        config, path = self._config, command.path
        given = [*map(parse_address, command.at), *places]
        game = await reopen_game(path, config.identity, command.is_taking_over)
        for note in game.notes:
            self._publish.say_at_table(Notice(note, is_news=True))
        self._check_bots(game.replica.roster)
        async with self._listening(*where_to_listen(game)) as router, trio.open_nursery() as bots:
            find = partial(companions_of, config.home, game.replica.game_id)
            files, launch = await trio.to_thread.run_sync(find), config.launch_bot
            for number in files:
                if launch is not None:
                    keep = Companions(launch, self._publish).keep
                    bots.start_soon(keep, number, ResumedTable(files, command.is_taking_over))
            await self._play(game, router, {}, given)
            bots.cancel_scope.cancel()

    async def _play(
        self,
        game: OpenedGame,
        router: LinkRouter,
        links: dict[int, Link],
        given: Sequence[Address] = (),
    ) -> None:
        """Play a game to its end, with a link to every other seat."""
        replica, config = game.replica, self._config
        publish: Publish = self._publish
        if config.players.mine is None:  # There may be a lobby that shows whose turn it was.
            publish = noting_turns(game.game_file.path, publish)
        make, secrets = config.make_session, game.secrets
        session = make(replica, game.game_file, secrets, publish, config.players)
        self._session, session.talks_on = session, config.talks_on
        self._neighborhood.stay(*([] if router.is_local else [opened_key(replica.roster)]))
        self._note_files()
        session.showing.introduce(self._strangers(replica))
        if game.is_taken_over:
            session.instances.take_over()
        keep_port(game, router.port)
        session.relaying.places.remember(game.secrets)
        session.relaying.places.give(given)
        router.meet(session, mesh := Mesh(session, (config.identity, config.name)))
        async with trio.open_nursery() as nursery:
            mesh.begin(nursery, links)
            nursery.start_soon(stay_found, session, mesh, router, self._own.ignore)
            if not (router.is_announced or router.is_local):
                nursery.start_soon(stay_announced, session, router.port)
            try:
                await session.run()
                self.failure = session.fault
            finally:
                if session.leaving.have_all_left():
                    note_left_by_all(game.game_file.path)
                with trio.move_on_after(GOODBYE_S) as goodbye:
                    goodbye.shield = True
                    for link in [*session.links.values(), *session.spectators.links]:
                        await link.aclose()
                nursery.cancel_scope.cancel()

    @asynccontextmanager
    async def _listening(self, host: str, before: int = 0) -> AsyncIterator[LinkRouter]:
        """Listen at a port of our choice, or where we were `before`, or wherever there is place."""
        config, is_local = self._config, host == LOOPBACK
        ports = [before] if is_local else [config.port or before, LISTEN_PORT]
        ports = list(dict.fromkeys([*filter(None, ports), 0]))
        async with (
            open_first_listener((config.identity, config.name), host, ports) as listener,
            trio.open_nursery() as nursery,
        ):
            if listener.port != ports[0] and (before or (config.port and not is_local)):
                text = f"port {ports[0]} is taken, so this table is reached at port {listener.port}"
                self._publish(Notice(text, "others find it by themselves"))
            router = LinkRouter(listener.port, self._publish, is_local=is_local)
            nursery.start_soon(router.welcome_all, listener)
            yield router
            nursery.cancel_scope.cancel()
