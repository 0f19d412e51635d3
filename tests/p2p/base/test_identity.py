"""An identity is made once, kept private, and never lost to an accident."""

import os
import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HostlessError
from p2p.base.errors import BadSignature
from p2p.base.identity import (
    Identity,
    Profile,
    UnusableHome,
    four_words,
    verify,
    words,
)
from p2p.base.names import NameRefused, clean_name, is_clean_name


def test_an_identity_is_the_same_after_a_restart(tmp_path: Path) -> None:
    first, again = (
        Identity.load(tmp_path / "new" / "home"),
        Identity.load(tmp_path / "new" / "home"),
    )
    assert first.public == again.public
    assert words(first.public) == words(again.public)
    assert len(first.public) == 32


def test_two_homes_are_two_people(tmp_path: Path) -> None:
    assert Identity.load(tmp_path / "a").public != Identity.load(tmp_path / "b").public


def test_only_the_owner_can_read_the_key(tmp_path: Path) -> None:
    Identity.load(tmp_path)
    path = tmp_path / "identity.pem"
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    Identity.load(tmp_path)
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["identity.pem"]


def test_two_starts_at_one_moment_agree_on_who_they_are(tmp_path: Path) -> None:
    found: list[bytes] = []
    starts = threading.Barrier(8)

    def load() -> None:
        starts.wait()
        found.append(Identity.load(tmp_path).public)

    threads = [threading.Thread(target=load) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def other_key() -> bytes:
    """A key that is fine, but of another kind."""
    key = generate_private_key(SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def unheard_of_key() -> bytes:
    """A key of a kind that nobody has: one bit of its name is another."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem.replace(b"K2Vw", b"K2Vy")


def short_key() -> bytes:
    """One bit of its name is another, so that it is of a kind whose keys are longer."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem.replace(b"K2Vw", b"K2Vv")


@pytest.mark.parametrize(
    "content",
    [b"", b"garbage", bytes(100), other_key(), unheard_of_key(), short_key()],
    ids=["nothing", "garbage", "zeros", "other", "unheard-of", "short"],  # Keys are new each time.
)
def test_a_damaged_key_is_reported_and_never_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "identity.pem"
    path.write_bytes(content)
    with pytest.raises(UnusableHome, match="damaged") as caught:
        Identity.load(tmp_path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_home_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for attempt in (Identity.load, Profile("Ada").save):
        with pytest.raises(UnusableHome, match="--home") as caught:
            attempt(tmp_path / "file")
        assert "\n" not in str(caught.value)


def test_a_signature_holds_for_its_message_and_signer_alone() -> None:
    ada, bob = Identity.generate(), Identity.generate()
    signature = ada.sign(b"spam")
    verify(ada.public, signature, b"spam")
    for public, signed, message in [
        (bob.public, signature, b"spam"),
        (ada.public, signature, b"eggs"),
        (ada.public, signature[:-1], b"spam"),
        (ada.public, bytes(64), b"spam"),
        (ada.public[:-1], signature, b"spam"),
        (bytes(32), signature, b"spam"),
    ]:
        with pytest.raises(BadSignature):
            verify(public, signed, message)


def test_a_profile_is_kept(tmp_path: Path) -> None:
    assert Profile.load(tmp_path) is None
    Profile("Ada", "ko").save(tmp_path)
    Profile("Ада 가나", "ja").save(tmp_path)
    assert Profile.load(tmp_path) == Profile("Ада 가나", "ja")


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "[" * 60000, '{"name": 1}'),
        '{"name": "\\u001b", "language": "en"}',
        '{"name": "Ada", "language": "xx"}',
    ],
)
def test_a_damaged_profile_is_one_clear_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "profile.json").write_text(content)
    with pytest.raises(UnusableHome, match="damaged"):
        Profile.load(tmp_path)


def test_a_name_of_ten_thousand_characters_is_one_clear_line() -> None:
    with pytest.raises(HostlessError, match="32 characters, this one has 10000") as caught:
        clean_name("x" * 10_000)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("name", ["", "   ", "\x1b", "\u202e\u200b"])
def test_a_name_that_nobody_could_read_is_refused(name: str) -> None:
    with pytest.raises(NameRefused):
        clean_name(name)
    assert not is_clean_name(name)


@given(st.text(max_size=32))
def test_a_cleaned_name_is_clean_and_shows_no_control_characters(given_name: str) -> None:
    try:
        name = clean_name(given_name)
    except NameRefused:
        return
    assert is_clean_name(name)
    assert name.isprintable()
    assert 0 < len(name) <= 32


def test_a_name_with_commands_for_a_terminal_is_not_clean() -> None:
    assert not is_clean_name("Ada\x1b[2J")
    assert clean_name("Ada\x1b[2J") == "Ada [2J"


def test_words_are_the_same_on_every_machine() -> None:
    assert four_words(bytes(32)) == "gesture fashion develop dragon"


def test_two_identities_have_different_words() -> None:
    subjects = [number.to_bytes(32) for number in range(2000)]
    assert len({four_words(subject) for subject in subjects}) == len(subjects)
    assert all(len(four_words(subject).split()) == 4 for subject in subjects)
