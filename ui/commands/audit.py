"""`audit FILE`: check a game; done only when every check holds."""

from __future__ import annotations

import argparse
import json

from p2p.audit import Report, audit_file
from ui.plain import print_line


def run(args: argparse.Namespace) -> int:
    """One line per seat and one for the file, or the report as JSON."""
    report = audit_file(args.file)
    if args.json:
        print(json.dumps(report.plain(), ensure_ascii=False))
    else:
        for line in report_lines(report):
            print_line(line)
    return 0 if report.holds else 1


def report_lines(report: Report) -> list[str]:
    """What the audit found, for people."""
    proofs = ", ".join(f"{number} {kind}" for kind, number in report.proofs.items() if number)
    lines = [f"{report.path}: {report.game}, {report.entries} entries"]
    lines += [f"proven: {proofs}"] if proofs else []
    for verdict in report.verdicts:
        found = "honest" if verdict.is_honest else f"CHEATED: {verdict.reason}"
        place = "" if verdict.entry is None else f" (entry {verdict.entry})"
        lines.append(f"seat {verdict.seat + 1} {verdict.name}: {found}{place}")
    if report.damage:
        lines.append(f"the file is damaged: {report.damage}")
    if report.winners:
        lines.append(f"won by {', '.join(report.winners)}")
    elif not report.is_finished:
        lines.append("the game is not finished")
    lines.append("every check holds" if report.holds else "NOT every check holds")
    return lines
