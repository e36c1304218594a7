"""Kernels made from functors (`ufunc_inner_loop`): the loops that there are, and what they take."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Rule, Severity
from opgen.model import TENSOR, Base, BaseType, Function, Program, UfuncKey
from opgen.model.dtypes import WITHOUT_LOOPS

_GOOD = ex.STRUCTURED.replace(ex.KERNELS, "  ufunc_inner_loop:\n    Generic: f (All)\n")

NO_LOOP = Rule(
    "OPG614",
    "ufunc-without-loop",
    Severity.error,
    "ufunc_inner_loop names a functor for the CPU and one for CUDA (Generic and ScalarOnly are for both,"
    " CPUScalar and CUDAFunctor for one of them), on a dtype that loops are made for.",
    _GOOD.replace("Generic", "CPUScalar"),
    _GOOD,
    ignorable=False,
)
ARGUMENT = Rule(
    "OPG615",
    "ufunc-argument",
    Severity.error,
    "A functor takes elements of tensors, and Scalars.",
    _GOOD.replace("Tensor self", "Tensor self, int n"),
    _GOOD,
    ignorable=False,
)
RULES = (NO_LOOP, ARGUMENT)

_BOTH = (UfuncKey.Generic, UfuncKey.ScalarOnly)
_NEEDED = {"the CPU": (*_BOTH, UfuncKey.CPUScalar), "CUDA": (*_BOTH, UfuncKey.CUDAFunctor)}
_TYPES = (TENSOR, BaseType(Base.Scalar))


def loops(function: Function, program: Program) -> Iterator[Diagnostic]:
    if not (function.ufunc_inner_loop and function.structured):
        return
    where = places.key(function, "ufunc_inner_loop")
    for device, keys in _NEEDED.items():
        found = [function.ufunc_inner_loop[k] for k in keys if k in function.ufunc_inner_loop]
        if found and all(WITHOUT_LOOPS.issuperset(loop.dtypes) for loop in found):
            dtypes = ", ".join(d for loop in found for d in loop.dtypes) or "no dtypes"
            yield NO_LOOP.at(where, f"no loops are made for {dtypes}", "name another dtype, too")
            return
        if not found:
            help = f"name one under {', '.join(k.name for k in keys[:-1])} or {keys[-1].name}"
            yield NO_LOOP.at(where, f"there is no functor for {device}", help)
    for a in function.schema.arguments.without_options().non_out:
        if a.type not in _TYPES:
            message = f"'{a.name}' is {a.type}, which no functor takes"
            yield ARGUMENT.at(places.argument(function, a.name), message, "take Tensor or Scalar")
