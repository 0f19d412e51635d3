"""One decision, from the outside to the inside (the field's word stands behind).

search.py         which candidates are tried how often     sequential halving, racing
tree.py           what is tried behind each of them        information-set MCTS, UCB1
rollout.py        how an imagined game is played on        rollout
transitions.py    what happens between two choices         common random numbers
knowledge.py      what search is told about a game         policy, prior, evaluation
by_score.py       ... of a game of which nobody has told it anything; score_profile.py
softmax.py        shares of the victory from points
styles.py         builder, attacker, opportunist: what a bot likes
"""
