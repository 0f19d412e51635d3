"""`audit FILE ...`: check a game; or the files of several players, and what they say together."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from random import SystemRandom

from ai.seats.bot_terms import Repeater
from p2p.audit.audit import Report, Verdict, audit_file, obey
from p2p.audit.grades import EXIT_CODES, Grade
from p2p.audit.several import Comparison, compare
from p2p.log.files import GameFileError
from ui.commands.person import words_of
from ui.language.error_texts import translate_error
from ui.language.text import Words
from ui.plain.loop import print_line

# By the kind of entry that was due; all others show cards.
_WITHHELD = {"unseal": "audit.withheld_choice", "roll": "audit.withheld_roll"}
_CONTRADICTIONS = {
    "E1": "audit.both", "E2": "audit.acks", "E3": "audit.votes", "E4": "audit.votes",
}  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """One line per seat and one for the file, or the report as JSON; then what files say together.

    The exit code is that of the worst file (`p2p.audit.grades`), or that of a broken one if two
    part or convict somebody.
    """
    comparison = compare(args.files) if len(args.files) > 1 else None
    plain, grades = list[dict[str, object]](), list[Grade]()
    for path in args.files:
        report, grade = _audit(args, path)
        plain.append(report)
        grades.append(grade)
    code = max((EXIT_CODES[grade] for grade in grades), default=0)
    if Grade.BROKEN in grades or (comparison is not None and not comparison.agrees):
        code = EXIT_CODES[Grade.BROKEN]
    if args.json:
        together = {} if comparison is None else {"files": plain, **comparison.plain()}
        print(json.dumps(together or plain[0], ensure_ascii=False))
    elif comparison is not None:
        print_line(what_happened(words_of(args), comparison))
    return code


def _audit(args: argparse.Namespace, path: Path) -> tuple[dict[str, object], Grade]:
    """One file: its report as JSON values, and its grade; printed, if lines are wanted.

    Raises:
        GameFileError: it is no game file, and is to be said for people.
    """
    chance = SystemRandom()  # Nobody can know which decisions will be done again.
    repeater = Repeater(lambda: chance.random() * 100 < args.bots)
    try:
        report = audit_file(path, (obey, repeater))
    except GameFileError as error:
        if not args.json:
            raise
        return unreadable(path, error), Grade.BROKEN
    if not args.json:
        words = words_of(args)
        for line in [*report_lines(words, report), *bot_lines(words, repeater)]:
            print_line(line)
    return report.plain() | {"bots": bot_counts(repeater)}, report.grade


def what_happened(words: Words, found: Comparison) -> str:
    """What several files say together, as one paragraph for a player."""

    def names(seats: Iterable[int]) -> str:
        return words.listed(found.names[seat] for seat in seats) or words("audit.nobody")

    said = [words("audit.together", files=len(found.lengths), same=found.same)]
    said += [
        words(_CONTRADICTIONS[each.kind], name=found.names[each.seat], height=each.height,
              one=each.files[0] + 1, other=each.files[1] + 1)
        for each in found.contradictions
    ]  # fmt: skip
    said += [
        words("audit.part", entry=each.height, one=each.files[0] + 1, other=each.files[1] + 1,
              ones=names(each.signers[0]), others=names(each.signers[1]))
        for each in found.partings
    ]  # fmt: skip
    twice = sorted({seat for each in found.partings for seat in each.both})
    if twice:
        said.append(words("audit.twice", names=names(twice)))
    elif found.partings and not found.contradictions:
        said.append(words("audit.undecided"))
    if found.agrees:
        longest = max(found.lengths)
        is_same = min(found.lengths) == longest
        said.append(words("audit.agree" if is_same else "audit.shorter", entries=longest))
    return words.in_a_row(said)


def unreadable(path: Path, error: GameFileError) -> dict[str, object]:
    """What is said in JSON of a file that holds no game."""
    found = {"holds": False, "finished": False, "damage": str(error), "seats": []}
    return {"file": str(path), "grade": Grade.BROKEN, **found}


def bot_counts(repeater: Repeater) -> list[list[int]]:
    """For each bot its seat, how many decisions were done again, of how many, how many hurried."""
    repeated, hurried = repeater.repeated, repeater.hurried
    return [
        [seat, repeated.get(seat, 0), met, hurried.get(seat, 0)]
        for seat, met in repeater.met.items()
    ]


def bot_lines(words: Words, repeater: Repeater) -> list[str]:
    """How much of what bots did was done again, and how much was done in a hurry."""
    return [
        words("audit.bot_hurried" if hurried else "audit.bot",
              seat=seat + 1, count=count, met=met, hurried=hurried)
        for seat, count, met, hurried in bot_counts(repeater)
    ]  # fmt: skip


def report_lines(words: Words, report: Report) -> list[str]:
    """What the audit found, for people."""
    proofs = words.listed(f"{number} {kind}" for kind, number in report.proofs.items() if number)
    lines = [words("audit.file", file=report.path, game=report.game, entries=report.entries)]
    lines += [words("audit.proven", proofs=proofs)] if proofs else []
    lines += [_verdict_line(words, verdict) for verdict in report.verdicts]
    if report.damage:
        lines.append(words("audit.damaged", why=translate_error(words, report.damage)))
    lines += [
        words("audit.unproven", what=translate_error(words, each)) for each in report.unproven
    ]
    if report.winners and report.is_finished:
        lines.append(words("audit.won", names=words.listed(report.winners)))
    lines += _claim_lines(words, report)
    lines += _ending_lines(words, report)
    lines += _change_lines(words, report)
    return [*lines, words("audit.holds" if report.holds else "audit.fails")]


def _change_lines(words: Words, report: Report) -> list[str]:
    """Who agreed that a seat was gone, and who objects: facts of the file, and no proofs."""
    names = [_seat(words, verdict) for verdict in report.verdicts]
    changed = [verdict for verdict in report.verdicts if verdict.agreed]
    agreed = [words.listed(names[at] for at in verdict.agreed) for verdict in changed]
    lines = [
        words("audit.agreed", name=names[verdict.seat], names=each)
        for verdict, each in zip(changed, agreed, strict=True)
    ]
    return lines + [
        words("audit.objects", name=names[verdict.seat], entry=verdict.objects)
        for verdict in report.verdicts
        if verdict.objects is not None
    ]


def _verdict_line(words: Words, verdict: Verdict) -> str:
    """What is known of one seat."""
    why = translate_error(words, verdict.reason)
    found = [words("audit.honest" if verdict.is_honest else "audit.cheated", why=why)]
    known = ((verdict.log_index, "audit.at_entry"), (verdict.byte, "audit.at_byte"))
    places = [words(key, number=place) for place, key in known if place is not None]
    if places:
        found[0] += f" ({words.listed(places)})"
    if verdict.is_opened:
        found.append(words("audit.opened"))
    if verdict.taken_back:
        found.append(words("audit.taken_back", count=verdict.taken_back))
    if verdict.replaced is not None:
        found.append(words("audit.left", entry=verdict.replaced))
    if verdict.restored is not None:
        found.append(words("audit.back", entry=verdict.restored))
    if verdict.withheld is not None:
        entry, kind = verdict.withheld
        found.append(words(_WITHHELD.get(kind, "audit.withheld_cards"), entry=entry))
    return f"{_seat(words, verdict)}: {words.listed(found)}"


def _seat(words: Words, verdict: Verdict) -> str:
    return words("audit.seat", number=verdict.seat + 1, name=verdict.name)


def _ending_lines(words: Words, report: Report) -> list[str]:
    """Whether the game came to its end, and how if not as it should."""
    if report.unsigned:
        won, missing = words.listed(report.winners), words.listed(report.unsigned)
        return [words("audit.unsigned", winners=won, names=missing)]
    if not report.is_finished:
        why = f": {translate_error(words, report.ending)}" if report.ending else ""
        return [words("audit.unfinished") + why]
    return [words("audit.but", why=translate_error(words, report.ending))] if report.ending else []


def _claim_lines(words: Words, report: Report) -> list[str]:
    """What a seat that was left claims."""
    if report.claim is None:
        return []
    names = [_seat(words, verdict) for verdict in report.verdicts]
    silent = words.listed(names[seat] for seat in report.claim.silent)
    return [words("audit.claim", name=names[report.claim.seat], silent=silent)]
