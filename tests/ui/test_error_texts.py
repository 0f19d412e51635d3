"""What goes wrong is said in the person's language, with the same values, and nothing is left out.

Sentences are written where the reason is known, in English.  This reads them from the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from types import SimpleNamespace
from typing import cast

import pytest

from core.errors import HostlessError
from p2p.audit.audit import obey
from p2p.audit.findings import Decided
from p2p.game.sealing import UNFIT
from p2p.log.recovery import repair_notice
from p2p.session.change_reasons import SENTENCES
from p2p.session.news import Accused, BotEnded, BotNext, Notice
from ui.commands.companions import why_ended
from ui.language.error_texts import error_line, in_language, translate_error
from ui.language.text import load
from ui.port import UiNews

ROOT = Path(__file__).parents[2]
# Raised with a sentence for a person; what else there is, is about a peer or about our own bugs.
KINDS = {"HostlessError", "NameRefused", "UnusableHome", "GameFileError", "NobodyThere",
         "AddressTaken", "SeatRefused", "PasswordRefused", "OwnAddress",
         "ArgumentTypeError", "AllHaveLeftError"}  # fmt: skip
# Said by the rules to whoever breaks them, and by an option of a table to whoever asks for it.
USAGE = ("core/game.py", "core/games/__init__.py", "ui/commands", "ai/tournaments/arena.py",
         "ai/players/players.py", "ai/tournaments/ratings.py", "ai/advice/explain.py")  # fmt: skip
# Made of parts that are sentences only together, which is tried below.
OF_PARTS = {"there are x tablesx: xx", "x was seen on this network", "x has not begun",
            "x was seen: this machine is on no network", "x is full"}  # fmt: skip
WHY = ("_why_no_seat", "_why_full", "admits")  # Functions that say why somebody is turned away.
# What a person reads of a peer whose link was closed: the reason behind its name.
FAULTS = {"MalformedFrame", "BadSignature", "SaysNothing", "PlaysAnother"}
FAULTS_IN = ("p2p/table/", "p2p/session/", "p2p/net/password.py", "p2p/base/wire.py",
             "p2p/base/identity.py", "p2p/base/entry.py", "p2p/base/roster.py", "p2p/base/clock.py",
             "p2p/log/membership_change.py", "p2p/log/replica.py", "p2p/log/membership/evidence.py",
             "p2p/log/membership/log.py", "p2p/log/membership/messages.py",
             "p2p/net/certificate.py")  # fmt: skip
# What rules, proofs and the audit hold against a seat, or against a file.
REASONS = {"RulesError", "ProofError", "MalformedFrame", "BadSignature", "Guilty", "Damaged"}
USAGE_ALONE = ("core/match.py", "core/known_table.py", "p2p/net/announcements.py",
               "p2p/net/dns_sd.py", "p2p/net/people.py", "p2p/net/presence.py")  # fmt: skip
STRANGE = "the table answers in words we do not know"
FILLED = "x"  # What stands in every gap; a word that no sentence of ours is.


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence and hint of an error, with its gaps filled, and where it stands."""
    for package in ("core", "p2p", "ai", "ui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            kinds = KINDS | ({"RulesError"} if place.startswith(USAGE) else set())
            for call in raised(path, kinds):
                yield from ((f"{place}:{call.lineno}", filled(each)) for each in call.args)


def notices() -> Iterator[tuple[str, str]]:
    """Every sentence and hint that a running game tells a person, and where it stands."""
    for path in sorted((ROOT / "p2p").rglob("*.py")):
        for call in raised(path, {"Notice"}):
            for argument in call.args:
                place = f"{path.relative_to(ROOT).as_posix()}:{call.lineno}"
                said = written(parsed(path), argument)
                yield from ((place, each) for each in said if each != FILLED)


@lru_cache(maxsize=1)
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def written(tree: ast.AST, node: ast.expr) -> Iterator[str]:
    """What an argument says: it may have been given a name before, or be one of two."""
    if isinstance(node, ast.IfExp):
        yield from (*written(tree, node.body), *written(tree, node.orelse))
    elif isinstance(node, ast.Name):
        given = (each for each in ast.walk(tree) if isinstance(each, ast.Assign))
        for each in given:
            if any(isinstance(to, ast.Name) and to.id == node.id for to in each.targets):
                yield filled(each.value)
    else:
        yield filled(node)


def refusals() -> Iterator[str]:
    """What the machine at the other end says to whoever asks it for a seat, or to look on."""
    for path in sorted((ROOT / "p2p").rglob("*.py")):
        tree = parsed(path)
        constants = named(tree)
        for node in ast.walk(tree):
            found = _said_why(node)
            found = [each.body if isinstance(each, ast.IfExp) else each for each in found]
            said = [constants.get(getattr(each, "id", ""), filled(each)) for each in found if each]
            yield from filter(None, said)


def _said_why(node: ast.AST) -> list[ast.expr | None]:
    """What says why, where somebody is turned away here."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in WHY:
        return [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
    if isinstance(node, ast.Call) and called(node) == "turn_away":
        return list(node.args[1:])
    return []


def named(tree: ast.Module) -> dict[str, str]:
    """The texts that a file gives a name, as `WRONG: Final = "..."`."""
    given = [each for each in tree.body if isinstance(each, ast.AnnAssign) and each.value]
    return {ast.unparse(each.target): filled(each.value) for each in given if each.value}


def faults() -> Iterator[tuple[str, str]]:
    """What peers can do wrong, and in which file that is found."""
    for path in sorted((ROOT / "p2p").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        yield from ((place, filled(call.args[0])) for call in raised(path, FAULTS))


def reasons() -> Iterator[tuple[str, str]]:
    """Why a seat is accused, or a file is said to be damaged, and where that is found."""
    for package in ("core", "p2p"):
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if place not in USAGE_ALONE:
                found = (filled(each) for call in raised(path, REASONS) for each in call.args)
                yield from ((place, said) for said in found if letters(said))


def letters(sentence: str) -> bool:
    return any(letter.isalpha() for letter in sentence.replace(FILLED, ""))


def meetings() -> Iterator[str]:
    """Why two machines did not get to know each other."""
    for path in sorted((ROOT / "p2p/net").glob("*.py")):
        failed = raised(path, {"HandshakeFailed", "WrongVersion"})
        yield from (filled(call.args[1]) for call in failed)
        if path.name == "handshake.py":
            yield from (filled(call.args[0]) for call in raised(path, {"MalformedFrame"}))


def raised(path: Path, kinds: set[str]) -> Iterator[ast.Call]:
    """Where errors of these kinds are made."""
    return (call for call in calls(path) if called(call) in kinds)


@cache
def calls(path: Path) -> tuple[ast.Call, ...]:
    """Those of a file that can be such errors: with a sentence or a value of one."""
    return tuple(each for each in ast.walk(parsed(path)) if isinstance(each, ast.Call)
                 and called(each)[:1].isupper())  # fmt: skip


def called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def filled(node: ast.expr) -> str:
    """The sentence; empty where it is not written here."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.JoinedStr):
        return ""
    return "".join(each.value if isinstance(each, ast.Constant) else FILLED for each in node.values)


def test_every_sentence_of_an_error_is_there_in_every_language() -> None:
    found = list(sentences())
    assert len(found) > 80
    korean = load("ko")
    missing = [f"{place}: {sentence}" for place, sentence in found
               if any(letter.isalpha() for letter in sentence.replace(FILLED, ""))
               and sentence not in {"pip install distributed", *OF_PARTS}
               and translate_error(korean, sentence) == sentence]  # fmt: skip
    assert not missing, "\n".join(["add these to locales/errors.*.toml:", *missing])


def test_every_sentence_that_a_game_tells_is_there_in_every_language() -> None:
    found = [each for each in notices() if each[1]]
    assert len(found) > 30
    for code in ("ko", "ja"):
        missing = [each for each in found if translate_error(load(code), each[1]) == each[1]]
        assert not missing, missing


def test_why_somebody_is_turned_away_is_said_in_every_language() -> None:
    """Others say it in English: somebody in Korea read *no seat: the table is full*.

    And one who had typed a wrong password read that in English, whatever the hint behind it.
    """
    found = {*refusals()}
    assert len(found) == 13
    for code in ("ko", "ja"):
        for why in found:
            said = translate_error(load(code), f"no seat: {why}")
            assert why not in said and translate_error(load(code), why) in said


def test_what_a_peer_did_wrong_is_said_in_every_language() -> None:
    """A Japanese read that somebody was turned away, and the reason in English behind it."""
    found = {said for place, said in faults() if place.startswith(FAULTS_IN)} - {"", FILLED}
    assert len(found) > 20
    for code in ("ko", "ja"):
        words = load(code)
        missing = [
            why for why in found if why in translate_error(words, f"eve was turned away: {why}")
        ]
        assert not missing, missing


def test_why_somebody_is_accused_is_said_in_every_language() -> None:
    """The page said in Korean that bob was found to cheat, and in English of what."""
    found = {*reasons()}
    assert len(found) > 200
    parts = {"x is not x", "byte x: x"}  # What fills them is known, and is tried below.
    for code in ("ko", "ja"):
        words = load(code)
        missing = [each for each in found if each[1] not in parts
                   and each[1] in translate_error(words, f"bob: {each[1]}")]  # fmt: skip
        assert not missing, "\n".join(map(str, missing))


@pytest.mark.parametrize("code", ["ko", "ja"])
def test_reasons_that_are_made_of_parts_are_said_in_every_language(code: str) -> None:
    words, entry = load(code), "wrote 'roll' where 'choose' was due"
    said = [*SENTENCES.values(), UNFIT, entry, "has other hands and decks than we",
            "chose play 3 where its program chooses end", "the last record is cut off",
            "village is not a Treasure", "copper is not an Action",
            obey(cast("Decided", SimpleNamespace(is_obedient=False)))]  # fmt: skip
    for reason in said:
        for sentence in (f"bob: {reason}", f"this game was stopped: bob: {reason}",
                         f"byte 7: {reason}", f"a.hostless: byte 7: {reason}"):  # fmt: skip
            assert translate_error(words, reason) != reason
            assert translate_error(words, reason) in translate_error(words, sentence), sentence


@pytest.mark.parametrize("code", ["ko", "ja"])
def test_a_page_and_lines_of_text_tell_what_somebody_is_accused_of(code: str) -> None:
    told: list[UiNews] = []
    tell = in_language(told.append, lambda: load(code))
    reason = "that is not one of the legal actions now"
    tell(Accused(1, "bob", f"bob: {reason}"))
    assert told == [Accused(1, "bob", f"bob: {load(code)('error.blame_not_legal')}")]


def test_why_two_machines_did_not_meet_is_said_in_every_language() -> None:
    """A Japanese sat down just as the table was opened anew, and read the reason in English."""
    found = {*meetings()} - {""}
    assert len(found) == 10
    for code in ("ko", "ja"):
        missing = [why for why in found if translate_error(load(code), why) == why]
        assert not missing, missing


@pytest.mark.parametrize("key", [key for key in load("en").sentences if key.startswith("error.")])
def test_a_sentence_is_found_by_its_own_pattern_with_its_values(key: str) -> None:
    english = load("en").sentences[key]
    gaps = [gap for _, gap, _, _ in Formatter().parse(english) if gap]
    values = {gap: f"«{gap}»" for gap in gaps}
    for code in ("ko", "ja"):
        assert translate_error(load(code), english.format(**values)) == load(code)(key, **values)


def test_what_is_in_a_sentence_is_said_in_the_same_language() -> None:
    korean = load("ko")
    said = translate_error(korean, "argument GAME: no game is called 'crta' (did you mean carta?); "
                            "choose one of: carta, dominion")  # fmt: skip
    assert said.endswith("carta, dominion" + korean("usage.near", near="carta"))
    assert korean("error.missing") in translate_error(
        korean, "cannot read x: No such file or directory"
    )
    assert translate_error(load("en"), "anything") == "anything"
    assert translate_error(korean, "a sentence that nobody wrote") == "a sentence that nobody wrote"


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("no table called 'den' was seen on this network", "none_called"),
        ("no table was seen on this network", "none_seen"),
        ("no table called 'den' was seen: this machine is on no network", "none_called_alone"),
        ("no table was seen: this machine is on no network", "none_seen_alone"),
        ("the table 'den' is full", "table_full"),
        ("the table 'den' has not begun", "table_open"),
        ("there are 2 tables called 'den': 01 'den' of a b c d at 10.0.0.1:4", "several_called"),
        ("there are 2 tables: 01 'den' of a b c d at 10.0.0.1:4, 02 'x'", "several"),
    ],
)
def test_sentences_of_parts_are_found_as_a_whole(sentence: str, key: str) -> None:
    beginning, _, _ = load("ko").sentences[f"error.{key}"].partition("{")
    said = translate_error(load("ko"), sentence)
    assert said != sentence and said.startswith(beginning)


def test_an_error_and_its_hint_are_one_line() -> None:
    hint = "what was shown until then holds"
    error = HostlessError("the table has closed", hint)
    assert error_line(load("en"), error) == f"{error}; {error.hint}"
    korean = load("ko")
    both = korean("error.watch_closed"), korean("error.watch_closed_hint")
    assert error_line(korean, error) == korean.parted(both)
    assert "\n" not in error_line(korean, HostlessError("two\nlines"))


def test_what_a_node_tells_is_said_in_the_language_of_the_person() -> None:
    told: list[UiNews] = []
    tell = in_language(told.append, lambda: load("ja"))
    tell(Notice("the table is busy", "choose once more"))
    assert told == [Notice(load("ja")("error.busy"), load("ja")("error.busy_hint"))]


@pytest.mark.parametrize("reason", [why_ended(-9, ""), why_ended(3, ""), STRANGE])
def test_why_a_bot_ended_and_who_cheated_is_said_in_the_language_of_the_person(reason: str) -> None:
    """A bot is a program of its own, which says in English what stops it."""
    told: list[UiNews] = []
    tell = in_language(told.append, lambda: load("ko"))
    tell(BotEnded("Mistral", reason, BotNext.AGAIN))
    tell(Accused(1, "eve", reason))
    said = translate_error(load("ko"), reason)
    assert told == [BotEnded("Mistral", said, BotNext.AGAIN), Accused(1, "eve", said)]
    assert said != reason


def test_what_a_node_tells_begins_with_a_capital_and_a_name_stays_as_it_is() -> None:
    told: list[UiNews] = []
    tell = in_language(told.append, lambda: load("en"))
    tell(Notice("you were away too long, and a bot plays on for you", "wait a little"))
    tell(Notice("ada does not agree to go back"))
    tell(Notice("no game is called 'crta' (did you mean carta?); choose one of: carta"))
    assert told[:2] == [
        Notice("You were away too long, and a bot plays on for you", "wait a little"),
        Notice("ada does not agree to go back"),
    ]
    assert isinstance(told[2], Notice) and told[2].text.startswith("No game")


@pytest.mark.parametrize("code", ["ko", "ja"])
def test_what_is_said_of_damaged_files_is_there_in_every_language(code: str) -> None:
    lost = "a.secret is lost, and with it the key of your cards"
    waiting = f"{lost}: a bot plays for your seat first, and then it is yours again with a new key"
    for said in (
        repair_notice(Path("a.hostless")),
        "a.secret has lost what this seat has signed; that comes from the others first",
        f"{lost}: your seat gets a new one",
        waiting,
        "a bot plays on for you, until you have a new key",
    ):
        assert translate_error(load(code), said) != said
