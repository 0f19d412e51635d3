"""The screen in a browser: a small server on this machine, and a program for each tab."""
