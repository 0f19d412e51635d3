"""What `hostless doctor` says on five networks: good, no multicast, a firewall, two, none.

    sudo lab.py doctor_networks           the reports, one after the other
    sudo lab.py doctor_networks firewall  only this one

Linux, root, iproute2 and nftables are needed; see namespaces.py.  Exit code 0 when every report
says what it has to say, 1 otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scripts.lab.namespaces import ROOT, Machine, lan

UI: Final = [sys.executable, "-P", "-m", "ui"]
REPORT_S: Final = 30.0
SHORT: Final = ("interface", "network", "multicast", "beacon", "port", "a table", "firewall")

NO_MULTICAST: Final = """
add table inet quiet
add chain inet quiet out { type filter hook output priority 0; }
add rule inet quiet out ip daddr 224.0.0.0/4 drop
add rule inet quiet out ip6 daddr ff00::/8 udp dport { 5353, 27485 } drop
"""
FIREWALL: Final = """
add table inet wall
add chain inet wall in { type filter hook input priority 0; policy drop; }
add rule inet wall in iif lo accept
add rule inet wall in ct state established,related accept
"""


def _inside(machine: Machine, *command: str, given: str = "") -> None:
    inside = ["ip", "netns", "exec", machine.namespace, *command]
    subprocess.run(inside, check=True, input=given, text=True)


@contextmanager
def _a_table(machine: Machine, home: str) -> Iterator[None]:
    """Somebody else on the network has opened a table."""
    command = [*UI, "open", "carta", "--seats", "2", "--plain", "--home", home, "--as", "grace"]
    peer = machine.start(command, {**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        assert peer.stdout is not None, "we asked for a pipe"
        peer.stdout.readline()
        yield
    finally:
        peer.terminate()
        peer.communicate()


def _nothing(machine: Machine) -> None:
    """The network as it is."""


def _without_multicast(machine: Machine) -> None:
    _inside(machine, "nft", "-f", "-", given=NO_MULTICAST)


def _with_a_firewall(machine: Machine) -> None:
    _inside(machine, "nft", "-f", "-", given=FIREWALL)


def _with_two(machine: Machine) -> None:
    _inside(machine, "ip", "link", "add", "wlan0", "type", "veth", "peer", "name", "far0")
    _inside(machine, "ip", "address", "add", "192.168.50.1/24", "dev", "wlan0")
    for name in ("wlan0", "far0"):
        _inside(machine, "ip", "link", "set", name, "up")


def _without_any(machine: Machine) -> None:
    machine.unplug()


NETWORKS: Final[dict[str, tuple[Callable[[Machine], None], int, tuple[str, ...]]]] = {
    "good": (_nothing, 0, ("heard from 10.77.0.2", "is reached at 10.77.0.1")),
    "no-multicast": (_without_multicast, 0, ("warning  multicast", "ok       beacon")),
    "firewall": (_with_a_firewall, 1, ("warning  firewall: nftables", "PROBLEM  network")),
    "two": (_with_two, 0, ("10.77.0.1/24: used", "192.168.50.1/24: used")),
    "none": (_without_any, 1, ("on no network", "eth0", "not used")),
}


def report(name: str) -> bool:
    """Print what the doctor says there; whether it is what it has to say."""
    change, code, parts = NETWORKS[name]
    with (
        lan(2) as (here, there),
        tempfile.TemporaryDirectory() as folder,
        _a_table(there, str(Path(folder) / "grace")),
    ):
        change(here)
        doctor = here.start(
            [*UI, "doctor", "--lang", "en", "--home", str(Path(folder) / "ada")],
            {**os.environ, "PYTHONPATH": str(ROOT)}, is_all_heard=True,
        )  # fmt: skip
        said, _ = doctor.communicate(timeout=REPORT_S)
    print(f"== {name}: exit code {doctor.returncode}")
    for line in said.splitlines():
        if line[9:].startswith(SHORT) or line.startswith("A table"):
            print(line)
    print(flush=True)
    return doctor.returncode == code and all(part in said for part in parts)


def main(arguments: list[str]) -> int:
    """Every network, or those that are named."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NETWORK", help=", ".join(NETWORKS))
    names = parser.parse_args(arguments).names
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    held = {name: report(name) for name in names or NETWORKS}
    for name in (name for name, is_right in held.items() if not is_right):
        print(f"{name}: the doctor does not say what it has to say", file=sys.stderr)
    return 0 if all(held.values()) else 1
