"""What a game writes into its log, step by step, and what it takes to read it.

    script         the whole game as one generator of steps: request, step, event
    steps          one step: who writes, how it is read, what must be verified first
    agreeing       keys at the start            ending        the result, and the keys opened
    dealing        who holds a layer of which card            shuffling     decks go round
    commitments    sealed, then opened          rolling       a number that nobody chose
    secrets        what a seat keeps to itself  fairness      what has been proven, counted
    equivalents    cards that are the same to everybody
    escrow, rebuilding, new_key     the key of a seat in parts; its cards, dealt anew; its return
"""
