"""The view model of a table: its view with names, labels and looks, before anything is drawn."""

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
class PileModel:
    """One open pile of a seat: a face, how many, and what lies on it."""

    face: str
    zone: str
    count: int
    note: PileNote
    cards: tuple[CardView, ...]


@dataclass(frozen=True, slots=True)
class SeatModel:
    """One seat: who, how they are, what they hold and what they have out."""

    seat: Player
    name: str
    state: SeatState
    is_me: bool
    is_to_act: bool
    hand: tuple[CardView, ...]
    piles: tuple[PileModel, ...]
    score: int | None
    has_won: bool


@dataclass(frozen=True, slots=True)
class ViewModel:
    """Everything on the table, as one seat observes it."""

    words: Words
    look: Look
    news: TableChanged
    seats: tuple[SeatModel, ...]
    hand: tuple[Held, ...]
    picks: tuple[CardPick, ...]
    notes: Mapping[str, str]  # My own, by face.

    @property
    def view(self) -> View:
        """The view this was made from."""
        return self.news.view

    @property
    def mine(self) -> SeatModel | None:
        """My own seat; None for somebody who watches."""
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def others(self) -> tuple[SeatModel, ...]:
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


def view_model(words: Words, news: TableChanged, notes: Mapping[str, str] = NO_NOTES) -> ViewModel:
    """What is shown of what a node told; names of cards on which I have a note are marked."""
    look, words = look_of(news.view.game), words.of(news.view.game)
    if notes:
        words = words.marked(_named_by(words, news.view.game, notes), NOTED)
    seats = tuple(_seat(words, news, look, seat) for seat in range(news.view.players))
    picks = make_picks(words, news.view, news.seats, look)
    return ViewModel(words, look, news, seats, hand_of(news.view, look), picks, notes)


def _named_by(words: Words, game: str, faces: Iterable[str]) -> list[str]:
    """The sentences that name these faces, of which some stand among the words of their game."""
    own = {face: f"{game}.{face}" for face in faces}
    return [key if words.has(key) else f"face.{face}" for face, key in own.items()]


def _seat(words: Words, news: TableChanged, look: Look, seat: Player) -> SeatModel:
    view = news.view
    state = news.seats[seat] if seat < len(news.seats) else SeatState("", "", "free")
    prefix = f"seat{seat}."
    piles = [
        PileModel(face, zone, count, look.note(view, seat, face), cards)
        for face, zone, count, cards in (look.piles or _zones_of)(view, seat)
    ]
    return SeatModel(
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


def seat_marks(model: ViewModel, seat: Player) -> list[str]:
    """What stands behind the name of a seat: that it is my partner, that it is a bot."""
    partner = [model.words("term.partner")] * (seat in model.view.partners)
    return partner + bot_marks(model.words, model.seats[seat].state)


def _zones_of(view: View, seat: Player) -> tuple[Pile, ...]:
    """A pile for each zone of a seat that everybody sees."""
    prefix = f"seat{seat}."
    return tuple(
        Pile(face, zone, len(cards), cards)
        for zone, cards in view.zones.items()
        for face in [zone.removeprefix(prefix)]
        if zone.startswith(prefix) and face not in HIDDEN_ZONES
    )


def prompt(model: ViewModel) -> str:
    """The one sentence that says what the table waits for."""
    words, view, news = model.words, model.view, model.news
    if view.is_over:
        return result(model)
    if model.is_my_turn:
        return " · ".join([_asked(model), *at_once(model)])
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
        for seat in model.seats
        if seat.is_to_act and not seat.is_me
    ]
    if waited_for:
        waiting = words("table.waiting", names=words.listed(waited_for))
        return " · ".join([waiting, *at_once(model)[1:]])
    return words("doing.dealing")


def _asked(model: ViewModel) -> str:
    """What I am to choose: in my turn, or in that of another, as under an attack."""
    words, view, whose_turn = model.words, model.view, model.look.whose_turn
    what, turn = what_to_choose(words, view), whose_turn(view) if whose_turn else None
    if turn is None or turn == view.seat:
        return words("table.your_turn", what=what)
    return words("table.your_choice", what=what, name=model.seats[turn].name)


def at_once(model: ViewModel) -> list[str]:
    """Who else chooses while I do, and who has; nothing where one alone is asked."""
    words, asked = model.words, model.view.to_act
    if len(asked) < 2:
        return []
    others = [model.seats[seat] for seat in asked if seat != model.view.seat]
    choosing = [seat.name for seat in others if seat.is_to_act]
    chosen = [seat.name for seat in others if not seat.is_to_act]
    known = {"table.at_once": choosing, "table.chosen": chosen}
    return [words(key, names=words.listed(names)) for key, names in known.items() if names]


def is_waiting_for_others(model: ViewModel) -> bool:
    """Whether the table waits for nobody but others who are there."""
    waited_for = [seat.state for seat in model.seats if seat.is_to_act]
    return bool(waited_for) and all(each.link == "up" for each in waited_for)


def is_bot_thinking(model: ViewModel) -> bool:
    """The same, if all of them are bots."""
    bots = all(seat.state.is_bot for seat in model.seats if seat.is_to_act)
    return bots and is_waiting_for_others(model)


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


def result(model: ViewModel) -> str:
    """Who won, in one sentence."""
    words = model.words
    if not model.look.has_winner(model.view):
        return words("end.nobody")
    winners = [seat for seat in model.seats if seat.has_won]
    if any(seat.is_me and not _is_played_for(model, seat) for seat in winners):
        return words("end.you_win" if len(winners) == 1 else "end.you_share")
    bot = words("term.bot")
    names = words.listed(
        f"{seat.name} ({bot})" if _is_played_for(model, seat) else seat.name for seat in winners
    )
    return words("end.wins" if len(winners) == 1 else "end.share", names=names)


def _is_played_for(model: ViewModel, seat: SeatModel) -> bool:
    """Whether a bot made the last choice of a person's seat."""
    chosen = (each for each in reversed(model.news.lines)
              if each.kind == "chosen" and each.seat == seat.seat)  # fmt: skip
    last = next(chosen, None)
    is_bots = last is not None and (last.entry, seat.seat) in model.news.by_bots
    return is_bots and not seat.state.is_bot


def how_won(model: ViewModel) -> str:
    """What decided the game, where the piles tell: a pile that reached its target, or points."""
    words, names = model.words, [seat.name for seat in model.seats]
    ending = model.look.ending(words, model.view, names) if model.view.is_over else ""
    if ending:
        return ending
    won = [pile for seat in model.seats if seat.has_won for pile in seat.piles]
    if not any(pile.note.target for pile in won):
        return ""
    for pile in won:
        if pile.count >= pile.note.target:
            face = words.name("face", pile.face)
            more = pile.note.democracies
            key = "end.hegemony_more" if more else "end.hegemony"
            return words(key, face=face, count=pile.count, target=pile.note.target, more=more)
    losing = [seat.score for seat in model.seats if not seat.has_won]
    winning = [seat.score for seat in model.seats if seat.has_won]
    return words("end.tie" if set(losing) & set(winning) else "end.majority")


def tally_line(model: ViewModel) -> str:
    """What is left of the turn that is going on; empty where nobody counts."""
    tally, words = model.look.tally(model.view), model.words
    if tally is None:
        return ""
    game, numbers = model.view.game, dict(tally.numbers)
    line = words(f"tally.{game}", **numbers)
    if numbers.get("more"):
        line += " " + words("tally.more", number=numbers["more"])
    if tally.seat == model.view.seat:
        return line
    return f"{model.seats[tally.seat].name}: {line}"


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


def fairness_texts(model: ViewModel) -> list[str]:
    """What was proven at this table, by whom, and what would be caught."""
    words = model.words
    names = [f"{seat.name}: {seat.state.words}" for seat in model.seats if seat.state.words]
    seats = words.in_a_row([words("fair.seats"), words.listed(names)])
    return [*pairing_texts(words, model.news), *checked_texts(model), seats,
            words("fair.caught")]  # fmt: skip


def checked_texts(model: ViewModel) -> list[str]:
    """What was proven, each kind of proof with how many there were."""
    words, fair = model.words, model.news.fairness
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


def readable_faces(model: ViewModel) -> list[str]:
    """Every card of this game that says something."""
    faces = [ware.face for ware in model.look.wares(model.view)]
    return faces or list(model.look.readable) or [look.key for look in model.look.faces]


def why_not(model: ViewModel, number: int) -> str:
    """Why the hand card with this number cannot be chosen now."""
    words, ask = model.words, prompt(model)
    if not model.is_my_turn:
        return words("why.not_your_turn")
    face = model.hand[number - 1].card.face or ""
    if key := model.look.why_not(model.view, face):
        return words(key, face=words.name("face", face), ask=ask)
    numbers = [int(pick.label) for pick in model.picks if pick.label.isdigit()]
    faces = dict.fromkeys(model.hand[each - 1].card.face or "" for each in numbers)
    names = words.listed(model.look.named(words, each) for each in faces)
    return words("why.only", names=names, ask=ask) if names else words("why.no_card", ask=ask)


def why_no_ware(model: ViewModel, face: str) -> str:
    """Why nothing can be got from the pile of a card now; empty where it is not my turn."""
    words, look = model.words, model.look
    wares = [ware for ware in look.wares(model.view) if ware.face == face]
    if not model.is_my_turn or not wares:
        return ""
    reason = look.why_no_ware(model.view, wares[0])
    if reason is None:
        return words("why.no_pile", ask=prompt(model))
    name = words.name("face", face)
    return words(reason.key, face=name, number=reason.number, other=reason.other)
