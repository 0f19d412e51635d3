"""A table as the things one draws, before anything is drawn: what the screen and the text share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from core.requests import Player
from core.view import CardView, View
from p2p.net.announcements import TableAd
from p2p.session.news import SeatState, TableChanged
from ui.away import is_cut_off, waiting_text
from ui.games import look_of
from ui.look import Look, Pile, PileNote
from ui.notes import NOTED
from ui.picks import CardPick, Held, hand_of, make_picks
from ui.sentences import bot_marks, seat_name, with_bot
from ui.text import Words

HIDDEN_ZONES: Final = ("hand", "playing", "embargo", "democracy", "kept")  # Told in other words.
DOING: Final = {  # What the machines are at, by the first word of what the node calls it.
    "key": "keys",
    "keys": "keys",
    "shuffle": "shuffling",
    "shuffling": "shuffling",
    "prove": "shuffling",
    "mix": "dealing",
    "pass": "dealing",
    "return": "dealing",
    "dealing": "dealing",
    "share": "dealing",
    "shares": "dealing",
    "open": "dealing",
}
NO_NOTES: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PilePicture:
    """One open pile of a seat: a face, how many, and what lies on it."""

    face: str
    zone: str
    count: int
    note: PileNote
    cards: tuple[CardView, ...]


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """One seat: who, how they are, what they hold and what they have out."""

    seat: Player
    name: str
    state: SeatState
    is_me: bool
    is_to_act: bool
    hand: tuple[CardView, ...]
    piles: tuple[PilePicture, ...]
    score: int | None
    has_won: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything on the table, as one seat observes it."""

    words: Words
    look: Look
    news: TableChanged
    seats: tuple[SeatPicture, ...]
    hand: tuple[Held, ...]
    picks: tuple[CardPick, ...]
    notes: Mapping[str, str]  # My own, by face.

    @property
    def view(self) -> View:
        """The view this was made from."""
        return self.news.view

    @property
    def mine(self) -> SeatPicture | None:
        """My own seat; None for somebody who watches."""
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def others(self) -> tuple[SeatPicture, ...]:
        """The other seats, beginning with the one after mine."""
        mine = self.mine
        if mine is None:
            return self.seats
        return self.seats[mine.seat + 1 :] + self.seats[: mine.seat]

    @property
    def is_my_turn(self) -> bool:
        """Whether the table waits for me."""
        return bool(self.view.offers) and not self.view.is_over

    def pick(self, label: str) -> CardPick | None:
        """The offer under a label."""
        return next((pick for pick in self.picks if pick.label == label), None)


def paint(words: Words, news: TableChanged, notes: Mapping[str, str] = NO_NOTES) -> Picture:
    """The picture of what a node told; the names of cards on which I have a note are marked."""
    look, words = look_of(news.view.game), words.of(news.view.game)
    if notes:
        words = words.marked(_named_by(words, news.view.game, notes), NOTED)
    seats = tuple(_seat(words, news, look, seat) for seat in range(news.view.players))
    picks = make_picks(words, news.view, news.seats, look)
    return Picture(words, look, news, seats, hand_of(news.view, look), picks, notes)


def _named_by(words: Words, game: str, faces: Iterable[str]) -> list[str]:
    """The sentences that name these faces, of which some stand among the words of their game."""
    own = {face: f"{game}.{face}" for face in faces}
    return [key if words.has(key) else f"face.{face}" for face, key in own.items()]


def _seat(words: Words, news: TableChanged, look: Look, seat: Player) -> SeatPicture:
    view = news.view
    state = news.seats[seat] if seat < len(news.seats) else SeatState("", "", "free")
    prefix = f"seat{seat}."
    piles = [
        PilePicture(face, zone, count, look.note(view, seat, face), cards)
        for face, zone, count, cards in (look.piles or _zones_of)(view, seat)
    ]
    return SeatPicture(
        seat=seat,
        name=seat_name(words, news.seats, seat),
        state=state,
        is_me=seat == view.seat,
        is_to_act=seat in view.to_act and seat not in news.chosen and not view.is_over,
        hand=view.zones.get(f"{prefix}hand", ()),
        piles=tuple(sorted(piles, key=lambda pile: look.order(pile.face))),
        score=view.scores[seat] if view.is_over and view.scores else None,
        has_won=view.is_over and seat in view.winners and look.has_winner(view),
    )


def seat_marks(picture: Picture, seat: Player) -> list[str]:
    """What stands behind the name of a seat: that it is my partner, that it is a bot."""
    partner = [picture.words("term.partner")] * (seat in picture.view.partners)
    return partner + bot_marks(picture.words, picture.seats[seat].state)


def _zones_of(view: View, seat: Player) -> tuple[Pile, ...]:
    """A pile for each zone of a seat that everybody sees."""
    prefix = f"seat{seat}."
    return tuple(
        Pile(face, zone, len(cards), cards)
        for zone, cards in view.zones.items()
        for face in [zone.removeprefix(prefix)]
        if zone.startswith(prefix) and face not in HIDDEN_ZONES
    )


def prompt(picture: Picture) -> str:
    """The one sentence that says what the table waits for."""
    words, view, news = picture.words, picture.view, picture.news
    if view.is_over:
        return result(picture)
    if picture.is_my_turn:
        return " · ".join([_asked(picture), *at_once(picture)])
    if news.silence is not None and not is_cut_off(news):
        return words("table.silent", names=words.listed(news.silence.names))
    silent = waiting_text(words, news)
    if silent:
        return silent
    doing = DOING.get(news.doing.partition(" ")[0])
    if doing:
        return words(f"doing.{doing}")
    waited_for = [
        with_bot(words, seat.name, seat.state)
        for seat in picture.seats
        if seat.is_to_act and not seat.is_me
    ]
    if waited_for:
        waiting = words("table.waiting", names=words.listed(waited_for))
        return " · ".join([waiting, *at_once(picture)[1:]])
    return words("doing.dealing")


def _asked(picture: Picture) -> str:
    """What I am to choose: in my turn, or in that of another, as under an attack."""
    words, view, whose_turn = picture.words, picture.view, picture.look.whose_turn
    what, turn = what_to_choose(words, view), whose_turn(view) if whose_turn else None
    if turn is None or turn == view.seat:
        return words("table.your_turn", what=what)
    return words("table.your_choice", what=what, name=picture.seats[turn].name)


def at_once(picture: Picture) -> list[str]:
    """Who else chooses while I do, and who has; nothing where one alone is asked."""
    words, asked = picture.words, picture.view.to_act
    if len(asked) < 2:
        return []
    others = [picture.seats[seat] for seat in asked if seat != picture.view.seat]
    choosing = [seat.name for seat in others if seat.is_to_act]
    chosen = [seat.name for seat in others if not seat.is_to_act]
    known = {"table.at_once": choosing, "table.chosen": chosen}
    return [words(key, names=words.listed(names)) for key, names in known.items() if names]


def is_waiting_for_others(picture: Picture) -> bool:
    """Whether the table waits for nobody but others who are there."""
    waited_for = [seat.state for seat in picture.seats if seat.is_to_act]
    return bool(waited_for) and all(each.link == "up" for each in waited_for)


def is_bot_thinking(picture: Picture) -> bool:
    """The same, if all of them are bots."""
    bots = all(seat.state.is_bot for seat in picture.seats if seat.is_to_act)
    return bots and is_waiting_for_others(picture)


def what_to_choose(words: Words, view: View) -> str:
    """What a person whose turn it is has to do now, in a few words that name the cards."""
    look, verbs = look_of(view.game), {offer.action.verb for offer in view.offers}
    words = words.of(view.game)
    phase = f"phase.{view.game}.{view.phase}"
    known = [look.ask(view)]
    known += [f"ask.{verb}" for verb in ("use", "end", "skip") if verb in verbs]
    known += [phase, *(f"ask.{verb}" for verb in sorted(verbs)), "ask.choose"]
    text = words(next(key for key in known if words.has(key)))
    left = look.left(view)
    return words("ask.more", what=text, number=left) if left > 1 else text


def table_name(words: Words, table: TableAd) -> str:
    """What a table is called, in the person's language where it was given no name of its own.

    Then it has that of whoever opened it, which is also what one types to join it.
    """
    name = table.shown_name
    return words("term.table_of", name=name) if table.name == table.opener_name else name


def table_note(words: Words, table: TableAd) -> str:
    """What stands between somebody and a table in the lobby; empty where nothing does."""
    if not table.is_understood:
        return words("lobby.version", version=table.version)
    if table.is_joinable:
        kind = "asks" if table.asks_password else _seats_for(table)
        return words(f"lobby.{kind}") if kind else ""
    return words("lobby.full")


def _seats_for(table: TableAd) -> str:
    """For whom the seats are, as the key of a sentence; empty where they are for anybody."""
    return "filled" if table.is_filled else "kept" if table.kept else ""


def result(picture: Picture) -> str:
    """Who won, in one sentence."""
    words = picture.words
    if not picture.look.has_winner(picture.view):
        return words("end.nobody")
    winners = [seat for seat in picture.seats if seat.has_won]
    if any(seat.is_me and not _is_played_for(picture, seat) for seat in winners):
        return words("end.you_win" if len(winners) == 1 else "end.you_share")
    bot = words("term.bot")
    names = words.listed(
        f"{seat.name} ({bot})" if _is_played_for(picture, seat) else seat.name for seat in winners
    )
    return words("end.wins" if len(winners) == 1 else "end.share", names=names)


def _is_played_for(picture: Picture, seat: SeatPicture) -> bool:
    """Whether a bot made the last choice of a person's seat."""
    chosen = (each for each in reversed(picture.news.lines)
              if each.kind == "chosen" and each.seat == seat.seat)  # fmt: skip
    last = next(chosen, None)
    is_bots = last is not None and (last.entry, seat.seat) in picture.news.by_bots
    return is_bots and not seat.state.is_bot


def how_won(picture: Picture) -> str:
    """What decided the game, where the piles tell: a pile that reached its target, or points."""
    words, names = picture.words, [seat.name for seat in picture.seats]
    ending = picture.look.ending(words, picture.view, names) if picture.view.is_over else ""
    if ending:
        return ending
    won = [pile for seat in picture.seats if seat.has_won for pile in seat.piles]
    if not any(pile.note.target for pile in won):
        return ""
    for pile in won:
        if pile.count >= pile.note.target:
            face = words.name("face", pile.face)
            more = pile.note.democracies
            key = "end.hegemony_more" if more else "end.hegemony"
            return words(key, face=face, count=pile.count, target=pile.note.target, more=more)
    losing = [seat.score for seat in picture.seats if not seat.has_won]
    winning = [seat.score for seat in picture.seats if seat.has_won]
    return words("end.tie" if set(losing) & set(winning) else "end.majority")


def tally_line(picture: Picture) -> str:
    """What is left of the turn that is going on; empty where nobody counts."""
    tally, words = picture.look.tally(picture.view), picture.words
    if tally is None:
        return ""
    game, numbers = picture.view.game, dict(tally.numbers)
    line = words(f"tally.{game}", **numbers)
    if numbers.get("more"):
        line += " " + words("tally.more", number=numbers["more"])
    if tally.seat == picture.view.seat:
        return line
    return f"{picture.seats[tally.seat].name}: {line}"


def fairness_line(words: Words, news: TableChanged) -> str:
    """What has been proven so far, in one line; or that there is something to compare."""
    fairness = news.fairness
    if news.pairing and news.strangers:
        return words("fair.compare")
    if fairness.pending:
        return words("fair.pending", number=fairness.pending)
    if not fairness.shuffles:
        return words("fair.none")
    counts = {
        "proofs": fairness.shuffles,
        "deals": fairness.shares,
        "proven_claims": fairness.claims,
    }
    proofs = [words.count(f"fair.{key}", number) for key, number in counts.items() if number]
    return words("fair.line", proofs=words.listed(proofs))


def fairness_texts(picture: Picture) -> list[str]:
    """What was proven at this table, by whom, and what would be caught."""
    words = picture.words
    names = [f"{seat.name}: {seat.state.words}" for seat in picture.seats if seat.state.words]
    seats = words.in_a_row([words("fair.seats"), words.listed(names)])
    return [*pairing_texts(words, picture.news), *checked_texts(picture), seats,
            words("fair.caught")]  # fmt: skip


def checked_texts(picture: Picture) -> list[str]:
    """What was proven, each kind of proof with how many there were."""
    words, fair = picture.words, picture.news.fairness
    counts = {
        "shuffles": fair.shuffles,
        "shares": fair.shares,
        "transfers": fair.transfers,
        "claims": fair.claims,
        "entries": fair.entries,
        "pending_now": fair.pending,
    }
    texts = [words(f"fair.{key}", number=number) for key, number in counts.items() if number]
    return texts or [words("fair.none")]


def pairing_texts(words: Words, news: TableChanged) -> list[str]:
    """The four words of the table, and with whom they were never compared."""
    if not news.pairing:
        return []
    if not news.strangers:
        return [words("fair.words", words=news.pairing)]
    return [words("fair.aloud", words=news.pairing, names=words.listed(news.strangers))]


def backs_text(cards: tuple[CardView, ...]) -> str:
    """A hand by its backs, as in `I II×2 III`."""
    counts = Counter(card.back for card in cards)
    parts = [
        f"{back or '#'}×{number}" if number > 1 else (back or "#")
        for back, number in sorted(counts.items())
    ]
    return " ".join(parts)


def readable_faces(picture: Picture) -> list[str]:
    """Every card of this game that says something."""
    faces = [ware.face for ware in picture.look.wares(picture.view)]
    return faces or list(picture.look.readable) or [look.key for look in picture.look.faces]


def why_not(picture: Picture, number: int) -> str:
    """Why the hand card with this number cannot be chosen now."""
    words, ask = picture.words, prompt(picture)
    if not picture.is_my_turn:
        return words("why.not_your_turn")
    face = picture.hand[number - 1].card.face or ""
    if key := picture.look.why_not(picture.view, face):
        return words(key, face=words.name("face", face), ask=ask)
    numbers = [int(pick.label) for pick in picture.picks if pick.label.isdigit()]
    faces = dict.fromkeys(picture.hand[each - 1].card.face or "" for each in numbers)
    names = words.listed(picture.look.named(words, each) for each in faces)
    return words("why.only", names=names, ask=ask) if names else words("why.no_card", ask=ask)


def why_no_ware(picture: Picture, face: str) -> str:
    """Why nothing can be got from the pile of a card now; empty where it is not my turn."""
    words, look = picture.words, picture.look
    wares = [ware for ware in look.wares(picture.view) if ware.face == face]
    if not picture.is_my_turn or not wares:
        return ""
    reason = look.why_no_ware(picture.view, wares[0])
    if reason is None:
        return words("why.no_pile", ask=prompt(picture))
    name = words.name("face", face)
    return words(reason.key, face=name, number=reason.number, other=reason.other)
