"""Every language says everything, and with the same values."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from core.games import GAMES
from ui.draw.starts import draw_starts
from ui.key_bindings import KEY_BINDINGS, WHERE, bindings_of, key_name
from ui.language.text import ASCII_OF, LANGUAGE_NAMES, LOCALES, detect_language, load
from ui.model.picks import _LETTERS, OWN_LETTERS
from ui.screens.pages import help_rows
from ui.terminal.spans import to_text
from ui.widgets.keys import draw_keys

KEY_LINE_WIDTH = 78  # Of 80 cells, between the margins.
GUIDE = LOCALES.parents[2] / "docs" / "guide"
LOBBY_WIDTH = 76  # Of 80 cells, within the list.


def placeholders(sentence: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(sentence) if name)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_language_has_the_same_sentences_with_the_same_values(code: str) -> None:
    english, other = load("en").sentences, load(code).sentences
    # In English the rules of a game stand in the game itself, where code and tests cite them.
    own = {key for key in other if key.startswith("rules.") and key.split(".")[1] in GAMES}
    assert other.keys() - own == english.keys() - own
    for key in english.keys() & other.keys():
        assert placeholders(other[key]) == placeholders(english[key]), key


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_no_sentence_is_empty_and_none_holds_an_emoji(code: str) -> None:
    for key, sentence in load(code).sentences.items():
        assert sentence.strip(), key
        assert not re.search("[\U0001f000-\U0001ffff\ufe0f]", sentence), key


def test_a_korean_particle_fits_what_fills_the_gap_before_it() -> None:
    words = load("ko")
    assert words("offer.civilization.government", what="민주주의") == "민주주의로 바꾸기"
    assert words("offer.civilization.government", what="공화정") == "공화정으로 바꾸기"
    assert words("civilization.even", number=7).startswith("7로")
    assert words("civilization.even", number=13).startswith("13으로")
    assert words("error.file_long", file="my.hostless").startswith("my.hostless은(는)")


def test_no_korean_sentence_knows_the_particle_behind_a_gap() -> None:
    for key, sentence in load("ko").sentences.items():
        found = re.search(r"\w\}(은|는|이|가|을|를|과|와|으?로|이?라는)(?![가-힣(])", sentence)
        assert found is None, key


def test_every_key_has_its_sentence_and_every_screen_a_name() -> None:
    words = load("en")
    for binding in KEY_BINDINGS:
        assert words.has(f"key.{binding.name}")
    assert all(words.has(f"where.{where}") for where in WHERE)


def test_no_two_actions_of_a_screen_share_a_key() -> None:
    keys = [(binding.where, binding.key) for binding in KEY_BINDINGS]
    assert len(keys) == len(set(keys))


def test_the_letters_that_pick_are_the_letters_the_table_leaves() -> None:
    taken = {binding.key for binding in KEY_BINDINGS if binding.where == "table"}
    assert not taken & {*_LETTERS, *OWN_LETTERS.values()}
    assert not set(_LETTERS) & set(OWN_LETTERS.values())


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_face_option_and_value_of_every_game_has_a_name(code: str) -> None:
    words = load(code)
    for game in GAMES.values():
        assert words.has(f"game.{game.slug}")
        assert all(words.has(f"face.{face}") for face in game.faces)
        for option in game.options:
            assert words.has(f"option.{option.key}")
            assert all(words.has(f"value.{str(value).lower()}") for value in option.values)


def test_the_language_follows_the_environment_and_falls_back_to_english() -> None:
    assert detect_language({"LANG": "ja_JP.UTF-8"}) == "ja"
    assert detect_language({"LC_ALL": "ko_KR.UTF-8", "LANG": "ja_JP"}) == "ko"
    assert detect_language({"LANG": "fr_FR.UTF-8"}) == "en"
    assert detect_language({}) == "en"


def test_every_english_sentence_can_be_said_in_ascii() -> None:
    files = [*LOCALES.glob("*en.toml"), *(LOCALES.parents[2] / "core" / "games").rglob("en.toml")]
    for path in files:
        assert path.read_text("utf-8").translate(ASCII_OF).isascii(), path


def test_every_drawn_glyph_has_one_ascii_character_to_stand_for_it() -> None:
    assert all(len(str(chr(value) if isinstance(value, int) else value)) == 1
               for value in ASCII_OF.values())  # fmt: skip


@pytest.mark.parametrize("is_ascii", [False, True])
def test_the_page_of_the_keys_names_every_key_whole(is_ascii: bool) -> None:
    rows = to_text(help_rows(load("ko"), 78, is_ascii, "table")).splitlines()
    for binding in KEY_BINDINGS:
        assert any(row.strip().startswith(f"{key_name(binding.key, is_ascii)} ") for row in rows)


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_shown_key_fits_the_line_of_a_usual_terminal(code: str, where: str) -> None:
    (row,) = draw_keys(load(code), where, KEY_LINE_WIDTH)
    shown = {binding.name for binding in bindings_of(where) if binding.is_shown}
    assert {span.hot for span in row} == shown


def japanese() -> dict[str, str]:
    """Everything that is said in Japanese but for the rules, which are Markdown."""
    said = load("ja").sentences
    return {key: text for key, text in said.items() if not key.startswith("rules.")}


def test_japanese_has_one_colon_one_bracket_and_no_space_before_what_is_counted() -> None:
    wrong = re.compile(r"[：（）]|\} (?=[件枚束回個秒人段歩番席])|names?\}さ?ん? さん|\}様")
    assert {key: text for key, text in japanese().items() if wrong.search(text)} == {}


def test_what_a_japanese_person_does_is_told_of_them_with_a_title_and_in_the_present() -> None:
    told = {key: text for key, text in japanese().items() if key.startswith(("line.", "fact."))}
    named = {key: text for key, text in told.items() if "{name}" in text or "{other}" in text}
    assert len(named) > 150
    bare = re.compile(r"(name|other)\}(?!さん)")
    assert {key: text for key, text in named.items() if bare.search(text)} == {}
    assert {key: text for key, text in told.items() if re.search("た(:|$)", text)} == {}


def test_what_a_japanese_person_has_to_choose_is_asked_for_politely() -> None:
    asked = {key: text for key, text in japanese().items() if key.startswith(("phase.", "ask."))}
    stated = {"ask.more", "ask.skip", "phase.civilization.setup", "phase.civilization.over"}
    polite = re.compile(r"ください|ますか")
    assert len(asked) > 80
    assert {key: text for key, text in asked.items() if not polite.search(text)}.keys() == stated


def test_nobody_is_called_oneself_with_a_title_in_japanese() -> None:
    """A board calls my seat so, where a sentence of the log has a name."""
    words = load("ja")
    me = words("board.you")
    for key in ("deal", "natives", "pyramid_of"):
        key = f"civilization.{key}"
        assert f"{me}さん" not in words(key, name=me, other=me)


def test_english_is_written_in_one_spelling() -> None:
    """British; what is printed on a card or typed as the value of an option keeps its own.

    So do the reasons of rules: they are known again by their letters.
    """
    american = re.compile(r"(?<!partner\*, )\b(color|center|neighbor|gray|honor|favor)(s|ed)?\b")
    said = {**load("en").sentences, **{name: game.rules for name, game in GAMES.items()}}
    ours = {key: text for key, text in said.items() if not key.startswith("error.")}
    assert {key: text for key, text in ours.items() if american.search(text.lower())} == {}
    for page in GUIDE.glob("*.md"):
        prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        assert american.search(prose.lower()) is None, page.name


def test_things_in_a_row_have_the_comma_of_the_language() -> None:
    commas = {"en": "a, b", "ko": "a, b", "ja": "a、b"}
    assert {code: load(code).listed("ab") for code in LANGUAGE_NAMES} == commas
    parts = {"en": "a; b", "ko": "a. b", "ja": "a。b"}
    assert {code: load(code).parted("ab") for code in LANGUAGE_NAMES} == parts
    sentences = {"en": "A. B.", "ko": "A. B.", "ja": "A.B."}
    assert {code: load(code).in_a_row(["A.", "", "B."]) for code in LANGUAGE_NAMES} == sentences


def test_what_is_said_is_never_joined_by_the_comma_of_one_language() -> None:
    """But for what is typed alike in all of them, an author's fault, and what `doctor` measures."""
    files = [path for path in LOCALES.parents[1].rglob("*.py") if path.parent.name != "doctor"]
    joined = re.compile(r"""["'](, |; )["']\.join""")
    found = {path.name for path in files if joined.search(path.read_text("utf-8"))}
    assert len(files) > 100
    assert found == {"parser.py", "game_help.py", "text.py"}


def test_japanese_has_no_gap_after_a_full_stop_and_one_writing_of_a_word() -> None:
    wrong = re.compile(r"。 |[一二三四五]つ|～|だれ|わか|いまは|^いま|この番")
    assert {key: text for key, text in japanese().items() if wrong.search(text)} == {}


def test_korean_has_no_gap_before_a_particle_and_names_the_reader_one_way() -> None:
    wrong = re.compile(r"[A-Za-z}] (은|는|을|를|이나|와|과|하세요)(?![가-힣])|당신|낱말|씨앗")
    said = load("ko").sentences
    assert {key: text for key, text in said.items() if wrong.search(text)} == {}


@pytest.mark.parametrize(
    ("code", "game", "others"),
    [
        ("ko", "carta", "뒤집기 능력|자리면|자리나"),
        ("ko", "civilization", "걸음"),
        ("ko", "dominion", "공급 더미"),
        ("ko", "renaissance", "부릅니다|부를 수"),
        ("ja", "carta", "[0-9]席"),
        ("ja", "civilization", "駒"),
        ("ja", "dominion", "コストが[0-9]まで|を出[すしせ]"),
        ("ja", "renaissance", "おまけ|呼[ぶびべ]"),
    ],
)
def test_a_thing_of_a_game_has_one_name_and_not_these(code: str, game: str, others: str) -> None:
    """What the rulebook calls it, or else the rules of the program; beside it, other words."""
    files = (LOCALES.parents[2] / "core" / "games" / game / "locales").glob(f"*{code}.toml")
    said = [line for file in files for line in file.read_text("utf-8").splitlines()]
    assert len(said) > 200
    assert [line for line in said if re.search(others, line)] == []


def test_why_somebody_won_is_told_politely_in_japanese() -> None:
    told = {key: text for key, text in japanese().items() if key.startswith(("reason.", "end."))}
    plain = re.compile(r"(い|る|同じ|勝ち)[。:]")
    assert len(told) > 20
    assert {key: text for key, text in told.items() if plain.search(text)} == {}


@pytest.mark.parametrize("code", ["ko", "ja"])
def test_a_card_whose_name_has_a_comma_is_not_two_in_a_list(code: str) -> None:
    said, comma = load(code).sentences, load(code).listed("ab")[1:-1]
    cards = [key for key in said if key.startswith("face.") and ".event." not in key]
    assert [said[key] for key in cards if comma in said[key]] == []


@pytest.mark.parametrize("code", ["ko", "ja"])
def test_a_usual_terminal_has_room_for_what_every_game_is_about(code: str) -> None:
    words = load(code)
    starts = draw_starts(words, {}, LOBBY_WIDTH, is_roomy=False)
    for game, rows in starts.items():
        assert words.of(game).name("goal", game) in to_text(rows)
