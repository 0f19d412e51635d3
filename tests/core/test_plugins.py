"""Games of other packages: found by an entry point, or left out with a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ai.games import knowledge_of
from ai.search.by_score import ByScore
from core import games, plugins
from core.game import usual_seats
from core.games import GAMES, PACKAGES, find_game, find_part
from core.table import RulesError
from tests.packages import Announce, announcing
from ui.games import look_of
from ui.language.error_texts import translate_error
from ui.language.text import load
from ui.look import PLAIN

GAME = """
from dataclasses import replace
from tests.kuhn import KUHN
GAME = replace(KUHN, slug="{slug}")
"""


@pytest.fixture
def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Announce]:
    """Installs a package with these files that announces a game; gives what is said about it."""
    with announcing(tmp_path, monkeypatch) as install:
        yield install


def test_a_game_of_another_package_is_one_of_the_games(announce: Announce) -> None:
    assert announce(init=GAME.format(slug="poker")) == []
    assert find_game("poker").players == range(2, 3)
    assert PACKAGES == {"poker": "poker_box"}
    assert usual_seats(find_game("poker")) == 2, "as many as play it, where that is not three"
    assert knowledge_of("poker") is ByScore
    assert look_of("poker") is PLAIN


def test_its_bot_and_its_look_are_modules_beside_it(announce: Announce) -> None:
    knowledge = "from ai.search.knowledge import Knowledge"
    bot = f"{knowledge}\nclass Bluff(Knowledge): pass\nKNOWLEDGE = Bluff\n"
    look = "from dataclasses import replace\nfrom ui.look import PLAIN\nLOOK = replace(PLAIN)\n"
    assert announce(init=GAME.format(slug="poker"), bot=bot, look=look) == []
    assert knowledge_of("poker").__name__ == "Bluff"
    assert look_of("poker") is not PLAIN


def test_its_sentences_are_said_at_its_tables_alone(announce: Announce) -> None:
    english = '[game]\npoker = "Poker"\n[face]\nscience = "Scholar"\n[offer]\nplay = "bet {what}"\n'
    korean = '[game]\npoker = "포커"\n'
    files = {"locales__en.toml": english, "locales__ko.toml": korean}
    assert announce(init=GAME.format(slug="poker"), **files) == []
    assert load("ko").name("game", "poker") == "포커"
    assert load("ja").name("game", "poker") == "Poker"
    assert load("en").name("face", "science") == "Science"
    assert load("en").of("poker").name("face", "science") == "Scholar"
    assert load("ko").of("poker")("offer.play", what="king") == "bet king"
    assert load("en").of("carta")("offer.play", what="king") == "play king"


@pytest.mark.parametrize(
    ("init", "why"),
    [
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemError('one\\ntwo')\n", "SystemError: one two"),
        ("", "AttributeError: "),
        ("GAME = 7\n", "its GAME is not a Game"),
        (GAME.format(slug="carta"), "there is a game called carta already"),
        (GAME.format(slug="Poker 2"), "its slug 'Poker 2' is not made of small letters"),
    ],
)
def test_a_package_without_a_proper_game_is_left_out_with_one_sentence(
    init: str, why: str, announce: Announce
) -> None:
    known = dict(GAMES)
    (line,) = announce(init=init)
    assert line.startswith("the game poker of the package ? is left out: " + why)
    assert known == GAMES
    assert translate_error(load("ko"), line) != line
    with pytest.raises(RulesError, match="is left out: ") as refusal:
        find_game("poker")
    assert str(refusal.value) == line


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({"bot": "1 / 0\n"}, "poker_box.bot is left out: ZeroDivisionError: division by zero"),
        ({"bot": "KNOWLEDGE = 7\n"}, "poker_box.bot is left out: its KNOWLEDGE is not a class"),
        ({"look": "LOOK = 7\n"}, "poker_box.look is left out: its LOOK is not a Look"),
        ({"locales__en.toml": "[offer]\nplay = "},
         "en.toml of the game poker is left out: TOMLDecodeError: Invalid value"),
        ({"locales__en.toml": '[offer]\nplay = "bet {card}"\n'},
         "en.toml of the game poker is left out: ValueError: offer.play may have these gaps"),
    ],
)  # fmt: skip
def test_a_bad_part_of_a_package_is_left_out_and_its_game_is_played(
    files: dict[str, str], line: str, announce: Announce
) -> None:
    (said,) = announce(init=GAME.format(slug="poker"), **files)
    assert said.startswith(line)
    assert find_game("poker")
    assert knowledge_of("poker") is ByScore
    assert look_of("poker") is PLAIN


def test_a_game_in_a_single_file_has_no_parts(announce: Announce, tmp_path: Path) -> None:
    announce(init=GAME.format(slug="poker"))
    (tmp_path / "lonely.py").write_text(GAME.format(slug="lonely"), "utf-8")
    games._take_in(EntryPoint("lonely", "lonely", plugins.ENTRY_POINT_GROUP))
    assert find_game("lonely")
    assert find_part("lonely", "ai.games", "bot") is None
