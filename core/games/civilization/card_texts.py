"""What every card does, in our own words: technologies, events, wonders, governments, leaders."""

from __future__ import annotations

from typing import Final

TECHNOLOGY_TEXTS: Final[dict[str, str]] = {
    "animal_husbandry": "Once per battle take up to 3 wounds off your units in play.",
    "code_of_laws": "Coin: after a battle you won, once per turn, four times in all.",
    "currency": "Cities, incense: 3 culture.",
    "horseback_riding": "Trade, silk: 9 trade, and 6 for another seat that you name.",
    "masonry": "City walls can be built for 7.",
    "metalworking": "Battle, iron: as you play a unit into an enemy's front, 3 more wounds.",
    "navigation": "Figures may cross water and not end on it.",
    "philosophy": "Cities, any three: a random great person.",
    "pottery": "Coin: any two, in the cities phase, once per turn, four times in all.",
    "writing": "Spy: cancel another seat's city action.",
    "chivalry": "Cities, incense: 5 culture.",
    "civil_service": "Spy, any time: cancel an event as it is played.",
    "construction": "Cities, wheat: one of your cities has 5 more production this turn.",
    "democracy": "Coin: 6 trade, in the cities phase, once per turn, four times in all.",
    "engineering": "Once per turn one city may split its production over two items.",
    "irrigation": "You may have a third city.",
    "mathematics": "Battle, iron: up to 3 wounds, divided among enemy units in play.",
    "monarchy": "Cities, silk: an ancient wonder becomes obsolete, or a random unit of another "
                "seat's standing forces dies.",
    "printing_press": "Coin: 5 culture, in the cities phase, once per turn, four times in all.",
    "sailing": "Water is like land for figures.",
    "banking": "Cities, wheat: one of your cities has 7 more production this turn.",
    "biology": "Once per battle take all wounds off your units in play.",
    "communism": "Movement, also another's, spy: no figure leaves a square in this turn.",
    "gunpowder": "Cities, any two: an ancient or medieval wonder becomes obsolete, or any building "
                 "or city walls are destroyed.",
    "metal_casting": "Cities, incense: 7 culture.",
    "military_science": "Each city has 1 more production for each 3 full coins.",
    "railroad": "A coin.",
    "steam_power": "Water is like land. Cities, silk: all your figures of one square to any water "
                   "square; they do not move in this turn.",
    "theology": "One more event in hand.",
    "atomic_theory": "Cities, uranium: one more action for each of your cities. Movement, uranium: "
                     "a city that is no capital is destroyed, with all in its outskirts.",
    "ballistics": "Battle, iron: up to 6 wounds, divided among enemy units in play.",
    "combustion": "Once per turn an army that ends its move on a foreign building may destroy it. "
                  "Attacking a walled city takes its walls first.",
    "computers": "For each 5 coins one more unit in battle and one more event in hand.",
    "flight": "Water is like land; enemies, huts, villages and cities are passed over.",
    "mass_media": "Your events cannot be cancelled. Spy: cancel a resource ability.",
    "replaceable_parts": "",
    "space_flight": "Whoever learns it wins.",
}  # fmt: skip

EVENT_TEXTS: Final[dict[str, str]] = {
    "defection": "Kill a figure within 4 steps of a figure or city of yours.",
    "bread_and_circuses": "Cancel an event aimed at you, your figures, or squares of your cities.",
    "sabotage": "Destroy a building within 4 steps of a figure or city of yours.",
    "drought": "A square that is no mountain and without building, wonder and city is desert.",
    "disoriented": "Move all figures of another seat in a square together, up to 2 steps.",
    "despot_day": "One of your cities has 4 more production this turn.",
    "gift_from_afar": "Stands for iron, wheat, spy or silk; another seat gets a coin token.",
    "revolt": "Another seat's government becomes Anarchy.",
    "exchange_of_ideas": "Learn a level 1 technology of another seat, then it learns one of yours.",
    "lost": "As Disoriented, up to 3 steps.",
    "catastrophe": "As Sabotage, within 6 steps.",
    "jousting_tourney": "Cancel an event.",
    "mass_defection": "Within 6 steps kill up to two figures of a square, or a great person.",
    "generous_gift": "Stands for iron, wheat, spy or silk.",
    "queen_day": "One of your cities has 6 more production this turn.",
    "deforestation": "A forest without building and wonder is grassland from now on.",
    "revolt_ii": "As The Citizens Are Revolting.",
    "knowledge_shared": "As Exchange of Ideas, levels 1 and 2.",
    "out_of_position": "As Disoriented, up to 4 steps.",
    "disaster": "Destroy up to two buildings of other seats.",
    "wholesale_defection": "As Mass Defection, anywhere.",
    "think_tank": "As Exchange of Ideas, levels 1 to 3.",
    "primetime_tv": "Cancel an event or a resource ability.",
    "president_day": "One of your cities has 8 more production this turn.",
    "princely_gift": "Stands for iron, uranium, spy, wheat or silk.",
}

WONDER_TEXTS: Final[dict[str, str]] = {
    "stonehenge": "Start of turn: 1 culture.",
    "colossus": "Start of turn: 3 trade.",
    "hanging_gardens": "Start of turn: an army or scout onto this square, for nothing.",
    "oracle": "Your opponent in a battle shows you its battle hand.",
    "angkor_wat": "Once per turn a harvest takes two tokens.",
    "himeji_castle": "Your units have 1 more strength.",
    "louvre": "Start of turn: 3 culture.",
    "porcelain_tower": "You need 5 less trade to research.",
    "panama_canal": "Start of turn: a coin token onto it.",
    "statue_of_liberty": "Start of turn: learn a technology that another seat knows.",
    "sydney_opera_house": "Start of turn: one free step on the culture track.",
    "united_nations": "Events cannot be aimed at you or yours without your consent.",
}

GOVERNMENT_TEXTS: Final[dict[str, str]] = {
    "despotism": "Nothing.",
    "anarchy": "The capital takes no city action.",
    "republic": "Armies may found cities; scouts may explore huts.",
    "democracy": "2 more trade when collecting; armies may not attack cities.",
    "communism": "2 more production in each city; arts in the capital yield 1 less.",
    "feudalism": "A coin; a city may harvest in the outskirts of any city of yours.",
    "monarchy": "One more event in hand; arts yield 1 more.",
    "fundamentalism": "One more unit in battle; 2 less trade when collecting.",
}

CIVILIZATION_TEXTS: Final[dict[str, str]] = {
    "america": "Begins with a random great person. 3 trade become 2 production.",
    "china": "The capital has walls. 3 culture for each hut and village; after each battle one "
             "killed unit may return.",
    "germany": "Two more infantry. A technology it researches that raises or unlocks a unit type "
               "brings a unit of that type and a market token.",
    "russia": "A seventh army; one more figure in a square. Once per turn an army or scout may be "
              "given up in an enemy city centre to learn a technology of its owner.",
    "egypt": "Begins with an ancient wonder. Once per turn a city builds an unlocked building for "
             "nothing.",
    "rome": "A free step on the culture track for each wonder built, city founded, city or village "
            "conquered.",
}  # fmt: skip
