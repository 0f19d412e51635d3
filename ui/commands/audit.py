"""`audit FILE`: check a game; done only when every check holds."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import SystemRandom

from ai.mind import Repeater
from p2p.audit import Report, audit_file, obey
from p2p.ledger import GameFileError
from ui.plain import print_line


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
        for line in [*report_lines(report), *bot_lines(repeater)]:
            print_line(line)
    return 0 if report.holds else 1


def unreadable(path: Path, error: GameFileError) -> dict[str, object]:
    """What is said in JSON of a file that holds no game."""
    return {"file": str(path), "holds": False, "finished": False, "damage": str(error), "seats": []}


def bot_lines(repeater: Repeater) -> list[str]:
    """How much of what bots did was done again."""
    return [
        f"seat {seat + 1}: {repeater.repeated.get(seat, 0)} of {met} decisions done again"
        for seat, met in repeater.met.items()
    ]


def report_lines(report: Report) -> list[str]:
    """What the audit found, for people."""
    proofs = ", ".join(f"{number} {kind}" for kind, number in report.proofs.items() if number)
    lines = [f"{report.path}: {report.game}, {report.entries} entries"]
    lines += [f"proven: {proofs}"] if proofs else []
    for verdict in report.verdicts:
        found = "honest" if verdict.is_honest else f"CHEATED: {verdict.reason}"
        known = ((verdict.entry, "entry"), (verdict.byte, "byte"))
        places = [f"{name} {place}" for place, name in known if place is not None]
        place = f" ({', '.join(places)})" if places else ""
        opened = ", key opened" if verdict.is_opened else ""
        left = "" if verdict.stood_in is None else f", gone from entry {verdict.stood_in} on"
        lines.append(f"seat {verdict.seat + 1} {verdict.name}: {found}{place}{opened}{left}")
    if report.damage:
        lines.append(f"the file is damaged: {report.damage}")
    lines += [f"an accusation is not proven: {each}" for each in report.unproven]
    if report.unverified is not None:
        entry, name = report.unverified.entry, report.unverified.name
        lines.append(f"unverified from entry {entry} on: {name} went on alone")
    if report.winners:
        alone = ", unverified" if report.unverified is not None else ""
        lines.append(f"won by {', '.join(report.winners)}{alone}")
    lines += _claim_lines(report)
    if not report.is_finished:
        lines.append("the game is not finished" + f": {report.ending}" * bool(report.ending))
    elif report.ending:
        lines.append(f"the result is signed, but {report.ending}")
    lines.append("every check holds" if report.holds else "NOT every check holds")
    if report.holds and report.unverified is not None:
        lines[-1] += f"; for what follows entry {report.unverified.entry} nobody else vouches"
    return lines


def _claim_lines(report: Report) -> list[str]:
    """What a seat that was left claims."""
    if report.claim is None:
        return []
    names = [f"seat {verdict.seat + 1} {verdict.name}" for verdict in report.verdicts]
    silent = " and ".join(names[seat] for seat in report.claim.silent)
    said = f"{names[report.claim.seat]} claims the win; {silent} had not answered"
    return [f"{said}; nobody has confirmed it"]
