"""`doctor`: whether a table can be opened and found here, and what to do where it cannot."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from ui.commands.interruptible import run_interruptibly
from ui.commands.person import home_of, words_of
from ui.doctor import machine
from ui.doctor.finding import Finding
from ui.doctor.firewall import firewalls
from ui.doctor.network import look_at_networks
from ui.plain.loop import print_line


def run(args: argparse.Namespace) -> int:
    """One line for everything that was looked at, or one object with `--json`; 0 if all is well."""
    words, is_fine = words_of(args), True
    for finding in findings(args):
        is_fine = is_fine and finding.state != "problem"
        print_line(
            json.dumps(finding.value(words), ensure_ascii=False) if args.json
            else finding.line(words)
        )  # fmt: skip
    if not args.json:
        problem = words("doctor.problem")
        print_line(words("doctor.fine") if is_fine else words("doctor.bad", problem=problem))
    return 0 if is_fine else 1


def findings(args: argparse.Namespace) -> Iterator[Finding]:
    """Each thing that is looked at, as soon as it is known."""
    yield machine.versions()
    yield machine.home(home_of(args))
    yield from machine.terminal()
    if not args.json:  # To ask the terminal is to write to it, which is not JSON.
        yield from machine.letters()
    yield machine.temporary_files()
    yield machine.rules()
    networks = run_interruptibly(look_at_networks)
    yield from networks.findings
    yield from firewalls(networks.is_silent)
    yield run_interruptibly(machine.worker)
