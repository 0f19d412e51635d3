"""The screen in a browser: a small server on this machine, and a program for each tab.

server.py       one page, and what starts the program
tabs.py         the home that each tab keeps
"""
