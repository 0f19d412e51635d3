"""Ways to a table, as people at screens take them: what they press in the lobby, and the deal."""

from __future__ import annotations

from typing import Final

from tests.ui.people import PATIENCE_S, Person
from tests.ui.playing import ENGLISH, Speech

LOBBY: Final = "Play Carta Impera Victoria"
TITLES: Final = {
    "carta": "Carta Impera Victoria", "dominion": "Dominion",
    "renaissance": "Die Wiege der Renaissance", "civilization": "Civilization",
}  # fmt: skip
SEATS_FIRST: Final = 3  # What the form for a new table says before anybody changes it.


def open_in_the_lobby(person: Person, game: str, seats: int = 2) -> None:
    """Somebody fills in the form of the lobby, and waits at the new table."""
    person.wait_for(LOBBY)
    person.press("o")
    person.wait_for("Open a table")
    for _ in range(list(TITLES).index(game)):
        person.press("right")
    person.wait_for(f"◂ {TITLES[game]} ▸")
    person.press("down", *["left"] * (SEATS_FIRST - seats))
    person.wait_for(f"◂ {seats} ▸")
    person.press("enter")
    person.wait_for(f"1 of {seats} seats taken")


def join_in_the_lobby(person: Person, table: str = "table of ada", password: str = "") -> None:
    """Somebody finds a table in the lobby and sits down, with the password if there is one."""
    person.wait_for(table)
    person.press("down", "up", "enter")  # Whoever moves the bar means what is under it.
    if password:
        person.wait_for("Password")
        person.type(password)


def wait_for_a_turn(*people: Person, speech: Speech = ENGLISH, wait_s: float = PATIENCE_S) -> None:
    """Cards are dealt, and everybody sees whose turn it is."""
    for person in people:
        person.wait_until(speech.sees_a_turn, "a turn", wait_s)
