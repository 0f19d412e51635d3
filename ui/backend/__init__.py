"""What lies behind a screen: the node, by way of `ui.port`, and the adviser beside it.

bridge.py    trio as a guest in the loop of the screen
hints.py     the adviser: hints, reviews, win curves
"""
