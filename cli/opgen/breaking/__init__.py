"""Compares two expanded programs and finds whom the new one breaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.breaking import (
    deprecated_changes,
    operator_changes,
    operators_matched,
    signature_changes,
    unread_changes,
)
from opgen.breaking.deprecated import OldSignature
from opgen.breaking.finding import Audience, Bump, Effect, Finding, Rule, Shown
from opgen.breaking.pair import Pair
from opgen.breaking.registry import ENTRY_COMPARISONS, RULES, SCHEMA_COMPARISONS
from opgen.model import FaultyPart, Program

__all__ = [
    "RULES",
    "Audience",
    "Bump",
    "Effect",
    "Finding",
    "OldSignature",
    "Rule",
    "Shown",
    "compare",
]


def compare(
    base: Program,
    new: Program,
    parts: tuple[Sequence[FaultyPart], Sequence[FaultyPart]] = ((), ()),
    deprecated: tuple[Sequence[OldSignature] | None, Sequence[OldSignature] | None] = (None, None),
) -> tuple[Finding, ...]:
    """Returns all changes from `base` to `new`, by place. Operators whose entries could not be read are not
    compared. `parts` are the faults in what was read of both, and `deprecated` the deprecated signatures,
    which are compared where both versions have a file of them.
    """
    found = list(unread_changes.compare(base.unread, new.unread))
    found += unread_changes.compare_parts(*parts)
    matches = operators_matched.match(base, new)
    found += operator_changes.compare(matches, base, new)
    for pair in (*matches.pairs, *matches.overloads):
        found += _of_pair(pair)
    before, after = deprecated
    if before is not None and after is not None:
        found += deprecated_changes.compare(before, after)
    return tuple(sorted(found, key=_place))


def _of_pair(pair: Pair) -> Iterator[Finding]:
    if pair.old.schema != pair.new.schema:
        found = [f for compare_schemas, _ in SCHEMA_COMPARISONS for f in compare_schemas(pair)]
        yield from found
        yield from signature_changes.compare(pair, found)
    for compare_entries, _ in ENTRY_COMPARISONS:
        yield from compare_entries(pair)


def _place(finding: Finding) -> tuple[object, ...]:
    return finding.in_baseline, finding.span, finding.rule.code, finding.operator, finding.subject
