"""What the author of a game tests it with; no test tool is needed for it.

import pytest
from gin_rummy import GAME
from hostless.core.testing import CHECKS

@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_gin_rummy(check):
    check(GAME)

checks.py     what every game must keep
attempts.py   what the rules refuse at one position
following.py  whether others can follow a card through a hand
telling.py    whether the story tells all that everybody can see
worlds.py     games of random choices without a network, for tests of one's own
"""

from core.testing.checks import CHECKS as CHECKS
from core.testing.following import no_card_can_be_followed_through_a_hand
from core.testing.telling import everything_that_all_can_see_is_told

CHECKS.append(no_card_can_be_followed_through_a_hand)
CHECKS.append(everything_that_all_can_see_is_told)

__all__ = [
    "CHECKS",
    "everything_that_all_can_see_is_told",
    "no_card_can_be_followed_through_a_hand",
]
