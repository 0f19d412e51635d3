"""What search is told about a game: how to play on, what to try first, who is ahead.

Search is the same for every game.  Random continuations say little about a game of plans, so each
game may bring one small class of knowledge; a game without one gets that of `by_score.py`.

    policy, rollout_policy   what a plain player does, and one of a rollout, who errs now and then
    prior, candidates        what search tries first, and what it tries at all
    evaluate, rewards        what an unfinished game, and a finished one, is worth to each side
    unsettled                when it is too early to evaluate, as quiescence is in chess
    determinize              which deals are imagined, if not all that fit are as likely
    answer_at_once, prepare  no search where none is needed; what is found out once before
    lean, strategies         what bots with a style like; plain players for tournaments

The observation here is one seat's or, in an imagined game, the whole imagined deal: a policy looks
at the cards of the seat it plays for, and at no other's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, TypeAlias

from core.chance import Chance
from core.determinization import Determinizer
from core.engine import Pending
from core.game import Game, alone
from core.native import mypyc_attr
from core.requests import Action, Face, Over, Player
from core.table import Observation, Table

REWARD_ONE: Final = 1 << 10  # A sure victory; the rewards of all sides add up to about this.
IMAGINED_CHOICES_MAX: Final = 400  # Longer imagined games are cut off and judged.

Strategy: TypeAlias = Callable[[Table, Player, Observation], Action]  # Of a fixed player.


@mypyc_attr(allow_interpreted_subclasses=True)
class Knowledge:
    """What can be said of any game: play at random, try in the order of the rules, call it even."""

    rollout_choices_max: int = IMAGINED_CHOICES_MAX
    """After so many choices a rollout ends, and the game is evaluated as it stands."""
    exploration_percent: int = 60
    """Of the square root in UCB1, for rewards from 0 to 1: how much search tries what looks bad."""
    expansion_visits: int = 0
    """How often a move is visited before the tree grows behind it: where luck is large and the
    policy good, replies that were tried once or twice say less than the policy does."""
    random_once_in: int = 1
    """An imagined player follows the policy, but does anything legal once in so many choices
    (epsilon-greedy; Sutton and Barto 2018, "Reinforcement Learning", section 2.2); 1: always."""
    doubt: int = 10
    """How many variances a move has to gain before search leaves the policy's for it: the lead that
    the policy is believed to have beforehand by the variance of that, 0.025 / 0.05 ** 2."""
    mistake_permille: int = 20
    """How far off a weak player is about a move: how much moves differ depends on the game."""
    speed: int = 1000
    """Iterations a second in plain Python on an ordinary machine: tournaments reckon with it."""
    compiled_speed: int = 4000
    """The same where rules and search are compiled."""
    strategies: Mapping[str, str] = {}
    """Plain players of this game for tournaments: the name, and the method that decides."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._plays_alone = game.team is alone
        # Compiled search reads them of the object, and a class in plain Python has its own in the
        # class, where compiled code does not look.
        self.rollout_choices_max = _own(self, "rollout_choices_max", self.rollout_choices_max)
        self.exploration_percent = _own(self, "exploration_percent", self.exploration_percent)
        self.expansion_visits = _own(self, "expansion_visits", self.expansion_visits)
        self.random_once_in = _own(self, "random_once_in", self.random_once_in)
        self.doubt = _own(self, "doubt", self.doubt)
        self.mistake_permille = _own(self, "mistake_permille", self.mistake_permille)

    def answer_at_once(
        self, table: Table, player: Player, observation: Observation
    ) -> Action | None:
        """The one action that is worth a thought, where nobody has to get ready to see that."""
        return None

    def prepare(self, table: Table, iterations: int) -> None:
        """Get ready to search on that table with so many iterations for a choice.

        What is found out here has to follow from the public table and that number alone.
        """

    def determinize(
        self, table: Table, player: Player, determinizer: Determinizer, chance: Chance
    ) -> list[Face]:
        """A deal that fits what a seat knows; each is as likely, unless a game knows better."""
        return determinizer.sample(chance)

    def policy(self, table: Table, player: Player, observation: Observation) -> Action | None:
        """The move of a plain player with a plan, who does not search; None without a plan.

        It is the same whenever it is asked, and search keeps to it unless another is better.
        """
        return None

    def follower(self, plan: str) -> Strategy | None:
        """A plain player who keeps to a plan in words, for tournaments; None: that is no plan."""
        return None

    def missing(self, player: str, table: Table) -> str:
        """What the fixed player of that name, or with that plan, needs and this table lacks."""
        return ""

    def rollout_policy(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """One action of a rollout: the policy's mostly, sometimes any legal one."""
        once_in = self.random_once_in
        if once_in > 1 and chance.below(once_in):
            plain = self.policy(table, player, observation)
            if plain is not None:
                return plain
        return self.random_action(table, player, observation, chance)

    def random_action(
        self, table: Table, player: Player, observation: Observation, chance: Chance
    ) -> Action:
        """Any legal action, each as likely."""
        actions = self.game.mechanics.legal_actions(table, player, observation)
        return actions[chance.below(len(actions))]  # Sooner than `pick`, which takes any sequence.

    def candidates(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """The legal actions that search tries, in the order of the rules; the policy's among them.

        All of them, unless a game has so many that are plainly bad that the good ones drown.
        """
        return self.game.mechanics.legal_actions(table, player, observation)

    def prior(
        self, table: Table, player: Player, actions: Sequence[Action], observation: Observation
    ) -> list[int]:
        """How promising each action looks before it has been tried; larger is sooner."""
        return [0] * len(actions)

    def lean(
        self, style: str, table: Table, player: Player, action: Action, observation: Observation
    ) -> int:
        """How much a bot of a style likes an own action, from -100 to 100: `ai.search.styles`."""
        return 0

    @classmethod
    def has_styles(cls) -> bool:
        """Whether there is anything that a bot with a style likes better than one without."""
        return cls.lean is not Knowledge.lean

    def unsettled(self, table: Table) -> list[int]:
        """What has to change, after `rollout_choices_max`, before a rollout ends.

        Nothing: it ends at once.
        """
        return []

    def evaluate(self, table: Table) -> list[int]:
        """The value of an unfinished game to each seat's side, in parts of REWARD_ONE."""
        sides = self.sides(table)
        return [REWARD_ONE // (max(sides) + 1)] * len(sides)

    def value(self, table: Table, pending: Pending) -> list[int]:
        """The value of a game to each seat wherever it stands: rewards if it is over."""
        return self.rewards(table) if isinstance(pending, Over) else self.evaluate(table)

    def sides(self, table: Table) -> list[int]:
        """The side of every seat."""
        is_alone, team = self._plays_alone, self.game.team
        return [seat if is_alone else team(table, seat) for seat in range(table.layout.players)]

    def rewards(self, table: Table) -> list[int]:
        """What each seat has of a finished game: REWARD_ONE, shared by the sides that won."""
        sides = self.sides(table)
        won: list[int] = []
        for seat in self.game.winners(table):
            if sides[seat] not in won:
                won.append(sides[seat])
        share = REWARD_ONE // len(won)
        return [share if side in won else 0 for side in sides]

    def key(self, action: Action, observation: Observation) -> Hashable:
        """What an action is called in the tree: the same in every deal where it means the same.

        The numbers of cards mean other faces in other deals, so the faces are the name.  Actions
        of one name are one branch.
        """
        verb, cards, number = action
        if not cards:
            return verb, number
        if len(cards) == 1:
            return verb, number, observation[cards[0]]
        return verb, number, *(observation[card] for card in cards)


def _own(knowledge: Knowledge, name: str, usual: int) -> int:
    """The number that the class of some knowledge gives for a name."""
    found = getattr(type(knowledge), name, usual)
    return found if isinstance(found, int) else usual


def best_place(worth: list[int]) -> int:
    """The place of the greatest, the first of several: sooner than `worth.index(max(worth))`."""
    best = 0
    for place in range(1, len(worth)):
        if worth[place] > worth[best]:
            best = place
    return best
