"""Notes on cards: written at the page of texts, marked on the table, kept for oneself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2p.base.identity import UnusableHome
from tests.ui.driving import QUIET, an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.shopping import market
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.notes import NOTE_LETTERS_MAX, Notes
from ui.plain.presenter import PlainPresenter
from ui.screens.table import TableScreen
from ui.screens.texts import TextsPage

SIZES = ((80, 24), (60, 16))


def test_a_note_is_there_after_the_next_start(tmp_path: Path) -> None:
    home = tmp_path / "new"
    Notes(home).write("dominion", "village", "  two,\nthen  Smithies ")
    assert Notes(home).of("dominion") == {"village": "two, then Smithies"}
    assert not Notes(home).of("carta")
    assert (home / "notes.json").stat().st_mode & 0o077 == 0


def test_an_empty_note_is_none_and_a_long_one_is_cut(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    notes.write("dominion", "moat", "x" * (NOTE_LETTERS_MAX + 9))
    assert len(notes.of("dominion")["moat"]) == NOTE_LETTERS_MAX
    notes.write("dominion", "moat", " ")
    assert not Notes(tmp_path).of("dominion")


@pytest.mark.parametrize(
    "content", ["", "[]", '{"dominion": 3}', '{"carta": {"a": 1}}', "[" * 9_000]
)
def test_a_file_that_is_damaged_is_never_written_over(tmp_path: Path, content: str) -> None:
    (tmp_path / "notes.json").write_text(content)
    notes = Notes(tmp_path)
    assert not notes.of("dominion")
    with pytest.raises(UnusableHome, match="it is damaged"):
        notes.write("dominion", "moat", "buy one")
    assert (tmp_path / "notes.json").read_text() == content
    assert notes.of("dominion") == {"moat": "buy one"}


@ui
@pytest.mark.parametrize(
    ("width", "head"), [(100, "Religion Economy* "), (110, "E Economy*"), (120, "E Economy*")]
)
async def test_a_note_takes_no_letter_from_the_domain_over_a_column(
    width: int, head: str, tmp_path: Path
) -> None:
    app = an_app()
    app.notes = Notes(tmp_path)
    app.notes.write("carta", "economy", "buy late")
    async with app.run_test(size=(width, 36)) as pilot:
        await at_table(pilot)
        assert head in whole_text(app)


@ui
@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_note_is_written_on_a_card_and_marked_where_the_card_is_listed(
    language: str, size: tuple[int, int], tmp_path: Path
) -> None:
    app = an_app(market(), replace(QUIET, language=language))
    app.notes = Notes(tmp_path)
    name = load(language).name("face", "village")
    async with app.run_test(size=size) as pilot:
        screen = await at_table(pilot, lambda news: news.view.counters["coins"] >= 3)
        assert screen.model is not None
        label = next(p.label for p in screen.model.picks if p.offer.text == "buy village")
        sent = len(port_of(app).sent)
        await pilot.press(label, "space")
        await shown(pilot, name)
        await pilot.press("enter")
        await shown(pilot, load(language)("texts.write")[:20])
        await pilot.press(*"quick", "enter")
        await shown(pilot, "* quick")
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen) and f"{name}*" in whole_text(app)
        assert len(port_of(app).sent) == sent, "a note is for nobody else"
    assert Notes(tmp_path).of("dominion") == {"village": "quick"}


@ui
async def test_a_letter_in_a_note_is_no_key_and_escape_keeps_the_note_as_it_was() -> None:
    app = an_app(market())
    app.notes.write("dominion", "copper", "one")
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        await pilot.press("space")
        await shown(pilot, "* one")
        await pilot.press("enter", "q", "escape")
        await settled(pilot)
        assert isinstance(app.screen, TextsPage) and not app.screen.has_class("-writing")
        assert app.notes.of("dominion") == {"copper": "one"}


@ui
async def test_what_cannot_be_kept_is_said_and_holds_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("[")
    app = an_app(market())
    app.notes = Notes(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("space")
        await settled(pilot)
        await pilot.press("enter", "y", "enter")
        await shown(pilot, "it is damaged")
        await shown(pilot, "* y")
    assert list(app.notes.of("dominion").values()) == ["y"]


@ui
@pytest.mark.parametrize("slug", ["carta", "renaissance", "civilization"])
async def test_cards_of_every_game_take_a_note(slug: str) -> None:
    from core.games import find_game

    app = an_app(PracticePort(game=find_game(slug), players=2))
    async with app.run_test(size=(60, 16)) as pilot:
        await at_table(pilot)
        await pilot.press("space")
        await settled(pilot)
        await pilot.press("enter", *"mine", "enter")
        await shown(pilot, "* mine")
        assert list(app.notes.of(slug).values()) == ["mine"]


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_in_lines_of_text_a_note_is_written_read_and_taken_away(
    tmp_path: Path, language: str
) -> None:
    words = load(language)
    presenter = PlainPresenter(words, notes=Notes(tmp_path))
    presenter.receive(market().news())
    name = words.of("dominion").name("face", "village")
    for called in ("village", name):
        assert presenter.read(f"note {called} two, Then Smithies").lines == (
            words("note.written", name=name, text="two, Then Smithies"),
        )
    assert Notes(tmp_path).of("dominion") == {"village": "two, Then Smithies"}
    assert words("note.written", name=name, text="two, Then Smithies") in (
        presenter.read("card village").lines
    )
    assert presenter.read("note village").lines == (
        words("note.gone", name=name, text="two, Then Smithies"),
    )
    assert presenter.read("note village").lines == (words("note.typed"),)
    assert presenter.read("note utopia, I think").lines[0] == words("note.typed")
    assert Notes(tmp_path).of("dominion") == {}


def test_in_lines_of_text_a_note_that_cannot_be_kept_is_a_complaint(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("[]")
    presenter = PlainPresenter(load("en"), notes=Notes(tmp_path))
    presenter.receive(market().news())
    assert "it is damaged" in presenter.read("note village late").lines[0]
