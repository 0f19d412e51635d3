"""Changed programs at real tables: every honest screen names the cheater, every file proves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.requests import Action, Reveal
from p2p.audit.audit import audit_file
from p2p.base.entry import Entry, parse_entry
from p2p.base.errors import PeerError
from p2p.crypto.masking import HINT_BYTES, cards_to_bytes, fresh_hint, open_form, parse_cards
from p2p.crypto.shuffle_proof import shuffle
from p2p.log.replica import Replica
from p2p.session.news import Accused
from p2p.session.session import Session
from tests.p2p.acknowledging import acknowledged
from tests.p2p.nodes import MakeSession, Person, has_entries, people, sitting_down
from tests.p2p.outspoken import Outspoken

pytestmark = pytest.mark.usefixtures("quick_proofs")

Forge = Callable[[Replica, object], object]
CHEAT = 1


def forging(kind: str, forge: Forge) -> type[Session]:
    """Sessions that put `forge(replica, honest body)` where an entry of this kind is due.

    They do not check what they write themselves before they send it.
    """

    class Forging(Session):
        async def _write(self) -> bool:
            step = self.replica.step
            if step is not None and step.kind == kind and self.replica.may_write():
                write = step.write

                def forged(action: Action | None) -> object:
                    return forge(self.replica, write(action))

                self.replica.step = replace(step, write=forged)
            return await super()._write()

        async def _advance(self) -> bool:
            await self._flush()
            return await super()._advance()

    return Forging


def stack(replica: Replica, body: object) -> object:
    """Shuffle a deck of which every card is the same."""
    dealing = replica.play.dealing
    assert dealing is not None and isinstance(body, list)
    inputs = [
        open_form(dealing.points[0], dealing.joint) for _ in parse_cards(body[0][:-HINT_BYTES])
    ]
    outputs, _ = shuffle(dealing.joint, inputs, fresh_hint())
    return [cards_to_bytes(outputs) + fresh_hint()]


def swap(replica: Replica, body: object) -> object:
    """Mix the hand, and put one card of it into the place of another."""
    match body:
        case [[bytes(cards), bytes(proof)], *rest]:
            _, second, *others = parse_cards(cards)
            return [[cards_to_bytes([second, second, *others]), proof], *rest]
    raise AssertionError("a mix is a list of piles")


def show_another_face(replica: Replica, body: object) -> object:
    """Bend the share of an opened card."""
    dealing, request = replica.play.dealing, replica.play.request
    assert dealing is not None and isinstance(request, Reveal) and isinstance(body, list)
    card = request.cards[0]
    pair = dealing.masked[card]
    assert pair is not None
    wanted = dealing.points[(dealing.observation[card] + 1) % len(dealing.points)]
    return [(pair.b - wanted).encoded, body[1]]


def replaying() -> Forge:
    """Send the first share a second time, for other cards."""
    said: list[object] = []

    def forge(_: Replica, body: object) -> object:
        said.append(body)
        return said[0]

    return forge


def play_a_strangers_card(replica: Replica, _: object) -> object:
    """Play from the hand of the next seat."""
    table = replica.play.table
    hand = table.zones[table.layout.zone_index["seat2.hand"]]
    return [["play", [hand[0]], 0], b""]


def claim_to_be_stuck(_: Replica, __: object) -> object:
    """Say that no card can be played."""
    return [["skip", [], 0], b""]


def sign_another_result(_: Replica, body: object) -> object:
    """Say at the end that somebody else has won."""
    assert isinstance(body, list)
    return [body[0], [CHEAT, 0]]


async def play_until_caught(party: list[Person], cheat: MakeSession) -> None:
    """Play with a changed program on the second seat until everybody else has named somebody."""
    async with sitting_down(party, cheats={CHEAT: cheat}):
        for person in party:
            if person is not party[CHEAT]:
                await person.until(lambda news: isinstance(news, Accused))
                await person.done.wait()
        party[CHEAT].stop()


def check_caught(party: list[Person]) -> None:
    """All but the cheater name it, and it alone; so does an audit of their files."""
    cheat = party[CHEAT]
    for person in party:
        if person is not cheat:
            assert person.accused == [cheat.name]
            assert isinstance(person.failure, PeerError)
            assert person.failure.peer == cheat.config.identity.public
            verdicts = audit_file(person.path).verdicts
            assert [each.is_honest for each in verdicts] == [each is not cheat for each in party]


@pytest.mark.parametrize(
    ("kind", "forge"),
    [
        ("shuffle", stack),
        ("open", show_another_face),
        ("share", replaying()),
        ("choose", play_a_strangers_card),
        ("choose", claim_to_be_stuck),
        ("mix", swap),
    ],
)
async def test_a_cheater_is_named_on_every_screen_and_proven_by_every_file(
    tmp_path: Path, kind: str, forge: Forge
) -> None:
    party = people(tmp_path, 3, seed=20)
    await play_until_caught(party, forging(kind, forge))
    check_caught(party)


async def test_a_bad_shuffle_between_two_is_named_although_its_author_goes_on_at_once(
    tmp_path: Path,
) -> None:
    """The cards that it deals show no face before its proof has been looked at."""

    def rubbish(replica: Replica, body: object) -> object:
        assert isinstance(body, list) and replica.play.dealing is not None
        joint = replica.play.dealing.joint
        cards = [open_form(joint, joint) for _ in parse_cards(body[0][:-HINT_BYTES])]
        return [cards_to_bytes(cards) + fresh_hint(), *body[1:]]

    party = people(tmp_path, 2, seed=21)
    await play_until_caught(party, forging("shuffle", rubbish))
    check_caught(party)


class TwoFaced(Outspoken):
    """Says one thing to the first seat and another to the rest, once."""

    async def _write(self) -> bool:
        step = self.replica.step
        mine = self.deciding.answer_of(None)
        if step is not None and step.is_choice and self.replica.may_write() and mine:
            self._twin = self._another(mine)
        return await super()._write()

    def _another(self, chosen: Action) -> Entry | None:
        offers = [offer.action for offer in self.replica.view().offers]
        others = [action for action in offers if action != chosen]
        return self.replica.write(others[0]) if others else None

    async def broadcast(self, message: list[object]) -> None:
        twin: Entry | None = getattr(self, "_twin", None)
        match message:
            case ["entry", bytes(raw)] if twin and twin.parent == parse_entry(raw).parent:
                await self.send(0, message)
                await self.send(2, ["entry", twin.raw])
            case _:
                await super().broadcast(message)


async def test_a_seat_that_says_two_things_is_named_by_both_who_heard_one(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=22)
    await play_until_caught(party, TwoFaced)
    check_caught(party)
    assert all("signed two entries" in str(person.failure) for person in (party[0], party[2]))


class OtherHead(Outspoken):
    """Says that it has a log that it never shows."""

    async def broadcast(self, message: list[object]) -> None:
        match message:
            case ["ack", *_] if self.replica.height > 20:
                message = acknowledged(self.replica, self.replica.height, bytes(32))
        await super().broadcast(message)


async def test_a_seat_that_speaks_of_a_log_which_it_cannot_show_only_stops_the_table(
    tmp_path: Path,
) -> None:
    """It proves nothing against anybody: the others wait for it, as if it were silent."""
    party = people(tmp_path, 3, seed=23)
    async with sitting_down(party, cheats={CHEAT: OtherHead}):
        for person in party:
            await person.until(has_entries(20))
        for person in party:
            person.stop()
    honest = [party[0], party[2]]
    assert not any(person.accused for person in honest)
    assert all(report.holds for report in (audit_file(person.path) for person in honest))
