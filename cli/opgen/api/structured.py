"""Structured operators: a meta function, which computes the outputs' metadata, and an impl function, which
writes them.

Neither returns anything or has defaults; SymInts are plain integers; optional tensors and scalars and lists
of tensors are non-owning references, and the tensors that are written to are const, as their metadata is.
"""

from __future__ import annotations

from functools import cache

from opgen.api import ctype
from opgen.api.cpp_types import Style
from opgen.api.cpp_types import argument_type as common_type
from opgen.api.ctype import CType
from opgen.api.signature import Param, Signature
from opgen.model import Argument, Base, BaseType, Group, Kernel, ListType, OptionalType, Type

_STYLE = Style(symint=False, const_writes=True, list_refs=True)
_TENSOR = BaseType(Base.Tensor)
_SCALAR = BaseType(Base.Scalar)
_SYM_INT = BaseType(Base.SymInt)
# The same type as IntArrayRef; PyTorch spells it out where the schema has SymInts.
_INT64_ARRAY = ctype.ArrayRef(ctype.INT64)


PREFIX = "structured_"


def meta_name(group: Group) -> str:
    """The meta class in at::meta, named after the functional form."""
    return f"{PREFIX}{group.functional.name.unambiguous()}"


def meta_class(group: Group) -> str:
    return f"at::meta::{meta_name(group)}"


def impl_name(kernel: Kernel) -> str:
    """The class of one backend's impl function."""
    return f"{PREFIX}{kernel.name}"


@cache
def argument_type(type: Type) -> CType:
    if isinstance(type, OptionalType):
        if type.elem == _TENSOR:
            return ctype.OPTIONAL_TENSOR_REF
        if type.elem == _SCALAR:
            return ctype.OPTIONAL_SCALAR_REF
        if isinstance(type.elem, ListType) and type.elem.elem == _SYM_INT:
            return ctype.Optional(_INT64_ARRAY)
    if isinstance(type, ListType):
        if type.elem == OptionalType(_TENSOR):
            return ctype.OPTIONAL_TENSOR_LIST_REF
        if type.elem == _SYM_INT:
            return _INT64_ARRAY
    return common_type(type, False, _STYLE)


def param(a: Argument) -> Param:
    return Param(a.name, argument_type(a.type), None, a)


def meta_params(group: Group) -> tuple[Param, ...]:
    return tuple(param(a) for a in group.functional.schema.arguments.non_out)


def precomputed_params(group: Group) -> tuple[Param, ...]:
    """Returns what the meta function precomputes for the impl function: replacements of arguments first, then
    the rest.
    """
    precomputed = group.out.precomputed
    if precomputed is None:
        return ()
    replacing = [a for arguments in precomputed.replace.values() for a in arguments]
    return tuple(param(a) for a in (*replacing, *precomputed.add))


def impl_params(group: Group) -> tuple[Param, ...]:
    """Returns the arguments, with precomputed ones in place of what they replace or at the end, then the
    outputs.
    """
    args = group.out.schema.arguments
    precomputed = group.out.precomputed
    found: list[Argument] = []
    for a in args.non_out:
        found += (a,) if precomputed is None else precomputed.replace.get(a.name, (a,))
    added = () if precomputed is None else precomputed.add
    return tuple(param(a) for a in (*found, *added, *args.out))


def meta_signature(group: Group) -> Signature:
    returns = ctype.VOID if group.out.precomputed is None else ctype.Named("meta_return_ty")
    return Signature("meta", returns, meta_params(group))


def impl_signature(group: Group) -> Signature:
    return Signature("impl", ctype.VOID, impl_params(group))
