"""What could not be read, entries and parts of them: what changed there is unknown, and reported as such."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from opgen.breaking import examples as ex
from opgen.breaking.finding import EVERYONE, NOBODY, NOTHING, Bump, Finding, Rule, Shown
from opgen.model import FaultyPart, Unread

BASELINE = Rule(
    "OPB001",
    "baseline-unparseable",
    "An entry of the baseline cannot be read: nothing can be said of its operator.",
    NOBODY,
    Bump.none,
    ex.F + ex.func("g(Gone self) -> Tensor"),
    ex.F + ex.func("g(Tensor self) -> Tensor"),
)
NEW = Rule(
    "OPB002",
    "entry-unparseable",
    "An entry of the new file cannot be read: nobody can call its operator.",
    EVERYONE,
    Bump.major,
    ex.F + ex.func("g(Tensor self) -> Tensor"),
    ex.F + ex.func("g(Tensr self) -> Tensor"),
    "fix the entry; `opgen validate` says what is wrong with it",
)
PART = Rule(
    "OPB003",
    "part-faulty",
    "There is a fault in an entry, a comment or a file beside, which is compared as far as it can be read.",
    NOBODY,
    Bump.none,
    ex.f("Tensor self"),
    ex.f("Tensor self") + "  variant: method\n",
)
RULES = (BASELINE, NEW, PART)


def compare(base: Collection[Unread], new: Collection[Unread]) -> Iterator[Finding]:
    """Yields the entries that could not be read; not those that both versions have."""
    same = {entry.text for entry in base} & {entry.text for entry in new}
    for entry in base:
        if entry.text not in same:
            message = f"the baseline's entry of {_operator(entry)} cannot be read: {entry.message}"
            yield _finding(BASELINE, entry, message, in_baseline=True)
    for entry in new:
        if entry.text not in same:
            yield _finding(NEW, entry, f"the entry of {_operator(entry)} cannot be read: {entry.message}")


def compare_parts(base: Collection[FaultyPart], new: Collection[FaultyPart]) -> Iterator[Finding]:
    """Yields the faults of what was read; not those that both versions have."""
    before, after = ({_key(part): part for part in parts} for parts in (base, new))
    for key, part in before.items():
        if key not in after:
            yield _part(part, in_baseline=True)
    for key, part in after.items():
        if key not in before:
            yield _part(part)


def _key(part: FaultyPart) -> tuple[str, ...]:
    return part.name, part.fault.message, part.line.strip()


def _part(part: FaultyPart, in_baseline: bool = False) -> Finding:
    fault, whose = part.fault, "the baseline is" if in_baseline else "this is"
    end = fault.span.end_column - 1 if fault.span.end_line == fault.span.line else len(part.line)
    mark = (min(fault.span.column - 1, len(part.line)), min(end, len(part.line)))
    shown = Shown(part.line, (mark,) if mark[0] < mark[1] else ())
    return Finding(
        PART,
        part.name,
        f"{whose} compared as far as it can be read: {fault.message}",
        fault.span,
        shown if in_baseline else NOTHING,
        NOTHING if in_baseline else shown,
        in_baseline,
        subject=f"{fault.code} {part.line.strip()}",
        help=fault.help,
    )


def _operator(entry: Unread) -> str:
    return f"'{entry.name}'" if entry.name else "an operator without a name"


def _finding(rule: Rule, entry: Unread, message: str, in_baseline: bool = False) -> Finding:
    text = " ".join(entry.text.split())
    shown = Shown(text, ((0, len(text)),) if text else ())
    return Finding(
        rule,
        entry.name,
        message,
        entry.span,
        shown if in_baseline else NOTHING,
        NOTHING if in_baseline else shown,
        in_baseline,
        help=rule.advice,
        breaks=rule.breaks,
        private=entry.name.startswith("_") and not entry.name.startswith("__"),
    )
