"""The page of figures is what the script writes, and of benches that there are."""

from __future__ import annotations

from scripts.bench import figures as bench
from scripts.bench import keypress
from scripts.bench import page as figures
from ui.language.text import load


def page() -> str:
    return figures.PAGE.read_text("utf-8")


def test_the_page_of_figures_is_written_by_its_script() -> None:
    parts = figures.read(page())
    assert parts
    assert figures.render(parts) == page()


def test_a_figure_that_was_put_in_by_hand_is_noticed() -> None:
    changed = page().replace(" | ms |", " ms |", 1)
    assert figures.render(figures.read(changed)) != changed


def test_every_part_of_the_page_is_a_bench_and_names_its_command_and_day() -> None:
    for name, part in figures.read(page()).items():
        assert name in bench.BENCHES
        assert f"python3 scripts/bench.py {name}`, 20" in part.said


def test_what_is_not_measured_anew_stays() -> None:
    known = {"share": figures.Part("Then.", (("3 cards", 0.5, "ms"),))}
    new = {"paint": figures.Part("Now.", (("first paint", 348.42, "ms"),))}
    assert figures.read(figures.render(known | new)) == known | new


def test_the_bench_of_key_presses_waits_for_what_the_program_says() -> None:
    said = load("en").sentences.values()
    waited_for = {wanted.decode() for _, wanted in keypress.PRESSES} - {keypress.FRAME_END.decode()}
    assert waited_for
    assert [words for words in waited_for if not any(words in each for each in said)] == []
