"""A practice table of Dominion where everybody plays Treasures and buys what is dear."""

from __future__ import annotations

from core.games import find_game
from core.games.dominion.cards import KEYS
from core.narrate import Narrator
from core.requests import Action
from core.table import OptionValue
from core.view import offers
from tests.core.games.dominion.stage import Stage
from tests.ui.fakes import PracticePort

USELESS = ("copper", "curse", "estate", "duchy")
ALL_CARDS = "artisan,bureaucrat,cellar,harbinger,library,militia,moat,sentry,throne_room,village"


class Market(PracticePort):
    """A `PracticePort` whose dice have some sense, so that games get to Actions and to an end."""

    def _any(self, seat: int) -> Action:
        given = [
            each.action for each in offers(self.game, self.table, self.observation(seat), seat)
        ]
        for verb in ("treasures", "play"):
            plays = [action for action in given if action.verb == verb]
            if plays:
                return self.chance.pick(plays)
        wanted = [action for action in given if action.verb in ("buy", "gain")
                  and KEYS[action.number] not in USELESS]  # fmt: skip
        return self.chance.pick(wanted or given)


def market(seed: int = 2, players: int = 3, **options: OptionValue) -> Market:
    """A table of Dominion, dealt."""
    port = Market(seed=seed, players=players, game=find_game("dominion"), options=options)
    port.begin()
    return port


def laid_out(stage: Stage, players: int) -> Market:
    """A table of Dominion at this position, of which nothing was told yet; I am the first seat."""
    port = Market(players=players, game=find_game("dominion"))
    port.begin()
    port.table, port.deal, port.request = stage.table, stage.deal, stage.pending
    port.narrator = Narrator(port.game)
    return port


def choose(port: Market, *notations: str) -> Market:
    """Let me choose these, one after the other."""
    for notation in notations:
        given = {offer.text: offer.action for offer in port.news().view.offers}
        port.answer(given[notation])
    return port
