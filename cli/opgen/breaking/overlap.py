"""Which calls of older overloads a new one takes: Python tries the overloads of a name in order, and C++
finds some calls ambiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opgen.api import python, python_groups
from opgen.api.python_groups import PythonGroup
from opgen.model import Argument, Base, BaseType, Function, ListType, OptionalType, Type, Variant

# Converted to one another without a word, in C++ and by Python's argument parser.
_NUMBERS = frozenset({Base.int, Base.SymInt, Base.float, Base.bool, Base.Scalar, Base.SymBool})
_INTEGERS = frozenset({Base.int, Base.SymInt})


@dataclass(frozen=True, slots=True)
class Rivals:
    """Older overloads whose calls may come to the new one."""

    cpp: tuple[Function, ...] = ()
    python: tuple[Function, ...] = ()


def rivals(new: Function, old: Sequence[Function]) -> Rivals:
    """A generated form has no binding, and functions meet functions, methods methods."""
    alike = tuple(f for f in old if _callable_alike(new, f) and _calls_meet(new, f))
    if not alike:
        return Rivals()
    in_python = tuple(f for f in alike if not new.is_generated and _is_tried_first(new, f))
    return Rivals(alike, in_python)


def _callable_alike(new: Function, old: Function) -> bool:
    same_module = new.python_module == old.python_module
    both = new.variants & old.variants
    return same_module and bool(both) and len(new.schema.arguments.out) == len(old.schema.arguments.out)


def _calls_meet(new: Function, old: Function) -> bool:
    """Is there a number of arguments, given by position, that both take?"""
    ours, theirs = _by_position(new), _by_position(old)
    least = max(_required(ours), _required(theirs))
    if _keywords(new) - {a.name for a in old.schema.arguments.all}:
        return False
    if least > min(len(ours), len(theirs)):
        return False
    given = list(zip(ours[:least], theirs[:least], strict=True))
    return all(_meet(a.type, b.type) for a, b in given)


def _by_position(function: Function) -> tuple[Argument, ...]:
    return function.schema.arguments.positional


def _required(arguments: Sequence[Argument]) -> int:
    return sum(a.default is None for a in arguments)


def _keywords(function: Function) -> set[str]:
    """Those that every call has to name: no old call does, unless the old overload has them, too."""
    return {a.name for a in function.schema.arguments.kwarg_only if a.default is None}


def _meet(a: Type, b: Type) -> bool:
    """Is there a value that both take?"""
    a, b = _bare(a), _bare(b)
    if a == b:
        return True
    if isinstance(a, ListType) and isinstance(b, ListType):
        return _meet(a.elem, b.elem)
    if isinstance(a, ListType) or isinstance(b, ListType):
        as_list, single = (a, b) if isinstance(a, ListType) else (b, a)
        return as_list.size is not None and _meet(as_list.elem, single)
    if isinstance(a, BaseType) and isinstance(b, BaseType):
        return a.base in _NUMBERS and b.base in _NUMBERS
    return False


def _bare(type: Type) -> Type:
    return type.elem if isinstance(type, OptionalType) else type


def _is_tried_first(new: Function, old: Function) -> bool:
    """In Python's order of overloads, which is that of their texts where none is to be preferred."""
    method = Variant.function not in (new.variants & old.variants)
    groups = [PythonGroup(python.signature(f, method=method), f, None) for f in (new, old)]
    return python_groups.ordered(groups)[0].base is new
