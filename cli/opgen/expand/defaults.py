"""What an entry leaves implicit: default tags, its default kernel, the kernels that a ufunc loop makes."""

from __future__ import annotations

from collections.abc import Container

from opgen.model import DEFAULT_NAMESPACE, UFUNC_KEYS, DispatchKey, Function, Kernel, Schema

_IMPLICIT = DispatchKey["CompositeImplicitAutograd"]


def default_kernel_name(schema: Schema) -> str:
    """Returns the kernel's name when the entry names none: the operator's, with `_out` for out forms."""
    return f"{schema.name.name}_out" if schema.is_out() else str(schema.name.name)


def fill(function: Function, known_tags: Container[str]) -> Function:
    tags = default_tags(function, known_tags)
    dispatch = function.dispatch
    if not dispatch and function.ufunc_inner_loop:
        dispatch = {}
    elif dispatch is None or (not dispatch and not _has_field(function, "dispatch")):
        dispatch = {} if function.part_of_structured_group else _implicit(function)
    for key in UFUNC_KEYS if function.ufunc_inner_loop else ():
        if key not in dispatch:
            name = f"ufunc_{function.name.name}_{key}"
            dispatch = {**dispatch, key: Kernel(key, name, structured=True, span=function.span)}
    return function.filled(tags, dispatch)


def _has_field(function: Function, name: str) -> bool:
    """Whether the entry has the field: `dispatch: {}` means no kernel, no `dispatch` the default one."""
    return function.places is not None and function.places.has(name)


def _implicit(function: Function) -> dict[DispatchKey, Kernel]:
    if function.manual_kernel_registration:
        return {}
    return {_IMPLICIT: Kernel(_IMPLICIT, default_kernel_name(function.schema), span=function.span)}


def default_tags(function: Function, known: Container[str]) -> frozenset[str]:
    added = []
    if function.namespace == DEFAULT_NAMESPACE and "pt2_compliant_tag" in known:
        added.append("pt2_compliant_tag")
    if function.schema.is_out() and "out" in known:
        added.append("out")
    if function.name.name.inplace and "inplace" in known:
        added.append("inplace")
    return function.tags.union(added)
