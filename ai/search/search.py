"""Information-set Monte Carlo tree search: what a seat should do, from what that seat knows.

The own candidates, the arms of a bandit, are tried on the same determinizations with common random
numbers.  What is compared is how each did beside the policy's move, deal by deal.  The budget is
divided into rounds, after each of which the worse half leaves (sequential halving: Karnin, Koren,
Somekh 2013, "Almost Optimal Exploration in Multi-Armed Bandits"); what is clearly worse leaves
earlier (Maron and Moore 1994, "Hoeffding Races").  Behind each candidate grows a tree
(`ai.search.tree`).

Several processes can share the candidates (`ai.seats.assistants`).  All of them are tried on some
deals before anything is decided by that, so it does not matter who tries which.

A decision is a pure function of its arguments on every platform: all statistics are integers, the
numbers come from `Chance`, ties fall to the earlier action, and nothing is ordered by a hash.
Products stay below 2**63, so that compiled code may use machine words.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Final, NamedTuple

from ai.search.knowledge import REWARD_ONE, Knowledge
from ai.search.styles import liking
from ai.search.tree import Arm, Move, Tree, TreeNode, principal_variation
from core.bot_levels import ITERATIONS_MAX
from core.chance import Chance
from core.native import mypyc_attr
from core.requests import Action, Player
from core.table import HIDDEN, Observation, Table

_CANDIDATES_MIN: Final = 8  # So many are tried, however small the budget.
_LITTLE_DOUBT: Final = 10  # With more, what a bot misjudges or likes would decide nothing.
_DEALS_MIN: Final = 8  # After so many deals the hopeless leave: those who are worse than the ...
_VARIANCES_MAX: Final = 4  # ... policy's move by two standard errors.


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
    """What a search lacks: it misjudges moves, by chance or because it likes some more than others,
    remembers little of its tree, or is in a hurry."""

    mistakes: int = 0  # Each own move looks better or worse by up to so many mistakes of the game.
    nodes_max: int = ITERATIONS_MAX  # With so many moves in the tree, it grows no deeper.
    part: int = 1  # One in so many iterations is done, after getting ready for all of them.
    style: str = ""  # What it likes: see `ai.search.styles`.


STRONG: Final = Weakness()


class SearchPosition(NamedTuple):
    """What a search begins with: all that a tree needs but its candidates."""

    table: Table
    observation: Observation
    player: Player
    nodes_max: int
    iterations: int  # What the knowledge of the game gets ready for.


@mypyc_attr(allow_interpreted_subclasses=True)
class Assistant:
    """Somebody who tries some of the candidates elsewhere.  `ai.seats.assistants` has one."""

    def begin(self, position: SearchPosition, candidates: list[Action], errors: list[int]) -> None:
        """From now on these are tried, each of which looks better or worse by its error."""
        raise NotImplementedError

    def start(self, places: list[int], seed: int, deals: int) -> None:
        """Try those of the candidates at these places on so many deals."""
        raise NotImplementedError

    def gains(self) -> list[list[int]]:
        """What was started last: the gains of each candidate, deal by deal."""
        raise NotImplementedError

    def line(self, place: int) -> tuple[Move, ...]:
        """What is expected to follow one of them, beginning with it."""
        raise NotImplementedError


def search(
    knowledge: Knowledge,
    table: Table,
    observation: Observation,
    player: Player,
    *,
    seed: int,
    iterations: int,
    weakness: Weakness = STRONG,
    assistants: Sequence[Assistant] = (),
) -> Decision:
    """What `player`, who knows exactly `observation`, should do now.

    It is `player`'s turn to choose.  A single candidate is returned at once.  Every candidate is
    tried at least once, however small the budget; where there are very many, the most promising.
    With `assistants` it is decided sooner, and the same.
    """
    assert 0 < iterations <= ITERATIONS_MAX, "the budget is a positive number of iterations"
    _refuse_foreign_observation(table, observation, player)
    actions = knowledge.game.mechanics.legal_actions(table, player, observation)
    obvious = knowledge.answer_at_once(table, player, observation)
    candidates = actions if obvious is None else [obvious]
    if len(candidates) > 1:
        knowledge.prepare(table, iterations)
        candidates = knowledge.candidates(table, player, observation)
    if len(candidates) == 1:
        untried = tuple(Outlook(action, 0, 0) for action in actions)
        return Decision(candidates[0], 0, untried, ())
    position = SearchPosition(table, observation, player, weakness.nodes_max, iterations)
    budget = max(1, iterations // weakness.part)
    if budget + len(candidates) > weakness.nodes_max > 0:
        assistants = ()  # They would have to share what is remembered.
    race = _Race(knowledge, position, assistants)
    done = race.run(race.promising(candidates, budget), seed, budget, weakness)
    doubt = knowledge.doubt
    if weakness.mistakes or weakness.style:
        doubt = min(doubt, _LITTLE_DOUBT)
    return race.decide(actions, candidates, done, doubt)


def compare(
    knowledge: Knowledge, table: Table, observation: Observation, player: Player,
    pair: tuple[Action, Action], *, seed: int, deals: int,
) -> Contest:  # fmt: skip
    """What two actions of `player` are worth on the same deals; both stay to the end."""
    _refuse_foreign_observation(table, observation, player)
    race = _Race(knowledge, SearchPosition(table, observation, player, ITERATIONS_MAX, deals), ())
    race.add_arms(list(pair))
    assert len(race.left) == len(pair), "two actions that mean the same are not compared"
    race.try_all(Chance(seed).next(), deals)
    (first, _), (second, _) = race.arms
    error = isqrt(_variance(second)) * 1000 // REWARD_ONE
    return Contest(_win_permille(first), _win_permille(second), error)


def _refuse_foreign_observation(table: Table, observation: Observation, player: Player) -> None:
    bit = 1 << player
    for card, face in enumerate(table.face):
        if face == HIDDEN and observation[card] != HIDDEN:
            assert table.seen[card] & bit, "a bot was handed a card that its seat has not seen"


class _Race:
    """The candidates of one search as arms of a bandit, and which of them are still in it."""

    __slots__ = ("arms", "assistants", "knowledge", "left", "policy_move", "position", "tree")

    def __init__(
        self, knowledge: Knowledge, position: SearchPosition, assistants: Sequence[Assistant]
    ) -> None:
        self.knowledge, self.position, self.assistants = knowledge, position, assistants
        table, observation, player, nodes_max, _ = position
        self.tree = Tree(knowledge, table, observation, player, nodes_max)
        self.arms: list[Arm] = []
        self.left: list[int] = []  # By their places; the incumbent first.
        self.policy_move: Action | None = None  # The incumbent, where there is one.

    def promising(self, candidates: list[Action], iterations: int) -> list[Action]:
        """The policy's move first, then the others; where they are too many, those that look best.

        Every one of them can be tried on some deals.
        """
        most, knowledge = max(_CANDIDATES_MIN, iterations // _DEALS_MIN), self.knowledge
        table, observation, player, _, _ = self.position
        self.policy_move = policy_move = knowledge.policy(table, player, observation)
        if len(candidates) > most:
            priors = knowledge.prior(table, player, candidates, observation)
            ranks = sorted([(-prior, place) for place, prior in enumerate(priors)])[:most]
            candidates = [candidates[place] for place in sorted([place for _, place in ranks])]
        if policy_move is None:
            return candidates
        others = [action for action in candidates if action != policy_move]
        return [policy_move, *others]

    def run(self, candidates: list[Action], seed: int, iterations: int, weakness: Weakness) -> int:
        """Try the candidates on one deal after another, with common random numbers.

        The first is the policy's, which stays to the end; of the others the worse half leaves after
        each round, and whoever is clearly worse, earlier.  Gives how often was iterated.
        """
        chance = Chance(seed)
        self.add_arms(candidates)
        self._misjudge(chance, weakness)
        self._begin_assistants()
        start, deals, done = chance.next(), 0, 0
        while len(self.left) > 1 and (not deals or done + len(self.left) <= iterations):
            rounds_left = (len(self.left) - 1).bit_length()
            end = done + (iterations - done) // rounds_left
            while len(self.left) > 1 and (not deals or done + len(self.left) <= end):
                some = min(_DEALS_MIN - deals % _DEALS_MIN, (end - done) // len(self.left))
                some = max(some, 1)  # Everybody is tried once.
                self.try_all(start + deals, some)
                deals += some
                done += some * len(self.left)
                if deals % _DEALS_MIN == 0:
                    self._drop_hopeless()
            self._drop_worse_half()
        return done

    # ---- trying them, here and at the assistants ----

    def add_arms(self, candidates: list[Action]) -> None:
        """These take part; of those that mean the same, the first."""
        self.arms = self.tree.add_arms(candidates)
        self.left = list(range(len(self.arms)))

    def _misjudge(self, chance: Chance, weakness: Weakness) -> None:
        """Each candidate looks better or worse by an error of its own, as long as search lasts."""
        error = weakness.mistakes * self.knowledge.mistake_permille * REWARD_ONE // 1000
        for node, action in self.arms:
            if error:
                node.error = chance.below(2 * error + 1) - error
            if weakness.style:
                node.error += self._liking(weakness.style, action)

    def _begin_assistants(self) -> None:
        """Each has the candidates at every so many places, with the errors that they have here."""
        for number, assistant in enumerate(self.assistants, 1):
            theirs = self.arms[number :: 1 + len(self.assistants)]
            errors = [node.error for node, _ in theirs]
            assistant.begin(self.position, [action for _, action in theirs], errors)

    def _liking(self, style: str, action: Action) -> int:
        table, observation, player, _, _ = self.position
        lean = self.knowledge.lean(style, table, player, action, observation)
        return liking(lean, self.knowledge.mistake_permille)

    def try_all(self, seed: int, deals: int) -> None:
        """Try every candidate on so many deals, by `seed` and the numbers that follow."""
        parties = 1 + len(self.assistants)
        shares: list[list[int]] = [[] for _ in range(parties)]  # The places of each.
        for place in self.left:
            shares[place % parties].append(place)
        for number, assistant in enumerate(self.assistants, 1):
            if shares[number]:
                assistant.start([place // parties for place in shares[number]], seed, deals)
        mine = [self.arms[place] for place in shares[0]]
        gains = dict(zip(shares[0], self.tree.gains(mine, seed, deals), strict=True))
        for number, assistant in enumerate(self.assistants, 1):
            if shares[number]:
                for place, theirs in zip(shares[number], assistant.gains(), strict=True):
                    gains[place] = theirs
                    self.arms[place][0].add(theirs)
        usual_gains = gains[0]
        for place in self.left:
            node = self.arms[place][0]
            for gain, usual in zip(gains[place], usual_gains, strict=True):
                node.squares += (gain - usual) * (gain - usual)

    def _drop_hopeless(self) -> None:
        incumbent = self.arms[0][0]
        self.left = [
            place for place in self.left if not _is_hopeless(self.arms[place][0], incumbent)
        ]

    def _drop_worse_half(self) -> None:
        """The policy's move stays, and of the others so many with the most that half are left."""
        kept = max(2, (len(self.left) + 1) // 2)
        ranks = sorted([(-self.arms[place][0].total, place) for place in self.left[1:]])
        self.left = [0, *sorted([place for _, place in ranks[: kept - 1]])]

    # ---- reading what came of it ----

    def decide(
        self, actions: list[Action], candidates: list[Action], iterations: int, doubt: int
    ) -> Decision:
        """The most visited candidate, unless the policy's action is about as good."""
        observation, policy_move = self.position.observation, self.policy_move
        name, branches = self.knowledge.key, self.tree.root.branches
        tried: list[tuple[TreeNode, Action]] = []
        for each in candidates:
            branch = branches.get(name(each, observation))
            if branch is not None:
                tried.append((branch, each))
        best, action = max(tried, key=lambda pair: (pair[0].visits, pair[0].total))
        if policy_move is not None:
            incumbent = branches.get(name(policy_move, observation))
            if incumbent and not _is_better(best, incumbent, doubt):
                action, best = policy_move, incumbent
        outlooks = tuple(_outlook(each, branches.get(name(each, observation))) for each in actions)
        return Decision(action, iterations, outlooks, self._line(best))

    def _line(self, best: TreeNode) -> tuple[Move, ...]:
        place = [node for node, _ in self.arms].index(best)
        parties = 1 + len(self.assistants)
        if place % parties:
            return self.assistants[place % parties - 1].line(place // parties)
        return principal_variation(best)


def _outlook(action: Action, node: TreeNode | None) -> Outlook:
    if node is None or not node.visits:
        return Outlook(action, 0, 0)
    return Outlook(action, node.visits, _win_permille(node))


def _win_permille(node: TreeNode) -> int:
    return node.total * 1000 // (node.visits * REWARD_ONE)


def _is_better(challenger: TreeNode, incumbent: TreeNode, doubt: int) -> bool:
    """Whether the challenger is likely to be better than the policy's move.

    Before anything was tried the policy's move is believed to be the better one, by a little; the
    fewer the visits, the more of what the challenger seems to gain is put down to luck.  With
    differences spread normally that is a gain of `doubt` times the variance of the estimate.
    """
    if challenger is incumbent:
        return True
    gain = _gain(challenger, incumbent)
    return gain > 0 and gain * REWARD_ONE >= doubt * _variance(challenger)


def _is_hopeless(challenger: TreeNode, incumbent: TreeNode) -> bool:
    """Whether the challenger is so much worse than the policy's move that it need not go on."""
    gain = _gain(challenger, incumbent)
    return gain < 0 and gain * gain > _VARIANCES_MAX * _variance(challenger)


def _gain(challenger: TreeNode, incumbent: TreeNode) -> int:
    return challenger.total // challenger.visits - incumbent.total // incumbent.visits


def _variance(challenger: TreeNode) -> int:
    """Of what the challenger seems to gain, with a difference that nobody has seen.

    That is one deal on which they were a victory apart.
    """
    deals = challenger.visits
    return (challenger.squares + REWARD_ONE * REWARD_ONE) // (deals * (deals + 1))
