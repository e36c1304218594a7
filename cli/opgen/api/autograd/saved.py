"""What a backward formula saves of the forward call.

A formula names arguments and results. What it needs of them is saved when the operator runs: the tensor, or,
for expressions such as `self.sym_sizes()`, only the expression's value, whose name replaces it in the
formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from opgen.api import ctype
from opgen.api.ctype import CType
from opgen.parse.derivatives.text import words


@dataclass(frozen=True, slots=True)
class Saved:
    """`expr`, evaluated when the operator runs, is the variable `name` in the formula. `of` is the argument
    or result.
    """

    name: str
    type: CType
    expr: str
    of: str


@dataclass(frozen=True, slots=True)
class _Property:
    """An expression of which only the value is saved: `x.word()`, or `word(x)` where `access` is empty.

    `{0}` in `expr` and `used` is the argument or its saved value; `{1}` in `suffix` is what the expression's
    own argument matches.
    """

    access: str
    word: str
    suffix: str
    type: CType
    expr: str | None = None
    used: str = "{0}"
    argument: str = ""


_SYM_SIZES = ctype.Optional(ctype.SYM_INT_ARRAY)
_GEOMETRY = ctype.Named("at::TensorGeometry")
_TYPE_AND_SIZE = ctype.Named("torch::autograd::generated::TypeAndSize")
_SIZES_OR_NONE = "{0}.has_value() ? std::optional<c10::SymIntArrayRef>({0}->sym_sizes()) : std::nullopt"
_BLOCK_SIZE = "at::sparse_csr::getSymIntBlockSize({0})"
_STRIDES = 'strides_or_error({0}, "{0}")'


def _lists_of(item: CType) -> CType:
    return ctype.Vector(ctype.Vector(item))


# The order matters: what an earlier property replaces is not seen by later ones.
PROPERTIES = (
    _Property(".", "sym_sizes", "_sym_sizes", ctype.SYM_INT_ARRAY),
    _Property("->", "sym_sizes", "_sym_sizes_opt", _SYM_SIZES, _SIZES_OR_NONE),
    _Property(".", "sym_blocksize", "_self_sym_blocksize_opt", _SYM_SIZES, _BLOCK_SIZE),
    _Property(".", "options", "_options", ctype.TENSOR_OPTIONS),
    _Property("", "zeros_like", "_info", _TYPE_AND_SIZE, "{0}", "{0}.zeros()"),
    _Property(".", "sym_size", "_sym_argsize_{1}", ctype.SYM_INT, argument=r"(-?\w+)"),
    _Property(".", "numel", "_numel", ctype.INT64),
    _Property(".", "sym_numel", "_sym_numel", ctype.SYM_INT),
    _Property("", "to_args_sizes", "_args_sizes", _lists_of(ctype.INT64)),
    _Property("", "to_args_sizes_symint", "_args_sizes_symint", _lists_of(ctype.SYM_INT)),
    _Property("", "to_args_scalartypes", "_args_scalartypes", ctype.Vector(ctype.SCALAR_TYPE)),
    _Property("", "TensorGeometry", "_geometry", _GEOMETRY),
    _Property(".", "scalar_type", "_scalar_type", ctype.SCALAR_TYPE),
    _Property(".", "dim", "_dim", ctype.INT64),
    _Property(".", "sym_strides", "_sym_strides", ctype.SYM_INT_ARRAY, _STRIDES),
    _Property(".", "layout", "_layout", ctype.LAYOUT),
    _Property(".", "is_conj", "_conjugate", ctype.BOOL),
)
_OPTIONAL_STRING = ctype.Optional(ctype.STRING_VIEW)


@cache
def _pattern(name: str, known: _Property) -> re.Pattern[str]:
    if not known.access:
        return re.compile(rf"\b{known.word}\({name}\)")
    return re.compile(rf"\b{name}{re.escape(known.access)}{known.word}\({known.argument}\)")


def save(formula: str, values: Iterable[tuple[str, CType]]) -> tuple[str, tuple[Saved, ...]]:
    """Returns the formula in terms of saved values, and those; `values` are the names that it may use."""
    found: dict[str, Saved] = {}
    # A word in a comment or string counts as used: that may save a tensor too many, never one too few.
    present = words(formula)
    properties = [known for known in PROPERTIES if known.word in present]
    for name, type in values:
        if name not in present:
            continue
        for known in properties:
            formula = _pattern(name, known).sub(_saver(name, known, found), formula)
        if type == _OPTIONAL_STRING:
            borrowed = f"{name}.has_value() ? std::optional<std::string_view>({name}.value()) : std::nullopt"
            formula = replace_word(formula, name, borrowed)
        if name in words(formula):
            found.setdefault(name, Saved(name, type, name, name))
    return formula, tuple(found.values())


def _saver(name: str, known: _Property, found: dict[str, Saved]) -> Callable[[re.Match[str]], str]:
    def replaced(match: re.Match[str]) -> str:
        parameter = match[1].replace("-", "minus_") if match.re.groups else ""
        variable = name + known.suffix.format(name, parameter)
        expr = match[0] if known.expr is None else known.expr.format(name)
        found.setdefault(variable, Saved(variable, known.type, expr, name))
        return known.used.format(variable)

    return replaced


def replace_word(text: str, word: str, by: str) -> str:
    return re.sub(rf"\b{word}\b", lambda match: by, text)


def union(saved: Iterable[tuple[Saved, ...]]) -> tuple[Saved, ...]:
    """Returns the saved values of all formulas, without duplicates."""
    found: dict[str, Saved] = {}
    for one in (s for some in saved for s in some):
        found.setdefault(one.name, one)
    return tuple(found.values())
