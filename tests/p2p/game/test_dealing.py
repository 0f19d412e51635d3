"""Cards among replicas: who can read what, and what a claim about hidden cards is worth."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.requests import Action, Card, Choice, Face, Reveal, Shuffle
from core.table import HIDDEN
from p2p.base.errors import BadProof
from p2p.crypto.masking import Masked
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import JOINT, OPEN, Dealing
from p2p.game.equivalents import any_equivalent, canonical, equivalents
from p2p.log.replica import Replica
from tests.p2p.room import Room

TRIES = 12  # Games in which something rare may happen; it does in most of them.


def dealing_of(replica: Replica) -> Dealing:
    """The cards of a replica, once the keys are agreed on."""
    assert replica.play.dealing is not None
    return replica.play.dealing


def hand(replica: Replica, seat: int) -> list[Card]:
    """The cards in a hand."""
    table = replica.play.table
    return table.zones[table.layout.zone_index[f"seat{seat}.hand"]]


def after_the_deal(players: int, seed: int) -> Room:
    """A room with a spectator, at the first choice; the spectator is the last replica."""
    room = Room(players, seed=seed)
    room.replicas.append(Replica(room.roster))
    room.run(until=lambda replica: isinstance(replica.play.request, Choice))
    return room


def test_a_hand_is_read_by_its_owner_alone() -> None:
    room = after_the_deal(3, seed=1)
    for replica in room.replicas:
        for seat in range(3):
            observation = [dealing_of(replica).observation[card] for card in hand(replica, seat)]
            assert observation
            hidden = [face == HIDDEN for face in observation]
            assert not any(hidden) if seat == replica.me else all(hidden)


def test_everybody_has_the_same_masks_and_holders() -> None:
    room = after_the_deal(3, seed=2)
    first = dealing_of(room.replicas[0])
    for replica in room.replicas[1:]:
        assert dealing_of(replica).holder == first.holder
        assert dealing_of(replica).masked == first.masked
    assert {JOINT, OPEN, 0, 1, 2} >= set(first.holder) > {JOINT}


def play_until(room: Room, happens: Callable[[Replica], bool]) -> bool:
    """Play on until something happens; whether it did before the end."""
    room.run(until=lambda replica: replica.is_over or happens(replica))
    return not room.replicas[0].is_over


def is_mix(replica: Replica) -> bool:
    """Whether a seat mixes its own cards now."""
    request = replica.play.request
    return isinstance(request, Shuffle) and request.player is not None


def test_a_mixed_hand_cannot_be_followed() -> None:
    """The same cards, and only the owner knows which is which; no mask is the old one."""
    room = after_the_deal(2, seed=3)
    assert play_until(room, is_mix)
    request = room.replicas[0].play.request
    assert isinstance(request, Shuffle) and request.player is not None
    (pile, *_) = request.piles
    owner, other = room.replicas[request.player], room.replicas[1 - request.player]
    before = [dealing_of(owner).masked[card] for card in pile]
    faces = sorted(dealing_of(owner).observation[card] for card in pile)
    events = len(owner.play.events)
    assert play_until(room, lambda replica: len(replica.play.events) > events)
    after = [dealing_of(owner).masked[card] for card in pile]
    points = {point for pair in before if pair is not None for point in (pair.a, pair.b)}
    assert not any(pair is None or pair.a in points or pair.b in points for pair in after)
    assert sorted(dealing_of(owner).observation[card] for card in pile) == faces
    assert all(dealing_of(other).observation[card] == HIDDEN for card in pile)


def is_pass(replica: Replica) -> bool:
    """Whether a card changes hands in secret now."""
    return replica.step is not None and replica.step.kind == "pass"


@pytest.fixture(scope="module")
def passing() -> Room:
    """A room of three with a spectator, just before a hidden card changes hands."""
    for seed in range(TRIES):
        room = after_the_deal(3, seed)
        prefer_religion(room)
        if play_until(room, is_pass):
            return room
    raise AssertionError("nobody ever takes a card in secret")


def prefer_religion(room: Room) -> None:
    """Let everybody collect and use what takes cards from others, when they can."""

    def choose(replica: Replica, actions: list[Action]) -> Action:
        table, observation = replica.play.table, dealing_of(replica).observation
        game = replica.play.game
        told = {action: game.describe(table, action, observation) for action in actions}
        wanted = [
            action for action in actions if "religion" in told[action] or "use" in told[action]
        ]
        return room.rng.choice(wanted or actions)

    room.chooser = choose


def test_cards_that_change_hands_in_secret_are_known_to_both_seats_and_nobody_else(
    passing: Room,
) -> None:
    room = passing
    request = room.replicas[0].play.request
    assert isinstance(request, Reveal | Shuffle) and request.player is not None
    cards = request.cards if isinstance(request, Reveal) else sum(request.piles, ())
    old, target = dealing_of(room.replicas[0]), request.player
    moved = [card for card in cards if old.holder[card] not in (JOINT, OPEN, target)]
    (source,) = {old.holder[card] for card in moved}
    masks = [old.masked[card] for card in moved]
    faces = sorted(observation_on(room, source, moved))
    events = len(room.replicas[0].play.events)
    assert play_until(room, lambda replica: len(replica.play.events) > events)
    assert sorted(observation_on(room, target, moved)) == faces
    for replica in room.replicas:
        if replica.me not in (source, target):
            assert all(dealing_of(replica).observation[card] == HIDDEN for card in moved)
    assert all(dealing_of(room.replicas[0]).holder[card] == target for card in moved)
    assert not set(masks) & set(dealing_of(room.replicas[0]).masked)


def observation_on(room: Room, seat: int, cards: list[Card]) -> list[Face]:
    """The faces of some cards as a seat knows them."""
    return [dealing_of(room.replicas[seat]).observation[card] for card in cards]


# ---- choices among equal cards ----


def test_which_of_several_equal_cards_is_chosen_says_nothing_about_the_others() -> None:
    """The rules offer the first; a seat signs any of them."""
    room = Room(2, seed=8)

    def has_equals(replica: Replica) -> bool:
        writer = next((each for each in room.replicas if is_choosing(each)), None)
        return writer is not None and len(chosen_by(writer, 1)[0]) > 1

    def is_choosing(replica: Replica) -> bool:
        return replica.may_write() and replica.step is not None and replica.step.kind == "choose"

    def chosen_by(replica: Replica, count: int) -> list[list[int]]:
        offer = replica.view().offers[0].action
        play, observation = replica.play, replica.play._dealing.observation
        equals = (
            equivalents(play.game, play.table, observation, offer.cards[0]) if offer.cards else []
        )
        signed = [replica.write(offer).body for _ in range(count)]
        cards = [body[0][1][0] for body in signed if offer.cards and isinstance(body, list)]
        return [equals, cards]

    assert play_until(room, has_equals)
    writer = next(each for each in room.replicas if is_choosing(each))
    equals, cards = chosen_by(writer, 60)
    assert set(cards) == set(equals)


def test_every_disguise_of_an_action_stands_for_the_same_and_for_no_other() -> None:
    room = Room(2, seed=8)
    assert play_until(
        room,
        lambda replica: (
            len(replica.play.events) > 40 and any(each.view().offers for each in room.replicas)
        ),
    )
    writer = next(each for each in room.replicas if each.view().offers)
    play, observation = writer.play, writer.play._dealing.observation
    legal = [offer.action for offer in writer.view().offers]
    plain = [canonical(play.game, play.table, observation, action) for action in legal]
    assert len(set(plain)) == len(legal)
    for action, known in zip(legal, plain, strict=True):
        for _ in range(10):
            disguised = any_equivalent(play.game, play.table, observation, action)
            assert canonical(play.game, play.table, observation, disguised) == known


# ---- claims ----


def check_claim(dealing: Dealing, cards: list[int], faces: list[int], proof: bytes) -> None:
    """Verify a claim of seat 0 as everybody does: noted at once, verified with the obligations."""
    dealing.check_claim(0, cards, faces, proof)
    for obligation in dealing.obligations:
        obligation.verify()


def test_a_claim_is_proven_for_what_is_true_and_for_nothing_else() -> None:
    room = after_the_deal(2, seed=4)
    owner, other = room.replicas[:2]
    mine = dealing_of(owner)
    cards = hand(owner, 0)
    faces = sorted({mine.observation[card] for card in cards})
    missing = [face for face in range(len(mine.points)) if face not in faces]
    proof = mine.prove_claim(cards, [*faces, missing[0]])
    check_claim(dealing_of(other), cards, [*faces, missing[0]], proof)
    false = missing if len(missing) > 1 else [*missing, *faces[:0]]
    with pytest.raises(ProofError):
        check_claim(dealing_of(other), cards, false, proof)
    with pytest.raises(ProofError):
        check_claim(dealing_of(other), cards, [*faces, missing[0]], proof[::-1])


def test_a_claim_about_somebody_elses_cards_is_refused() -> None:
    room = after_the_deal(2, seed=5)
    mine = dealing_of(room.replicas[0])
    cards, faces = hand(room.replicas[0], 0), range(len(mine.points))
    proof = mine.prove_claim(cards, faces)
    with pytest.raises(ProofError, match="somebody else"):
        dealing_of(room.replicas[1]).check_claim(1, cards, faces, proof)


def test_a_claim_proven_at_one_step_is_worth_nothing_at_another() -> None:
    room = after_the_deal(2, seed=6)
    mine = dealing_of(room.replicas[0])
    cards, faces = list(hand(room.replicas[0], 0)), list(range(len(mine.points)))
    proof = mine.prove_claim(cards[:1], faces)
    events = len(room.replicas[0].play.events)
    assert play_until(room, lambda replica: len(replica.play.events) > events)
    if mine.holder[cards[0]] == 0:
        with pytest.raises(ProofError):
            check_claim(dealing_of(room.replicas[1]), cards[:1], faces, proof)


def test_no_two_cards_ever_have_the_same_mask(seed: int) -> None:
    """A copy of a mask would be the same card twice."""
    room = after_the_deal(2, seed % 1000)
    rng = random.Random(seed)
    for _ in range(20):
        events = len(room.replicas[0].play.events) + rng.randrange(1, 4)
        if not play_until(room, lambda replica, least=events: len(replica.play.events) >= least):
            break
        masks: list[Masked] = [pair for pair in dealing_of(room.replicas[0]).masked if pair]
        assert len({(pair.a, pair.b) for pair in masks}) == len(masks)


# ---- "I cannot play any card" ----


def stuck(
    monkeypatch: pytest.MonkeyPatch, spared: int
) -> tuple[Replica, Replica, tuple[list[Card], list[Face]]]:
    """Somebody at whom every domain in hand is embargoed, but so many; who listens; the hand."""
    faces: list[Face] = []
    while len(faces) <= spared:  # The shuffle is nobody's: three cards may have one face.
        room = after_the_deal(2, seed=7)
        chooser = next(replica for replica in room.replicas if replica.may_write())
        listener = next(each for each in room.replicas if each is not chooser)
        assert chooser.me is not None
        cards = list(hand(chooser, chooser.me))
        faces = sorted({dealing_of(chooser).observation[card] for card in cards})
    bans = sum(1 << face for face in faces[spared:])
    for module in ("actions", "choices"):
        monkeypatch.setattr(f"core.games.carta.{module}.banned", lambda *_: bans)
    return chooser, listener, (cards, faces)


def test_who_cannot_play_any_card_proves_it_and_is_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chooser, listener, _ = stuck(monkeypatch, spared=0)
    (offer,) = chooser.play.view().offers
    assert offer.action == Action("skip")
    listener.receive(chooser.write(offer.action).raw)
    assert not listener.advance()
    verify_all(listener)
    assert listener.advance()
    assert dealing_of(listener).fairness.claims == 1


def verify_all(replica: Replica) -> None:
    """Verify what a replica has postponed."""
    assert replica.obligations, "there is something to verify"
    while replica.obligations:
        replica.verify_obligation(*replica.obligations.pop(0))


@pytest.mark.parametrize("is_proven_for_the_whole_hand", [True, False])
def test_who_could_play_a_card_and_says_otherwise_is_caught(
    monkeypatch: pytest.MonkeyPatch, *, is_proven_for_the_whole_hand: bool
) -> None:
    """Nobody sees the hand; the proof is for faces that are not embargoed, or there is none."""
    chooser, listener, (cards, faces) = stuck(monkeypatch, spared=1)
    assert Action("skip") not in [offer.action for offer in chooser.play.view().offers]
    proof = dealing_of(chooser).prove_claim(cards, faces) if is_proven_for_the_whole_hand else b""
    assert chooser.step is not None
    chooser.step = replace(chooser.step, write=lambda _: [["skip", [], 0], proof])
    listener.receive(chooser.write().raw)
    assert not listener.advance()
    with pytest.raises(BadProof, match="does not hold") as caught:
        verify_all(listener)
    assert caught.value.seat == chooser.me
