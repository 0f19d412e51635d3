"""The turn that the rule book tells as an example, played through the referee."""

from __future__ import annotations

import json
from typing import Any, Final

from core.referee import Referee
from tests.core.games.carta.stage import words

_NEXT: Final = {"shuffle": None}  # A mix of a hand, or the other seat's reshuffle.


def pile(text: str) -> dict[str, list[str]]:
    """A shuffle that comes out like this, top card first."""
    return {"shuffle": words(text)}


class Spoken:
    """A referee that is spoken to in dictionaries."""

    def __init__(self, **new: Any) -> None:
        self.referee = Referee()
        self.ask("new", game="dominion", **new)

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """The answer to one line, which has to be a good one."""
        answer: dict[str, Any] = json.loads(self.referee.answer(json.dumps({"do": do, **more})))
        assert answer["ok"], answer
        return answer

    def act(self, seat: int, *texts: str) -> None:
        """One notation after another, and `stop` wherever it is the only one."""
        for text in texts:
            if self.legal(seat) == ["stop"]:
                self.ask("act", seat=seat, text="stop")
            self.ask("act", seat=seat, text=text)

    def legal(self, seat: int) -> list[str]:
        """What a seat may do, in notation."""
        return [action["text"] for action in self.ask("legal", seat=seat)["actions"]]

    def zone(self, name: str) -> list[str]:
        """The faces in a zone, sorted."""
        return sorted(self.ask("view", seat="all")["zones"][name])

    def counters(self) -> dict[str, int]:
        """Every counter."""
        counters: dict[str, int] = self.ask("view", seat=0)["counters"]
        return counters


def six_turns() -> Spoken:
    """Two Markets, a Smithy and two Silvers are bought; the other seat does nothing."""
    fix = [
        {"roll": 0}, pile("copper*5 estate*3 copper*2"), pile("copper*7 estate*3"),
        pile("copper*7 estate*2 market estate"), _NEXT,
        _NEXT, pile("copper*4 estate copper*3 estate market estate market silver"), _NEXT,
        _NEXT, pile("smithy estate*2 silver market copper*7 estate"), _NEXT, _NEXT,
    ]  # fmt: skip
    game = Spoken(seats=2, options={"kingdom": "first_game"}, fix=fix, seed="s")
    turns = (
        ("treasures copper copper copper copper copper", "buy market"),
        ("end", "top estate"),
        ("treasures copper copper copper copper copper", "buy market"),
        ("play market", "treasures copper copper", "buy silver", "end"),
        ("treasures copper copper copper copper", "buy smithy"),
        ("play market", "treasures copper copper copper", "buy silver", "end"),
    )
    for turn in turns:
        game.act(0, *turn)
        while legal := game.legal(1):
            game.act(1, legal[0])
    return game


def test_the_example_turn_of_the_rule_book_comes_out_as_told() -> None:
    """Market, Smithy, Silver and two Estates; 2 x 2 + 2 x 1 + 1 = 7 coins; Village and Remodel."""
    game = six_turns()
    hand = "seat0.hand"
    assert game.zone(hand) == ["estate", "estate", "market", "silver", "smithy"]
    game.act(0, "play market")
    assert game.zone(hand) == ["estate", "estate", "silver", "silver", "smithy"]
    game.act(0, "play smithy")
    assert game.zone(hand) == sorted(words("estate*2 silver*2 market copper*2"))
    assert game.counters()["actions"] == 0
    assert "play market" not in game.legal(0)
    game.act(0, "treasures copper copper silver silver")
    assert (game.counters()["coins"], game.counters()["buys"]) == (7, 2)
    game.act(0, "buy village", "buy remodel")
    assert len(game.zone(hand)) == 5
    everything = [card for place in ("deck", "hand", "discard")
                  for card in game.zone(f"seat0.{place}")]  # fmt: skip
    assert {"village", "remodel"} <= set(everything)
    assert len(everything) == 17


def test_the_referee_does_not_count_discard_piles_for_anybody() -> None:
    game = six_turns()
    for seat in (0, 1, None):
        zones = game.ask("view", seat=seat)["zones"]
        assert len(zones["seat1.discard"]) <= 1
    assert len(game.ask("view", seat="all")["zones"]["seat1.discard"]) != 1
