"""No rule, condition or order of records can be taken out without a test that misses it."""

import pytest

from tests.p2p.log.membership.breaking import all_broken
from tests.p2p.log.membership.missing import missed_by


@pytest.mark.parametrize("name", dict(all_broken()))
def test_no_rule_can_be_taken_out_without_a_test_that_misses_it(name):
    assert missed_by(dict(all_broken())[name], first_only=True)
