"""The information-set tree: moves that were tried behind the candidates of one choice.

Behind a candidate grows a tree: single observer, open loop (Cowling, Powley, Whitehouse 2012,
"Information Set Monte Carlo Tree Search", section III.D).  Its branches are named by what an action
means and not by numbers of cards.  A branch that the imagined deal does not allow is left out, and
counts only the times it was available (their section IV.A).  Where the tree ends one move is added,
the game is played on (`ai.search.rollout`), and the rewards of all seats are written back:
everybody maximises their own side's.

What grows behind one candidate has nothing to do with what grows behind another, so candidates can
be tried in several processes (`ai.seats.assistants`), and the tree of each is the same as in one.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import isqrt
from time import sleep
from typing import Final, NamedTuple, TypeAlias

from ai.search.knowledge import REWARD_ONE, Knowledge, best_place
from ai.search.rollout import Rollout
from ai.search.transitions import CommonShuffles
from core.chance import Chance
from core.determinization import Determinizer
from core.requests import Action, Choice, Face, Over, Player
from core.table import Observation, Table

_FRACTION_BITS: Final = 20
_SPARE_BITS: Final = 44  # So that the errors of what is added up do not reach the fraction.
_REWARD_SHIFT: Final = _FRACTION_BITS - (REWARD_ONE.bit_length() - 1)
_LINE_MOVES_MAX: Final = 12
_LINE_VISITS_MIN: Final = 4  # Fewer say nothing about what to expect.
_BREADTH: Final = 8
_TURN_DEALS: Final = 16  # About every so many deals other threads have their turn.


def _logarithms(count: int) -> list[int]:
    """Of the numbers below `count`, each by the one before: their ratio is 2 artanh(1 / (2n - 1)).

    By `decimal` it took a fifth of a second wherever search was loaded.
    """
    found, total = [0, 0], 0
    for number in range(2, count):
        odd = 2 * number - 1
        term, place = (2 << _FRACTION_BITS + _SPARE_BITS) // odd, 1
        while term:
            total += term // place
            term, place = term // (odd * odd), place + 2
        found.append(total >> _SPARE_BITS)
    return found


_LOGARITHMS: Final = _logarithms(4096)


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


def _make_move(parts: tuple[Player, str, tuple[Face, ...], int]) -> Move:
    """The same as `Move(*parts)`: what a NamedTuple does, but compiled."""
    return tuple.__new__(Move, parts)


class TreeNode:
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
        self.branches: dict[Hashable, TreeNode] = {}

    def add(self, gains: list[int]) -> None:
        """Count what was gained elsewhere, deal by deal."""
        self.visits += len(gains)
        self.total += sum(gains)


Arm: TypeAlias = tuple[TreeNode, Action]  # A candidate with its statistics.


class Tree:
    """What a seat knows at its choice, and the moves that were tried from there."""

    __slots__ = (
        "arm", "determinizer", "knowledge", "observation", "player", "room", "root", "shuffles",
        "table",
    )  # fmt: skip

    def __init__(
        self,
        knowledge: Knowledge,
        table: Table,
        observation: Observation,
        player: Player,
        room: int,
    ) -> None:
        self.knowledge = knowledge
        self.table, self.observation, self.player = table, observation, player
        self.determinizer = Determinizer(table, observation)
        self.room = room  # For so many more moves.
        self.arm: Arm | None = None  # The candidate whose turn it is, ...
        self.shuffles: CommonShuffles | None = None  # ... and what all have in common.
        self.root = TreeNode(player, Move(player, "", (), 0))

    def add_arms(self, candidates: list[Action]) -> list[Arm]:
        """A branch for each candidate; those that mean the same are one."""
        arms: dict[Hashable, Arm] = {}
        for action in candidates:
            key = self.knowledge.key(action, self.observation)
            if key not in arms:
                arms[key] = (
                    self._add(self.root, key, self.player, action, self.observation),
                    action,
                )
        return list(arms.values())

    def gains(self, arms: list[Arm], seed: int, deals: int) -> list[list[int]]:
        """What each candidate is worth on so many deals, by `seed` and the numbers that follow.

        All of them have the same deals and common random numbers: what is seen of their difference
        is seldom luck.
        """
        found: list[list[int]] = [[] for _ in arms]
        for deal in range(seed, seed + deals):
            if deal % _TURN_DEALS == 0:
                _let_others_run()
            chance = Chance(deal)
            seed_of_shuffles = chance.next()
            faces = self.knowledge.determinize(self.table, self.player, self.determinizer, chance)
            for place, arm in enumerate(arms):
                before = arm[0].total
                self.arm, self.shuffles = arm, CommonShuffles(seed_of_shuffles)
                self.iterate(faces[:], chance.copy())
                found[place].append(arm[0].total - before)
        return found

    def iterate(self, deal: list[Face], chance: Chance) -> None:
        """Selection, expansion, rollout and backpropagation on one imagined deal.

        It begins with the candidate whose turn it is, or, when it is nobody's, as everywhere else.
        """
        rollout = Rollout(self.knowledge, self.table.copy(), deal, chance, self.shuffles)
        table, mechanics = rollout.table, self.knowledge.game.mechanics
        node, path, is_new = self.root, [], False
        pending = rollout.fast_forward()
        while not (is_new or isinstance(pending, Over) or self._is_end(node)):
            if isinstance(pending, Choice):
                player = pending.player
                node, action, is_new = self._descend(node, table, player, deal)
                mechanics.apply(table, player, action)
                path.append(node)
            elif self.player in pending.players:
                node, action, is_new = self._descend(node, table, self.player, deal)
                rollout.choose_secretly(pending, action, self.player)
                path.append(node)
            else:
                rollout.choose_secretly(pending)
            pending = rollout.fast_forward()
        gains = rollout.play_on(pending)
        for node in path:
            node.visits += 1
            node.total += min(max(gains[node.mover] + node.error, 0), REWARD_ONE)

    def _is_end(self, node: TreeNode) -> bool:
        """Whether the tree may not grow behind this move."""
        if node.branches or node is self.root:
            return False
        return self.room <= 0 or node.visits < self.knowledge.expansion_visits

    def _descend(
        self, node: TreeNode, table: Table, player: Player, deal: list[Face]
    ) -> tuple[TreeNode, Action, bool]:
        """The next move in the tree, and whether it has just been added."""
        if self.arm is not None and node is self.root:
            return *self.arm, False
        branches, knowledge = node.branches, self.knowledge
        names: set[Hashable] = set()
        tried: list[TreeNode] = []  # What was tried here and can be done in this deal, ...
        moves: list[Action] = []  # ... and as what.
        untried: list[Hashable] = []
        others: list[Action] = []
        for action in knowledge.candidates(table, player, deal):
            key, count = knowledge.key(action, deal), len(names)
            names.add(key)
            if len(names) == count:  # Looked up once.
                continue
            branch = branches.get(key)
            if branch is None:
                untried.append(key)
                others.append(action)
            else:
                branch.available += 1
                tried.append(branch)
                moves.append(action)
        if not untried or (tried and len(tried) >= _breadth(node.visits)):
            place = _most_promising(tried, knowledge.exploration_percent)
            return tried[place], moves[place], False
        place = 0
        if len(untried) > 1:
            place = best_place(knowledge.prior(table, player, others, deal))
        # A forced move is no decision: the tree goes on behind it at once.
        is_new = len(names) > 1
        return self._add(node, untried[place], player, others[place], deal), others[place], is_new

    def _add(
        self,
        node: TreeNode,
        key: Hashable,
        player: Player,
        action: Action,
        observation: Observation,
    ) -> TreeNode:
        verb, cards, number = action
        faces = tuple([observation[card] for card in cards])
        branch = node.branches[key] = TreeNode(player, _make_move((player, verb, faces, number)))
        branch.available = 1
        self.room -= 1
        return branch


def _let_others_run() -> None:
    """Compiled code keeps the interpreter to itself; a thread may wait to end this process."""
    sleep(0)


def principal_variation(node: TreeNode) -> tuple[Move, ...]:
    """What is expected to follow a move, beginning with it: the most visited branches."""
    line: list[Move] = []
    while node.visits >= _LINE_VISITS_MIN and len(line) < _LINE_MOVES_MAX:
        line.append(node.move)
        if not node.branches:
            break
        node = max(node.branches.values(), key=lambda branch: (branch.visits, branch.total))
    return tuple(line)


def _breadth(visits: int) -> int:
    """How many moves may be tried behind one that was visited so often, the best prior first.

    Progressive widening (Coulom 2007, "Computing Elo Ratings of Move Patterns", section 4.2),
    which matters only where there are very many, as when any part of a hand can be chosen.
    """
    return _BREADTH + 2 * isqrt(visits)


def _most_promising(nodes: list[TreeNode], percent: int) -> int:
    """The place of the move with the highest upper confidence bound (UCB1, with availability).

    Of the usual exploration term it takes so many percent.
    """
    best, best_bound = 0, -1
    if len(nodes) == 1:
        return best
    for place in range(len(nodes)):
        node = nodes[place]
        visits = node.visits
        spread = isqrt((logarithm(node.available) << _FRACTION_BITS) // visits)
        bound = (node.total << _REWARD_SHIFT) // visits + spread * percent // 100
        if bound > best_bound:
            best, best_bound = place, bound
    return best
