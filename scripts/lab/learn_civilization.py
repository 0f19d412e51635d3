"""Learn how much a bot of Civilization thinks of each thing: `ai/games/civilization/weights.py`.

    lab.py learn_civilization FILE --rounds 20000
    lab.py learn_civilization FILE --write

In each round all numbers change at once, each up or down by its step as lots fall.  Who plays by
them and who plays by the opposite change play one deal from both seats, and all numbers move a
little to the side of who won (simultaneous perturbation: Spall 1998, "Implementation of the
Simultaneous Perturbation Algorithm for Stochastic Optimization").  FILE keeps where they are; a run
that was stopped goes on there.  `--write` puts them into the program.  `--test` plays them against
those of the program.  Rules should be compiled: 1,000 rounds take about half a minute there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts import environment

if TYPE_CHECKING:
    from ai.games.civilization import CivilizationKnowledge
    from ai.players.players import Decider

WEIGHTS_FILE: Final = Path("ai/games/civilization/weights.py")
KEPT_EVERY: Final = 500  # Rounds.
PACE: Final = 0.006  # Of a step, for one round.
SLOWER: Final = 0.602  # Powers of the number of rounds, as Spall recommends.
NARROWER: Final = 0.101
DEALS_PER_RUN: Final = 10**7
STEPS: Final = {  # How much is tried, by the beginning of the name; 0: it stays as it is.
    "end": 0, "none": 0, "move": 0, "fight.kill": 0, "fight": 1, "armies": 6, "scouts": 8,
    "forces": 3, "late": 3, "make.rank": 2, "building": 2, "cover": 2, "site": 1, "arts.culture": 1,
    "harvest": 7, "learn": 7, "government": 8, "make": 7, "go.city": 8, "go.scout": 1, "go.army": 1,
    "go.near": 1, "go.gather": 1, "move.": 4, "war.march": 10, "war.attack": 10, "war.natives": 10,
    "war": 6, "threat": 6, "go": 6, "": 6,
}  # fmt: skip


def step_of(name: str) -> int:
    """By the longest beginning that is named."""
    return STEPS[max((each for each in STEPS if _begins(name, each)), key=len)]


def _begins(name: str, beginning: str) -> bool:
    return not beginning or name == beginning or name.startswith(f"{beginning.rstrip('.')}.")


def learn(numbers: dict[str, float], rounds: range, seed: int, file: Path) -> None:
    """Move the numbers, round by round."""
    from ai.games.civilization import KNOWLEDGE
    from core.games.civilization import GAME

    players = KNOWLEDGE(GAME), KNOWLEDGE(GAME)
    names = [name for name in numbers if step_of(name)]
    for at in rounds:
        lots = random.Random(f"{seed} {at}")
        width = (1 + at / (rounds.stop / 4)) ** -NARROWER
        pace = PACE * (1 + at / (rounds.stop / 3)) ** -SLOWER
        signs = {name: lots.choice((-1, 1)) * width * step_of(name) for name in names}
        for player, sign in zip(players, (1, -1), strict=True):
            moved = {name: numbers[name] + sign * signs.get(name, 0) for name in numbers}
            play_by(player, {name: whole(number, lots) for name, number in moved.items()})
        lead = sum(won_by_first(players, seed * DEALS_PER_RUN + at, side) for side in (0, 1))
        for name in names:
            numbers[name] += pace * signs[name] * lead
        if at % KEPT_EVERY == KEPT_EVERY - 1:
            file.write_text(json.dumps([at + 1, numbers], indent=0), "utf-8")
            print(at + 1, flush=True)


def whole(number: float, lots: random.Random) -> int:
    """Up or down, the oftener up the nearer it is."""
    down = int(number // 1)
    return down + (lots.random() < number - down)


def play_by(player: CivilizationKnowledge, numbers: Mapping[str, int]) -> None:
    """From now on a player goes by these numbers."""
    from ai.games.civilization.worths import Worths

    player.worths = Worths(numbers)


def won_by_first(
    players: tuple[CivilizationKnowledge, CivilizationKnowledge], deal: int, side: int
) -> int:
    """1 if the first of two players wins from that seat, -1 if the other one does."""
    from ai.tournaments.arena import play_out
    from core.engine import start
    from core.games.civilization import GAME

    def decider(player: CivilizationKnowledge) -> Decider:
        return lambda table, seen, seat, _: player.policy(table, seat, seen)

    deciders = [decider(players[side]), decider(players[1 - side])]
    winners, _ = play_out(GAME, start(GAME, 2, {}), deciders, deal)
    return (side in winners) - (1 - side in winners)


def test(numbers: Mapping[str, float], games: int) -> None:
    """How many games these numbers win against those of the program."""
    from ai.games.civilization import KNOWLEDGE
    from core.games.civilization import GAME

    mine, theirs = KNOWLEDGE(GAME), KNOWLEDGE(GAME)
    play_by(mine, rounded(numbers))
    leads = [won_by_first((mine, theirs), deal // 2, deal % 2) for deal in range(games)]
    print(f"{leads.count(1)} won, {leads.count(-1)} lost of {games}")


def rounded(numbers: Mapping[str, float]) -> dict[str, int]:
    """As the program has them."""
    return {name: round(number) for name, number in numbers.items()}


def main(arguments: list[str]) -> int:
    """Learn, test, or write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=20000, help="in all, with those before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", type=int, default=0, metavar="GAMES")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    from ai.games.civilization.weights import WEIGHTS as TODAY
    from ai.games.civilization.worths import read

    done, numbers = 0, {name: float(number) for name, number in read(TODAY).items()}
    if asked.file.exists():
        done, numbers = json.loads(asked.file.read_text("utf-8"))
    if asked.write:
        write(rounded(numbers))
    elif asked.test:
        test(numbers, asked.test)
    else:
        learn(numbers, range(done, asked.rounds), asked.seed, asked.file)
    return 0


def write(numbers: Mapping[str, int]) -> None:
    """Put the numbers into the program, which is in the folder that one is in."""
    text = WEIGHTS_FILE.read_text("utf-8")
    beginning, end = text.index('= """') + 6, text.rindex('"""')
    lines = "".join(f"{name} {number}\n" for name, number in numbers.items())
    WEIGHTS_FILE.write_text(text[:beginning] + lines + text[end:], "utf-8")
