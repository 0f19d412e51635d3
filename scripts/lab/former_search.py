"""How bots searched until 22 November 2026, for `lab.py ablation` to compare with.

At the choice itself as in the tree behind it the move with the highest upper confidence bound was
tried next, each time on a deal and with luck of its own; now the candidates of a choice are tried
on the same deals, and the worse half leaves after each round (`ai.search.search`).  Rules, the
knowledge of the game and the tree are those of today.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ai.search.knowledge import Knowledge
    from ai.search.search import Decision, Weakness
    from ai.search.tree import Tree, TreeNode
    from core.requests import Action, Player
    from core.table import Observation, Table

_DOUBT: Final = 10  # Variances of its gain before a move is preferred to the policy's.
_EARLY: Final = 16  # So often it is asked whether the choice can still change.
_FIRST: Final = 8  # So many candidates are tried at least, where there are so many.


def former_search(
    knowledge: Knowledge, table: Table, observation: Observation, player: Player,
    *, seed: int, iterations: int, weakness: Weakness,
) -> Decision:  # fmt: skip
    """What `player` would have done; of the decision only the action and the number are told."""
    from ai.search.search import Decision
    from ai.search.tree import Tree

    plain = knowledge.answer_at_once(table, player, observation)
    if plain is not None:
        return Decision(plain, 0, (), ())
    actions = knowledge.game.legal_actions(table, player, observation)
    if len(actions) > 1:
        knowledge.prepare(table, iterations)
        actions = knowledge.candidates(table, player, observation)
    if len(actions) == 1:
        return Decision(actions[0], 0, (), ())
    tree = Tree(knowledge, table, observation, player, weakness.nodes_max)
    least = min(len(actions), _FIRST)
    done = _grow(tree, seed, least, max(iterations, least))
    return Decision(_best(tree, actions), done, (), ())


def _grow(tree: Tree, seed: int, least: int, iterations: int) -> int:
    """Iterate until the budget is spent or cannot change the choice; how often that was."""
    from core.chance import Chance

    chance = Chance(seed)
    for done in range(1, iterations + 1):
        deal = tree.knowledge.determinize(tree.table, tree.player, tree.determinizer, chance)
        tree.iterate(deal, chance)
        if done % _EARLY == 0 and done >= least and _lead(tree) > iterations - done:
            return done
    return iterations


def _lead(tree: Tree) -> int:
    visits = sorted((branch.visits for branch in tree.root.branches.values()), reverse=True)
    return visits[0] - visits[1] if len(visits) > 1 else 0


def _best(tree: Tree, candidates: list[Action]) -> Action:
    """The most visited candidate, unless the policy's is about as good."""
    name, branches = tree.knowledge.key, tree.root.branches
    tried = {each: branches.get(name(each, tree.observation)) for each in candidates}
    pairs = [(branch, each) for each, branch in tried.items() if branch is not None]
    best, action = max(pairs, key=lambda pair: (pair[0].visits, pair[0].total))
    plain = tree.knowledge.policy(tree.table, tree.player, tree.observation)
    holder = None if plain is None else branches.get(name(plain, tree.observation))
    if plain is None or holder is None or _is_better(best, holder):
        return action
    return plain


def _is_better(challenger: TreeNode, holder: TreeNode) -> bool:
    """The fewer the visits, the more of what it seems to gain is put down to luck."""
    from ai.search.knowledge import REWARD_ONE

    if challenger is holder:
        return True
    gain = challenger.total // challenger.visits - holder.total // holder.visits
    variance = _spread(challenger) + _spread(holder)
    return gain > 0 and gain * REWARD_ONE >= _DOUBT * variance


def _spread(node: TreeNode) -> int:
    """The variance of the mean of a move: as of so many wins and losses."""
    from ai.search.knowledge import REWARD_ONE

    mean = (node.total + REWARD_ONE // 2) // (node.visits + 1)
    return mean * (REWARD_ONE - mean) // node.visits
