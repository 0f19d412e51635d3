"""The rules of Carta for players, in our own words, numbered so that code and tests can cite."""

from __future__ import annotations

from typing import Final

RULES: Final = """\
# Carta Impera Victoria

Lead a people through three ages. Collect seven cards of one domain and you win on the spot;
if nobody does, the majorities decide when the deck is empty.

## 1 What there is
- **1.1** 104 cards in six domains and three ages; the back shows the age, the face the domain.

| domain | age I | age II | age III | all |
|---|---|---|---|---|
| military | 8 | 8 | 4 | 20 |
| religion | 8 | 8 | - | 16 |
| economy | 4 | 4 | 8 | 16 |
| science | 4 | 8 | 8 | 20 |
| culture | 4 | 4 | 8 | 16 |
| utopia | - | - | 16 | 16 |

## 2 Setting up
- **2.1** Each age is shuffled. With 2 or 3 seats three unseen cards of every age go back into the
  box. Age I lies on top of the deck, then II, then III.
- **2.2** The culture coin lies beside the deck. The start player is drawn by lot.
- **2.3** *Basic deal:* everybody draws 3 cards.
- **2.4** *Draft:* everybody draws 4, keeps 1 in secret and passes 3 to the left; keeps 1 of those
  and passes 2; keeps 1 and lays the last one face up in the middle. From the start player's right
  and against the clock, the start player last, each takes a middle card into the own area.

## 3 A turn, clockwise
- **3.1** *Step 1.* Play one card from your hand, face up, into your area. You must, unless your
  hand is empty or holds nothing but embargoed domains.
- **3.2** *Step 2.* Use effects in any order: in each domain at most one permanent effect and one
  discard effect a turn. One effect is finished before the next begins.
- **3.3** *Step 3.* Draw until you hold 3 cards (5 or 7 with Religion). With as many or more you
  draw nothing, and never have to discard.
- **3.4** Where an effect and these rules disagree, the effect is right.

## 4 Permanent effects
- **4.1** Level 1 takes 3 cards of the domain in your area, level 2 takes 5; with 4 seats 2 and 4.
  Only the moment of use counts.
- **4.2** With enough for level 2 you use level 1 or level 2, not both.
- **4.3** Culture has no levels and a rule of its own: 5.6.

The *first* part of an effect must be possible in full, or it cannot be used. Cards that it then
lets you play are played as far as you can. Nothing you do later in the turn takes back an effect.

## 5 The domains
- **5.1 Military.** *Level 1, Assassination:* discard a card from your hand. *Level 2, Purge:*
  discard two. *Discard effect, Attack:* discard a Military card from your area and a further card
  of it; everybody else who has that card's domain in play discards one of it.
- **5.2 Religion.** *Level 1, Holy Book:* your hand limit is 5. *Level 2, Divine Right:* it is 7.
  Both act by themselves in step 3. *Discard effect, Inquisition:* discard a Religion card from your
  area, take somebody's whole hand, and give back as many cards as you took. Nobody else sees which.
- **5.3 Economy.** *Level 1, Development:* discard a card from your area, then play one from your
  hand. *Level 2, Monopoly:* discard two, then play two. *Flip effect, Embargo:* turn an Economy
  card over and lay it on a card of another player, who cannot play that card's domain in the next
  own turn. Then it is discarded. If the card below goes, the embargo stays.
- **5.4 Science.** *Level 1, Experiment:* take a card from your area back, then play one from your
  hand. *Level 2, Research:* take two back, then play two. *Discard effect, Discovery:* discard a
  Science card from your area, draw five cards (or what is left), discard as many from your hand.
- **5.5 Utopia.** *Level 1, Oligarchy:* take a card from the discard pile. *Level 2, Republic:* take
  two. *Flip effect, Democracy:* turn a Utopia card over and lay it on a domain of another player
  that has a card in it. For the rest of the game that player needs one card more for a hegemony
  there.
- **5.6 Culture.** *Inspiration:* with more Culture in play than every other player, copy once a
  turn a permanent effect that another player has now. The coin marks its domain. It is your
  permanent effect of that domain for this turn. A copied hand limit counts while you hold the coin:
  when you no longer have most Culture, it goes.
- **5.7** The discard pile is open to everybody. Cards turned over as markers count for nothing.

## 6 The end
- **6.1** *Hegemony.* With 7 cards of one domain in your area (8 with 2 seats) at the end of your
  own turn, and one more for every Democracy on it, you win at once.
- **6.2** *Majority.* When the last card of the deck has been drawn, the round is finished, so that
  all have had equally many turns. In every domain whoever has most cards in play gets a point; all
  who share the most get one. A domain that nobody has gives none.
- **6.3** Most points win. If equal: most Utopia, then Culture, Science, Economy, Religion,
  Military. If all are equal, the victory is shared.

## 7 In teams of two (4 seats)
- **7.1** Partners face each other. The hegemony of one wins for both.
- **7.2** In every domain the highest single count earns its team a point, never two; both teams get
  one if they share it. Ties are broken by the sums of both partners.

## Variants, agreed before the game
- `deal` *basic*, draft: see 2.3 and 2.4.
- `embargo_target` *other*, any: an Embargo may also lie on your own domain.
- `embargo_scope` *play*, use: an embargo also forbids the effects of that domain.
- `democracy_target` *other*, any: a Democracy may also lie on your own domain.
- `coin` *kr*, jp: the coin, and a copied hand limit with it, stays until the end of your next turn
  or until somebody else has more Culture than you; a tie does not take it away.
- `strict_hand_limit`: Oligarchy and Republic take cards only up to your hand limit.
- `extra_last_round`: after the round in which the deck ran out, one more whole round is played.
- `culture_majority_vs_partner` off: in teams, your partner's Culture does not count against you.
- `team`: two teams of two.
"""
