"""Four words stand for an identity."""

from p2p.base.identity import four_words


def test_words_are_the_same_on_every_machine() -> None:
    assert four_words(bytes(32)) == "gesture fashion develop dragon"


def test_two_identities_have_different_words() -> None:
    subjects = [number.to_bytes(32) for number in range(2000)]
    assert len({four_words(subject) for subject in subjects}) == len(subjects)
    assert all(len(four_words(subject).split()) == 4 for subject in subjects)
