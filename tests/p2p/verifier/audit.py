"""A whole game file: section 9 of the protocol, with what stands between its steps.

The rules of the game are an object with

    faces                  the face of each card, when all are still open
    request(events)        ("choice", seat)  ("secret", [seat, ..])  ("roll", sides)
                           ("shuffle", owner or None, [[card, ..], ..])
                           ("reveal", owner or None, [card, ..])  ("over", [scores], [winners])
    claim(events, action)  (cards, allowed faces) that the action claims of hidden cards, or None
    allow(events, seat, action)    refuses a secret choice that one seat may not make
    offers(events, seat, faces)    the secret choices of a seat that sees these faces of its cards:
                                   the first one of each that the rules offer, and all namings
    state(events)          the six sections of the public state (7.2), each as lists of integers
    narrow(events)         of each card in a zone of which claims show what it holds, these faces

where `events` are the answers so far: ("choice", action), ("secret", [action, ..]),
("roll", number), ("shuffle",), ("reveal", [face, ..] or None); and, which is no answer,
("dealt anew", owner or None, [card, ..]).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.p2p.verifier import proofs
from tests.p2p.verifier.cards import Card, Cards
from tests.p2p.verifier.group import base, little, scalar, wide
from tests.p2p.verifier.keys import Keys
from tests.p2p.verifier.log import Ended, Entry, Log, Roster, read_entry
from tests.p2p.verifier.members import Members
from tests.p2p.verifier.messages import contradictions
from tests.p2p.verifier.reading import Reading, Seal, Void
from tests.p2p.verifier.rebuilding import Rebuilding
from tests.p2p.verifier.records import judge_records, notes_of
from tests.p2p.verifier.seat_changes import SeatChanges
from tests.p2p.verifier.values import Refused, encode, need, signed

MARKS_MAX = 32  # Choices, the last ones, before which a table can go back.


class Mark(NamedTuple):
    """How the cards stood at a choice, and with whom."""

    seat: int
    is_open: bool
    answers: int
    cards: list[Card]
    live: list[int]


class Audit:
    """One reading of a file."""

    def __init__(self, records: list[Any], rules: Any) -> None:
        """`records` are the frames of the file."""
        (first, *self.records), self.rules = records, rules
        need(first[:1] == ["roster"] and len(first) == 2, "no roster at the beginning")
        self.value = first[1]
        self.roster = Roster(self.value)
        held = [record[1] for record in self.records if record[0] == "entry"]
        self.log = Log(self.roster, [read_entry(entry, self.roster) for entry in held])
        self.reading = Reading(self.log, rules)
        self.keys = Keys(self.reading)
        self.cards = Cards(self.reading, self.keys)
        notes, guilty = notes_of(self.records), self.reading.convicted
        self.members = Members(self.log, notes, guilty)
        self.members.judge = self.judge
        self.seat_changes = SeatChanges(self.reading, self.keys, self.cards, self.members)
        self.seat_changes.void_choice_of = self.void_choice_of
        self.reading.change_hands = self.seat_changes.change_hands
        self.marks: list[Mark] = []
        self.tentative: Mark | None = None
        self.has_new_key = False  # A seat, since what is JOINT was shuffled.
        self.opened_keys: dict[int, int] = {}
        self.result: Any = None
        self.missing = ""

    def run(self) -> Audit:
        """Read it all."""
        for seat, why in contradictions(self.log):
            raise Refused(seat, why)
        try:
            self.read()
            need(self.log.height == len(self.log.entries), "something stands behind the end")
        except Ended as ended:
            self.missing = str(ended)
        self.members.check_end()
        judge_records(self.records, self.members, self.reading)
        return self

    def read(self) -> None:
        self.keys.agree()
        while not self.reading.is_signed:
            try:
                self.prepare()
                self.answer()
            except Void:
                self.reading.bound = set()
        self.open_keys()

    def prepare(self) -> None:
        """What is due before a request is answered."""
        for seat in sorted(self.keys.returning):
            self.cards.show_new_key(seat, self.keys.secrets[seat])
            self.marks.clear()
            self.has_new_key = True
        if self.seat_changes.lost:
            self.marks.clear()
            Rebuilding(self.cards, self.seat_changes.lost).run()
            self.seat_changes.lost.clear()
            self.tentative, self.has_new_key = None, False
        self.keys.put_in_escrow()
        if self.has_new_key:
            self.cards.shuffle_anew()
            self.has_new_key = False

    def answer(self) -> None:
        """The steps of one request, and the event that answers it."""
        kind, *about = self.rules.request(self.reading.events)
        if kind != "reveal" or about[0] is not None:
            self.tentative = None
        event = getattr(self, "answer_" + kind)(*about)
        if event is not None:
            self.reading.events.append(event)
            self.judge_tentative()

    # -- Choices --

    def lots(self, seats: list[int]) -> None:
        self.reading.bound = {seat for seat in seats if self.log.is_bot(seat)}
        if self.reading.lots_for != seats:
            self.draw("lot")
            self.reading.lots_for = seats

    def draw(self, kind: str) -> list[bytes]:
        at = self.log.height
        return [
            self.reading.drawn(self.keys.publics[entry.seat], entry.seat, entry.body, (kind, at))
            for entry in self.reading.step(kind, self.roster.all)
        ]

    def chose(self, seats: list[int]) -> None:
        self.reading.bound = set()
        if seats != self.reading.lots_for or len(seats) > 1:
            self.reading.lots_for = []

    def answer_choice(self, seat: int) -> Any:
        if self.log.is_bot(seat):
            self.lots([seat])
        at = self.log.height
        (entry,) = self.reading.step("choose", [seat])
        if isinstance(entry.body, list) and entry.body[:1] == ["take back"]:
            return self.take_back(entry, at)
        self.mark(seat)
        self.chose([seat])
        is_body = isinstance(entry.body, list) and len(entry.body) in (2, 3)
        self.reading.need(is_body, "a body of another form", seat)
        action, proof, *part = entry.body
        hurried = self.roster.bots[seat] and not self.log.is_open(seat) and part in ([3], [10])
        self.reading.need(not part or hurried, "a part that is none", seat)
        self.claim(seat, action, proof, at)
        return ("choice", action)

    def claim(self, seat: int, action: Any, proof: Any, at: int) -> None:
        with self.reading.of(seat):
            claim = self.rules.claim(self.reading.events, action)
        if claim is None:
            return self.reading.need(proof == b"", "a proof of nothing", seat)
        numbers, faces = claim
        held_by_it = {n for n, card in enumerate(self.cards.cards) if card.holder == seat}
        self.reading.need(held_by_it.issuperset(numbers), "a claim about another's cards", seat)
        cards = [self.cards.cards[number] for number in numbers]
        held, points = [c.pair for c in cards], [self.reading.face_point(f) for f in faces]
        about = self.keys.publics[seat], held, points, proof, self.reading.ctx(seat, "claim", at)
        return self.reading.holds(seat, proofs.one_of_many, *about)

    # -- Going back, and choices that are void --

    def mark(self, seat: int) -> None:
        """Remember how the cards stand at a choice."""
        answers = self.reading.answers()
        is_open, live = self.log.is_open(seat), [*self.log.live]
        self.tentative = Mark(seat, is_open, answers, self.cards.copies(), live)
        self.forget_marks(answers)
        self.marks = [*self.marks, self.tentative][-MARKS_MAX:]

    def forget_marks(self, answers: int) -> None:
        self.marks = [mark for mark in self.marks if mark.answers < answers]

    def take_back(self, entry: Entry, at: int) -> None:
        _, answers, signatures = self.reading.items(entry, 3)
        seat, need = entry.seat, self.reading.need
        need(type(answers) is int and isinstance(signatures, list), "another form", seat)
        found = [
            mark for mark in self.marks
            if mark.live == self.log.live and not self.log.is_bot(mark.seat)
            and mark.answers == answers
        ]  # fmt: skip
        need(found and not self.log.is_open(seat), "goes back to where nobody can", seat)
        said = b"hostless take back" + encode([self.roster.id, at, answers, True])
        asked = [j for j in self.log.live if j != seat and not self.log.is_bot(j)]
        given = {j: each for j, each in enumerate(signatures) if each is not None}
        keys = self.roster.keys
        agreed = [*given] == asked and all(signed(keys[j], given[j], said) for j in asked)
        need(agreed, "not all agree to go back", seat)
        self.cards.cards = [*found[0].cards]
        self.go_to(answers)
        self.reading.lots_for, self.reading.bound = [], set()

    def go_to(self, answers: int) -> None:
        """Only so many requests have been answered."""
        events = self.reading.events
        while self.reading.answers() > answers:
            events.pop()
        self.forget_marks(answers)
        self.tentative = None

    def void_choice_of(self, seat: int) -> None:
        """A seat is lost: nobody can show the cards that it chose."""
        if self.tentative is not None and self.tentative.seat == seat:
            self.void_choice(self.tentative)

    def void_choice(self, mark: Mark) -> None:
        self.cards.close_again(mark.cards)
        self.go_to(mark.answers)

    def judge_tentative(self) -> None:
        """A choice that the rules refuse, now that the cards of it lie open, is void."""
        try:
            self.rules.request(self.reading.events)
        except Refused as refused:
            mark, is_shown = self.tentative, self.reading.events[-1][0] == "reveal"
            if mark is None or not is_shown:
                with self.reading.of(refused.seat):
                    raise
            need(not mark.is_open, refused.why)
            self.reading.convicted[mark.seat] = refused.why
            self.void_choice(mark)

    # -- Secrets --

    def answer_secret(self, seats: list[int]) -> Any:
        seals = self.reading.seals
        persons = [j for j in seats if j not in seals and not self.log.is_bot(j)]
        if persons:
            self.seal(persons)
        for seat in persons:  # Whoever has taken a place there seals again, behind the lots.
            if self.log.is_open(seat):
                seals.pop(seat, None)
        others = [j for j in seats if j not in seals]
        if others:
            self.lots(seats)
            self.seal(others)
            self.reading.bound = set()
        actions = [self.unseal(entry) for entry in self.reading.step("unseal", seats)]
        if len(actions) < len(seats):
            raise Ended("not all have opened what they have sealed")
        seals.clear()
        self.chose(seats)
        return ("secret", actions)

    def seal(self, seats: list[int]) -> None:
        at = self.log.height
        for entry in self.reading.step("seal", seats):
            is_owners = not self.log.is_open(entry.seat)
            seal = Seal(at, self.reading.sealed(entry), is_owners)
            self.reading.seals[entry.seat] = seal

    def unseal(self, entry: Entry) -> Any:
        action, drawn = self.reading.items(entry, 2)
        seat, sealed = entry.seat, self.reading.seals[entry.seat]
        short = len(encode(action)) <= 4096
        self.reading.need(short, "a value too long to be sealed", seat)
        public, place = self.keys.publics[seat], ("salt", sealed.height)
        salt = self.reading.drawn(public, seat, drawn, place)
        ctx = self.reading.ctx(0, "secret", sealed.height)
        said = self.reading.commitment(seat, ctx, salt, encode(action))
        if sealed.is_owners and self.log.is_open(seat) and said != sealed.seal:
            first, fits = self.followed(seat, sealed, ctx, salt)
            self.reading.need(not fits, "another choice fits what was sealed", seat)
            need(encode(action) == first, "nothing fits the seal, and this is not the first offer")
            self.reading.convicted[seat] = "it has sealed what the rules do not offer"
        else:
            fits = sealed.seal == said
            self.reading.need(fits, "what was sealed is another action", seat)
        with self.reading.of(seat):
            self.rules.allow(self.reading.events, seat, action)
        return action

    def followed(self, seat: int, sealed: Seal, ctx: bytes, salt: bytes) -> tuple[bytes, bool]:
        """The first choice that a seat was offered, whose key all know; and whether any fits."""
        secret = self.keys.secrets[seat]
        held = {n: card for n, card in enumerate(self.cards.cards) if card.holder == seat}
        faces = {n: self.cards.read(card.pair, secret) for n, card in held.items()}
        offers = [encode(each) for each in self.rules.offers(self.reading.events, seat, faces)]
        opened = [self.reading.commitment(seat, ctx, salt, each) for each in offers]
        return offers[0], sealed.seal in opened

    # -- Rolls and cards --

    def answer_roll(self, sides: int) -> Any:
        ctx = self.reading.ctx(0, "roll", self.log.height)
        seed, k = wide("hostless/mix/1", 32, ctx, *self.draw("roll")), 0
        w = 8 + (sides.bit_length() + 7) // 8
        while True:
            said = (seed, little(sides, 9), little(k, 4))
            number = int.from_bytes(wide("hostless/draw/1", w, *said), "little")
            if number < 256**w // sides * sides:
                return ("roll", number % sides)
            k += 1

    def answer_shuffle(self, owner: int | None, piles: list[list[int]]) -> Any:
        self.cards.shuffle(owner, piles)
        return ("shuffle",)

    def answer_reveal(self, to: int | None, numbers: list[int]) -> Any:
        if to is None:
            return ("reveal", self.cards.reveal_to_all(numbers))
        self.cards.reveal_to(to, numbers)
        return ("reveal", None)

    def judge(self, entry: Entry) -> str:
        """How an entry beside the log breaks a rule, at the step that it answers; or nothing."""
        at = entry.height
        if at not in self.log.items or self.log.items[at].head != entry.parent:
            return ""
        kept = [each for each in self.records if each[0] == "in force" and each[1] <= at]
        raws = [each[1] for each in self.records if each[0] == "entry"][:at]
        raws.append(encode([entry.payload, entry.signature]))
        entries = [["entry", raw] for raw in raws]
        alone = Audit([["roster", self.value], *entries, *kept], self.rules)
        alone.log.is_last_alone = True
        try:
            alone.read()
        except Ended:
            return ""
        except Refused as refused:
            return refused.why if refused.seat == entry.seat else ""
        return ""

    # -- The end --

    def answer_over(self, scores: Sequence[int], winners: Sequence[int]) -> None:
        self.result = [scores, winners]
        for entry in self.reading.step("finish", self.roster.all):
            same = encode(entry.body) == encode(self.result)
            self.reading.need(same, "another result", entry.seat)
        self.reading.is_signed = True

    def open_keys(self) -> None:
        bots = [j for j in self.roster.all if self.log.is_bot(j)]
        due = self.roster.all if self.roster.opens_hands else bots
        for entry in self.reading.step("open keys", due) if due else []:
            with self.reading.of(entry.seat):
                x = self.opened_keys[entry.seat] = scalar(entry.body)
                need(base(x) == self.keys.publics[entry.seat], "another key than its own")

    def hands(self) -> dict[int, int]:
        """The faces of the cards that those hold at the end who have opened their keys."""
        found = {}
        for number, card in enumerate(self.cards.cards):
            if card.holder in self.opened_keys:
                face = self.cards.read(card.pair, self.opened_keys[card.holder])
                need(face is not None, f"card {number} has no face")
                found[number] = face
        return found

    def lines(self) -> list[str]:
        """The account of it: what was opened, who went, and that every proof holds."""
        shown = [
            (at, f"card {card} ({how}) is face {face}") for at, card, face, how in self.cards.opened
        ]
        told = [f"at {at}: {what}" for at, what in sorted([*shown, *self.reading.told])]
        guilty = [f"seat {seat} has cheated: {why}" for seat, why in self.reading.convicted.items()]
        is_over = self.reading.is_signed and not self.missing
        end = f"the result is {self.result}" if is_over else f"not over: {self.missing}"
        return [*told, *guilty, f"all {self.reading.proofs} proofs hold; {end}"]
