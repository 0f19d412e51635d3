"""What a table remembers, and what it forgets."""

from __future__ import annotations

import pytest

from core.requests import Reveal
from core.table import HIDDEN, HiddenFaceError, Layout, Place, RulesError, Sight
from tests.core.deck import DECK, FACES, HAND0, HAND1, OPEN, table_with


def test_cards_are_laid_out_face_up() -> None:
    table = table_with([0, 1, 2])
    assert [table.public_face(card) for card in table.zones[DECK]] == [0, 1, 2]


def test_a_shuffle_by_all_hides_faces_and_keeps_numbers() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    assert table.zones[DECK] == [0, 1, 2]
    assert table.face == [HIDDEN] * 3
    assert table.seen == [0, 0, 0]
    with pytest.raises(HiddenFaceError):
        table.public_face(1)


def test_a_shuffle_by_an_owner_leaves_the_cards_known_to_the_owner() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), 1)
    assert table.seen == [0b10] * 3


def test_a_hidden_card_that_comes_to_where_all_may_look_is_owed_to_all() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    table.move(2, DECK, OPEN)
    assert table.owed == [Reveal((2,), None)]


def test_a_hidden_card_that_comes_into_a_hand_is_owed_to_its_owner() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    table.move(2, DECK, HAND1)
    table.move(1, DECK, HAND1)
    assert table.owed == [Reveal((2, 1), 1)]


def test_a_card_that_all_have_seen_is_owed_to_nobody() -> None:
    table = table_with([0])
    table.move(0, DECK, HAND0)
    table.move(0, HAND0, OPEN)
    assert table.owed == []


def test_a_card_that_changes_hands_is_owed_even_to_a_seat_that_knows_it() -> None:
    table = table_with([0, 1])
    table.mix((0, 1), 0)
    table.seen = [0b11, 0b11]
    table.zones[DECK], table.zones[HAND0] = [], [0, 1]
    table.move(0, HAND0, HAND1)
    assert table.owed == [Reveal((0,), 1)]


def test_reveals_to_different_eyes_are_paid_one_after_another() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    table.move(0, DECK, HAND0)
    table.move(1, DECK, HAND1)
    table.move(2, DECK, HAND0)
    assert table.owed == [Reveal((0,), 0), Reveal((1,), 1), Reveal((2,), 0)]


def test_a_card_is_moved_only_from_where_it_is() -> None:
    table = table_with([0])
    with pytest.raises(RulesError, match=r"card 0 is not in seat0\.hand"):
        table.move(0, HAND0, OPEN)
    with pytest.raises(RulesError, match="card 99 is not in deck"):
        table.move(99, DECK, OPEN)


def test_a_face_that_its_family_has_run_out_of_is_refused() -> None:
    table = table_with([0, 0, 1])
    table.mix((0, 1, 2), None)
    table.turn_up((2,), [1])
    for face in (1, 2, 3, -1):
        with pytest.raises(RulesError, match="none is left"):
            table.turn_up((0,), [face])
    table.turn_up((0,), [0])


def test_families_merge_when_their_cards_are_shuffled_together() -> None:
    table = table_with([0, 0, 1, 1, 2])
    table.mix((0, 1), None)
    table.mix((2, 3), None)
    assert table.family_of[0] != table.family_of[2]
    table.mix((1, 2, 4), None)  # A card of each, and one that lay open.
    assert len({table.family_of[card] for card in range(5)}) == 1
    assert table.family_counts[table.family_of[0]] == [2, 2, 1]


def test_mixing_within_a_family_leaves_its_pool_as_it_is() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    table.mix((0, 1), 0)
    assert table.family_counts[table.family_of[0]] == [1, 1, 1]
    assert table.seen == [1, 1, 0]


def test_an_empty_family_is_used_again() -> None:
    table = table_with([0, 1])
    for _ in range(10):
        table.mix((0, 1), None)
        table.turn_up((0,), [0])
        table.turn_up((1,), [1])
    assert len(table.family_counts) == 1


def test_a_copy_shares_nothing_that_changes() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    twin, before = table.copy(), table.digest()
    twin.move(0, DECK, OPEN)
    twin.turn_up((0,), [0])
    twin.counters[0] = 7
    twin.mix((1, 2), 1)
    twin.rolled = 3
    assert table.digest() == before
    assert twin.digest() != before


def test_a_table_that_goes_on_leaves_its_copies_and_theirs_as_they_are() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    before, twin = table.digest(), table.copy()
    copy_of_twin = twin.copy()
    table.turn_up((0,), [0])
    table.mix((0, 1, 2), None)
    table.turn_up((1,), [2])
    assert twin.digest() == copy_of_twin.digest() == before
    twin.turn_up((0,), [1])
    assert copy_of_twin.digest() == before


def test_a_digest_names_the_section_that_differs() -> None:
    table = table_with([0, 1, 2])
    for change, section in (
        (lambda twin: twin.counters.__setitem__(0, 1), "counters"),
        (lambda twin: twin.zones[DECK].reverse(), "zones"),
        (lambda twin: twin.face.__setitem__(0, 2), "faces"),
        (lambda twin: twin.seen.__setitem__(0, 2), "seen"),
        (lambda twin: twin.owe((0,), None), "owed"),
    ):
        twin = table.copy()
        change(twin)
        sections, others = table.sections(), twin.sections()
        assert [name for name in sections if sections[name] != others[name]] == [section]
        index = list(sections).index(section)
        pairs = zip(_parts(table.digest()), _parts(twin.digest()), strict=True)
        assert [part for part, (mine, theirs) in enumerate(pairs) if mine != theirs] == [index]


def _parts(digest: bytes) -> list[bytes]:
    return [digest[at : at + 8] for at in range(0, len(digest), 8)]


def test_a_digest_is_the_same_bytes_on_every_machine() -> None:
    """A change of these bytes is a change of the protocol."""
    table = table_with([0, 1, 2])
    table.mix((0, 1), None)
    assert table.digest().hex() == (
        "e8f30a2eaaab3abef90ad70b65e285fd59d5966c96af7eca"
        "9305d9aaed1e7ec574381cd5bad397fbe3b0c44298fc1c14"
    )


def test_two_zones_of_one_name_are_a_bug() -> None:
    place = Place("deck", Sight.NOBODY)
    with pytest.raises(AssertionError, match="two zones have one name"):
        Layout(2, FACES, [place, place], [], {})


def test_several_cards_move_as_one_after_the_other_would() -> None:
    for target in (HAND0, OPEN, DECK):
        once, singly = table_with([0, 1, 2, 0]), table_with([0, 1, 2, 0])
        for table in (once, singly):
            table.mix((0, 1, 2), None)
        once.move_all((2, 0, 3), DECK, target)
        for card in (2, 0, 3):
            singly.move(card, DECK, target)
        assert once.sections() == singly.sections()


@pytest.mark.parametrize("cards", [(0, 0), (0, 3), (0, 1, 2, 1), (-1,), (99,)])
def test_cards_that_are_not_all_there_stay_where_they_are(cards: tuple[int, ...]) -> None:
    table = table_with([0, 1, 2])
    table.move(1, DECK, OPEN)
    before = table.sections()
    with pytest.raises(RulesError, match="not all different cards of deck"):
        table.move_all((*cards, 2), DECK, OPEN)
    assert table.sections() == before


def test_what_is_drawn_comes_from_the_top_as_long_as_there_is_a_card() -> None:
    table = table_with([0, 1, 2])
    assert table.draw(2, DECK, HAND0) == 2
    assert (table.zones[DECK], table.zones[HAND0]) == ([0], [2, 1])
    assert table.draw(2, DECK, HAND0) == 1
    assert table.draw(0, HAND0, DECK) == 0
    assert (table.zones[DECK], table.zones[HAND0]) == ([], [2, 1, 0])


def test_what_is_drawn_in_an_imagined_game_is_seen_at_once() -> None:
    table = table_with([0, 1, 2])
    table.mix((0, 1, 2), None)
    table.move(2, DECK, OPEN)
    table.turn_up((2,), [2])
    table.move(2, OPEN, DECK)
    table.deal, table.owed = [0, 1, 2], []
    table.draw(2, DECK, HAND1)
    assert (table.seen, table.owed) == ([0, 0b10, 0], [])  # Everybody knew the last one anyway.
    table.draw(1, HAND1, OPEN)
    assert table.face == [HIDDEN, 1, 2]


def test_a_reveal_of_several_cards_leaves_copies_alone() -> None:
    table = table_with([0, 1, 1])
    table.mix((0, 1, 2), None)
    twin, before = table.copy(), table.digest()
    twin.turn_up((0, 2), [1, 0])
    assert (twin.family_counts, twin.face) == ([[0, 1, 0]], [1, HIDDEN, 0])
    assert table.digest() == before


def test_a_choice_is_compared_with_what_was_offered_but_in_imagined_games() -> None:
    table = table_with([0, 1, 2])
    assert table.checks_offers()
    table.deal = table.face[:]
    assert not table.checks_offers()
    assert table.copy().checks_offers()  # Nobody imagines anything on it yet.
