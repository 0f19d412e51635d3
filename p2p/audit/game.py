"""A whole game from its file: keys, choices, rolls, cards, the result, the opened keys.

docs/spec/protocol.md, sections 9, 10 and 14, for somebody who only reads.  It reads from the first
entry to the last, or to where the file ends or something is wrong, and gives what it has found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from core.determinization import observation_of
from core.engine import apply_event, next_request, start
from core.games import find_game
from core.plain import parse_action
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Opened,
    Over,
    Player,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import RulesError
from p2p.audit.cards import Cards
from p2p.audit.escrow import read_escrow
from p2p.audit.findings import Decided, Fault, Reading, read_acks, read_claim, read_objections
from p2p.audit.going_back import EarlierChoice, GoneBack, WayBack
from p2p.audit.log import Damaged, Ended, Guilty, LogReader, Lost, ReadBody, T
from p2p.audit.renewal import read_renewal
from p2p.audit.seals import Seals, read_seal
from p2p.base.roster import DecisionPoint
from p2p.base.wire import encode
from p2p.crypto.commitments import check_opening, draw_below, mix
from p2p.crypto.group import Point, base, parse_scalars
from p2p.crypto.keys import joint_key, verify_possession
from p2p.crypto.transcript import ProofError, hash_bytes
from p2p.crypto.vrf import vrf_verify
from p2p.game.hurry import WHOLE, parse_part
from p2p.log.game_file import GameRecord
from p2p.log.notes import Evidence

_PROTOCOL: Final = "hostless/1"
_KEY_BYTES: Final = 32


def read_log(record: GameRecord, keys: Iterable[int] = ()) -> Reading:
    """What a record says and proves.

    `keys` are those that it shows, as an earlier reading has found them: with them one sees what
    the seats knew and chose that had them, and the proofs are believed.
    """
    return _Reader(record, keys).read()


class _Reader:
    """Reads one record; attributes are the state of the game so far."""

    def __init__(self, record: GameRecord, keys: Iterable[int]) -> None:
        self._roster, self._record = record.roster, record
        self._log = LogReader(record)
        self.game_id, self._shown = self._log.game_id, {base(key): key for key in keys}
        self.keys: Mapping[int, int] = {}  # Those of them that the seats have now.
        self._seats = tuple(range(len(record.roster.seats)))
        self._game = find_game(record.roster.game)
        self._table = start(self._game, len(self._seats), dict(record.roster.options))
        self._request = next_request(self._game, self._table)
        self._cards: Cards | None = None  # None until the keys are agreed on.
        self._chooser = 0  # Who chose last: whom a broken rule is due to.
        self._before: EarlierChoice | None = None  # While a choice has only turned up cards.
        self._way_back = WayBack(self._log.game_id)
        self._vrf_values = b""
        self._seals = Seals(self, self._log, self._game)
        # What was thought about, at a height.
        self._turns: dict[int, tuple[DecisionPoint, int]] = {}
        # By which part bots decide: as they said last, and as they had said when lots were drawn.
        self._said, self._parts = dict[int, int](), dict[int, int]()
        self._log.is_sealed = lambda: bool(self._seals.sealed)
        self._found = Reading()

    def read(self) -> Reading:
        """Everything, and then the accusations."""
        found = self._found
        try:
            self._read_keys()
            self._look()
            while not found.is_signed:
                try:
                    self._read_new_keys()
                    self._deal_anew()
                    self._read_events()
                    self._read_result()
                except Lost:
                    self._begin_anew()
            self._read_opened_keys()
            self._log.finish()
        except Ended as missing:
            found.missing = missing
        except Damaged as damage:
            found.stopped = found.damage = str(damage)
        except Guilty as guilty:
            found.stopped = self._convict(guilty)
        found.entries = len(self._log.entries)
        seating = self._log.seating
        found.replaced, found.agreed = seating.replaced, seating.agreed
        found.restored = {seat: place for seat, place in seating.restored.items()
                          if place > seating.replaced.get(seat, place)}  # fmt: skip
        found.withheld = {seat: each for seat, each in seating.withheld.items()
                          if seat in seating.replaced}  # fmt: skip
        found.shown, found.unshown = [*found.opened.values(), *seating.shown], seating.unshown
        found.guilty = self._seals.unfit | found.guilty
        if self._cards is not None:
            found.proven = self._cards.proven
        self._judge_notes()
        found.acknowledged, wrong = read_acks(self._log, self._record.roster, self._record.acks)
        found.damage = found.damage or wrong
        found.objections, wrong = read_objections(self._log, self._record.objections)
        found.damage = found.damage or wrong
        if not found.stopped:
            found.claim, wrong = read_claim(self._log, self._record.claim, is_over=found.is_signed)
            found.damage = found.damage or wrong
        return found

    def step(self, kind: str, writers: Sequence[int], read: ReadBody[T]) -> list[T]:
        """What each of the writers says in the current step."""
        return self._log.step(kind, writers, read, self._table if self._cards else None)

    def context(self, seat: int, purpose: str) -> bytes:
        """The context of a proof in the current step (section 11)."""
        said = [_PROTOCOL, self.game_id, self._log.height, seat, purpose]
        return hashlib.sha256(encode(said)).digest()

    # ---- who is to blame ----

    def _convict(self, guilty: Guilty) -> str:
        """Note a seat's first fault; what anybody could have signed for an open seat is damage."""
        seat, (place, offset) = self._roster.seats[guilty.seat], (None, guilty.offset)
        if offset is None:
            place, offset = self._log.last_of(guilty.seat)
        reason = f"{seat.shown_name}: {guilty.reason}"
        if seat.is_open:
            self._found.damage = self._found.damage or f"byte {offset}: {reason}"
        else:
            self._found.guilty.setdefault(guilty.seat, Fault(reason, place, offset))
        return reason

    def _judge_notes(self) -> None:
        """What was noted as evidence is judged by the entries in it, whatever it says itself."""
        found = self._found
        try:
            self._log.check_certificates()
        except Damaged as damage:
            found.damage = found.damage or str(damage)
        found.unproven += filter(None, map(self._judge, self._record.evidence))
        for note in self._log.convictions:  # Else whoever has a bot there could let anybody go.
            unproven = self._judge(note)
            found.damage = found.damage or unproven

    def _judge(self, note: Evidence) -> str:
        """What is wrong with an accusation; nothing, if what is in it convicts the seat."""
        found = self._found
        try:
            self._log.judge(note.offset, note.raws)
        except Guilty as guilty:
            self._convict(guilty)
        except Damaged as damage:
            found.damage = found.damage or str(damage)
        name = self._roster.seats[note.seat].shown_name
        unproven = f"byte {note.offset}: nothing here proves it against {name}"
        return "" if note.seat in found.guilty else unproven

    # ---- keys: sealed by all before any is shown ----

    def _read_keys(self) -> None:
        context = self.context(0, "key")
        possessions = [self.context(seat, "possession") for seat in self._seats]
        seals = self.step("key seal", self._seats, read_seal)

        def read(seat: int, body: object) -> Point:
            match body:
                case [bytes(encoded), bytes(proof), bytes(salt)]:
                    check_opening(seals[seat], context, seat, encoded, salt)
                    key = Point.parse(encoded)
                    verify_possession(key, possessions[seat], proof)
                    return key
            raise ProofError("a key, its proof and the opening were expected")

        seating = self._log.seating
        seating.publics = self.step("key", self._seats, read)
        try:
            joint_key(seating.publics)
        except ProofError as error:  # One honest key is enough to prevent it.
            raise Guilty(seating.live[-1], str(error)) from error
        self._cards = Cards(self, self._table, list(self._publics), is_believed=bool(self._shown))
        self._log.trial = self._cards.trial
        seating.may_lose, seating.has_unproven = self._may_deal_anew, self._cards.has_unproven
        self._use_keys()

    @property
    def _publics(self) -> Sequence[Point]:
        """The keys of all seats as they are now."""
        return self._log.seating.publics

    def _use_keys(self) -> None:
        keys = enumerate(self._publics)
        self.keys = {seat: self._shown[key] for seat, key in keys if key in self._shown}

    # ---- seats that change hands ----

    def _may_deal_anew(self) -> bool:
        return not self._found.is_signed and self._dealt.can_be_dealt_anew()

    def _begin_anew(self) -> None:
        """The current step is void: the current request is answered from its beginning."""
        before, seating = self._before, self._log.seating
        if before is not None and before.request.player in seating.lost:
            self._take_back()  # Nobody can show the cards that it chose.
        if seating.lost:
            self._way_back.forget()
            self._dealt.use_keys(self._publics)
        for seat in (*self._log.gone, *seating.returning):
            self._seals.sealed.pop(seat, None)
            seating.drawn_for = () if seat in seating.drawn_for else seating.drawn_for
        self._log.gone.clear()
        seating.bound = set()
        self._use_keys()

    def _deal_anew(self) -> None:
        seating, events = self._log.seating, len(self._found.events)
        if seating.lost:
            dealt = self._dealt.deal_anew(seating.lost, seating.live)
            self._found.dealt += [(events, each) for each in dealt]
            seating.lost.clear()
            self._before = None

    def _read_new_keys(self) -> None:
        """The keys of owners who are back (section 18)."""
        for seat, named in sorted(self._log.seating.returning.items()):
            cards, old = self._dealt, self._log.seating.known[seat]
            read = partial(read_renewal, self, cards.before_renewal(old, named))
            (renewal,) = self.step("new key", (seat,), read)
            self._log.seating.renew(seat, renewal.public)
            self._use_keys()
            self._way_back.forget()
            cards.renew(seat, old, renewal)
            del self._log.seating.returning[seat]

    @property
    def _dealt(self) -> Cards:
        assert self._cards is not None, "no card is dealt before the keys are agreed on"
        return self._cards

    # ---- requests and their answers ----

    def _read_events(self) -> None:
        while not isinstance(self._request, Over):
            read_escrow(self, self._roster, self._log.seating)
            self._dealt.shuffle_anew()
            request = self._request
            if not (isinstance(request, Reveal) and request.player is None):
                self._before = None
            try:
                event = self._answer(request)
            except GoneBack as agreed:
                self._go_back(agreed.before)
                continue
            if isinstance(request, Choice):
                self._remember(request)
            try:
                self._request = apply_event(self._game, self._table, request, event)
            except RulesError as error:
                self._refuse(Guilty(self._chooser, str(error)))
                continue
            self._found.events.append((request, event))
            self._look()

    def _remember(self, request: Choice) -> None:
        events, live = len(self._found.events), tuple(self._log.seating.live)
        table, cards = self._table.copy(), self._dealt.now()
        is_owned = request.player not in self._log.seating.open
        self._before = EarlierChoice(events, request, table, cards, live, is_owned)
        self._way_back.note(self._before)

    def _go_back(self, before: EarlierChoice) -> None:
        """All agreed that the game is as it was at a choice of somebody."""
        self._found.taken_back.append(before.request.player)
        self._dealt.go_back(before.table, before.cards)
        self._undo_to(before)
        self._turns, self._log.seating.drawn_for, self._log.seating.bound = {}, (), set()

    def _refuse(self, guilty: Guilty) -> None:
        """A choice was forbidden, as its cards show: it is void, and the seat has to choose anew.

        Raises:
            Guilty: it is too late for that.
            Damaged: anybody could have signed it.
        """
        if self._before is None:
            raise guilty
        if not self._before.is_owned:
            raise Damaged(self._log.entries[-1][0], guilty.reason)
        self._convict(guilty)
        self._take_back()

    def _take_back(self) -> None:
        before = self._before
        assert before is not None, "there is a choice to take back"
        self._dealt.take_back(before.table, before.cards.holder)
        self._undo_to(before)

    def _undo_to(self, before: EarlierChoice) -> None:
        self._request, self._table, self._before = before.request, before.table, None
        self._way_back.forget(before.events)
        del self._found.events[before.events :]
        del self._found.observations[before.events + 1 :]

    def _look(self) -> None:
        if self._shown:
            self._found.observations.append(self._dealt.observation[:])

    def _answer(self, request: Request) -> Event:
        match request:
            case Choice(player):
                return Chosen(*self._choose(player))
            case Secret(players):
                return Opened(tuple(self._choose_secretly(players)))
            case Roll(sides):
                return Rolled(draw_below(self._draw("roll"), sides))
            case Shuffle():
                self._dealt.shuffle(request)
                return Shuffled()
            case Reveal():
                return Revealed(self._dealt.reveal(request))
        raise AssertionError("a game that is over asks for nothing")

    # ---- choices ----

    def _choose(self, player: Player) -> list[Action]:
        self._draw_vrf_values((player,))
        self._note_turns((player,))
        (said,) = self.step("choose", (player,), self._read_choice)
        if isinstance(said, EarlierChoice):
            raise GoneBack(said)
        action, part = said
        self._said[player] = part
        return self._decide((player,), [action])

    def _choose_secretly(self, players: tuple[Player, ...]) -> list[Action]:
        """Persons seal first; then lots are drawn for bots, which seal."""
        sealed, gone = self._seals.sealed, self._log.seating.open
        persons = [seat for seat in players if seat not in sealed and not self._is_bot(seat)]
        if persons:
            self._note_turns(persons)
            seals = self._seals.read_seals(persons)
            sealed |= {seat: seal for seat, seal in seals.items() if seat not in gone}
        bots = [seat for seat in players if seat not in sealed]
        if bots:
            self._draw_vrf_values(players)
            self._note_turns(bots)
            sealed |= self._seals.read_seals(bots)
            self._log.seating.bound = set()
        actions = self._seals.read_choices(players, self._table, self._dealt.seen_with)
        return self._decide(players, actions)

    def _note_turns(self, seats: Sequence[Player]) -> None:
        self._log.change_hands(self._table)
        height = len(self._log.entries)
        self._turns |= {seat: (self._turn(seat), height) for seat in seats if seat in self.keys}

    def _decide(self, players: tuple[Player, ...], actions: list[Action]) -> list[Action]:
        chosen, turns = dict(zip(players, actions, strict=True)), self._turns
        self._found.decided += [
            Decided(turns[seat][0], chosen[seat], turns[seat][1])
            for seat in players
            if seat in turns
        ]
        seating = self._log.seating
        self._turns, self._chooser, seating.bound = {}, players[0], set()
        if players != seating.drawn_for or len(players) > 1:
            seating.drawn_for = ()
        return actions

    def _turn(self, seat: int) -> DecisionPoint:
        """What a seat with a known key had before it when it chose (section 10)."""
        key = self.keys[seat].to_bytes(_KEY_BYTES, "little")
        at = len(self._found.events).to_bytes(4, "little")
        drawn = hash_bytes("hostless/bot/1", self.game_id, key, self._vrf_values, at, size_bytes=8)
        table, seed = self._table.copy(), int.from_bytes(drawn, "little")
        observation = observation_of(table, self._dealt.observation, seat)
        count, bot_terms = len(self._found.events), self._roster.seats[seat].bot_terms
        is_played_for = seat in self._log.seating.open and not self._roster.seats[seat].is_open
        if is_played_for and self._roster.replacement is not None:
            bot_terms = self._roster.replacement.bot_terms
        part = self._parts.get(seat, WHOLE) if self._may_hurry(seat) else WHOLE
        return DecisionPoint(self._game, table, observation, seat, count, seed, bot_terms, part)

    def _read_choice(self, seat: int, body: object) -> EarlierChoice | tuple[Action, int]:
        if (before := self._read_take_back(seat, body)) is not None:
            return before
        match body:
            case [value, bytes(proof), *said]:
                action = parse_action(value)
                part = parse_part(said, may_hurry=self._may_hurry(seat))
                claim = self._game.claim(self._table, seat, action)
                if claim is not None and claim.cards:
                    self._dealt.check_claim(seat, claim.cards, claim.faces, proof)
                elif proof:
                    raise RulesError("proved something that nobody asked about")
                apply_event(self._game, self._table.copy(), self._request, Chosen(action))
                return action, part
        raise RulesError("a choice is an action and a proof")

    def _read_take_back(self, seat: int, body: object) -> EarlierChoice | None:
        """Where the table goes back to: to a person's choice, with the keys and seats of now."""
        live, seats = tuple(self._log.seating.live), self._roster.seats
        persons = {at: seats[at].identity for at in live if not self._is_bot(at)}
        needed = {at: identity for at, identity in persons.items() if at != seat}
        before = self._way_back.read(body, needed, self._log.height)
        if before is None:
            return None
        is_mine = before.request.player in persons and seat in live and before.live == live
        if not is_mine:
            raise RulesError("goes back to where nobody can")
        return before

    # ---- what all draw together ----

    def _draw_vrf_values(self, players: tuple[Player, ...]) -> None:
        """Before a bot chooses, unless nobody else has chosen since it was the only one."""
        seating = self._log.seating
        seating.bound = {player for player in players if self._is_bot(player)}
        if not seating.bound or players == seating.drawn_for:
            return
        self._vrf_values = self._draw("lot")
        self._parts = self._said.copy()
        seating.drawn_for = players

    def _draw(self, kind: str) -> bytes:
        """What all seats make together: the VRF values of their keys, mixed."""
        place = self.context(0, kind)

        def read(seat: int, body: object) -> bytes:
            if not isinstance(body, bytes):
                raise ProofError("a VRF value and its proof were expected")
            return vrf_verify(self._publics[seat], place, body, self.context(seat, kind))

        return mix(place, self.step(kind, self._seats, read))

    # ---- the end ----

    def _read_result(self) -> None:
        self._found.winners = winners = self._game.winners(self._table)
        result = encode([list(self._game.scores(self._table)), list(winners)])

        def read(seat: int, body: object) -> None:
            if encode(body) != result:
                raise RulesError("signed another result than the rules give")

        self.step("finish", self._seats, read)
        self._found.is_signed = True

    def _read_opened_keys(self) -> None:
        writers = [seat for seat in self._seats if self._opens_key(seat)]
        if writers:
            self._found.opened = dict(zip(writers, self._read_secrets(writers), strict=True))

    def _read_secrets(self, writers: Sequence[int]) -> list[int]:
        while True:
            try:
                return self.step("open keys", writers, self._read_secret)
            except Lost:  # The result stays: who goes now does so at this step.
                self._log.gone.clear()

    def _opens_key(self, seat: int) -> bool:
        return self._roster.opens_hands or self._is_bot(seat)

    def _is_bot(self, seat: int) -> bool:
        return self._roster.seats[seat].is_bot or seat in self._log.seating.open

    def _may_hurry(self, seat: int) -> bool:
        return self._roster.seats[seat].is_bot and seat not in self._log.seating.open

    def _read_secret(self, seat: int, body: object) -> int:
        if not isinstance(body, bytes) or len(body) != _KEY_BYTES:
            raise ProofError("the secret of a key was expected")
        (secret,) = parse_scalars(body, 1)
        if base(secret) != self._publics[seat]:
            raise ProofError("opened another key than it played with")
        return secret
