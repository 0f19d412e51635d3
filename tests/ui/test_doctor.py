"""`hostless doctor`: what each look finds, and that it tells problems from what is well."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from ipaddress import IPv4Interface, IPv6Interface
from pathlib import Path

import pytest
import trio

from p2p.base.limits import BEACON_PORT, LISTEN_PORT
from p2p.net.interfaces import MDNS_PORT, Interface, interfaces_up
from tests.limits import HANGS_S
from tests.ui.test_text import placeholders
from ui.__main__ import _DID_NOT_HOLD, _DONE, main
from ui.commands import doctor
from ui.doctor import firewall, machine, network, probes
from ui.doctor.finding import Finding
from ui.doctor.probes import Heard, beacon, multicast, probe
from ui.language.text import LANGUAGE_NAMES, load

DOCTOR = Path(doctor.__file__).parents[1] / "doctor"
LAN = Interface("eth0", IPv4Interface("192.168.1.5/24"))
LAN6 = Interface("eth0", IPv6Interface("fe80::5/64"), 4)


def check_findings(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> int:
    """The exit code where these things are found."""
    monkeypatch.setattr(doctor, "findings", lambda args: iter(findings))
    return main(["doctor", "--lang", "en"])


def test_a_problem_is_exit_code_one_and_a_warning_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warning = Finding("rules", "warning", "plain_rules")
    problem = Finding("network", "problem", "no_network", advice="get_network")
    assert check_findings(monkeypatch, warning) == _DONE
    assert capsys.readouterr().out.splitlines()[-1] == load("en")("doctor.fine")
    assert check_findings(monkeypatch, warning, problem) == _DID_NOT_HOLD
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("PROBLEM  network: this machine is on no network")
    assert "Plug in a cable" in lines[1] and "PROBLEM" in lines[-1]


def test_every_finding_is_one_object_with_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "findings", lambda args: iter([machine.home(tmp_path)]))
    assert main(["doctor", "--json", "--lang", "ja"]) == _DONE
    (value,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (value["check"], value["state"], value["says"]) == ("home", "ok", "home")
    assert value["values"]["home"] == str(tmp_path)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_everything_that_can_be_found_has_a_sentence(code: str) -> None:
    words, source = load(code), "".join(path.read_text("utf-8") for path in DOCTOR.glob("*.py"))
    keys = {key.removeprefix("doctor.") for key in words.sentences if key.startswith("doctor.")}
    for key in keys - {"ok", "warning", "problem", "fine", "bad"}:
        assert f'"{key.removeprefix("check_")}"' in source, f"nothing says {key}"
    said = re.findall(r'Finding\(\s*(?:name|"(\w+)"), "(?:ok|warning|problem)", "(\w+)"', source)
    assert len(said) > 15
    for check, says in said:
        assert says in keys and (not check or f"check_{check}" in keys)


def test_a_home_that_cannot_be_used_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert machine.home(tmp_path).state == machine.home(tmp_path / "new" / "home").state == "ok"
    assert machine.home(tmp_path / "file").says == "home_file"
    assert machine.home(tmp_path / "file" / "home").state == "problem"
    assert not (tmp_path / "new").exists()


def test_a_folder_where_no_program_may_start_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_noexec", lambda folder: True)
    assert machine.temporary_files().advice == "use_tmpdir"
    monkeypatch.setattr(machine, "is_noexec", lambda folder: False)
    assert machine.temporary_files().state == "ok"


async def test_a_probe_comes_back_to_the_machine_that_sent_it() -> None:
    (here, *_) = [each for each in interfaces_up(is_local=True) if not each.is_ipv6]
    with trio.fail_after(HANGS_S):
        heard = await probe(beacon(b"12345678"), [here])
    assert heard[here.address].is_back and not heard[here.address].trouble


def test_the_question_of_a_probe_is_one_that_multicast_dns_answers() -> None:
    way = multicast(b"\x12\x34")
    assert way.target(LAN) == ("224.0.0.251", 5353)
    assert way.datagram.startswith(b"\x12\x34\0\0\0\2\0\0\0\0\0\0\x09_services\x07_dns-sd\x04_udp")
    assert way.datagram.endswith(b"\x09_hostless\x04_tcp\x05local\0\0\x0c\0\x01")
    assert way.target(LAN6) == ("ff02::fb", 5353, 0, 4)
    assert beacon(b"1").target(LAN) == ("192.168.1.255", 27485)
    assert beacon(b"1").target(LAN6) == ("ff02::1", 27485, 0, 4)


def test_one_address_of_ipv6_on_each_network_is_enough_to_probe_it() -> None:
    more = Interface("eth0", IPv6Interface("2001:db8::5/64"), 4)
    tunnel = Interface("tun0", IPv4Interface("10.8.0.2/32"))
    assert beacon(b"1").reaches([LAN, LAN6, more, tunnel]) == [LAN, LAN6]
    assert multicast(b"12").reaches([LAN, LAN6, more, tunnel]) == [LAN, LAN6, tunnel]


def test_a_datagram_of_ours_is_known_by_the_network_that_it_comes_back_on() -> None:
    assert probes._is_from(("192.168.1.5", 5353), LAN)
    assert not probes._is_from(("192.168.1.6", 5353), LAN)
    assert probes._is_from(("fe80::77", 5353, 0, 4), LAN6)
    assert not probes._is_from(("fe80::77", 5353, 0, 5), LAN6)


@pytest.mark.parametrize(
    ("heard", "state", "says"),
    [
        (Heard("", True, {"192.168.1.9"}), "ok", "heard_others"),
        (Heard("", True), "ok", "heard_back"),
        (Heard("Operation not permitted"), "warning", "not_sent"),
        (Heard(), "warning", "not_heard"),
    ],
)
def test_what_is_heard_is_told_apart(heard: Heard, state: str, says: str) -> None:
    finding = network._way_finding("beacon", LAN, heard)
    assert (finding.state, finding.says) == (state, says)
    assert "192.168.1.5" in finding.line(load("en"))


async def test_a_machine_on_no_network_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests have loopback alone."""
    with trio.fail_after(HANGS_S):
        found = await network.look_at_networks()
    states = {
        finding.check: (finding.state, finding.says)
        for finding in found.findings
        if finding.says != "listen_taken"
    }  # By a game of whoever runs the tests.
    assert states["network"] == ("problem", "no_network")
    assert states["port"] == ("ok", "port_open") and states["table"] == ("ok", "table_found")


async def test_an_address_that_is_not_ours_is_not_reached() -> None:
    assert not await network._is_reached("127.0.0.1", "127.0.0.1", 1)


def tool(answer: str | None) -> Callable[[list[str]], str | None]:
    """A system whose tools all print this."""
    return lambda command: answer


@pytest.mark.parametrize(
    ("system", "answer", "says"),
    [
        ("linux", "chain in { type filter hook input priority 0; }", "firewall_nft"),
        ("linux", "table ip nat { chain out { type nat hook output priority 0; } }", "no_firewall"),
        ("win32", None, "firewall_windows"),
        ("darwin", "Firewall is enabled. (State = 1)", "firewall_mac"),
        ("darwin", "Firewall is disabled. (State = 0)", "no_firewall"),
    ],
)
def test_each_system_has_its_firewall(
    system: str, answer: str | None, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(firewall, "UFW", tmp_path / "none")
    monkeypatch.setattr(firewall, "FIREWALLD", (tmp_path / "none",))
    (finding,) = firewall.firewalls(False, tool(answer), system)
    assert (finding.says, finding.state) == (says, "ok")
    assert firewall.firewalls(True, tool(answer), system)[0].state == (
        "ok" if says == "no_firewall" else "warning"
    )
    assert "{" not in finding.line(load("en")).replace("{ 5353, 27485 }", "")
    if system in ("win32", "darwin") and answer != "Firewall is disabled. (State = 0)":
        assert sys.executable in finding.line(load("en"))


def test_ufw_and_firewalld_are_seen_by_their_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings, running = tmp_path / "ufw.conf", tmp_path / "firewalld"
    monkeypatch.setattr(firewall, "UFW", settings)
    monkeypatch.setattr(firewall, "FIREWALLD", (running,))

    def found() -> Iterator[str]:
        return (each.says for each in firewall.firewalls(False, tool(""), "linux"))

    settings.write_text("ENABLED=no\n")
    assert list(found()) == ["no_firewall"]
    running.mkdir()
    assert list(found()) == ["firewall_firewalld"]
    settings.write_text("# ufw\nENABLED=yes\n")
    assert list(found()) == ["firewall_ufw"]


def test_commands_keep_their_braces_in_every_language() -> None:
    for code in LANGUAGE_NAMES:
        sentence = load(code).sentences["doctor.allow_nft"]
        assert placeholders(sentence) == [] and "{{ 5353" in sentence


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_advice_names_the_ports_that_are_used(code: str) -> None:
    for key in ("open_ports", "allow_ufw", "allow_firewalld", "allow_nft"):
        sentence = load(code)(f"doctor.{key}")
        assert all(str(port) in sentence for port in (MDNS_PORT, BEACON_PORT, LISTEN_PORT)), key


async def test_a_table_that_has_the_usual_port_is_a_warning_and_no_problem() -> None:
    listeners = await trio.open_tcp_listeners(0, host="0.0.0.0")
    port: int = listeners[0].socket.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "LISTEN_PORT", port)
        (finding,) = await network._usual_port()
        assert (finding.state, finding.says) == ("warning", "listen_taken")
        for listener in listeners:
            await listener.aclose()
        assert await network._usual_port() == []


def test_a_tool_that_is_missing_says_nothing() -> None:
    assert firewall.run_tool(["no-such-tool-anywhere"]) is None
    assert probes.ROUNDS * probes.ROUND_S <= 3, "nobody waits long for a report"
