"""A LAN of network namespaces on one machine: bridge, cables, one address each, no way out.

    sudo lab.py namespaces        is a table announced in one seen in another?

Linux, root and the `ip` command of iproute2 are needed; nothing of the machine's own network is
touched, and all of it disappears at the end.  Other scripts use `lan()` to play between machines:

    with lan(3) as machines:
        peer = machines[0].start([sys.executable, "-m", "ui", "open", "carta"])
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scripts import environment as clone

ROOT: Final = clone.ROOT
COUNT_MAX: Final = 64
CLONE_NEWNET: Final = 0x40000000
SEEN_WITHIN_S: Final = 3.0  # From the moment somebody looks.
PATIENCE_S: Final = 20.0


@dataclass(frozen=True)
class Machine:
    """A network namespace that looks like a computer on a switch."""

    namespace: str
    address: str

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        is_all_heard: bool = False,
    ) -> subprocess.Popen[str]:
        """A process on this machine, with pipes to its input and from its output.

        If `is_all_heard`, its diagnostics come with its output.
        """
        inside = ["ip", "netns", "exec", self.namespace, *command]
        pipe, errors = subprocess.PIPE, subprocess.STDOUT if is_all_heard else None
        return subprocess.Popen(
            inside, env=environment, text=True, stdin=pipe, stdout=pipe, stderr=errors
        )

    def move(self, *addresses: str) -> None:
        """Have these addresses, as `10.77.0.9/24`, and no other of IPv4; IPv6 stays as it is."""
        _ip("-n", self.namespace, "-4", "address", "flush", "dev", "eth0")
        for address in addresses:
            _ip("-n", self.namespace, "address", "add", address, "dev", "eth0")

    def change_card(self, hardware: str) -> None:
        """Have another network card, and with it another address fe80::... after a moment."""
        self.unplug()
        _ip("-n", self.namespace, "link", "set", "eth0", "address", hardware)
        self.plug()
        shown = ["ip", "-n", self.namespace, "-6", "address", "show", "dev", "eth0"]
        while b"tentative" in (seen := subprocess.check_output(shown)) or b"fe80" not in seen:
            time.sleep(0.02)

    def filter(self, rules: str) -> None:
        """Let the firewall of this machine be this set of rules (nft), and nothing else."""
        if shutil.which("nft") is None:
            sys.exit("The firewalls of these machines need nft; install the package nftables.")
        command = ["ip", "netns", "exec", self.namespace, "nft", "-f", "-"]
        subprocess.run(command, input=f"flush ruleset\n{rules}", text=True, check=True)

    def unplug(self) -> None:
        """Pull the network cable."""
        _ip("-n", self.namespace, "link", "set", "eth0", "down")

    def plug(self) -> None:
        """Put the network cable back."""
        _ip("-n", self.namespace, "link", "set", "eth0", "up")


def enter(machine: Machine) -> None:
    """Be on this machine from now on, with the whole process."""
    with open(f"/var/run/netns/{machine.namespace}", "rb") as namespace:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(namespace.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


@contextlib.contextmanager
def lan(count: int) -> Iterator[list[Machine]]:
    """`count` machines 10.77.0.1, .2, ... on one switch, without a route to anywhere else."""
    assert 0 < count <= COUNT_MAX, "the addresses are enough for 64 machines"
    name = f"hl{secrets.token_hex(3)}"
    switch = f"{name}-switch"
    with contextlib.ExitStack() as made:
        _make_namespace(made, switch)
        _ip("-n", switch, "link", "add", "switch", "type", "bridge")
        _ip("-n", switch, "link", "set", "switch", "up")
        yield [_make_machine(made, switch, name, index + 1) for index in range(count)]


@contextlib.contextmanager
def other_switch(machines: Sequence[Machine]) -> Iterator[None]:
    """These machines are on a switch of their own for a while."""
    switch = machines[0].namespace.rsplit("-", 1)[0] + "-switch"
    ports = [f"port{machine.namespace.rsplit('-', 1)[1]}" for machine in machines]
    _ip("-n", switch, "link", "add", "apart", "type", "bridge")
    _ip("-n", switch, "link", "set", "apart", "up")
    for port in ports:
        _ip("-n", switch, "link", "set", port, "master", "apart")
    try:
        yield
    finally:
        for port in ports:
            _ip("-n", switch, "link", "set", port, "master", "switch")
        _ip("-n", switch, "link", "del", "apart")


def _make_namespace(made: contextlib.ExitStack, name: str) -> None:
    _ip("netns", "add", name)
    made.callback(_ip, "netns", "del", name)
    _ip("-n", name, "link", "set", "lo", "up")


def _make_machine(made: contextlib.ExitStack, switch: str, name: str, number: int) -> Machine:
    machine = Machine(f"{name}-{number}", f"10.77.0.{number}")
    _make_namespace(made, machine.namespace)
    port = ("name", f"port{number}")
    end = ("name", "eth0", "netns", machine.namespace)
    _ip("-n", switch, "link", "add", *port, "type", "veth", "peer", *end)
    _ip("-n", switch, "link", "set", port[1], "master", "switch", "up")
    _ip("-n", machine.namespace, "address", "add", f"{machine.address}/24", "dev", "eth0")
    machine.plug()
    return machine


# ---- the check ----

_ANNOUNCE: Final = """
import trio
from p2p.net import {way}
from p2p.net.discovery import TableAd, announcing
ad = TableAd("0123456789abcdef", "Check", "carta", 2, 1, bytes(32), "", 4000)
silent = trio.sleep_forever
{silence}
async def main():
    async with announcing(ad):
        print("announcing", flush=True)
        await trio.sleep_forever()
trio.run(main)
"""

_BROWSE: Final = """
import time
began = time.monotonic()
import trio
from p2p.net.discovery import browsing
async def main():
    async with browsing() as sightings:
        async for tables in sightings:
            for table in tables:
                took = time.monotonic() - began
                print(f"{took:.2f} {table.heard_by} {table.host}:{table.port}", flush=True)
                return
trio.run(main)
"""

# How to switch off the other way of announcing.
_ONLY: Final = {
    "dns_sd": "from p2p.net import beacon\nasync def mute(*a, **k): await silent()\n"
    "beacon.broadcast = mute",
    "beacon": "from p2p.net import dns_sd\nasync def mute(*a, **k): await silent()\n"
    "dns_sd.publish = mute",
}


def check_across(way: str) -> bool:
    """Whether a table announced in one machine, by one way alone, is soon seen in another."""
    with lan(2) as (here, there):
        return _is_seen(way, here, there, here.address)


def check_alone(way: str) -> bool:
    """Whether two programs on a machine without any network find each other."""
    with lan(1) as (here,):
        here.unplug()
        return _is_seen(way, here, here, "127.0.0.1")


def _is_seen(way: str, here: Machine, there: Machine, address: str) -> bool:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    source = _ANNOUNCE.format(way=way, silence=_ONLY[way])
    with contextlib.ExitStack() as running:
        announcer = here.start([sys.executable, "-c", source], environment)
        running.callback(_end, announcer)
        assert announcer.stdout is not None, "we asked for a pipe"
        announcer.stdout.readline()
        time.sleep(1.0)  # So that the first announcement is over, and has to be asked for.
        browser = there.start([sys.executable, "-c", _BROWSE], environment)
        running.callback(_end, browser)
        try:
            seen = browser.communicate(timeout=PATIENCE_S)[0].split()
        except subprocess.TimeoutExpired:
            seen = []
    if not seen:
        print(f"{way}: nothing seen in {PATIENCE_S:.0f} s")
        return False
    is_there = seen[2] == f"{address}:4000" or (way == "beacon" and seen[2].startswith("fe80::"))
    is_right = is_there and float(seen[0]) <= SEEN_WITHIN_S
    print(f"{way}: {seen[2]} seen by {seen[1]} after {seen[0]} s, imports included")
    return is_right


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate()


def main(arguments: list[str]) -> int:
    """Check both ways on a LAN and on a lonely machine; 0 when all were seen in time."""
    argparse.ArgumentParser(description=main.__doc__).parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    held = [check(way) for check in (check_across, check_alone) for way in _ONLY]
    return 0 if all(held) else 1
