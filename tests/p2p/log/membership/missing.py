"""Which tests of the machine miss a rule that is taken out: they are run without it."""

from contextlib import contextmanager
from importlib import import_module

from tests.p2p.log.membership.small_table import Table

MODULES = ("test_state_machine", "test_conditions", "test_following")


def missed_by(broken, *, first_only=False):
    """The names of the tests that fail under these rules."""
    missing = []
    with _played_by(broken):
        for name, test in _tests():
            if _fails(test):
                missing.append(name)
                if first_only:
                    break
    return missing


@contextmanager
def _played_by(broken):
    before, Table.broken = Table.broken, broken
    try:
        yield
    finally:
        Table.broken = before


def _tests():
    """Every test that needs nothing but the machine."""
    for module in MODULES:
        for name, test in vars(import_module(f"{__package__}.{module}")).items():
            if name.startswith("test_") and not test.__code__.co_argcount:
                yield name, test


def _fails(test):
    """Whether it fails; in whichever way: under broken rules anything may happen."""
    try:
        test()
    except Exception:  # noqa: BLE001  A test that cannot even be played has missed the rule.
        return True
    return False
