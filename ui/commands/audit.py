"""`audit FILE`: check a game; done only when every check holds."""

from __future__ import annotations

import argparse
import json
from random import SystemRandom

from ai.mind import Repeater
from p2p.audit import Report, audit_file, obey
from ui.plain import print_line


def run(args: argparse.Namespace) -> int:
    """One line per seat and one for the file, or the report as JSON."""
    chance = SystemRandom()  # Nobody can know which decisions will be done again.
    repeater = Repeater(lambda: chance.random() * 100 < args.bots)
    report = audit_file(args.file, (obey, repeater))
    if args.json:
        counts = {"bots": [[seat, repeater.repeated.get(seat, 0), met]
                           for seat, met in repeater.met.items()]}  # fmt: skip
        print(json.dumps(report.plain() | counts, ensure_ascii=False))
    else:
        for line in [*report_lines(report), *bot_lines(repeater)]:
            print_line(line)
    return 0 if report.holds else 1


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
        place = "" if verdict.entry is None else f" (entry {verdict.entry})"
        opened = ", key opened" if verdict.is_opened else ""
        lines.append(f"seat {verdict.seat + 1} {verdict.name}: {found}{place}{opened}")
    if report.damage:
        lines.append(f"the file is damaged: {report.damage}")
    if report.winners:
        lines.append(f"won by {', '.join(report.winners)}")
    elif not report.is_finished:
        lines.append("the game is not finished")
    lines.append("every check holds" if report.holds else "NOT every check holds")
    return lines
