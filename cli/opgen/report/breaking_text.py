"""What `opgen breaking` found, for people: text, lines as compilers write them, a changelog."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.breaking.finding import Audience, Bump, Mark, Shown
from opgen.breaking.unread_changes import BASELINE, PART
from opgen.breaking.verdict import Judged
from opgen.diagnostics import Report, Severity
from opgen.report import text_format
from opgen.report.breaking_report import Comparison, records, said, who, who_not
from opgen.report.text_format import flat, number, printable

_MAX_WIDTH = 200


def text(compared: Comparison, subject: str) -> str:
    report = records(compared)
    blocks = [_block(report, j) for j in compared.told]
    blocks += [text_format.block(report, d) for d in compared.verdict.comments]
    return "\n".join([*blocks, f"{subject}: {_summary(compared)}\n"])


def concise(compared: Comparison, subject: str) -> str:
    lines = []
    for judged in compared.told:
        found = judged.finding
        breaks = f"; breaks {who(found)}" if found.breaks else ""
        message = f"{printable(said(judged))}{breaks} [{found.rule.code} {found.rule.name}]"
        lines.append(f"{found.span}: {judged.severity.name}: {message}\n")
    return "".join(lines) + text_format.concise(Report(list(compared.verdict.comments)), "")


def _block(report: Report, judged: Judged) -> str:
    found = judged.finding
    margin = " " * (len(str(found.span.line)) + 1)
    head = f"{judged.severity.name}[{found.rule.code} {found.rule.name}]: {printable(said(judged))}"
    excerpt = text_format.excerpt(report, found.span)
    lines = [head, f"  --> {found.span}", *excerpt]
    for name, shown in (("before", found.before), ("after", found.after)):
        if shown.text and not (excerpt and flat(shown.text) in excerpt[1]):
            lines += _marked(f"{margin}= {name}: ", shown)
    lines += [f"{margin}= {line}" for line in _facts(judged)]
    return "\n".join(lines) + "\n"


def _facts(judged: Judged) -> Iterator[str]:
    found = judged.finding
    if found.breaks:
        yield f"breaks: {who(found)}" + (f"; not {who_not(found)}" if found.keeps else "")
    if found.worked:
        yield f"worked: {printable(found.worked)}"
    if found.fails:
        yield f"now: {printable(found.fails)}"
    if found.help:
        yield f"help: {printable(found.help)}"
    for related in found.related:
        yield f"{printable(related.message)}: {related.span}"
    if judged.accepted is not None:
        yield f"accepted: {printable(judged.accepted)}"


def _marked(label: str, shown: Shown) -> list[str]:
    """Returns the text with carets under the changed part, if that isn't all of it; a long one is cut around
    the first mark.
    """
    first = shown.marks[0][0] if shown.marks else 0
    start = max(0, first - _MAX_WIDTH // 2) if len(shown.text) > _MAX_WIDTH else 0
    piece = flat(shown.text[start : start + _MAX_WIDTH])
    line = f"{label}{'...' if start else ''}{piece}{'...' if start + _MAX_WIDTH < len(shown.text) else ''}"
    whole = shown.marks == ((0, len(shown.text)),)
    carets = "" if whole else _carets(shown.marks, start, len(label) + (3 if start else 0))
    return [line, carets] if carets else [line]


def _carets(marks: tuple[Mark, ...], start: int, indent: int) -> str:
    columns = [" "] * (indent + _MAX_WIDTH)
    for begin, end in marks:
        for column in range(max(0, begin - start), min(max(end, begin + 1) - start, _MAX_WIDTH)):
            columns[indent + column] = "^"
    return "".join(columns).rstrip()


def _summary(compared: Comparison) -> str:
    """Returns '2 errors, 1 warning; 12 other changes (--notes shows them); needs a major version'."""
    counted = [(compared.count(s), s.name) for s in (Severity.error, Severity.warning)]
    parts = [", ".join(number(n, name) for n, name in counted if n)]
    notes = [j for j in compared.verdict.judged if j.severity is Severity.note]
    announced = sum(j.announced for j in notes)
    accepted = sum(j.accepted is not None and not j.announced for j in notes)
    if not parts[0]:
        parts[0] = "nothing else breaks" if announced or accepted else "nothing breaks"
    if announced:
        parts.append(number(announced, "announced break"))
    unread = [sum(j.finding.rule is rule for j in notes) for rule in (BASELINE, PART)]
    if unread[0]:
        parts.append(f"{number(unread[0], 'entry', 'entries')} of the baseline cannot be read")
    if unread[1]:
        parts.append(f"{number(unread[1], 'fault')} in what is compared")
    if accepted:
        parts.append(f"{accepted} accepted")
    others = len(notes) - announced - accepted - sum(unread)
    if others:
        parts.append(number(others, "other change"))
    if notes and not compared.notes and len(notes) > accepted:
        parts[-1] += " (--notes shows them)"
    needs = compared.verdict.needs
    if needs or compared.versions:
        parts.append(f"needs {_STEPS[needs]}")
    if compared.versions:
        old, new = compared.versions
        parts.append(f"from {old} to {new} is {_STEPS[old.step_to(new)]}")
    return "; ".join(parts)


_STEPS = {
    Bump.major: "a major version",
    Bump.minor: "a minor version",
    Bump.none: "no new version",
}


# -- the changelog -------------------------------------------------------------


def markdown(compared: Comparison, subject: str) -> str:
    """Returns all changes as Markdown, by the version that they need and whom they break."""
    needs = _STEPS[compared.verdict.needs]
    parts = [f"# Changes of the operators\n\n{_escaped(subject)}: needs {needs}.\n"]
    for bump in sorted(Bump, reverse=True):
        groups: dict[tuple[Audience, ...], list[Judged]] = {}
        for judged in compared.verdict.judged:
            if judged.finding.bump is bump:
                groups.setdefault(judged.finding.breaks, []).append(judged)
        if groups:
            parts.append(f"\n## {_STEPS[bump].removeprefix('a ').capitalize()}\n")
        for audiences in sorted(groups, key=lambda several: (-len(several), [a.name for a in several])):
            parts.append(f"\n### {_for_whom(audiences)}\n\n{''.join(map(_entry, groups[audiences]))}")
    return "".join(parts)


_WHOM = {
    Audience.cpp: "C++ callers",
    Audience.abi: "C++ binaries",
    Audience.python: "Python callers",
    Audience.graph_bc: "saved programs",
    Audience.graph_fc: "new programs on the old library",
    Audience.backend: "kernels registered elsewhere",
}


def _for_whom(audiences: tuple[Audience, ...]) -> str:
    if len(audiences) == len(Audience):
        return "Breaks everybody"
    return f"Breaks {', '.join(_WHOM[audience] for audience in audiences) or 'nobody'}"


def _entry(judged: Judged) -> str:
    found = judged.finding
    said = f"- `{found.operator}`: {_escaped(judged.message)} ({found.rule.code} {found.rule.name})"
    if judged.accepted is not None:
        said += f". Accepted: {_escaped(judged.accepted)}"
    lines = [said]
    if found.before.text:
        lines.append(f"  - before: {_code(found.before.text)}")
    if found.after.text:
        lines.append(f"  - after: {_code(found.after.text)}")
    if found.help:
        lines.append(f"  - {_escaped(found.help)}")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    text = printable(text)
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", printable(text))
