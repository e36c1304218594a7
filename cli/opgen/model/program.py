"""The program: the functions in order, their groups, and the known tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opgen.diagnostics import Span
from opgen.model.function import Function, Group, ViewGroup
from opgen.model.schema import Kind
from opgen.model.unread import Unread

if TYPE_CHECKING:
    from opgen.model.autocast import Autocast
    from opgen.model.batching import Batching
    from opgen.model.checks import Checks
    from opgen.model.derivatives import Derivatives
    from opgen.model.docs import Doc, Docs


# PyTorch's tags: those that every release with a tags file has, and all that there were up to 2.1.
_OLDEST_TAGS = {"inplace_view", "view_copy", "dynamic_output_shape", "data_dependent_output", "generated"}
_OLD_TAGS = _OLDEST_TAGS | {"nondeterministic_seeded", "nondeterministic_bitwise", "core", "pointwise"}


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    description: str
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """All functions of one signature, in file order, generated ones last; at most one of each kind."""

    functions: tuple[Function, ...]

    def by_kind(self) -> dict[Kind, Function]:
        """Returns the first function of each kind."""
        forms: dict[Kind, Function] = {}
        for function in self.functions:
            forms.setdefault(function.kind, function)
        return forms


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """`functions`: the declared ones in file order, then (after `expand`) the generated ones.

    `faulty`: root names of entries that could not be read completely, `unread`: those that gave no function.
    `derivatives`, `checks`, `docs`,
    `autocast` and `batching` are None when no file of that kind was read.
    """

    path: str
    functions: tuple[Function, ...]
    tags: Mapping[str, Tag] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    view_groups: tuple[ViewGroup, ...] = ()
    families: tuple[Family, ...] = ()
    faulty: frozenset[str] = frozenset()
    unread: tuple[Unread, ...] = ()
    by_name: Mapping[str, Function] = field(default_factory=dict)
    group_of: Mapping[str, Group] = field(default_factory=dict)
    derivatives: Derivatives | None = None
    checks: Checks | None = None
    docs: Docs | None = None
    autocast: Autocast | None = None
    batching: Batching | None = None

    @property
    def before_2_2(self) -> bool:
        """Whether it is PyTorch's file of a release before 2.2, judged by the tags beside it."""
        return _OLDEST_TAGS <= self.tags.keys() <= _OLD_TAGS

    @property
    def before_2_6(self) -> bool:
        """Whether it is of a release before 2.6, which added this tag and began to use another, `core`."""
        return self.tags.keys() >= _OLDEST_TAGS and "maybe_aliasing_or_mutating" not in self.tags

    @property
    def said(self) -> Mapping[str, Doc]:
        """Returns what is said about functions, by their qualified names."""
        return {} if self.docs is None else self.docs.of

    def function(self, name: str) -> Function | None:
        """Returns the function of a qualified name: `add.Tensor`, `mylib::op`."""
        return self.by_name.get(name)
