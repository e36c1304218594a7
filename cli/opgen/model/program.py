"""Everything that was read: the functions in order, the groups they form, the tags they may carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from opgen.diagnostics import Span
from opgen.model.function import Function, Group, ViewGroup
from opgen.model.schema import Kind


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    description: str
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """All functions of one signature, in file order, generated ones last; of each kind one at most."""

    functions: tuple[Function, ...]

    def by_kind(self) -> dict[Kind, Function]:
        """The first function of each kind."""
        forms: dict[Kind, Function] = {}
        for function in self.functions:
            forms.setdefault(function.kind, function)
        return forms


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """`functions`: the declared ones in file order, then (after `expand`) the generated ones.

    `faulty`: root names of entries that could not be read as they are.
    """

    path: str
    functions: tuple[Function, ...]
    tags: Mapping[str, Tag] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    view_groups: tuple[ViewGroup, ...] = ()
    families: tuple[Family, ...] = ()
    faulty: frozenset[str] = frozenset()
    by_name: Mapping[str, Function] = field(default_factory=dict)
    group_of: Mapping[str, Group] = field(default_factory=dict)

    def function(self, name: str) -> Function | None:
        """By qualified name: `add.Tensor`, `mylib::op`."""
        return self.by_name.get(name)
