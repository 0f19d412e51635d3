"""Whose a signature is, as libsodium sees it."""

from __future__ import annotations

import ctypes
import tempfile
from pathlib import Path

import pytest

from core.errors import HostlessError
from p2p.crypto import sodium
from p2p.crypto.sodium import is_signed


@pytest.mark.parametrize(
    ("public", "signature", "message"),
    [  # RFC 8032, section 7.1: tests 1 to 3.
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            (
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
            "",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            (
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
            "72",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            (
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
            ),
            "af82",
        ),
    ],
)
def test_signatures_hold_as_the_standard_says(public: str, signature: str, message: str) -> None:
    key, signed, said = map(bytes.fromhex, (public, signature, message))
    assert is_signed(key, signed, said)
    for bit in range(0, 8 * len(signed), 37):
        bent = bytearray(signed)
        bent[bit // 8] ^= 1 << bit % 8
        assert not is_signed(key, bytes(bent), said)
    for other in (signed[:-1], signed + b"\0", signed[:32], b""):
        assert not is_signed(key, other, said)
    for other in (key[:-1], key + b"\0", bytes(32), b""):
        assert not is_signed(other, signed, said)
    assert not is_signed(key, signed, said + b"\0")


def test_nobody_has_a_key_for_which_everybody_can_sign() -> None:
    """With the neutral element as key, `R = s B` holds for every message."""
    neutral, generator = bytes([1, *bytes(31)]), bytes([0x58, *[0x66] * 31])
    one = (1).to_bytes(32, "little")
    assert not is_signed(neutral, generator + one, b"anything")


class NoExec:
    """A system on which libraries are loaded from some folders alone."""

    def __init__(self, patch: pytest.MonkeyPatch, allowed: set[Path]) -> None:
        self.tried: list[Path] = []
        self._allowed, self._load = allowed, ctypes.cdll.LoadLibrary
        patch.setattr(ctypes.cdll, "LoadLibrary", self.load)

    def load(self, name: str) -> ctypes.CDLL:
        self.tried.append(Path(name))
        if self.tried[-1].parent not in self._allowed:
            raise OSError(f"{name}: failed to map segment from shared object")
        return self._load(name)


def test_where_temporary_files_may_not_be_run_the_library_is_unpacked_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "first"))
    monkeypatch.setattr(sodium, "SPARE_FOLDERS", (tmp_path / "not there", tmp_path / "second"))
    system = NoExec(monkeypatch, {tmp_path / "second"})
    sodium._load()
    assert [path.parent for path in system.tried][::2] == [tmp_path / "first", tmp_path / "second"]
    assert not any(path.exists() for path in system.tried), "no copy is left"
    assert tempfile.tempdir == str(tmp_path / "first")


def test_where_nothing_may_be_run_one_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = NoExec(monkeypatch, set())
    with pytest.raises(HostlessError, match="failed to map segment") as caught:
        sodium._load()
    assert "TMPDIR" in caught.value.hint
    assert system.tried and not any(path.exists() for path in system.tried)
