"""Shared by the tests of `opgen breaking`: comparing two texts, and the changes listed in `changes/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from opgen.baseline import faulty as faults
from opgen.breaking import RULES, Finding, Rule, compare, deprecated
from opgen.breaking import examples as ex
from opgen.diagnostics import Report
from opgen.expand import expand
from opgen.expand.checks import match as match_checks
from opgen.expand.derivatives import match
from opgen.model import FaultyPart, Program
from opgen.parse import checks, derivatives, functions, source, tags, yaml_source

FOLDER = Path(__file__).parent / "changes"
# Name of a rule -> its file; rules whose codes have the same prefix are in one folder.
FILES: Mapping[str, Path] = {file.stem: file for file in sorted(FOLDER.glob("*/*.yaml"))}
BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in RULES}


@dataclasses.dataclass(frozen=True)
class Change:
    """Two files, and the names of the rules that the comparison should find."""

    label: str
    before: str
    after: str
    expected: Sequence[str]
    breaks: Sequence[str] | None = None


@dataclasses.dataclass(frozen=True)
class Version:
    program: Program
    parts: Sequence[FaultyPart]
    deprecated: Sequence[deprecated.OldSignature] | None


def findings(before: str, after: str) -> tuple[Finding, ...]:
    base, new = version(before, "BASE"), version(after, "NEW")
    parts, signatures = (base.parts, new.parts), (base.deprecated, new.deprecated)
    return compare(base.program, new.program, parts, signatures)


def version(text: str, name: str) -> Version:
    """Returns the version of a functions file, after which derivatives.yaml, checks.yaml and deprecated.yaml
    may follow, each under a comment of its name.
    """
    report = Report()
    text, old, signatures = text.partition(ex.DEPRECATED)
    text, asked, conditions = text.partition(ex.CHECKS)
    text, formulas, entries = text.partition(ex.DERIVATIVES)
    declared, faulty, left_out = functions.read(_items(name, text, report), report)
    program = expand(Program(name, declared, tags.built_in(), faulty=faulty, unread=left_out))
    if formulas:
        found = derivatives.read(_items(f"{name}-derivatives", entries, report), report)
        program = dataclasses.replace(program, derivatives=match(program, f"{name}-derivatives", *found))
    if asked:
        read = checks.read(_items(f"{name}-checks", conditions, report), report)
        program = dataclasses.replace(program, checks=match_checks(program, f"{name}-checks", *read))
    return Version(
        program,
        faults.parts(program, report),
        deprecated.read(_items(f"{name}-deprecated", signatures, report)) if old else None,
    )


def _items(name: str, text: str, report: Report) -> list[yaml_source.Item]:
    read = source.decode(name, text.encode(), report)
    return yaml_source.items(read, report) if read is not None else []


def all_changes() -> Iterator[tuple[Rule, Change]]:
    """Yields the example of every rule, then the changes of its file in `changes/`."""
    for rule in RULES:
        own = [] if rule.silent else [rule.name]
        yield rule, Change(f"{rule.name}: the rule's example", rule.before, rule.after, own)
        written = yaml.safe_load(FILES[rule.name].read_text(encoding="utf-8"))
        for i, case in enumerate(written.get("fires", ()), 1):
            also = [rule.name, *case.get("also", ())]
            yield rule, _change(f"{rule.name}: fires {i}", case, also)
        for i, case in enumerate(written.get("silent", ()), 1):
            yield rule, _change(f"{rule.name}: silent {i}", case, case.get("instead", ()))


def _change(label: str, case: Mapping, expected: Sequence[str]) -> Change:
    return Change(label, _file(case["before"]), _file(case["after"]), expected, case.get("breaks"))


def _file(given: str | list[str]) -> str:
    """Returns a functions file made of schemas, or a whole file as it is."""
    if isinstance(given, str) and given.startswith("- "):
        return given
    return ex.func(*([given] if isinstance(given, str) else given))
