"""Styles that are parsed once: as those of Textual, only sooner."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from textual.css import stylesheet as of_textual
from textual.css.stylesheet import Stylesheet

from tests.ui.driving import an_app, at_table
from tests.ui.fakes import ui
from ui.terminal import stylesheet
from ui.terminal.stylesheet import LastingStylesheet

STYLE = "Label { color: $ink; }"


@ui
async def test_until_a_table_is_shown_no_style_is_parsed_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed, parse = Counter[tuple[object, ...]](), vars(of_textual)["parse"]

    def counted(scope: str, css: str, *place: Any, **given: Any) -> Any:
        parsed[scope, css, *place, given["tie_breaker"]] += 1
        return parse(scope, css, *place, **given)

    monkeypatch.setattr(of_textual, "parse", counted)
    stylesheet._parsed.cache_clear()
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
    assert len(parsed) > 10
    assert set(parsed.values()) == {1}


def made(kind: type[Stylesheet] | type[LastingStylesheet], ink: str) -> str:
    """What a style says that was read while ink was red."""
    styles = kind(variables={"ink": "red"})
    styles.add_source(STYLE)
    styles.reparse()
    styles.set_variables({"ink": ink})
    styles.reparse()
    return styles.css


@pytest.mark.parametrize("ink", ["red", "blue"])
def test_other_colours_are_used_at_once(ink: str) -> None:
    assert made(LastingStylesheet, ink) == made(Stylesheet, ink)
    assert ("0000FF" in made(LastingStylesheet, ink)) == (ink == "blue")


def test_a_style_that_is_new_is_added_to_those_before() -> None:
    styles = LastingStylesheet({"ink": "red"})
    styles.add_source(STYLE, read_from=("one", ""))
    styles.reparse()
    styles.add_source("Input { color: $ink; }", read_from=("two", ""))
    styles.reparse()
    assert [rule.selector_names for rule in styles.rules] == [{"Label"}, {"Input"}]


def test_a_style_that_is_wrong_leaves_those_before() -> None:
    styles = LastingStylesheet({"ink": "red"})
    styles.add_source(STYLE, read_from=("one", ""))
    before = styles.css
    styles.add_source("Label { colour: red; }", read_from=("two", ""))
    with pytest.raises(of_textual.StylesheetParseError):
        styles.reparse()
    assert "".join(rule.css for rule in styles._rules) == before
