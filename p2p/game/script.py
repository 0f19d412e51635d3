"""What a game writes, step by step: keys, choices, secrets, rolls, cards, the result.

This is the protocol as it reads.  Every request of the rules becomes one or more steps, and the
values that the seats wrote become the event that answers it.  Who has written, in which order and
on top of what is the business of `p2p.log.replica`.
"""

from __future__ import annotations

from functools import partial
from typing import cast

from core.engine import apply_event
from core.plain import parse_action, plain_action
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Opened,
    Over,
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
from p2p.base.roster import open_seed
from p2p.crypto.commitments import draw_below
from p2p.crypto.group import Point, base
from p2p.crypto.key_sharing import put_together
from p2p.crypto.keys import joint_key
from p2p.crypto.transcript import ProofError
from p2p.game.dealing import Dealing, GameKeys
from p2p.game.game_keys import (
    KEY_PURPOSE,
    Escrow,
    Holder,
    NamedKey,
    Own,
    agree_on_keys,
    joint_with,
    open_keys,
    secret_from,
    show_new_key,
    sign_result,
)
from p2p.game.going_back import (
    Consent,
    Mark,
    WentBack,
    before,
    check_agreed,
    kept,
    parse_take_back,
)
from p2p.game.hurry import WHOLE, parse_part, plain_part
from p2p.game.rebuilding import Rebuilding, may_rebuild
from p2p.game.sealing import choose_secretly
from p2p.game.state import GameState
from p2p.game.steps import Convicted, Offence, Script, SeatLost, Step, TakeBack


class Play(GameState):
    """The state of a game, and the script that moves it."""

    def script(self) -> Script[None]:
        """The whole game, from the keys to the signed result."""
        yield from self._agree_on_keys()
        while not self.is_signed:
            try:
                yield from self._show_new_keys()
                yield from self._rebuild()  # Not before: all know what lies under an old key.
                yield from self._play_on()
            except SeatLost:
                self.bound = frozenset()  # What was drawn stands: no return is worth a draw.
        yield from self._open_keys()

    def _show_new_keys(self) -> Script[None]:
        """Let owners who are back show new keys."""
        for seat in sorted(self.returning):
            yield from show_new_key(self._dealing, seat, self.returning[seat])
            del self.returning[seat]
            self._marks.clear()  # Also if it is a key that the seat had before.

    def _play_on(self) -> Script[None]:
        """From the current request, begun anew if a seat was lost, to the signed result."""
        while not isinstance(self.request, Over):
            yield from self._put_in_escrow()
            yield from self._dealing.shuffle_anew()
            request = self.request
            if not (isinstance(request, Reveal) and request.player is None):
                self._tentative = None
            try:
                event = yield from self._answer(request)
            except WentBack as agreed:
                self._go_back(agreed.mark)
                continue
            if isinstance(request, Choice):
                self._keep(request)
            try:
                self.request = self.narrator.apply(self.table, request, event, self.observation)
            except RulesError as error:
                self._refuse(error)
                continue
            self._note_bots(request)
            self.events.append((request, event))
            self._digest = None
            self._see(request, event)
        yield from sign_result(self.seats, self.game, self.table)
        self.is_signed = True

    def _keep(self, request: Choice) -> None:
        """Remember how the game stands at a choice: it may be void, or be taken back."""
        cards, live = self._dealing.now(), self.live
        mark = Mark(len(self.events), request, self.table.copy(), cards, live)
        self._tentative, self._marks = mark, kept(self._marks, mark)

    def _go_back(self, mark: Mark) -> None:
        """All agree that the game is as it was at a choice of somebody."""
        self._tentative = None
        self._dealing.go_back(mark.cards)
        self.taken_back.append(mark.request.player)
        self._undo_to(mark)
        self._drawn_for, self.bound = (), frozenset()

    def _refuse(self, error: RulesError) -> None:
        """What a seat chose was forbidden, as its cards show by now: it has to choose once more.

        Raises:
            RulesError: more has come of it already.
        """
        if self._tentative is None:
            raise error
        self.offences.append(Offence(self._tentative.request.player, str(error)))
        self._void_choice()

    def _void_choice(self) -> None:
        """Let the game be as it was at the last choice."""
        mark, self._tentative = self._tentative, None
        assert mark is not None, "there is a choice to take back"
        self._dealing.close_again(mark.cards.holder)
        self._undo_to(mark)

    def _undo_to(self, mark: Mark) -> None:
        self.request, self.table, self._digest = mark.request, mark.table, None
        self._marks = before(self._marks, mark.events)
        del self.events[mark.events :]
        self.by_bots = {each for each in self.by_bots if each[0] < mark.events}
        self.narrator.forget(mark.events)

    def _rebuild(self) -> Script[None]:
        """Deal anew what cannot be read any more."""
        if self.lost:
            lost = frozenset(self.lost)
            yield from Rebuilding(self._dealing, self.table, lost, self.live).script()
            self.lost.clear()
            self._digest = self._tentative = None

    def _see(self, request: Request, event: Event) -> None:
        match request, event:
            case Reveal(cards, None), Revealed(faces):
                for card, face in zip(cards, faces, strict=True):
                    self._dealing.observation[card] = face

    def _answer(self, request: Request) -> Script[Event]:
        match request:
            case Choice(player):
                yield from self.draw_vrf_values((player,))
                return Chosen((yield from self._choose(player)))
            case Secret(players):
                actions = yield from choose_secretly(self, players)
                self._note_choices(players)
                return Opened(actions)
            case Roll(sides):
                return Rolled(draw_below((yield from self._draw("roll")), sides))
            case Shuffle():
                yield from self._dealing.shuffle(self.table, request)
                return Shuffled()
            case Reveal(_, player):
                faces = yield from self._dealing.reveal(self.table, request)
                return Revealed(faces if player is None else ())
        raise AssertionError("a game that is over asks for nothing")

    # ---- keys ----

    def _agree_on_keys(self) -> Script[None]:
        def own() -> Own:
            return Own(self._writer, self._key(self._writer)[0], self._derive("key salt"))

        context = partial(self._context, height=0)
        publics = yield from agree_on_keys(self.seats, own, context)
        try:
            joint_key(publics)
        except ProofError as error:  # One honest key is enough to prevent it: all have cheated.
            raise Convicted(self.live[-1], str(error)) from error
        keys = {seat: self._key(seat) for seat in self._seeds}
        mine = self.me if self.me is not None and keys[self.me][1] == publics[self.me] else None
        secrets = {seat: keys[seat][0] for seat in keys if seat in (mine, *self.open_seats)}
        known = GameKeys(publics, secrets, mine)
        self.dealing = Dealing(self.game_id, self.table, known, self._context, self.owed)
        self._digest = None

    def _put_in_escrow(self) -> Script[None]:
        """Let all who are there agree on it, at first and whenever somebody has gone."""
        live = self.live
        is_wanted = self._roster.is_escrowed and self._roster.may_escrow(live)
        if not is_wanted or self.escrow.seats == live:
            return
        height = self.height
        context = partial(self._context, purpose="escrow", height=height)

        def holder() -> Holder:
            seat = self._writer  # Perhaps one that has gone since this began: all know its boxes.
            seed = self._derive("escrow") if seat in self.open_seats else self._seeds[seat]
            box = secret_from(seed, self.game_id, f"escrow {height}")
            return Holder(seat, self._dealing.secrets[seat], box)

        yield from self.escrow.agree(live, self._dealing.publics, holder, context)
        if self.me in self.live and self.has_key:
            self.escrow.take(holder(), context)

    def open_seat(self, seat: int, secret: int) -> None:
        """From now on everybody speaks for a seat whose key all know."""
        self._dealing.learn(seat, secret)
        if self._roster.seats[seat].is_bot and seat in self._drawn_for:
            self._drawn_for = ()  # Who ran it knew what another program makes of that.
        self.open_seats.add(seat)
        self.keyless.discard(seat)
        self.returning.pop(seat, None)

    def part_step(self) -> Step:
        """The step in which the others put the key of a seat together that is gone."""
        (seat,) = self.keyless
        return self.escrow.part_step(seat, self.live)

    def put_together(self, parts: tuple[object, ...]) -> int:
        """All have given their parts of the key of a seat: everybody speaks for it now."""
        (seat,) = self.keyless
        self.open_seat(seat, put_together(cast("tuple[int, ...]", parts)))
        return seat

    def restore_owner(self, seat: int, key: bytes, epoch: bytes) -> None:
        """A seat is its owner's again, who will show the new key that it named in an epoch.

        All keys go in escrow anew.

        Raises:
            ProofError: it is none that it may have.
        """
        public, secret = self.check_new_key(seat, key), None
        if seat == self.me and self._secrets is not None:
            self._seeds[seat] = self._secrets.seed
            mine = self.new_secret(epoch)
            secret = mine if base(mine) == public else None  # Or its secrets file was lost.
        self.open_seats.discard(seat)
        self.returning[seat] = NamedKey(public, secret)
        self.escrow = Escrow()
        self.forget_seal(seat)

    def check_new_key(self, seat: int, key: bytes) -> Point:
        """The key that an owner names to have its seat back; raises ProofError if it may not."""
        public = Point.parse(key)
        joint_with(self._dealing, seat, public)
        return public

    def new_secret(self, epoch: bytes) -> int:
        """The secret of the key that I name in an epoch of the table, to have my seat back."""
        assert self._secrets is not None, "whoever has a seat has secrets"
        purpose = f"{KEY_PURPOSE} {epoch.hex()}"
        return secret_from(self._secrets.seed, self.game_id, purpose)

    def forget_seal(self, seat: int) -> None:
        """Forget what a seat has sealed, by whoever spoke for it: it chooses once more.

        And what was drawn for it: with another key, or bot, that decides otherwise.
        """
        self.sealed.pop(seat, None)
        if seat in self._drawn_for:
            self._drawn_for = ()

    def may_lose(self, seat: int) -> bool:
        """Whether the others can go on without the key of a seat: see `p2p.game.rebuilding`."""
        if self.dealing is None or self.is_signed or seat in self.open_seats:
            return False
        return may_rebuild(self.dealing, self.table)

    def lose_seat(self, seat: int, nonce: bytes) -> None:
        """The key of a seat is lost: it gets that of an open seat with this nonce.

        The script has to be told by a `SeatLost`.

        Raises:
            ProofError: no deck can be made under the keys that are left.
        """
        if self._tentative is not None and self._tentative.request.player == seat:
            self._void_choice()  # Nobody can show the cards that it chose.
        self._seeds[seat] = open_seed(nonce)
        self._dealing.replace_key(seat, *self._key(seat))
        self._marks.clear()
        self.open_seats.add(seat)
        self.keyless.discard(seat)
        self.returning.pop(seat, None)
        self.lost.add(seat)
        self.forget_seal(seat)  # Nobody can open it.

    # ---- choices ----

    def _choose(self, player: int) -> Script[Action]:
        def read(seat: int, body: object) -> TakeBack | tuple[Action, int]:
            if (said_back := parse_take_back(body)) is not None:
                self._check_take_back(seat, said_back)
                return said_back
            match body:
                case [value, bytes(proof), *said]:
                    action = parse_action(value)
                    part = parse_part(said, may_hurry=self._may_hurry(seat))
                    claim = self.game.claim(self.table, seat, action)
                    if claim is not None and claim.cards:
                        self._dealing.check_claim(seat, claim.cards, claim.faces, proof)
                    elif proof:
                        raise RulesError("proved something that nobody asked about")
                    # Tried on a copy, so that what is against the rules is not in the log.
                    apply_event(self.game, self.table.copy(), self.request, Chosen(action))
                    return action, part
            raise RulesError("a choice is an action and a proof")

        def write(action: Action | TakeBack | None) -> object:
            if isinstance(action, TakeBack):
                return action.body()
            chosen = self._legal(action)
            claim = self.game.claim(self.table, self._writer, chosen)
            part = self.next_part if self._may_hurry(self._writer) else WHOLE
            if claim is None or not claim.cards:
                return [plain_action(chosen), b"", *plain_part(part)]
            proof = self._dealing.prove_claim(claim.cards, claim.faces)
            return [plain_action(chosen), proof, *plain_part(part)]

        values = yield Step("choose", (player,), read, write, is_choice=True)
        if isinstance(values[0], TakeBack):
            mark = self.mark(values[0].events)
            assert mark is not None, "that was looked at when it was read"
            raise WentBack(mark)
        action, part = cast("tuple[Action, int]", values[0])
        self._hurry.note(player, part)
        self._note_choices((player,))
        return action

    def _check_take_back(self, seat: int, said: TakeBack) -> None:
        """The table may go back there, and all persons but the writer have signed that.

        Raises:
            RulesError: not so.
        """
        if self.mark(said.events) is None or seat in self.open_seats:
            raise RulesError("goes back to where nobody can")
        needed = {at: identity for at, identity in self.persons().items() if at != seat}
        check_agreed(said, needed, Consent(self.game_id, self.height, said.events))

    def _note_choices(self, players: tuple[int, ...]) -> None:
        self.chooser, self.bound = players[0], frozenset()
        if players != self._drawn_for or len(players) > 1:
            self._drawn_for = ()  # The values are fresh for a bot until anybody else has chosen.

    # ---- the end ----

    def _open_keys(self) -> Script[None]:
        """Show the keys of bots, and of everybody if so agreed: now all can be looked at again."""
        bots = tuple(filter(self.is_bot, self.seats))
        if writers := self.seats if self._roster.opens_hands else bots:
            self.opened = yield from open_keys(writers, self._dealing)
