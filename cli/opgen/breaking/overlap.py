"""Finds the calls of older overloads that a new one takes over: Python tries the overloads of a name in
order, and some calls are ambiguous in C++.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opgen.api import python, python_groups
from opgen.api.python_groups import PythonGroup
from opgen.model import TENSOR, Argument, Base, BaseType, Function, ListType, OptionalType, Type, Variant

# Types converted implicitly, in C++ and by Python's argument parser.
_NUMBERS = frozenset({Base.int, Base.SymInt, Base.float, Base.bool, Base.Scalar, Base.SymBool})


@dataclass(frozen=True, slots=True)
class Rivals:
    """Older overloads whose calls may reach the new one."""

    cpp: tuple[Function, ...] = ()
    python: tuple[Function, ...] = ()


def rivals(new: Function, old: Sequence[Function]) -> Rivals:
    """Returns the rivals. Functions compete with functions, methods with methods; a generated form has no
    Python binding.
    """
    alike = [f for f in old if _callable_alike(new, f)]
    in_cpp = tuple(f for f in alike if _calls_meet(new, f, _meet))
    if new.is_generated:
        return Rivals(in_cpp)
    return Rivals(
        in_cpp, tuple(f for f in alike if _calls_meet(new, f, _meet_in_python) and _is_tried_first(new, f))
    )


def _callable_alike(new: Function, old: Function) -> bool:
    same_module = new.python_module == old.python_module
    both = new.variants & old.variants
    return same_module and bool(both) and len(new.schema.arguments.out) == len(old.schema.arguments.out)


def _calls_meet(new: Function, old: Function, meet: Callable[[Type, Type], bool]) -> bool:
    """Whether both accept the same number of positional arguments. What the new one requires by name, the old
    one must accept by name.
    """
    ours, theirs = new.schema.arguments.positional, old.schema.arguments.positional
    least = max(_required(ours), _required(theirs))
    if least > min(len(ours), len(theirs)):
        return False
    named = {a.name: a for a in old.schema.arguments.all}
    given = list(zip(ours[:least], theirs[:least], strict=True))
    for a in new.schema.arguments.kwarg_only:
        if a.default is None:
            if a.name not in named:
                return False
            given.append((a, named[a.name]))
    return all(meet(a.type, b.type) for a, b in given)


def _required(arguments: Sequence[Argument]) -> int:
    return sum(a.default is None for a in arguments)


def _meet(a: Type, b: Type) -> bool:
    """Whether there is a value that both accept."""
    a, b = _bare(a), _bare(b)
    if a == b:
        return True
    if isinstance(a, ListType) and isinstance(b, ListType):
        return _meet(a.elem, b.elem)
    if isinstance(a, ListType) or isinstance(b, ListType):
        return _is_element(a, b) or _is_element(b, a)
    if isinstance(a, BaseType) and isinstance(b, BaseType):
        return a.base in _NUMBERS and b.base in _NUMBERS
    return False


def _is_element(single: Type, of: Type) -> bool:
    """Whether a single element may be passed for the list: that needs a list of fixed size."""
    return isinstance(of, ListType) and of.size is not None and _meet(single, of.elem)


def _meet_in_python(a: Type, b: Type) -> bool:
    """Whether Python accepts a value for both: a tensor of one element is also accepted as a scalar."""
    a, b = _bare(a), _bare(b)
    number = b if a == TENSOR else a if b == TENSOR else None
    return _meet(a, b) or (isinstance(number, BaseType) and number.base in _NUMBERS)


def _bare(type: Type) -> Type:
    return type.elem if isinstance(type, OptionalType) else type


def _is_tried_first(new: Function, old: Function) -> bool:
    """Whether Python tries the new overload first: in the order of texts where none is preferred."""
    method = Variant.function not in (new.variants & old.variants)
    groups = [PythonGroup(python.signature(f, method=method), f, None) for f in (new, old)]
    return python_groups.ordered(groups)[0].base is new
