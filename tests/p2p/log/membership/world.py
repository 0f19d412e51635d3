"""All that can happen to the members of a small table, one thing at a time.

The network is the set of all that was ever signed: whatever is in it arrives at any time, in any
order, again, or never.  Timeouts come at any moment.  One member may cheat: it has no state, and
signs whatever it can about logs that exist, different things for different members.  A crash comes
after any effect; what is not on disk is forgotten.

What only ever lets a member do more (entries, acknowledgements) is delivered in the moment in which
it matters, and forgotten after it; what may forbid something (votes, evidence) arrives by itself.
"""

from itertools import combinations, product

from p2p.log.membership.evidence import ConflictingPair, find_contradiction
from p2p.log.membership.log import ChangeItem, EntryRef, StepItem, is_in_force, needed
from p2p.log.membership.messages import (
    REASON_RESTORE,
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    message_of,
)
from p2p.log.membership.state import (
    Appended,
    CutTo,
    Departing,
    HeardAgain,
    Member,
    PersistentState,
    Presented,
    Retry,
    Say,
    SessionEnded,
    Silent,
    Store,
    Unanswered,
    Write,
)
from p2p.log.membership.state_machine import (
    Signing,
    StateMachine,
    is_moot,
    restart,
    with_record,
)
from tests.p2p.log.membership.bounds import Broken, Reductions, Wrong
from tests.p2p.log.membership.forgetting import Forgetting
from tests.p2p.log.membership.numbers import Numbers, State
from tests.p2p.log.membership.toy import (
    KEY,
    ToyGame,
    check_stamp,
    entry_of,
    first_log,
    is_opening,
    stamp,
)

CRASHES_SHARE = 0.1  # Of the steps of a random walk.
NOWHERE = bytes(32)  # A head that nobody has: whoever is asked there says no.


class World:
    """The transitions of one table."""

    def __init__(self, bounds, broken=None, reductions=None):
        broken = broken or Broken()
        self.bounds, self.broken = bounds, broken
        self.reductions = reductions or Reductions()
        self.forgetting = Forgetting(bounds, self.reductions)
        self.game = ToyGame(bounds.script, keeps_openings=broken.keeps_openings)
        self.machine = StateMachine(
            self.game, Signing(stamp, check_stamp, lambda entry: None), broken.rules
        )
        self.members, self.saids = Numbers(), Numbers()
        self.honest = [seat for seat in range(bounds.seats) if seat != bounds.evil]
        # Functions of their arguments, each worked out once.
        self._forks, self._done, self._proofs, self._orders = {}, {}, {}, {}
        self.logs = {}  # Every log that an honest member ever had, by its head.

    def first(self):
        log = first_log(self.bounds.seats)
        self.logs[log.head] = log
        members = tuple(self.members[Member(seat, PersistentState(log))] for seat in self.honest)
        return State(members, self.saids[frozenset()], self.bounds.crashes)

    def members_of(self, state):
        return [self.members.value(number) for number in state.members]

    def said_in(self, state):
        return self.saids.value(state.said)

    def receive(self, member, given):
        """What the machine makes of an input."""
        key = member, given
        done = self._done.get(key)
        if done is None:
            done = self._done[key] = self.machine.receive(member, given)
        return done

    # ---- steps ----

    def steps(self, state):
        """(name, next state) of everything that can happen."""
        for index, number in enumerate(state.members):
            before, after = state.members[:index], state.members[index + 1 :]
            for name, new, said, is_crash in self.options(number, state.said, state.crashes > 0):
                yield name, State((*before, new, *after), said, state.crashes - is_crash)

    def options(self, number, said, may_crash):
        """What can happen to one member, which depends on it and on what was signed alone."""
        member, told = self.members.value(number), self.saids.value(said)
        found = {}
        for name, new, more, is_crash in self._all_options(member, told, may_crash):
            new = self.members[self.forgetting.forget(new)]
            more = frozenset(map(self.forgetting.told, more))
            after = new, self.saids[told | more] if more else said, is_crash
            if after != (number, said, False):
                found.setdefault(after, name)
        return [(name, *after) for after, name in found.items()]

    def _all_options(self, member, said, may_crash):
        for name, inputs, extra in self._inputs(said, member):
            yield from self._apply(said, member, f"{member.me}: {name}", (inputs, extra, may_crash))
        if may_crash:
            yield f"{member.me}: crash", restart(member.me, member.kept), (), True
        yield from self._spoken(member)

    def draw(self, state, rng):
        """One thing that happens, at random; None: nothing did."""
        index = rng.randrange(len(state.members))
        member, said = self.members.value(state.members[index]), self.said_in(state)
        may_crash = state.crashes > 0 and rng.random() < CRASHES_SHARE
        inputs = list(self._inputs(said, member))
        name, given, extra = rng.choice(inputs)
        found = list(self._apply(said, member, f"{member.me}: {name}", (given, extra, may_crash)))
        found += self._spoken(member) if rng.random() < CRASHES_SHARE else ()
        if not found:
            return None
        name, new, more, is_crash = rng.choice(found)
        members = list(state.members)
        members[index] = self.members[new._replace(acks=frozenset())]
        told = self.saids[said | frozenset(more)]
        after = State(tuple(members), told, state.crashes - is_crash)
        return None if after == state else (name, after)

    def _spoken(self, member):
        """What somebody says of itself: that it wants to be back."""
        log, me = member.log, member.me
        if self.bounds.restores and me not in log.members:
            wish = stamp(RestoreWish(log.epoch, me, KEY))
            yield f"{me}: wish", self.receive(member, wish)[0], (wish,), False

    def _apply(self, said, before, name, happens):
        """What some inputs lead to: carried out, or cut short by a crash after any effect."""
        inputs, extra, may_crash = happens
        member, effects = before, []
        for given in inputs:
            member, done = self.receive(member, given)
            effects += done
        is_idle = not effects and member._replace(acks=before.acks) == before
        if is_idle or not self._is_within(effects, member):
            return
        effects = self.broken.in_order(effects)
        told = [effect.message for effect in effects if isinstance(effect, Say)]
        self._check(said, before, effects, extra)
        yield name, member, (*told, *extra), False
        for count in range(1, len(effects)) if may_crash else ():
            part = effects[:count]
            disk = Member(member.me, before.kept)
            for effect in part:
                if isinstance(effect, Store):
                    disk = with_record(disk, effect.record)
            told = [effect.message for effect in part if isinstance(effect, Say)]
            again = restart(member.me, disk.kept)
            yield f"{name}, crash after {count}", again, (*told, *extra), True

    def _is_within(self, effects, member):
        votes = [e.message for e in effects if isinstance(e, Say) and isinstance(e.message, Ballot)]
        is_few = all(vote.round < self.bounds.rounds for vote in votes)
        yes = [vote for vote in votes if vote.change is not None]
        is_early = all(self._number(vote, member) < self.bounds.epochs for vote in yes)
        return is_few and is_early and member.log.change_count <= self.bounds.epochs

    def _number(self, vote, member):
        log = self.logs.get(vote.epoch)
        return log.change_count if log is not None else member.log.change_count

    # ---- what can happen to one member ----

    def _inputs(self, said, member):
        """(name, inputs, what the cheater signs for them)."""
        yield from self._entries(said, member)
        yield from self._changes(said, member)
        yield from self._votes(said, member)
        yield from self._timeouts(member)
        yield from self._messages(said, member)

    def acks_for(self, said, member, log):
        """All that was said of the logs that are not in force, up to `log`, and the cheater's."""
        heads = {each.head for each in log.down() if each.height > member.committed}
        known = [a for a in said if isinstance(a, Ack) and a.head in heads and a.seat != member.me]
        bent = [] if self.bounds.evil is None else [
            self._bent_ack(said, each) for each in log.down()
            if each.height > member.committed and self.bounds.evil in each.members
        ]  # fmt: skip
        return known, [each for each in bent if each not in said]

    def _bent_ack(self, said, log):
        """What the cheater signs of a log, with every excuse that it can show."""
        below, item = log.below, log.item
        what = (item.change, item.round) if isinstance(item, ChangeItem) else (None, 0)
        noes = [v for v in said if isinstance(v, Ballot) and not v.is_yes
                and v.epoch == below.epoch and v.seat != self.bounds.evil]  # fmt: skip
        place = (below.epoch, self.bounds.evil, log.height, below.head, log.head)
        return stamp(Ack(*place, *what, tuple(sorted(noes))))

    def _entries(self, said, member):
        log, game = member.log, self.game
        due = game.due(log)
        if not due:
            return
        kind = game.kind(log)
        if member.me in due:
            acks, bent = self.acks_for(said, member, log)
            for entry in self._choices(log, member.me):
                if entry not in member.kept.entries or due == {member.me}:
                    yield "write", (*acks, *bent, Write(entry)), bent
        for entries in product(*(self._versions(said, log, seat) for seat in sorted(due))):
            step = StepItem(entries)
            after = log.with_step(step)
            acks, bent = self.acks_for(said, member, after)
            if member.me in log.members:
                own = tuple(a for a in acks if a.head == after.head)
                values = "".join("01"[e != entry_of(log, e.seat, kind)] for e in entries)
                yield f"take {kind} {values}", (Presented(step, own),), ()
            else:
                below = [a for a in (*acks, *bent) if a.head != after.head]
                own = tuple(a for a in (*acks, *bent) if a.head == after.head)
                yield f"look at {kind}", (*below, Presented(step, own)), bent

    def _versions(self, said, log, seat):
        kind = self.game.kind(log)
        if seat not in log.members:
            return [entry_of(log, seat, kind)]  # Everybody writes that.
        if seat == self.bounds.evil:
            return [entry_of(log, seat, kind, value) for value in (0, 1)]
        return [entry for entry in self._choices(log, seat) if entry in said]

    def _choices(self, log, seat):
        """What somebody honest may write here."""
        kind = self.game.kind(log)
        return [entry_of(log, seat, kind, value) for value in range(self.bounds.values)]

    def _changes(self, said, member):
        mine = {log.head for log in member.log.down()}
        for log in self._logs_of(said):
            if isinstance(log.item, ChangeItem) and log.head not in mine and log.below.head in mine:
                acks, bent = self.acks_for(said, member, log)
                own = tuple(a for a in (*acks, *bent) if a.head == log.head)
                below = [a for a in (*acks, *bent) if a.head != log.head]
                yield (
                    f"see {_name(log.item.change)} in force",
                    (*below, Presented(log.item, own)),
                    bent,
                )

    def _votes(self, said, member):
        for vote in self.in_order(said):
            is_news = vote.seat != member.me and vote not in member.heard
            if isinstance(vote, Ballot) and is_news and not is_moot(member, vote):
                yield f"hear {_vote(vote)}", (vote,), ()
        for votes in self.forgetting.agreeing(said, member) if self.reductions.votes else ():
            yield f"hear all {len(votes)} say {_vote(votes[0])}", votes, ()
        for vote in self._bent_votes(said, member):
            if vote not in member.heard:
                yield f"hear {_vote(vote)}", (vote,), (vote,)

    def _bent_votes(self, said, member):
        evil, log = self.bounds.evil, member.log
        if evil is None or not self.bounds.evil_votes:
            return
        last = log.last_change
        if last is not None and evil in last.below.members:
            yield stamp(Ballot(last.below.epoch, last.item.round, evil))
        if evil not in log.members:
            return
        for number in range(self.bounds.rounds):
            yield stamp(Ballot(log.epoch, number, evil))
            heard = [v for v in member.heard if v[:3] == (log.epoch, number, evil) and v.is_yes]
            if log.change_count < self.bounds.epochs and not heard:  # Two are evidence at once.
                yield from self._bent_yes(said, member, number)

    def _bent_yes(self, said, member, number):
        """To remove each other here, or to bring back who wishes it at any time; and one elsewhere,
        to which whoever hears it says no.
        """
        evil, log = self.bounds.evil, member.log
        others = sorted(log.members - {evil, member.me})
        for seat in others:
            yield stamp(Ballot(log.epoch, number, evil, log.head, Change(seat, REASON_SILENT)))
        for wish in self.in_order(said):
            if isinstance(wish, RestoreWish) and wish.epoch == log.epoch:
                back = Change(wish.seat, REASON_RESTORE, wish.key)
                yield stamp(Ballot(log.epoch, number, evil, log.head, back))
        yield stamp(Ballot(log.epoch, number, evil, NOWHERE, Change(evil, REASON_SILENT)))

    def _timeouts(self, member):
        for seat in self.bounds.suspects:
            if seat in member.log.members - {member.me}:
                given = HeardAgain(seat) if seat in member.silent else Silent(seat)
                yield f"{type(given).__name__.lower()} {seat}", (given,), ()
        if member.me in self.bounds.leavers:
            yield "leave", (Departing(),), ()
        yield "no answer", (Unanswered(),), ()
        yield "try again", (Retry(),), ()

    def _messages(self, said, member):
        for each in self.in_order(said):
            match each:
                case Farewell() | RestoreWish() if each not in member.asked:
                    if each.seat != member.me and each.epoch == member.log.epoch:
                        yield f"hear {message_of(each)[0]} of {each.seat}", (each,), ()
                case Ack(change=None) if each.seat != member.me and each.head != member.log.head:
                    base = member.log.find(each.parent)
                    if base is not None and base.head != member.log.head:
                        yield f"see that {each.seat} has another step", (each,), ()
        if self.bounds.evil is not None and not member.kept.guilty:
            found = self.evidence(said)
            if found is not None:
                yield f"evidence {found.kind}", (found,), ()

    def evidence(self, said):
        """What proves the cheat in all that has reached anybody honest; None: nothing."""
        if said not in self._proofs:
            self._proofs[said] = self._proof(frozenset(said))
        return self._proofs[said]

    def _proof(self, said):
        evil = self.bounds.evil
        by_evil = (each for each in said if each.seat == evil)
        bent = {each for each in by_evil if not isinstance(each, ConflictingPair)}
        steps = [log.item for log in self._logs_of(said) if isinstance(log.item, StepItem)]
        bent |= {entry for step in steps for entry in step.entries if entry.seat == evil}
        for one, other in combinations(sorted(bent, key=repr), 2):
            if found := find_contradiction(one, other):
                return found
        return None

    def _logs_of(self, said):
        """The logs that somebody honest has acknowledged."""
        heads = {m.head for m in said if isinstance(m, Ack) and m.seat != self.bounds.evil}
        return [self.logs[head] for head in sorted(heads) if head in self.logs]

    def in_order(self, said):
        """What was signed, in the same order in every run."""
        if said not in self._orders:
            self._orders[said] = sorted(said, key=repr)
        return self._orders[said]

    # ---- what must hold ----

    def _check(self, said, member, effects, extra):
        """The properties, as far as the newest effects can break them."""
        for effect in effects:
            match effect:
                case Store(Appended(log, _)):
                    self.logs[log.head] = log
                    self._check_change(log, member)
                case Store(CutTo(log)) if log.height < member.committed:
                    raise Wrong("a member goes back behind what it knows to be in force")
                case Store(SessionEnded()) if not self._parts(said | frozenset(extra)):
                    raise Wrong("a session ends, and nothing that is in force parts")
                case Say(message):
                    self._check_said(said, member, message)
        self._check_agreement(said, member, effects, extra)

    def _check_change(self, log, member):
        item = log.item
        if not isinstance(item, ChangeItem):
            return
        if item.change.reason == REASON_SILENT and len(needed(log.below.members, item.change)) < 2:
            raise Wrong("one alone removes another for silence")
        is_first = all(ack.head != log.head for ack in member.kept.acks)  # Not once more (T9).
        is_mine = is_first and member.me in needed(log.below.members, item.change)
        if (
            item.change.reason == REASON_SILENT
            and is_mine
            and item.change.seat not in member.silent
        ):
            raise Wrong("a member agrees that somebody is gone whom it hears")
        if item.change.reason == REASON_RESTORE:
            if not self.game.is_between_requests(log.below):
                raise Wrong("a seat is back in the middle of a request")
            absent = log.absence_of(item.change.seat)
            since = self.game.place(log.below).request - absent.answered
            if since < absent.times:
                raise Wrong("a seat is back in the request in which it went")

    def _check_said(self, said, member, message):
        if isinstance(message, ConflictingPair):
            if message.seat in self.honest:
                raise Wrong("an honest member is convicted")
            return
        for other in said:
            if other.seat == message.seat and not isinstance(other, ConflictingPair):
                found = find_contradiction(message, other)
                if found is not None:
                    raise Wrong(f"an honest member signs a contradiction: {found.kind}")
        if isinstance(message, Ballot | Ack) and any(
            isinstance(each, Farewell) and each[:2] == (message.epoch, message.seat)
            for each in said
        ):
            raise Wrong("a member signs after its farewell")
        if isinstance(message, EntryRef) and self.game.kind(member.log) == "seal":
            request = self.game.place(member.log).request
            opened = [each for each in said if isinstance(each, EntryRef) and is_opening(each)]
            logs = filter(None, (member.log.find(each.parent) for each in opened))
            if any(self.game.place(log).request == request for log in logs):
                raise Wrong("somebody seals after an opening of the same request")

    def _check_agreement(self, said, member, effects, extra):
        new = [e.message for e in effects if isinstance(e, Say) and isinstance(e.message, Ack)]
        stored = [effect.record for effect in effects if isinstance(effect, Store)]
        cuts = [record.log for record in stored if isinstance(record, CutTo)]
        new += [each for each in extra if isinstance(each, Ack)]
        if not new and not cuts:
            return
        said |= set(new) | set(extra)
        in_force = self.in_force(said)
        heads = {ack.head for ack in new}
        for log in in_force:
            is_cut = any(log.find(cut.head) and log.height > cut.height for cut in cuts)
            if is_cut and member.log.find(log.head) and not self.is_named(said):
                raise Wrong("what all have acknowledged is cut")
            for other in in_force if log.head in heads else ():
                is_one = log.find(other.head) or other.find(log.head)
                if not is_one and not self.is_named(said):
                    raise Wrong("two logs are in force that part")

    def _parts(self, said):
        """Whether two logs in force part."""
        pairs = combinations(self.in_force(said), 2)
        return any(not one.find(other.head) and not other.find(one.head) for one, other in pairs)

    def in_force(self, said):
        """The logs that all whom they leave have acknowledged."""
        acks = [each for each in said if isinstance(each, Ack)]
        heads = {ack.head for ack in acks}
        logs = (self.logs[head] for head in heads if head in self.logs)
        return [log for log in logs if is_in_force(log, acks)]

    def is_named(self, said):
        return self.bounds.evil is not None and self.evidence(said) is not None

    def wrong(self, state):
        """A property of the whole state that does not hold; empty: all do."""
        pairs = combinations(self.members_of(state), 2) if self.bounds.evil is not None else ()
        return next(filter(None, (self.wrong_pair(*pair) for pair in pairs)), "")

    def wrong_pair(self, one, other):
        """The same of two members."""
        key = one.log.head, other.log.head
        if key not in self._forks:
            self._forks[key] = self._builds_on_fork(one.log, other.log)
        return self._forks[key]

    def _builds_on_fork(self, one, other):
        heads = {log.head for log in one.down()}
        meet = next(log for log in other.down() if log.head in heads)
        for log in (one, other):
            above = [each for each in log.down() if each.height > meet.height]
            if not above or isinstance(above[-1].item, ChangeItem):
                return ""
        for log in (one, other):
            above = [each for each in log.down() if each.height > meet.height]
            for each in above[:-1]:
                if each.epoch == meet.epoch:
                    honest = each.item.seats & set(self.honest)
                    if honest:
                        return f"{min(honest)} has built on a log that has parted"
        return ""


def _name(change):
    return f"{change.reason} {change.seat}"


def _vote(vote):
    said = "no" if vote.change is None else f"yes to {_name(vote.change)}"
    return f"{vote.seat}'s {said} in round {vote.round}"
