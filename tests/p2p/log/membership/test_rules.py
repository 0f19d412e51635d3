"""The table of rules, as data: complete, and the same in the specification of its design."""

from pathlib import Path

from p2p.log.membership import guards
from p2p.log.membership.rules import MEMBERSHIP_RULES
from p2p.log.membership.state import Member, PersistentState, Silent
from p2p.log.membership.state_machine import Signing, StateMachine
from tests.p2p.log.membership.toy import ToyGame, check_stamp, first_log, stamp

PAGE = Path(__file__).parents[4] / "docs" / "design" / "membership.md"


def lines():
    """The rows as the page has them."""
    for rule in MEMBERSHIP_RULES:
        names = ", ".join(guard.__name__.replace("_", " ") for guard in rule.guards) or "-"
        yield f"| {rule.name} | {rule.when} | {names} | {rule.then} |"


def test_the_page_has_the_table_that_the_machine_follows():
    page = PAGE.read_text("utf-8").splitlines()
    assert [line for line in page if line.startswith("| T")] == list(lines())


def test_every_rule_has_one_name():
    assert len({rule.name for rule in MEMBERSHIP_RULES}) == len(MEMBERSHIP_RULES)


def test_every_condition_is_asked_by_a_rule():
    used = {guard for rule in MEMBERSHIP_RULES for guard in rule.guards}
    written = {
        each for each in vars(guards).values()
        if callable(each) and getattr(each, "__module__", "") == guards.__name__
        and not each.__name__.startswith("_")
    }  # fmt: skip
    assert used == written


def test_every_condition_says_what_it_asks():
    assert all(guard.__doc__ for rule in MEMBERSHIP_RULES for guard in rule.guards)


def test_a_table_without_rules_does_nothing():
    machine = StateMachine(ToyGame((0,)), Signing(stamp, check_stamp, lambda entry: None), ())
    member = Member(0, PersistentState(first_log(3)))
    assert machine.receive(member, Silent(2))[1] == []
