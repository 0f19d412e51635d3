"""The rules of Dominion for players, in our own words, numbered so that code and tests can cite."""

from __future__ import annotations

from typing import Final

RULES: Final = """\
# Dominion

Everybody owns a small pack of cards and makes it better by buying, turn by turn. Whoever has the
most victory points in the pack when the game ends wins.

## 1 Setting up
- **D1** 2 to 4 players; 5 and 6 as in the expansions, with a second set of basic cards.
- **D2** Everybody begins with 7 Copper and 3 Estate, shuffles them as a deck and draws 5.
- **D3** Basic piles of the supply, by the number of players:

| pile | cost | gives | 2 players | 3 players | 4 players | 5 players | 6 players |
|---|---|---|---|---|---|---|---|
| Copper | 0 | 1 coin | 46 | 39 | 32 | 85 | 78 |
| Silver | 3 | 2 coins | 40 | 40 | 40 | 80 | 80 |
| Gold | 6 | 3 coins | 30 | 30 | 30 | 60 | 60 |
| Estate | 2 | 1 point | 8 | 12 | 12 | 12 | 12 |
| Duchy | 5 | 3 points | 8 | 12 | 12 | 12 | 12 |
| Province | 8 | 6 points | 8 | 12 | 12 | 15 | 18 |
| Curse | 0 | -1 point | 10 | 20 | 30 | 40 | 50 |

- **D4** Ten kingdom piles of 10 cards each; Gardens has 8 with two players and 12 with more.
- **D5** The ten kinds are a recommended set, drawn by lot, or any that you name; or you find them
  in turn, from the start player on: everybody chooses one until there are ten, or strikes one out
  until ten are left.
- **D6** The start player is drawn by lot.

## 2 A turn, clockwise
- **D7** Action phase, Buy phase, Clean-up. A turn begins with 1 Action, 1 Buy and no coins.
- **D8** *Action phase.* You may play an Action card and follow its text from top to bottom, as far
  as possible, before you play another one. +Actions let you play more of them.
- **D9** *Buy phase.* First play as many Treasures as you like. Then buy as many cards as you have
  Buys, for the coins of all Treasures and Actions together; what you buy goes to your discard pile.
  After the first purchase no more Treasures are played. Copper and Curse cost nothing, but a Buy.
- **D10** *Clean-up.* Discard your hand and what you have in play, and draw 5. What is left of
  Actions, Buys and coins is lost. Only the top card of a discard pile is shown: cards from the hand
  lie below those that were in play. If nothing was in play you say which hand card lies on top.

## 3 Decks, hands and effects
- **D11** When your deck runs out and you have to draw, reveal or look at a card, your discard pile
  is shuffled and goes below what is left of the deck. Cards that are set aside or revealed at that
  moment stay out of it. If there are not enough cards at all you do what you can.
- **D12** Nobody looks through decks or discard piles, or counts a discard pile. The trash and the
  supply are open.
- **D13** An effect on several players goes round clockwise, beginning with the player whose turn it
  is.
- **D14** Before an Attack does anything, each of the others may reveal a Moat from the hand and is
  then not affected by it. Everybody who might have one is asked.
- **D15** A card that is gained comes from the supply and goes to the discard pile unless the text
  says otherwise; from an empty pile nothing is gained. Coins do not raise the limit of an effect.

## 4 The end
- **D16** The game ends after a turn in which the last Province or the last card of a third pile has
  gone; with 5 and 6 players, of a fourth pile. The round is not played to its end.
- **D17** Everything you own counts: deck, hand, discard pile, cards in play.
- **D18** Most points win; if equal, whoever of them had fewer turns; if still equal they share the
  victory.

## 5 Kingdom cards
Name, cost, text. Cards of the first edition only are marked (1), those of the second only (2).

- **Adventurer** (1), 6: Reveal cards from your deck until 2 Treasures lie there; they go to your
  hand, the others are discarded.
- **Artisan** (2), 6: Gain a card of at most 5 to your hand. Put a card from your hand on your
  deck.
- **Bandit** (2), 5: Attack. Gain a Gold. The others reveal their top 2 cards, trash one Treasure
  other than Copper and discard the rest.
- **Bureaucrat**, 4: Attack. Gain a Silver onto your deck. The others reveal a Victory card of
  their hand and put it on their deck, or show that they have none.
- **Cellar**, 2: +1 Action. Discard any number of cards, then draw as many.
- **Chancellor** (1), 3: +2 coins. You may turn your deck over onto your discard pile.
- **Chapel**, 2: Trash up to 4 cards of your hand.
- **Council Room**, 5: +4 cards, +1 Buy. The others draw a card.
- **Feast** (1), 4: Trash this card. Gain a card of at most 5.
- **Festival**, 5: +2 Actions, +1 Buy, +2 coins.
- **Gardens**, 4: Victory: 1 point for every 10 cards that you own.
- **Harbinger** (2), 3: +1 card, +1 Action. Look through your discard pile; you may put a card of
  it on your deck.
- **Laboratory**, 5: +2 cards, +1 Action.
- **Library**, 5: Draw card by card until you hold 7; Actions may be set aside as they come, and
  are discarded afterwards.
- **Market**, 5: +1 card, +1 Action, +1 Buy, +1 coin.
- **Merchant** (2), 3: +1 card, +1 Action. The first Silver that you play in this turn gives 1
  coin more.
- **Militia**, 4: Attack. +2 coins. The others discard until they hold 3 cards.
- **Mine**, 5: You may trash a Treasure of your hand (first edition: you must) and gain one to
  your hand that costs at most 3 more.
- **Moat**, 2: +2 cards. Reaction: see D14.
- **Moneylender**, 4: You may trash a Copper of your hand (first edition: you must) for +3 coins.
- **Poacher** (2), 4: +1 card, +1 Action, +1 coin. Discard a card for every empty pile of the
  supply.
- **Remodel**, 4: Trash a card of your hand. Gain one that costs at most 2 more.
- **Sentry** (2), 5: +1 card, +1 Action. Look at your top 2 cards. Trash any, then discard any,
  then put the rest back in any order.
- **Smithy**, 4: +3 cards.
- **Spy** (1), 4: Attack. +1 card, +1 Action. Everybody, you included, reveals the top card; you
  say whether it is discarded or put back.
- **Thief** (1), 4: Attack. The others reveal their top 2 cards; you choose one Treasure of each
  to be trashed, the rest is discarded. You may gain any of those trashed.
- **Throne Room**, 4: You may (first edition: must) choose an Action of your hand and play it
  twice.
- **Vassal** (2), 3: +2 coins. Discard your top card; if it is an Action you may play it.
- **Village**, 3: +1 card, +2 Actions.
- **Witch**, 5: Attack. +2 cards. The others gain a Curse.
- **Woodcutter** (1), 3: +1 Buy, +2 coins.
- **Workshop**, 3: Gain a card of at most 4.

## Variants, agreed before the game
- `edition` *2*, 1: which kinds are drawn by lot, drafted or struck out, and what the three texts
  above say.
- `kingdom`: *first_game*, size_distortion, deck_top, sleight_of_hand, improvements,
  silver_and_gold, big_money, interaction, village_square, random, draft, veto, or ten keys with
  commas between them. The first two have another list in the first edition.
"""
