"""The formulas of one entry and key, with the names they may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from opgen.diagnostics import Span
from opgen.model import TENSOR, Function, Kind, ListType, Program, Type
from opgen.model.derivatives import DerivativeEntry, Formula, gradient_names, return_names
from opgen.parse.derivatives.text import Token, TokenKind, tokens

OPTIONS = "options"


@dataclass(frozen=True)
class Subject:
    """`function` is the entry's; `key` the dispatch key that the formulas are for."""

    program: Program
    entry: DerivativeEntry
    function: Function
    key: str
    formulas: tuple[Formula, ...]

    @cached_property
    def arguments(self) -> Mapping[str, Type | None]:
        """Returns the types of the names in backward formulas; tensor options are one untyped name."""
        all = self.function.schema.arguments
        found: dict[str, Type | None] = {
            a.name: a.type for a in (*all.out, *all.positional, *all.pre_options)
        }
        if all.options is not None:
            found[OPTIONS] = None
        found.update((a.name, a.type) for a in all.post_options)
        return found

    @cached_property
    def results(self) -> tuple[str, ...]:
        return return_names(self.function)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Returns the names of the results as keys of forward formulas."""
        if self.function.kind is Kind.inplace:
            return self.results
        return tuple(
            r.name or name for r, name in zip(self.function.schema.returns, self.results, strict=True)
        )

    @cached_property
    def differentiable(self) -> tuple[bool, ...]:
        """Returns, for each result, whether it can have a gradient."""
        returns = self.function.schema.returns
        flags = self.entry.differentiable
        if flags is None or len(flags) != len(returns):
            flags = (True,) * len(returns)
        return tuple(flag and r.type.is_tensor_like() for flag, r in zip(flags, returns, strict=True))

    @cached_property
    def named_gradients(self) -> tuple[str, ...]:
        return gradient_names(self.function, self.differentiable)

    @cached_property
    def silent_gradients(self) -> Mapping[str, str]:
        """Returns results without a gradient by the name that their gradient would have: `x` for `grad_x`."""
        returns = zip(self.function.schema.returns, self.differentiable, strict=True)
        found = {f"grad_{r.name}": r.name for r, flag in returns if not flag and r.name is not None}
        return {name: of for name, of in found.items() if name not in self.arguments}

    @cached_property
    def backward(self) -> tuple[Formula, ...]:
        return tuple(f for f in self.formulas if f.names[0] in self.arguments and not f.is_non_differentiable)

    @cached_property
    def forward(self) -> tuple[Formula, ...]:
        return tuple(f for f in self.formulas if f.names[0] not in self.arguments)

    @cached_property
    def inputs(self) -> frozenset[str]:
        """Returns the arguments that have a formula."""
        return frozenset(name for f in self.backward for name in f.names)

    def is_list(self, name: str) -> bool:
        return isinstance(self.arguments.get(name), ListType)

    @cached_property
    def tensors(self) -> frozenset[str]:
        """Returns the names of single tensors, in backward or forward formulas."""
        found = {name for name, type in self.arguments.items() if type == TENSOR}
        found |= {f"{name}{suffix}" for name in found for suffix in ("_p", "_t")}
        returns = self.function.schema.returns
        found |= {name for name, r in zip(self.results, returns, strict=True) if r.type == TENSOR}
        return frozenset({"grad", *self.named_gradients, *found})

    def at(self, formula: Formula, first: Token, last: Token | None = None) -> Span:
        """Returns the place of the tokens in the file."""
        assert self.entry.places is not None
        return self.entry.places.inside(first.start, (last or first).end, *formula.path)

    def whole(self, formula: Formula) -> Span:
        assert self.entry.places is not None
        return self.entry.places.value(*formula.path)

    def key_of(self, formula: Formula, name: str | None = None) -> Span:
        """Returns the place of the formula's key, or of one name in it."""
        assert self.entry.places is not None
        span = self.entry.places.key(*formula.path)
        start = 0 if name is None else formula.key.find(name)
        if span.line != span.end_line or name is None or span.end_column - span.column != len(formula.key):
            return span
        column = span.column + start
        return span._replace(column=column, end_column=column + len(name))


def variables(formula: Formula) -> tuple[Token, ...]:
    """Returns the free names of a formula: no members, no parts of `a::b`, no functions that are called."""
    return _variables(formula.text)


@lru_cache(maxsize=4096)
def _variables(text: str) -> tuple[Token, ...]:
    found = tokens(text)
    names = [(i, token) for i, token in enumerate(found) if token.kind is TokenKind.name]
    return tuple(t for i, t in names if text_at(found, i + 1) != "(" and not is_part(found, i))


def is_part(found: tuple[Token, ...], i: int) -> bool:
    """Whether the name at `i` is a member, or a part of a qualified name."""
    return text_at(found, i - 1) in (".", "->", "::") or text_at(found, i + 1) == "::"


def text_at(found: tuple[Token, ...], i: int) -> str:
    return found[i].text if 0 <= i < len(found) else ""
