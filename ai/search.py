"""Information-set Monte Carlo tree search: what a seat should do, from what that seat knows.

The own candidates are tried on the same imagined deals with the same luck.  What is compared is how
each did beside the policy's move, deal by deal.  The budget is divided into rounds, after each of
which the worse half leaves (sequential halving: Karnin, Koren, Somekh 2013, "Almost Optimal
Exploration in Multi-Armed Bandits"); what is clearly worse leaves earlier (Maron and Moore 1994,
"Hoeffding Races").

Behind a candidate grows a tree: single observer, open loop (Cowling, Powley, Whitehouse 2012,
"Information Set Monte Carlo Tree Search", section III.D).  Its branches are named by what an action
means and not by numbers of cards.  A branch that the imagined deal does not allow is left out, and
counts only the times it was available (their section IV.A).  Where the tree ends one move is added,
the game is played on with the game's knowledge, and the rewards of all seats are written back:
everybody maximises their own side's.

A decision is a pure function of its arguments on every platform: all statistics are integers, the
numbers come from `Chance`, ties fall to the earlier action, and nothing is ordered by a hash.
Products stay below 2**63, so that compiled code may use machine words.
"""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from math import isqrt
from time import sleep
from typing import Final, NamedTuple, TypeAlias

from ai.imagined import Luck, go_on
from ai.knowledge import REWARD_ONE, Knowledge
from core.bot_levels import ITERATIONS_MAX
from core.chance import Chance
from core.engine import Pending
from core.game import Game
from core.imagine import blindfold, imagine
from core.requests import Action, Choice, Face, Over, Player, Secret
from core.table import HIDDEN, Observation, Table

_FRACTION_BITS: Final = 20
_LOGARITHMS: Final = [0, 0] + [
    int(Decimal(number).ln() * (1 << _FRACTION_BITS)) for number in range(2, 4096)
]
_REWARD_SHIFT: Final = _FRACTION_BITS - (REWARD_ONE.bit_length() - 1)
_LINE_MOVES_MAX: Final = 12
_LINE_VISITS_MIN: Final = 4  # Fewer say nothing about what to expect.
_BREADTH: Final = 8
_DOUBT: Final = 10  # The policy's lead is 0.025 and varies by 0.05: 0.025 / 0.05 ** 2.
_TURN_DEALS: Final = 16  # About every so many deals other threads have their turn.
_DEALS_MIN: Final = 8  # After so many deals the hopeless leave: those who are worse than the ...
_VARIANCES_MAX: Final = 4  # ... policy's move by two standard errors.


def logarithm(number: int) -> int:
    """The natural logarithm in parts of 2**20, without floating point.

    >>> logarithm(1), logarithm(3) * 1000 >> 20, logarithm(3 << 40) - logarithm(3 << 20) >> 20
    (0, 1098, 13)
    """
    shifts = max(0, number.bit_length() - 12)
    return _LOGARITHMS[number >> shifts] + shifts * _LOGARITHMS[2]


class Move(NamedTuple):
    """A move that search expects: who makes it, and what it means, without numbers of cards."""

    player: Player
    verb: str
    faces: tuple[Face, ...]
    number: int


class Outlook(NamedTuple):
    """What search found out about one legal action; the chance to win is in thousandths."""

    action: Action
    visits: int
    win_permille: int


class Decision(NamedTuple):
    """The action chosen, why, and the line of play that is expected, beginning with it."""

    action: Action
    iterations: int
    outlooks: tuple[Outlook, ...]  # One per legal action; without visits if it was not tried.
    line: tuple[Move, ...]


class Contest(NamedTuple):
    """How often each of two actions wins, in thousandths, and how sure the difference is."""

    first: int
    second: int
    error: int  # The standard error of the difference.


class Weakness(NamedTuple):
    """What a search lacks: it misjudges moves, remembers little of its tree, or is in a hurry."""

    mistakes: int = 0  # Each own move looks better or worse by up to so many mistakes of the game.
    nodes_max: int = ITERATIONS_MAX  # With so many moves in the tree, it grows no deeper.
    part: int = 1  # One in so many iterations is done, after getting ready for all of them.


STRONG: Final = Weakness()


class _Node:
    """A move in the tree, with the statistics of the seat that made it."""

    __slots__ = ("available", "branches", "error", "move", "mover", "squares", "total", "visits")

    def __init__(self, mover: Player, move: Move) -> None:
        self.mover = mover
        self.move = move
        self.visits = 0
        self.available = 0
        self.total = 0  # Rewards of the mover, added up.
        self.error = 0  # What is added to each of them by who misjudges the move.
        self.squares = 0  # At the root, of what it had more than the policy's move, deal by deal.
        self.branches: dict[Hashable, _Node] = {}


def search(
    game: Game,
    table: Table,
    observation: Observation,
    player: Player,
    *,
    seed: int,
    iterations: int,
    knowledge: Knowledge,
    weakness: Weakness = STRONG,
) -> Decision:
    """What `player`, who knows exactly `observation`, should do now.

    It is `player`'s turn to choose.  A single candidate is returned at once.  Every candidate is
    tried at least once, however small the budget; where there are very many, the most promising.
    """
    assert 0 < iterations <= ITERATIONS_MAX, "the budget is a positive number of iterations"
    _refuse_foreign_observation(table, observation, player)
    actions = game.legal_actions(table, player, observation)
    if len(actions) > 1:
        knowledge.prepare(table, iterations)
    candidates = knowledge.candidates(table, player, observation)
    if len(candidates) == 1:
        untried = tuple(Outlook(action, 0, 0) for action in actions)
        return Decision(candidates[0], 0, untried, ())
    tree = _Tree(table, observation, player, knowledge, weakness)
    budget = max(1, iterations // weakness.part)
    done = tree.grow(tree.promising(candidates, budget), seed, budget)
    return tree.decide(actions, candidates, done)


def compare(
    knowledge: Knowledge, table: Table, observation: Observation, player: Player,
    pair: tuple[Action, Action], *, seed: int, deals: int,
) -> Contest:  # fmt: skip
    """What two actions of `player` are worth on the same deals; both stay to the end."""
    _refuse_foreign_observation(table, observation, player)
    tree = _Tree(table, observation, player, knowledge, STRONG)
    running, start = tree._line_up(list(pair)), Chance(seed).next()
    assert len(running) == len(pair), "two actions that mean the same are not compared"
    for deal in range(deals):
        tree._try_all(running, start + deal)
    (first, _), (second, _) = running
    error = isqrt(_variance(second)) * 1000 // REWARD_ONE
    return Contest(_win_permille(first), _win_permille(second), error)


def _let_others_run() -> None:
    """Compiled code keeps the interpreter to itself; a thread may wait to end this process."""
    sleep(0)


def _refuse_foreign_observation(table: Table, observation: Observation, player: Player) -> None:
    bit = 1 << player
    for card, face in enumerate(table.face):
        if face == HIDDEN and observation[card] != HIDDEN:
            assert table.seen[card] & bit, "a bot was handed a card that its seat has not seen"


_Runner: TypeAlias = tuple[_Node, Action]  # A candidate.


class _Tree:
    """One search: what a seat knows at its choice, and the moves that were tried from there."""

    __slots__ = (
        "error", "game", "knowledge", "luck", "observation", "player", "room", "root", "runner",
        "table",
    )  # fmt: skip

    def __init__(
        self,
        table: Table,
        observation: Observation,
        player: Player,
        knowledge: Knowledge,
        weakness: Weakness,
    ) -> None:
        self.knowledge, self.game = knowledge, knowledge.game
        self.table, self.observation, self.player = table, observation, player
        self.error = weakness.mistakes * knowledge.mistake_permille * REWARD_ONE // 1000
        self.room = weakness.nodes_max  # For so many more moves.
        self.runner: _Runner | None = None  # The candidate whose turn it is, ...
        self.luck: Luck | None = None  # ... and the luck that it shares with the others.
        self.root = _Node(player, Move(player, "", (), 0))

    # ---- growing the tree ----

    def promising(self, candidates: list[Action], iterations: int) -> list[Action]:
        """The policy's move first, then the others; where they are too many, those that look best.

        Every one of them can be tried on some deals.
        """
        most, knowledge, seen = max(_BREADTH, iterations // _DEALS_MIN), self.knowledge, self.table
        plain = knowledge.policy(seen, self.player, self.observation)
        if len(candidates) > most:
            priors = knowledge.prior(seen, self.player, candidates, self.observation)
            ranks = sorted([(-prior, place) for place, prior in enumerate(priors)])[:most]
            candidates = [candidates[place] for place in sorted([place for _, place in ranks])]
        if plain is None:
            return candidates
        return [plain, *[action for action in candidates if action != plain]]

    def grow(self, candidates: list[Action], seed: int, iterations: int) -> int:
        """Try the candidates on one deal after another, always with the same luck for all of them.

        The first is the policy's, which stays to the end; of the others the worse half leaves after
        each round, and whoever is clearly worse, earlier.  Gives how often was iterated.
        """
        chance, running = Chance(seed), self._line_up(candidates)
        for node, _ in running:
            self._misjudge(node, chance)
        start, deals, done = chance.next(), 0, 0
        while len(running) > 1 and (not deals or done + len(running) <= iterations):
            rounds_left = (len(running) - 1).bit_length()
            end = done + (iterations - done) // rounds_left
            while len(running) > 1 and (not deals or done + len(running) <= end):
                self._try_all(running, start + deals)
                deals += 1
                done += len(running)
                if deals % _DEALS_MIN == 0:
                    policys = running[0][0]
                    running = [each for each in running if not _is_hopeless(each[0], policys)]
            running = _better_half(running)
        return done

    def _try_all(self, running: list[_Runner], seed: int) -> None:
        """Try every candidate on the deal, and with the luck, that `seed` gives."""
        if seed % _TURN_DEALS == 0:
            _let_others_run()
        gains = [self._run(runner, Chance(seed)) for runner in running]
        for (node, _), gain in zip(running, gains, strict=True):
            node.squares += (gain - gains[0]) * (gain - gains[0])

    def _line_up(self, candidates: list[Action]) -> list[_Runner]:
        runners: dict[Hashable, _Runner] = {}
        for action in candidates:
            key = self.knowledge.key(action, self.observation)
            if key not in runners:
                runners[key] = (
                    self._add(self.root, key, self.player, action, self.observation),
                    action,
                )
        return list(runners.values())

    def _run(self, runner: _Runner, chance: Chance) -> int:
        """What a candidate is worth on the deal, and with the luck, that `chance` gives."""
        before = runner[0].total
        self.runner, self.luck = runner, Luck(chance.next())
        self._iterate(chance)
        return runner[0].total - before

    def _misjudge(self, node: _Node, chance: Chance) -> None:
        if self.error:
            node.error = chance.below(2 * self.error + 1) - self.error

    def _iterate(self, chance: Chance) -> None:
        """Imagine a deal, walk down the tree, play on, and write the rewards back."""
        game, luck = self.game, self.luck
        table, deal = self.table.copy(), imagine(self.table, self.observation, chance)
        node, path, is_new = self.root, [], False
        pending = go_on(game, table, deal, chance, luck)
        while not (is_new or isinstance(pending, Over) or self._is_end(node)):
            if isinstance(pending, Choice):
                player = pending.player
                node, action, is_new = self._descend(node, table, player, deal)
                game.apply(table, player, action)
                path.append(node)
            elif self.player in pending.players:
                node, action, is_new = self._descend(node, table, self.player, deal)
                self._open(pending, table, deal, chance, mine=action)
                path.append(node)
            else:
                self._open(pending, table, deal, chance)
            pending = go_on(game, table, deal, chance, luck)
        gains = self._play_on(table, deal, pending, chance)
        self.root.visits += 1
        for node in path:
            node.visits += 1
            node.total += min(max(gains[node.mover] + node.error, 0), REWARD_ONE)

    def _is_end(self, node: _Node) -> bool:
        """Whether the tree may not grow behind this move."""
        if node.branches or node is self.root:
            return False
        return self.room <= 0 or node.visits < self.knowledge.patience

    def _descend(
        self, node: _Node, table: Table, player: Player, deal: list[Face]
    ) -> tuple[_Node, Action, bool]:
        """The next move in the tree, and whether it has just been added."""
        if self.runner is not None and node is self.root:
            return *self.runner, False
        branches, name = node.branches, self.knowledge.key
        offered: dict[Hashable, Action] = {}
        untried = []
        for action in self.knowledge.candidates(table, player, deal):
            key = name(action, deal)
            if key in offered:
                continue
            offered[key] = action
            branch = branches.get(key)
            if branch is None:
                untried.append(key)
            else:
                branch.available += 1
        tried_count = len(offered) - len(untried)
        if tried_count and tried_count >= _breadth(node.visits):
            for key in untried:
                del offered[key]
            untried = []
        if not untried:
            key = _most_promising(branches, offered, self.knowledge.exploration_percent)
            return branches[key], offered[key], False
        key = untried[0]
        if len(untried) > 1:
            actions = [offered[each] for each in untried]
            priors = self.knowledge.prior(table, player, actions, deal)
            key = untried[priors.index(max(priors))]
        # A forced move is no decision: the tree goes on behind it at once.
        return self._add(node, key, player, offered[key], deal), offered[key], len(offered) > 1

    def _add(
        self, node: _Node, key: Hashable, player: Player, action: Action, observation: Observation
    ) -> _Node:
        faces = tuple([observation[card] for card in action.cards])
        branch = node.branches[key] = _Node(player, Move(player, action.verb, faces, action.number))
        branch.available = 1
        self.room -= 1
        return branch

    def _open(
        self,
        secret: Secret,
        table: Table,
        deal: list[Face],
        chance: Chance,
        *,
        mine: Action | None = None,
    ) -> None:
        """Let everybody choose at once: the others by what each of them has seen, no more."""
        rollout = self.knowledge.rollout
        actions = [
            mine
            if mine is not None and seat == self.player
            else rollout(table, seat, blindfold(table, deal, seat), chance)
            for seat in secret.players
        ]
        for seat, action in zip(secret.players, actions, strict=True):
            self.game.apply(table, seat, action)

    def _play_on(
        self, table: Table, deal: list[Face], pending: Pending, chance: Chance
    ) -> list[int]:
        """Play to the end, or to where the game is judged; the reward of every seat."""
        game, apply, rollout = self.game, self.game.apply, self.knowledge.rollout
        for _ in range(self.knowledge.choices_max):
            if isinstance(pending, Choice):
                player = pending.player
                apply(table, player, rollout(table, player, deal, chance))
            elif isinstance(pending, Over):
                break
            else:
                self._open(pending, table, deal, chance)
            pending = go_on(game, table, deal, chance, self.luck)
        return self.knowledge.worth(table, pending)

    # ---- reading the tree ----

    def decide(self, actions: list[Action], candidates: list[Action], iterations: int) -> Decision:
        """The most visited candidate, unless the policy's action is about as good."""
        name, branches = self.knowledge.key, self.root.branches
        tried: list[tuple[_Node, Action]] = []
        for each in candidates:
            branch = branches.get(name(each, self.observation))
            if branch is not None:
                tried.append((branch, each))
        best, action = max(tried, key=lambda pair: (pair[0].visits, pair[0].total))
        plain = self.knowledge.policy(self.table, self.player, self.observation)
        if plain is not None:
            holder = branches.get(name(plain, self.observation))
            if holder and not _is_better(best, holder):
                action, best = plain, holder
        outlooks = tuple(
            _outlook(each, branches.get(name(each, self.observation))) for each in actions
        )
        return Decision(action, iterations, outlooks, _line(best))


def _breadth(visits: int) -> int:
    """How many moves may be tried behind one that was visited so often, the best prior first.

    Progressive widening (Coulom 2007, "Computing Elo Ratings of Move Patterns", section 4.2),
    which matters only where there are very many, as when any part of a hand can be chosen.
    """
    return _BREADTH + 2 * isqrt(visits)


def _outlook(action: Action, node: _Node | None) -> Outlook:
    if node is None or not node.visits:
        return Outlook(action, 0, 0)
    return Outlook(action, node.visits, _win_permille(node))


def _win_permille(node: _Node) -> int:
    return node.total * 1000 // (node.visits * REWARD_ONE)


def _most_promising(
    branches: dict[Hashable, _Node], offered: dict[Hashable, Action], percent: int
) -> Hashable:
    """The branch with the highest upper confidence bound (UCB1, with availability).

    Of the usual exploration term it takes so many percent.
    """
    best, best_bound = None, -1
    if len(offered) == 1:
        return next(iter(offered))
    for key in offered:
        node = branches[key]
        visits = node.visits
        spread = isqrt((logarithm(node.available) << _FRACTION_BITS) // visits)
        bound = (node.total << _REWARD_SHIFT) // visits + spread * percent // 100
        if bound > best_bound:
            best, best_bound = key, bound
    return best


def _is_better(challenger: _Node, holder: _Node) -> bool:
    """Whether the challenger is likely to be better than the policy's move.

    Before anything was tried the policy's move is believed to be the better one, by a little; the
    fewer the visits, the more of what the challenger seems to gain is put down to luck.  With
    differences spread normally that is a gain of DOUBT times the variance of the estimate.
    """
    if challenger is holder:
        return True
    gain = _gain(challenger, holder)
    return gain > 0 and gain * REWARD_ONE >= _DOUBT * _variance(challenger)


def _better_half(running: list[_Runner]) -> list[_Runner]:
    """The policy's move, and of the others so many with the highest rewards that half are left."""
    kept = max(2, (len(running) + 1) // 2)
    ranks = sorted([(-running[place][0].total, place) for place in range(1, len(running))])
    places = sorted([place for _, place in ranks[: kept - 1]])
    return [running[0], *[running[place] for place in places]]


def _is_hopeless(challenger: _Node, holder: _Node) -> bool:
    """Whether the challenger is so much worse than the policy's move that it need not go on."""
    gain = _gain(challenger, holder)
    return gain < 0 and gain * gain > _VARIANCES_MAX * _variance(challenger)


def _gain(challenger: _Node, holder: _Node) -> int:
    return challenger.total // challenger.visits - holder.total // holder.visits


def _variance(challenger: _Node) -> int:
    """Of what the challenger seems to gain, with a difference that nobody has seen.

    That is one deal on which they were a victory apart.
    """
    deals = challenger.visits
    return (challenger.squares + REWARD_ONE * REWARD_ONE) // (deals * (deals + 1))


def _line(node: _Node) -> tuple[Move, ...]:
    line: list[Move] = []
    while node.visits >= _LINE_VISITS_MIN and len(line) < _LINE_MOVES_MAX:
        line.append(node.move)
        if not node.branches:
            break
        node = max(node.branches.values(), key=lambda branch: (branch.visits, branch.total))
    return tuple(line)
