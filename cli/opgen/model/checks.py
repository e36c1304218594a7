"""Conditions on operators' arguments beyond types: the checks of a checks file, and those that follow from
schemas.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from opgen.diagnostics import Span
from opgen.model.types import Base


class Subject(enum.Enum):
    """The property of an argument that a check tests, as it is written; `value` stands alone."""

    value = ""
    length = "len"
    rank = "dim"
    dtype = "dtype"
    entries = "values"
    device = "device"


class RangeKind(enum.Enum):
    """`dims(self)`: the dimensions of a tensor, negative ones included. `size(self, dim)`: the indices along
    one. `product(sizes)`: the linear indices into a shape given by a list argument.
    """

    dims = "dims"
    size = "size"
    product = "product"


INTS = (Base.int, Base.SymInt)
NUMBERS = (*INTS, Base.float)
COMPARISONS = (">", ">=", "<", "<=", "!=", "==")
IN = "in"
MAY_BE = "may be"
ANY = "any"
DEVICES = ("cpu", ANY)
UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class Range:
    """Integers that the argument `of` gives: `dim` is an argument's name or a number; `more` is added to the
    number of dimensions. `wrapped`: negative ones count from the end.
    """

    kind: RangeKind
    of: str
    dim: str | int | None = None
    more: int = 0
    wrapped: bool = False

    def __str__(self) -> str:
        dim = "" if self.dim is None else f", {self.dim}"
        more = f" + {self.more}" if self.more else ""
        word = "wrapped " if self.wrapped and self.kind is not RangeKind.dims else ""
        return f"{word}{self.kind.value}({self.of}{dim}){more}"


@dataclass(frozen=True, slots=True)
class Check:
    """One condition, such as `kernel_size > 0`; for a list it holds for each entry, for None always.

    The right side is `numbers`, `words` (dtypes, devices, `undefined`, `any`) or `range`. `by` is the
    operator whose check it is, where this one calls that.
    """

    subject: Subject
    argument: str
    relation: str
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    range: Range | None = None
    by: str | None = None
    span: Span | None = field(default=None, compare=False)

    def __str__(self) -> str:
        subject = f"{self.subject.value}({self.argument})" if self.subject.value else self.argument
        right = str(self.range) if self.range else ", ".join(map(str, self.numbers or self.words))
        return f"{subject} {self.relation} {right}"

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the arguments that the condition mentions."""
        others = (self.range.of, self.range.dim) if self.range else ()
        return (self.argument, *(name for name in others if isinstance(name, str)))

    @property
    def is_guarded(self) -> bool:
        """Whether it is tested before the kernel is called. Kernels test what they find while wrapping dims
        and reading indices, and devices have a check of their own.
        """
        return self.range is None and self.relation != MAY_BE and self.by is None


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """The `checks` of the operators in `ops`, which call the operator `by` and inherit its checks, too. Names
    have places.
    """

    ops: tuple[tuple[str, Span], ...]
    checks: tuple[Check, ...]
    by: tuple[str, Span] | None = None


@dataclass(frozen=True, slots=True)
class Checks:
    """A checks file, matched: `of` finds the checks of a function by its qualified name; those that follow
    from its schema come last. `faulty`: names in entries that could not be read completely.
    """

    path: str = ""
    entries: tuple[CheckEntry, ...] = ()
    of: Mapping[str, tuple[Check, ...]] = field(default_factory=dict)
    faulty: frozenset[str] = frozenset()
