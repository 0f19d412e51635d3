"""`bot`: what somebody reads who seats a bot by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.fakes import PracticePort
from ui.commands import bot
from ui.language.text import load


def test_who_runs_a_bot_reads_that_it_plays_and_once_how_the_game_ended(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing was said from the command to the end, so a bot that played seemed to hang."""
    news = PracticePort(seed=3).begin().news()
    over = replace(news, view=replace(news.view, is_over=True, winners=(1,)))
    log = bot._Log(load("en"), tells_course=True)
    for told in (news, news, over, over):
        log.report(told)
    begun, ended = capsys.readouterr().out.splitlines()
    assert begun == "ada plays Carta Impera Victoria with grace, alan. It ends by itself."
    assert ended == "grace wins"


def test_a_bot_of_a_table_that_is_shown_elsewhere_says_only_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot._Log(load("en")).report(PracticePort(seed=3).begin().news())
    assert capsys.readouterr() == ("", "")
