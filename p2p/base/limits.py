"""Every limit of the network side, in one place: no queue, frame, name or wait is without one.

They bound what a stranger can make us do, not what a game needs: each is several times the
greatest figure that a game of four seats and 250 cards reaches.  Those that were chosen with each
other in mind are compared at the end of the file, whenever the program starts.  The version of the
protocol stands beside them, because screens compare both without a network.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

PROTOCOL_VERSION: Final = 16

# ---- bytes on the wire (wire.py) ----
FRAME_BYTES_MAX: Final = 1 << 20
DEPTH_MAX: Final = 16  # Arrays inside arrays.
ITEMS_MAX: Final = 1 << 12  # Arrays, maps, keys and values of a whole value, however deep.
INTEGER_BITS_MAX: Final = 64  # RFC 8949: larger ones need a tag, and we have no tags.

# ---- people and tables ----
NAME_LETTERS_MAX: Final = 32
SAID_LETTERS_MAX: Final = 200  # Of one line that somebody says at the table.
SAID_LINES_MAX: Final = 8  # Lines of a seat that whoever is linked later is told.
NAME_MARKS_MAX: Final = 2  # Marks on one letter, beyond what Unicode has as one letter.
OPTIONS_LETTERS_MAX: Final = 120  # The options of a table as announced.
TERM_LETTERS_MAX: Final = 32  # The name of a bot's program.
HOST_LETTERS_MAX: Final = 64  # An address, as somebody tells it.
TABLE_SEATS_MAX: Final = 8
GRACE_S: Final = 60  # How long a table waits for a silent seat, unless it agreed on another time.
GRACE_S_MIN: Final = 5  # The shortest such time: a cable may be out for less by chance.
GRACE_S_MAX: Final = 86_400  # The longest: a day.
BANK_S_MAX: Final = 86_400  # On a person's clock, for a whole game.
INCREMENT_S_MAX: Final = 3_600  # Added to that clock after each choice.
PERSONS_MIN: Final = 2  # At a table at which one may have to wait for another.

# ---- links (link.py) ----
HANDSHAKE_DEADLINE_S: Final = 5.0  # For the connection, and again for the whole handshake.
WELCOME_DEADLINE_S: Final = 10.0  # For whoever we call to prove who it is: it may have a crowd.
HANDSHAKE_BYTES_MAX: Final = 1024  # Of a frame before the peer has proven who it is.
CALLERS_MAX: Final = 64  # Links and handshakes of one listener; the next caller is turned away.
CALLERS_PER_HOST_MAX: Final = 16  # Those of one host, whose next caller is turned away.
CALLS_BURST_MAX: Final = 64  # Calls of one host at once.
CALLS_PER_S_MAX: Final = 10.0  # Calls of one host per second, on average.
VAIN_CALLS_MAX: Final = 16  # Each call in vain makes the next ones count one more, up to this.
VAIN_PERIOD_S: Final = 60.0  # After this time calls that came to nothing are forgotten.
FORGIVEN_CALLS_MAX: Final = 12  # Calls in vain that are not held against whoever wants to look on.
EXHAUSTED_S: Final = 0.1  # Without a caller, when this machine has nothing left for one.
CALLERS_AT_ONCE: Final = 4  # Callers taken in before all other tasks have their turn.
TURNED_AWAY_AT_ONCE: Final = 256  # Callers turned away before that: it costs next to nothing.
CALLS_AT_ONCE_MAX: Final = 16  # Addresses of one peer that are called side by side.
HEAD_START_S: Final = 0.25  # Between the calls of two such addresses (RFC 8305, section 8).
REASON_LETTERS_MAX: Final = 200  # Why a table shows nothing: as much as one line holds.
SPECTATORS_MAX: Final = 16  # Who look on at one seat; the next one may ask another seat.
SHOWN_BYTES: Final = 1 << 18  # Of a log, queued for a spectator before it has taken in the last.
SHOWN_BYTES_PER_S: Final = 1 << 22  # Of logs, to all spectators together, on average.
STATUS_S: Final = 0.25  # Between two words to all spectators about what stands in no log.
COUNTED_MS_MAX: Final = 1 << 32  # Of a time in such a word.
SHOWN_BYTES_BURST: Final = 1 << 23  # The same at once: whoever comes again and again waits.
STALLED_S_MAX: Final = 30.0  # For whoever is no member to take in a part of what we send.
LINKS_WAITING_MAX: Final = 64  # Proven links that nobody has taken in yet.
SEND_FRAMES_MAX: Final = 1 << 14  # Frames that wait for a slow peer; one more closes its link.
SEND_BYTES_MAX: Final = 1 << 25  # Bytes of those frames: a whole game log for a spectator fits.
RECEIVE_FRAMES_MAX: Final = 256  # Frames read ahead; then TCP tells the peer to wait.
PIECE_ENTRIES_MAX: Final = 512  # Entries of the log in one frame, for whoever is behind.
PIECE_BYTES_MAX: Final = 1 << 18  # Bytes of those entries: a moment's work at both ends.
PORT_MAX: Final = (1 << 16) - 1
READ_BYTES: Final = 1 << 16  # One read from a link.
LOOP_BYTES_MAX: Final = 1 << 14  # Of a frame that is decoded at once; a longer one in a thread.
READERS_MAX: Final = 2  # Such threads of all links together.
PING_INTERVAL_S: Final = 2.0
SILENCE_S_MAX: Final = 10.0  # Without a byte from a peer, not even an answer to a ping.
GOODBYE_DEADLINE_S: Final = 1.0  # For a peer to take in what was queued when we close a link.

# ---- who is at the other end of a link (link.py) ----


class Role(Enum):
    """What somebody is to us; whoever calls begins as a stranger."""

    STRANGER = "stranger"  # It has proven an identity, and has not said yet what it wants.
    GUEST = "guest"  # It has a seat at a table that is filling.
    SPECTATOR = "spectator"  # It is shown a game.
    MEMBER = "member"  # A seat of a running game; or somebody whom we have called ourselves.


class Allowance(NamedTuple):
    """What a link may bring us, and cost us, by the role of its peer."""

    frame_bytes: int  # Of one frame.
    items: int  # In one frame: see `ITEMS_MAX`.
    frames_per_s: float  # On average, pings among them.
    frames_burst: int  # At once.
    bytes_per_s: float
    bytes_burst: int
    sent_bytes: int  # That wait for it to take them in.
    links_per_host: int
    waits: bool  # Whether we read on later when it sends more, in place of closing the link.
    lines_per_s: float = 0.0  # That its seat may say to the table, whoever brings them.
    lines_burst: int = 0  # The same at once.  0: it has nothing to say.


ALLOWANCES: Final[Mapping[Role, Allowance]] = {
    Role.STRANGER: Allowance(
        *(1024, 32, 4.0, 32, 1 << 12, 1 << 13),
        sent_bytes=1 << 16, links_per_host=CALLERS_PER_HOST_MAX, waits=False,
    ),
    Role.GUEST: Allowance(
        *(1024, 32, 4.0, 32, 1 << 12, 1 << 13),
        sent_bytes=1 << 18, links_per_host=TABLE_SEATS_MAX, waits=False,
    ),
    Role.SPECTATOR: Allowance(  # Pings and a goodbye: one byte each.
        *(1, 1, 4.0, 32, 1 << 6, 1 << 9),
        sent_bytes=1 << 21, links_per_host=4, waits=False,
    ),
    Role.MEMBER: Allowance(
        *(FRAME_BYTES_MAX, ITEMS_MAX, 1000.0, 1 << 12, 1 << 22, 1 << 23),
        sent_bytes=SEND_BYTES_MAX, links_per_host=TABLE_SEATS_MAX, waits=True,
        lines_per_s=1.0, lines_burst=2 * SAID_LINES_MAX,
    ),
}  # fmt: skip

# ---- where the seats of a game are (places.py, mesh.py) ----
PLACES_ANNOUNCED_MAX: Final = 4  # Addresses of one seat that are announced on the LAN.
PLACES_SIGNED_MAX: Final = 8  # Addresses of one seat that it has signed itself.
PLACES_GIVEN_MAX: Final = 8  # Addresses of one seat that the person here has typed.
PLACES_BURST_MAX: Final = 8  # Changes of one seat's addresses that are believed at once.
PLACES_PER_S_MAX: Final = 0.5  # The same per second, on average.
ANSWER_S: Final = 2.0  # For a seat to say that it takes our link.
REDIAL_FIRST_S: Final = 0.1  # Between the first two attempts to reach a seat.
REDIAL_LAST_S: Final = 2.0  # Between two attempts when it has not been there for a while.
GIVING_WAY_S: Final = 0.5  # So much later the lower of two seats calls, for the other to be first.
MEET_S: Final = 3.0  # For all to meet at first: till then nobody is away, and I sign nothing new.

# ---- the password of a table (password.py) ----
PASSWORD_LETTERS_MAX: Final = 64
PASSWORD_DEADLINE_S: Final = 5.0  # For the answer of a guest.
GUESSES_PERIOD_S: Final = 60.0
GUESSES_MAX: Final = 3  # Wrong guesses in that time, of one identity or of one host.
GUESSES_TABLE_MAX: Final = 30  # Wrong guesses in that time, of everybody together.

# ---- a table that fills (gathering.py, mesh.py) ----
FIRST_MESSAGE_S: Final = 5.0  # For a caller to say what it wants.
GAME_BEGINS_S: Final = 10.0  # For our game to begin after another seat's has.
MEASURE_S: Final = 60.0  # For a bot that has a seat to find out how far it can think.
KEEP_S: Final = 20.0  # For a guest to put a game on its disk; a slow one takes a second.
HELD_UP_BY_ONE_MAX: Final = 2  # Times that somebody may let a full table wait for nothing,
HELD_UP_BY_HOST_MAX: Final = 4  # and all from one host together.

# ---- a running game (session, log) ----
INBOX_MESSAGES_MAX: Final = 1024
EARLY_ENTRIES_MAX: Final = 64  # Entries of later steps that may wait, for each seat.
EARLY_CHANGES_MAX: Final = 64  # Changes of members that may wait, for each seat that brings some.
EARLY_BYTES_MAX: Final = 1 << 21  # Bytes of such entries, and of such changes, for each seat.
VOTES_BURST_MAX: Final = 64  # New votes, of whomever, that a member brings at once.
VOTES_PER_S_MAX: Final = 4.0  # The same per second, on average.
ROUNDS_BURST_MAX: Final = 64  # Rounds that a member begins at once; all others answer each.
ROUNDS_PER_S_MAX: Final = 1 / 15  # The same per second, on average.
TRIED_BURST_MAX: Final = 4  # Accusations of one seat that are tried at once on a copy of the game;
TRIED_PER_S_MAX: Final = 1 / 15  # the same per second, on average.
ASKED_MAX: Final = 2  # Farewells or wishes of one owner in an epoch that are thought of.
TRIES_MAX: Final = 4  # From there on I wait no longer each time.
HELP_BURST_MAX: Final = 64  # How often a seat is given a piece of the log at once.
HELP_PER_S_MAX: Final = 16.0  # The same per second, on average.
CLOCK_LAG_MS_MAX: Final = 12_000  # More than was counted here that a clock may show, at once.
CLOCK_LAG_MS_PER_S: Final = 100.0  # The same on average: slow links and machines make that.
TAKEN_OVER_BURST_MAX: Final = 8  # How often another program may take a seat over at once.
TAKEN_OVER_PER_S_MAX: Final = 0.1  # The same on average: each goes to the disks of all others.

# ---- what a person is told (news.py) ----
NOTICE_AGAIN_S: Final = 60.0  # Before the same notice is shown once more.
NOTICES_BURST_MAX: Final = 20  # Notices of whatever kind that are shown at once.
NOTICES_PER_S_MAX: Final = 0.5  # The same per second, on average.
NOTICES_KEPT_MAX: Final = 256  # Notices that are remembered, to know what was said.

# ---- discovery (discovery.py, beacon.py) ----
VERSION_MAX: Final = 1 << 16  # Of the protocol that somebody else speaks.
TABLES_SEEN_MAX: Final = 64  # Tables heard in one way; what a stranger adds beyond is not shown.
TAGS_SEEN_MAX: Final = 256  # Seats of strangers' games; who announces more is not heard.
PEOPLE_SEEN_MAX: Final = 64  # People in the list, as with tables.
SIGHTINGS_WAITING_MAX: Final = 128  # Between the threads of DNS-SD and us.
DNS_SD_LOOKUP_S: Final = 0.8  # For the address of a service that did not send it along.
DNS_SD_RECORD_S: Final = 10.0  # How long others may believe what we announced.
DNS_SD_RECHECK_S: Final = 5.0  # How often whoever browses makes sure.
NETWORK_POLL_S: Final = 1.0  # How soon a network that came up or went away is noticed.
HOSTS_MAX: Final = 4  # Addresses of one table, or of one announcement, that are tried.
BEACON_PORT: Final = 27485  # UDP, in the range that IANA has not assigned.
LISTEN_PORT: Final = 27486  # TCP, beside it: tried first where somebody listens.
BEACON_INTERVAL_S: Final = 1.0
BEACON_BYTES_MAX: Final = 1024  # One datagram, below every usual MTU.
BEACON_EXPIRY_S: Final = 4.0  # Three beacons may be lost before a table disappears.
PERSON_INTERVAL_S: Final = 2.0  # Between two beacons of a person, who moves less than a table.
PERSON_EXPIRY_S: Final = 8.0  # Without a beacon, before a person disappears.
BEACONS_BURST_MAX: Final = 16  # Beacons that one source may send at once; others are ignored.
BEACONS_PER_S_MAX: Final = 8.0  # The same per second, on average.
HEARD_AT_ONCE_MAX: Final = 16  # Datagrams, before anything else has its turn.
NOTES_AT_ONCE_MAX: Final = 256  # Of the system about its networks; the rest is the next change.
SOURCES_MAX: Final = 256  # Sources whose rate is remembered.

# ---- what these numbers owe each other: each was chosen with the other in mind ----
assert HANDSHAKE_BYTES_MAX < FRAME_BYTES_MAX <= SEND_BYTES_MAX, (
    "a frame fits into the queue of a link, and a stranger sends less than somebody who is known"
)
assert PIECE_BYTES_MAX * 2 <= FRAME_BYTES_MAX and PIECE_ENTRIES_MAX + 8 <= ITEMS_MAX, (
    "a piece of a log and the longest entry after it fit into one frame"
)
assert ALLOWANCES[Role.MEMBER].lines_burst >= 2 * SAID_LINES_MAX, (
    "whoever is linked anew is told the lines of a seat that it missed, and then what it says"
)
assert ALLOWANCES[Role.SPECTATOR].lines_burst == 0, "whoever looks on says nothing"
assert ALLOWANCES.keys() == set(Role), "everybody has a role, and each role an allowance"
for _role, _may in ALLOWANCES.items():
    assert _may.frame_bytes <= FRAME_BYTES_MAX and _may.items <= ITEMS_MAX, (
        f"a frame of a {_role.value} is one that can be read"
    )
    assert _may.bytes_burst >= _may.frame_bytes, f"a {_role.value} may send its longest frame"
    assert _may.frames_per_s * PING_INTERVAL_S >= 4, f"a {_role.value} may ping and answer pings"
    assert _may.frames_burst >= 4 * SILENCE_S_MAX / PING_INTERVAL_S, (
        f"a cable that was out for a moment does not make a flood of the pings of a {_role.value}"
    )
    assert _may.sent_bytes <= SEND_BYTES_MAX, f"what waits for a {_role.value} is bounded"
    assert _may.links_per_host <= CALLERS_PER_HOST_MAX, "the door has places for all of a host"
assert ALLOWANCES[Role.STRANGER].frame_bytes == HANDSHAKE_BYTES_MAX, (
    "who has only proven an identity may send no more than before"
)
assert ALLOWANCES[Role.SPECTATOR].frame_bytes < ALLOWANCES[Role.STRANGER].frame_bytes, (
    "a spectator has nothing longer to say than that it wants to look on"
)
assert ALLOWANCES[Role.MEMBER].frame_bytes == FRAME_BYTES_MAX, "members send whole proofs"
assert ALLOWANCES[Role.MEMBER].bytes_burst >= FRAME_BYTES_MAX + PIECE_BYTES_MAX, (
    "a member sends a long proof while it helps somebody to catch up, and does not have to wait"
)
assert ALLOWANCES[Role.MEMBER].sent_bytes == SEND_BYTES_MAX, "a member can be behind by a game"
assert ALLOWANCES[Role.SPECTATOR].sent_bytes >= 2 * SHOWN_BYTES + FRAME_BYTES_MAX, (
    "a log is shown to a spectator who reads, while new entries come"
)
assert SHOWN_BYTES_BURST >= SHOWN_BYTES_PER_S >= 2 * SHOWN_BYTES, (
    "somebody who looks on while nobody else comes does not wait"
)
assert ALLOWANCES[Role.MEMBER].bytes_per_s >= SHOWN_BYTES_PER_S, (
    "all who look on cost no more than one member"
)
assert ALLOWANCES[Role.MEMBER].bytes_per_s >= HELP_PER_S_MAX * PIECE_BYTES_MAX, (
    "whoever asks for the log again and again is sent no more than it may send"
)
assert HELP_BURST_MAX * PIECE_BYTES_MAX <= SEND_BYTES_MAX, "and that fits into its queue"
assert LOOP_BYTES_MAX <= FRAME_BYTES_MAX, "the longest frames are decoded beside the loop"
assert CLOCK_LAG_MS_MAX >= 1000 * (SILENCE_S_MAX + PING_INTERVAL_S), (
    "a clock is counted on until its owner is found to be silent, who may have chosen"
)
assert STALLED_S_MAX > SILENCE_S_MAX, "who is silent is gone before it is slow"
assert FIRST_MESSAGE_S < SILENCE_S_MAX < KEEP_S < MEASURE_S, (
    "a guest that is gone is noticed as gone, before it is noticed as slow"
)
assert EARLY_BYTES_MAX >= 2 * FRAME_BYTES_MAX, "the longest can wait, and one more"
assert TABLE_SEATS_MAX * FRAME_BYTES_MAX * 2 <= SEND_BYTES_MAX, (
    "whoever asks can be sent the longest entries of all seats for one step, and the log"
)
assert ROUNDS_PER_S_MAX * TABLE_SEATS_MAX <= VOTES_PER_S_MAX / 2, (
    "whoever answers all rounds that others begin, with a yes and a no, is heard"
)
assert ROUNDS_BURST_MAX <= VOTES_BURST_MAX, "also when one begins all at once that it may"
assert EARLY_CHANGES_MAX <= INBOX_MESSAGES_MAX >= EARLY_ENTRIES_MAX, "what waits was let in"
assert TAGS_SEEN_MAX >= TABLES_SEEN_MAX * PLACES_ANNOUNCED_MAX, (
    "all seats of as many games as there are tables in sight are heard"
)
assert INBOX_MESSAGES_MAX >= 2 * TABLE_SEATS_MAX * PLACES_SIGNED_MAX, (
    "all seats can say an entry and where they are at once, and nobody's link has to wait"
)
assert RECEIVE_FRAMES_MAX >= 2 * TABLE_SEATS_MAX, (
    "a link that relays for every other seat is not stopped by one step of the game"
)
assert CALLERS_PER_HOST_MAX >= TABLE_SEATS_MAX, "a whole table may play on one machine"
assert CALLERS_MAX >= 2 * (2 * TABLE_SEATS_MAX + SPECTATORS_MAX), (
    "members, guests and spectators leave half of the places at the door to those who come"
)
assert 4 * ALLOWANCES[Role.SPECTATOR].links_per_host <= SPECTATORS_MAX, (
    "one host alone does not take the places of all spectators"
)
assert VAIN_CALLS_MAX >= TABLE_SEATS_MAX, "a whole table may come in vain from one machine"
assert sum(range(TABLE_SEATS_MAX + 1)) <= CALLS_BURST_MAX, "and each of it once more"
assert CALLS_BURST_MAX > VAIN_CALLS_MAX, "no host is turned away for good"
assert TABLE_SEATS_MAX <= FORGIVEN_CALLS_MAX < VAIN_CALLS_MAX, (
    "a whole table may look on from one machine; whoever calls without end is known by it"
)
assert TURNED_AWAY_AT_ONCE >= CALLERS_MAX, "who is turned away does not hold up who is taken in"
assert CALLERS_MAX > CALLERS_PER_HOST_MAX, "one host alone cannot take all places"
assert WELCOME_DEADLINE_S >= 2 * HANDSHAKE_DEADLINE_S, (
    "who is called gets to us before we give up, behind as many as it takes in at a time"
)
assert LINKS_WAITING_MAX >= CALLERS_MAX, "whoever has proven who it is can wait to be taken in"
assert CALLS_BURST_MAX >= CALLERS_PER_HOST_MAX, "the places of a host can be taken at once"
assert CALLS_AT_ONCE_MAX * HEAD_START_S <= HANDSHAKE_DEADLINE_S, (
    "the last address of a peer is called before the first has run out of time"
)
assert SILENCE_S_MAX > 3 * PING_INTERVAL_S, "two lost answers to a ping do not end a link"
assert GRACE_S_MIN <= GRACE_S <= GRACE_S_MAX, "the usual time of grace can be agreed on"
assert MEET_S < GRACE_S_MIN, "nobody is replaced while all are still meeting"
assert REDIAL_FIRST_S < GIVING_WAY_S < REDIAL_LAST_S, (
    "the higher of two seats has called again before the lower one calls"
)
assert ANSWER_S < SILENCE_S_MAX, "a seat that does not take a link is noticed before it is silent"
assert GUESSES_MAX < GUESSES_TABLE_MAX, "one guest cannot use up the guesses of the table"
assert PLACES_ANNOUNCED_MAX <= PLACES_SIGNED_MAX, "a seat can sign every place it announces"
assert SIGHTINGS_WAITING_MAX >= TABLES_SEEN_MAX, "a full list of tables can arrive at once"
assert BEACON_EXPIRY_S > 3 * BEACON_INTERVAL_S, "three beacons may be lost"
assert PERSON_EXPIRY_S > 3 * PERSON_INTERVAL_S, "and three words of a person"
assert BEACONS_PER_S_MAX >= 3 * (2 / BEACON_INTERVAL_S + 1 / PERSON_INTERVAL_S), (
    "three programs on a machine may each announce a table, a seat and a person"
)
assert BEACON_BYTES_MAX <= 1232, "a beacon fits into the smallest packet of IPv6"  # RFC 8200, 5.
assert max(BEACON_PORT, LISTEN_PORT) <= PORT_MAX, "both ports exist"
