"""Games that are over, or were broken off.

recording.py   a game file as views to leaf through
practice.py    play on from any of them
course.py      how it went; review.py: costly choices
"""
