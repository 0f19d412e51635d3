"""Where this machine is, and where another one is most likely reached."""

from ipaddress import IPv4Interface

from p2p.lan.interfaces import Interface, address_here, best_address, interfaces_up

LOOPBACK = Interface("lo", IPv4Interface("127.0.0.1/8"))
LAN = Interface("eth0", IPv4Interface("192.168.1.5/24"))
CONTAINERS = Interface("docker0", IPv4Interface("172.17.0.1/16"))
TUNNEL = Interface("tun0", IPv4Interface("10.8.0.2/32"))
HERE = [LAN, CONTAINERS, LOOPBACK]


def test_loopback_is_always_there_and_comes_last() -> None:
    everything, local = interfaces_up(), interfaces_up(is_local=True)
    assert local
    assert all(interface.is_loopback for interface in local)
    assert everything[-len(local) :] == local


def test_everybody_on_a_network_is_reached_by_its_broadcast() -> None:
    assert LAN.broadcast == "192.168.1.255"
    assert LOOPBACK.broadcast == "127.255.255.255"
    assert LAN.can_broadcast
    assert not TUNNEL.can_broadcast


def test_the_address_on_our_network_is_chosen() -> None:
    assert best_address(["10.9.9.9", "192.168.1.6"], HERE) == "192.168.1.6"


def test_a_container_bridge_that_every_machine_has_is_not_chosen() -> None:
    assert best_address(["172.17.0.1", "192.168.1.6"], HERE) == "192.168.1.6"


def test_a_table_on_this_machine_is_reached_by_our_own_address() -> None:
    assert best_address(["192.168.1.5", "172.17.0.1"], HERE) in ("192.168.1.5", "172.17.0.1")
    assert best_address(["127.0.0.1"], [LOOPBACK]) == "127.0.0.1"


def test_somebody_elses_loopback_is_the_last_resort() -> None:
    assert best_address(["127.0.0.1", "10.9.9.9"], [LAN]) == "10.9.9.9"


def test_nothing_offered_is_nowhere() -> None:
    assert best_address([], HERE) is None


def test_the_address_to_tell_others_is_one_of_ours() -> None:
    assert address_here() in {interface.address for interface in interfaces_up()}
