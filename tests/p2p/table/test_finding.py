"""Which table somebody means: one is chosen, several are listed, and none has a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import HostlessError
from p2p.base.identity import words
from p2p.net.announcements import TableAd
from p2p.table.finding import choose, find_table, is_called

AD = TableAd("0123456789abcdef", "den", "carta", 3, 1, bytes(32), "10.0.0.7", 4000)
OTHER = replace(AD, table_id="fedcba9876543210", host="10.0.0.8", opener=b"\x01" * 32)
FULL = replace(AD, table_id="00ff00ff00ff00ff", taken=3)


def is_joinable(table: TableAd) -> bool:
    return table.is_joinable


def test_the_only_table_is_the_one_that_is_meant() -> None:
    shown = replace(AD, more_hosts=("fe80::7%eth0",))
    assert choose("den", [shown, FULL], is_joinable) == (
        [("10.0.0.7", 4000), ("fe80::7%eth0", 4000)],
        AD.opener,
        AD.table_id,
    )


def test_a_table_is_called_by_the_words_of_who_opened_it() -> None:
    spoken = words(OTHER.opener)
    for target in (spoken, spoken.replace(" ", "-"), spoken.upper()):
        assert [ad for ad in (AD, OTHER, FULL) if is_called(ad, target)] == [OTHER]
    assert not is_called(OTHER, spoken.split()[0]), "One word is that of too many."


def test_a_table_is_found_though_somebody_else_announces_one_with_its_id() -> None:
    copied = replace(AD, opener=b"\x02" * 32, host="10.0.0.66")
    for ad in (AD, copied):
        called = [each for each in (AD, copied) if is_called(each, ad.target)]
        assert choose(ad.target, called, is_joinable).opener == ad.opener


@pytest.mark.parametrize("target", ["den", ""])
def test_several_tables_are_listed_and_none_is_picked(target: str) -> None:
    with pytest.raises(HostlessError) as refused:
        choose(target, [AD, OTHER, FULL], is_joinable)
    said = f"{refused.value}; {refused.value.hint}"
    for shown in ("2 tables", "01234567", "10.0.0.7:4000", "fedcba98", "10.0.0.8:4000"):
        assert shown in said
    assert "00ff00ff" not in said and "\n" not in said


def test_a_long_list_is_cut_and_counted() -> None:
    crowd = [replace(AD, table_id=f"{number:016x}") for number in range(64)]
    with pytest.raises(HostlessError, match="and 58 more") as refused:
        choose("", crowd, is_joinable)
    assert len(str(refused.value)) < 1000


async def test_an_address_is_not_looked_for() -> None:
    found = await find_table("[fe80::1%eth0]:4000", is_joinable)
    assert found == ([("fe80::1%eth0", 4000)], None, "")
