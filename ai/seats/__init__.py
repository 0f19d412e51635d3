"""A seat at a table without a person.

bot.py           a peer; time_management.py: on a busy machine
bot_terms.py     what a bot is bound to, and its decision done again in an audit
open_bot.py      the bot of an open seat, which every machine works out
brain.py         a search in a process of its own, so that no screen and no peer ever waits
assistants.py    processes that share the candidates of a search
program.py       the name and number of this program
"""
