"""Faults of comments that ignore rules. This check is the last, as it needs all findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from opgen.check.rules import RULES
from opgen.diagnostics import Diagnostic, Edit, Ignore, Report, Rule, Severity, Span, did_you_mean
from opgen.parse import ignores as rules

# Codes of `opgen breaking`, which checks their comments itself.
_BREAKING = re.compile(r"OPB\d{3}\Z")


def comments(report: Report, unjudged: Iterable[Span] = ()) -> None:
    """Reports comments that ignore nothing, and unknown codes.

    `unjudged` are entries to which not all rules were applied: comments there are not judged.
    """
    known = {rule.code: rule for rule in RULES}
    left = {(span.path, span.line) for span in unjudged}
    left |= {(d.span.path, d.span.line) for d in report.diagnostics if d.severity is Severity.error}
    for ignore in report.ignores:
        report.extend(_wrong_codes(ignore, known))
        if not any((ignore.span.path, line) in left for line in ignore.entry):
            report.extend(_unused(ignore, known, report))


def _wrong_codes(ignore: Ignore, known: Mapping[str, Rule]) -> Iterator[Diagnostic]:
    names = {rule.name: code for code, rule in known.items()}
    for code, span in ignore.codes:
        if code in known:
            if not known[code].ignorable:
                message = f"{code} {known[code].name} cannot be ignored"
                yield rules.NOT_POSSIBLE.at(span, message, f"`opgen explain {code}` says what it is about")
        elif not _BREAKING.match(code):
            help = f"write {names[code]}" if code in names else did_you_mean(code, known)
            yield rules.UNKNOWN.at(span, f"there is no rule '{code}'", help)


def _unused(ignore: Ignore, known: Mapping[str, Rule], report: Report) -> Iterator[Diagnostic]:
    """Yields one fault for all codes of a comment that silence nothing."""
    idle = [
        (code, span)
        for code, span in ignore.codes
        if code in known and known[code].ignorable and (ignore, code) not in report.used
    ]
    if not idle:
        return
    kept = [code for code, _ in ignore.codes if code not in dict(idle)]
    what = ", ".join(code for code, _ in idle)
    message = f"{what} {'finds' if len(idle) == 1 else 'find'} nothing here"
    if kept:
        first, last = ignore.codes[0][1], ignore.codes[-1][1]
        listed = first._replace(end_line=last.end_line, end_column=last.end_column)
        fix: tuple[Edit, ...] = (Edit(listed, ", ".join(kept)),)
        yield rules.UNUSED.at(idle[0][1], message, f"take {what} out of the list", fix=fix)
    else:
        fix = (Edit(_with_blanks(ignore.span, report), ""),)
        yield rules.UNUSED.at(ignore.span, message, "delete the comment", fix=fix)


def _with_blanks(span: Span, report: Report) -> Span:
    """Returns the comment with the blanks before it; its whole line where nothing else is on it."""
    line = report.line(span.path, span.line) or ""
    before = line[: span.column - 1]
    if before.strip():
        return span._replace(column=len(before.rstrip()) + 1)
    return Span(span.path, span.line, 1, span.line + 1, 1)
