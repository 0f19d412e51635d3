"""What goes on by itself is told, and not again and again."""

from __future__ import annotations

from trio.testing import MockClock

from p2p.base.limits import NOTICE_AGAIN_S, NOTICES_BURST_MAX, NOTICES_PER_S_MAX
from p2p.session.news import News, Notice, Paced


async def test_the_same_notice_is_said_once_in_a_while(mock_clock: MockClock) -> None:
    said = list[News]()
    publish = Paced(said.append)
    for _ in range(40_000):
        publish(Notice("closed the link to ada"))
    publish(Notice("closed the link to ada", "another hint"))
    assert len(said) == 2
    mock_clock.jump(NOTICE_AGAIN_S)
    publish(Notice("closed the link to ada"))
    assert len(said) == 3


async def test_notices_that_all_differ_are_not_without_limit(mock_clock: MockClock) -> None:
    said = list[News]()
    publish = Paced(said.append)
    for number in range(1000):
        publish(Notice(f"{number} was turned away"))
    assert len(said) == NOTICES_BURST_MAX
    mock_clock.jump(2 / NOTICES_PER_S_MAX)
    for number in range(1000):
        publish(Notice(f"{number} was turned away once more"))
    assert len(said) == NOTICES_BURST_MAX + 2


async def test_what_has_just_changed_and_what_answers_the_person_is_always_said() -> None:
    said = list[News]()
    publish = Paced(said.append)
    for _ in range(2 * NOTICES_BURST_MAX):
        publish(Notice("that is not one of the legal actions now", is_news=True))
    assert len(said) == 2 * NOTICES_BURST_MAX
