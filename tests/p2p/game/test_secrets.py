"""Nothing that one seat has to keep is ever to be found where another seat could look."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from core.table import HIDDEN
from p2p.base.entry import parse_entry
from p2p.crypto.group import scalar_to_bytes
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.secrets_of import Watched, everything_in

OPENINGS = {"key", "unseal"}
LOOKS_EVERY_ENTRIES = 40


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def check_whole_game(room: Watched) -> None:
    """Play a whole game; look into every entry, and every so often into every machine."""
    published = b""
    for count, raw in enumerate(room.play()):
        entry = parse_entry(raw)
        for seat in range(len(room.replicas)):
            check_entry(room, seat, raw, published)
        if entry.kind in OPENINGS:
            assert all(replica.height >= entry.height for replica in room.replicas)
        published += raw
        if count % LOOKS_EVERY_ENTRIES == 0:
            check_machines(room, published)
    assert all(replica.is_over for replica in room.replicas)
    check_machines(room, published)


def check_entry(room: Watched, seat: int, raw: bytes, published: bytes) -> None:
    """No secret of `seat` is in an entry, but for those that it shows itself, when it is time."""
    entry = parse_entry(raw)
    for secret in room.kept[seat]:
        assert secret not in raw, f"{entry.kind} by {entry.seat} shows a secret of {seat}"
    for secret in room.shown_later[seat]:
        is_its_own = entry.seat == seat and entry.kind in OPENINGS
        is_old = secret in published
        assert secret not in raw or is_its_own or is_old, f"{entry.kind} opens too early"


def check_machines(room: Watched, published: bytes) -> None:
    """No replica holds a secret of another seat, but for those that were shown."""
    for replica in room.replicas:
        held = everything_in(replica)
        for seat in range(len(room.replicas)):
            if seat != replica.me:
                check_held(room, seat, held, published)
        check_observation(replica)


def check_held(room: Watched, seat: int, held: bytes, published: bytes) -> None:
    """Nothing of `seat` is in what another seat holds."""
    secret_keys = {
        scalar_to_bytes(replica.play.dealing.secrets[replica.me])
        for replica in room.replicas
        if replica.me == seat and replica.play.dealing is not None
    }
    for secret in room.kept[seat] | secret_keys:
        assert secret not in held, f"another seat holds a secret of {seat}"
    for secret in room.shown_later[seat]:
        assert secret not in held or secret in published, f"another seat knows a salt of {seat}"


def check_observation(replica: Replica) -> None:
    """A replica knows the faces of the cards that its seat has seen, and no other."""
    table, dealing = replica.play.table, replica.play.dealing
    if dealing is None or replica.me is None:
        return
    for card, eye in enumerate(dealing.observation):
        is_seen = table.face[card] != HIDDEN or table.seen[card] >> replica.me & 1
        assert is_seen or eye == HIDDEN or dealing.holder[card] == replica.me


def test_a_machine_is_searched_to_its_bottom(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """The search that finds nothing at the others finds everything that a seat holds itself."""
    room = Watched(monkeypatch, 2, seed, "beads")
    for _ in room.play():
        pass
    for replica in room.replicas:
        assert replica.me is not None and replica.play.dealing is not None
        held = everything_in(replica)
        assert room.vaults[replica.me].seed in held
        assert scalar_to_bytes(replica.play.dealing.secrets[replica.me]) in held
        assert room.shown_later[replica.me], "a game of beads has salts"
        assert all(secret in held for secret in room.shown_later[replica.me])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_secret_of_a_seat_is_in_an_entry_or_on_another_machine(
    monkeypatch: pytest.MonkeyPatch, players: int, seed: int
) -> None:
    for game in range(3):
        check_whole_game(Watched(monkeypatch, players, seed + game, "beads"))
        monkeypatch.undo()
        monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.mark.slow
def test_no_secret_of_a_seat_is_in_a_whole_game_of_carta(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    check_whole_game(Watched(monkeypatch, 2, seed, "carta"))


def test_the_public_file_holds_no_secret_of_any_seat(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    room = Watched(monkeypatch, 3, seed, "beads")
    for _ in room.play():
        pass
    path = tmp_path / "game.hostless"
    game_file = GameFile.create(path, room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    game_file.keep_evidence(1, "an accusation", room.replicas[1].entries.lately())
    game_file.close()
    content = path.read_bytes()
    for replica in room.replicas:
        assert replica.me is not None and replica.play.dealing is not None
        secrets = room.kept[replica.me] | {
            scalar_to_bytes(replica.play.dealing.secrets[replica.me])
        }
        assert not [secret for secret in secrets if secret in content]


def test_a_sealed_bid_shows_nothing_of_itself(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Equal bids look different, and no machine but its own has a bid before it is opened."""
    room = Watched(monkeypatch, 3, seed, "beads")
    room.chooser = lambda replica, actions: actions[0]
    seals = []
    for raw in room.play():
        entry = parse_entry(raw)
        if entry.kind == "seal":
            seals.append(entry.body)
        if entry.kind == "unseal":
            break
    assert len(set(seals)) == len(seals) == 3
    for replica, secrets in zip(room.replicas, room.vaults, strict=True):
        assert [each for each in secrets.hidden.values() if "bid" in each] == [["bid", [], 0]]
        assert not [entry for entry in replica.log if entry.kind == "unseal"]
