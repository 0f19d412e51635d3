"""`audit FILE`: check a game; done only when every check holds."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import SystemRandom

from ai.bot_terms import Repeater
from p2p.audit.audit import Report, Verdict, audit_file, obey
from p2p.log.ledger import GameFileError
from ui.commands.person import words_of
from ui.plain import print_line
from ui.text import Words

# By the kind of entry that was due; all others show cards.
_WITHHELD = {"unseal": "audit.withheld_choice", "roll": "audit.withheld_roll"}


def run(args: argparse.Namespace) -> int:
    """One line per seat and one for the file, or the report as JSON."""
    chance = SystemRandom()  # Nobody can know which decisions will be done again.
    repeater = Repeater(lambda: chance.random() * 100 < args.bots)
    try:
        report = audit_file(args.file, (obey, repeater))
    except GameFileError as error:
        if not args.json:
            raise
        print(json.dumps(unreadable(args.file, error), ensure_ascii=False))
        return 1
    if args.json:
        counts = {"bots": [[seat, repeater.repeated.get(seat, 0), met]
                           for seat, met in repeater.met.items()]}  # fmt: skip
        print(json.dumps(report.plain() | counts, ensure_ascii=False))
    else:
        words = words_of(args)
        for line in [*report_lines(words, report), *bot_lines(words, repeater)]:
            print_line(line)
    return 0 if report.holds else 1


def unreadable(path: Path, error: GameFileError) -> dict[str, object]:
    """What is said in JSON of a file that holds no game."""
    return {"file": str(path), "holds": False, "finished": False, "damage": str(error), "seats": []}


def bot_lines(words: Words, repeater: Repeater) -> list[str]:
    """How much of what bots did was done again."""
    return [
        words("audit.bot", seat=seat + 1, count=repeater.repeated.get(seat, 0), met=met)
        for seat, met in repeater.met.items()
    ]


def report_lines(words: Words, report: Report) -> list[str]:
    """What the audit found, for people."""
    proofs = ", ".join(f"{number} {kind}" for kind, number in report.proofs.items() if number)
    lines = [words("audit.file", file=report.path, game=report.game, entries=report.entries)]
    lines += [words("audit.proven", proofs=proofs)] if proofs else []
    lines += [_verdict_line(words, verdict) for verdict in report.verdicts]
    if report.damage:
        lines.append(words("audit.damaged", why=report.damage))
    lines += [words("audit.unproven", what=each) for each in report.unproven]
    alone = report.unverified
    if alone is not None:
        lines.append(words("fair.unverified", entry=alone.entry, name=alone.name))
    if report.winners:
        won = "audit.won" if alone is None else "audit.won_alone"
        lines.append(words(won, names=", ".join(report.winners)))
    lines += _claim_lines(words, report)
    lines += _ending_lines(words, report)
    if report.holds and alone is not None:
        return [*lines, words("audit.holds_until", entry=alone.entry)]
    return [*lines, words("audit.holds" if report.holds else "audit.fails")]


def _verdict_line(words: Words, verdict: Verdict) -> str:
    """What is known of one seat."""
    found = [words("audit.honest" if verdict.is_honest else "audit.cheated", why=verdict.reason)]
    known = ((verdict.entry, "audit.at_entry"), (verdict.byte, "audit.at_byte"))
    places = [words(key, number=place) for place, key in known if place is not None]
    if places:
        found[0] += f" ({', '.join(places)})"
    if verdict.is_opened:
        found.append(words("audit.opened"))
    if verdict.stood_in is not None:
        found.append(words("audit.left", entry=verdict.stood_in))
    if verdict.withheld is not None:
        entry, kind = verdict.withheld
        found.append(words(_WITHHELD.get(kind, "audit.withheld_cards"), entry=entry))
    return f"{_seat(words, verdict)}: {', '.join(found)}"


def _seat(words: Words, verdict: Verdict) -> str:
    return words("audit.seat", number=verdict.seat + 1, name=verdict.name)


def _ending_lines(words: Words, report: Report) -> list[str]:
    """Whether the game came to its end, and how if not as it should."""
    if not report.is_finished:
        why = f": {report.ending}" if report.ending else ""
        return [words("audit.unfinished") + why]
    return [words("audit.but", why=report.ending)] if report.ending else []


def _claim_lines(words: Words, report: Report) -> list[str]:
    """What a seat that was left claims."""
    if report.claim is None:
        return []
    names = [_seat(words, verdict) for verdict in report.verdicts]
    silent = ", ".join(names[seat] for seat in report.claim.silent)
    return [words("audit.claim", name=names[report.claim.seat], silent=silent)]
