"""One operator in both versions, and findings about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from opgen.breaking import arguments_matched
from opgen.breaking.arguments_matched import Matched
from opgen.breaking.finding import Finding, Rule, Shown
from opgen.breaking.written import Written
from opgen.diagnostics import Related, Span
from opgen.model import Function, Program
from opgen.parse.cursor import Range


@dataclass(frozen=True, slots=True)
class Witness:
    """A use that the baseline accepted, and its result now."""

    worked: str
    fails: str


@dataclass(frozen=True, eq=False)
class Pair:
    old: Function
    new: Function
    base: Program
    program: Program

    @cached_property
    def was(self) -> Written:
        return Written(self.old)

    @cached_property
    def now(self) -> Written:
        return Written(self.new)

    @cached_property
    def arguments(self) -> Matched:
        return arguments_matched.match(self.old.schema, self.new.schema)

    @property
    def both_written(self) -> bool:
        """Whether neither is generated: only then can their entries be compared field by field."""
        return not self.old.is_generated and not self.new.is_generated

    def changed(
        self,
        rule: Rule,
        message: str,
        was: Iterable[Range] = (),
        now: Iterable[Range] = (),
        *,
        subject: str,
        witness: Witness | None = None,
    ) -> Finding:
        """Returns a finding about the schema, placed at the characters that changed."""
        was, now = tuple(was), tuple(now)
        before = self.was.shown(was), self.was.span(was)
        after = self.now.shown(now), self.now.span(now)
        return self.finding(rule, message, before, after, subject, witness)

    def field(
        self,
        rule: Rule,
        message: str,
        name: str,
        was: Shown,
        now: Shown,
        *,
        subject: str,
        item: str = "",
        witness: Witness | None = None,
    ) -> Finding:
        """Returns a finding about the field `name` of the entry, or about an item of it."""
        before, after = (was, self.was.field(name, item)), (now, self.now.field(name, item))
        return self.finding(rule, message, before, after, subject, witness)

    def finding(
        self,
        rule: Rule,
        message: str,
        before: tuple[Shown, Span],
        after: tuple[Shown, Span],
        subject: str,
        witness: Witness | None,
    ) -> Finding:
        return Finding(
            rule,
            self.old.qualified_name,
            message,
            after[1],
            before[0],
            after[0],
            subject=subject,
            worked=None if witness is None else witness.worked,
            fails=None if witness is None else witness.fails,
            help=rule.advice,
            related=(Related(before[1], "in the baseline"),),
            breaks=rule.breaks,
            private=is_private(self.old),
        )


def is_private(function: Function) -> bool:
    name = function.name.name
    return not name.dunder and str(name).startswith("_")
