"""The schema of one operator, as in its `func:` line: `str(schema)` is that line again.

Arguments are kept in groups, because every calling convention treats them differently: positional before
`self`, `self`, positional after it, keyword-only, the four TensorOptions ones, and the `out` arguments.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from opgen.model.names import OperatorName
from opgen.model.types import Base, Type


@dataclass(frozen=True, slots=True)
class Alias:
    """`(a! -> a|b)`: the alias sets before, whether they are written to, the sets after.

    `shorthand` is set for `Tensor!`, whose set got a fresh name.
    """

    set: tuple[str, ...]
    write: bool = False
    after: tuple[str, ...] = ()
    shorthand: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        after = " -> " + "|".join(self.after) if self.after else ""
        return "|".join(self.set) + ("!" if self.write else "") + after


def typed(type: Type, alias: Alias | None) -> str:
    """Returns a type as a schema spells it, with its annotation, which follows the word `Tensor`."""
    if alias is None:
        return str(type)
    annotation = "!" if alias.shorthand else f"({alias})"
    return str(type).replace("Tensor", "Tensor" + annotation, 1)


@dataclass(frozen=True, slots=True)
class Argument:
    """`default` is the literal's text, None when there is none; the parser checked that it fits the type."""

    name: str
    type: Type
    default: str | None = None
    alias: Alias | None = None

    @property
    def is_write(self) -> bool:
        return self.alias is not None and self.alias.write

    def __str__(self) -> str:
        default = "" if self.default is None else f"={self.default}"
        return f"{typed(self.type, self.alias)} {self.name}{default}"


@dataclass(frozen=True, slots=True)
class Return:
    name: str | None
    type: Type
    alias: Alias | None = None

    @property
    def is_write(self) -> bool:
        return self.alias is not None and self.alias.write

    def __str__(self) -> str:
        text = typed(self.type, self.alias)
        return text if self.name is None else f"{text} {self.name}"


@dataclass(frozen=True, slots=True)
class TensorOptions:
    """Four adjacent keyword-only arguments that C++ takes as one `at::TensorOptions`."""

    dtype: Argument
    layout: Argument
    device: Argument
    pin_memory: Argument

    def all(self) -> tuple[Argument, ...]:
        return (self.dtype, self.layout, self.device, self.pin_memory)


@dataclass(frozen=True, slots=True)
class Arguments:
    """`pre_self` is empty when there is no `self`; `post_options` is empty when there are no `options`."""

    pre_self: tuple[Argument, ...] = ()
    self_arg: Argument | None = None
    post_self: tuple[Argument, ...] = ()
    pre_options: tuple[Argument, ...] = ()
    options: TensorOptions | None = None
    post_options: tuple[Argument, ...] = ()
    out: tuple[Argument, ...] = ()

    @property
    def positional(self) -> tuple[Argument, ...]:
        return self.post_self if self.self_arg is None else (*self.pre_self, self.self_arg, *self.post_self)

    @property
    def kwarg_only(self) -> tuple[Argument, ...]:
        """Returns the keyword-only arguments, without `out`."""
        if self.options is None:
            return self.pre_options
        return self.pre_options + self.options.all() + self.post_options

    @property
    def non_out(self) -> tuple[Argument, ...]:
        return self.positional + self.kwarg_only

    @property
    def all(self) -> tuple[Argument, ...]:
        """Returns all arguments in schema order."""
        return self.positional + self.kwarg_only + self.out

    def has_tensor(self) -> bool:
        return any(a.type.is_tensor_like() for a in self.non_out)

    def has_symint(self) -> bool:
        return any(a.type.is_symint_like() for a in self.non_out)

    def has_generator(self) -> bool:
        return any(a.type.is_like(Base.Generator) for a in self.non_out)

    def without_options(self) -> Arguments:
        return replace(self, pre_options=self.pre_options + self.post_options, options=None, post_options=())

    def __str__(self) -> str:
        parts = [str(a) for a in self.positional]
        keyword = self.kwarg_only + self.out
        if keyword:
            parts.append("*")
            parts += [str(a) for a in keyword]
        return ", ".join(parts)


class Kind(enum.Enum):
    functional = "functional"
    inplace = "inplace"
    out = "out"
    mutable = "mutable"
    scratch = "scratch"


SCRATCH_PREFIX = "_scratch_"


@dataclass(frozen=True, slots=True)
class Schema:
    name: OperatorName
    arguments: Arguments
    returns: tuple[Return, ...]
    _kind: Kind = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Cached, as it is read very often.
        object.__setattr__(self, "_kind", self._find_kind())

    def kind(self) -> Kind:
        """Returns the kind: the name's trailing `_` decides first, then `out` arguments."""
        return self._kind

    def _find_kind(self) -> Kind:
        if self.name.name.inplace:
            return Kind.inplace
        if self.arguments.out:
            scratch = any(a.name.startswith(SCRATCH_PREFIX) for a in self.arguments.out)
            return Kind.scratch if scratch else Kind.out
        if any(a.is_write for a in self.arguments.post_self):
            return Kind.mutable
        return Kind.functional

    def is_out(self) -> bool:
        return bool(self.arguments.out)

    def has_symint(self) -> bool:
        return self.arguments.has_symint()

    def aliased_return_names(self) -> tuple[str | None, ...]:
        """Returns, for each return, the argument that it is (same annotation), or None for a new tensor."""
        by_alias = {a.alias: a.name for a in self.arguments.all if a.alias is not None}
        return tuple(None if r.alias is None else by_alias.get(r.alias) for r in self.returns)

    def written_arguments(self) -> Iterator[Argument]:
        return (a for a in self.arguments.all if a.is_write)

    def with_name(self, name: OperatorName) -> Schema:
        return Schema(name, self.arguments, self.returns)

    def __str__(self) -> str:
        returns = ", ".join(map(str, self.returns))
        return f"{self.name}({self.arguments}) -> {returns if len(self.returns) == 1 else f'({returns})'}"
