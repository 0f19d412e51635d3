"""The rules of Renaissance for players, in our own words, numbered so that code and tests can cite.

What is printed on the cards is listed at the end, from the one file that says it: machines compare
their rules before a game, and so their cards as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.games.renaissance.printed import CULTURE, EVENTS, PERSONS, Culture, EventCard, Person


def _person_row(person: Person) -> str:
    return f"| {person.symbol or '-'} | {person.value} | {', '.join(person.names)} |"


def _culture_row(card: Culture) -> str:
    symbols = ", ".join(card.symbols) + (" (double)" if card.is_double else "")
    return f"| {card.copies} | {symbols} | {card.genius or '-'} |"


def _event_row(event: EventCard) -> str:
    paths = " ".join([f"{one + 1}-{other + 1}" for one, other in event.plan.paths])
    cells = (event.series, event.text, ", ".join(event.symbols), event.plan.spaces, paths)
    return f"| {' | '.join(cells)} | {event.dice} |"


_RULES: Final = """\
# Die Wiege der Renaissance

You lead a family of influence in the 15th and 16th centuries. Place stones on the events of the
age, gather culture and great characters, and win the stones of the others. Most stones win.

## 1 What there is
- **1.1** 36 historical events in six series of 6, 40 culture cards, 27 character cards, 28
  influence stones (7 each in yellow, red, black and white) and 4 genius markers.
- **1.2** Five culture symbols, equally often on the culture cards: science, architecture,
  finance, exploration, religion.
- **1.3** Characters of value 1 (three for each symbol) and 2 (two for each), and one 3 and one
  4 without a symbol.
- **1.4** An event shows one to three symbols, blue spaces (culture) and red spaces (character),
  paths that join them, and one influence die.
- **1.5** A culture card shows a symbol and perhaps a sign of genius, blue or red. A *double*
  shows its symbol once at one end and twice at the other. A *joker* shows two different
  symbols.

## 2 Setting up
- **2.1** All 6 events of one series are in play; by lot, or as agreed. Of the other 30, 7 are
  shuffled in unseen with 2 seats, 9 with 3, 11 with 4. The rest is out of the game.
- **2.2** Open events in the centre: 3 with 2 seats, 1 with 3, 2 with 4. With 3 or 4 seats one
  more lies between every two neighbours.
- **2.3** Everybody has 7 stones of one colour and the genius marker of it.
- **2.4** Culture and characters are shuffled together: the talon. Everybody is dealt 2 cards; 4
  lie open as the display.
- **2.5** The start player is drawn by lot; turns go clockwise.

## 3 A turn
- **3.1** First place one piece. Then do one or two card actions.
- **3.2** If your piece has filled a colour of an event you have only one card action, and after
  it the event is scored.

## 4 Placing
- **4.1** You place on an event in the centre, or on the one between you and a neighbour.
- **4.2** The first piece on an empty event goes on any space, a later one on a free space that
  a path joins to an occupied one, whoever stands there.
- **4.3** At most two players have pieces on one event.
- **4.4** You place stones of your own colour only. You must place if you can; if nothing of your
  supply can be placed you pass, and still have your card actions.
- **4.5** The colour of the space matters to your card actions only if you place the genius
  marker.

## 5 Card actions, in any mixture
- **5.1** *Take* a card into your hand: one of the display, or the top one of the talon.
- **5.2** *Put* a card down: a culture card face up into a row, or a character face down on top
  of your pile. You may look at your own pile, but not change its order.
- **5.3** After a card action the display is filled to 4 from the talon.
- **5.4** Every symbol has one row. A new card covers the card before, so that all symbols can
  still be seen, but of the signs of genius only the one on top.
- **5.5** A double counts 1 when it is laid. As long as nothing lies on it, a card action of its
  own *rotates* it: from then on it counts 2.
- **5.6** A joker joins a row of one of its symbols; where there are two you choose. If there is
  none it begins a row, which counts for both symbols as long as all its cards show both and
  neither has another row.
- **5.7** What lies in a row or on the pile comes back only through 7.4, 8.6 or 8.7.

## 6 Scoring
- **6.1** All blue spaces of an event occupied: culture is scored. All red ones: characters.
- **6.2** Everybody with a piece on the event takes part, on whatever colour.
- **6.3** First all pieces of the event go back to their owners.
- **6.4** Who pays gives stones of other colours first, then own ones; with an empty supply own
  stones come off other events, as many as needed. What cannot be paid lapses. Markers are never
  paid.

## 7 Culture
- **7.1** Whoever filled the colour, then the opponent, names a symbol of the event and how many
  of it lie in the own row. It may be the same symbol, and it may be none.
- **7.2** The higher number wins the difference in stones from the opponent.
- **7.3** The winner discards from the top of the row named as many cards as stones were won.
- **7.4** If level, no stones change hands; both return one card of the row named to the hand
  and discard the others of it.
- **7.5** Alone on the event you win your whole number: between two seats from that neighbour; in
  the centre one stone from each of the others in turn, beginning on your right and
  counter-clockwise, again and again. Who cannot pay is left out. 7.3 applies.

## 8 Characters
- **8.1** The stake is the number of dice on the event and on all events under it.
- **8.2** Beginning with whoever filled the colour, you call one character or pass, by turns. Who
  has passed may go on; two passes in a row end the duel.
- **8.3** From the hand only characters with a symbol of the event; from the pile the top one,
  whatever it is.
- **8.4** Your total is the sum of the values, and one more for every card that shares its value
  with another: 1-1-2-1-2 makes 1+1+1+3 + 2+2+2 = 12.
- **8.5** The higher total wins as many stones as the stake; one below the stake counts nothing.
- **8.6** The winner discards all characters used; the loser returns one to the hand and
  discards the others.
- **8.7** If level, no stones change hands; both return one to the hand and discard the others.
- **8.8** Alone you must use at least one character and reach the stake, and are paid as in 7.5.
- **8.9** What is left in a pile stays there.

## 9 A new event
- **9.1** After characters the event leaves the game with all under it; after culture it stays.
- **9.2** The next event is laid on the empty location, or on top so that all dice are seen.
  Only the symbols and spaces on top count.
- **9.3** With no event left in the deck the scored one leaves the game in any case, and its
  location is closed.

## 10 The genius marker
- **10.1** Instead of a stone you may place your genius marker. It counts like a stone, comes
  back like one, and is never paid.
- **10.2** On a blue space: you may take as many culture cards out of the display as blue signs
  of genius can be seen in your rows. On a red space: characters and red signs.
- **10.3** This comes before your card actions; the gaps are filled after the next of them.
- **10.4** It belongs to placing, so it never happens in somebody else's turn.

## 11 Short of stones
- **11.1** With nothing but foreign stones in your supply you may, before placing, exchange one
  for a stone of your colour that somebody else has, who gets one of the own colour if you have
  it.
- **11.2** With no stone at all, or none that can be placed or exchanged, you may move one of your
  pieces to another space where it may be placed. A genius marker so moved gives its bonus again.

## 12 Short of cards
- **12.1** When the talon runs out the discard pile is shuffled at once and is the new one.
- **12.2** If the display cannot be filled, everybody discards the top card of each row; if that
  is not enough either, the game goes on with fewer.

## 13 The end
- **13.1** When only two locations are left, pieces go back unscored, and the game is over.
- **13.2** Most stones win, of any colour. If level: more culture cards in hand, then the higher
  total of characters in hand (8.4), then the victory is shared. Who is level shows the hand.
- **13.3** So there are always 11 scorings with 2 seats, 13 with 3 and 15 with 4.

## 14 In teams of two (4 seats)
- **14.1** Partners sit next to each other.
- **14.2** They may not both have pieces on one event in the centre.
- **14.3** Who is alone on an event in the centre is paid by the two opponents only.
- **14.4** Both supplies are added; so are culture cards and totals in both hands if level.

## Variants, agreed before the game
- `series` *lot*, or the series that is in play for certain (2.1).
- `team`: two teams of two.
- `balance`: the start player has only one card action in the very first turn.
- `refill` *action*, turn: the display is filled only at the end of the turn.
- `culture_loss` *cards*, symbols: in 7.3, cards that show at least as many symbols as stones
  were won, in place of as many cards.
- `short_payer` *needed*, all: in 6.4, all own stones come off the events into the supply.
- `partners_event` *partner*, center: alone on an event between partners one is paid as in the
  centre (14.3) and not by the partner.
"""

_CARDS: Final = """
## The cards

What follows is our own proposal, made to fit all that is known of the published cards.

### Culture

| cards | symbols | genius |
|---|---|---|
{culture}

### Characters

| symbol | value | persons |
|---|---|---|
{persons}

### Events

Spaces are numbered from 1: B is blue, R is red.

| series | event | symbols | spaces | paths | dice |
|---|---|---|---|---|---|
{events}
"""


def rules_with(
    culture: Sequence[Culture], persons: Sequence[Person], events: Sequence[EventCard]
) -> str:
    """The rules, with these cards listed at the end."""
    cards = _CARDS.format(
        culture="\n".join([_culture_row(card) for card in culture]),
        persons="\n".join([_person_row(card) for card in persons]),
        events="\n".join([_event_row(card) for card in events]),
    )
    return _RULES + cards


RULES: Final = rules_with(CULTURE, PERSONS, EVENTS)
