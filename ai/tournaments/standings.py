"""Who won how often in a tournament, how sure that is, and how strong everybody is in Elo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ai.tournaments.arena import Result
from ai.tournaments.ratings import interval, rate_players


@dataclass(frozen=True, slots=True)
class Ranking:
    """How often a player won, a shared victory counted in parts, with 95 % intervals
    that know which games were of one deal.

    Who has several seats at a table counts there once, with the mean of its seats.  Elo is above
    the mean of all players.
    """

    player: str
    seats: int
    games: int
    won: float
    rate: float
    at_least: float
    at_most: float
    elo: float
    elo_reach: float


def tally(results: Sequence[Result], players: Sequence[str]) -> list[Ranking]:
    """The standings, each player once, in the order of `players`."""
    names = list(dict.fromkeys(players))
    ratings = rate_players(_beaten(results, names))
    standings = []
    for name, rating in zip(names, ratings, strict=True):
        deals = _deals(results, name)
        games, won = sum(map(len, deals)), sum(map(sum, deals))
        rate = won / games if games else 0.0
        counts = players.count(name), games, won
        standings.append(Ranking(name, *counts, rate, *interval(deals), *rating))
    return standings


def _deals(results: Sequence[Result], name: str) -> list[list[float]]:
    """The shares of a player in the games that it played, deal by deal."""
    deals: dict[int, list[float]] = {}
    for result in results:
        if name in result.match.players:
            deals.setdefault(result.match.seed, []).append(_share(result, name))
    return list(deals.values())


def _share(result: Result, name: str) -> float:
    seats = [seat for seat, player in enumerate(result.match.players) if player == name]
    return sum(result.shares[seat] for seat in seats) / 1000 / len(seats)


def _beaten(results: Sequence[Result], names: Sequence[str]) -> list[list[float]]:
    """How often every player beat every other, seat against seat of different sides.

    A game is told once by every pair of seats.  All pairs together weigh 2 / sides of a game of
    each against each, which is what one victory among so many equals says about a player.
    """
    places = {name: place for place, name in enumerate(names)}
    beaten = [[0.0] * len(names) for _ in names]
    for result in results:
        sides, shares = result.sides, result.shares
        count = max(sides) + 1
        weight = 2 / count * (count / len(sides)) ** 2
        for seat, name in enumerate(result.match.players):
            for other, rival in enumerate(result.match.players):
                if sides[seat] != sides[other] and name != rival and shares[seat]:
                    part = shares[seat] / (shares[seat] + shares[other])
                    beaten[places[name]][places[rival]] += weight * part
    return beaten
