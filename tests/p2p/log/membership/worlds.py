"""The worlds that are explored: small ones in the tests, larger ones by the script."""

from tests.p2p.log.membership.bounds import Bounds

SMALL = {
    "two members": Bounds(seats=2, suspects=(0, 1)),
    "three, one says farewell": Bounds(suspects=(), leavers=(2,)),
    "three, one is suspected": Bounds(script=(0,), suspects=(2,)),
    "three, a step of all": Bounds(suspects=(2,)),
}
LARGE = {
    **SMALL,
    "three, any is suspected": Bounds(script=(0,)),
    "three, a secret": Bounds(script=("secret",), suspects=(2,)),
    "three, two rounds": Bounds(script=(0,), suspects=(2,), rounds=2),
    "three, a crash": Bounds(script=(0,), suspects=(2,), crashes=1),
    "three, gone and back": Bounds(script=(0, 0), suspects=(2,), epochs=2, restores=True),
    "three, a cheater writes": Bounds(script=(2,), suspects=(), evil=2),
    "three, a cheater's run": Bounds(script=("run of 2",), suspects=(), evil=2),
    "three, a cheater before a bot": Bounds(
        script=(2, "seat 3"), suspects=(), evil=2, evil_votes=False
    ),
    "three, a cheater around a bot": Bounds(script=(2, "seat 3", 2), suspects=(), evil=2),
    "three, a cheater among all": Bounds(suspects=(), evil=2),
    "three, a cheater votes": Bounds(script=(0,), suspects=(2,), evil=1),
    "three, a cheater between two": Bounds(script=(0,), suspects=(0, 1), evil=2),
    "three, a cheater and a crash": Bounds(script=(2,), suspects=(), evil=2, crashes=1),
    "back, a cheater votes": Bounds(script=(0, 0), suspects=(2,), evil=1, epochs=2, restores=True),
    "back, a cheater writes": Bounds(script=(0, 0), suspects=(2,), evil=0, epochs=2, restores=True),
    "three, two say farewell": Bounds(script=(0,), suspects=(), leavers=(1, 2)),
    "three, a cheater's run, no vote of it": Bounds(
        script=("run of 2",), suspects=(), evil=2, evil_votes=False
    ),
    "three, a cheater, a crash, no vote of it": Bounds(
        script=(2,), suspects=(), evil=2, evil_votes=False, crashes=1
    ),
    "four, one is suspected": Bounds(seats=4, script=(0,), suspects=(3,)),
    "four, one only says farewell": Bounds(seats=4, script=(0,), suspects=(), leavers=(3,)),
    "four, one says farewell": Bounds(seats=4, script=(0,), suspects=(2,), leavers=(3,)),
    "four, two epochs": Bounds(seats=4, script=(0,), suspects=(2, 3), epochs=2),
    "four, a step of all": Bounds(seats=4, suspects=(3,)),
    "four, two are suspected": Bounds(seats=4, script=(0,), suspects=(2, 3)),
    "four, a cheater does not vote": Bounds(
        seats=4, script=(3,), suspects=(), evil=3, evil_votes=False
    ),
    "four, a cheater votes": Bounds(seats=4, script=(0,), suspects=(3,), evil=1),
    "four, a cheater writes": Bounds(seats=4, script=(3,), suspects=(), evil=3),
}
WALKS = {
    "four, one says farewell": (
        6, Bounds(seats=4, script=("each", "secret", "run of 1", "each"), suspects=(0, 1, 2),
                  crashes=2, rounds=4, epochs=4, leavers=(3,), restores=True),
    ),
    "three, honest": (
        1, Bounds(script=("each", "secret", "run of 1", "each"), suspects=(0, 1, 2),
                  crashes=2, rounds=4, epochs=4, restores=True),
    ),
    "four, honest": (
        2, Bounds(seats=4, script=("each", "secret", "run of 1", "each"), suspects=(0, 1, 2, 3),
                  crashes=2, rounds=4, epochs=4, restores=True),
    ),
    "three, one cheats": (
        3, Bounds(script=("run of 2", "secret", "run of 1", "each"), suspects=(0, 1, 2), evil=2,
                  crashes=2, rounds=4, epochs=4, restores=True),
    ),
    "four, one cheats": (
        4, Bounds(seats=4, script=("run of 3", "secret", "run of 1", "each"),
                  suspects=(0, 1, 2, 3), evil=3, crashes=2, rounds=4, epochs=4, restores=True),
    ),
}  # fmt: skip
