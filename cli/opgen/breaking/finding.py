"""What a comparison finds: a Rule that a change falls under, and the Finding for one operator."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from opgen.diagnostics import Related, Severity, Span


class Audience(enum.Enum):
    """Whom a change may break; the value is the spelling on the command line."""

    cpp = "cpp"
    abi = "abi"
    python = "python"
    graph_bc = "graph-bc"
    graph_fc = "graph-fc"
    backend = "backend"


AUDIENCES = {
    Audience.cpp: "C++ callers that are compiled again",
    Audience.abi: "C++ callers that are not compiled again",
    Audience.python: "Python callers",
    Audience.graph_bc: "saved programs, on the new library",
    Audience.graph_fc: "newly saved programs, on the old library",
    Audience.backend: "kernels registered out of tree",
}

DEFAULT_AUDIENCES = (Audience.cpp, Audience.python, Audience.graph_bc)


class Effect(enum.Enum):
    """What a change does to an audience; the value is the mark in tables."""

    none = "·"
    some = "w"
    silent = "S"
    error = "X"


EFFECTS = {
    Effect.none: "fine",
    Effect.some: "breaks some of them",
    Effect.silent: "changes what they compute, without an error",
    Effect.error: "breaks them with an error",
}


class Bump(enum.IntEnum):
    """The version step that a change requires."""

    none = 0
    minor = 1
    major = 2


def effects(**marks: str) -> Mapping[Audience, Effect]:
    """`effects(cpp="X", graph_bc="S")`; the audiences left out are unaffected."""
    given = {Audience[name]: Effect(mark) for name, mark in marks.items()}
    return {audience: given.get(audience, Effect.none) for audience in Audience}


EVERYONE = effects(cpp="X", abi="X", python="X", graph_bc="X", graph_fc="X", backend="X")
NOBODY = effects()


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A kind of change. `before` and `after` are whole files, one change apart, which the tests run.

    `advice` is the compatible alternative; None where there is none. A `silent` rule names a difference that
    affects nobody: it finds nothing, by design. Equal findings of a rule whose operators are `alike` to it
    are told as one.
    """

    code: str
    name: str
    summary: str
    effects: Mapping[Audience, Effect]
    bump: Bump
    before: str
    after: str
    advice: str | None = None
    silent: bool = False
    alike: bool = False

    @property
    def breaks(self) -> tuple[Audience, ...]:
        return tuple(a for a, effect in self.effects.items() if effect is not Effect.none)


Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of an entry on one line, and what changed in it: character ranges, from 0, end excluded."""

    text: str = ""
    marks: tuple[Mark, ...] = ()

    def __str__(self) -> str:
        return self.text


NOTHING = Shown()


@dataclass(frozen=True)
class Finding:
    """One change of one operator (by qualified name: `add.Tensor`; `add` where all overloads are meant).

    `span` lies in the new file, or in the baseline when `in_baseline`. `subject` is the part of the operator
    that changed ("argument alpha"), "" for the whole. `worked` is a call or registration that the baseline
    accepted, `fails` its result now.
    """

    rule: Rule
    operator: str
    message: str
    span: Span
    before: Shown = NOTHING
    after: Shown = NOTHING
    in_baseline: bool = False
    subject: str = ""
    worked: str | None = None
    fails: str | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    breaks: tuple[Audience, ...] = ()
    private: bool = False

    @property
    def keeps(self) -> tuple[Audience, ...]:
        return tuple(a for a in Audience if a not in self.breaks)

    @property
    def bump(self) -> Bump:
        """Returns the rule's version step; none for private operators, which make no promise."""
        return Bump(max(self.rule.bump - 1, Bump.none)) if self.private else self.rule.bump

    def of(self, operator: str) -> Finding:
        """Returns the same finding for another operator: the name without overload where it holds for all
        overloads.
        """
        return replace(self, operator=operator)

    @cached_property
    def fingerprint(self) -> str:
        """Returns an identifier that does not depend on places or on anything else in the files."""
        parts = (self.rule.name, self.operator, self.subject, _marked(self.before), _marked(self.after))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def severity(self, asked: Collection[Audience] = DEFAULT_AUDIENCES) -> Severity:
        """Returns error when one of the audiences in `asked` breaks, else note; for a private operator, one
        level lower.
        """
        if not any(audience in asked for audience in self.breaks):
            return Severity.note
        return Severity.warning if self.private else Severity.error


def _marked(shown: Shown) -> str:
    return " ".join(shown.text[start:end] for start, end in shown.marks) or shown.text
