"""The forms that autogen generates: an out form of functional, in-place and mutable operators, a functional
form of the in-place and mutable ones; those that a family lacks and whose base entry asks for them.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import replace

from opgen.expand import signature
from opgen.expand.defaults import default_kernel_name
from opgen.model import (
    TENSOR,
    Alias,
    Argument,
    BaseName,
    DeviceCheck,
    DispatchKey,
    Function,
    Generated,
    Kernel,
    Kind,
    OperatorName,
    Return,
    Schema,
)
from opgen.model.program import Family

_EXPLICIT = DispatchKey["CompositeExplicitAutograd"]
_INHERITED_TAGS = frozenset({"nondeterministic_seeded", "view_copy", "pt2_compliant_tag"})


def missing_forms(family: Family, core_counts: bool = True) -> Iterator[Function]:
    """Yields the forms to generate for one family, the out form first."""
    forms = family.by_kind()
    if not can_generate(family, core_counts):
        return
    base = next(
        (forms[k] for k in (Kind.mutable, Kind.inplace, Kind.out, Kind.functional) if k in forms), None
    )
    if base is None or (Kind.out in forms and len(forms) == 1):
        return
    has_out = Kind.out in forms
    if not has_out and any("out" in str(name) for name in base.autogen):
        schema = out_schema(base.schema)
        if schema is not None:
            has_out = True
            yield _generated(base, schema)
    if Kind.functional not in forms and has_out and base.kind in (Kind.inplace, Kind.mutable):
        yield _generated(base, functional_schema(base.schema))


def can_generate(family: Family, core_counts: bool = True) -> bool:
    """Whether forms can be generated: not for views, manual bindings, and implicit composites outside the
    core set.
    """
    functions = family.functions
    if all(f.manual_cpp_binding for f in functions):
        return False
    # PyTorch tags set_ as an in-place view, yet treats it as a plain in-place operator here.
    if any(f.is_view and str(f.name.name) != "set_" for f in functions):
        return False
    implicit = all(f.has_kernel("CompositeImplicitAutograd") for f in functions)
    return not implicit or (core_counts and any("core" in f.tags for f in functions))


def out_schema(schema: Schema) -> Schema | None:
    """Returns the schema of the out form; None when there is no tensor result."""
    kind = schema.kind()
    name = schema.name.with_overload(f"{schema.name.overload}_out" if schema.name.overload else "out")
    if kind is Kind.inplace:
        self_arg = schema.arguments.self_arg
        if self_arg is None or schema.arguments.out:
            return None
        out = Argument("out", self_arg.type, None, self_arg.alias)
        arguments = replace(schema.arguments, self_arg=replace(self_arg, alias=None), out=(out,))
        return Schema(name, arguments, schema.returns)
    if kind not in (Kind.functional, Kind.mutable) or not any(
        r.type.is_tensor_like() for r in schema.returns
    ):
        return None
    returns, out_arguments = _out_arguments(schema)
    kept = schema.arguments if kind is Kind.mutable else signature.without_writes(schema.arguments)
    return Schema(name, replace(kept, out=out_arguments), returns)


def _out_arguments(schema: Schema) -> tuple[tuple[Return, ...], tuple[Argument, ...]]:
    """Returns an out argument per tensor-like return. They are returned if all returns are plain tensors."""
    used = {letter for a in schema.arguments.all if a.alias is not None for letter in a.alias.set}
    letters = [letter for letter in string.ascii_lowercase if letter not in used]
    all_tensors = all(r.type == TENSOR for r in schema.returns)
    returns: list[Return] = []
    outs: list[Argument] = []
    for i, (r, letter) in enumerate(zip(schema.returns, letters, strict=False)):
        if not r.type.is_tensor_like():
            returns.append(r)
            continue
        alias = Alias((letter,), write=True)
        outs.append(Argument("out" if len(schema.returns) == 1 else f"out{i}", r.type, None, alias))
        if all_tensors:
            returns.append(Return(None, r.type, alias))
    return tuple(returns), tuple(outs)


def functional_schema(schema: Schema) -> Schema:
    """Returns the schema of the form that returns what the other writes. Beside a mutable form it needs
    another name.
    """
    old = schema.name.name
    name = BaseName(old.base, dunder=old.dunder, functional=schema.kind() is Kind.mutable)
    arguments = signature.without_writes(schema.arguments)
    return Schema(OperatorName(name, schema.name.overload), arguments, signature.functional_returns(schema))


def _generated(base: Function, schema: Schema) -> Function:
    kernel = schema.name.unambiguous() if schema.is_out() else default_kernel_name(schema)
    if base.schema.has_symint():
        kernel += "_symint"
    tags = {"generated", *(base.tags & _INHERITED_TAGS)}
    if schema.is_out():
        tags.add("out")
    return Function(
        schema=schema,
        span=base.span,
        line=base.line,
        namespace=base.namespace,
        dispatch={_EXPLICIT: Kernel(_EXPLICIT, kernel, span=base.span)},
        device_guard=False,
        device_check=DeviceCheck.NoCheck,
        use_const_ref_for_mutable_tensors=base.use_const_ref_for_mutable_tensors,
        tags=frozenset(tags),
        origin=Generated(base.name),
        places=base.places,
    )
