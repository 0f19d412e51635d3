"""What a game writes into its log, step by step, and what it takes to read it.

script         the whole game as one generator of steps: request, step, event
state          the table, the keys, and what is under way
steps          one step: who writes, how it is read, what must be verified first, and is counted
game_keys      keys: agreed on, in escrow, replaced, opened; the signed result
dealing        who holds a layer of which card            shuffling     decks go round
rolling        a number that nobody chose      sealing       secret choices
equivalents    cards that are the same to everybody
hurry          how hurried bots are
going_back     a choice is taken back by agreement
rebuilding     the cards of a seat whose key is lost, dealt anew
"""
