"""Kernels of one name, and namespaces of kernels that are named like functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.api import native, structured
from opgen.api.signature import Signature
from opgen.check import examples as ex
from opgen.check.same_functions import Pairs, known, scope
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, Span
from opgen.model import NATIVE_NAMESPACE, Function, Group, Kernel, Program


def _kernels_of(*schemas: str) -> str:
    return "".join(f"- func: {schema}\n  dispatch:\n    CPU: pool\n" for schema in schemas)


KERNEL = Rule(
    "OPG340",
    "kernel-conflict",
    Severity.error,
    "Operators that name one kernel with the same parameters also return the same, and only one gives it"
    " defaults; a structured kernel is of one operator.",
    _kernels_of("pool(Tensor self) -> Tensor", "pool_idx(Tensor self) -> (Tensor, Tensor)"),
    _kernels_of("pool(Tensor self) -> Tensor", "pool_idx(Tensor self, int n) -> (Tensor, Tensor)"),
    ignorable=False,
)
NAMESPACE = Rule(
    "OPG342",
    "namespace-conflict",
    Severity.error,
    "A namespace of kernels is not named like a C++ function beside it.",
    ex.F + ex.func("g(Tensor self) -> Tensor") + "  dispatch:\n    CPU: at::f::g\n",
    ex.F + ex.func("g(Tensor self) -> Tensor") + "  dispatch:\n    CPU: at::of_f::g\n",
    ignorable=False,
)
RULES = (KERNEL, NAMESPACE)


def conflicts(program: Program, pairs: Pairs) -> Iterator[Diagnostic]:
    """Yields conflicts of kernels; `pairs` of operators have the same functions, which was reported."""
    yield from _kernels(program, pairs)
    yield from _structured(program.groups)
    yield from _namespaces(program)


def _kernels(program: Program, pairs: Pairs) -> Iterator[Diagnostic]:
    """Yields kernels of one name and different operators; `pairs` of operators have the same functions."""
    named: dict[str, list[tuple[Function, Kernel]]] = {}
    for function in program.functions:
        for kernel in (function.dispatch or {}).values():
            if not kernel.structured:
                named.setdefault(kernel.qualified, []).append((function, kernel))
    for found in named.values():
        if any(function is not found[0][0] for function, _ in found):
            yield from _one_kernel(found, pairs)


def _one_kernel(found: Iterable[tuple[Function, Kernel]], pairs: Pairs) -> Iterator[Diagnostic]:
    first: dict[tuple[str, ...], tuple[Function, Kernel, Signature]] = {}
    for function, kernel in found:
        signature = known(lambda f=function, k=kernel: native.signature(f, k))  # type: ignore[misc]
        if signature is None:
            continue
        other, other_kernel, theirs = first.setdefault(signature.param_types(), (function, kernel, signature))
        why = _difference(signature, theirs, other.qualified_root_name == function.qualified_root_name)
        if other is not function and why and (other, function) not in pairs:
            pairs.add((other, function))
            message = f"'{kernel.name}' is also a kernel of the operator '{other.qualified_name}', {why}"
            related = (Related(_kernel_span(other, other_kernel), f"'{theirs.decl()}' here"),)
            yield KERNEL.at(_kernel_span(function, kernel), message, "name another kernel", related)


def _difference(ours: Signature, theirs: Signature, one_header: bool) -> str | None:
    """Returns why a compiler refuses the second declaration of a kernel. A header repeats none."""
    if ours.returns.text != theirs.returns.text:
        return f"which returns '{theirs.returns.text}' and not '{ours.returns.text}'"
    for a, b in zip(ours.params, theirs.params, strict=True):
        if a.default is not None and b.default is not None and not one_header:
            return f"and C++ takes a default of '{a.name}' only once"
    return None


def _kernel_span(function: Function, kernel: Kernel) -> Span:
    return kernel.span or function.span


def _structured(groups: Iterable[Group]) -> Iterator[Diagnostic]:
    """Yields structured kernels and meta functions of one name: each is a class, derived from another."""
    kernels: dict[str, tuple[Group, Kernel]] = {}
    metas: dict[str, Group] = {}
    for group in groups:
        if not group.structured:
            continue
        meta = metas.setdefault(structured.meta_name(group), group)
        if meta is not group:
            message = f"the meta function is a class of the name of '{meta.functional.qualified_name}''s"
            related = (Related(meta.functional.span, "the other one"),)
            yield KERNEL.at(group.functional.span, message, "give it another name", related)
        for kernel in (group.out.dispatch or {}).values():
            other, of_other = kernels.setdefault(kernel.qualified, (group, kernel))
            if kernel.structured and other is not group:
                message = (
                    f"the structured kernel '{kernel.name}' is also that of '{other.out.qualified_name}'"
                )
                related = (Related(_kernel_span(other.out, of_other), "the other one"),)
                yield KERNEL.at(_kernel_span(group.out, kernel), message, "name another kernel", related)
                break


def _namespaces(program: Program) -> Iterator[Diagnostic]:
    own = [
        (function, kernel)
        for function in program.functions
        for kernel in (function.dispatch or {}).values()
        if kernel.namespace != NATIVE_NAMESPACE
    ]
    if not own:
        return
    names = {f"{scope(f)}::{f.name.name}": f for f in reversed(program.functions)}
    for function, kernel in own:
        other = names.get(kernel.namespace) or names.get(kernel.namespace.rpartition("::")[0])
        if other is not None:
            message = f"the namespace '{kernel.namespace}' is named like '{other.qualified_name}'"
            related = (Related(other.span, "the function"),)
            where = _kernel_span(function, kernel)
            yield NAMESPACE.at(where, message, "give the namespace another name", related)
