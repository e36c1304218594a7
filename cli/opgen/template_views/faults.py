"""Faults found when template views are built, as diagnostics that name the operator.

Building stops at the first of these. Only then is every operator checked, so that one run reports all of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from opgen.api import convert, cpp, cpp_types, dispatcher, native, python_groups, runtime_schema, structured
from opgen.check import generation_rules as rules
from opgen.check.same_functions import same_python
from opgen.diagnostics import Diagnostic
from opgen.model.function import Function, Group, Kernel, Variant
from opgen.model.program import Program
from opgen.template_views import ufunc

# Exceptions that building the template views of a valid program may raise; any other is a bug.
EXPECTED = (
    cpp_types.NoCppType,
    convert.CannotConvert,
    python_groups.DuplicateSignature,
    ufunc.MissingFunctor,
)


def find(program: Program, error: Exception, functors: Iterable[str]) -> list[Diagnostic]:
    """Returns all faults of the program, of which `error` is the first; empty when it can't be reproduced."""
    found = [fault for f in program.functions for fault in _signature_faults(f, program)]
    known = set(functors)
    for group in program.groups:
        found += _functor_faults(group, known)
    if isinstance(error, python_groups.DuplicateSignature):
        found.append(same_python(*error.functions, error.text))
    return found


def _signature_faults(function: Function, program: Program) -> Iterator[Diagnostic]:
    for attempt in _attempts(function, program.group_of.get(function.qualified_name)):
        try:
            attempt()
        except (cpp_types.NoCppType, convert.CannotConvert) as error:
            message = f"{function.qualified_name} has no C++ signature: {error}"
            yield rules.NO_CPP_TYPE.at(function.span, message)
            return


def _attempts(function: Function, group: Group | None) -> Iterator[Callable[[], object]]:
    """Yields the signatures that generation computes for `function`, each as a call that may fail."""
    yield lambda: dispatcher.signature(function)
    yield lambda: runtime_schema.text(function)
    yield lambda: _conversions(function)
    for kernel in (function.dispatch or {}).values():
        if not kernel.structured:
            yield partial(_native_call, function, kernel)
    if group is not None and group.structured:
        yield lambda: structured.impl_params(group)
        yield lambda: convert.exprs(dispatcher.signature(function).params, structured.meta_params(group))


def _native_call(function: Function, kernel: Kernel) -> object:
    return convert.exprs(dispatcher.signature(function).params, native.signature(function, kernel).params)


def _conversions(function: Function) -> None:
    target = dispatcher.signature(function).params
    forms = {Variant.function: cpp.functions, Variant.method: cpp.methods}
    for variant in function.variants:
        for signature in filter(None, forms[variant](function)):
            convert.exprs(signature.params, target, method=variant is Variant.method)


def _functor_faults(group: Group, known: set[str]) -> Iterator[Diagnostic]:
    named = {loop.name for loop in group.out.ufunc_inner_loop.values()}
    for functor in sorted(named - known):
        yield rules.NO_FUNCTOR.at(
            group.out.span,
            f"{group.out.qualified_name}: no functor '{functor}' is defined",
            f"define `template <class T> T {functor}(T ...)` in namespace at::native::ufunc, in a header "
            "of a --kernels folder",
        )
