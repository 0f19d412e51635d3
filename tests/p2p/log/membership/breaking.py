"""The rules with one thing taken out: a rule, a guard, the order of a record."""

from dataclasses import replace

from p2p.log.membership.rules import MEMBERSHIP_RULES
from p2p.log.membership.state import Appended, Convicting, Left, Refusal, Voted, Wrote
from tests.p2p.log.membership.bounds import Bounds, Broken

RECORDS = (Appended, Refusal, Voted, Wrote, Convicting, Left)


def all_broken():
    """(name, rules) of everything that can be taken out alone."""
    for rule in MEMBERSHIP_RULES:
        yield f"{rule.name}", without_rule(rule.name)
        for guard in rule.guards:
            yield f"{rule.name} {guard.__name__}", without_guard(rule.name, guard.__name__)
    for record in RECORDS:
        yield f"disk {record.__name__}", Broken(late=record)
    yield "game keeps_openings", Broken(keeps_openings=False)


def without_rule(name):
    """The rules without one."""
    return Broken(tuple(rule for rule in MEMBERSHIP_RULES if rule.name != name))


def without_guard(name, guard):
    """The rules with one guard less, in one of them."""
    known = any(rule.name == name and guard in names(rule) for rule in MEMBERSHIP_RULES)
    assert known, "there is no such guard"
    rules = (_less(rule, guard) if rule.name == name else rule for rule in MEMBERSHIP_RULES)
    return Broken(tuple(rules))


def without(what):
    """What `all_broken` calls by this name."""
    return dict(all_broken())[what]


def names(rule):
    """The guards of a rule, by name."""
    return [guard.__name__ for guard in rule.guards]


def _less(rule, guard):
    return replace(rule, guards=tuple(each for each in rule.guards if each.__name__ != guard))


_ONE = Bounds(script=(0,), suspects=(2,))
_ALL = Bounds(script=(0,), suspects=(1, 2))
_WRITER = Bounds(script=(2,), suspects=(), evil=2)
_RUN = Bounds(script=("run of 2", "each"), suspects=(), evil=2)
_AMONG = Bounds(suspects=(), evil=2)
_VOTER = Bounds(script=(0,), suspects=(2,), evil=1)
_SPLIT = Bounds(script=(0,), suspects=(0, 1), evil=2)
_CRASH = Bounds(script=(0,), suspects=(1, 2), crashes=1)
_BACK = Bounds(script=(0, 0), suspects=(2,), epochs=2, restores=True)
_FOUR = Bounds(seats=4, script=(0,), suspects=(2, 3), epochs=2)
_FOUR_EVIL = Bounds(seats=4, script=(3,), suspects=(), evil=3)
_TWO = Bounds(seats=2, suspects=(0, 1))
_ROUNDS = Bounds(script=(0,), suspects=(2,), rounds=2)
_LEAVER = Bounds(suspects=(), leavers=(2,))
_LEAVER_CRASH = Bounds(script=(0,), suspects=(), leavers=(2,), crashes=1)
_BOTH = Bounds(seats=4, script=(0,), suspects=(2,), leavers=(3,))
_MISSES = Bounds(script=(0,), suspects=(1,), leavers=(2,))
_FOUR_LEAVER = Bounds(seats=4, script=(0,), suspects=(), leavers=(3,))
_SEALS = Bounds(script=(0, "secret"), suspects=(2,), epochs=2, restores=True)
_FOUR_VOTER = Bounds(seats=4, script=(2,), suspects=(3,), evil=2)
_EVIL_CRASH = Bounds(script=(0,), suspects=(), evil=1, crashes=1)
_CHOICE = Bounds(suspects=(), values=2)
_CHOICE_CRASH = Bounds(script=(0,), suspects=(), crashes=1, values=2)
_BACK_VOTER = Bounds(script=(0, "secret"), suspects=(2,), evil=1, epochs=2, restores=True)
_TWO_FACED = Bounds(seats=4, script=(0,), suspects=(3,), evil=1)
_BACK_FACED = Bounds(script=(0, 0), suspects=(2,), evil=1, epochs=2, restores=True)
WORLDS = {
    "T0": (_LEAVER,),
    "T1": (_ONE, _ALL, _CHOICE, _RUN, _AMONG, _CRASH, _LEAVER),
    "T2": (_ONE, _WRITER, _RUN, _AMONG, _BACK),
    "T3": (_ONE, _TWO, _ALL, _WRITER, _BACK, _LEAVER, _BOTH, _SEALS),
    "T4a": (_ONE, _ALL, _VOTER, _BACK, _LEAVER, _BOTH, _SEALS, _BACK_VOTER),
    "T4b": (_ONE, _ALL),
    "T5d": (_LEAVER, _MISSES),
    "T5a": (_ONE, _TWO),
    "T5b": (_ONE, _ALL, _FOUR_LEAVER),
    "T5c": (_FOUR,),
    "T5e": (_TWO_FACED,),
    "T6": (_ONE, _VOTER, _SPLIT, _WRITER, _TWO_FACED),
    "T8": (_ONE, _VOTER, _FOUR, _TWO_FACED),
    "T9": (_ONE, _BACK, _SPLIT, _TWO_FACED, _BACK_FACED),
    "T10": (_BACK, _BACK_FACED),
    "T11": (_WRITER, _VOTER),
    "T12": (_WRITER, _RUN, _FOUR_EVIL),
    "T13": (_SPLIT,),
    "disk": (_ONE._replace(crashes=1), _CRASH, _CHOICE_CRASH, _LEAVER_CRASH, _EVIL_CRASH),
    "game": (Bounds(script=("secret",), suspects=(2,)),),
}


def worlds_for(name):
    """The worlds in which a rule matters."""
    return WORLDS[name.split()[0]]
