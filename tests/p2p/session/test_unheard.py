"""A choice that is on disk and was never heard: its seat is played for meanwhile, and goes back."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p.base.entry import parse_entry
from p2p.log.secrets_file import SecretsFile
from p2p.log.shared import log_in
from p2p.session.commands import JoinTable, OpenTable, Resume
from p2p.session.news import Gathering, TableChanged
from tests.p2p.base.test_open_seats import party
from tests.p2p.nodes import HERE, PATIENCE_S, Person, check_same_clean_files
from tests.p2p.session.test_resume import stopping_at

pytestmark = pytest.mark.usefixtures("short_escrow", "quick_proofs")


def unheard(person: Person) -> list[str]:
    """The kinds of entries that somebody has signed, and that are not in the log."""
    secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
    secrets.close()
    return [parse_entry(raw).kind for raw in set(secrets.entries) - set(log_in(person.path))]


@pytest.mark.slow
@pytest.mark.parametrize("is_escrowed", [True, False])
async def test_its_owner_comes_back_at_the_first_try(
    is_escrowed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("p2p.base.roster", "p2p.table.terms"):
        monkeypatch.setattr(f"{module}.GRACE_S_MIN", 1)
    persons = party(tmp_path, 3)
    first, _, victim = persons
    table = OpenTable("carta", 3, is_local=True, is_escrowed=is_escrowed, grace_s=3)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, table)
            await first.until(lambda news: isinstance(news, Gathering))
            for person in persons[1:]:
                join = JoinTable(f"{HERE}:{first.port}", is_local=True)
                if person is victim:
                    nursery.start_soon(person.do, join, stopping_at(person, "choose", 2))
                else:
                    nursery.start_soon(person.do, join)
                await person.until(lambda news: isinstance(news, Gathering | TableChanged))
            await victim.stopped.wait()
            before, replaced = len(first.notices), f"a bot plays on for {victim.name}"
            await first.until(lambda _: any(replaced in each for each in first.notices[before:]))
            nursery.start_soon(victim.do, Resume(victim.path))
    assert "choose" in unheard(victim) and victim.failure is None
    assert all(person.has_finished for person in persons)
    check_same_clean_files(persons)
