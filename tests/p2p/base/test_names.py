"""Names show what they are: nothing in them is invisible, and what looks alike is the same."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.base import names
from p2p.base.limits import NAME_LETTERS_MAX, NAME_MARKS_MAX
from p2p.base.names import (
    NameRefused,
    clean_name,
    is_clean_name,
    scripts_of,
    shown_name,
    skeleton,
)

HANGUL_FILLER, BRAILLE_BLANK, EMOJI_SELECTOR = "\u3164", "\u2800", "\ufe0f"
RIGHT_TO_LEFT, ISOLATE, WORD_JOINER, TAG_A = "\u202e", "\u2066", "\u2060", "\U000e0061"
INVISIBLE = [
    *(HANGUL_FILLER, BRAILLE_BLANK, EMOJI_SELECTOR, RIGHT_TO_LEFT, ISOLATE, WORD_JOINER, TAG_A),
    *("\u115f", "\u1160", "\uffa0", "\u034f", "\u180b", "\u180e", "\U000e0100", "\u200b", "\u00ad"),
]
CYRILLIC_A, GREEK_O = "\u0430", "\u03bf"


@pytest.mark.parametrize("letter", INVISIBLE)
def test_a_name_that_shows_nothing_is_none(letter: str) -> None:
    assert not is_clean_name(letter)
    with pytest.raises(NameRefused, match="printable"):
        clean_name(letter * 3)


@pytest.mark.parametrize("letter", INVISIBLE)
def test_two_names_never_differ_by_a_letter_that_nobody_sees(letter: str) -> None:
    for name in (f"Ada{letter}", f"{letter}Ada", f"A{letter}da"):
        assert not is_clean_name(name)
        assert clean_name(name).replace(" ", "") == "Ada"


def test_what_reverses_a_line_is_not_part_of_a_name() -> None:
    assert clean_name(f"{RIGHT_TO_LEFT}ada") == "ada"


def test_marks_are_not_piled_up_across_other_lines() -> None:
    """As in "zalgo" text; what people write has one or two."""
    pile = "Z" + "\u0336\u0341\u0489" * 8
    assert not is_clean_name(pile)
    marks = [letter for letter in clean_name(pile) if unicodedata.category(letter) in ("Mn", "Me")]
    assert len(marks) == NAME_MARKS_MAX
    assert clean_name("\u0301ada") == clean_name(" \u0301 ada") == "ada"
    for name in ("\u0e01\u0e35\u0e48", "\u1ec7", "\u05e9\u05c1\u05b8"):  # Thai, Vietnamese, Hebrew.
        assert is_clean_name(unicodedata.normalize("NFC", name))


@pytest.mark.parametrize(
    "name",
    ["Ada", "김하나", "ハナコ", "花子", "Ελένη", "Надя", "José", "O'Neil 2", "राम", "Zoë (2)"],
)
def test_what_people_are_called_is_a_name_and_shown_as_it_is(name: str) -> None:
    assert clean_name(name) == name == shown_name(name)


@given(st.text(max_size=60))
def test_a_cleaned_name_stays_as_it_is(given_name: str) -> None:
    try:
        name = clean_name(given_name)
    except NameRefused:
        return
    assert is_clean_name(name) and 0 < len(name) <= NAME_LETTERS_MAX
    assert not set(name) & set(INVISIBLE)


@pytest.mark.parametrize(
    "other",
    [f"{CYRILLIC_A}d{CYRILLIC_A}", "ADA", "\uff21da", "Ad\u0251"],
)
def test_names_that_look_alike_have_one_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Ada") != skeleton("Adele")


@pytest.mark.parametrize(
    ("one", "other"), [("Ill", "lIl"), ("b0b", f"b{GREEK_O}b"), ("1da", "Ida")]
)
def test_one_stroke_is_taken_for_another(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (f"Ad{CYRILLIC_A}", f"Ad{CYRILLIC_A} [Latin+Cyrillic]"),
        (f"b{GREEK_O}b", f"b{GREEK_O}b [Latin+Greek]"),
        ("花子 Hanako", "花子 Hanako"),
        ("하나 Hana 花", "하나 Hana 花"),
        ("ハナ하나", "ハナ하나 [Katakana+Hangul]"),
        ("Adа 2!", "Adа 2! [Latin+Cyrillic]"),
    ],
)
def test_scripts_that_nobody_mixes_are_shown_behind_the_name(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_numbers_and_long_vowels_have_no_script_of_their_own() -> None:
    assert scripts_of("Ada 2 ー") == ("Latin",)
    assert scripts_of("ﾊﾅｺ Ａda") == ("Katakana", "Latin")


def test_the_lists_that_stand_beside_the_protocol_are_those_of_the_code() -> None:
    page = (Path(__file__).parents[2] / "vectors" / "README.md").read_text("utf-8")
    hidden, alike = re.findall(r"```\n(.*?)\n```", page.partition("## Names")[2], re.DOTALL)
    ends = [[int(end, 16) for end in each.split("..")] for each in hidden.split()]
    assert {chr(n) for each in ends for n in range(each[0], each[-1] + 1)} == names._INVISIBLE
    pairs = [pair.split("=") for pair in alike.split()]
    assert {int(code, 16): letter for code, letter in pairs} == names._ALIKE
