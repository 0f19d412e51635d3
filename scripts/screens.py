#!/usr/bin/env python3
"""Two and three people at real screens, again and again: does everybody's screen hold?

    python3 scripts/screens.py                          every trouble once, at every game
    python3 scripts/screens.py --runs 20                the series of docs/lab/evidence.md
    python3 scripts/screens.py quit kill --game carta --runs 5
    python3 scripts/screens.py whole --machines         each person on a machine of its own

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
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts import environment

if __name__ == "__main__":
    environment.enter(("test",))

from scripts.namespaces import lan
from tests.ui.people import PROGRAM, PROMPT, Person, Room, own_network
from tests.ui.playing import play, play_to_the_end, players_of
from tests.ui.sitting import join_in_the_lobby, open_in_the_lobby, wait_for_a_turn

GAMES: Final = ("carta", "dominion", "renaissance")
NAMES: Final = ("ada", "bert", "cleo")
PASSWORD: Final = {"HOSTLESS_PASSWORD": "meadow"}
AWAY: Final = "ada is away"
TURNS: Final = 4  # Keys that everybody presses before the trouble, and after it.
GRACE_S: Final = 5
DEAL_S: Final = 180.0
GAME_S: Final = 1800.0
LOOKING_ON: Final = "You are looking on"


@dataclass
class Sitting:
    """A room with a table in it."""

    room: Room
    game: str
    seed: int
    people: list[Person] = field(default_factory=list)
    places: Sequence[Sequence[str]] = ()  # What leads each of them onto a machine of its own.

    def sit(self, name: str, *words: str, variables: Mapping[str, str] | None = None) -> Person:
        """Somebody starts the program, at the place of that name."""
        inside = self.places[NAMES.index(name)] if self.places and name in NAMES else None
        return self.room.sit(name, *words, variables=variables, inside=inside)

    def open(
        self, seats: int, *words: str, guests: int | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> list[Person]:  # fmt: skip
        """Ada opens a table, the others find it in the lobby; gives all once cards are dealt.

        She does so in the lobby too, where nothing but game and seats is to be said.
        """
        if words:
            opening = ("open", self.game, "--seats", str(seats), *words)
            self.people = [self.sit("ada", *opening, variables=variables)]
            self.people[0].wait_for("table of ada")
        else:
            self.people = [self.sit("ada")]
            open_in_the_lobby(self.people[0], self.game, seats)
        for name in NAMES[1 : seats if guests is None else 1 + guests]:
            self.people.append(self.join(name, variables))
        self.wait_for_a_turn()
        return self.people

    def join(self, name: str, variables: Mapping[str, str] | None = None) -> Person:
        """Somebody finds ada's table in the lobby and sits down, with the password if need be."""
        guest = self.sit(name, variables=variables)
        join_in_the_lobby(guest, password=(variables or {}).get("HOSTLESS_PASSWORD", ""))
        return guest

    def wait_for_a_turn(self, *people: Person) -> None:
        """Everybody sees whose turn it is."""
        wait_for_a_turn(*(people or self.people), wait_s=DEAL_S)

    def play_some(self, people: Sequence[Person] = ()) -> None:
        """Everybody presses a few keys, and the game goes on."""
        players = players_of(self.game, people or self.people, self.seed)
        play(self.room, players, lambda: all(each.keys >= TURNS for each in players), GAME_S)

    def finish(self, people: Sequence[Person] = ()) -> None:
        """The whole game, then everybody leaves; the files are the same, and the audit holds."""
        people = people or self.people
        play_to_the_end(self.room, players_of(self.game, people, self.seed), GAME_S)
        self.leave(people)
        assert len({path.read_bytes() for path in self.files()}) == 1, "the files differ"

    def check_files(self) -> None:
        """Everybody kept the same game, some not as far as others, and the audit finds nothing."""
        longest = max(self.files(), key=lambda path: path.stat().st_size)
        kept = longest.read_bytes()
        assert all(kept.startswith(path.read_bytes()) for path in self.files()), "the files differ"
        command = [*PROGRAM, "audit", str(longest), "--bots", "0"]
        done = subprocess.run(
            command, cwd=environment.ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def leave(self, people: Sequence[Person] = ()) -> None:
        """Everybody quits with 0, and what they have kept is right."""
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

    def come_back(self, trouble: Callable[[Person], object]) -> None:
        """Ada has some trouble, bert reads so, ada resumes, and both play on."""
        ada, bert = self.open(2)
        self.play_some()
        trouble(ada)
        bert.wait_for(AWAY)
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
    room = sitting.room
    ada = room.open_shell("ada", inside=sitting.places[0] if sitting.places else None)
    ada.type(room.command("ada"))
    open_in_the_lobby(ada, sitting.game)
    sitting.people = [ada, sitting.join("bert")]
    sitting.wait_for_a_turn()
    ada.press("ctrl+z")
    ada.wait_for("Stopped", PROMPT)
    ada.type("fg")
    sitting.wait_for_a_turn()
    sitting.play_some()
    ada.press("q")
    ada.wait_for("Games  s Settings")
    ada.press("q")
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


def watcher(sitting: Sitting) -> None:
    """Two play, and a third looks on."""
    sitting.open(2)
    dora = sitting.room.sit("dora", "watch", inside=sitting.places[2] if sitting.places else None)
    dora.wait_for(LOOKING_ON, wait_s=DEAL_S)
    sitting.play_some()
    dora.wait_for(LOOKING_ON)
    sitting.leave([dora, *sitting.people])


def bot_takes_over(sitting: Sitting) -> None:
    """At three seats a bot plays on for one who is killed, until she is back."""
    ada, bert, cleo = sitting.open(3, "--grace", str(GRACE_S), "--level", "gentle")
    sitting.play_some()
    ada.kill()
    bert.wait_for(AWAY)
    sitting.play_some([bert, cleo])  # Goes on only where somebody plays for ada.
    again = sitting.sit("ada", "resume")
    sitting.wait_for_a_turn(again, bert, cleo)
    sitting.play_some([again, bert, cleo])
    sitting.leave([again, bert, cleo])


def bot_beside(sitting: Sitting) -> None:
    """A bot of the opener beside two people."""
    sitting.open(3, "--bots", "1", "--level", "gentle", guests=1)
    sitting.play_some()
    sitting.leave()


def open_bots(sitting: Sitting) -> None:
    """A bot that every machine computes, beside two people."""
    sitting.open(3, "--bots", "1", "--open-bots", "--level", "gentle", guests=1)
    sitting.play_some()
    sitting.leave()


def password(sitting: Sitting) -> None:
    """A table with a password."""
    sitting.open(2, "--password", variables=PASSWORD)
    sitting.play_some()
    sitting.leave()


def korean(sitting: Sitting) -> None:
    """Two people who read Korean."""
    ada = sitting.sit("ada", "open", sitting.game, "--seats", "2", "--lang", "ko")
    bert = sitting.sit("bert", "--lang", "ko")
    bert.wait_for("ada")
    bert.press("down", "up", "enter")
    for person in (ada, bert):
        person.wait_until(
            lambda text: KOREAN_TURN in text or KOREAN_WAITING in text, "a turn", DEAL_S
        )
    sitting.people = [ada, bert]
    sitting.leave()


KOREAN_TURN: Final = "내 차례"
KOREAN_WAITING: Final = "기다리는 중"
TROUBLES: Final[Mapping[str, Callable[[Sitting], None]]] = {
    "whole": whole, "three": three, "quit": quits, "kill": kills, "close": closes, "stop": stops,
    "resume": all_resume, "watch": watcher, "bot-takes-over": bot_takes_over, "bot": bot_beside,
    "open-bots": open_bots, "password": password, "korean": korean,
}  # fmt: skip
WHOLE_GAMES: Final = ("whole", "three")


# ---- the series ----


def _folder() -> tempfile.TemporaryDirectory[str]:
    """For homes; where a run failed a program may still be writing its last line there."""
    return tempfile.TemporaryDirectory(prefix="hostless-screens-", ignore_cleanup_errors=True)


@contextlib.contextmanager
def seated(game: str, seed: int, *, has_machines: bool) -> Iterator[Sitting]:
    """A room for one run; at its end nobody in it has seen a traceback."""
    with contextlib.ExitStack() as made:
        folder = Path(made.enter_context(_folder()))
        places: list[tuple[str, ...]] = []
        inside: tuple[str, ...] = ()
        if has_machines:
            machines = made.enter_context(lan(len(NAMES)))
            places = [("ip", "netns", "exec", machine.namespace) for machine in machines]
        else:
            inside = made.enter_context(own_network())
        room = Room(folder, inside)
        made.callback(room.close)
        yield Sitting(room, game, seed, places=places)
        for person in room.people:
            person.check()


def run(name: str, game: str, seed: int, *, has_machines: bool) -> str:
    """One run; gives what did not hold, or nothing."""
    try:
        with seated(game, seed, has_machines=has_machines) as sitting:
            TROUBLES[name](sitting)
    except AssertionError as failure:
        return str(failure) or "something did not hold"
    return ""


def main() -> int:
    """Play; 0 when everything held in every run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("troubles", nargs="*", metavar="TROUBLE", help=", ".join(TROUBLES))
    parser.add_argument("--game", action="append", choices=GAMES, help="these alone")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="of each, in a row")
    parser.add_argument("--machines", action="store_true", help="a machine for each (Linux, root)")
    parser.add_argument("--seed", type=int, default=1, help="of the keys pressed")
    args = parser.parse_args()
    unknown = [name for name in args.troubles if name not in TROUBLES]
    if unknown:
        parser.error(f"no trouble is called {unknown[0]}; there are {', '.join(TROUBLES)}")
    held: dict[tuple[str, str], int] = defaultdict(int)
    wanted = [(name, game) for name in args.troubles or TROUBLES for game in args.game or GAMES]
    for name, game in wanted:
        began = time.monotonic()
        for number in range(args.runs):
            failure = run(name, game, args.seed + number, has_machines=args.machines)
            held[name, game] += not failure
            if failure:
                print(f"FAILED: {name} {game} {number + 1}: {failure}", flush=True)
        took_s = (time.monotonic() - began) / args.runs
        what = TROUBLES[name].__doc__ or ""
        result = f"{held[name, game]} of {args.runs}"
        print(f"| {name} | {game} | {result} | {took_s:.0f} s | {what} |", flush=True)
    return int(any(count < args.runs for count in held.values()))


if __name__ == "__main__":
    sys.exit(main())
