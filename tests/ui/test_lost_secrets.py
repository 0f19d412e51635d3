"""A secrets file that is lost in the middle of a game: the seat comes back all the same."""

from __future__ import annotations

import pytest

from p2p.audit.audit import audit_file
from tests.ui.people import PATIENCE_S, WIDE, Room
from tests.ui.test_bots_killed import Player

pytestmark = pytest.mark.slow

NAMES = ("ada", "bert")
LOST = "is lost, and with it the key of your cards"


def test_without_its_secrets_a_seat_comes_back_as_after_a_loss(room: Room) -> None:
    words = ("open", "carta", "--seats", "2", "--grace", "5", "--plain")
    ada = Player(room.sit("ada", *words, size=WIDE))
    ada.person.wait_for("1 of 2")
    players = [ada, *(Player(room.sit(name, "join", "--plain", size=WIDE)) for name in NAMES[1:])]
    bert = players[1]

    def play_until(who: Player, words: str, times: int = 1) -> None:
        def is_so() -> bool:
            for each in players:
                each.has_come_to(0)
            # A busy machine shows many lines at once.
            return who.person.output.count(words.encode()) >= times

        room.read_until(is_so, lambda: f"no {words!r} in\n{who.person.text()}", PATIENCE_S)

    play_until(bert, "bert ends the turn")
    del players[1]
    asked = bert.asked
    play_until(ada, "bert's turn 2")
    bert.person.wait_until(lambda _: bert.asked > asked, "a choice that he does not make")
    bert.person.kill()
    (path,) = (room.home("bert") / "games").glob("*.secret")
    path.unlink()
    bert = Player(room.sit("bert", "resume", "--plain", size=WIDE))
    players.append(bert)
    bert.person.wait_for(LOST)
    ada.person.wait_for("bert has left; a bot plays on")
    ended = ada.person.output.count(b"bert ends the turn")
    play_until(ada, "bert ends the turn", ended + 1)  # Its bot has chosen, so it may be back.
    room.read_until(lambda: b"bert is back." in ada.person.output, ada.person.text, PATIENCE_S)
    goals = [each.asked + 2 for each in players]

    def all_played_on() -> bool:
        for each in players:
            each.has_come_to(0)
        return all(each.asked >= goal for each, goal in zip(players, goals, strict=True))

    def everything() -> str:
        return "\n".join(f"{each.asked} questions:\n{each.person.text()}" for each in players)

    room.read_until(all_played_on, everything)
    for each in players:
        each.person.type("quit")
    reports = [audit_file(next((room.home(name) / "games").glob("*.hostless"))) for name in NAMES]
    assert all(report.holds for report in reports), reports
