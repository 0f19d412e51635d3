"""Two and three people at real screens, again and again: does everybody's screen hold?

    lab.py screens                          every trouble once, at every game
    lab.py screens --runs 20                the series of docs/lab/evidence.md
    lab.py screens quit kill --game carta --runs 5
    lab.py screens whole --machines         each person on a machine of its own
    lab.py screens quit --with bot --with password    the trouble in such company

Every person has a pseudo-terminal, reads what a terminal would show, and presses the keys that the
screen offers.  In each run a table is opened, found in the lobby and joined there; then comes the
trouble.  What has to hold: no other screen ends and it says what happens, nobody ever sees a
traceback, the game goes on, everybody has kept the same game (byte for byte as far as it goes, and
to the same end where it ends), and `audit` accepts it.  On Linux as root every run has a network of
its own; elsewhere it is the loopback.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from p2p.audit.grades import EXIT_CODES, Grade
from p2p.log.shared import log_in
from scripts import environment
from scripts.lab.namespaces import lan
from tests.ui.people import PROGRAM, PROMPT, Person, Room, own_network
from tests.ui.playing import ENGLISH, KOREAN, Player, Speech, play, play_to_the_end, players_of
from tests.ui.sitting import join_in_the_lobby, open_in_the_lobby, wait_for_a_turn

GAMES: Final = ("carta", "dominion", "renaissance", "civilization")
TERMS: Final[Mapping[str, tuple[str, ...]]] = {"civilization": ("--option", "max_turns=6")}
NAMES: Final = ("ada", "bert", "cleo")
WATCHER: Final = "dora"
PLACES: Final = (*NAMES, WATCHER)
TURNS: Final = 4  # Keys that everybody presses before the trouble, and after it.
GRACE_S: Final = 5
DEAL_S: Final = 180.0
GAME_S: Final = 1800.0
HOLDS: Final = tuple(EXIT_CODES[grade] for grade in (Grade.COMPLETE, Grade.CUT, Grade.CHANGED))
LOOKING_ON: Final = "You are looking on"


@dataclass(frozen=True)
class Company:
    """What there is at a table besides people; `terms` are said when it is opened."""

    bots: int = 0
    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # Of everybody's command.
    password: str = ""
    speech: Speech = ENGLISH
    has_watcher: bool = False

    @property
    def variables(self) -> Mapping[str, str]:
        """What everybody's program is told by its surroundings."""
        return {"HOSTLESS_PASSWORD": self.password} if self.password else {}


TABLE: Final = "table of ada"
BOT: Final = ("--bots", "1", "--level", "gentle")
COMPANIES: Final[Mapping[str, Company]] = {
    "nobody": Company(),
    "bot": Company(bots=1, terms=BOT),
    "open-bots": Company(bots=1, terms=(*BOT, "--open-bots")),
    "watcher": Company(has_watcher=True),
    "password": Company(terms=("--password",), password="meadow"),
    "korean": Company(terms=("--name", TABLE), words=("--lang", "ko"), speech=KOREAN),
}


@dataclass
class Sitting:
    """A room with a table in it."""

    room: Room
    game: str
    seed: int
    people: list[Person] = field(default_factory=list)
    places: Sequence[Sequence[str]] = ()  # What leads each of them onto a machine of its own.
    company: Company = COMPANIES["nobody"]
    watcher: Person | None = None

    def sit(self, name: str, *words: str) -> Person:
        """Somebody starts the program, at the place of that name."""
        inside = self.places[PLACES.index(name)] if self.places else None
        variables = self.company.variables
        return self.room.sit(name, *words, *self.company.words, variables=variables, inside=inside)

    def open(self, people: int, *terms: str, ada: Person | None = None) -> list[Person]:
        """Ada opens a table, the others find it in the lobby; gives all once cards are dealt.

        She does so in the lobby too, where nothing but game and seats is to be said.  If `ada` is
        given, she sits in front of a shell.
        """
        terms = (*terms, *TERMS.get(self.game, ()), *self.company.terms)
        seats = people + self.company.bots
        words = ("open", self.game, "--seats", str(seats), *terms) if terms else ()
        if ada is None:
            ada = self.sit("ada", *words)
        else:
            ada.type(self.room.command("ada", *words, *self.company.words))
        if terms:
            ada.wait_for(TABLE)
        else:
            open_in_the_lobby(ada, self.game, seats)
        self.people = [ada, *map(self.join, NAMES[1:people])]
        self.wait_for_a_turn()
        if self.company.has_watcher:
            self.watcher = self.sit(WATCHER, "watch")
            self.watcher.wait_for(LOOKING_ON, wait_s=DEAL_S)
        return self.people

    def join(self, name: str) -> Person:
        """Somebody finds ada's table in the lobby and sits down, with the password if need be."""
        guest = self.sit(name)
        join_in_the_lobby(guest, TABLE, self.company.password)
        return guest

    def wait_for_a_turn(self, *people: Person) -> None:
        """Everybody sees whose turn it is."""
        speech = self.company.speech
        wait_for_a_turn(*(people or self.people), speech=speech, wait_s=DEAL_S)

    def players(self, people: Sequence[Person] = ()) -> list[Player]:
        """Somebody for every screen."""
        return players_of(self.game, people or self.people, self.seed, self.company.speech)

    def play_some(self, people: Sequence[Person] = ()) -> None:
        """Everybody presses a few keys, and the game goes on."""
        players = self.players(people)
        play(self.room, players, lambda: all(each.keys >= TURNS for each in players), GAME_S)

    def finish(self, people: Sequence[Person] = ()) -> None:
        """The whole game, then everybody leaves; the logs are the same, and the audit holds."""
        play_to_the_end(self.room, self.players(people), GAME_S)
        self.leave(people)
        assert len({tuple(log_in(path)) for path in self.files()}) == 1, "the logs differ"

    def check_files(self) -> None:
        """Everybody kept the same game, some not as far as others, and the audit finds nothing."""
        logs = {path: log_in(path) for path in self.files()}
        longest = max(logs, key=lambda path: len(logs[path]))
        kept = logs[longest]
        assert all(log == kept[: len(log)] for log in logs.values()), "the logs differ"
        command = [*PROGRAM, "audit", str(longest), "--bots", "0"]
        done = subprocess.run(
            command, cwd=environment.ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode in HOLDS, done.stdout + done.stderr

    def leave(self, people: Sequence[Person] = ()) -> None:
        """Everybody quits with 0, who looks on first, and what they have kept is right."""
        if self.watcher is not None:
            self.watcher.wait_for(LOOKING_ON)
            assert self.watcher.leave() == 0, "whoever looks on leaves with 0"
            self.watcher = None
        for person in people or self.people:
            code = person.leave()
            assert code == 0, f"{person.name} left with {code}"
        self.check_files()

    def files(self) -> list[Path]:
        """The game of everybody who sits here; each has kept one."""
        games = [self.room.home(name) / "games" for name in sorted({p.name for p in self.people})]
        found = [path for folder in games for path in folder.glob("*.hostless")]
        assert len(found) == len(games), f"{len(found)} files of {len(games)} people"
        return found

    def wait_for_silence(self, person: Person) -> None:
        """Somebody reads who is away."""
        said = self.company.speech.away
        person.wait_until(lambda text: any(words in text for words in said), "who is away")

    def come_back(self, trouble: Callable[[Person], object]) -> None:
        """Ada has some trouble, bert reads so, ada resumes, and both play on."""
        ada, bert = self.open(2)
        self.play_some()
        trouble(ada)
        self.wait_for_silence(bert)
        assert bert.is_there(), "bert's program has ended"
        again = self.sit("ada", "resume")
        self.wait_for_a_turn(again, bert)
        self.play_some([again, bert])
        self.leave([again, bert])


# ---- the troubles ----


def whole(sitting: Sitting) -> None:
    """Two play a whole game."""
    sitting.open(2)
    sitting.finish()


def three(sitting: Sitting) -> None:
    """Three play a whole game."""
    sitting.open(3)
    sitting.finish()


def quits(sitting: Sitting) -> None:
    """One presses q and resumes."""
    sitting.come_back(lambda ada: ada.leave())


def kills(sitting: Sitting) -> None:
    """One is ended by kill -9 and resumes."""
    sitting.come_back(lambda ada: ada.kill())


def closes(sitting: Sitting) -> None:
    """One closes the terminal and resumes."""

    def close(ada: Person) -> None:
        assert ada.hang_up() == 128 + signal.SIGHUP, "a closed terminal ends the program"

    sitting.come_back(close)


def stops(sitting: Sitting) -> None:
    """One presses ctrl-z, sees the shell, and comes back with fg."""
    variables, inside = sitting.company.variables, sitting.places[0] if sitting.places else None
    ada = sitting.room.open_shell("ada", variables=variables, inside=inside)
    sitting.open(2, ada=ada)
    ada.press("ctrl+z")
    ada.wait_for("Stopped", PROMPT)
    ada.type("fg")
    sitting.wait_for_a_turn()
    sitting.play_some()
    for _ in range(2):  # The table, the lobby.
        ada.press("q")
        ada.settled()
    ada.wait_for(PROMPT)
    sitting.leave(sitting.people[1:])


def all_resume(sitting: Sitting) -> None:
    """Both quit, and both resume."""
    sitting.open(2)
    sitting.play_some()
    sitting.leave()
    sitting.people = [sitting.sit(name, "resume") for name in NAMES[:2]]
    sitting.wait_for_a_turn()
    sitting.play_some()
    sitting.leave()


def bot_takes_over(sitting: Sitting) -> None:
    """At three seats a bot plays on for one who is killed, until she is back."""
    ada, bert, cleo = sitting.open(3, "--grace", str(GRACE_S), "--level", "gentle")
    sitting.play_some()
    ada.kill()
    sitting.wait_for_silence(bert)
    sitting.play_some([bert, cleo])  # Goes on only where somebody plays for ada.
    again = sitting.sit("ada", "resume")
    sitting.wait_for_a_turn(again, bert, cleo)
    sitting.play_some([again, bert, cleo])
    sitting.leave([again, bert, cleo])


TROUBLES: Final[Mapping[str, Callable[[Sitting], None]]] = {
    "whole": whole, "three": three, "quit": quits, "kill": kills, "close": closes, "stop": stops,
    "resume": all_resume, "bot-takes-over": bot_takes_over,
}  # fmt: skip


# ---- the series ----


def _folder() -> tempfile.TemporaryDirectory[str]:
    """For homes; where a run failed a program may still be writing its last line there."""
    return tempfile.TemporaryDirectory(prefix="hostless-screens-", ignore_cleanup_errors=True)


@dataclass(frozen=True)
class Case:
    """One of the series: a trouble at a game in some company."""

    trouble: str
    game: str
    company: str
    has_machines: bool

    @contextlib.contextmanager
    def seated(self, seed: int) -> Iterator[Sitting]:
        """A room for one run; at its end nobody in it has seen a traceback."""
        with contextlib.ExitStack() as made:
            folder = Path(made.enter_context(_folder()))
            places: list[tuple[str, ...]] = []
            inside: tuple[str, ...] = ()
            if self.has_machines:
                machines = made.enter_context(lan(len(PLACES)))
                places = [("ip", "netns", "exec", machine.namespace) for machine in machines]
            else:
                inside = made.enter_context(own_network())
            room = Room(folder, inside)
            made.callback(room.close)
            company = COMPANIES[self.company]
            try:
                yield Sitting(room, self.game, seed, places=places, company=company)
            except AssertionError as failure:
                screens = [f"{person.name} sees\n{person.text()}" for person in room.people]
                raise AssertionError("\n".join([str(failure), *screens])) from failure
            for person in room.people:
                person.check()

    def run(self, seed: int) -> str:
        """One run; gives what did not hold, or nothing."""
        try:
            with self.seated(seed) as sitting:
                TROUBLES[self.trouble](sitting)
        except AssertionError as failure:
            return str(failure) or "something did not hold"
        return ""

    def series(self, runs: int, seed: int) -> bool:
        """So many in a row; whether all held."""
        began, held = time.monotonic(), 0
        for number in range(runs):
            failure = self.run(seed + number)
            held += not failure
            if failure:
                print(f"FAILED: {self} {number + 1}: {failure}", flush=True)
        took_s = (time.monotonic() - began) / runs
        what = TROUBLES[self.trouble].__doc__ or ""
        print(f"| {self} | {held} of {runs} | {took_s:.0f} s | {what} |", flush=True)
        return held == runs

    def __str__(self) -> str:
        return f"{self.trouble} | {self.game} | {self.company}"


def main(arguments: list[str]) -> int:
    """Play; 0 when everything held in every run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("troubles", nargs="*", metavar="TROUBLE", help=", ".join(TROUBLES))
    parser.add_argument("--game", action="append", choices=GAMES, help="these alone")
    companies = tuple(COMPANIES)
    parser.add_argument(
        "--with", dest="companies", action="append", choices=companies,
        help="what there is at the table besides people; 'nobody' if nothing is said",
    )  # fmt: skip
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="of each, in a row")
    parser.add_argument("--machines", action="store_true", help="a machine for each (Linux, root)")
    parser.add_argument("--seed", type=int, default=1, help="of the keys pressed")
    args = parser.parse_args(arguments)
    unknown = [name for name in args.troubles if name not in TROUBLES]
    if unknown:
        parser.error(f"no trouble is called {unknown[0]}; there are {', '.join(TROUBLES)}")
    each = (args.troubles or TROUBLES, args.game or GAMES, args.companies or companies[:1])
    cases = [Case(*names, has_machines=args.machines) for names in itertools.product(*each)]
    held = [case.series(args.runs, args.seed) for case in cases]
    return 0 if all(held) else 1
