"""Whatever reads bytes from outside, as functions of bytes: see `scripts/lab.py fuzz`."""

from __future__ import annotations

from typing import Final

from tests.fuzz import here, seats, strangers, tables
from tests.fuzz.target import Open

TARGETS: Final[dict[str, Open]] = {
    "payload": strangers.payload,
    "frames": strangers.frames,
    "link": strangers.link,
    "beacon": strangers.beacon,
    "dns-sd": strangers.dns_sd,
    "certificate": strangers.certificate,
    "hello-to-a-listener": strangers.hello_to_a_listener,
    "hello-to-a-dialler": strangers.hello_to_a_dialler,
    "door": strangers.door,
    "door-with-password": strangers.door_with_password,
    "door-to-the-end": strangers.door_to_the_end,
    "opener": strangers.opener,
    "opener-to-a-bot": tables.opener_to_a_bot,
    "door-of-a-game": tables.door_of_a_game,
    "spectator": tables.spectator,
    "cpace": seats.cpace,
    "entry": seats.entry,
    "roster": seats.roster,
    "body": seats.body,
    "messages": seats.messages,
    "cheater": seats.cheater,
    "game-file": here.game_file,
    "secret-file": here.secret_file,
    "key-file": here.key_file,
    "profile": here.profile,
    "settings": here.settings,
    "known-file": here.known_file,
    "address": here.address,
    "typed": here.typed,
    "referee": here.referee,
    "foreign-bot": here.foreign_bot,
}
